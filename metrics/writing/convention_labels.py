"""The convention of a table's numbers, and where its tool is known to give others."""

from __future__ import annotations

from collections.abc import Iterable

from ..judging.judged import JudgedRankings
from ..measures import Measure
from ..scoring.known_differences import exceptions

EXCEPTIONS = "exceptions"
"""The label of what a preset's tool does otherwise."""


def exception_label(
    rankings: Iterable[JudgedRankings], measures: Iterable[Measure]
) -> dict[str, str]:
    """Return the label of the exceptions; empty where there are none.

    Examples
    --------
    >>> from metrics import PRESETS, Qrels, Run, judge, parse
    >>> qrels, run = Qrels.from_dict({"q1": {"a": 1}}), Run.from_dict({"q1": {"a": 1.0}})
    >>> exception_label([judge(qrels, run, PRESETS["OpenSearch"])], [parse("P@1")])
    {'exceptions': 'OpenSearch rounds the score of each query to 2 digits'}
    >>> exception_label([judge(qrels, run)], [parse("P@1")])
    {}
    """
    found = exceptions(rankings, measures)
    return {EXCEPTIONS: "; ".join(found)} if found else {}
