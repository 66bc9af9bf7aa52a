"""Runs to compare against: made from several runs together, or from the qrels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrays import Floats, Ints, numbers, order_of_texts, take
from ..conventions.convention import TREC_EVAL, Convention
from ..data import Qrels, Run
from ..errors import DataError
from ..judging.hits import ranking
from ..judging.matching import compared_scores


def rrf(runs: Sequence[Run], convention: Convention = TREC_EVAL) -> Run:
    """Reciprocal rank fusion: the sum of 1/(60 + rank) over the runs that retrieve a document.

    Ranks are those of evaluation, by the convention's ``ties`` and ``scores``; ``"mean"`` takes
    equal scores by document id, descending. Source: Cormack, Clarke & Büttcher, SIGIR (2009).

    Examples
    --------
    >>> a, b = Run.from_dict({"q": {"x": 9.0, "y": 8.0}}), Run.from_dict({"q": {"y": 0.5}})
    >>> rrf([a, b]).to_dict() == {"q": {"x": 1 / 61, "y": 1 / 62 + 1 / 61}}
    True
    """
    return _added([_reciprocal(run, convention) for run in runs])


def comb(runs: Sequence[Run], normalisation: str = "minmax", mnz: bool = False) -> Run:
    """CombSUM: the sum of the normalised scores over the runs that retrieve a document.

    CombMNZ (``mnz``): the same times the number of these runs. It goes badly with z-scores, whose
    negative sums fall further with every run. Source: Fox & Shaw, TREC-2 (1994).
    By ``normalisation``, each query's scores in a run become first: ``"minmax"``: 0 to 1, equal
    scores 1; ``"zscore"``: mean 0 and standard deviation 1, equal scores 0; ``"sum"``: lowest 0
    and sum 1, n equal scores 1/n.

    Examples
    --------
    >>> a = Run.from_dict({"q": {"x": 9.0, "y": 8.0, "z": 5.0}})
    >>> b = Run.from_dict({"q": {"y": 0.5, "x": 0.25}})
    >>> comb([a, b]).to_dict(), comb([a, b], mnz=True).to_dict()
    ({'q': {'x': 1.0, 'y': 1.75, 'z': 0.0}}, {'q': {'x': 2.0, 'y': 3.5, 'z': 0.0}})
    """
    return _added([_normalised(run, normalisation) for run in runs], mnz)


def ideal(qrels: Qrels) -> Run:
    """The ideal ranking (Järvelin & Kekäläinen 2002): judged documents, the grade as score.

    Those of grade 0 and below come last; without them, some queries would not be in the run.

    Examples
    --------
    >>> ideal(Qrels.from_dict({"q": {"x": 0, "y": 3}, "nothing": {"x": 0}})).to_dict()
    {'q': {'x': 0.0, 'y': 3.0}, 'nothing': {'x': 0.0}}
    """
    return Run(qrels.queries, qrels.query, qrels.document, qrels.value)


def all_ties(runs: Sequence[Run]) -> Run:
    """All documents that any run retrieves, with one score: a ranker that says nothing.

    They are ordered by document id, so that no run shows through where ties keep the input's order.
    On what the order of ties is worth: Cabanac et al., CLEF (2010).

    Examples
    --------
    >>> a, b = Run.from_dict({"q": {"y": 9.0, "x": 8.0}}), Run.from_dict({"q": {"z": 0.5}})
    >>> all_ties([a, b]).to_dict()
    {'q': {'x': 1.0, 'y': 1.0, 'z': 1.0}}
    """
    return _pooled(runs)[0]


def _pooled(runs: Sequence[Run]) -> tuple[Run, Ints]:
    """Each retrieved pair once, by query and document id; and the row there of each given row."""
    if not runs:
        raise DataError("There is no run to make another from; give one or more.")
    names = [pa.array(run.queries, pa.string()) for run in runs]
    queries = pc.unique(pa.chunked_array(names))
    codes = [numbers(pc.index_in(name, queries)) for name in names]
    given = [code[run.query] for code, run in zip(codes, runs, strict=True)]
    query = np.concatenate(given, dtype=np.int64)
    coded = pa.chunked_array([run.document for run in runs]).dictionary_encode().combine_chunks()
    order = order_of_texts(np.zeros(len(coded.dictionary), int), coded.dictionary, "ascending")
    number = np.argsort(order)[numbers(coded.indices)]  # where the order has each document
    pairs, row = np.unique(query * len(order) + number, return_inverse=True)
    query, at = np.divmod(pairs, len(order))
    document = take(coded.dictionary, order[at])
    return Run(tuple(queries.to_pylist()), query, document, np.ones(len(pairs))), row


def _added(parts: Sequence[Run], mnz: bool = False) -> Run:
    """The sum of what each run gives a pair."""
    pool, row = _pooled(parts)
    part = np.concatenate([run.value for run in parts])
    # Added from the lowest up, equal parts make equal sums, whichever run each comes from.
    order = np.argsort(part)
    score = np.bincount(row[order], part[order]).astype(float)
    return replace(pool, value=score * np.bincount(row) if mnz else score)


def _reciprocal(run: Run, convention: Convention) -> Run:
    """The run in rank order, with what RRF makes of each rank."""
    scores = compared_scores(run, convention)
    hits = ranking(run.query, run.document, scores, run.value, convention.ties)
    return Run(run.queries, hits.query, hits.document, 1.0 / (60 + hits.rank))


def _normalised(run: Run, normalisation: str) -> Run:
    # Sorted, so that sums do not depend on the order of rows; halved, so that nothing overflows.
    order = np.lexsort((run.value, run.query))
    query, score = run.query[order], run.value[order] / 2
    start = np.flatnonzero(np.diff(query, prepend=-1))
    size = np.diff(start, append=len(query))
    above = score - np.repeat(score[start], size)
    width = np.repeat(above[start + size - 1], size)
    # Equal scores are all the highest: what a run retrieves should not count as not retrieved.
    unit = np.divide(above, width, np.ones(len(score)), where=width > 0)
    value = _SCALES[normalisation](unit, start, size)
    return Run(run.queries, query, take(run.document, order), value)


def _z_score(unit: Floats, start: Ints, size: Ints) -> Floats:
    away = unit - np.repeat(np.add.reduceat(unit, start) / size, size)
    deviation = np.repeat(np.sqrt(np.add.reduceat(away**2, start) / size), size)
    return np.asarray(np.divide(away, deviation, np.zeros(len(unit)), where=deviation > 0))


# What scores from 0 to 1 become, query after query, given where each starts and its size.
_SCALES: dict[str, Callable[[Floats, Ints, Ints], Floats]] = {
    "minmax": lambda unit, start, size: unit,  # Lee, SIGIR (1997)
    "zscore": _z_score,  # this and the next: Montague & Aslam, CIKM (2001)
    "sum": lambda unit, start, size: unit / np.repeat(np.add.reduceat(unit, start), size),
}


@dataclass(frozen=True)
class Virtual:
    """A run that nobody submitted: its name, what it is in a sentence, and how it is built."""

    title: str
    says: str
    build: Callable[[Qrels, Sequence[Run], Convention], Run]

    def make(self, qrels: Qrels, runs: Sequence[Run], convention: Convention = TREC_EVAL) -> Run:
        """The run, named by its title; a DataError when it needs runs and there are none."""
        return self.build(qrels, runs, convention).renamed(self.title)


def _comb(title: str, normalisation: str, to: str, mnz: bool = False) -> Virtual:
    times = ", times the number of runs that retrieve the document" if mnz else ""
    says = f"The sum of the runs' scores, each query's brought to {to}{times}."
    return Virtual(title, says, lambda _, runs, __: comb(runs, normalisation, mnz))


_RRF = "Reciprocal rank fusion: the sum of 1/(60 + rank) over the runs."
_TIES = "All documents of the runs with one score: what the order of ties alone is worth."
_IDEAL = "All judged documents, highest grade first: the most there is to earn, 0 where nothing is."
VIRTUAL = {
    "ideal": Virtual("Ideal", _IDEAL, lambda qrels, _, __: ideal(qrels)),
    "ties": Virtual("All tied", _TIES, lambda _, runs, __: all_ties(runs)),
    "rrf": Virtual("RRF", _RRF, lambda _, runs, convention: rrf(runs, convention)),
    "combsum-minmax": _comb("CombSUM (min-max)", "minmax", "0–1"),
    "combsum-zscore": _comb("CombSUM (z-score)", "zscore", "mean 0 and standard deviation 1"),
    "combsum-sum": _comb("CombSUM (sum)", "sum", "lowest 0 and sum 1"),
    "combmnz-minmax": _comb("CombMNZ (min-max)", "minmax", "0–1", mnz=True),
}
"""By the name in links."""
