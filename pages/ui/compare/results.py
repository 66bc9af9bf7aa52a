"""The results of one query under both runs as cards, side by side and a page at a time."""

import math
from collections.abc import Mapping
from typing import Any

from metrics import Dataset, OneQuery
from metrics.comparing import Side
from metrics.rendering import snippets, text

from .. import state
from ..inline import component

PER_PAGE = 10
"""At most this many cards of each run are on a page."""
LONGEST_TITLE = 200

_KEY = "result_cards"
_cards = component(_KEY, __file__)


def cards(one: OneQuery, dataset: Dataset) -> None:
    """Show both rankings as cards; the selected one is the document picked on the page.

    The browser gets the snippets of one page, and the whole text of the card that is open.
    """

    def look() -> None:
        view = _view(state.value(_KEY), one)
        if view and view["picked"] != document(one):
            state.put({state.DOCUMENT: view["picked"]})

    picked, view = document(one), _view(state.value(_KEY), one)
    if not view or view["picked"] != picked:
        # Another query, or picked elsewhere, in a chart or a table: its page is shown.
        view = {"picked": picked, "page": _page_of(picked, one), "opened": None}
    _cards(key=_KEY, data=shown(one, dataset, view), on_view_change=look)


def document(one: OneQuery) -> str:
    """Return the picked document: by default the one that decides, or the first, if any."""
    wanted = state.value(state.DOCUMENT)
    return wanted if wanted in one.documents else one.decisive or next(iter(one.documents), "")


def _view(component: Mapping[str, Any] | None, one: OneQuery) -> dict[str, Any]:
    """Return the page, the picked document and the open card that the browser asks for.

    Everything that comes from the browser is checked; empty where it is of another query.
    """
    asked = (component or {}).get("view") or {}
    page, picked, opened = (asked.get(part) for part in ("page", "picked", "opened"))
    if asked.get("query") != one.query or picked not in one.documents or type(page) is not int:
        return {}
    known = opened in [[side.name, name] for side in one.sides for name in side.documents]
    page = min(max(page, 1), _pages(one))
    return {"page": page, "picked": picked, "opened": opened if known else None}


def _pages(one: OneQuery) -> int:
    return max(1, math.ceil(max(len(side.documents) for side in one.sides) / PER_PAGE))


def _page_of(name: str, one: OneQuery) -> int:
    """Return the first page with a document; 1 where neither run retrieves it."""
    rankings = [side.lines.index.tolist() for side in one.sides]
    places = [ranking.index(name) for ranking in rankings if name in ranking]
    return min(places, default=0) // PER_PAGE + 1


def shown(one: OneQuery, dataset: Dataset, view: Mapping[str, Any]) -> dict[str, Any]:
    """Return everything that the browser shows: the cards of a page, and the open one in full."""
    start = (view["page"] - 1) * PER_PAGE
    terms = snippets.terms(dataset.query_texts.get(one.query, ""))
    deepest = max(len(side.documents) for side in one.sides)
    last = min(start + PER_PAGE, deepest)
    # Where ranks are missing, a document's place in the list is not its rank.
    what = "Ranks" if all(side.whole for side in one.sides) else "Listed documents"
    return {
        **view,
        "query": one.query,
        "dots": text.most_dots(
            [*one.grades, *(g for s in one.sides for g in s.lines["grade"].dropna())]
        ),
        "pages": _pages(one),
        "range": f"{what} {start + 1:,}–{last:,} of {deepest:,}" if deepest else "No documents",
        "sides": [
            {
                "name": side.name,
                "run": text.visible(side.run.name),
                "score": text.number(side.score) if len(one.qrels) else "",
                "cards": _of_page(side, other, one, dataset, terms, start),
            }
            for side, other in zip(one.sides, reversed(one.sides), strict=True)
        ],
        "whole": _whole(view["opened"][1], one, dataset, terms) if view["opened"] else None,
    }


def _of_page(
    side: Side, other: Side, one: OneQuery, dataset: Dataset, terms: frozenset[str], start: int
) -> list[dict[str, Any]]:
    """Return the cards of one run on a page, its first rank after ``start`` documents."""
    # Zero first: the largest of no contributions is not a number.
    most = max(0.0, *(float(each.lines["contribution"].abs().max()) for each in one.sides))
    elsewhere, part = other.lines["rank"], side.lines[start : start + PER_PAGE]
    columns = (part[key].tolist() for key in ("rank", "grade", "contribution"))
    found = []
    for name, rank, grade, earned in zip(part.index.tolist(), *columns, strict=True):
        entry = dataset.document(name)
        known = other.whole or not math.isnan(grade)
        move, moved = _elsewhere(rank, elsewhere.get(name), (side.name, other.name), known)
        title = text.shortened(entry.title, LONGEST_TITLE)
        found.append(
            {
                "id": name,
                "label": text.visible(name),
                "rank": int(rank),
                "move": move,
                "moved": moved,
                "grade": text.grade(grade),
                "title": snippets.marked(title, terms),
                "snippet": snippets.snippet(entry.text, terms),
                "earned": text.number(earned) if len(one.qrels) else "",
                "share": abs(earned) / most if abs(earned) > 0 else 0.0,
            }
        )
    return found


def _elsewhere(
    rank: int, other: float | None, sides: tuple[str, str], known: bool
) -> tuple[str, str]:
    """Return a document's rank in the other list, as a sign and words.

    ``sides``: this list and the other. ``known``: whether a document without a rank there was not
    retrieved, and not merely not kept.
    """
    here, there = sides
    if other is None and not known:
        return f"{there}: ?", f"not listed in {there}"
    if other is None:
        return f"only {here}", f"not in {there}"
    if other == rank:
        return "=", f"same rank in {there}"
    return f"{there}: {int(other):,}", f"rank {int(other):,} in {there}"


def _whole(name: str, one: OneQuery, dataset: Dataset, terms: frozenset[str]) -> dict[str, Any]:
    """Return the text of a document in full, its other fields and the judge's reason."""
    entry = dataset.document(name)
    reason = dataset.qrels.reasons.get(one.query, {}).get(name, "")
    fields = [("judge's reason", reason)] if reason else []
    fields += entry.fields.items()
    return {
        "text": snippets.marked(entry.text, terms),
        "fields": [(text.visible(key), snippets.marked(value, terms)) for key, value in fields],
    }
