"""Tabs of which only the open one is computed; which one is open stands in the address."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from . import state

Tabs = Mapping[str, Callable[..., None]]
"""What each tab draws, by its title, which stands in links too."""


def recall(key: str, tabs: Tabs) -> None:
    """Take the open tab out of the link, before what is unknown there is told."""
    state.recall(key, state.among(tabs))


def draw(key: str, tabs: Tabs, *arguments: Any) -> None:
    """The tabs beside each other; the open one is drawn with these arguments."""
    first, *_ = tabs
    opened = st.tabs(list(tabs), key=key, on_change="rerun")
    for tab, content in zip(opened, tabs.values(), strict=True):
        if tab.open:
            with tab:
                content(*arguments)
    state.keep(key, state.value(key) or first, first)
