"""Common mistakes in precision, recall, F1, reciprocal rank and average precision."""

import math

from .plain_query import Mistakes, Plain, share


def precision(plain: Plain) -> Mistakes:
    """Return the values that common mistakes give for P@k."""
    hits, k = len(plain.hits_in_top), plain.k
    unjudged = sum(plain.unjudged[:k])
    return {
        "when the hits are divided by R, all relevant documents (that is recall)": share(
            hits, plain.relevant
        ),
        "when the cutoff is forgotten": len(plain.hits) / len(plain.grades),
        "when the grades are added up instead of counting relevant documents": sum(plain.top) / k,
        "when the hits are counted but not divided": float(hits),
        "when the documents that are not relevant are counted": (k - hits) / k,
        "when unjudged documents are left out of k": share(hits, k - unjudged),
        "when unjudged documents are counted as relevant": (hits + unjudged) / k,
    }


def recall(plain: Plain) -> Mistakes:
    """Return the values that common mistakes give for R@k."""
    hits, k = len(plain.hits_in_top), plain.k
    return {
        "when the hits are divided by k (that is precision)": hits / k,
        "when only retrieved documents are counted in R": share(hits, len(plain.hits)),
        "when the cutoff is forgotten": share(len(plain.hits), plain.relevant),
        "when the grades are added up instead of counting relevant documents": share(
            sum(plain.top), sum(plain.ideal)
        ),
        "when the hits are divided by all judged documents": share(
            hits, len(plain.grades) + len(plain.missed) - sum(plain.unjudged)
        ),
        "when the hits are counted but not divided": float(hits),
        "when unjudged documents are left out and the ranks close up": share(
            len(plain.closed_up.hits_in_top), plain.relevant
        ),
        "when unjudged documents are counted as relevant": share(
            hits + sum(plain.unjudged[:k]), plain.relevant + sum(plain.unjudged)
        ),
    }


def f1(plain: Plain) -> Mistakes:
    """Return the values that common mistakes give for F1@k."""
    hits = len(plain.hits_in_top)
    p, r = hits / plain.k, share(hits, plain.relevant)
    every = len(plain.hits)
    rounded = round(p, 1), round(r, 1)
    return {
        "with the plain mean of precision and recall": (p + r) / 2,
        "when the factor 2 is forgotten": share(p * r, p + r),
        "when precision and recall are multiplied": p * r,
        "with the geometric mean of precision and recall": math.sqrt(p * r),
        "with the smaller of precision and recall": min(p, r),
        "when the cutoff is forgotten": share(2 * every, len(plain.grades) + plain.relevant),
        "when precision and recall are first rounded to one decimal": share(
            2 * rounded[0] * rounded[1], sum(rounded)
        ),
    }


def reciprocal_rank(plain: Plain) -> Mistakes:
    """Return the values that common mistakes give for RR."""
    if not plain.hits:
        return {}
    first, last = plain.hits[0], plain.hits[-1]
    best = plain.grades.index(max(plain.grades)) + 1
    close = plain.closed_up.hits
    return {
        "when the rank itself is given instead of 1 divided by it": float(first),
        "when ranks are counted from 0": share(1, first - 1),
        "when 1 is added to the rank": 1 / (first + 1),
        "with the last relevant document instead of the first": 1 / last,
        "with the first document of the highest grade": 1 / best,
        "with the mean of 1/rank over all relevant documents": math.fsum(
            1 / rank for rank in plain.hits
        )
        / len(plain.hits),
        "with 1/log₂(rank + 1), the discount of DCG": 1 / math.log2(first + 1),
        "with the share of relevant documents (that is precision)": len(plain.hits)
        / len(plain.grades),
        "when unjudged documents are left out and the ranks close up": 1 / close[0],
    }


def average_precision(plain: Plain) -> Mistakes:
    """Return the values that common mistakes give for AP."""
    if not plain.hits:
        return {}
    ranked, found = len(plain.grades), len(plain.hits)
    at_hits = [number / rank for number, rank in enumerate(plain.hits, 1)]
    everywhere = [sum(hit <= rank for hit in plain.hits) / rank for rank in range(1, ranked + 1)]
    total, r = math.fsum(at_hits), plain.relevant
    return {
        "when the sum is divided by the relevant documents retrieved, not by all": total / found,
        "with the mean of the precision at every rank": math.fsum(everywhere) / ranked,
        "when the sum is not divided": total,
        "when the sum is divided by the documents retrieved": total / ranked,
        "with 1/rank as the precision at each hit, which forgets the earlier hits": math.fsum(
            1 / rank for rank in plain.hits
        )
        / r,
        "when ranks are counted from 0": math.fsum(
            share(number, rank - 1) for number, rank in enumerate(plain.hits, 1)
        )
        / r,
        "with the precision of the whole list": found / ranked,
        "when unjudged documents are left out and the ranks close up": math.fsum(
            number / rank for number, rank in enumerate(plain.closed_up.hits, 1)
        )
        / r,
        "with the precision at the first hit only": at_hits[0],
        "with the precision at rank R (that is R-precision)": sum(hit <= r for hit in plain.hits)
        / r,
    }
