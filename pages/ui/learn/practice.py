"""An exercise on the page: what is given, room for answers, what is said to them, the solution."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from metrics import TREC_EVAL, RankscopeError
from metrics.scoring.formula import substituted, symbols
from metrics.teaching.exercises import (
    KINDS,
    LEVELS,
    MIXED,
    Choice,
    Exercise,
    Number,
    Reply,
    exercise,
)
from metrics.teaching.exercises.print_sheet import sheet

from .. import ledger_view, links, show, widgets
from ..render import text

_FEW = 5
"""So many options stand beside each other; more stand in a list."""
_MOST = 20


@dataclass(frozen=True)
class Request:
    """Which exercise is asked for."""

    kind: str
    level: str
    number: int

    def key(self, part: object) -> str:
        """The key of a widget of this exercise alone."""
        return f"exercise_{self.kind}_{self.level}_{self.number}_{part}"


def given(made: Exercise) -> None:
    """The tables, small ones beside each other."""
    places = st.container(horizontal=True, gap="medium")
    for title, table in made.given.items():
        with places.container(width="content"):
            st.markdown(f"**{title}**")
            # Letters and numbers made here: nothing in them is Markdown.
            frame = pd.DataFrame(table.rows, columns=list(table.columns), dtype=str)
            st.table(frame.set_index(table.columns[0]), width="content")


def blanks(asked: Request, made: Exercise) -> None:
    """A field for each blank, with what is said to its answer."""
    right = 0
    for number, blank in enumerate(made.blanks):
        key = asked.key(number)
        answer: str | None
        if isinstance(blank, Number):
            field, said = st.columns([2, 3], vertical_alignment="bottom")
            with field:
                answer = st.text_input(blank.label, key=key, persist_state="session")
        else:
            said = st.container()
            answer = _chosen(blank, key)
        reply = _reply(blank, answer) if answer else None
        if reply is not None:
            said.markdown(f"{'✓' if reply.right else '✗'} {reply.said}")
            right += reply.right
    if right == len(made.blanks):
        st.success("All right. Next has another one.")


def _chosen(blank: Choice, key: str) -> str | None:
    options = list(blank.replies)
    if len(options) > _FEW:
        return st.selectbox(blank.label, options, index=None, key=key, persist_state="session")
    return st.radio(blank.label, options, index=None, key=key, persist_state="session")


def _reply(blank: Number | Choice, answer: str) -> Reply:
    try:
        return blank.check(answer)
    except RankscopeError as error:
        return Reply(False, text.code(str(error)))


def solution(asked: Request, made: Exercise) -> None:
    """The answers, the lines that sum to them, and the way to Inspect."""
    if not st.toggle("Show the solution", key=asked.key("solution")):
        return
    st.markdown("; ".join(f"{blank.label}: **{blank.key}**" for blank in made.blanks))
    for name, ranking in made.rankings.items():
        for measure in made.measures:
            ledger = ranking.ledger(measure)
            said = f"{name}: " if name else ""
            st.markdown(f"{said}**{measure} = {text.number(float(ledger.scores[0]))}**")
            show.formula(symbols(measure, ledger.convention))
            for part in ledger.parts:
                show.formula(substituted(part, ranking.query))
            ledger_view.lines(ledger, ranking, {})
        links.inspect_button(ranking, made.measures[0], TREC_EVAL, f"exercise{name}", name)


def sheet_button(asked: Request) -> None:
    """A sheet to print, from this exercise on."""
    with st.popover("Sheet to print"):
        many = int(st.number_input("Exercises, from this one on", 1, _MOST, 8))
        names = {MIXED: "Mixed"} | {name: kind.title for name, kind in KINDS.items()}
        chosen = range(asked.number, min(asked.number + many, widgets.LARGEST + 1))
        title = f"{names[asked.kind]}, {LEVELS[asked.level].title}"

        def made() -> str:
            of = {
                f"{title}, no. {number}": exercise(asked.kind, asked.level, number)
                for number in chosen
            }
            return sheet(f"Practice: {title}", of)

        st.download_button(
            "Save as HTML, with the key",
            made,
            file_name=f"practice-{asked.kind}-{asked.level}-{asked.number}.html",
            mime="text/html",
            on_click="ignore",
        )
        st.caption("Open it in a browser and print it: the key is on a page of its own.")
