"""The judge's desk: one document after the other, graded by keys or buttons."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from metrics import Dataset
from metrics.editing import Sheet
from metrics.rendering import text
from metrics.writing import judgments

from .. import user_data
from ..inline import Events, component

LONGEST = 4_000
"""At most this many characters of a document are shown."""

_desk = component("desk", __file__)


def desk(
    sheet: Sheet,
    dataset: Dataset,
    papers: Mapping[str, str],
    scale: Sequence[float],
    heading: Mapping[str, Any],
    do: Callable[[Mapping[str, Any]], None],
) -> None:
    """Show the documents of a query, with the grades that they have.

    ``papers``: the documents, each with the ranks at
    which the runs have it; empty where that is hidden. ``scale``: the grades to choose from.
    ``heading``: the query, the guideline, and what comes after the last document. ``do`` gets each
    event: its number ``n``, what to ``do``, and for a judgment the document's ``id``, the ``grade``
    and the ``note``.
    """
    key = f"desk-{sheet.origin}"
    events = Events(key, partial(user_data.applied, sheet.origin), do)

    def drawn(name: str, where: str) -> dict[str, Any]:
        document, said, grade = dataset.document(name), sheet.said.get(name), sheet.grades.get(name)
        signed, words = said.signed if said and sheet.is_seen(name) else None, document.text
        return {
            "id": name,
            "name": text.visible(name),
            "title": text.flat(document.title),
            "text": text.legible(words if len(words) < LONGEST else f"{words[:LONGEST]}…"),
            "where": text.visible(where),
            "grade": grade,
            "seen": sheet.is_seen(name),
            "judge": text.visible(signed.judge) if signed else "",
            "note": text.legible(signed.note) if signed else "",
            "others": [
                f"{text.visible(judge or judgments.UNNAMED)}: {'×' if x is None else f'{x:g}'}"
                for judge, x in sheet.others(name).items()
            ],
        }

    _desk(
        key=key,
        data={
            **heading,
            "scale": list(scale),
            "dots": text.most_dots([*scale, *(grade or 0 for grade in sheet.grades.values())]),
            "papers": [drawn(*paper) for paper in papers.items()],
            "undo": any(sheet.undo),
            "redo": any(sheet.redo),
            **events.data,
        },
        on_events_change=events.apply,
    )
    events.settle()
