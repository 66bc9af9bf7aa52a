"""Tabs that compute only the open one and keep its name in the link."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from . import state

Tabs = Mapping[str, Callable[..., None]]
"""The function that draws each tab, by the tab's title, which is also its name in links."""


def recall(key: str, tabs: Tabs) -> None:
    """Read the open tab from the link, before unknown values in the link are reported."""
    state.recall(key, state.among(tabs))


def draw(key: str, tabs: Tabs, *arguments: Any) -> None:
    """Draw the tabs, and the content of the open one with these arguments."""
    first, *_ = tabs
    opened = st.tabs(list(tabs), key=key, on_change="rerun")
    for tab, content in zip(opened, tabs.values(), strict=True):
        if tab.open:
            with tab:
                content(*arguments)
    state.keep(key, state.value(key) or first, first)
