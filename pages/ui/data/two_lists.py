"""Two lists of the same titles: typed once with their grades, ordered by hand, and compared."""

import streamlit as st

from metrics import Dataset, RankscopeError, parse
from metrics.editing.hand_ranking import LONGEST_TITLE, HandRanking
from metrics.editing.pasted import read_ranking
from metrics.rendering import text
from metrics.teaching import story_views

from .. import ledger_view, ranking_list, state, user_data
from ..streamlit_internals import Container

PURPOSE = "Type titles with their grades once, drag each list into its order, and compare."
_MEASURE = parse("nDCG")
_QUERY = "q1"
_NAMES = {"first": "first list", "second": "second list"}
"""The name of each list until it has another one, by its own key."""


def page() -> None:
    """Type titles and grades, drag two orders of them, and compare these."""
    left, *sides = st.columns([4, 5, 5], gap="medium")
    with left:
        st.text_input(
            "Query",
            story_views.query(),
            key="typed_query",
            max_chars=LONGEST_TITLE,
            persist_state="session",
        )
        st.text_area(
            "Titles, each with its grade",
            "\n".join(
                f"{entry.document}, {entry.grade:g}" for entry in story_views.laptop().retrieved
            ),
            key="typed_titles",
            height=260,
            help="One title a line, then a comma or a tab, and its grade; ? is not judged. Two "
            "columns of a spreadsheet can be pasted.",
            persist_state="session",
        )
    try:
        typed = read_ranking(str(state.value("typed_titles")), _QUERY)
        lists = [_list(name, typed, side) for name, side in zip(_NAMES, sides, strict=True)]
    except RankscopeError as error:
        sides[0].error(text.code(str(error)))
        lists = []
    with left, st.container(horizontal=True):
        st.button(
            "Compare them", type="primary", on_click=_compare, args=(lists,), disabled=not lists
        )
        st.button("Back", on_click=state.turn, args=(state.TYPED, ""))


def _list(name: str, typed: HandRanking, side: Container) -> HandRanking:
    """Show one list with its name and its score, and return it."""
    ranking = ranking_list.moved(name, typed).present
    ledger = ranking.ledger(_MEASURE)
    key = f"score_{name}"
    with side:
        st.text_input("Name", _NAMES[name], key=f"typed_{name}", persist_state="session")
        rows = ranking_list.rows(ranking, ledger, {})
        ranking_list.movable_list(name, typed, rows, hint="Drag a row.", score=key)
        ledger_view.bar(ledger, ranking.query, key=key)
    return ranking


def _compare(lists: list[HandRanking]) -> None:
    """Make the two lists the user's data, and show them on Compare."""
    names = [
        str(state.value(f"typed_{name}") or "").strip() or usual for name, usual in _NAMES.items()
    ]
    if names[0] == names[1]:
        names = [f"{name} {number}" for number, name in enumerate(names, 1)]
    runs = tuple(ranking.run.renamed(name) for ranking, name in zip(lists, names, strict=True))
    texts = {_QUERY: str(state.value("typed_query"))}
    user_data.drop(Dataset("Two lists", lists[0].qrels, runs, texts))
    state.open_page(state.COMPARE, {state.DATA: state.YOURS}, *state.OF_COMPARISON)
