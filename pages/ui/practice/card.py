"""An exercise as a card: lists with fields in their blank cells, replies, hints, its solution."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from metrics import TREC_EVAL, Measure, RankscopeError
from metrics.editing import HandRanking
from metrics.exploring import earning
from metrics.rendering import text
from metrics.scoring import formula
from metrics.teaching import exercises, handout
from metrics.teaching.exercises import Exercise, Number, Reply, See, Selection, Tally, exercise

from .. import ledger_view, links, show, state, widgets
from ..inline import component

_MOST = 20
"""At most this many exercises fit on a sheet."""
NAMES = {name: kind.title for name, kind in exercises.KINDS.items()} | {exercises.MIXED: "Mixed"}
_NUMBERS = "Two decimals are enough; 3/5, 60 % or 2/log2(3) are fine, too."
_SWAP = "Press two rows, or drag one onto the other."
_SWAPPED = "After the swap"
_SHOWS = {False: "Fills with the right answer", True: "What each rank earns"}
"""What the bar of a score shows, by whether that is known."""
_KEY = "exercise"

_card = component("exercise_card", __file__)


@dataclass(frozen=True)
class Request:
    """The kind, level and number of an exercise."""

    kind: str
    level: str
    number: int

    @property
    def made(self) -> Exercise:
        return exercise(self.kind, self.level, self.number)

    def key(self, part: object) -> str:
        """Return the key of a widget, unique to this exercise."""
        return f"exercise_{self.kind}_{self.level}_{self.number}_{part}"

    def replies(self) -> list[Reply | None]:
        """Return the replies to the answers; None for a blank without one."""
        answers = [state.value(self.key(number)) for number in range(len(self.made.blanks))]
        return [
            _reply(blank, answer) if answer else None
            for blank, answer in zip(self.made.blanks, answers, strict=True)
        ]

    def count(self) -> None:
        """Count the exercise in the tally, once all of it is right or its solution was shown."""
        signs = [reply.sign if reply else "" for reply in self.replies()]
        shown, missed = bool(state.value(self.key("solution"))), f"_{self.key('missed')}"
        if exercises.WRONG in signs:
            state.put({missed: True})
        done = {*signs} == {exercises.RIGHT}
        if done or shown:
            right = done and not state.value(missed)
            key = (self.kind, self.level, self.number)
            state.put({state.TALLY: str(tally().then(key, right, shown))})


def _reply(blank: Number | Selection, answer: str) -> Reply:
    try:
        return blank.check(answer)
    except RankscopeError as error:
        return Reply(exercises.UNREADABLE, text.legible(str(error)))


def card(request: Request, solved: bool) -> None:
    """Show the card of an exercise, and the grid of what is solved.

    ``solved``: whether the answers are shown at the blanks.
    """
    made, replies = request.made, request.replies()
    right = [reply is not None and reply.right for reply in replies]
    known = [solved or each for each in right]
    blanks = [
        {
            "label": blank.label,
            "letter": blank.letter,
            "options": list(blank.replies) if isinstance(blank, Selection) else [],
            "answer": state.value(request.key(number)) or "",
            "reply": reply.text if reply else "",
            "sign": reply.sign if reply else "",
            "right": right[number],
            "key": (sorted(blank.right) if isinstance(blank, Selection) else [blank.key])
            if solved
            else [],
            "hints": blank.hints.first(_hints(request, number, reply)) if blank.hints else (),
        }
        for number, (blank, reply) in enumerate(zip(made.blanks, replies, strict=True))
    ]
    bars, captions = _bars(made, known)
    swap = _SWAPPED in made.rankings
    grades = [entry.grade or 0 for each in made.rankings.values() for entry in each.entries]
    _card(
        key=_KEY,
        data={
            "of": [request.kind, request.level, request.number],
            "title": f"“{made.query}”",
            "question": f"{made.question} {exercises.ALL}",
            "how": _SWAP if swap else _NUMBERS if isinstance(made.blanks[0], Number) else "",
            "swap": swap,
            "rules": f"Convention: {'; '.join(made.rules.values())}.",
            "dots": int(max(grades)),
            "lists": _lists(made, known, solved or replies[0] is not None),
            "blanks": blanks,
            "bars": bars,
            "captions": captions,
            "last": request.number == widgets.LARGEST,
            **_grid(),
        },
        on_given_change=partial(_receive, request),
        on_go_change=partial(_go, request),
    )


def _hints(request: Request, number: int, reply: Reply | None) -> int:
    """Return how many hints a blank has: those asked for, and one if no mistake is known."""
    asked: int = state.value(f"_{request.key(f'hints_{number}')}") or 0
    return max(asked, reply is not None and not reply.explains)


def _lists(made: Exercise, known: list[bool], answered: bool) -> list[dict[str, Any]]:
    """Return the rankings of an exercise, each with the documents that are below it.

    ``known``: which answers are. With the first, a choice between rankings shows what each earns;
    with all, nothing is hidden. ``answered``: a choice shows which rows count.
    """
    best = next(iter(made.ledgers.values()))[-1].contribution
    rest = {title: table for title, table in made.tables.items() if "rank" not in table.columns}
    options, told = {f"Ranking {name}": name for name in made.rankings}, all(known)
    return [
        {
            "title": title,
            "columns": list(table.columns),
            "rows": [
                [f"{best[at]:.4f}" if told and isinstance(cell, See) else str(cell) for cell in row]
                for at, row in enumerate(table.rows)
            ],
            "rest": {
                below: [[str(cell) for cell in row] for row in other.rows]
                for below, other in rest.items()
                if "document" in table.columns
            },
            **_option(made, options.get(title, ""), known[0], answered),
        }
        for title, table in made.tables.items()
        if title not in rest
    ]


def _option(made: Exercise, name: str, known: bool, answered: bool) -> dict[str, Any]:
    """Return a ranking to choose, if it is one: its name, its bar, and which of its rows count."""
    if not name:
        return {"option": name}
    ranking, measure = made.rankings[name], made.measures[0]
    counts = (ranking.ledger(measure).parts[0].contribution > 0) & answered
    bar, caption = _earned(ranking, measure, known), _caption(ranking, measure, _SHOWS[known])
    return {"option": name, "bar": bar, "caption": caption, "counts": counts.tolist()}


def _bars(made: Exercise, known: list[bool]) -> tuple[dict[int, list[int]], dict[int, str]]:
    """Return what is known to be earned, and captions, by the blank that asks for the score."""
    bars, captions = {}, {}
    swap = _SWAPPED in made.rankings
    letters = {blank.letter: each for blank, each in zip(made.blanks, known, strict=True)}
    rows = next(iter(made.tables.values())).rows
    outside = [at for at, blank in enumerate(made.blanks) if blank.letter not in made.cells]
    table = len(outside) < len(made.blanks)
    # The lists to choose from have bars of their own.
    for number, measure in zip(outside, made.measures if "" in made.rankings else (), strict=False):
        ranking = made.rankings[_SWAPPED if swap and known[0] else ""]
        # What a table gives is poured in from the start.
        shares = _earned(ranking, measure, table or swap or known[number])
        found = [letters.get(str(row[-1]), True) for row in rows[: len(shares)]]
        bars[number] = [each * share for each, share in zip(found, shares, strict=True)]
        shows = _SHOWS[known[number]]
        if table:
            shows = f"Known so far: {sum(found)} of {len(found)} contributions"
        elif swap:
            shows = f"{measure} {'after the swap' if known[0] else 'now'}"
        captions[number] = _caption(ranking, measure, shows)
    return bars, captions


def _caption(ranking: HandRanking, measure: Measure, shows: str) -> str:
    full = "the ideal ranking" if ranking.ledger(measure).ideal else "1"
    return f"{shows}; full means {full}."


def _earned(ranking: HandRanking, measure: Measure, known: bool) -> list[int]:
    """Return the percentages of the best score that the ranks earn; 0 where that is not known.

    They are whole, so that no blank can be read off them.
    """
    ledger = ranking.ledger(measure)
    sums = ledger.parts[0].contribution.cumsum() / (earning.most(ledger) or 1.0)
    # Sums are rounded, so that the bar ends where the score is.
    return list(map(int, np.diff((100 * sums * known).round(), prepend=0)))


def _grid() -> dict[str, Any]:
    """Return how many exercises are right, by kind and level."""
    counts = tally().counted()
    right, tried = (sum(column) for column in zip((0, 0), *counts.values(), strict=True))
    return {
        "levels": [[name, level.title] for name, level in exercises.LEVELS.items()],
        "kinds": [
            {
                "kind": kind,
                "title": title,
                "counts": [counts.get((kind, level), (0, 0)) for level in exercises.LEVELS],
            }
            for kind, title in NAMES.items()
        ],
        "tally": f"{text.count(tried, 'exercise')} done, {right} right at the first try"
        f"{'; ○ marks the others' * (right < tried)}."
        if tried
        else "",
    }


def _receive(request: Request) -> None:
    """Keep the answers and the hints that the card was asked for."""
    given = (state.value(_KEY) or {}).get("given")
    if not given or given["of"] != [request.kind, request.level, request.number]:
        # They came too late: the page shows another exercise.
        return
    for number, blank in enumerate(request.made.blanks):
        answer = given["answers"][number]
        if isinstance(blank, Number) or answer in blank.replies:
            state.put({request.key(number): answer})
        state.put({f"_{request.key(f'hints_{number}')}": int(given["hints"][number])})
    request.count()


def _go(request: Request) -> None:
    """Show another exercise, or reset the tally."""
    go: Mapping[str, str] = state.value(_KEY)["go"]
    if go["do"] == "reset":
        state.forget(state.TALLY)
    elif go["do"] == "next":
        state.put({state.NUMBER: request.number + 1})
    else:
        kind, level = go["kind"], go["level"]
        number = tally().untried(kind, level)
        state.put({state.KIND: kind, state.DIFFICULTY: level, state.NUMBER: number})


def tally() -> Tally:
    """Return the tally of the exercises so far."""
    return Tally.read(state.value(state.TALLY) or "", NAMES)


def recall_tally() -> None:
    """Read the tally in the link, and keep it there."""
    state.recall(state.TALLY, lambda link: str(Tally.read(link, NAMES)))
    state.keep(state.TALLY, str(tally()), "")


def solution_switch(request: Request) -> bool:
    """Show a button that shows or hides the solution, and return whether it is shown."""
    key = request.key("solution")
    shown = bool(state.value(key))

    def turn() -> None:
        state.put({key: not shown})
        request.count()

    st.button("Hide the solution" if shown else "Show the solution", on_click=turn)
    return shown


def solution(request: Request) -> None:
    """Show how the answers come about: formulas, the lines that sum to them, a way to Inspect."""
    made = request.made
    ledgers = {name: list(map(of.ledger, made.measures)) for name, of in made.rankings.items()}
    with st.container(key="solution"):
        with st.container(horizontal=True):
            for ledger in next(iter(ledgers.values())):
                show.formula(formula.symbols(ledger.measure, ledger.convention))
        for name, ranking in made.rankings.items():
            for ledger in ledgers[name]:
                if name:
                    score = f": {ledger.measure} = {text.number(float(ledger.scores[0]))}"
                    # Without an ideal list, the lines begin with the score.
                    st.markdown(f"**{name}{score if ledger.ideal else ''}**")
                if made.lists(ledger):
                    ledger_view.lines(ledger, ranking, {}, f"{name}{ledger.measure}")
                    continue
                for part in ledger.parts:
                    show.formula(formula.substituted(part, ranking.query))
        with st.container(horizontal=True):
            for name, ranking in made.rankings.items():
                key = f"exercise{name}"
                links.inspect_button(ranking, made.measures[0], TREC_EVAL, key, name)


def sheet_button(request: Request) -> None:
    """Show a download of a printable sheet that starts with this exercise."""
    with st.popover("Sheet to print"):
        count = int(st.number_input("Number of exercises, starting here", 1, _MOST, 8))
        only = request.kind == exercises.MIXED or st.toggle(f"Only {NAMES[request.kind]}", True)
        kinds, first = [*exercises.KINDS], 0 if only else [*exercises.KINDS].index(request.kind)
        kinds = [request.kind] if only else kinds[first:] + kinds[:first]
        level = exercises.LEVELS[request.level].title

        def made() -> str:
            chosen = exercises.several(kinds, request.level, request.number, count).items()
            numbered = {f"{NAMES[kind]}, {level}, no. {at}": each for (kind, at), each in chosen}
            return handout.sheet(f"Practice: {title}, {level}", numbered)

        title = NAMES[request.kind if only else exercises.MIXED]
        words = ("practice", title, level, f"{request.number}.html")
        file = text.file_stem(words, None).lower()
        show.download("Save as HTML, with the key", made, file, mime="text/html")
        st.caption("Open the file in a browser and print it. The key is on a separate page.")
