"""A lesson as a student sees it: its texts, the prediction, and the reveal.

What a lesson hides is computed, but not sent to the browser. A student can edit the address by
hand and so open the page without the lesson: a lesson helps to think first, and is no exam.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import streamlit as st

from metrics import Convention, Ledger, Measure, RankscopeError
from metrics.editing import History
from metrics.measures import UNIT
from metrics.rendering import convention_text, text
from metrics.teaching.lesson import (
    ALLOWED,
    IDEAL,
    LONGEST_PREDICTION,
    SCORE,
    SHOWN,
    TOP,
    Lesson,
    as_number,
    hiding,
    how_far,
    pack,
    predicted,
    unpack,
)

from .. import ledger_view, state, widgets

_LABEL, _WIDTH = "Your prediction", 112


def receive() -> Lesson:
    """Read the lesson in the link that opened this session, and return this page's lesson."""
    names, packed = state.arrived_with(state.HIDE), state.arrived_with(state.TASK)
    if names or packed:
        state.teach(_read(names, packed))
        # Its ranking is that of the link, whatever this tab has edited.
        state.put({state.FRESH: not state.in_address(state.RANKING)})
    if state.lesson().steps:
        state.recall(state.REVEALED, state.among((TOP, IDEAL, SCORE)))
        state.keep(state.REVEALED, state.value(state.REVEALED) or "", "")
    lesson = state.lesson()
    # On the way back from another page the address has lost it.
    if lesson.left_out and state.HIDE not in st.query_params:
        st.query_params[state.HIDE] = "-".join(sorted(lesson.left_out))
    if (lesson.written or lesson.steps) and state.TASK not in st.query_params:
        st.query_params[state.TASK] = pack(lesson)
    return lesson


def _read(names: str, packed: str) -> Lesson:
    """Return the lesson of a link: the parts that it hides, and its texts."""
    lesson = Lesson()
    if packed:
        try:
            lesson = unpack(packed)
        except RankscopeError as error:
            state.set_unknown(state.TASK, packed, str(error))
    parts = set(names.split("-")) - {""}
    if unknown := parts - SHOWN.keys() - ALLOWED.keys():
        state.set_unknown(state.HIDE, "-".join(sorted(unknown)))
    return hiding(lesson, parts - unknown)


def settings(query: str, measure: Measure, convention: Convention, hidden: Collection[str]) -> str:
    """Return the query, and the measure and the convention where students cannot choose them.

    ``query``: its words, unless they are the heading.
    """
    words = [f"Query: {text.code(query)}."] if query else []
    if "measure" in hidden:
        words.append(f"Measure: {measure}.")
    if "convention" in hidden and "rules" not in hidden:
        words.append(f"Convention: {convention_text.line(convention, measure)}.")
    return " ".join(words)


def ledgers(ledger: Ledger, hidden: Collection[str]) -> Sequence[Ledger]:
    """Return the ledgers to show: all, or those that students revealed before the score."""
    if "lines" not in hidden:
        return ledger.parts
    return ledger.parts[: _revealed(ledger, hidden)]


def _revealed(ledger: Ledger, hidden: Collection[str]) -> int:
    """Return how many ledgers students revealed; the only one of a measure is its score."""
    if "score" not in hidden or not state.lesson().steps or ledger.ideal is None:
        return 0
    return {TOP: 1, IDEAL: 2}.get(state.value(state.REVEALED) or "", 0)


def task(lesson: Lesson, ledger: Ledger | None) -> None:
    """Show the lesson's texts, the field for the prediction, and how far it was from the score."""
    if not lesson.written and not lesson.steps:
        return
    with st.container(key="task"):
        if lesson.prompt:
            st.text(text.legible(lesson.prompt))
        if lesson.question:
            st.header(text.code(lesson.question), anchor=False)
        hidden, asked = "score" in lesson.hidden, _asked(lesson)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            said = _prediction(hidden) if asked else ""
            if ledger is not None and hidden and lesson.steps:
                _next_step(ledger, bool(lesson.question))
        if ledger is None:
            return
        if hidden and asked:
            st.caption(_noted(said, ledger, lesson))
        elif lesson.question and (said or not asked):
            _compare(said, ledger, lesson.steps)


def _noted(said: str, ledger: Ledger, lesson: Lesson) -> str:
    """Return that the prediction is noted, and what can change; without one, what to do."""
    edits = lesson.steps and "editing" in lesson.allowed
    if not said:
        first = " You can edit the list first." if edits else ""
        return state.message(state.UNSAID) or f"Write your prediction, then press Enter.{first}"
    if doubt := _doubt(said, ledger):
        return doubt
    if not lesson.steps:
        return f"Noted: {text.code(said)}. Your teacher shows the score."
    what = "it and the list" if edits else "it"
    change = f" You can change {what} until you reveal {_names(ledger)[0]}."
    if _locked():
        change = " Later edits of the list do not count." if edits else ""
    if predicted(said) is None:
        change += " A number, such as 0.75, would be compared with the score."
    return f"Noted: {text.code(said)}.{change}"


def _predicted(said: str, ledger: Ledger) -> tuple[str, float]:
    """Return the measure and the score of which this is the prediction: those at the reveal."""
    held: tuple[str, str, float] = state.value(state.MARKED) or ("", "", 0.0)
    if not said or held[0] != said:
        held = said, str(ledger.measure), float(ledger.scores[0])
        state.put({state.MARKED: held})
    return held[1:]


def _doubt(said: str, ledger: Ledger) -> str:
    """Return the question what a number above 1 means; empty where a score can be so high."""
    value = predicted(said)
    if value is None or value <= 1 or ledger.measure.value_range != UNIT:
        return ""
    meant = text.number(float(value) / (10 if value < 10 else 100), 2)
    question = f"is {meant} meant?" if value <= 100 else "write a number up to 1."
    return f"{ledger.measure} is at most 1: {question}"


def score(lesson: Lesson, ledger: Ledger, steps: History, terms: bool) -> None:
    """Show the score, or its empty bar and what is revealed; on both the prediction is marked.

    ``terms``: as in `ledger_view.score`.
    """
    hidden = "score" in lesson.hidden
    marks = _marks(str(state.value(state.SAID) or ""), ledger, hidden) if lesson.question else []
    if not hidden:
        edited = state.value(state.EDITED) or ""
        ledger_view.score(ledger, steps, terms, edited, marks)
        return
    ledger_view.unknown(ledger.measure, marks)
    if revealed := ledgers(ledger, lesson.hidden):
        parts = dict(zip(_names(ledger), revealed, strict=False))
        ledger_view.arithmetic(parts, steps.present.query)


def _marks(said: str, ledger: Ledger, hidden: bool) -> list[Mapping[str, Any]]:
    """Return the prediction, and the score unless it is hidden, as places on the score's bar.

    Only a bar from 0 to 1 has a scale that says nothing of the score.
    """
    value, known, scale = predicted(said), float(ledger.scores[0]), ledger.measure.value_range
    if value is None or scale != UNIT or _doubt(said, ledger) or math.isnan(known):
        return []
    places = {} if hidden else {f"{ledger.measure}: {text.number(known)}": known}
    places[f"you: {as_number(said)}"] = float(value)
    return [{"text": words, "at": min(max(at, 0.0), 1.0)} for words, at in places.items()]


def _asked(lesson: Lesson) -> bool:
    """Return whether there is a field for a prediction; the teacher, who sees all, needs none."""
    said = state.value(state.SAID) or st.query_params.get(state.SAID)
    return bool(lesson.question and (lesson.left_out or said))


def _names(ledger: Ledger) -> list[str]:
    """Return what students reveal, in this order; the last is the score."""
    top = ledger.parts[0].measure
    return [str(top), f"ideal {top}", str(ledger.measure)] if ledger.ideal else [str(top)]


def _locked() -> str:
    """Return the prediction once a part of the score is revealed; before, an empty text.

    It stays also where Back shows the page before the reveal.
    """
    if not state.value(state.LOCKED) and state.value(state.REVEALED):
        state.recall(state.SAID, _cut)
        state.put({state.LOCKED: state.value(state.SAID)})
    return str(state.value(state.LOCKED) or "")


def _cut(link: str) -> str:
    return link[:LONGEST_PREDICTION]


def _prediction(hidden: bool) -> str:
    """Ask for the prediction, which the address keeps, until it is locked.

    ``hidden``: whether the score is; then a locked prediction is shown, so that nothing moves.
    """
    if locked := _locked():
        state.put({state.SAID: locked})
        state.keep(state.SAID, locked, "")
        if hidden:
            st.text_input(_LABEL, value=locked, disabled=True, width=_WIDTH)
        return locked

    def draw() -> str:
        look: Any = {"value": state.value(state.SAID), "max_chars": LONGEST_PREDICTION}
        return str(st.text_input(_LABEL, key=state.SAID, width=_WIDTH, **look))

    return widgets.settled(state.SAID, "", _cut, draw, "")


def _next_step(ledger: Ledger, asked: bool) -> None:
    """Show the button that reveals the next part of the score: DCG, the ideal DCG, the score."""
    names, step = _names(ledger), _revealed(ledger, {"score"})
    stage = (TOP, IDEAL, SCORE)[step - len(names)]

    def show() -> None:
        said = str(state.value(state.SAID) or "")
        missing = asked and (not said or bool(_doubt(said, ledger)))
        state.put({state.UNSAID: "**Write your prediction first.**" if missing else ""})
        if not missing:
            _predicted(said, ledger)
            state.put({state.REVEALED: stage})

    place = f"step {step + 1:d} of {len(names)}: " if len(names) > 1 else ""
    st.button(f"Reveal {place}{names[step]}", type="primary", on_click=show)


def _compare(said: str, ledger: Ledger, steps: bool) -> None:
    """Show the score, how far a prediction is from it, and after the last step what is next.

    What was predicted is the score before later edits.
    """
    now = str(ledger.measure), float(ledger.scores[0])
    name, score = _predicted(said, ledger)
    far = how_far(said, score)
    later = f" Now {now[0]} is **{text.number(now[1])}**." if now != (name, score) else ""
    st.markdown(
        f"{f'You said {text.code(as_number(said))}; ' if said else ''}"
        f"{name} is **{text.number(score)}**{f': **{far}**' if far else ''}.{later}"
    )
    if steps:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption("The list shows what each rank earns. Next, work one out:", width="content")
            st.button(
                "Practice", type="tertiary", on_click=state.open_page, args=(state.PRACTICE, {})
            )
