"""The front of the house: one ranking to touch, and the ways in."""

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from metrics import PRESETS, parse
from metrics.editing import HandRanking, edits
from metrics.teaching import samples, story

from .. import ledger_view, ranking_list, shell, state
from ..inline import component

_cards = component("cards", __file__)
_MINUTES = 4
"""How long the story takes to read."""
_TOOLS = "wikipedia"
"""The sample of Conventions, whose score is another one for each tool."""


def front() -> None:
    """Show a ranking whose score moves with it, the story's door, and the other ways in."""
    with st.container(key="front"):
        left, right = st.columns([4, 5], gap="large")
    with left:
        heading = st.container()
        st.markdown(
            "A ranking measure turns the order of search results into one number: the sooner the "
            "useful results come, the higher it is. Here you see how each number is made, and "
            "change it."
        )
        st.button(
            f"Find out in {len(story.scenes())} steps · {_MINUTES} minutes",
            type="primary",
            on_click=state.turn,
            args=(state.SCENE, "1"),
        )
        with st.container(key="doors", gap="xsmall"):
            one, two = "Its titles and grades give its score.", "One set of titles in two orders."
            _door("Type one list", one, partial(state.type_lists, state.ONE_LIST))
            _door("Type two lists", two, partial(state.type_lists, state.TWO_LISTS))
            of_data = partial(state.open_page, state.DATA_PAGE, {})
            _door("Open your files", "Runs and judgments as your tools write them.", of_data)
    with right:
        score = _list()
    with heading:
        shell.head(state.START, f"Why is this ranking {100 * score:.0f} % perfect?")
    cards()


def _door(label: str, about: str, go: Callable[[], None]) -> None:
    with st.container(gap=None):
        st.button(label, type="tertiary", on_click=go)
        st.caption(about)


def _list() -> float:
    """Show the list of the story, to be moved, and its score, which is returned."""
    steps = ranking_list.moved("front", story.laptop())
    ranking = steps.present
    ledger = ranking.ledger(story.SCORE)
    best = story.rank_of(story.low(), edits.best_first(story.laptop()))
    grades = max(story.laptop().grades.values())
    ranking_list.movable_list(
        "front",
        story.laptop(),
        ranking_list.rows(ranking, ledger, {}, digits=story.DIGITS),
        hint=f"Results for “{story.query()}”. Dots: grade 0–{grades:g}.",
        plays={"id": story.low().document, "rank": best, "then": "Your turn: drag a row."},
    )
    # Tools differ, as a card below says.
    name = f"{story.SCORE} in {ledger.measure.label(ledger.convention)}"
    ledger_view.bar(ledger, ranking.query, story.DIGITS, steps=steps, name=name)
    return float(ledger.scores[0])


def cards() -> None:
    """Show three ways in as pictures; a click, a tap or Enter opens one."""
    ways: dict[str, tuple[str, dict[str, Any], Callable[[], None]]] = {
        "Two rankings": (
            "Which is better, where, and why.",
            {"slopes": _slopes()},
            partial(state.open_page, state.COMPARE, {}),
        ),
        "One ranking, many numbers": (
            f"{samples.catalogue()[_TOOLS].measure} of another list. Which tool printed yours?",
            {"line": _of_tools()},
            partial(state.open_page, state.CONVENTIONS, {}),
        ),
        "For teachers": (
            "A link that hides the score and reveals it step by step.",
            {"words": [f"{story.SCORE} = ?", "Predict it. Then reveal it step by step."]},
            partial(
                state.open_page,
                state.INSPECT,
                {state.MAKING: state.ASKED, state.EXAMPLE: story.SAMPLE},
                *state.OF_RANKING,
            ),
        ),
    }

    def opened() -> None:
        ways[state.value("ways")["opened"]][2]()

    _cards(
        key="ways",
        data=[
            {"title": title, "about": about, **picture}
            for title, (about, picture, _) in ways.items()
        ],
        on_opened_change=opened,
    )


def _slopes() -> list[dict[str, Any]]:
    """Return the ranks of each document in the list and in the best order."""
    best, low = edits.best_first(story.laptop()), story.low()
    return [
        {"from": story.rank_of(entry), "to": story.rank_of(entry, best), "marked": entry == low}
        for entry in story.laptop().retrieved
    ]


def _of_tools() -> list[dict[str, Any]]:
    """Return what three tools give for the ranking on which Conventions opens."""
    sample = samples.catalogue()[_TOOLS]
    data = sample.load()
    ranking = HandRanking.from_run(data.qrels, data.runs[0], data.qrels.queries[0])
    measure = parse(sample.measure)
    scores = {
        tool: float(ranking.ledger(measure, PRESETS[tool]).scores[0])
        for tool in ("trec_eval", "Spark MLlib", "scikit-learn")
    }
    return [{"name": f"{tool} {story.shown(score)}", "at": score} for tool, score in scores.items()]
