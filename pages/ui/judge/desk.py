"""The judge's desk: one document after the other, graded by keys or buttons."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from metrics.editing.hand_ranking import Entry
from metrics.editing.history import History
from metrics.editing.origin import Origin
from metrics.rendering import text

from .. import user_data
from ..inline import Events, component

LONGEST = 4_000
"""At most this many characters of a document are shown."""

_desk = component("desk", __file__)


@dataclass(frozen=True)
class Paper:
    """A document on the desk.

    Attributes
    ----------
    where
        The ranks at which the runs have it; empty where that is hidden.
    """

    document: str
    title: str
    text: str
    where: str = ""


def desk(
    origin: Origin,
    history: History,
    entries: Mapping[str, Entry],
    papers: Sequence[Paper],
    scale: Sequence[float],
    heading: Mapping[str, Any],
    do: Callable[[Mapping[str, Any]], None],
) -> None:
    """Show the documents of a query, with the grades that they have.

    ``entries``: the grades to show, by document. ``scale``: the grades to choose from. ``heading``:
    the query, the guideline, and what comes after the last document. ``do`` gets each event: its
    number ``n``, what to ``do``, and for a judgment the document's ``id``, the ``grade`` and the
    ``note``.
    """
    key = f"desk-{origin}"
    events = Events(key, partial(user_data.applied, origin), do)

    def drawn(paper: Paper) -> dict[str, Any]:
        entry = entries.get(paper.document)
        signed, words = entry.signed if entry else None, paper.text
        return {
            "id": paper.document,
            "name": text.visible(paper.document),
            "title": text.flat(paper.title),
            "text": text.legible(words if len(words) < LONGEST else f"{words[:LONGEST]}…"),
            "where": text.visible(paper.where),
            "grade": entry.grade if entry else None,
            "seen": entry is not None and entry.is_seen,
            "judge": text.visible(signed.judge) if signed else "",
            "note": text.legible(signed.note) if signed else "",
        }

    _desk(
        key=key,
        data={
            **heading,
            "key": key,
            "scale": list(scale),
            "dots": text.most_dots([*scale, *(each.grade or 0 for each in entries.values())]),
            "papers": [drawn(paper) for paper in papers],
            "undo": bool(history.past),
            "redo": bool(history.future),
            **events.data,
        },
        on_events_change=events.apply,
    )
    events.settle()
