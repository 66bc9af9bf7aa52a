"""The button Share: the page's link, and the two links of a lesson."""

from __future__ import annotations

import streamlit as st

from metrics.editing.history import History
from metrics.editing.ranking_link import LONGEST_LINK, to_json
from metrics.teaching.lesson import ALLOWED, LONGEST, SHOWN, Lesson, hiding, one_line, pack

from .. import links, state

QUESTION = "What is the score of this ranking?"
"""The question of a lesson until the teacher writes another."""
_STEPS, _LINK, _OPEN = "steps", "link", "open"
_SCORE = {
    _STEPS: "Hidden; students reveal it step by step",
    _LINK: "Hidden, except in your own link",
    _OPEN: "Shown",
}
# What one person does with a link is not in the link that is passed on.
_OWN = state.HIDE, state.TASK, state.SAID, state.REVEALED, state.PRESENT


def button(steps: History, lasting: bool) -> None:
    """Show a button with the link to copy, and with the form for a lesson.

    ``lasting``: others can open the same data, so the link does not need an unedited ranking.
    """
    with st.popover("Share"):
        page, lesson = st.tabs(["Link", "Lesson"])
        needed = not lasting or steps.present != steps.original
        if needed and state.RANKING not in st.query_params:
            st.warning(
                f"The ranking is too long for a link (limit {LONGEST_LINK:,} characters). Save it "
                "as a file, and open the file with Paste."
            )
        with page:
            st.code(links.link({}), language=None, wrap_lines=True)
            st.download_button(
                "Save the ranking",
                to_json(steps.present),
                on_click="ignore",
                file_name="ranking.json",
                mime="application/json",
            )
        with lesson:
            _links(_form())


def _form() -> Lesson:
    """Ask for a lesson; as it opens, the score is hidden and asked for."""
    now = state.lesson()
    texts = {
        "title": st.text_input("Title", value=now.title, max_chars=LONGEST["title"]),
        "prompt": st.text_area("Prompt", value=now.prompt, max_chars=LONGEST["prompt"], height=80),
        "question": st.text_input(
            "Question (optional)", value=now.question or QUESTION, max_chars=LONGEST["question"]
        ),
    }
    score = st.radio("Score", list(_SCORE), format_func=_SCORE.__getitem__)
    hidden = set() if score == _OPEN else {"score"}
    offered = [name for name in SHOWN if name not in hiding(Lesson(), hidden).hidden | {"score"}]
    seen = st.pills(
        "Students see",
        offered,
        format_func=SHOWN.__getitem__,
        selection_mode="multi",
        default=offered,
        help="A part that gives a hidden number away is hidden, too." if hidden else None,
    )
    can = st.pills(
        "Students can", list(ALLOWED), format_func=ALLOWED.__getitem__, selection_mode="multi"
    )
    shown = {*seen} | ({"score"} - hidden)
    lines = {name: one_line(words) for name, words in texts.items()}
    return Lesson(**lines, shown=frozenset(shown), allowed=frozenset(can), steps=score == _STEPS)


def _links(lesson: Lesson) -> None:
    """Show the students' link, and the teacher's, which hides nothing."""
    task = {state.TASK: pack(lesson)}
    hide = {state.HIDE: "-".join(sorted(lesson.left_out))} if lesson.left_out else {}
    theirs = links.link(hide | task, without=_OWN)
    st.markdown("**Link for students**")
    st.code(theirs, language=None, wrap_lines=True)
    st.markdown("**Your link**, which shows everything")
    st.code(links.link(task, without=_OWN), language=None, wrap_lines=True)
    if len(theirs) > LONGEST_LINK:
        st.warning(
            f"Some programs cut links of more than {LONGEST_LINK:,} characters. Shorten the texts."
        )
