"""Untrusted text (ids, queries, file names) escaped for its sink, and numbers in words."""

from __future__ import annotations

import html
import math
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from ..conventions.convention import Convention
from ..dataset import Dataset
from ..editing.hand_ranking import Entry
from ..errors import RankscopeError
from ..exploring import curves
from ..reading.problems import ReadError

# Re-exported, so that pages find all text helpers here.
from ..words import apart as apart
from ..words import count as count
from ..words import flat as flat
from ..words import legible as legible
from ..words import moved as moved
from ..words import near as near
from ..words import number as number
from ..words import p_value as p_value
from ..words import shared_start
from ..words import signed as signed
from ..words import visible as visible

_BACKTICKS = re.compile("`+")


def without_markdown(sentence: str) -> str:
    """Return a sentence without its Markdown."""
    return sentence.replace("**", "").replace("`", "")


def code(text: str) -> str:
    """Return a Markdown code span that shows any text literally."""
    shown = visible(text) or " "
    fence = "`" * (max(map(len, _BACKTICKS.findall(shown)), default=0) + 1)
    return f"{fence} {shown} {fence}" if "`" in shown else f"{fence}{shown}{fence}"


def without_codes(problems: str) -> str:
    """Return problems of an input for people: their codes are for programs.

    Examples
    --------
    >>> without_codes("row 1: found nothing. [E-EMPTY]")
    'row 1: found nothing.'
    """
    return re.sub(r" \[E-[A-Z-]+\]$", "", problems, flags=re.MULTILINE)


def refusal(error: RankscopeError) -> str:
    """Return why an input was refused as Markdown: its first problems, and how many more.

    Examples
    --------
    >>> from metrics.reading.problems import File
    >>> refusal(ReadError([File("Titles").problem("E-ROW", "'x'", "a grade", "Add it.", 2)]))
    "`Line 2: found 'x'; expected a grade. Add it.`"
    """
    if not isinstance(error, ReadError):
        return code(str(error))
    shown, known, more = list[str](), "", len(error.problems) - _REFUSED
    for each in error.problems[:_REFUSED]:
        # Whether it was pasted or typed, it is in the field.
        said = f"{each.place.capitalize() or each.file}: found {each.found}"
        # What was expected is said once.
        shown.append(code(said if each.remedy == known else f"{said}; {each.remedy}"))
        known = each.remedy
    return "  \n".join([*shown, f"… and {more:,} more."] if more > 0 else shown)


_REFUSED = 5
"""At most this many problems of what was typed are shown."""


def for_plotly(text: str, longest: int = 28) -> str:
    """Return a label for a chart: HTML escaped, and `shortened` to ``longest`` characters."""
    # Plotly shows &quot; literally, and outside a tag a quote is harmless.
    return html.escape(shortened(visible(text), longest), quote=False)


def labels(names: Iterable[str], longest: int = 28) -> list[str]:
    """Return labels for a chart as `for_plotly` does, different ones for different names.

    Examples
    --------
    >>> labels(["metrics.mean.score", "metrics.mode.score"], 12)
    ['me…ean.score', 'me…ode.score']
    """
    shown = list(map(visible, names))
    groups: dict[str, list[str]] = {}
    for name in dict.fromkeys(shown):
        groups.setdefault(shortened(name, longest), []).append(name)
    found: dict[str, str] = {}
    used: Counter[str] = Counter()
    for label, group in groups.items():
        differs = shared_start(min(group), max(group))
        for name in group:
            apart = label if len(group) == 1 else _from(name, differs, longest)
            used[apart] += 1
            # Names that differ in several places may still be cut to the same label.
            more = f"·{used[apart]}" if used[apart] > 1 else ""
            found[name] = f"{apart[: longest - len(more)]}{more}" if more else apart
    return [html.escape(found[name], quote=False) for name in shown]


def shortened(text: str, longest: int) -> str:
    """Return a text whose middle is left out if it is longer than ``longest`` characters.

    Examples
    --------
    >>> shortened("sklearn.metrics.ndcg_score", 16)
    'sklearn.…g_score'
    """
    if len(text) <= longest:
        return text
    return f"{text[: longest // 2]}…{text[len(text) - (longest - 1) // 2 :]}"


def beginning(text: str, longest: int = 200) -> str:
    """Return the beginning of a text on one line, for a list or a table."""
    line = flat(text[: 4 * longest])
    whole = len(text) <= 4 * longest and len(line) <= longest
    return line if whole else f"{line[: longest - 1]}…"


def _from(name: str, place: int, longest: int) -> str:
    """Return the start of a name and the part from a place on, in ``longest`` characters."""
    if len(name) <= longest:
        return name
    start = longest // 5
    left = longest - start - 1
    rest = name[max(start, min(place, len(name) - left)) :]
    return f"{name[:start]}…{rest if len(rest) <= left else rest[: left - 1] + '…'}"


def hovers(frame: pd.DataFrame, values: Iterable[str]) -> list[str]:
    """Return the label of each query under the pointer: its id, a value, and its text.

    ``frame``: index query ids; column ``text``, if the data have texts.
    """
    texts = frame["text"] if "text" in frame else [""] * len(frame)
    found = []
    for query, value, of in zip(labels(frame.index), values, texts, strict=True):
        # At most three lines: a query can be a whole document.
        words = textwrap.wrap(flat(of[: 4 * HOVER]), HOVER, max_lines=3, placeholder=" …")
        lines = [for_plotly(line, HOVER) for line in words]
        found.append("<br>".join([f"{query}: {value}", *lines]))
    return found


HOVER = 44
"""At most this many characters are in a line under the pointer."""


def extras(dataset: Dataset) -> str:
    """Return which texts and attributes the data have beside qrels and runs, or what is missed."""
    queries = dataset.qrels.queries
    kind = "judged queries" if dataset.is_judged else "queries"
    of_queries = sum(query in dataset.query_texts for query in queries)
    parts = [f"texts of {of_queries:,} of {len(queries):,} {kind}"] * bool(dataset.query_texts)
    if names := ", ".join(map(code, dataset.query_attributes)):
        parts.append(f"attributes {names}")
    if dataset.document_texts:
        parts.append(count(len(dataset.document_texts), "document text"))
    having = [f"With {', '.join(parts)}."] if parts else []
    # An id of several words is a title.
    titled = any(" " in name for name in dataset.qrels.document[:100].to_pylist())
    missing = {"queries": dataset.query_texts, "documents": dataset.document_texts or titled}
    if lacking := " or ".join(what for what, texts in missing.items() if not texts):
        having.append(f"No texts of {lacking}: pages show ids instead. Add a file of texts.")
    return " ".join(having)


def grade(value: float | None) -> str:
    """Return a printed grade, or ``?`` for an unjudged document."""
    return "?" if value is None or math.isnan(value) else f"{value:g}"


MOST_DOTS = 5
"""Grades that are whole numbers up to this are shown as dots."""


def most_dots(grades: Iterable[float]) -> int:
    """Return how many dots the highest grade has; 0 where digits show the grades.

    Examples
    --------
    >>> most_dots([0, 3, 1]), most_dots([0, 0.5]), most_dots([0, 10]), most_dots([])
    (3, 0, 0, 0)
    """
    known = {*grades}
    return int(max(known)) if known and known <= {*range(MOST_DOTS + 1)} else 0


def dots(value: float, most: int) -> str:
    """Return a grade as dots, as many as `most_dots` of its scale; without any, as it is printed.

    Examples
    --------
    >>> dots(1, 3), dots(0.5, 0)
    ('●○○', '0.5')
    """
    return "●" * int(value) + "○" * int(most - value) if most else grade(value)


def rows(numbers: Sequence[int], most: int = 5) -> str:
    """Return the first few of these row numbers, and the count of the others.

    Examples
    --------
    >>> rows([1]), rows(range(2, 10))
    ('row 1', 'rows 2, 3, 4, 5, 6 and 3 more')
    """
    more = f" and {len(numbers) - most:,} more" if len(numbers) > most else ""
    listed = ", ".join(f"{number:d}" for number in numbers[:most])
    return f"{'row' if len(numbers) == 1 else 'rows'} {listed}{more}"


def grades(entries: Iterable[Entry]) -> str:
    """Return grades as a list: ``3, 2 = 0, ?``, where ``=`` joins equal scores."""
    parts = [f"{' = ' if e.tied else ', '}{grade(e.grade)}" for e in entries]
    return "".join(parts).removeprefix(", ") or "none"


def largest(delta: pd.Series[float], named: Callable[[str], str]) -> str:
    """Return the documents with the largest differences, and the sum of the rest; may be empty."""
    first, others = curves.largest(delta)
    parts = [f"{named(str(name))} {signed(value)}" for name, value in first.items()]
    rest = f", {count(len(others), 'other')} {signed(others.sum())}" if len(others) else ""
    return ", ".join(parts) + rest


def file_stem(words: Iterable[str], convention: Convention | None) -> str:
    if convention:
        changed = [f"{name}_{getattr(convention, name)}" for name in convention.differences()]
        words = (*words, "-".join(changed or ["trec_eval"]))
    parts = (re.sub(r"[^\w.@-]+", "_", word)[:_LONGEST] for word in words if word)
    return "-".join(parts).lstrip(".-")


_LONGEST = 40
"""At most this many characters of each part are in the name of a file."""


@dataclass(frozen=True)
class Provenance:
    """The numbers of a chart, which every file of it says.

    Attributes
    ----------
    names
        The data, the runs and the query; an empty text counts as none.
    measure
        The measure with its cutoff; none if the chart itself says all that it shows.
    convention
        None if the numbers do not depend on it, such as numbers of documents.
    """

    names: tuple[str, ...]
    measure: str = ""
    convention: Convention | None = None

    def file(self, chart: str) -> str:
        """Return the name of the chart's file, without its extension.

        Examples
        --------
        >>> Provenance(("my run", ""), "AP@5", Convention(ap="capped")).file("deltas")
        'my_run-AP@5-deltas-ap_capped'
        """
        return file_stem((*self.names, self.measure, chart), self.convention)

    @property
    def sentence(self) -> str:
        """The line below the picture in the file; invisible characters are shown.

        Examples
        --------
        >>> Provenance(("my run", "q\u202e1"), "AP@5", Convention()).sentence
        'my run; q⟨U+202E⟩1; AP@5; convention: trec_eval'
        """
        names = (shortened(visible(name), _LONGEST) for name in self.names if name)
        label = f"convention: {self.convention.label}" if self.convention else ""
        return "; ".join(filter(None, [*names, self.measure, label]))
