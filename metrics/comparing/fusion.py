"""Runs to compare against, made from several runs or from the qrels."""

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

    Ranks are those of evaluation, by the convention's ``ties`` and ``scores``; ``"mean"`` orders
    ties by document id, descending. Source: Cormack, Clarke & Büttcher, SIGIR (2009).

    Examples
    --------
    >>> a, b = Run.from_dict({"q": {"x": 9.0, "y": 8.0}}), Run.from_dict({"q": {"y": 0.5}})
    >>> rrf([a, b]).to_dict() == {"q": {"x": 1 / 61, "y": 1 / 62 + 1 / 61}}
    True
    """
    return _added([_reciprocal(run, convention) for run in runs])


def comb(runs: Sequence[Run], normalisation: str = "minmax", mnz: bool = False) -> Run:
    """CombSUM: the sum of the normalised scores over the runs that retrieve a document.

    CombMNZ (``mnz``): the same times the number of these runs. It does not suit z-scores, whose
    negative sums fall further with every run. Source: Fox & Shaw, TREC-2 (1994).
    ``normalisation`` scales each query's scores in a run: ``"minmax"``: to 0–1, all 1 if they are
    equal; ``"zscore"``: to mean 0 and standard deviation 1, all 0 if equal; ``"sum"``: to lowest 0
    and sum 1, all 1/n if equal.

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

    Documents with grade 0 or below come last; without them the run would lack some queries.

    Examples
    --------
    >>> ideal(Qrels.from_dict({"q": {"x": 0, "y": 3}, "nothing": {"x": 0}})).to_dict()
    {'q': {'x': 0.0, 'y': 3.0}, 'nothing': {'x': 0.0}}
    """
    return Run(qrels.queries, qrels.query, qrels.document, qrels.value)


def all_ties(runs: Sequence[Run]) -> Run:
    """All documents that any run retrieves, with the same score: an uninformative ranker.

    They are ordered by document id, so that no run's order remains where ties keep input order.
    On the effect of the order of ties: Cabanac et al., CLEF (2010).

    Examples
    --------
    >>> a, b = Run.from_dict({"q": {"y": 9.0, "x": 8.0}}), Run.from_dict({"q": {"z": 0.5}})
    >>> all_ties([a, b]).to_dict()
    {'q': {'x': 1.0, 'y': 1.0, 'z': 1.0}}
    """
    return _pooled(runs)[0]


def _pooled(runs: Sequence[Run]) -> tuple[Run, Ints]:
    """Return each retrieved pair once, by query and document id, and its row for each input row."""
    if not runs:
        raise DataError("There is no run to build this run from; choose one or more.")
    names = [pa.array(run.queries, pa.string()) for run in runs]
    queries = pc.unique(pa.chunked_array(names))
    codes = [numbers(pc.index_in(name, queries)) for name in names]
    of_rows = [code[run.query] for code, run in zip(codes, runs, strict=True)]
    query = np.concatenate(of_rows, dtype=np.int64)
    coded = pa.chunked_array([run.document for run in runs]).dictionary_encode().combine_chunks()
    order = order_of_texts(np.zeros(len(coded.dictionary), int), coded.dictionary, "ascending")
    number = np.argsort(order)[numbers(coded.indices)]  # the position of each document in the order
    pairs, row = np.unique(query * len(order) + number, return_inverse=True)
    query, at = np.divmod(pairs, len(order))
    document = take(coded.dictionary, order[at])
    return Run(tuple(queries.to_pylist()), query, document, np.ones(len(pairs))), row


def _added(parts: Sequence[Run], mnz: bool = False) -> Run:
    """Return the sum of each pair's scores over the runs."""
    pool, row = _pooled(parts)
    part = np.concatenate([run.value for run in parts])
    # Scores are added from the lowest up, so that equal scores have equal sums in any run order.
    order = np.argsort(part)
    score = np.bincount(row[order], part[order]).astype(float)
    return replace(pool, value=score * np.bincount(row) if mnz else score)


def _reciprocal(run: Run, convention: Convention) -> Run:
    """Return the run in rank order, with the RRF score of each rank."""
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
    # Equal scores all become 1, because 0 is the score of a document that is not retrieved.
    unit = np.divide(above, width, np.ones(len(score)), where=width > 0)
    value = _SCALES[normalisation](unit, start, size)
    return Run(run.queries, query, take(run.document, order), value)


def _z_score(unit: Floats, start: Ints, size: Ints) -> Floats:
    away = unit - np.repeat(np.add.reduceat(unit, start) / size, size)
    deviation = np.repeat(np.sqrt(np.add.reduceat(away**2, start) / size), size)
    return np.asarray(np.divide(away, deviation, np.zeros(len(unit)), where=deviation > 0))


# Each function scales scores that run from 0 to 1, by the start and the size of each query.
_SCALES: dict[str, Callable[[Floats, Ints, Ints], Floats]] = {
    "minmax": lambda unit, start, size: unit,  # Lee, SIGIR (1997)
    "zscore": _z_score,  # this and the next: Montague & Aslam, CIKM (2001)
    "sum": lambda unit, start, size: unit / np.repeat(np.add.reduceat(unit, start), size),
}


@dataclass(frozen=True)
class Virtual:
    """A run built from others or from the qrels: its name, a sentence about it, and its builder."""

    title: str
    says: str
    build: Callable[[Qrels, Sequence[Run], Convention], Run]

    def make(self, qrels: Qrels, runs: Sequence[Run], convention: Convention = TREC_EVAL) -> Run:
        """Return the run, named by its title; a DataError when it needs runs and there are none."""
        return self.build(qrels, runs, convention).renamed(self.title)


def _comb(title: str, normalisation: str, to: str, mnz: bool = False) -> Virtual:
    times = ", times the number of runs that retrieve the document" if mnz else ""
    says = f"The sum of the runs' scores, scaled in each query to {to}{times}."
    return Virtual(title, says, lambda _, runs, __: comb(runs, normalisation, mnz))


_RRF = "Reciprocal rank fusion: the sum of 1/(60 + rank) over the runs."
_TIES = "All documents of the runs with the same score: the effect of tie order alone."
_IDEAL = "All judged documents, highest grade first: the highest possible score of each query."
VIRTUAL = {
    "ideal": Virtual("Ideal", _IDEAL, lambda qrels, _, __: ideal(qrels)),
    "ties": Virtual("All tied", _TIES, lambda _, runs, __: all_ties(runs)),
    "rrf": Virtual("RRF", _RRF, lambda _, runs, convention: rrf(runs, convention)),
    "combsum-minmax": _comb("CombSUM (min-max)", "minmax", "0–1"),
    "combsum-zscore": _comb("CombSUM (z-score)", "zscore", "mean 0 and standard deviation 1"),
    "combsum-sum": _comb("CombSUM (sum)", "sum", "lowest 0 and sum 1"),
    "combmnz-minmax": _comb("CombMNZ (min-max)", "minmax", "0–1", mnz=True),
}
"""The virtual runs by their names in links."""
