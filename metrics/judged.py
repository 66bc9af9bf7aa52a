"""Run × qrels → hits: the retrieved documents that were judged, at their ranks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from .convention import TREC_EVAL, Convention
from .data import Pairs, Qrels, Run

Ints = NDArray[np.int64]
P = TypeVar("P", bound=Pairs)


@dataclass(frozen=True, eq=False)
class Hits:
    """Documents at ranks: flat columns, query after query, each in rank order.

    Attributes
    ----------
    query
        ``(n,)`` index of the query in the evaluated queries.
    document
        ``(n,)`` document ids.
    rank
        ``(n,)`` rank from 1.
    grade
        ``(n,)`` relevance grade; NaN for a document that nobody judged.
    first, last
        ``(n,)`` first and last rank of the documents that share this one's score.
    """

    query: Ints
    document: pa.StringArray
    rank: Ints
    grade: NDArray[np.float64]
    first: Ints
    last: Ints

    def __len__(self) -> int:
        return len(self.rank)

    def __getitem__(self, rows: NDArray[Any]) -> Hits:
        index = np.flatnonzero(rows) if rows.dtype == bool else rows
        return Hits(
            self.query[index],
            self.document.take(index),
            self.rank[index],
            self.grade[index],
            self.first[index],
            self.last[index],
        )


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
    """

    queries: tuple[str, ...]
    hits: Hits
    judged: Hits
    retrieved: Ints
    convention: Convention
    missing_from_run: tuple[str, ...]
    missing_from_qrels: tuple[str, ...]

    def relevant(self, level: float) -> Ints:
        """``(q,)`` how many judged documents reach the grade ``level``, retrieved or not."""
        return self.per_query(self.judged.query[self.judged.grade >= level])

    def ideal(self, scope: str) -> Hits:
        """The best possible ranking of the judged, or of the retrieved, documents."""
        return self.judged if scope == "judged" else self._best_reordering

    def per_query(self, query: Ints, weights: NDArray[np.float64] | None = None) -> NDArray[Any]:
        """``(q,)`` count, or sum of weights added in rank order, by query."""
        return np.bincount(query, weights, minlength=len(self.queries))

    @cached_property
    def _best_reordering(self) -> Hits:
        hits = self.hits
        return _ranked(
            hits.query, hits.document, np.nan_to_num(hits.grade), hits.grade, "ascending"
        )


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
    known = [query for query, count in zip(qrels.queries, counts, strict=True) if count]
    ran = run.queries
    judged, ranked_too = set(known), set(ran)
    queries = tuple(q for q in known if convention.queries == "qrels" or q in ranked_too)
    qrels, qrels_query = _of_queries(qrels, queries)
    run, run_query = _of_queries(run, queries)
    grade = _grades(qrels, qrels_query, run, run_query)
    if convention.unjudged == "removed":
        kept = grade >= 0
        run, run_query, grade = run.rows(kept), run_query[kept], grade[kept]
    ranked = _ranked(run_query, run.document, run.value, grade, convention.ties)
    return JudgedRankings(
        queries=queries,
        hits=ranked if every else ranked[~np.isnan(ranked.grade)],
        judged=_ranked(qrels_query, qrels.document, qrels.value, qrels.value, "ascending"),
        retrieved=np.bincount(run_query, minlength=len(queries)),
        convention=convention,
        missing_from_run=tuple(q for q in known if q not in ranked_too),
        missing_from_qrels=tuple(q for q in ran if q not in judged),
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


def _ranked(
    query: Ints,
    document: pa.StringArray,
    score: NDArray[np.float64],
    grade: NDArray[np.float64],
    ties: str,
) -> Hits:
    """All rows in rank order: by query, score descending, equal scores by the tie rule."""
    order = np.lexsort((-score, query))
    same = np.zeros(len(order), bool)
    same[1:] = (np.diff(query[order]) == 0) & (np.diff(score[order]) == 0)
    group = np.cumsum(~same) - 1
    tied = same | np.append(same[1:], False)
    if ties != "input" and tied.any():
        rows = order[tied]
        table = pa.table({"group": group[tied], "document": document.take(rows)})
        by_id = pc.sort_indices(table, [("group", "ascending"), ("document", ties)])
        order[tied] = rows[by_id.to_numpy()]
    starts = np.searchsorted(query[order], query[order], side="left")
    rank = np.arange(len(order)) - starts + 1
    first = rank[np.flatnonzero(~same)]
    return Hits(
        query[order],
        document.take(order),
        rank,
        grade[order],
        first[group],
        (first + np.bincount(group, minlength=len(first)) - 1)[group],
    )
