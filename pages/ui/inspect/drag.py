"""The ranking as a list to drag, and what was done to it as edits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from metrics import Ledger
from metrics.editing.edits import move, set_grade, step, step_grade, toggle_tie
from metrics.editing.hand_ranking import Entry, HandRanking
from metrics.editing.origin import Origin

from .. import state, user_data
from ..render import text

LONGEST = 50
"""At most this many rows are in the list; longer rankings are edited in the table."""

_FOLDER = Path(__file__).parent
_list = st.components.v2.component(
    "ranking_list",
    css=(_FOLDER / "drag.css").read_text("utf-8"),
    js=(_FOLDER / "drag.js").read_text("utf-8"),
)

_EDITS: dict[str, Callable[[HandRanking, str, Any], HandRanking]] = {
    "move": move,
    "grade": set_grade,
    "up": lambda ranking, document, _: step(ranking, document, -1),
    "down": lambda ranking, document, _: step(ranking, document, 1),
    "more": lambda ranking, document, _: step_grade(ranking, document, 1),
    "less": lambda ranking, document, _: step_grade(ranking, document, -1),
    "tie": lambda ranking, document, _: toggle_tie(ranking, document),
}
"""What the list can ask for, by the name that its events have."""


def ranking_list(
    origin: Origin,
    ranking: HandRanking,
    ledger: Ledger | None,
    texts: Mapping[str, str],
    change: Callable[[Callable[[HandRanking], HandRanking]], None],
) -> None:
    """Show the ranking as a list; ``change`` gets every edit that is made in it."""
    key = f"list-{origin}"

    def edit() -> None:
        for event in state.value(key)["events"] or []:
            if event["n"] > user_data.applied(origin):
                user_data.set_applied(origin, event["n"])
                change(partial(_made, event))

    def pick() -> None:
        state.put({state.AT: state.value(key)["picked"] or ""})

    _list(
        key=key,
        data=rows(ranking, ledger, texts)
        | {"picked": state.value(state.AT), "applied": user_data.applied(origin)},
        on_events_change=edit,
        on_picked_change=pick,
    )


def _made(event: Mapping[str, Any], ranking: HandRanking) -> HandRanking:
    return _EDITS[event["do"]](ranking, event["id"], event.get("value"))


def rows(ranking: HandRanking, ledger: Ledger | None, texts: Mapping[str, str]) -> dict[str, Any]:
    """The rows of the list, up to `LONGEST` ranked and as many others, and how many more exist.

    The ``share`` of a row is its contribution as a share of the largest one.
    """
    earned: dict[str, float] = {}
    if ledger is not None:
        lines = ledger.table(ranking.query)
        earned = dict(zip(lines["document"], lines["contribution"], strict=True))
    most = max(earned.values(), default=0.0)

    def row(entry: Entry) -> dict[str, Any]:
        said = texts.get(entry.document)
        return {
            "id": entry.document,
            "label": text.visible(f"{entry.document}  {said}" if said else entry.document),
            "grade": entry.grade,
            "tied": entry.tied,
            "share": earned.get(entry.document, 0.0) / most if most > 0 else 0.0,
        }

    return {
        "ranked": [
            row(entry) | {"place": place}
            for place, entry in enumerate(ranking.retrieved[:LONGEST], 1)
        ],
        "below": len(ranking.retrieved[LONGEST:]),
        "rest": [row(entry) for entry in ranking.unretrieved[:LONGEST]],
        "unlisted": len(ranking.unretrieved[LONGEST:]),
    }
