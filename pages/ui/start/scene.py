"""The front, and one scene of the story: its idea, its control and picture, and its question."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import streamlit as st

from metrics import RankscopeError
from metrics.rendering import text
from metrics.rendering.comparison_files import Source
from metrics.teaching import story_views
from metrics.teaching.exercises import Number, Reply
from metrics.teaching.glossary import GLOSSARY
from metrics.teaching.story import Pick, Scene, Slide, ending, scenes
from metrics.teaching.story_views import SAMPLE, SCORE, View, value

from .. import show, state
from . import pictures

_REPLY = 76
"""Pixels kept for a reply, so that nothing moves when it appears: three lines on a phone."""


def scene(number: int) -> None:
    """Show the scene of this number, from 1."""
    chosen = scenes()[number - 1]
    st.markdown(chosen.sentences)
    left, right = st.columns([6, 5], gap="medium")
    with left:
        view = chosen.view(_control(number, chosen.control))
        st.markdown(view.sentence)
        picture(view, f"scene_{number}", pictures.HIGHEST)
    with right:
        _question(number, chosen)
        _steps(number)
    if number == len(scenes()):
        _end()


def picture(view: View, key: str, height: int | Literal["content"] = "content") -> None:
    """Show the picture of a view, and its table."""
    drawn = pictures.picture(view, st.context.theme.type == "dark")
    with st.container(height=height, border=False):
        show.chart(drawn, key)
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.popover("Table"):
            show.table(view.table)
        show.save(drawn, f"chart_{key}", key, Source((SAMPLE,), "", view.convention))
        words = f"Convention: {view.convention.label}."
        st.caption(words, width="content", help=GLOSSARY["convention"])


def _control(number: int, control: Slide | Pick) -> int | str:
    key = f"scene_{number}_control"
    if isinstance(control, Slide):
        return int(
            st.slider(
                control.label,
                control.first,
                control.last,
                control.start,
                key=key,
                persist_state="session",
            )
        )
    names = list(control.options)
    return str(
        st.segmented_control(
            control.label,
            names,
            format_func=control.options.__getitem__,
            default=names[0],
            required=True,
            key=key,
            persist_state="session",
        )
    )


def _question(number: int, asked: Scene) -> None:
    key = f"scene_{number}_answer"
    with st.container(gap="xsmall"):
        st.markdown(f"**What do you think?** {asked.question}")
        answer = _answer(key, asked)
    with st.container(height=_REPLY, border=False):
        if answer:
            reply = _reply(asked, answer)
            st.markdown(f"{'✓' if reply.right else '✗'} {reply.text}")


def _answer(key: str, asked: Scene) -> str | None:
    if isinstance(asked.blank, Number):
        return st.text_input(asked.blank.label, key=key, persist_state="session")
    return st.radio(
        asked.question,
        list(asked.blank.replies),
        index=None,
        key=key,
        persist_state="session",
        horizontal=True,
        label_visibility="collapsed",
    )


def _reply(asked: Scene, answer: str) -> Reply:
    try:
        return asked.check(answer)
    except RankscopeError as error:
        return Reply(False, text.code(str(error)))


def _steps(number: int) -> None:
    """Show the buttons to the scene before and the scene after."""
    with st.container(horizontal=True):
        before = str(number - 1) if number > 1 else ""
        st.button("Previous", key="previous", on_click=state.turn, args=(state.SCENE, before))
        if number < len(scenes()):
            following = (state.SCENE, str(number + 1))
            st.button("Next", key="next", type="primary", on_click=state.turn, args=following)


def _end() -> None:
    st.markdown(f"**Why {text.number(value(SCORE))}?** {ending()}")
    with st.container(horizontal=True):
        go = state.open_on_inspect
        st.button("Open this list on Inspect", type="primary", on_click=go, args=(SAMPLE,))
        st.button("Practice", on_click=state.open_page, args=(state.PRACTICE, {}))


def front() -> None:
    """Show what the app is for, and the ways into it."""
    st.markdown(
        "A **ranking measure** is a number for the order of search results: the sooner the useful "
        "results come, the higher it is. Rankscope shows how each one is made."
    )
    left, right = st.columns([4, 5], gap="medium")
    with left:
        learn = partial(state.turn, state.SCENE, "1")
        inspect, compare = (
            partial(state.open_page, page, {}) for page in (state.INSPECT, state.COMPARE)
        )
        eight = "Eight short scenes. You predict, then you see."
        _door("Learn: why this score?", eight, learn, "primary")
        _door("Look into one query", "Reorder the results; see what each rank adds.", inspect)
        _door("Compare two runs", "Which of two systems is better, and where.", compare)
    with right:
        dcg = text.number(story_views.value(f"DCG@{story_views.K}"))
        ideal = text.number(story_views.value(f"IDCG@{story_views.K}"))
        st.markdown(
            f"Results for “{story_views.query()}”. Each adds its grade ÷ log₂(rank + 1). Their "
            f"sum, {dcg}, divided by the largest possible sum, {ideal}, is **{story_views.SCORE}**:"
        )
        picture(story_views.cutoffs(story_views.K), "front")


def _door(label: str, gives: str, go: Callable[[], None], kind: Any = "secondary") -> None:
    """Show a button, and the line that says what it gives."""
    with st.container(gap="xxsmall"):
        st.button(label, type=kind, width="stretch", on_click=go)
        st.caption(gives)
