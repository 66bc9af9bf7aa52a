"""How much of a run was judged, and what ties and missing queries do to it: facts for the audit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .convention import TREC_EVAL, Convention
from .data import Qrels, Run
from .evaluate import evaluate
from .matching import compared_scores
from .naming import parse
from .ranking import Ints

if TYPE_CHECKING:
    import pandas as pd

ENOUGH = 0.95
"""The share of the top k that should be judged: below it, scores may change with more judgments."""


@dataclass(frozen=True)
class Coverage:
    """What a run and its qrels have in common.

    Attributes
    ----------
    k
        The depth that is looked at.
    shared, only_qrels, only_run
        Query ids on both sides, and on one side alone.
    judged
        The judged share of each shared query's top k, by query.
    top
        How many documents these tops hold.
    tied, cut
        Rows that share their score with another of their query; queries in which equal scores
        stand on both sides of rank k.
    """

    k: int
    shared: tuple[str, ...]
    only_qrels: tuple[str, ...]
    only_run: tuple[str, ...]
    judged: pd.Series[float]
    top: int
    tied: int
    cut: int

    @property
    def share(self) -> float:
        """The judged share of the top k, over all shared queries."""
        return float(self.judged.mean()) if len(self.judged) else float("nan")


def coverage(qrels: Qrels, run: Run, k: int = 10, convention: Convention = TREC_EVAL) -> Coverage:
    """What a run and its qrels have in common, down to rank ``k``.

    Examples
    --------
    >>> qrels = Qrels.from_dict({"q1": {"a": 1}, "q2": {"a": 1}})
    >>> found = coverage(qrels, Run.from_dict({"q1": {"a": 2, "b": 2}, "q3": {"a": 1}}), 1)
    >>> found.only_qrels, found.only_run, found.judged.to_dict(), found.tied, found.cut
    (('q2',), ('q3',), {'q1': 0.0}, 2, 1)
    """
    known, ranked = set(qrels.queries), set(run.queries)
    shared = tuple(query for query in qrels.queries if query in ranked)
    measure = str(parse(f"Judged@{k}"))
    judged = evaluate(qrels, run, measure, convention).per_query[measure].reindex(shared)
    sizes = np.bincount(run.query, minlength=len(run.queries))
    tops = [min(int(size), k) for q, size in zip(run.queries, sizes, strict=True) if q in known]
    tied, cut = _ties(run.query, compared_scores(run, convention), k)
    return Coverage(
        k,
        shared,
        tuple(query for query in qrels.queries if query not in ranked),
        tuple(query for query in run.queries if query not in known),
        judged,
        sum(tops),
        tied,
        cut,
    )


def grades(qrels: Qrels) -> pd.DataFrame:
    """How many judgments and how many queries have each grade, by grade.

    Examples
    --------
    >>> grades(Qrels.from_dict({"q1": {"a": 1, "b": 0}, "q2": {"a": 0}})).to_dict("list")
    {'judgments': [2, 1], 'queries': [2, 1]}
    """
    # Here, since the command line reads the findings and needs no tables.
    import pandas as pd

    values, number = np.unique(qrels.value, return_counts=True)
    queries = [len(np.unique(qrels.query[qrels.value == value])) for value in values]
    index = pd.Index(values, name="grade")
    return pd.DataFrame({"judgments": number, "queries": queries}, index=index)


def _ties(query: Ints, score: NDArray[np.floating[Any]], k: int) -> tuple[int, int]:
    """How many rows are tied, and in how many queries a tie stands across rank k."""
    order = np.lexsort((-score, query))
    query, score = query[order], score[order]
    equal = (query[1:] == query[:-1]) & (score[1:] == score[:-1])
    tied = int((np.append(equal, False) | np.insert(equal, 0, False)).sum())
    first = np.flatnonzero(np.append(True, query[1:] != query[:-1]))
    size = np.diff(np.append(first, len(query)))
    # The row at rank k and the one after it, of each query that is longer.
    at = first[size > k] + k - 1
    return tied, int(equal[at].sum())
