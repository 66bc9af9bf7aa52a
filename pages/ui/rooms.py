"""Tabs of which only the open one is computed; which one is open stands in the address."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from . import state

Rooms = Mapping[str, Callable[..., None]]
"""What each tab draws, by its title, which stands in links too."""


def recall(key: str, rooms: Rooms) -> None:
    """Take the open tab out of the link, before what is unknown there is told."""
    titles = list(rooms)
    state.recall(key, lambda title: titles[titles.index(title)])


def tabs(key: str, rooms: Rooms, *arguments: Any) -> None:
    """The rooms beside each other; the open one is drawn with these arguments."""
    first, *_ = rooms
    opened = st.tabs(list(rooms), key=key, on_change="rerun")
    for tab, draw in zip(opened, rooms.values(), strict=True):
        if tab.open:
            with tab:
                draw(*arguments)
    state.keep(key, state.value(key) or first, first)
