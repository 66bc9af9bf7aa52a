"""The edited rankings of a saved session as JSON Lines: one line for each, with all its steps.

A line lists each document of its ranking once, with its grade (null: it has none, or that of its
query, which the log has) and whether it is tied. A step has its title, the record of the log that
it made, how many of its documents are ranked (the first ones), and the places of all of them in
that list; its aspects where they are not those of the step before it, of which the first has none.
The first step is the ranking before the first edit. ``applied`` has the number of the last event
by the tab that sent it. Like this, in ASCII and without spaces::

    {"qrels": "…", "run": "…", "query": "q1", "applied": {"0a1b2c3d4e5f6071": 3},
     "entries": [["d1", null, false], ["d2", 0.5, true]],
     "steps": [{"title": "", "record": "", "ranked": 2, "order": [0, 1]},
               {"title": "Mine", "record": "", "ranked": 1, "order": [0],
                "aspects": {"d1": {"price": 1.0}}}]}
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from ..editing.hand_ranking import Entry, HandRanking
from ..editing.history import LONGEST, History
from ..editing.origin import Origin
from ..editing.ranking_link import aspects_in
from ..reading.from_json.parse import DamagedError, filled, list_at, object_at, text_at
from .log_files import whole


def as_json(origin: Origin, history: History, applied: Mapping[str, int]) -> dict[str, Any]:
    """Return an edited ranking, with every step that can be undone, as an object of JSON.

    ``applied``: the number of the last event that it has, by the tab that sent it.

    Examples
    --------
    >>> first = HandRanking.of("q", {}, ["a", "b"])
    >>> history = History(first, first).then(HandRanking.of("q", {}, ["b", "a"]))
    >>> origin = Origin("data", "run", "q")
    >>> found = as_json(origin, history, {"tab": 3})
    >>> found["entries"], [step["order"] for step in found["steps"]]
    ([['a', None, False], ['b', None, False]], [[0, 1], [0, 1], [1, 0]])
    >>> from_json(found) == (origin, history, {"tab": 3})
    True
    """
    # Steps share most of their entries: to compare the identity of objects first is faster.
    same = {id(each): each for step in history.steps for each in step.entries}
    entries: dict[Entry, int] = {}
    place = {key: entries.setdefault(each, len(entries)) for key, each in same.items()}
    steps: list[dict[str, Any]] = []
    held: Mapping[str, Any] = {}
    for step in history.steps:
        order, ranked = [place[id(each)] for each in step.entries], len(step.retrieved)
        steps.append({"title": step.title, "record": step.record, "ranked": ranked, "order": order})
        if step.aspects != held:
            held = steps[-1]["aspects"] = step.aspects
    listed = [[each.document, each.grade, each.tied] for each in entries]
    return {**asdict(origin), "applied": dict(applied), "entries": listed, "steps": steps}


def from_json(value: Mapping[str, Any]) -> tuple[Origin, History, dict[str, int]]:
    """Return the edited ranking and the numbers of events that `as_json` took.

    Raises DamagedError or EditError when a part is missing or impossible.
    """
    origin = Origin(*(filled(value.get(key)) for key in ("qrels", "run", "query")))
    applied = {tab: whole(number) for tab, number in object_at(value, "applied").items()}
    entries = dict(enumerate(map(_entry, list_at(value, "entries", list))))
    rows = list_at(value, "steps", dict)
    if not 2 <= len(rows) <= LONGEST + 2:
        raise DamagedError("no steps, or more than can be undone")
    steps: list[HandRanking] = []
    held: dict[str, Any] = {}
    for row in rows:
        order, ranked = list_at(row, "order", int), whole(row.get("ranked"))
        if not entries.keys() >= {*order}:
            raise DamagedError("a step with a document that is not listed")
        if ranked > len(order):
            raise DamagedError("a step that ranks more documents than it has")
        held = aspects_in(row["aspects"]) if "aspects" in row else held
        listed = tuple(entries[place] for place in order)
        texts = text_at(row, "title"), held, text_at(row, "record")
        steps.append(HandRanking(origin.query, listed[:ranked], listed[ranked:], *texts))
    original, *past, present = steps
    return origin, History(original, present, tuple(past)), applied


def _entry(row: list[Any]) -> Entry:
    match row:
        case [document, (None | float() | int()) as grade, bool(tied)]:
            return Entry(filled(document), grade, tied)
    raise DamagedError("a document in an unknown form")
