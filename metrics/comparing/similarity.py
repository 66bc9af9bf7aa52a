"""The similarity of two rankings, whatever the grades of their documents."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING

import numpy as np

from ..conventions.convention import TREC_EVAL, Convention
from ..data import Qrels, Run
from ..judging.hits import Hits, ranking
from ..judging.judged import judge
from ..judging.matching import compared_scores, pieces

if TYPE_CHECKING:
    import pandas as pd

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
    from scipy import stats

    places = {document: rank for rank, document in enumerate(b)}
    shared = [places[document] for document in a if document in places]
    tau = (
        float(stats.kendalltau(range(len(shared)), shared).statistic)
        if len(shared) > 1
        else math.nan
    )
    overlap = len(set(a[:depth]) & set(b[:depth]))
    return Similarity(overlap, depth, rbo(a, b), tau, len(shared))


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
    short, long = sorted((len(a), len(b)))
    if short == 0:
        return math.nan
    seen: dict[str, set[str]] = {"a": set(), "b": set()}
    common, at_short, total = 0, 0, 0.0
    for depth, (of_a, of_b) in enumerate(zip_longest(a, b), 1):
        if of_a is not None:
            seen["a"].add(of_a)
        if of_b is not None:
            seen["b"].add(of_b)
        # A document counts from the depth at which both lists have it.
        common += (of_a is not None and of_a in seen["b"]) + (
            of_b is not None and of_b in seen["a"]
        )
        common -= of_a is not None and of_a == of_b
        if depth == short:
            at_short = common
        agreement = common / depth
        if depth > short:
            agreement += at_short * (depth - short) / (short * depth)
        total += agreement * p**depth
    end = (common - at_short) / long + at_short / short
    return (1 - p) / p * total + end * p**long


def overlaps(a: Run, b: Run, depth: int, convention: Convention = TREC_EVAL) -> pd.Series[int]:
    """Return how many documents the top ``depth`` of both share, for each query of both.

    Examples
    --------
    >>> a = Run.from_dict({"q": {"x": 3.0, "y": 2.0, "z": 1.0}})
    >>> b = Run.from_dict({"q": {"x": 1.0, "y": 2.0, "z": 3.0}})
    >>> overlaps(a, b, 2).to_dict()
    {'q': 1}
    """
    import pandas as pd

    whole = replace(convention, unjudged="zero", own_document="kept", queries="both")
    found = judge(top(b, depth, convention), a, whole)
    common = found.per_query(found.hits.query[found.hits.rank <= depth])
    return pd.Series(common, index=pd.Index(found.queries, name="query", dtype=str))


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
