"""How much of the top of two runs is the same, query by query."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..conventions.convention import TREC_EVAL, Convention
from ..data import Qrels, Run
from ..judging.hits import Hits, ranking
from ..judging.judged import judge
from ..judging.matching import compared_scores, pieces

if TYPE_CHECKING:
    import pandas as pd


def overlaps(a: Run, b: Run, depth: int, convention: Convention = TREC_EVAL) -> pd.Series[int]:
    """How many documents the top ``depth`` of both have in common, for each query of both.

    Examples
    --------
    >>> a = Run.from_dict({"q": {"x": 3.0, "y": 2.0, "z": 1.0}})
    >>> b = Run.from_dict({"q": {"x": 1.0, "y": 2.0, "z": 3.0}})
    >>> overlaps(a, b, 2).to_dict()
    {'q': 1}
    """
    import pandas as pd

    whole = replace(convention, unjudged="zero", queries="both")
    found = judge(top(b, depth, convention), a, whole)
    common = found.per_query(found.hits.query[found.hits.rank <= depth])
    return pd.Series(common, index=pd.Index(found.queries, name="query", dtype=str))


def top(run: Run, depth: int, convention: Convention = TREC_EVAL) -> Qrels:
    """The first ``depth`` documents of each ranking, as if their ranks were grades.

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
