"""An exercise on the page: tables with fields in their blank cells, hints, replies, solution."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

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
from metrics.teaching.exercises.tally import Tally
from metrics.teaching.handout import sheet
from metrics.writing import Table

from .. import ledger_view, links, show, state, widgets

_FEW = 5
"""At most this many options are shown as radio buttons; more are shown as a list."""
_MOST = 20
"""At most this many exercises fit on a sheet."""
_HINTS = 3
_WIDTHS = {"rank": 34, "document": 66, "grade": 48, "log₂(rank + 1)": 92, "contribution": 84}
"""The widths of the columns of a table with fields, in pixels: they fit on a phone."""
NAMES = {name: kind.title for name, kind in KINDS.items()} | {MIXED: "Mixed"}


@dataclass(frozen=True)
class Request:
    """The kind, level and number of an exercise."""

    kind: str
    level: str
    number: int

    def key(self, part: object) -> str:
        """Return the key of a widget, unique to this exercise."""
        return f"exercise_{self.kind}_{self.level}_{self.number}_{part}"


_MARKS = {True: ":material/check:", False: ":material/close:"}
"""The icon in a field by whether its answer is right; the reply below says it in words."""


def tables(request: Request, made: Exercise) -> None:
    """Show the tables, small ones side by side, with a field in each blank cell."""
    places = _in_tables(made)
    row = st.container(horizontal=True, gap="small")
    for title, table in made.tables.items():
        with row.container(width="content"):
            st.markdown(f"**{title}**")
            if places:
                _with_fields(request, made, table)
            else:
                # The cells are letters and numbers made by the exercise: they have no Markdown.
                frame = pd.DataFrame(table.rows, columns=list(table.columns), dtype=str)
                st.table(frame.set_index(table.columns[0]), width="content")


def _in_tables(made: Exercise) -> dict[str, int]:
    """Return the numbers of the blanks that are cells of a table, by the letter in the cell."""
    numbers = {blank.letter: number for number, blank in enumerate(made.blanks)}
    return {letter: number for letter, number in numbers.items() if letter and letter in made.cells}


def _with_fields(request: Request, made: Exercise, table: Table) -> None:
    """Show a table row by row, because only so can a field be in a cell."""
    places = _in_tables(made)
    with st.container(gap=None):
        for cells in (table.columns, *table.rows):
            with st.container(
                horizontal=True, wrap=False, gap="xsmall", vertical_alignment="center"
            ):
                for name, cell in zip(table.columns, cells, strict=True):
                    width = _WIDTHS[str(name)]
                    if cell in places:
                        number = places[str(cell)]
                        _field(request, made.blanks[number], number, width)
                    elif cells is table.columns:
                        st.caption(str(cell), width=width)
                    else:
                        st.markdown(str(cell), width=width)


def _field(request: Request, blank: Number | Choice, number: int, width: int) -> None:
    """Show the field of a blank cell, named for those who cannot see the table, and its mark."""
    answer = state.value(request.key(number))
    st.text_input(
        blank.label,
        key=request.key(number),
        icon=_MARKS[_reply(blank, answer).right] if answer else None,
        placeholder=blank.letter,
        label_visibility="collapsed",
        persist_state="session",
        width=width,
    )


def blanks(request: Request, made: Exercise) -> None:
    """Show the other fields, a reply to every answer, and hints; then count the exercise."""
    answers = [_answer(request, made, number) for number in range(len(made.blanks))]
    replies = [
        _reply(blank, answer) if answer else None
        for blank, answer in zip(made.blanks, answers, strict=True)
    ]
    right = [reply is not None and reply.right for reply in replies]
    for number, (blank, reply) in enumerate(zip(made.blanks, replies, strict=True)):
        _answered(request, blank, number, reply)
    with st.container(horizontal=True, gap="small"):
        for number, blank in enumerate(made.blanks):
            if not right[number]:
                _hint_button(request, blank, number)
    if all(right):
        st.success("All correct. Press Next for another exercise.")
    shown = bool(state.value(request.key("solution")))
    if any(answers) or shown:
        key = (request.kind, request.level, request.number)
        state.put({state.TALLY: str(tally().then(key, all(right), shown))})


def _answer(request: Request, made: Exercise, number: int) -> str | None:
    """Return the answer to a blank; draw its field unless that is in a table."""
    blank, key = made.blanks[number], request.key(number)
    if isinstance(blank, Choice):
        return _chosen(blank, key)
    if number not in _in_tables(made).values():
        return st.text_input(blank.label, key=key, persist_state="session", width=320)
    answer: str | None = state.value(key)
    return answer


def _answered(request: Request, blank: Number | Choice, number: int, reply: Reply | None) -> None:
    """Show the reply to an answer, and as many hints as were asked for until it is right."""
    if reply is not None:
        st.markdown(f"{'✓' if reply.right else '✗'} **{blank.label}**: {reply.text}")
    if blank.hints is None or (reply is not None and reply.right):
        return
    for place, hint in enumerate(blank.hints.first(_asked(request, number)), 1):
        st.markdown(f"Hint {place} to **{blank.label}**: {hint}")


def _asked(request: Request, number: int) -> int:
    """Return how many hints to a blank were asked for."""
    return int(state.value(_hints_key(request, number)) or 0)


def _hints_key(request: Request, number: int) -> str:
    return f"_{request.key(f'hints_{number}')}"


def _hint_button(request: Request, blank: Number | Choice, number: int) -> None:
    """Show a button for the next hint to a blank, if there is one."""
    asked = _asked(request, number)
    if asked < _HINTS:
        label = f"Hint {asked + 1} to {blank.letter or blank.label}"
        more = partial(state.put, {_hints_key(request, number): asked + 1})
        st.button(label, key=request.key(f"hint_{number}"), on_click=more)


def tally() -> Tally:
    """Return the tally of the exercises so far."""
    return Tally.read(state.value(state.TALLY) or "", NAMES)


def recall_tally() -> None:
    """Read the tally in the link."""
    state.recall(state.TALLY, lambda link: str(Tally.read(link, NAMES)))


def show_tally() -> None:
    """Show how many exercises are right, by kind, and keep that in the link."""
    kept = tally()
    state.keep(state.TALLY, str(kept), "")
    counts = kept.counted()
    line = "No exercise tried yet."
    if counts:
        right, tried = (sum(column) for column in zip(*counts.values(), strict=True))
        kinds = ", ".join(f"{NAMES[kind]} {won} of {of}" for kind, (won, of) in counts.items())
        line = f"**{right} of {tried} right**: {kinds}"
    # The button is there before the first answer, so that no answer moves the tables.
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(line, width="content")
        st.button(
            "Start over",
            on_click=state.forget,
            args=(state.TALLY,),
            type="tertiary",
            disabled=not counts,
            help="The link to this page keeps the tally.",
        )


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
    """Show a switch for the solution: answers, the lines that sum to them, a way to Inspect."""
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
        chosen = range(request.number, min(request.number + count, widgets.LARGEST + 1))
        title = f"{NAMES[request.kind]}, {LEVELS[request.level].title}"

        def made() -> str:
            exercises = {
                f"{title}, no. {number}": exercise(request.kind, request.level, number)
                for number in chosen
            }
            return sheet(f"Practice: {title}", exercises)

        file = f"practice-{request.kind}-{request.level}-{request.number}.html"
        show.download("Save as HTML, with the key", made, file, mime="text/html")
        st.caption("Open the file in a browser and print it. The key is on a separate page.")
