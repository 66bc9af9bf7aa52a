"""The similarity of two rankings, whatever the grades of their documents."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Floats, Ints, bincount, pd, places, stats
from ..conventions.convention import TREC_EVAL, Convention
from ..data import Qrels, Run
from ..matching.hits import Hits, ranking
from ..matching.judged import JudgedRankings, compared_scores, match, pieces

P = 0.9
"""RBO's persistence: the first ten ranks have about 86 % of the weight."""


@dataclass(frozen=True)
class Similarity:
    """The similarity of two rankings.

    Attributes
    ----------
    overlap, depth
        The number of documents that the top ``depth`` of both have in common.
    rbo
        Rank-biased overlap, extrapolated, of the whole rankings.
    tau, shared
        Kendall's tau of the documents in both, and their number; tau is NaN for fewer than two.
    """

    overlap: int
    depth: int
    rbo: float
    tau: float
    shared: int


def similarity(a: Sequence[str], b: Sequence[str], depth: int) -> Similarity:
    """Return the similarity of two lists of documents, rank 1 first, without repetitions.

    Examples
    --------
    >>> found = similarity(["x", "y", "z"], ["x", "z", "y"], 2)
    >>> found.overlap, round(found.rbo, 4), round(found.tau, 4)
    (1, 0.955, 0.3333)
    """
    places = {document: rank for rank, document in enumerate(b)}
    shared = [places[document] for document in a if document in places]
    n = len(shared)
    tau = float(stats.kendalltau(range(n), shared).statistic) if n > 1 else math.nan
    return Similarity(len(set(a[:depth]) & set(b[:depth])), depth, rbo(a, b), tau, n)


def rbo(a: Sequence[str], b: Sequence[str], p: float = P) -> float:
    """Return rank-biased overlap, extrapolated beyond the lists' ends; NaN when one is empty.

    References
    ----------
    Webber, Moffat & Zobel, ACM TOIS 28(4) (2010), equation 32.

    Examples
    --------
    >>> rbo(["x", "y"], ["x", "y"]), rbo(["x"], ["y"])
    (1.0, 0.0)
    """
    rank_in_b = {document: rank for rank, document in enumerate(b, 1)}
    both = [max(rank, rank_in_b[each]) for rank, each in enumerate(a, 1) if each in rank_in_b]
    query, (short, long) = np.zeros(len(both), np.int64), np.sort([[len(a)], [len(b)]], axis=0)
    return float(_rbos(query, np.array(both, np.int64), short, long, p)[0])


def overlaps(a: Run, b: Run, depth: int, convention: Convention = TREC_EVAL) -> pd.Series[int]:
    """Return how many documents the top ``depth`` of both share, for each query of both.

    Examples
    --------
    >>> a = Run.from_dict({"q": {"x": 3.0, "y": 2.0, "z": 1.0}})
    >>> b = Run.from_dict({"q": {"x": 1.0, "y": 2.0, "z": 3.0}})
    >>> overlaps(a, b, 2).to_dict()
    {'q': 1}
    """
    found = _shared(a, top(b, depth, convention), convention)
    common = found.per_query(found.hits.query[found.hits.rank <= depth])
    return pd.Series(common, index=pd.Index(found.queries, name="query", dtype=str))


def in_common(
    a: Run, b: Run, depth: int, convention: Convention = TREC_EVAL, p: float = P
) -> pd.DataFrame:
    """Return what two runs have in common, for each query of both.

    The index is ``query``. ``in common`` counts the documents in the top ``depth`` of both, ``only
    A`` and ``only B`` those in the top ``depth`` of one that the other does not retrieve at all.
    ``RBO`` is `rbo` of the whole rankings.

    Examples
    --------
    >>> a = Run.from_dict({"q": {"x": 3.0, "y": 2.0, "z": 1.0}})
    >>> b = Run.from_dict({"q": {"x": 3.0, "y": 1.0, "z": 2.0}})
    >>> in_common(a, b, 2).round(4).to_dict("records")
    [{'in common': 1, 'only A': 0, 'only B': 0, 'RBO': 0.955}]
    """
    every = top(b, max(len(b), 1), convention)
    found = _shared(a, every, convention)
    lengths = bincount(every.query, minlength=len(every.queries))
    of_a, of_b = found.retrieved, lengths[places(found.queries, every.queries)]
    query, in_a, in_b = found.hits.query, found.hits.rank, found.hits.grade.astype(np.int64)
    both = np.maximum(in_a, in_b)
    columns = {
        "in common": found.per_query(query[both <= depth]),
        "only A": np.minimum(of_a, depth) - found.per_query(query[in_a <= depth]),
        "only B": np.minimum(of_b, depth) - found.per_query(query[in_b <= depth]),
        "RBO": _rbos(query, both, np.minimum(of_a, of_b), np.maximum(of_a, of_b), p),
    }
    return pd.DataFrame(columns, index=pd.Index(found.queries, name="query", dtype=str))


def _rbos(query: Ints, both: Ints, short: Ints, long: Ints, p: float) -> Floats:
    """Return `rbo` of each query.

    ``query`` and ``both`` are of each document in both lists: its query, and the depth from which
    on both have it. ``short`` and ``long`` are ``(q,)`` the lengths of the shorter and of the
    longer list.

    References
    ----------
    Webber, Moffat & Zobel, equation 32, with the sum over depths as one over documents.
    """
    depths = np.arange(1, int(long.max(initial=0)) + 1)
    # The sums of p^d and of p^d/d down to each depth, from depth 0 on.
    powers, shares = (np.append(0.0, np.cumsum(each)) for each in (p**depths, p**depths / depths))

    def per_query(rows: Ints, weights: Floats | None = None) -> Floats:
        return bincount(rows, weights, minlength=len(short)).astype(float)

    total = per_query(query, shares[long[query]] - shares[both - 1])
    common, at_short = per_query(query), per_query(query[both <= short[query]])
    with np.errstate(invalid="ignore"):
        # Below its end, the short list is taken to agree as it does there.
        agreement = at_short / short
        total += agreement * (powers[long] - powers[short] - short * (shares[long] - shares[short]))
        end = ((common - at_short) / long + agreement) * p ** long.astype(float)
    return np.asarray((1 - p) / p * total + end)


def pooled(runs: Iterable[Run], depth: int, convention: Convention = TREC_EVAL) -> int:
    """Return how many documents the tops of all runs have together, over all queries.

    Examples
    --------
    >>> a, b = Run.from_dict({"q": {"x": 2, "y": 1}}), Run.from_dict({"q": {"x": 2, "z": 1}})
    >>> pooled([a, b], 1), pooled([a, b], 2)
    (1, 3)
    """
    return sum(map(len, pool(runs, depth, convention).values()))


def pool(
    runs: Iterable[Run], depth: int, convention: Convention = TREC_EVAL
) -> dict[str, dict[str, int]]:
    """Return the documents in the tops of all runs, each with its best rank, by query.

    Examples
    --------
    >>> a, b = Run.from_dict({"q": {"x": 2, "y": 1}}), Run.from_dict({"q": {"y": 2, "z": 1}})
    >>> pool([a, b], 2)
    {'q': {'x': 1, 'y': 1, 'z': 2}}
    """
    found: dict[str, dict[str, int]] = {}
    for run in runs:
        ranked = top(run, depth, convention)
        queries = (ranked.queries[number] for number in ranked.query.tolist())
        ranks = map(int, ranked.value.tolist())
        for query, document, rank in zip(queries, ranked.document.to_pylist(), ranks, strict=True):
            of_query = found.setdefault(query, {})
            of_query[document] = min(rank, of_query.get(document, rank))
    return found


def _shared(a: Run, ranks: Qrels, convention: Convention) -> JudgedRankings:
    """Return the documents of a run that have a rank in another, with that rank as their grade."""
    whole = replace(convention, unjudged="zero", own_document="kept", queries="both")
    return match(ranks, a, whole)


def top(run: Run, depth: int, convention: Convention = TREC_EVAL) -> Qrels:
    """Return the first ``depth`` documents of each ranking as qrels, with their ranks as grades.

    Examples
    --------
    >>> top(Run.from_dict({"q": {"x": 1.0, "y": 2.0, "z": 0.5}}), 2).to_dict()
    {'q': {'y': 1.0, 'x': 2.0}}
    """
    parts, before = [], 0
    for part in pieces(run):
        scores, nothing = compared_scores(part, convention), np.zeros(len(part))
        hits = ranking(part.query, part.document, scores, nothing, convention.ties)
        hits = hits[hits.rank <= depth]
        parts.append(replace(hits, query=hits.query + before))
        before += len(part.queries)
    joined = Hits.joined(parts)
    return Qrels(run.queries, joined.query, joined.document, joined.rank.astype(float), run.name)
