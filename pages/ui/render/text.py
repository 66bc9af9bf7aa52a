"""Text from outside (ids, queries, file names) made safe for the sink it goes to."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Callable, Iterable, Sequence

import pandas as pd

from metrics import Dataset
from metrics.editing.hand_ranking import Entry
from metrics.exploring import differences
from metrics.words import count as count

# Helpers of this module too.
from metrics.words import visible as visible

_BACKTICKS = re.compile("`+")


def plain(said: str) -> str:
    """A sentence of ours without its Markdown."""
    return said.replace("**", "").replace("`", "")


def code(text: str) -> str:
    """A Markdown code span that shows the text literally, whatever is in it."""
    shown = visible(text) or " "
    fence = "`" * (max(map(len, _BACKTICKS.findall(shown)), default=0) + 1)
    return f"{fence} {shown} {fence}" if "`" in shown else f"{fence}{shown}{fence}"


def for_plotly(text: str, longest: int = 28) -> str:
    """A label for a chart: HTML escaped, and cut at its end when it is long."""
    shown = visible(text)
    # Plotly shows &quot; as these six characters; outside of a tag a quote is harmless.
    return html.escape(shown if len(shown) <= longest else shown[: longest - 1] + "…", quote=False)


def number(value: float, digits: int = 4) -> str:
    """A number for reading; a missing one is a dash, never 0."""
    return "–" if math.isnan(value) else f"{value:.{digits}f}".replace("-", "−")


def signed(value: float, digits: int = 4) -> str:
    """A difference with its sign, and without one where the printed digits are all 0."""
    if math.isnan(value):
        return "–"
    shown = f"{value:+z.{digits}f}"
    return shown.replace("-", "−") if shown.strip("+0.") else shown[1:]


def extras(given: Dataset) -> str:
    """What was read beside qrels and runs; empty for nothing."""
    judged = given.qrels.queries
    said = [
        f"{what} of {sum(query in texts for query in judged):,} of {len(judged):,} judged queries"
        for what, texts in (("texts", given.query_texts), ("groups", given.query_groups))
        if texts
    ]
    if given.document_texts:
        said.append(count(len(given.document_texts), "document text"))
    return f"With {', '.join(said)}." if said else ""


def grade(value: float | None) -> str:
    """A grade, or ``?`` for a document that nobody judged."""
    return "?" if value is None or math.isnan(value) else f"{value:g}"


def rows(numbers: Sequence[int], most: int = 5) -> str:
    """Which rows, the first few of them by number.

    Examples
    --------
    >>> rows([1]), rows(range(2, 10))
    ('row 1', 'rows 2, 3, 4, 5, 6 and 3 more')
    """
    more = f" and {len(numbers) - most:,} more" if len(numbers) > most else ""
    listed = ", ".join(f"{number:d}" for number in numbers[:most])
    return f"{'row' if len(numbers) == 1 else 'rows'} {listed}{more}"


def grades(entries: Iterable[Entry]) -> str:
    """Grades as a list to read: ``3, 2 = 0, ?``, where ``=`` joins equal scores."""
    parts = [f"{' = ' if e.tied else ', '}{grade(e.grade)}" for e in entries]
    return "".join(parts).removeprefix(", ") or "none"


def p_value(p: float) -> str:
    """A p-value for reading: never 0."""
    return "–" if math.isnan(p) else "< 0.001" if p < 0.001 else f"{p:.3f}"


def moved(before: pd.DataFrame, after: pd.DataFrame) -> str:
    """What an edit did to a score, by the documents whose contribution it changed."""
    total = float(after["contribution"].sum() - before["contribution"].sum())
    changed = largest(differences.by_document(before, after), code)
    return f"{signed(total)} = {changed}" if changed else "it changed no contribution."


def largest(delta: pd.Series[float], named: Callable[[str], str]) -> str:
    """The documents with the largest differences, and the rest as one; empty for none."""
    first, others = differences.largest(delta)
    parts = [f"{named(str(name))} {signed(value)}" for name, value in first.items()]
    rest = f", {count(len(others), 'other')} {signed(others.sum())}" if len(others) else ""
    return ", ".join(parts) + rest


def gap(ranking: pd.DataFrame, ideal: pd.DataFrame) -> str:
    """Where a ranking falls short of the ideal, from ledgers' tables: the largest ranks first."""
    lost = differences.shortfall(ranking, ideal)
    total = float(lost.sum())
    if abs(total) < differences.ROUNDS_TO_0:
        return "Nothing is lost against the ideal ranking."
    first, _ = differences.largest(lost)
    steps = ", ".join(f"{signed(-value)} at rank {rank}" for rank, value in first.items())
    others = total - float(first.sum())
    more = f", {signed(-others)} elsewhere." if abs(others) >= differences.ROUNDS_TO_0 else "."
    return f"{number(total)} below the ideal: {steps}{more}"
