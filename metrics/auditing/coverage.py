"""Judged shares, ties and missing queries of a run: facts for the audit."""

from dataclasses import dataclass
from itertools import compress, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Ints, bincount, pd
from ..conventions.convention import TREC_EVAL
from ..data import Qrels
from ..defaults import DEPTH
from ..matching.judged import JudgedRankings, Rankings, compared_scores, match
from ..scoring.evaluate import score
from ..scoring.naming import parse

MOST_GRADES = 20
"""At most this many different grades are shown one by one."""
ENOUGH = 0.95
"""The lowest judged share of the top k at which more judgments hardly change scores."""
SHORT = 0.8
"""A run whose lists have less than this share of the length of another's has shorter lists."""


@dataclass(frozen=True)
class Coverage:
    """The queries and documents that a run and its qrels share.

    Attributes
    ----------
    k
        The depth to which the rankings are compared.
    shared, only_qrels, only_run
        Query ids on both sides, and on one side only.
    judged
        The judged share of each shared query's top k, by query.
    top
        The number of documents in the top k of each shared query, in the same order.
    tied, cut
        The number of rows of shared queries with the score of another row of their query; the
        number of queries in which equal scores are on both sides of rank k. None where the scores
        are not kept.
    """

    k: int
    shared: tuple[str, ...]
    only_qrels: tuple[str, ...]
    only_run: tuple[str, ...]
    judged: "pd.Series[float]"
    top: Ints
    tied: int | None
    cut: int | None

    @property
    def depth(self) -> int:
        """The depth that a sentence names: k, or where every list is shorter, the longest's."""
        return int(self.top.max(initial=0)) or self.k

    @property
    def share(self) -> float:
        """The share of the documents in the top k of all shared queries that are judged."""
        if not len(self.judged):
            return float("nan")
        return float(np.average(self.judged.to_numpy(float), weights=self.top))


def coverage(qrels: Qrels, run: Rankings, k: int = DEPTH) -> Coverage:
    """Return the queries and documents that a run and its qrels share, down to rank ``k``.

    Judged rankings keep their own convention.

    Examples
    --------
    >>> from metrics import Run
    >>> qrels = Qrels.from_dict({"q1": {"a": 1}, "q2": {"a": 1}})
    >>> found = coverage(qrels, Run.from_dict({"q1": {"a": 2, "b": 2}, "q3": {"a": 1}}), 1)
    >>> found.only_qrels, found.only_run, found.judged.to_dict(), found.tied, found.cut
    (('q2',), ('q3',), {'q1': 0.0}, 2, 1)
    """
    if isinstance(run, JudgedRankings):
        return _kept_coverage(run.by(qrels), k)
    known, ranked = set(qrels.queries), set(run.queries)
    shared = tuple(query for query in qrels.queries if query in ranked)
    measure = str(parse(f"Judged@{k}"))
    judged = score(match(qrels, run), measure).per_query[measure].reindex(shared)
    number = {query: place for place, query in enumerate(run.queries)}
    sizes = bincount(run.query, minlength=len(run.queries))
    tops = np.minimum(sizes[[number[query] for query in shared]], k) if shared else sizes[:0]
    of_judged = np.isin(run.query, [number[query] for query in shared])
    tied, cut = _ties(run.query[of_judged], compared_scores(run, TREC_EVAL)[of_judged], k)
    only_qrels = tuple(query for query in qrels.queries if query not in ranked)
    only_run = tuple(query for query in run.queries if query not in known)
    return Coverage(k, shared, only_qrels, only_run, judged, tops, tied, cut)


def grades(qrels: Qrels) -> "pd.DataFrame":
    """Return how many judgments and queries have each grade, or interval where grades are many.

    Examples
    --------
    >>> grades(Qrels.from_dict({"q1": {"a": 1, "b": 0}, "q2": {"a": 0}})).to_dict("list")
    {'judgments': [2, 1], 'queries': [2, 1]}
    """
    values, place = np.unique(qrels.value, return_inverse=True)
    names = [f"{value:g}" for value in values]
    if len(values) > MOST_GRADES:
        low, high = float(values[0]), float(values[-1])
        ends = np.linspace(low, high, MOST_GRADES + 1)
        place = np.minimum(np.searchsorted(ends, qrels.value, "right") - 1, MOST_GRADES - 1)
        names = [f"{a:.4g} to {b:.4g}" for a, b in pairwise(ends)]
    pairs = np.unique(qrels.query * np.int64(len(names)) + place) % len(names)
    counted = {
        "judgments": bincount(place, minlength=len(names)),
        "queries": bincount(pairs, minlength=len(names)),
    }
    return pd.DataFrame(counted, index=pd.Index(names, name="grade"))


def _kept_coverage(judged: JudgedRankings, k: int) -> Coverage:
    """Return the coverage of judged rankings, which do not keep the scores."""
    missing = set(judged.missing_from_run)
    ranked = [query not in missing for query in judged.queries]
    shared = tuple(compress(judged.queries, ranked))
    measure = str(parse(f"Judged@{k}"))
    shares = score(judged, measure).per_query[measure].reindex(shared)
    tops = np.minimum(judged.retrieved[ranked], k)
    only_qrels, only_run = judged.missing_from_run, judged.missing_from_qrels
    return Coverage(k, shared, only_qrels, only_run, shares, tops, tied=None, cut=None)


def _ties(query: Ints, value: NDArray[np.floating[Any]], k: int) -> tuple[int, int]:
    """Return how many rows are tied, and in how many queries a tie spans rank k."""
    order = np.lexsort((-value, query))
    query, value = query[order], value[order]
    equal = (query[1:] == query[:-1]) & (value[1:] == value[:-1])
    tied = int((np.append(equal, False) | np.insert(equal, 0, False)).sum())
    first = np.flatnonzero(np.append(True, query[1:] != query[:-1]))
    size = np.diff(np.append(first, len(query)))
    # The row at rank k of each query that has more rows.
    at = first[size > k] + k - 1
    return tied, int(equal[at].sum())
