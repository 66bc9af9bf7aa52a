"""Lists that are typed with their grades: one for Inspect, or two orders of it to compare."""

from dataclasses import replace
from functools import partial

import streamlit as st

from metrics import TREC_EVAL, Dataset, RankscopeError, parse
from metrics.defaults import MEASURE
from metrics.editing.edits import best_first
from metrics.editing.hand_ranking import LONGEST_TITLE, HandRanking, as_title
from metrics.editing.pasted import GRAMMAR, read_ranking
from metrics.rendering import text
from metrics.teaching import story

from .. import ledger_view, links, ranking_list, state, user_data
from ..streamlit_internals import Container

PURPOSES = {
    state.ONE_LIST: ("One list", "Type it with its grades, and see its score."),
    state.TWO_LISTS: (
        "Two lists",
        "Type titles once, drag each list into its order, and compare.",
    ),
}
"""The heading and the purpose of the page, by what is typed."""
_MEASURE = parse(MEASURE)
_QUERY = "q1"
_READ = "_typed_read"
"""The key of the last titles that could be read."""
_NAMES = {"first": "first list", "second": "second list"}
"""The name of each of two lists until it has another one, by its own key."""


def page(typed: str) -> None:
    """Type titles and grades, and drag one order of them for Inspect, or two for Compare."""
    names = ["only"] if typed == state.ONE_LIST else [*_NAMES]
    left, *sides = st.columns([4] + [10 / len(names)] * len(names), gap="medium")
    with left:
        query = st.text_input(
            "Query",
            story.query(),
            key="typed_query",
            max_chars=LONGEST_TITLE,
            persist_state="session",
        )
        sample = "\n".join(f"{each.document}, {each.grade:g}" for each in story.laptop().retrieved)
        titles = st.text_area(
            "One title per line, its grade last",
            sample,
            key="typed_titles",
            height=230,
            help=GRAMMAR,
            persist_state="session",
        )
    wrong = False
    try:
        ranking = read_ranking(titles, _QUERY)
        ranking.ledger(_MEASURE)
        state.put({_READ: ranking})
    except RankscopeError as error:
        wrong = True
        left.error(text.code(text.without_codes(str(error))))
    last: HandRanking | None = state.value(_READ)
    lists = []
    for name, side in zip(names, sides, strict=True):
        if last:
            # Until somebody types, the second list shows what another order is.
            other = name == "second" and titles == sample
            lists.append(_list(name, best_first(last) if other else last, side))
    with left, st.container(horizontal=True, key="typed_actions"):
        if len(names) > 1:
            go = partial(_compare, lists, titles)
            st.button("Compare them", type="primary", on_click=go, disabled=wrong)
        elif not wrong:
            titled = replace(lists[0], title=as_title(query))
            links.inspect_button(titled, _MEASURE, TREC_EVAL, "typed")
        st.button("Back", on_click=state.turn, args=(state.TYPED, ""))
    left.caption(f"Scores are computed as in {_MEASURE.label(TREC_EVAL)}.")


def _list(name: str, typed: HandRanking, side: Container) -> HandRanking:
    """Show one list with its score and, if there are two, its name, and return it."""
    steps = ranking_list.moved(name, typed)
    ranking = steps.present
    ledger = ranking.ledger(_MEASURE)
    key, hint = f"score_{name}", "Drag a row."
    with side.container(key=f"list_{name}"):
        if usual := _NAMES.get(name):
            of = "AB"[list(_NAMES).index(name)]
            st.text_input(f"Name of {of}", usual, key=f"typed_{name}", persist_state="session")
            hint = f"Drag {of} into its order."
        ledger_view.bar(ledger, ranking.query, steps=steps, key=key)
        rows = ranking_list.rows(ranking, ledger, {})
        ranking_list.movable_list(name, typed, rows, hint=hint, score=key)
    return ranking


def _compare(lists: list[HandRanking], drawn: str) -> None:
    """Make the two lists the user's data, and show them on Compare.

    ``drawn``: the text that the lists are of. Who types and presses at once has not seen the new.
    """
    if (titles := str(state.value("typed_titles"))) != drawn:
        try:
            ranking = read_ranking(titles, _QUERY)
            ranking.ledger(_MEASURE)
        except RankscopeError:
            # The page, which is drawn next, says what is wrong.
            return
        lists = [ranking_list.moved(name, ranking).present for name in _NAMES]
    names = [
        str(state.value(f"typed_{name}") or "").strip() or usual for name, usual in _NAMES.items()
    ]
    if names[0] == names[1]:
        names = [f"{name} {number}" for number, name in enumerate(names, 1)]
    runs = tuple(ranking.run.renamed(name) for ranking, name in zip(lists, names, strict=True))
    texts = {_QUERY: str(state.value("typed_query"))}
    user_data.drop(Dataset("Two lists", lists[0].qrels.renamed("typed"), runs, texts))
    state.open_page(state.COMPARE, {state.DATA: state.YOURS}, *state.OF_COMPARISON)
