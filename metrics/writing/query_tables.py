"""Tables of a comparison's queries: those that changed most, and all of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..comparing.comparison import Comparison
from ..comparing.largest_changes import largest_changes
from ..comparing.significance import TIE
from ..defaults import DEPTH
from .as_json import VERSION
from .comparison import TITLES
from .table import Table, whole

if TYPE_CHECKING:
    import pandas as pd

LISTED = 20
"""At most this many queries that changed most are listed with each sign of the delta."""
_SNIPPET = 90
"""At most this many characters of a document's text are shown."""


def changed_most(
    compared: Comparison,
    measure: str,
    sign: int,
    query_texts: Mapping[str, str],
    document_texts: Mapping[str, str],
    tie: float = TIE,
) -> Table:
    """Return the queries on which B gains or loses most, each with the document behind it.

    Parameters
    ----------
    sign
        1: the gains of B; −1: its losses.
    tie
        Deltas up to this size are ties.

    Examples
    --------
    >>> from metrics import Qrels, Run, compare
    >>> qrels = Qrels.from_dict({"q1": {"x": 1}, "q2": {"x": 1}})
    >>> a = Run.from_dict({"q1": {"x": 2, "y": 1}, "q2": {"x": 2}})
    >>> b = Run.from_dict({"q1": {"y": 2, "x": 1}, "q2": {"x": 2}})
    >>> changed_most(compare(qrels, a, b, "RR"), "RR", -1, {}, {}).rows
    (('q1', 1.0, 0.5, -0.5, 'x', 1, 1, 2, -0.5),)
    """
    changes = largest_changes(compared, measure, sign, LISTED, tie)
    rows = []
    for query, change in changes.iterrows():
        document = str(change["document"])
        rows.append(
            {
                "query": query,
                **({"text": query_texts.get(str(query), "")} if query_texts else {}),
                "a": change["A"],
                "b": change["B"],
                "delta": change["delta"],
                "document": document,
                **({"snippet": _cut(document_texts.get(document, ""))} if document_texts else {}),
                "grade": whole(change["grade"]),
                "rank_a": change["rank A"],
                "rank_b": change["rank B"],
                "share": change["share"],
            }
        )
    named = {
        "document": "document that costs most" if sign < 0 else "document that earns most",
        "snippet": "its text",
        "grade": "its grade",
        "share": "its part of the delta",
    }
    table = Table.of(rows[0] if rows else (), map(dict.values, rows))
    return table.saying(titles=TITLES | named)


def _cut(text: str) -> str:
    return text if len(text) <= _SNIPPET else f"{text[: _SNIPPET - 1]}…"


def every_query(
    compared: Comparison, measure: str, cutoff: int | None, texts: Mapping[str, str]
) -> Table:
    """Return each query's scores by one measure, the largest gain of B first.

    ``cutoff``: the rank down to which unjudged documents are counted.
    """
    frame = _sorted(compared, measure)
    depth = cutoff or DEPTH
    # Where the convention averages over ties, a count is a mean.
    unjudged = compared.unjudged_documents(depth).reindex(frame.index).round().astype("Int64")
    frame = frame.rename(columns=str.lower)
    frame = frame.assign(unjudged_a=unjudged["A"], unjudged_b=unjudged["B"])
    if texts:
        frame.insert(0, "text", [texts.get(query, "") for query in frame.index])
    names = {f"unjudged_{side}": f"unjudged in the top {depth}, {side.upper()}" for side in "ab"}
    return Table.of_frame(frame.reset_index()).saying(titles=TITLES | names)


def other_measures(compared: Comparison, measure: str) -> Table:
    """Return each query's scores by all measures but one, in the order of that one's deltas."""
    order = _sorted(compared, measure).index
    order = order.append(order.symmetric_difference(list(compared.queries), sort=False))
    columns: dict[str, pd.Series[Any]] = {
        f"{name} {column}": values
        for name in compared.a.ledgers
        if name != measure
        for column, values in compared.per_query(name).reindex(order).items()
    }
    rows = zip(order, *columns.values(), strict=True)
    return Table.of(["query", *columns], rows)


def _sorted(compared: Comparison, measure: str) -> pd.DataFrame:
    return compared.per_query(measure).sort_values("delta", ascending=False, kind="stable")


def by_cutoff(sides: Mapping[str, pd.DataFrame]) -> Table:
    """Return both means with their intervals at each cutoff.

    ``sides``: as `curves` of the charts draws them: index k; columns mean, low and high.
    """
    a, b = (frame.itertuples() for frame in sides.values())
    rows = [[*of_a, *of_b[1:], of_b[1] - of_a[1]] for of_a, of_b in zip(a, b, strict=True)]
    columns = [f"{name} {side}" for side in sides for name in ("mean", "from", "to")]
    return Table.of(["cutoff k", *columns, "delta"], rows).saying(titles=TITLES)


def scores_as_json(compared: Comparison) -> str:
    """Return every score with all its digits as JSON, a list per measure and run.

    A score is ``null`` where a query has none; delta is b − a. It is shorter than a row per score,
    because a report contains it.

    Examples
    --------
    >>> from metrics import Qrels, Run, compare
    >>> qrels, run = Qrels.from_dict({"q1": {"x": 1}}), Run.from_dict({"q1": {"x": 2}})
    >>> scores_as_json(compare(qrels, run, run, "RR"))
    '{"schema":"rankscope/scores/1","query":["q1"],"scores":{"RR":{"a":[1.0],"b":[1.0]}}}'
    """
    order, scores = list(compared.queries), {}
    for name in compared.a.ledgers:
        frame = compared.per_query(name).reindex(order)
        scores[name] = {
            side.lower(): [None if np.isnan(value) else value for value in frame[side].tolist()]
            for side in compared.sides
        }
    content = {"schema": f"rankscope/scores/{VERSION}", "query": compared.queries, "scores": scores}
    return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
