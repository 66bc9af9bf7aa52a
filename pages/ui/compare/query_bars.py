"""Every compared query as a bar, in bands by which run is better; a click picks the query."""

from typing import Any

from metrics.rendering import pictures, text

from .. import show, state
from .picks import ComparisonPage
from .queries import largest_parts

SENT = 100
"""At most this many queries of a band are in the browser; a table has them all."""
EXPLAINED = 20
"""So many queries of a band say which document made most of their delta."""
_KEY = "query_bars"


def bars(page: ComparisonPage, place: str = "page") -> None:
    """Show the bands, the largest changes of each first; a table has the queries left out.

    ``place``: the page or a projector, which has room for fewer.
    """

    def pick() -> None:
        if (query := state.value(_KEY)["picked"]) in page.frame.index:
            state.pick_query(query)

    def listed() -> None:
        if (outcome := state.value(_KEY)["every"]) in pictures.BANDS:
            state.put({state.TAB: "Queries", state.SHOWN: outcome})

    data = shown(page) | {"place": place}
    show.query_bars(key=_KEY, data=data, on_picked_change=pick, on_every_change=listed)


def shown(page: ComparisonPage) -> dict[str, Any]:
    """Return everything that the browser shows."""
    delta, tie = page.frame["delta"], page.pairing.test.tie
    texts = page.dataset.query_texts
    names = [text.visible(run.name) for run in page.pairing.runs[:2]]
    bands = pictures.bands(delta, texts, tie, SENT, page.picked)
    # A query without a text has the room to say why.
    first = [each["id"] for band in bands if band["side"] for each in band["rows"][:EXPLAINED]]
    return {
        "measure": page.shown,
        "names": names,
        "bands": bands,
        "why": {} if texts or not first else largest_parts(page, first).to_dict(),
        "least": min(0.0, float(delta.min())),
        "most": max(0.0, float(delta.max())),
        "picked": page.picked,
        "alt": page.pairing.verdict.sentence.text(),
    }
