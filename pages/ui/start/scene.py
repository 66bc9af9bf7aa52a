"""The scenes of the story: the list with its score, an idea, a control, and a question."""

from typing import Any

import streamlit as st

from metrics import RankscopeError
from metrics.editing import History, edits
from metrics.rendering import text
from metrics.teaching import exercises, story
from metrics.teaching.exercises import Number, Reply

from .. import ledger_view, ranking_list, show, state, strip

END = "end"
"""What the address says of the closing card instead of a number."""
WHY = f"Why {story.shown(story.value(story.SCORE))}?"
"""The story's question."""
_FIRST = "_first"
"""Whether the first answer to each question was right, by the number of the scene."""


def scene(number: int) -> None:
    """Show the scene of this number, from 1."""
    chosen = story.scenes()[number - 1]
    control, name = chosen.control, f"scene_{number}"
    steps = ranking_list.moved(name, story.laptop())
    _rail(number)
    left, right = st.container(key="scene").columns(2, gap="large")
    # On a phone the list is above the question.
    parts = ("words", "score", "question")
    words, score, question = (right.container(key=f"scene_{of}") for of in parts)
    with words:
        with st.container(key="prose_scene"):
            st.markdown(chosen.sentences)
        view = chosen.view(
            steps.present if isinstance(control, story.Touch) else _control(number, control)
        )
        # It has its room, so that nothing moves when it becomes longer.
        with st.container(key="scene_says"):
            st.markdown(view.sentence)
    with score:
        _score(view, steps)
    with question:
        _question(number, chosen)
    with left:
        _list(view, name if isinstance(control, story.Touch) else "")


def end() -> None:
    """Show the answer to the story's question beside its list, and the ways on."""
    _rail(len(story.scenes()), ended=True)
    left, right = st.container(key="scene").columns(2, gap="large")
    with left:
        _list(story.ratio(story.laptop()))
    with right.container(key="scene_words"):
        with st.container(key="prose_end"):
            st.markdown(story.ending())
        ranked = story.laptop()
        orders = {"as ranked": ranked, "in the ideal order": edits.best_first(ranked)}
        for order, ranking in orders.items():
            name, ledger = f"{story.SCORE} {order}", ranking.ledger(story.SCORE)
            ledger_view.bar(ledger, ranking.query, story.DIGITS, key=f"score {order}", name=name)
        if first := state.value(_FIRST):
            st.markdown(
                f"You answered **{len(first)} of {len(story.scenes())}**, and predicted "
                f"**{sum(first.values())}** right at the first try."
            )
        with st.container(horizontal=True):
            go, this = state.open_on_inspect, (story.SAMPLE,)
            st.button("Open this list on Inspect", type="primary", on_click=go, args=this)
            st.button("Practice", on_click=state.open_page, args=(state.PRACTICE, {}))


def _rail(number: int, ended: bool = False) -> None:
    """Show the titles of all scenes, each of which opens it, and the steps back and on."""
    marks = {at: " ✓" * right for at, right in (state.value(_FIRST) or {}).items()}
    scenes = enumerate(story.scenes(), 1)
    titles = {at: f"**{at}{marks.get(at, '')}** {of.title}" for at, of in scenes}
    state.put({"rail": None if ended else number})
    on = ("Next", str(number + 1)) if number < len(titles) else ("See the answer", END)
    before = str(number if ended else number - 1 or "")
    steps = {"previous": ("Previous", before), "next": ("Back to Start", "") if ended else on}
    with st.container(key="steps", horizontal=True, vertical_alignment="center", gap="small"):
        st.segmented_control(
            "Scenes",
            list(titles),
            # On a phone the numbers alone are shown, with the ticks.
            format_func=titles.__getitem__,
            key="rail",
            label_visibility="collapsed",
            required=not ended,
            on_change=lambda: state.turn(state.SCENE, str(state.value("rail"))),
            width="stretch",
        )
        for key, (label, to) in steps.items():
            look: Any = "primary" if key == "next" and not ended else "secondary"
            st.button(label, key=key, type=look, on_click=state.turn, args=(state.SCENE, to))


def _list(view: story.View, name: str = "") -> None:
    """Show the list of a view, which can be moved if it has a name."""
    rows = ranking_list.rows(view.ranking, view.ledger, {}, view.cutoff, story.DIGITS)
    if view.bars:
        rows |= {"shares": None, "bare": False, "scored": True, "ruler": view.is_ruler}
        for row in rows["ranked"]:
            row |= view.bars[row["id"]]._asdict()
    hint = f"Results for “{story.query()}”."
    if name:
        ranking_list.movable_list(name, story.laptop(), rows, hint=f"{hint} Drag a row.")
    else:
        ranking_list.locked_list("story", rows, view.marked, hint)
    with st.popover("As a table", type="tertiary", key="as_table"):
        show.table(view.table)


def _score(view: story.View, steps: History) -> None:
    """Show the score of a view as a bar, and other measures, if it has them."""
    look: dict[str, Any] = {"name": view.score, "outlined": view.outlined}
    if view.ledger:
        ledger_view.bar(view.ledger, view.ranking.query, story.DIGITS, steps=steps, **look)
    else:
        ledger_view.summed(view.parts, view.whole, ruler=view.is_ruler, **look)
    if view.measures:
        strip.read_only(view.measures, story.DIGITS)


def _control(number: int, control: story.Slide | story.Pick) -> object:
    """Show the control of a scene, and return its value."""
    look: Any = {"key": f"scene_{number}_control", "persist_state": "session"}
    if isinstance(control, story.Slide):
        return st.slider(control.label, 1, control.last, control.start, **look)
    names = list(control.options)
    look |= {"format_func": control.options.__getitem__, "default": names[0], "required": True}
    return st.segmented_control(control.label, names, **look)


def _question(number: int, asked: story.Scene) -> None:
    key = f"scene_{number}_answer"

    def answered() -> None:
        first = state.value(_FIRST) or {}
        if state.value(key) and number not in first:
            reply = _reply(asked, state.value(key))
            if reply.sign in (exercises.RIGHT, exercises.WRONG):
                state.put({_FIRST: {**first, number: reply.right}})

    answer: str | None
    with st.container(gap="xsmall"):
        st.markdown(f"**What do you think?** {asked.question}")
        look: Any = {"key": key, "persist_state": "session", "on_change": answered}
        look |= {"label_visibility": "collapsed"}
        if isinstance(asked.blank, Number):
            answer = st.text_input(asked.blank.label, **look)
        else:
            replies = list(asked.blank.replies)
            answer = st.radio(asked.question, replies, index=None, horizontal=True, **look)
    with st.container(key="scene_reply"):
        reply = _reply(asked, answer) if answer else None
        st.markdown(f"**{reply.sign}** {reply.text}" if reply else "")


def _reply(asked: story.Scene, answer: str) -> Reply:
    try:
        return asked.check(answer)
    except RankscopeError as error:
        return Reply(exercises.UNREADABLE, text.code(str(error)))
