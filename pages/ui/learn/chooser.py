"""Choose a measure: questions that lead to a recommendation, and the usual choices."""

from functools import partial
from string import ascii_lowercase

import streamlit as st

from metrics import parse
from metrics.teaching.which_measure import Advice, Path, Question, follow

from .. import state
from . import cards

ROOM = "Which measure?"


def which_measure() -> None:
    """Show the answers so far, and the next question or the recommendation."""
    # A link can have answers that do not exist.
    state.recall(state.CHOICE, lambda choice: follow(choice) and choice)
    choice: str = state.value(state.CHOICE) or ""
    path = follow(choice)
    asked, usual = st.columns([3, 5], gap="medium")
    with asked:
        if path.question:
            _ask(path.question, choice, len(path.answered) + 1)
        if path.advice:
            _recommended(path.advice)
        # Below, so that the answers stay where one presses them.
        if choice:
            _answered(path, choice)
    state.keep(state.CHOICE, choice, "")
    with usual:
        st.header("Usual choices", anchor=False)
        st.caption("Report the first measure, the other beside it. Full bars: what a list earns.")
        cards.uses()
        st.caption(cards.means(*map(parse, ("RR", "AP"))))


def _answered(path: Path, choice: str) -> None:
    """Show the answers so far, and a button that goes back to the question of the last one."""
    back = partial(state.put, {state.CHOICE: choice.rpartition("-")[0]})
    st.button("Change the last answer", type="tertiary", on_click=back)
    answered = enumerate(path.answered, 1)
    st.markdown("\n".join(f"{at}. {each.text} **{answer}**" for at, (each, answer) in answered))


def _ask(question: Question, choice: str, number: int) -> None:
    """Show a question with a button for each answer."""
    st.container(key="asked").header(f"{number}. {question.text}", anchor=False)
    for letter, answer in zip(ascii_lowercase, question.answers, strict=False):
        after = f"{choice}-{letter}" if choice else letter
        go = partial(state.put, {state.CHOICE: after})
        st.button(answer, key=f"answer_{after}", on_click=go, width="stretch")


def _recommended(advice: Advice) -> None:
    st.header(f"Report {advice.measure}, with {advice.beside} beside it", anchor=False)
    measure, beside = parse(advice.measure), parse(advice.beside)
    cards.recommended(measure, beside)
    st.markdown(advice.why + cards.means(measure, beside))
    see = (state.INSPECT, {state.MEASURE: measure.symbol, state.K: measure.cutoff})
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(f"See {measure} on Inspect", on_click=state.open_page, args=see)
        st.button("Reset", on_click=state.put, args=({state.CHOICE: ""},))
