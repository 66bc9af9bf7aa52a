"""The sign that a page computes: Streamlit draws it from a thread, where one can be started."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import streamlit as st

from metrics.reading.workers import can_start_threads


def spinner(text: str) -> AbstractContextManager[None]:
    """Show a spinner with this text while the block runs."""
    return st.spinner(text) if can_start_threads() else nullcontext()


def cache_spinner(text: str) -> str | bool:
    """Return ``show_spinner`` of a cached function that shows this text while it computes."""
    return can_start_threads() and text
