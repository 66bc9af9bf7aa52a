"""Show tables, formulas, charts, downloads and waiting on a page, each in one way."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from inspect import signature
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from metrics.colours import INK, NEUTRAL, faint
from metrics.reading import workers
from metrics.rendering import Provenance, charts, tables
from metrics.teaching import GLOSSARY
from metrics.writing import FILES, Table

from . import state
from .inline import component

_NARROW = {"rank": 44, "grade": 56}
"""Columns of short numbers beside a tick box, with their widths in pixels."""


def table(frame: pd.DataFrame, missing: str = "–", lit: pd.DataFrame | None = None) -> None:
    """Show a read-only table; texts stay literal, and numbers have the same digits everywhere.

    A long one scrolls in a box. ``lit``: which cells of a short one stand out.
    """
    if len(frame) <= _SHORT:
        # Rows without names need no numbers of their own.
        _ruled(frame, missing, "screen", lit is None or frame.index.name is not None, lit)
        return
    config: dict[str, Any] = {
        name: st.column_config.Column(help=GLOSSARY[name])
        for name in map(str, [frame.index.name, *frame.columns])
        if name in GLOSSARY
    }
    for name in map(str, frame.select_dtypes("float")):
        config[name] = st.column_config.NumberColumn(
            format=tables.digits(name), help=GLOSSARY.get(name)
        )
    with st.container(gap=None):
        # The last visible row is cut in half to show that there are more.
        shown = _with_signs(frame, frame, config, missing)
        st.dataframe(shown, column_config=config, height=476, placeholder=missing)
        _ruled(frame, missing, _on_a_phone(frame))


_SHORT = 40
"""At most this many rows are drawn one below the other; more scroll in a box."""
_FIRST = 10
"""Of the rows of a box a phone shows these, so that what a press opens is in sight."""
STYLED = 300
"""At most this many rows have a style of each cell, which takes long for more."""


def picking_table(
    frame: pd.DataFrame,
    key: str,
    pick: Callable[[int], None] | None = None,
    picked: str | None = None,
    widths: Mapping[str, int] | None = None,
    opens: str = "two_lists",
    at: int | None = None,
) -> int | None:
    """Show a table in which one row can be picked, and return its position from 0.

    A tick, a press on a cell and, on a phone, one on a row pick it.

    ``pick`` is called with the position before the page is drawn again. ``picked``: the index of
    the row to shade. ``widths``: those of columns, in pixels. ``opens``: the key of the part of the
    page that shows the picked row, which is scrolled into sight. ``at``: the position of the row
    that counts as picked before one is.
    """
    # A tick is the number of a row, which is another one in other rows, or in another order.
    rows = [*frame.index, *frame.get("document", ())]
    key = f"table_{key}_{hashlib.sha256(repr(rows).encode()).hexdigest()[:16]}"
    pressed, seen = f"{key}_pressed", f"{key}_seen"

    def press(place: int) -> None:
        state.put({pressed: place})
        if pick:
            pick(place)

    def chosen() -> set[tuple[Any, ...]]:
        selection = (state.value(key) or {"selection": {"rows": [], "cells": []}})["selection"]
        return {*((place,) for place in selection["rows"]), *map(tuple, selection["cells"])}

    def ticked() -> None:
        before, now = state.value(seen), chosen()
        # Who takes a tick away has pressed its row again.
        for new, *_ in now - before or {each for each in before - now if len(each) == 1}:
            press(int(new))

    state.put({seen: chosen()})
    if (last := state.value(pressed)) is not None:
        at = last
    lit = at if pick is None else None
    if picked in frame.index:
        lit = frame.index.tolist().index(picked)

    config = _widths_and_digits(frame, widths or {})
    # A name is a cell like others: one of an index cannot be pressed.
    grid = frame.reset_index()
    shown = grid if lit is None or len(frame) > STYLED else _shaded(grid, lit)
    shown = _with_signs(grid, shown, config, "–")
    with st.container(gap=None):
        st.dataframe(
            shown,
            key=key,
            column_config=config,
            height=min(38 + 35 * max(len(frame), 1), 476),
            row_height=35,
            placeholder="–",
            on_select=ticked,
            selection_mode=["single-row", "single-cell"],
            hide_index=True,
        )
        of_part = {"at": at, "part": opens, "picked": lit}
        _ruled(frame, "–", _on_a_phone(frame), pick=press, opens=of_part)
    return at


def _widths_and_digits(frame: pd.DataFrame, widths: Mapping[str, int]) -> dict[str, Any]:
    """Return the look of each column of a table in which rows are picked."""
    config: dict[str, Any] = {
        name: st.column_config.NumberColumn(
            format=tables.digits(name), width=max(70, 8 * len(name))
        )
        for name in map(str, frame.select_dtypes("float"))
    }
    longest = max(map(len, map(str, [frame.index.name, *frame.index])))
    config[str(frame.index.name)] = st.column_config.Column(
        width=min(136, 32 + 8 * longest), pinned=True
    )
    for name, width in {**_NARROW, **widths}.items():
        config[name] = {**config.get(name, st.column_config.Column()), "width": width}
    return config


def _on_a_phone(frame: pd.DataFrame) -> str:
    """Return where a table is drawn beside its box: on paper, and on a phone if it fits whole."""
    return "phone" if len(frame) <= tables.MOST_ROWS else "paper"


def _shaded(frame: pd.DataFrame, place: int) -> Styler:
    """Return a table with one row shaded."""
    # Only this row: a style for each row takes longer than all else that is done for the table.
    colour = f"background-color: {faint(NEUTRAL, 0.2)}"
    return frame.style.apply(
        lambda shaded: np.full(shaded.shape, colour),
        axis=None,
        subset=pd.IndexSlice[frame.index[[place]], :],
    )


def _with_signs(
    frame: pd.DataFrame, shown: pd.DataFrame | Styler, config: dict[str, Any], missing: str
) -> pd.DataFrame | Styler:
    """Return a table with a plus before positive deltas, and a minus where Streamlit has a hyphen.

    ``config``: of these columns it loses the format, which would come before the sign.
    """
    floats = frame.select_dtypes("float")
    signed = [
        name for name in map(str, floats) if tables.is_delta(name) or (floats[name] < 0).any()
    ]
    if not signed or len(frame) > STYLED:
        return shown
    for name in signed:
        config[name] = {**config[name], "type_config": {"type": "number"}}
    styled = shown if isinstance(shown, Styler) else frame.style
    return styled.format({name: partial(tables.cell, name) for name in signed}, na_rep=missing)


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


_CONFIG = {"displayModeBar": False, "scrollZoom": False}


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


def _ruled(
    frame: pd.DataFrame,
    missing: str,
    on: str,
    index: bool = True,
    lit: pd.DataFrame | None = None,
    pick: Callable[[int], None] | None = None,
    opens: Mapping[str, object] | None = None,
) -> None:
    """Put a table with all its rows into the page.

    ``on``: ``screen`` for everywhere, ``phone`` for a phone and paper, or ``paper``; see
    ``page.css``. ``lit``: which cells stand out. ``pick``: called with the position of the row that
    is picked. ``opens``: the picked row, and the part of the page that shows it.
    """
    key = f"{on}_{state.next_table()}"

    def picked() -> None:
        if pick is not None:
            pick(int(state.value(key)["picked"]))

    # Until the component is loaded it takes its room on a screen and none elsewhere, so that the
    # page does not move.
    height = 30 * (len(frame) + 1) if on == "screen" else 1
    with st.container(key=f"on_{key}", height=height, border=False):
        drawn = tables.printed(frame, missing, index)
        drawn["meanings"] = [GLOSSARY.get(name, "") for name in drawn["columns"]]
        marked = [] if lit is None else lit.to_numpy().tolist()
        first = _FIRST if on == "phone" and len(frame) >= 2 * _FIRST else len(frame)
        data = {**drawn, "opens": opens, "lit": marked, "first": first}
        _table(key=key, data=data, on_picked_change=picked)


def spinner(text: str) -> AbstractContextManager[None]:
    """Show a spinner with this text while the block runs; Streamlit draws it from a thread."""
    return st.spinner(text) if workers.can_start_threads() else nullcontext()


def cache_spinner(text: str) -> str | bool:
    """Return ``show_spinner`` of a cached function that shows this text while it computes."""
    return workers.can_start_threads() and text
