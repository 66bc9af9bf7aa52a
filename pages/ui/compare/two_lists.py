"""One query under both runs: two lists joined by slopes, and the bars that sum to its delta."""

from collections.abc import Collection

from metrics import Dataset, OneQuery
from metrics.rendering import joined_lists

from .. import state
from ..inline import component
from . import results

PARTS = ("lists", "bars")

_KEY = "two_lists"
_lists = component(_KEY, __file__)


def lists(
    one: OneQuery,
    dataset: Dataset,
    parts: Collection[str] = PARTS,
    why: str = "",
    before: OneQuery | None = None,
) -> None:
    """Show the lists and the bars; a click picks the document.

    ``parts``: which of the two to show. ``why``: the reason why this query is opened first.
    ``before``: the query as it is judged, where ``one`` has another grade of the picked document.
    """

    def pick() -> None:
        if (document := state.value(_KEY)["picked"]) in one.documents:
            state.put({state.DOCUMENT: document})

    absent = {part: None for part in PARTS if part not in parts}
    # On a tie no document is the reason, so none stands out before it is picked.
    picked = results.document(one) if one.decisive or state.value(state.DOCUMENT) else ""
    # A part alone is for a projector.
    drawn = joined_lists.shown(one, dataset, joined_lists.depth(one), picked, bool(absent), before)
    _lists(key=_KEY, data=drawn | absent | {"why": why}, on_picked_change=pick)
