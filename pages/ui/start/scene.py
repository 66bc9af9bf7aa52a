"""One scene of the story: the list with its score, its idea, its control, and its question."""

import streamlit as st

from metrics import RankscopeError
from metrics.rendering import text
from metrics.teaching import story_views
from metrics.teaching.exercises import Number, Reply
from metrics.teaching.story import Pick, Scene, Slide, Touch, ending, scenes
from metrics.teaching.story_views import DIGITS, SAMPLE, View, laptop

from .. import ledger_view, ranking_list, show, state, strip

_REPLY = 76
"""Pixels kept for a reply, so that nothing moves when it appears: three lines on a phone."""
_FIRST = "_first"
"""Whether the first answer to each question was right, by the number of the scene."""


def scene(number: int) -> None:
    """Show the scene of this number, from 1."""
    chosen = scenes()[number - 1]
    _rail(number)
    with st.container(key="scene"):
        left, right = st.columns([6, 5], gap="large")
    # On a phone the list is between the two.
    words, question = right.container(key="scene_words"), right.container(key="scene_question")
    with words:
        st.markdown(chosen.sentences)
        view = chosen.view(_control(number, chosen.control))
        # It has its room, so that nothing moves when it becomes longer.
        with st.container(key="scene_says"):
            st.markdown(view.sentence)
    with question:
        _question(number, chosen)
        _steps(number)
    with left:
        _list(view, number if isinstance(chosen.control, Touch) else 0)
    if number == len(scenes()):
        _end()


def _rail(number: int) -> None:
    """Show the titles of all scenes, each of which opens it."""
    titles = {place: scene.title for place, scene in enumerate(scenes(), 1)}
    state.put({"rail": number})
    st.segmented_control(
        "Scenes",
        list(titles),
        format_func=lambda place: f"{place} {titles[place]}",
        key="rail",
        label_visibility="collapsed",
        required=True,
        on_change=lambda: state.turn(state.SCENE, str(state.value("rail"))),
    )


def _list(view: View, movable: int) -> None:
    """Show the list of a view, which the scene of the number ``movable`` lets one move, if any."""
    rows = ranking_list.rows(view.ranking, view.ledger, {}, view.cutoff, DIGITS)
    if view.bars:
        rows["shares"] = None
        for row in rows["ranked"]:
            row |= view.bars[row["id"]]._asdict()
    if movable:
        hint = "Drag a row, or ▲ ▼."
        ranking_list.movable_list(f"scene_{movable}", laptop(), rows, hint=hint)
    else:
        ranking_list.locked_list("story", rows, view.marked)
    if view.ledger:
        ledger_view.bar(view.ledger, view.ranking.query, DIGITS)
    if view.measures:
        strip.read_only(view.measures, DIGITS)
    with st.popover("As a table", type="tertiary"):
        show.table(view.table)
        st.caption(f"Convention: {view.convention.label}.")


def _control(number: int, control: Slide | Pick | Touch) -> object:
    """Show the control of a scene, and return its value."""
    key = f"scene_{number}_control"
    if isinstance(control, Touch):
        return ranking_list.moved(f"scene_{number}", laptop()).present
    if isinstance(control, Slide):
        return st.slider(
            control.label,
            control.first,
            control.last,
            control.start,
            key=key,
            persist_state="session",
        )
    names = list(control.options)
    return st.segmented_control(
        control.label,
        names,
        format_func=control.options.__getitem__,
        default=names[0],
        required=True,
        key=key,
        persist_state="session",
    )


def _question(number: int, asked: Scene) -> None:
    key = f"scene_{number}_answer"

    def answered() -> None:
        first = state.value(_FIRST) or {}
        if state.value(key) and number not in first:
            state.put({_FIRST: {**first, number: _reply(asked, state.value(key)).right}})

    answer: str | None
    with st.container(gap="xsmall"):
        st.markdown(f"**What do you think?** {asked.question}")
        if isinstance(asked.blank, Number):
            label = asked.blank.label
            answer = st.text_input(label, key=key, persist_state="session", on_change=answered)
        else:
            answer = st.radio(
                asked.question,
                list(asked.blank.replies),
                index=None,
                key=key,
                persist_state="session",
                horizontal=True,
                label_visibility="collapsed",
                on_change=answered,
            )
    with st.container(height=_REPLY, border=False):
        if answer:
            reply = _reply(asked, answer)
            st.markdown(f"{'✓' if reply.right else '✗'} {reply.text}")


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
    first = state.value(_FIRST) or {}
    score = story_views.shown(story_views.value(story_views.SCORE))
    with st.container(border=True):
        st.subheader(f"Why {score}?", anchor=False)
        st.markdown(ending())
        if first:
            st.markdown(f"You predicted **{sum(first.values())} of {len(scenes())}** at first try.")
        with st.container(horizontal=True):
            go = state.open_on_inspect
            st.button("Open this list on Inspect", type="primary", on_click=go, args=(SAMPLE,))
            st.button("Practice", on_click=state.open_page, args=(state.PRACTICE, {}))
