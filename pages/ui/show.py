"""Show tables, formulas, charts, downloads and waiting on a page, each in one way."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from inspect import signature
from typing import Any

import pandas as pd
import streamlit as st

from metrics.colours import INK
from metrics.reading import workers
from metrics.rendering import Provenance, charts, tables
from metrics.teaching import GLOSSARY
from metrics.words import free
from metrics.writing import FILES, Table

from . import state
from .inline import component


def table(frame: pd.DataFrame, missing: str = "–", lit: pd.DataFrame | None = None) -> None:
    """Show a read-only table; texts stay literal, and numbers have the same digits everywhere.

    ``lit``: which cells stand out.
    """
    # Rows without names need no numbers of their own.
    _drawn(frame, "", missing, lit is None or frame.index.name is not None, lit)


def picking_table(
    frame: pd.DataFrame,
    key: str,
    pick: Callable[[int], None] | None = None,
    picked: int | None = None,
    opens: str = "two_lists",
    toggles: bool = False,
) -> int | None:
    """Show a table in which a press picks a row, and return the position of the picked one, from 0.

    ``pick`` is called with the position before the page is drawn again; without it the row's name
    is kept in the link, under ``key``. ``picked``: the position of the row that is picked elsewhere
    or, without ``pick``, before one is pressed. ``opens``: the key of the part of the page that
    shows the picked row, which is scrolled into sight. ``toggles``: whether a second press takes
    the row back.
    """
    if pick is None:
        names: list[str] = []
        for each in map(str, frame.index):
            names.append(free(each, names))
        found = place_in(names, state.in_link(key, names))
        picked = picked if found is None else found

        def pick(place: int) -> None:
            state.put({key: names[place]})

    _drawn(frame, key, pick=pick, picked=picked, opens=opens, toggles=toggles)
    return picked


def place_in(rows: Sequence[object], row: object) -> int | None:
    """Return the position of a row; None where it is not among them."""
    return rows.index(row) if row in rows else None


def _name(frame: pd.DataFrame, key: str) -> str:
    """Return a name for what is kept of a table.

    A pressed row is known by its number, which is another one in other rows, or in another order.
    """
    rows = [*frame, *frame.index, *frame.get("document", ())]
    return f"table_{key}_{hashlib.sha256(repr(rows).encode()).hexdigest()[:16]}"


def formula(latex: str) -> None:
    """Show a typeset formula; the strut keeps the tops of its fractions from being cut off."""
    st.latex(rf"\rule{{0pt}}{{2em}}{latex}")


def download(
    label: str, content: str | bytes | Callable[[], str | bytes], file: str, **look: Any
) -> None:
    """Show a button that downloads a file.

    A function is called on download and outside the session, so it gets all its inputs now.
    """
    st.download_button(label, content, file, on_click="ignore", **look)


def table_files(
    table: Table | Callable[[], Table],
    named: Callable[[str], str],
    key: str,
    titles: Iterable[str] = ("Markdown", "LaTeX", "CSV", "JSON"),
) -> None:
    """Show a button for each of these kinds of files of a table; ``named`` names the file.

    ``table``: a function makes it on request.
    """

    def content(write: Callable[[Table], str | bytes]) -> str | bytes:
        return write(table() if callable(table) else table)

    for title in titles:
        extension, write = FILES[title]
        download(title, partial(content, write), named(extension), key=f"{key}_as_{extension}")


def chart(drawn: charts.Chart, key: str, source: Provenance | None = None, **look: Any) -> None:
    """Show a chart; with the ``source`` of its numbers, also a button that saves it."""
    # The prefix avoids a clash with the session's keys for the fields of the convention.
    with _savable(drawn, f"chart_{key}", key, source):
        described = _described(drawn) | look
        st.plotly_chart(drawn.figure, key=f"chart_{key}", config=_CONFIG, **described)


def _described(drawn: charts.Chart) -> dict[str, Any]:
    """Return the sentence that a screen reader reads instead of the chart, where it can be set.

    It can be from Streamlit 1.65 on.
    """
    return {"alt": drawn.alt} if "alt" in signature(st.plotly_chart).parameters else {}


def picked(key: str) -> list[str]:
    """Return the ids of the marks that are clicked in a chart."""
    points = (state.value(key) or {"selection": {"points": []}})["selection"]["points"]
    data = (point.get("customdata") for point in points)
    return [str(name) for each in data if (name := each[0] if isinstance(each, list) else each)]


def picking_chart(
    drawn: charts.Chart,
    key: str,
    pick: Callable[[str], None] = lambda _: None,
    source: Provenance | None = None,
) -> None:
    """Show a chart whose marks can be clicked; ``pick`` is called with the id of the mark."""

    def clicked() -> None:
        for name in picked(key):
            pick(name)

    with _savable(drawn, key, key, source):
        st.plotly_chart(
            drawn.figure,
            key=key,
            config=_CONFIG,
            **_described(drawn),
            on_select=clicked,
            selection_mode="points",
        )


query_bars = component("query_bars", __file__)
"""Every query as a bar; a click picks the query."""
_linked = component("linked_charts", __file__)


def link_charts() -> None:
    """Light up what is hovered in a list or a ledger in the page's charts, and vice versa."""
    # Until a component is loaded, it would take the room of a line.
    with st.container(height=1, border=False):
        _linked(key="linked_charts")


# Two quick presses are two marks: a double click, which resets what is zoomed, would take the
# second one back.
_CONFIG = {"displayModeBar": False, "scrollZoom": False, "doubleClickDelay": 0}


@contextmanager
def _savable(
    drawn: charts.Chart, element: str, name: str, source: Provenance | None
) -> Iterator[None]:
    """Put a button that saves a chart into the chart's corner; ``page.css`` places it."""
    with st.container(gap=None, key=f"savable_{element}"):
        yield
        if source:
            save(drawn, element, name, source)


def save(drawn: charts.Chart, element: str, name: str, source: Provenance) -> None:
    """Show a button that saves the chart of an element's key as PNG or SVG."""
    words = name.replace("_", " ")
    _save(
        key=f"saver_{element}",
        data={
            "chart": element,
            "name": words,
            "file": source.file(words),
            "title": source.sentence,
            "alt": drawn.alt,
            "ink": INK,
        },
    )


def picture(name: str, svg: str, file: str) -> None:
    """Show a button that saves a picture as PNG, and one that saves it as SVG.

    ``file``: without its extension.
    """
    _save(key=f"picture_{name}", data={"svg": svg, "name": name, "file": file}, width="content")


_save = component("save_chart", __file__)


_table = component("table", __file__)
_FIRST = 10
"""Of a long table these rows are shown first, so that what a press opens is in sight."""
_BY_CHANCE = 4
"""At most so many rows can be in the order of a column by chance."""
_SHORT = 40
"""A table in which no row is picked is long if it has more rows."""


def _drawn(
    frame: pd.DataFrame,
    key: str,
    missing: str = "–",
    index: bool = True,
    lit: pd.DataFrame | None = None,
    pick: Callable[[int], None] | None = None,
    picked: int | None = None,
    opens: str = "",
    toggles: bool = False,
) -> None:
    """Put a table into the page: its first rows, more on request, all sent ones on paper.

    ``lit``: which cells stand out. ``pick``: called with the position of the row that is pressed.
    ``picked``: that of the picked row. ``opens``: the part of the page that shows it. ``toggles``:
    whether a second press takes it back.
    """
    if not len(frame):
        st.caption("None.")
        return
    place = f"table_{state.next_table()}"
    name = _name(frame, key or place)
    sent, sorts = f"{name}_rows", len(frame) > (1 if opens else _FIRST)
    most = state.value(sent) or tables.MOST_ROWS
    columns = {str(frame.index.name or ""): frame.index.to_series()} if index else {}
    columns |= {str(title): values for title, values in frame.items()}
    titles, values = [*columns], [*columns.values()]
    sides, order = (False, True), list(range(len(frame)))
    # ``-delta``: the largest delta is first.
    orders = {f"{'-' * down}{each}": (at, down) for at, each in enumerate(titles) for down in sides}
    sorted_by = f"{key or name}_by"
    by = orders.get(state.in_link(sorted_by, orders) if key else state.value(sorted_by))
    if by:
        order = tables.sorted_places(values[by[0]], by[1])
    elif len(frame) > _BY_CHANCE:
        by = tables.sorted_by(values)

    def pressed() -> None:
        what = state.value(place)["pressed"]
        if "more" in what:
            state.put({sent: most + tables.MOST_ROWS})
        elif "by" in what:
            at, down = what["by"]
            state.put({sorted_by: f"{'-' * down}{titles[at]}"})
        elif pick is not None:
            pick(order[int(what["row"])])

    drawn = tables.printed(frame.iloc[order], missing, index, most)
    drawn["meanings"] = [GLOSSARY.get(name, "") for name in drawn["columns"]]
    drawn["lit"] = [] if lit is None else lit.iloc[order].to_numpy().tolist()
    drawn["picked"] = None if picked is None else order.index(picked)
    long = len(frame) >= (2 * _FIRST if opens else _SHORT + 1)
    first = _FIRST if long else len(frame)
    drawn |= {"opens": opens, "toggles": toggles, "first": first, "by": by, "sorts": sorts}
    drawn["step"] = tables.MOST_ROWS
    # Until the component is loaded it takes its room, so that the page does not move.
    with st.container(key=f"drawn_{place}", height=36 * (first + 1), border=False):
        _table(key=place, data=drawn, on_pressed_change=pressed)


def spinner(text: str) -> AbstractContextManager[None]:
    """Show a spinner with this text while the block runs; Streamlit draws it from a thread."""
    return st.spinner(text) if workers.can_start_threads() else nullcontext()


def cache_spinner(text: str) -> str | bool:
    """Return ``show_spinner`` of a cached function that shows this text while it computes."""
    return workers.can_start_threads() and text
