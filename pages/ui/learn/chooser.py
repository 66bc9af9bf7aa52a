"""Choose a measure: questions that lead to a recommendation, and the usual choices."""

from functools import partial
from string import ascii_lowercase

import streamlit as st

from metrics import parse
from metrics.teaching.which_measure import Advice, Path, Question, follow

from .. import state
from . import cards

ROOM = "Which measure?"
_WIDE = 456
"""Of an answer, in pixels: room for each in one line, and for two of them side by side."""


def which_measure() -> None:
    """Show the answers so far, and the next question or the recommendation."""
    state.recall(state.CHOICE, _known)
    choice: str = state.value(state.CHOICE) or ""
    path = follow(choice)
    _answered(path, choice)
    if path.question:
        _ask(path.question, choice, len(path.answered) + 1)
    if path.advice:
        _recommended(path.advice)
    state.keep(state.CHOICE, choice, "")
    st.header("Usual choices", anchor=False)
    cards.uses("uses")


def _known(choice: str) -> str:
    """Return a choice from a link, if its answers exist."""
    follow(choice)
    return choice


def _answered(path: Path, choice: str) -> None:
    """Show each answer with a button that goes back to its question."""
    letters = choice.split("-")
    for number, (question, answer) in enumerate(path.answered):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"{number + 1}. {question.text} **{answer}**", width="content")
            back = partial(state.put, {state.CHOICE: "-".join(letters[:number])})
            st.button("Change", key=f"change_{number}", type="tertiary", on_click=back)


def _ask(question: Question, choice: str, number: int) -> None:
    """Show a question with a button for each answer."""
    st.header(f"{number}. {question.text}", anchor=False)
    with st.container(horizontal=True):
        for letter, answer in zip(ascii_lowercase, question.answers, strict=False):
            after = f"{choice}-{letter}" if choice else letter
            go = partial(state.put, {state.CHOICE: after})
            st.button(answer, key=f"answer_{after}", on_click=go, width=_WIDE)
    if left := question.measures:
        st.caption(f"Answers lead to {', '.join(left[:-1])} or {left[-1]}.")


def _recommended(advice: Advice) -> None:
    st.header("Recommendation", anchor=False)
    with st.container(border=True):
        st.markdown(
            f"Report **{advice.measure}**, with **{advice.beside}** beside it. {advice.why}"
            + cards.means(*map(parse, (advice.measure, advice.beside)))
        )
    symbol, _, cutoff = advice.measure.partition("@")
    with st.container(horizontal=True, vertical_alignment="center"):
        values = {state.MEASURE: symbol, state.K: int(cutoff)}
        see = partial(state.open_page, state.INSPECT, values)
        st.button(f"See {advice.measure} on Inspect", on_click=see)
        st.button("Reset", on_click=state.put, args=({state.CHOICE: ""},))
