"""Run × qrels → hits: the retrieved documents that were judged, at their ranks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from .convention import TREC_EVAL, Convention
from .data import Pairs, Qrels, Run
from .ranking import Hits, Ints, ranking

P = TypeVar("P", bound=Pairs)


@dataclass(frozen=True, eq=False)
class JudgedRankings:
    """Everything a measure needs of one run: hits, judgments, counts.

    Attributes
    ----------
    queries
        The evaluated query ids, in the order of the qrels.
    hits
        The retrieved documents that were judged (all retrieved ones for a display).
    judged
        All judged documents in ideal order: grade descending, then document id.
    retrieved
        ``(q,)`` number of documents ranked for each query.
    convention
        The convention under which the run was ranked and judged.
    missing_from_run, missing_from_qrels
        Query ids on one side only.
    notes
        What was assumed while reading the run, one sentence each.
    """

    queries: tuple[str, ...]
    hits: Hits
    judged: Hits
    retrieved: Ints
    convention: Convention
    missing_from_run: tuple[str, ...]
    missing_from_qrels: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def under(self, **choices: Any) -> JudgedRankings:
        """The same rankings under a convention that differs in how they are scored."""
        return replace(self, convention=replace(self.convention, **choices))

    def relevant(self, level: float) -> Ints:
        """``(q,)`` how many judged documents reach the grade ``level``, retrieved or not."""
        return self.per_query(self.judged.query[self.judged.grade >= level])

    def ideal(self, scope: str, cutoff: int | None = None) -> Hits:
        """The best possible ranking of the documents in a scope of `Convention.ideal`."""
        if scope == "judged":
            return self.judged
        top, pool = self.hits, self.judged
        if scope == "retrieved":
            pool = top
        else:
            pool = pool.and_also(top if cutoff is None else top[top.rank <= cutoff])
        grade = np.nan_to_num(pool.grade, nan=0.0)
        return ranking(pool.query, pool.document, grade, pool.grade, "ascending").untied()

    def per_query(self, query: Ints, weights: NDArray[np.float64] | None = None) -> NDArray[Any]:
        """``(q,)`` count, or sum of weights added in rank order, by query."""
        return np.bincount(query, weights, minlength=len(self.queries))


def judge(
    qrels: Qrels, run: Run, convention: Convention = TREC_EVAL, *, every: bool = False
) -> JudgedRankings:
    """Rank a run under a convention and match it with its judgments.

    Parameters
    ----------
    every
        Keep the unjudged documents as lines of grade NaN: for showing whole rankings. Scores do
        not change, since such lines earn exactly 0.

    Examples
    --------
    >>> qrels = Qrels.from_dict({"q1": {"a": 2, "b": 1}})
    >>> run = Run.from_dict({"q1": {"x": 3.0, "b": 2.0, "a": 1.0}})
    >>> judge(qrels, run).hits.rank.tolist()
    [2, 3]
    """
    counts = np.bincount(qrels.query, minlength=len(qrels.queries))
    judged = [query for query, count in zip(qrels.queries, counts, strict=True) if count]
    in_qrels, in_run = set(judged), set(run.queries)
    queries = tuple(q for q in judged if convention.queries == "qrels" or q in in_run)
    grades, graded_query = _of_queries(qrels, queries)
    scores, query = _of_queries(run, queries)
    grade = _grades(grades, graded_query, scores, query)
    if convention.unjudged == "removed":
        judged_too = convention.negative != "unjudged"
        kept = ~np.isnan(grade) if judged_too else grade >= 0
        scores, query, grade = scores.rows(kept), query[kept], grade[kept]
    score = scores.value
    if convention.scores == "single":
        score = score.astype(np.float32).astype(np.float64)
    # Where ties are averaged any order does: only the places that they share count.
    ties = "descending" if convention.ties == "mean" else convention.ties
    hits = ranking(query, scores.document, score, grade, ties)
    return JudgedRankings(
        queries=queries,
        hits=hits if every else hits[~np.isnan(hits.grade)],
        judged=ranking(
            graded_query, grades.document, grades.value, grades.value, "ascending"
        ).untied(),
        retrieved=np.bincount(query, minlength=len(queries)),
        convention=convention,
        missing_from_run=tuple(q for q in judged if q not in in_run),
        missing_from_qrels=tuple(q for q in run.queries if q not in in_qrels),
        notes=run.notes,
    )


def _of_queries(pairs: P, queries: tuple[str, ...]) -> tuple[P, Ints]:
    """The rows of these queries, and the index of each row's query in them."""
    wanted = pa.array(queries, pa.string())
    index = pc.fill_null(pc.index_in(pa.array(pairs.queries, pa.string()), wanted), -1)
    query = index.to_numpy().astype(np.int64)[pairs.query]
    return pairs.rows(query >= 0), query[query >= 0]


def _grades(qrels: Qrels, qrels_query: Ints, run: Run, run_query: Ints) -> NDArray[np.float64]:
    """The grade of each row of the run; NaN where nobody judged it."""
    documents = pc.unique(qrels.document)
    code = pc.fill_null(pc.index_in(run.document, documents), -1).to_numpy().astype(np.int64)
    judged = pc.index_in(qrels.document, documents).to_numpy().astype(np.int64)
    key = qrels_query * len(documents) + judged
    order = np.argsort(key)
    wanted = np.where(code >= 0, run_query * len(documents) + code, -1)
    place = np.searchsorted(key, wanted, sorter=order)
    grade = np.full(len(run), np.nan)
    found = np.flatnonzero((place < len(key)) & (wanted >= 0))
    rows = order[place[found]]
    same = key[rows] == wanted[found]
    grade[found[same]] = qrels.value[rows[same]]
    return grade
