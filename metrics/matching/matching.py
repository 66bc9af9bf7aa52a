"""Matching a run, or a part of one, with its judgments: the reduction to hits."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..arrays import Floats, Ints, bincount, numbers, take
from ..conventions.convention import Convention
from ..data import Qrels, Run
from .hits import Hits, near_top, place, ranking

ROWS = 1 << 19
"""Rows matched at a time: few enough for the processor's cache, enough to hide the overhead."""


@dataclass(frozen=True, eq=False)
class Reduced:
    """A run, or a part of it, reduced to its hits.

    Attributes
    ----------
    hits
        The documents that are kept; ``query`` is an index into the matcher's queries.
    query, retrieved
        ``(q,)`` the judged queries of the part, and the number of documents of each.
    own
        How many documents were removed because they have the id of their query, a judged one.
    """

    hits: Hits
    query: Ints
    retrieved: Ints
    own: int = 0


@dataclass(frozen=True, eq=False)
class Matcher:
    """The judgments of all judged queries, ready for run after run.

    Attributes
    ----------
    qrels
        The judgments.
    convention
        How rankings are ordered and unjudged documents are treated.
    every
        Keep the unjudged documents as lines with grade NaN.
    depth
        Keep the unjudged documents down to this rank in that way; `gather` separates them from
        the hits.
    unjudged
        Match the queries without a judgment, too.
    """

    qrels: Qrels
    convention: Convention
    every: bool = False
    depth: int = 0
    unjudged: bool = False

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """The queries that have a judgment, or all, in the order of the qrels."""
        return tuple(q for q, some in zip(self.qrels.queries, self._some, strict=True) if some)

    @cached_property
    def query(self) -> Ints:
        """The index into `queries` of each row of the qrels."""
        return (np.cumsum(self._some) - 1)[self.qrels.query]

    @cached_property
    def _some(self) -> NDArray[np.bool_]:
        judged = bincount(self.qrels.query, minlength=len(self.qrels.queries)) > 0
        return judged | self.unjudged

    @cached_property
    def _number(self) -> dict[str, int]:
        return {query: number for number, query in enumerate(self.queries)}

    def reduce(self, run: Run) -> Reduced:
        """Return the hits of whole rankings."""
        number = np.array([self._number.get(query, -1) for query in run.queries], np.int64)
        own = 0
        if self.convention.own_document == "removed":
            is_own = own_documents(run)
            own = int((number[run.query[is_own]] >= 0).sum())
            run = run.rows(~is_own) if is_own.any() else run
        score, ties = compared_scores(run, self.convention), self.convention.ties
        rows, grade = self._judged(number, run)
        if self.convention.unjudged == "removed":
            if self.convention.negative == "unjudged":
                rows, grade = rows[grade >= 0], grade[grade >= 0]
            run, score = run.rows(rows), score[rows]
            hits = ranking(run.query, run.document, score, grade, ties)
        elif self.every:
            grades = np.full(len(run), np.nan)
            grades[rows] = grade
            hits = ranking(run.query, run.document, score, grades, ties)
        else:
            if self.depth:
                # The judged rows, then the others near the top of judged queries.
                near = near_top(run.query, score, self.depth)
                near = np.setdiff1d(near[number[run.query[near]] >= 0], rows, assume_unique=True)
                grade = np.append(grade, np.full(len(near), np.nan))
                rows = np.append(rows, near)
            hits = place(run.query, run.document, score, rows, grade, ties)
            if self.depth:
                hits = hits[(hits.rank <= self.depth) | ~np.isnan(hits.grade)]
        judged = number >= 0
        retrieved = bincount(run.query, minlength=len(number))
        hits = replace(hits, query=number[hits.query])
        return Reduced(hits[hits.query >= 0], number[judged], retrieved[judged], own)

    def _judged(self, number: Ints, run: Run) -> tuple[Ints, Floats]:
        """Return the rows that were judged, and their grades."""
        wanted = np.zeros(len(self.queries), bool)
        wanted[number[number >= 0]] = True
        rows = np.flatnonzero(wanted[self.query])
        document = take(self.qrels.document, rows)
        documents = pc.unique(document)
        code = pc.index_in(run.document, documents)
        found = numbers(pc.indices_nonzero(pc.is_valid(code))).astype(np.int64)
        key = self.query[rows] * len(documents) + numbers(pc.index_in(document, documents))
        sought = number[run.query[found]] * len(documents) + numbers(code)[found]
        order = np.argsort(key)
        at = order[np.searchsorted(key, sought, sorter=order).clip(max=len(key) - 1)]
        same = key[at] == sought
        return found[same], self.qrels.value[rows[at[same]]]


def own_documents(run: Run) -> NDArray[np.bool_]:
    """Return ``(n,)`` which documents have the id of their query.

    Examples
    --------
    >>> own_documents(Run.from_dict({"a": {"a": 2.0, "b": 1.0}, "b": {"a": 1.0}})).tolist()
    [True, False, False]
    """
    code = pc.index_in(run.document, pa.array(run.queries, pa.string()))
    own: NDArray[np.bool_] = numbers(code.fill_null(-1)) == run.query
    return own


def compared_scores(run: Run, convention: Convention) -> NDArray[np.floating[Any]]:
    """Return ``(n,)`` the scores in the precision in which the convention compares them."""
    if convention.scores != "single":
        return run.value
    # As in C, a score too large for 32 bits becomes infinite.
    with np.errstate(over="ignore"):
        return run.value.astype(np.float32)


def pieces(run: Run) -> Iterator[Run]:
    """Yield the run in parts of whole queries; in one part when rows of a query are apart."""
    if (np.diff(run.query) < 0).any():
        yield run
        return
    top, first = 0, 0
    while top < len(run):
        after = int(run.query[min(top + ROWS, len(run)) - 1]) + 1
        if top + ROWS >= len(run):
            after = len(run.queries)
        end = int(np.searchsorted(run.query, after))
        yield replace(
            run,
            queries=run.queries[first:after],
            query=run.query[top:end] - first,
            document=run.document[top:end],
            value=run.value[top:end],
        )
        top, first = end, after
