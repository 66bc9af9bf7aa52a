"""Every compared query as a bar, in bands by which run is better; a click picks the query."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metrics.comparing.slices import OUTCOMES
from metrics.rendering import text

from .. import state
from ..inline import component
from .picks import ComparisonPage

SENT = 100
"""At most this many queries of a band are in the browser; a table has them all."""
LONGEST = 120
"""At most this many characters of a query's text are in its row."""
BANDS = {
    "B better": ("B better on", "B"),
    "ties": ("Equal on", ""),
    "A better": ("A better on", "A"),
}
"""The title of each band, and the run it is in favour of, by its outcome."""

_KEY = "query_bars"
_bars = component(_KEY, __file__)


def bars(page: ComparisonPage) -> None:
    """Show the bands, the largest changes of each first; a table has the queries left out."""

    def pick() -> None:
        if (query := state.value(_KEY)["picked"]) in page.frame.index:
            state.pick_query(query)

    def listed() -> None:
        if (outcome := state.value(_KEY)["every"]) in BANDS:
            state.put({state.LOOK: "Queries", state.SHOWN: outcome})

    _bars(key=_KEY, data=shown(page), on_picked_change=pick, on_every_change=listed)


def shown(page: ComparisonPage) -> dict[str, Any]:
    """Return everything that the browser shows."""
    delta, tie = page.frame["delta"], page.pairing.test.tie
    texts = page.dataset.query_texts
    names = [text.visible(run.name) for run in page.pairing.runs[:2]]

    def rows(of: pd.Series[float]) -> list[dict[str, Any]]:
        # The picked query is in its band, however many others come before it.
        seen = of[(of.index == page.picked) | (pd.RangeIndex(len(of)) < SENT)]
        return [
            {
                "id": query,
                "name": text.beginning(texts.get(query) or text.visible(query), LONGEST),
                "delta": value,
                "value": text.signed(value, 3),
            }
            for query, value in zip(seen.index.tolist(), seen.tolist(), strict=True)
        ]

    bands = []
    for outcome, (title, side) in BANDS.items():
        of = delta[OUTCOMES[outcome](delta, tie)]
        # The largest change is first in both.
        of = of[::-1] if side == "A" else of
        bands.append(
            {
                "outcome": outcome,
                "title": f"{title} {len(of):,}",
                "side": side,
                "rows": rows(of),
                "size": len(of),
            }
        )
    return {
        "measure": page.shown,
        "names": names,
        "bands": bands,
        "least": min(0.0, float(delta.min())),
        "most": max(0.0, float(delta.max())),
        "picked": page.picked,
        "alt": page.pairing.verdict.sentence.text(),
    }
