"""Recipes that reproduce a comparison: a command line, lines of Python, and the input files."""

import io
import json
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pyarrow as pa

from ..arrays import column, take
from ..comparing.evidence import DEFAULT, PairedTest
from ..conventions.convention import TREC_EVAL, Convention
from ..data import Pairs, Qrels
from ..data.trec_file import fits_trec, trec_file
from ..limits import current
from ..matching import JudgedRankings
from ..matching.judged_file import ENDING, packed_file
from ..measures import Measure
from ..reading.from_json.detect import may_hold_keys
from ..reading.rows import is_score
from ..words import is_hidden

MOST_JSON = 200_000
"""At most this many rows are written as JSON, which people can read."""
SURE, PARTS = "sure", "parts"
FLAGS = {SURE: "--fix-ids", PARTS: "--join-parts"}
"""The options of the command line that change ids of runs to those of the qrels."""


@dataclass(frozen=True)
class Recipe:
    """The inputs of a comparison, and the commands that reproduce its numbers from them.

    Attributes
    ----------
    files
        The file names of the qrels, run A and run B.
    fix_ids
        How ids of the runs were changed to those of the qrels while reading: a key of `FLAGS`;
        empty where they were not.
    exclude
        The file name of the exclusions; empty where there are none.
    judges, counts
        The file names of further judges, and the rule by which grades count; empty where those of
        the qrels do.
    human
        The file name of a person's grades that correct those of the qrels; empty without any.
    """

    files: tuple[str, str, str]
    fix_ids: str = ""
    exclude: str = ""
    judges: Sequence[str] = ()
    counts: str = ""
    human: str = ""

    def command(
        self,
        measures: Iterable[str | Measure],
        convention: Convention = TREC_EVAL,
        test: PairedTest = DEFAULT,
        query: str | None = None,
    ) -> str:
        """Return the command line that prints the evidence, or the documents of one query.

        Examples
        --------
        >>> recipe = Recipe(("qrels.json", "a.json", "b.json"))
        >>> print(recipe.command(["P(rel=2)@5"], Convention(gain="binary"), query="q 1"))
        rankscope compare qrels.json a.json b.json -m 'P(rel=2)@5' --set gain=binary '--query=q 1'
        """
        words = ["rankscope", "compare", *self.files, "-m", *map(str, measures)]
        words += [FLAGS[self.fix_ids]] if self.fix_ids else []
        words += ["--exclude", self.exclude] if self.exclude else []
        words += ["--counts", self.counts] if self.counts else []
        words += [word for name in self.judges for word in ("--judges", name)]
        words += _choices(convention)
        if query is not None:
            # As one word, so that an id with a leading dash is not read as an option.
            return " ".join(map(_quoted, [*words, f"--query={query}"]))
        words += ["--human", self.human] if self.human else []
        for name, value in vars(test).items():
            if value != getattr(PairedTest, name):
                words += [f"--{name}", str(value)]
        return " ".join(map(_quoted, words))

    def python(
        self,
        measures: Iterable[str | Measure],
        convention: Convention = TREC_EVAL,
        test: PairedTest = DEFAULT,
    ) -> str:
        """Return lines of Python that give the same evidence.

        Examples
        --------
        >>> print(Recipe(("qrels.json", "a.json", "b.json")).python(["AP"]))
        from rankscope import Convention, compare, evidence, read_qrels, read_run
        qrels, a, b = read_qrels('qrels.json'), read_run('a.json'), read_run('b.json')
        compared = compare(qrels, a, b, ['AP'], Convention())
        print(evidence(compared, test='randomisation', tie=1e-09, seed=0))
        """
        changed = convention.differences()
        choices = ", ".join(f"{name}={getattr(convention, name)!r}" for name in changed)
        qrels, *runs = self.files
        wanted = [*map(str, measures)]
        read = [_read(name) for name in runs]
        a, b = (call for _, call in read)
        readers = "".join(f", {name}" for name in sorted({name for name, _ in read}))
        asked = ", ".join(f"{name}={value!r}" for name, value in vars(test).items())
        parts = ", parts=True" if self.fix_ids == PARTS else ""
        fixing = f"a, b = fix_ids(qrels, a{parts}), fix_ids(qrels, b{parts})"
        name = ", fix_ids" if self.fix_ids else ""
        name += ", read_exclusions" if self.exclude else ""
        name += ", corrected" if self.human else ""
        judgments = f"read_qrels({qrels!r})"
        if self.counts:
            name += ", read_judges, what_counts"
            every = ", ".join(f"**read_judges({each!r})" for each in (qrels, *self.judges))
            judgments = f"what_counts({{{every}}}, {self.counts!r})"
        excluding = f"qrels = qrels.without(read_exclusions({self.exclude!r}))"
        without = ".without(qrels.excluded)" if self.exclude else ""
        human = f"human = read_qrels({self.human!r}){without}"
        correcting = f"corrected(qrels, human, a, b, {wanted!r}, Convention({choices})).measures"
        return "\n".join(
            [
                f"from rankscope import Convention, compare, evidence{name}, read_qrels{readers}",
                f"qrels, a, b = {judgments}, {a}, {b}",
                *([excluding] if self.exclude else []),
                *([fixing] if self.fix_ids else []),
                f"compared = compare(qrels, a, b, {wanted!r}, Convention({choices}))",
                f"print(evidence(compared, {asked}))",
                *([human, f"print({correcting})"] if self.human else []),
            ]
        )


def _read(name: str) -> tuple[str, str]:
    """Return the function that reads a file of rankings, and the expression that does.

    Examples
    --------
    >>> _read("a.run"), _read("a.judged.parquet")
    (('read_run', "read_run('a.run')"), ('read_judged', "read_judged('a.judged.parquet').judged"))
    """
    if name.endswith(ENDING):
        return "read_judged", f"read_judged({name!r}).judged"
    return "read_run", f"read_run({name!r})"


def explain_command(qrels: str, run: str, measure: str, convention: Convention, query: str) -> str:
    """Return the command line that prints the lines of one query's score.

    Examples
    --------
    >>> print(explain_command("qrels.txt", "a.run", "AP", Convention(ties="input"), "q 1"))
    rankscope explain qrels.txt a.run -m AP --set ties=input '--query=q 1'
    """
    words = ["rankscope", "explain", qrels, run, "-m", measure, *_choices(convention)]
    return " ".join(map(_quoted, [*words, f"--query={query}"]))


def _choices(convention: Convention) -> list[str]:
    """Return the options that make a convention's choices."""
    changed = convention.differences()
    return [word for name in changed for word in ("--set", f"{name}={getattr(convention, name)}")]


def _quoted(word: str) -> str:
    """Return a word quoted for a shell, with hidden characters escaped.

    A terminal would act on control characters.

    Examples
    --------
    >>> print(_quoted("q 1"), _quoted("it's\\x1b[A"))
    'q 1' $'it\\'s\\x1b[A'
    """
    if not any(map(is_hidden, word)):
        return shlex.quote(word)
    return f"$'{''.join(map(_escaped, word))}'"


def _escaped(character: str) -> str:
    if is_hidden(character):
        # A path can have bytes that are not UTF-8.
        return "".join(f"\\x{byte:02x}" for byte in character.encode("utf-8", "surrogateescape"))
    return f"\\{character}" if character in "\\'" else character


def input_name(stem: str, pairs: Pairs | JudgedRankings) -> str:
    """Return the name of the file that `as_input` makes."""
    if isinstance(pairs, JudgedRankings):
        return f"{stem}{ENDING}"
    return f"{stem}.{'json' if _is_json(pairs) else 'txt' if _is_trec(pairs) else 'parquet'}"


def as_input(pairs: Pairs | JudgedRankings) -> bytes:
    """Return a run or qrels as a file that reads back the same, with every id and digit.

    Judged rankings are a file of their own kind.

    The format is JSON, ``{query: {document: n}}``. It is TREC if there are more rows than the
    readers accept in other formats. It is Parquet, which names its columns, if the file is large,
    if there are aspects, if grades could be mistaken for scores, or if ids could be mistaken for
    the keys of another JSON form.

    Examples
    --------
    >>> from metrics import Run
    >>> as_input(Run.from_dict({"q 1": {"x": 0.1}}))
    b'{"q 1": {"x": 0.1}}'
    """
    if isinstance(pairs, JudgedRankings):
        return packed_file(pairs)
    if _is_json(pairs):
        return json.dumps(pairs.to_dict(), ensure_ascii=False).encode()
    if _is_trec(pairs):
        return trec_file(pairs)
    # Imported here, because scoring writes no Parquet and starts sooner without it.
    import pyarrow.parquet as pq

    query = take(pa.array(pairs.queries, pa.string()), pairs.query)
    columns = [query.dictionary_encode(), pairs.document, column(pairs.value)]
    table = pa.table(columns, ["query", "document", pairs.VALUE])
    if pairs.aspects:
        table = pa.Table.from_pandas(pairs.to_frame(), preserve_index=False)
    stream = io.BytesIO()
    pq.write_table(table, stream)
    return stream.getvalue()


def _is_trec(pairs: Pairs) -> bool:
    """Return whether only TREC accepts this many rows, and can hold these ids."""
    return not pairs.aspects and len(pairs) > current().rows and fits_trec(pairs)


def _is_json(pairs: Pairs) -> bool:
    grades = pairs.value.tolist() if isinstance(pairs, Qrels) else []
    now = current()
    size = int(pairs.document.nbytes) + 30 * len(pairs)
    if pairs.aspects or len(pairs) > min(MOST_JSON, now.rows) or size > now.json:
        return False
    if any(map(is_score, grades)):
        return False
    return not any(map(may_hold_keys, (pa.array(pairs.queries, pa.string()), pairs.document)))
