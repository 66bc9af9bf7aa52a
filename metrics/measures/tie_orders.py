"""The orders of equal scores that give a measure its lowest and its highest score."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..arrays import Floats
from ..judging.hits import Hits


def arranged(hits: Hits, merit: Floats, best: bool) -> Hits:
    """The hits with equal scores ordered by merit, highest first if ``best``, else last.

    The documents of a tie group that are no hits have merit 0 and stand in between.

    Examples
    --------
    >>> from metrics import Qrels, Run, judge
    >>> qrels = Qrels.from_dict({"q": {"a": 0, "b": 1}})
    >>> hits = judge(qrels, Run.from_dict({"q": {"a": 1, "b": 1, "x": 1}})).hits
    >>> worst = arranged(hits, hits.grade, best=False)
    >>> dict(zip(worst.document.to_pylist(), worst.rank.tolist()))
    {'a': 1, 'b': 3}
    """
    order = np.lexsort((-merit if best else merit, hits.first, hits.query))
    group = np.append(True, np.any(np.diff([hits.query, hits.first]) != 0, axis=0))[: len(hits)]
    starts = np.flatnonzero(group)
    number = np.cumsum(group) - 1
    place = np.arange(len(hits)) - starts[number]
    from_end = np.diff(np.append(starts, len(hits)))[number] - 1 - place
    at_top = (merit[order] > 0) == best
    rank = np.where(at_top, hits.first + place, hits.last - from_end)
    return replace(hits[order], rank=rank)
