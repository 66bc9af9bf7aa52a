"""A ranking as a list to touch, with undo and redo, whose events become edits."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from metrics import Ledger
from metrics.editing import Entry, HandRanking, History, Origin, edits
from metrics.exploring.earning import earning
from metrics.rendering import text

from . import state, user_data
from .inline import Events, component

LONGEST = 50
"""At most this many rows are in the list; longer rankings are edited in the table."""


_list = component("ranking_list", __file__)

_EDITS: dict[str, Callable[[HandRanking, str, Any], HandRanking]] = {
    "move": edits.move,
    "grade": edits.set_grade,
    "up": lambda ranking, document, _: edits.step(ranking, document, -1),
    "down": lambda ranking, document, _: edits.step(ranking, document, 1),
    "more": lambda ranking, document, _: edits.step_grade(ranking, document, 1),
    "less": lambda ranking, document, _: edits.step_grade(ranking, document, -1),
    "tie": lambda ranking, document, _: edits.toggle_tie(ranking, document),
}
"""The edit of each event, by the event's name."""
_MOVES = "move", "up", "down"

_STEPS: dict[str, Callable[[History], History]] = {
    "undo": History.undo,
    "redo": History.redo,
    "reset": History.reset,
}


def ranking_list(
    origin: Origin,
    history: History,
    rows: Mapping[str, Any],
    change: Callable[[Callable[[HandRanking], HandRanking], int], None],
    step: Callable[[Callable[[History], History], int], None],
) -> None:
    """Show the rows of `rows`, if any, below the buttons Undo, Redo and Reset.

    One queue holds the edits and the steps back, so that they are applied in the order in which
    they were made: ``change`` is called with each edit, ``step`` with each step, and the number of
    the event, which says when it is done.
    """

    def do(event: Mapping[str, Any]) -> None:
        if event["do"] in _STEPS:
            step(_STEPS[event["do"]], event["n"])
        else:
            state.put({state.EDITED: event["id"]})
            change(partial(_apply, event), event["n"])

    key = f"list-{origin}"
    _draw(key, history, rows, Events(key, partial(user_data.applied, origin), do), **_picked())


def locked_list(
    key: str, rows: Mapping[str, Any], marked: str | None = None, hint: str | None = None
) -> None:
    """Show the rows of `rows`, which cannot be changed; events that come all the same are dropped.

    ``marked``: the document to mark; None: a row can be picked, which marks it. ``hint``: the words
    above the list, whose rows then are where those of a movable list are.
    """
    key = f"locked-{key}"
    mark = _picked() if marked is None else {"picked": marked}
    _list(
        key=key,
        data={**rows, **mark, "locked": True, "hint": hint, "applied": {}},
        on_picked_change=partial(state.pick_in, key),
    )


def moved(name: str, original: HandRanking) -> History:
    """Return a ranking with the moves that `movable_list` has made; the session alone keeps them.

    ``name``: the list's own. If its documents have changed since, those that are left keep their
    order.
    """
    return _moved(name, original)[0]


def arrange(name: str, ranking: HandRanking) -> None:
    """Give a list of `moved` another order, that of this ranking."""
    state.put({f"_moved_{name}": (History(ranking, ranking), _moved(name, ranking)[1])})


def correct(name: str, ranking: HandRanking, old: str, new: str) -> None:
    """Give a document another id in each step of a list of `moved`, which begins as this ranking.

    A title that is corrected is the same one, and keeps its place.
    """
    history, applied = _moved(name, ranking)
    corrected = history.each(partial(edits.rename, document=old, new=new))
    state.put({f"_moved_{name}": (corrected, applied)})


def movable_list(name: str, original: HandRanking, rows: Mapping[str, Any], **look: Any) -> None:
    """Show the rows of the ranking of `moved`, which can be moved, but not graded.

    ``look``: ``hint``: the words above the list; ``score``: the key of the bar that it fills, where
    there are several; ``plays``: a document and the rank to which it moves and from which it comes
    back, to show once that rows move.
    """

    def do(event: Mapping[str, Any]) -> None:
        history, applied = _moved(name, original)
        if event["do"] in _STEPS:
            history = _STEPS[event["do"]](history)
        elif event["do"] in _MOVES:
            after = _apply(event, history.present)
            state.put({state.EDITED: event["id"]})
            # Where all documents are in the list, they stay in it.
            if original.unretrieved or not after.unretrieved:
                history = history.then(after)
        state.put({f"_moved_{name}": (history, {**applied, user_data.tab(): event["n"]})})

    key = f"movable-{name}"
    events = Events(key, lambda: _moved(name, original)[1], do)
    _draw(key, moved(name, original), rows, events, moves=True, picked=None, **look)


def _moved(name: str, original: HandRanking) -> tuple[History, Mapping[str, int]]:
    """Return the list's history, and the number of the last event in it, by session."""
    known: tuple[History, Mapping[str, int]] | None = state.value(f"_moved_{name}")
    if known is None:
        return History(original, original), {}
    history, applied = known
    if history.original == original:
        return known
    return replace(history.each(partial(edits.ordered_as, original)), original=original), applied


def _picked() -> dict[str, Any]:
    return {"picked": state.value(state.AT), "pick": True}


def _draw(key: str, history: History, rows: Mapping[str, Any], events: Events, **look: Any) -> None:
    steps = {
        "undo": bool(history.past),
        "redo": bool(history.future),
        "reset": history.present != history.original,
        # The scale stays also where the highest grade is taken away.
        "dots": text.most_dots(
            each.grade or 0 for each in history.original.entries + history.present.entries
        ),
    }
    _list(
        key=key,
        data={**rows, **steps, **look, **events.data},
        on_events_change=events.apply,
        on_picked_change=partial(state.pick_in, key),
    )
    events.settle()


def _apply(event: Mapping[str, Any], ranking: HandRanking) -> HandRanking:
    return _EDITS[event["do"]](ranking, event["id"], event.get("value"))


def rows(
    ranking: HandRanking,
    ledger: Ledger | None,
    texts: Mapping[str, str],
    cutoff: int | None = None,
    digits: int = 4,
) -> dict[str, Any]:
    """Return the list's rows, at most `LONGEST` ranked and `LONGEST` others, and how many remain.

    A row's ``gain`` is what its document would earn at rank 1, and ``earned`` what it earns, as
    shares of the most that one of them could earn. ``shares``: what the ranks leave of a gain, if
    that is all that counts; then the list can show a move before it is scored. ``bare``: whether
    what graded documents earn is hidden. ``dots``: how many each grade is of; 0 for digits.
    ``cutoff``: the rank below which a line is drawn. ``digits``: the decimals of what a row earns.
    """
    earned: dict[str, float] = {}
    earns = None
    if ledger is not None:
        lines = ledger.parts[0].table(ranking.query)
        earned = dict(zip(lines["document"], lines["contribution"], strict=True))
        earns = earning(ledger)
    first = earns.first if earns else {}
    most = max([*first.values(), *earned.values()], default=0.0)

    def width(value: float) -> float:
        return max(0.0, value) / most if most > 0 else 0.0

    def row(entry: Entry) -> dict[str, Any]:
        words = texts.get(entry.document, "")
        own = earned.get(entry.document, 0.0)
        gain = own if entry.grade is None else first.get(entry.grade, own)
        return {
            "id": entry.document,
            "label": f"{text.visible(entry.document)}  {text.flat(words)}".rstrip(),
            "words": text.flat(words),
            "grade": entry.grade,
            "tied": entry.tied,
            "gain": width(gain),
            "earned": width(own),
            "value": "" if ledger is None else text.number(own, digits) if own else "0",
        }

    return {
        "cutoff": cutoff,
        "bare": ledger is None and bool(ranking.grades),
        "dots": text.most_dots(entry.grade or 0 for entry in ranking.entries),
        "digits": digits,
        "scored": ledger is not None,
        "shares": list(earns.shares)
        if ledger and earns and earns.shares and _is_as_listed(ranking, ledger)
        else None,
        "most": most,
        "ranked": [
            row(entry) | {"place": place}
            for place, entry in enumerate(ranking.retrieved[:LONGEST], 1)
        ],
        "below": len(ranking.retrieved[LONGEST:]),
        "rest": [row(entry) | {"place": None} for entry in ranking.unretrieved[:LONGEST]],
        "unlisted": len(ranking.unretrieved[LONGEST:]),
    }


def seen(rows: Mapping[str, Any]) -> int:
    """Return how many rows the list has room for: a long one scrolls, see its style."""
    many = len(rows["ranked"] + rows["rest"])
    return many if len(rows["ranked"]) <= 10 else 8


def _is_as_listed(ranking: HandRanking, ledger: Ledger) -> bool:
    """Whether the scored order is the list's; a convention can order equal scores otherwise."""
    hits = ledger.judged.hits
    return all(
        ranking.retrieved[rank - 1].document == document
        for rank, document in zip(hits.rank.tolist(), hits.document.to_pylist(), strict=True)
    )


def in_words(rows: Mapping[str, Any]) -> str:
    """Return the list's rows as lines of text, for a browser that cannot load the list."""

    def line(row: Mapping[str, Any]) -> str:
        graded = "unjudged" if row["grade"] is None else f"grade {row['grade']:g}"
        where = f"{row['place']}." if row["place"] else "not retrieved:"
        return f"{where} {row['label']} ({graded})"

    lines = [line(row) for row in rows["ranked"]]
    if rows["below"]:
        lines.append(f"… {rows['below']:,} more below")
    lines += [line(row) for row in rows["rest"]]
    if rows["unlisted"]:
        lines.append(f"… {rows['unlisted']:,} more")
    return "\n".join(lines)
