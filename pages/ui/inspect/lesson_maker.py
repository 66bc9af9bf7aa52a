"""The dialog in which a teacher makes a lesson: its fields, and then its two links.

The fields and the links are never shown together, so that a link is that of the fields as they are.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from metrics.editing import History, hand_ranking, ranking_link
from metrics.link_text import LONGEST_LINK
from metrics.rendering import text
from metrics.teaching.lesson import ALLOWED, LONGEST, SHOWN, Lesson, hiding, one_line, pack

from .. import links, state
from .share import copy_link, warn_of_a_long_ranking

QUESTION = "What is the score of this ranking?"
"""The question of a lesson until the teacher writes another."""
_TEXTS = {
    "title": "Title: the heading of the page",
    "prompt": "Instructions: shown above the question",
    "question": "Question: students answer it with a prediction",
}
"""The labels of a lesson's texts."""
_FIELDS, _LINKS = "fields", "links"
"""What the dialog shows."""
_STEPS, _LINK, _OPEN = "steps", "link", "open"
_SCORE = {
    _STEPS: ("Students reveal it step by step", "They write a prediction first."),
    _LINK: ("Only your own link shows it", "They predict, and you show it."),
    _OPEN: ("Shown", "They see it from the start."),
}
"""What becomes of the score, and what students do then."""
# What one person does with a link is not in the link that is passed on.
_OWN = state.HIDE, state.TASK, state.SAID, state.REVEALED, state.PRESENT, state.VIEW, state.AT


def button(steps: History, lasting: bool, named: str) -> None:
    """Show a button that opens the dialog.

    ``named``: the words of the query. The others: as in `share.share`.
    """
    st.button("Make a lesson", on_click=_turn, args=(_FIELDS,))
    if state.arrived():
        # Back may have left the page with the dialog open.
        _turn(_FIELDS if state.value(state.MAKING) == state.ASKED else "")
    if state.value(state.MAKING):
        _dialog(steps, lasting, named)


def _turn(to: str) -> None:
    state.put({state.MAKING: to})


@st.dialog("Make a lesson", width="medium", on_dismiss=lambda: _turn(""))
def _dialog(steps: History, lasting: bool, named: str) -> None:
    warn_of_a_long_ranking(steps, lasting)
    draft = state.value(state.DRAFT) or _first()
    if state.value(state.MAKING) == _LINKS:
        # Students do not have the data, and so not the words.
        titled = replace(steps.present, title=hand_ranking.as_title(named))
        known = lasting or state.RANKING not in st.query_params
        _links(draft, {} if known else {state.RANKING: ranking_link.pack(titled)})
    elif lesson := _form(draft):
        state.put({state.DRAFT: lesson, state.MAKING: _LINKS})
        st.rerun()


def _first() -> Lesson:
    """Return the page's lesson with its score hidden and asked for."""
    now = state.lesson()
    return replace(
        now,
        question=now.question or QUESTION,
        shown=frozenset(SHOWN) - {"score"},
        allowed=frozenset(),
        steps=True,
    )


def _form(draft: Lesson) -> Lesson | None:
    """Ask for a lesson, beginning with the draft, and return it when it is sent."""
    now = _OPEN if "score" in draft.shown else _STEPS if draft.steps else _LINK
    score = st.radio(
        "Score",
        list(_SCORE),
        index=list(_SCORE).index(now),
        format_func=lambda name: _SCORE[name][0],
        captions=[then for _, then in _SCORE.values()],
        horizontal=True,
    )
    hidden = set() if score == _OPEN else {"score"}
    offered = [name for name in SHOWN if name not in hiding(Lesson(), hidden).hidden | {"score"}]
    # A form sends what is typed, also where the field still has the focus.
    with st.form("lesson", border=False):
        texts = {}
        for name, label in _TEXTS.items():
            look: Any = {"value": getattr(draft, name), "max_chars": LONGEST[name]}
            long = name == "prompt"
            texts[name] = st.text_area(label, **look) if long else st.text_input(label, **look)
        seen, can = [name for name in offered if name in draft.shown], sorted(draft.allowed)
        why = "A part that gives a hidden number away is hidden, too." if hidden else None
        look = {"format_func": (SHOWN | ALLOWED).__getitem__, "selection_mode": "multi"}
        seen = st.pills("Students see", offered, default=seen, help=why, **look)
        can = st.pills("Students can", list(ALLOWED), default=can, **look)
        made = st.form_submit_button("Make the links", type="primary")
    if not made:
        return None
    shown = {*seen} | (SHOWN.keys() - offered - hidden)
    lines = {name: one_line(words) for name, words in texts.items()}
    return Lesson(**lines, shown=frozenset(shown), allowed=frozenset(can), steps=score == _STEPS)


def _links(lesson: Lesson, ranking: Mapping[str, str]) -> None:
    """Show the students' link, and the teacher's, which hides nothing.

    ``ranking``: the parameter with the ranking, unless it is that of the address.
    """
    task = {state.TASK: pack(lesson), **ranking}
    hide = {state.HIDE: "-".join(sorted(lesson.hidden))} if lesson.hidden else {}
    theirs = links.link(hide | task, without=_OWN)
    if lesson.question:
        st.text(text.legible(f"Question: {lesson.question}"))
    st.markdown("**Link for students**")
    if "score" in lesson.hidden:
        st.caption("A student who edits the link can see the score.")
    copy_link("Copy student link", theirs, "students", primary=True)
    st.markdown("**Your link**, which shows everything")
    copy_link("Copy your link", links.link(task, without=_OWN), "teacher")
    if len(theirs) > LONGEST_LINK:
        st.warning(
            f"Some programs cut links of more than {LONGEST_LINK:,} characters. Shorten the texts."
        )
    st.button("Change the lesson", on_click=_turn, args=(_FIELDS,))
