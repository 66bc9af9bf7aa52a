"""The downloads of a comparison; without streamlit."""

import io
import re
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass, replace

from ..auditing.audit import assumed
from ..comparing.evidence import MOST
from ..conventions.convention import Convention
from ..dataset import Dataset
from ..deciding import Pairing
from ..errors import DataError
from ..words import visible
from ..writing import Table
from ..writing.comparison import answer_table, from_inputs, queries_table
from ..writing.leaderboard import leaderboard_table, pairs_table
from ..writing.reproduce import Recipe, as_input, input_name
from . import text

STEMS = ("qrels", "a", "b")
"""The names of the inputs, without their extensions."""


def recipe(pairing: Pairing) -> Recipe:
    """Return how to reproduce a comparison's numbers from the files of `inputs`."""
    qrels, a, b = map(input_name, STEMS, (pairing.qrels, *pairing.runs[:2]))
    return Recipe((qrels, a, b))


def inputs(pairing: Pairing) -> bytes:
    """Return the qrels and both runs as a zip archive."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
        for stem, pairs in zip(STEMS, (pairing.qrels, *pairing.runs[:2]), strict=True):
            packed.writestr(input_name(stem, pairs), as_input(pairs))
    return stream.getvalue()


def from_dataset(table: Table, pairing: Pairing, dataset: Dataset) -> Table:
    """Return a comparison's table with the filter of its data, and how the inputs were read.

    The rules applied in reading are sentences, for readers and for programs.
    """
    rules = assumed(pairing.qrels, pairing.a, pairing.b)
    labels = {"queries": dataset.part, "rules applied in reading": " ".join(rules)}
    facts = {"filter": dataset.part, "rules_applied": rules}
    return table.saying(
        labels={**table.labels, **{name: words for name, words in labels.items() if words}},
        facts={**table.facts, **{name: value for name, value in facts.items() if value}},
    )


def file_name(pairing: Pairing, dataset: Dataset, what: str, extension: str) -> str:
    """Return a name that says what CSV, which has rows only, cannot: the runs and the filter.

    Examples
    --------
    >>> from metrics import Qrels, Run
    >>> a, b = (Run.from_dict({}, name) for name in ("bm25", "my <b>run"))
    >>> of = Dataset("", Qrels.from_dict({}), (a, b))
    >>> pairing = Pairing.of(of.qrels, of.runs, "AP", Convention(gain="exponential"))
    >>> file_name(pairing, of, "queries", "csv")
    'bm25-my_b_run-queries-gain_exponential.csv'
    """
    words = pairing.a.name, pairing.b.name, what, dataset.part
    return f"{_stem(words, pairing.convention)}.{extension}"


def _stem(words: Iterable[str], convention: Convention | None) -> str:
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
        return _stem((*self.names, self.measure, chart), self.convention)

    @property
    def sentence(self) -> str:
        """The line below the picture in the file; invisible characters are shown.

        Examples
        --------
        >>> Provenance(("my run", "q\u202e1"), "AP@5", Convention()).sentence
        'my run; q⟨U+202E⟩1; AP@5; convention: trec_eval'
        """
        names = (text.shortened(visible(name), _LONGEST) for name in self.names if name)
        label = f"convention: {self.convention.label}" if self.convention else ""
        return "; ".join(filter(None, [*names, self.measure, label]))


def each_query(pairing: Pairing, dataset: Dataset) -> Table:
    """Return each query's scores: measure, query, A, B and delta."""
    table = from_inputs(queries_table(pairing.comparison, means=False), pairing)
    return from_dataset(table, pairing, dataset)


def means(pairing: Pairing, dataset: Dataset) -> Table:
    """Return the evidence of each measure, with the verdict and the inputs."""
    return from_dataset(answer_table(pairing), pairing, dataset)


def all_runs(pairing: Pairing, dataset: Dataset) -> dict[str, Table]:
    """Return the tables of all runs, by heading; empty for two runs."""
    if len(dataset.rankings) <= 2:
        return {}
    try:
        board = replace(pairing, runs=dataset.rankings[:MOST]).leaderboard
    except DataError as error:
        return {"All runs": Table.of(["not compared"], [[str(error)]])}
    every = text.count(len(dataset.rankings), "run")
    some = {"runs": f"the first {MOST} of {every}"} if len(dataset.rankings) > MOST else {}
    standings, pairs = leaderboard_table(board), pairs_table(board)
    return {
        f"All runs, mean {pairing.measure}": standings.saying(labels=dict(standings.labels) | some),
        "Every pair of runs": pairs.saying(labels={"delta": "run − minus", **pairs.labels} | some),
    }
