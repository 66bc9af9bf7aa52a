"""Small lists from left to right, a bar for each document: for cards, and for pitfalls."""

from collections.abc import Callable, Sequence
from typing import Any

from metrics import Ledger
from metrics.editing import HandRanking

from . import ranking_list
from .inline import component

_glance = component("glance", __file__)


def glance(
    key: str,
    lists: Sequence[dict[str, Any]],
    chosen: str = "",
    click: Callable[[], None] | None = None,
    **look: Any,
) -> None:
    """Show lists, each with its `cells`.

    ``click``: called with a click on a list, whose id is then ``opened`` in the component's state;
    without it, the lists have the grades below the bars. ``chosen``: the id of the list that is
    pressed. ``look``: ``sought``: whether a link leads to these lists. ``current``: the id of the
    open one. ``below``: the key of what is shown of the pressed one. ``wide``: with more room for
    each: ``wide``, or ``wide pairs``, of which a phone has two beside each other. ``legend``: words
    in front of what the bars mean. ``name``: that of all lists, for a screen reader.
    """
    data = {"lists": list(lists), "graded": click is None, "chosen": chosen, **look}
    _glance(key=key, data=data, on_opened_change=click or (lambda: None))


def cells(ledger: Ledger, ranking: HandRanking) -> list[dict[str, Any]]:
    """Return what each document of a list is worth and what it earns, as shares of the most."""
    rows = ranking_list.rows(ranking, ledger, {})
    return [
        {name: row[name] for name in ("gain", "earned", "grade", "place")}
        for row in [*rows["ranked"], *rows["rest"]]
    ]
