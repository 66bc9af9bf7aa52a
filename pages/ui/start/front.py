"""The front: what a ranking measure is, three doors, and one score as a sum."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from metrics.rendering import text
from metrics.teaching import story_views

from .. import state
from . import scene


def front() -> None:
    """Show what the app is for, and the ways into it."""
    st.markdown(
        "A **ranking measure** is a number for the order of search results: the sooner the useful "
        "results come, the higher it is. Rankscope shows how each one is made."
    )
    left, right = st.columns([4, 5], gap="medium")
    with left:
        _door(
            "Learn: why this score?",
            "Eight short scenes. You predict, then you see.",
            state.turn,
            state.SCENE,
            "1",
            primary=True,
        )
        _door(
            "Look into one query",
            "Reorder the results; see what each rank adds.",
            state.open_page,
            state.INSPECT,
            {},
        )
        _door(
            "Compare two runs",
            "Which of two systems is better, and where.",
            state.open_page,
            state.COMPARE,
            {},
        )
    with right:
        dcg = text.number(story_views.value(f"DCG@{story_views.K}"))
        ideal = text.number(story_views.value(f"IDCG@{story_views.K}"))
        st.markdown(
            f"Results for “{story_views.query()}”. Each adds its grade ÷ log₂(rank + 1). Their "
            f"sum, {dcg}, divided by the largest possible sum, {ideal}, is **{story_views.SCORE}**:"
        )
        scene.picture(story_views.cutoffs(story_views.K), "front")


def _door(
    label: str, gives: str, on_click: Callable[..., None], *args: Any, primary: bool = False
) -> None:
    """Show a button, and the line that says what it gives."""
    with st.container(gap="xxsmall"):
        st.button(
            label,
            type="primary" if primary else "secondary",
            width="stretch",
            on_click=on_click,
            args=args,
        )
        st.caption(gives)
