"""The queries on which a run loses or gains most, each with the document behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .comparison import Comparison

if TYPE_CHECKING:
    import pandas as pd


def largest_changes(
    compared: Comparison, measure: str, sign: int, most: int, tie: float = 0.0
) -> pd.DataFrame:
    """Return the queries that change most in one direction, the largest change first.

    Parameters
    ----------
    sign
        1: the gains of B; −1: its losses.
    most
        At most this many queries are returned.
    tie
        Deltas up to this size are ties.

    Returns
    -------
    DataFrame
        Index ``query``; columns ``A``, ``B`` and ``delta``, then the document that moves the delta
        furthest in this direction: ``document``, ``grade``, ``rank A``, ``rank B`` and ``share``,
        its part of the delta.

    Examples
    --------
    >>> from metrics import Qrels, Run, compare
    >>> qrels = Qrels.from_dict({"q1": {"x": 1}, "q2": {"x": 1}})
    >>> a = Run.from_dict({"q1": {"x": 2, "y": 1}, "q2": {"x": 2}})
    >>> b = Run.from_dict({"q1": {"y": 2, "x": 1}, "q2": {"x": 2}})
    >>> found = largest_changes(compare(qrels, a, b, "RR"), "RR", -1, 5)
    >>> found[["delta", "document", "rank A", "rank B"]].to_dict("index")
    {'q1': {'delta': -0.5, 'document': 'x', 'rank A': 1, 'rank B': 2}}
    """
    frame = compared.per_query(measure)
    towards = (sign * frame["delta"]).sort_values(ascending=False, kind="stable")
    frame = frame.loc[towards.index[towards > tie]].head(most)
    bars = compared.only(frame.index).documents(measure)
    order = (sign * bars["delta"]).sort_values(ascending=False, kind="stable").index
    first = bars.loc[order].drop_duplicates("query").set_index("query")
    first = first.rename(columns={"delta": "share"})
    return frame.join(first[["document", "grade", "rank A", "rank B", "share"]])
