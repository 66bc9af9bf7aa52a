"""An exercise on the page: its tables, fields for the answers, replies, and the solution."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from metrics import TREC_EVAL, RankscopeError
from metrics.rendering import text
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

_FEW = 5
"""At most this many options are shown as radio buttons; more are shown as a list."""
_MOST = 20
"""At most this many exercises fit on a sheet."""


@dataclass(frozen=True)
class Request:
    """The kind, level and number of an exercise."""

    kind: str
    level: str
    number: int

    def key(self, part: object) -> str:
        """Return the key of a widget, unique to this exercise."""
        return f"exercise_{self.kind}_{self.level}_{self.number}_{part}"


def tables(made: Exercise) -> None:
    """Show the tables, small ones side by side."""
    row = st.container(horizontal=True, gap="medium")
    for title, table in made.tables.items():
        with row.container(width="content"):
            st.markdown(f"**{title}**")
            # The cells are letters and numbers made by the exercise, so they contain no Markdown.
            frame = pd.DataFrame(table.rows, columns=list(table.columns), dtype=str)
            st.table(frame.set_index(table.columns[0]), width="content")


def blanks(request: Request, made: Exercise) -> None:
    """Show a field for each blank, with the reply to its answer."""
    right = 0
    for number, blank in enumerate(made.blanks):
        key = request.key(number)
        answer: str | None
        if isinstance(blank, Number):
            field, beside = st.columns([2, 3], vertical_alignment="bottom")
            with field:
                answer = st.text_input(blank.label, key=key, persist_state="session")
        else:
            beside = st.container()
            answer = _chosen(blank, key)
        reply = _reply(blank, answer) if answer else None
        if reply is not None:
            beside.markdown(f"{'✓' if reply.right else '✗'} {reply.text}")
            right += reply.right
    if right == len(made.blanks):
        st.success("All correct. Press Next for another exercise.")


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


def solution(request: Request, made: Exercise) -> None:
    """Show the answers, the lines that sum to them, and a button that opens Inspect."""
    if not st.toggle("Show the solution", key=request.key("solution")):
        return
    st.markdown("; ".join(f"{blank.label}: **{blank.key}**" for blank in made.blanks))
    for name, ranking in made.rankings.items():
        for measure in made.measures:
            ledger = ranking.ledger(measure)
            title = f"{name}: " if name else ""
            st.markdown(f"{title}**{measure} = {text.number(float(ledger.scores[0]))}**")
            show.formula(symbols(measure, ledger.convention))
            for part in ledger.parts:
                show.formula(substituted(part, ranking.query))
            ledger_view.lines(ledger, ranking, {}, f"{name}{measure}")
        links.inspect_button(ranking, made.measures[0], TREC_EVAL, f"exercise{name}", name)


def sheet_button(request: Request) -> None:
    """Show a download of a printable sheet that starts with this exercise."""
    with st.popover("Sheet to print"):
        count = int(st.number_input("Number of exercises, starting here", 1, _MOST, 8))
        names = {MIXED: "Mixed"} | {name: kind.title for name, kind in KINDS.items()}
        chosen = range(request.number, min(request.number + count, widgets.LARGEST + 1))
        title = f"{names[request.kind]}, {LEVELS[request.level].title}"

        def made() -> str:
            exercises = {
                f"{title}, no. {number}": exercise(request.kind, request.level, number)
                for number in chosen
            }
            return sheet(f"Practice: {title}", exercises)

        st.download_button(
            "Save as HTML, with the key",
            made,
            file_name=f"practice-{request.kind}-{request.level}-{request.number}.html",
            mime="text/html",
            on_click="ignore",
        )
        st.caption("Open the file in a browser and print it. The key is on a separate page.")
