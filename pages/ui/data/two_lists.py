"""Lists that are typed with their grades: one for Inspect, or two orders of it to compare."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import zip_longest

import streamlit as st

from metrics import TREC_EVAL, Dataset, RankscopeError
from metrics.editing import Entry, HandRanking, edits, hand_ranking, pasted
from metrics.rendering import text
from metrics.teaching import story

from .. import ledger_view, links, pickers, ranking_list, state, user_data
from ..streamlit_internals import Container

PURPOSES = {
    state.ONE_LIST: ("One list", "Type it with its grades, and see its score."),
    state.TWO_LISTS: (
        "Two lists",
        "Type titles once, drag each list into its order, and compare.",
    ),
}
"""The heading and the purpose of the page, by what is typed."""
_QUERY, _UNTITLED = "q1", "untitled query"
_READ = "_typed_read"
"""The key of the last titles that could be read."""
_NAMES = {"first": "first list", "second": "second list"}
"""The name of each of two lists until it has another one, by its own key."""


def page(typed: str) -> None:
    """Type titles and grades, and drag one order of them for Inspect, or two for Compare."""
    names = ["only"] if typed == state.ONE_LIST else [*_NAMES]
    widths = [4] + [10 / len(names)] * len(names)
    left, *sides = st.container(key=f"typed_{typed}").columns(widths, gap="medium")
    with left.container(key="sought"):
        query = st.text_input(
            "Query",
            story.query(),
            key="typed_query",
            placeholder=_UNTITLED,
            max_chars=hand_ranking.LONGEST_TITLE,
            persist_state="session",
        )
        titles = st.text_area(
            "One title per line, its grade last",
            _lines(story.laptop().retrieved),
            key="typed_titles",
            height="content",
            help=pasted.GRAMMAR,
            on_change=_renew,
            persist_state="session",
        )
        wrong, last = False, None
        try:
            last = _read(titles)
        except RankscopeError as error:
            # The lines that could be read are lists all the same.
            wrong, last = True, getattr(error, "read", None)
            st.error(text.refusal(error))
            if last:
                st.caption("Shown are the lines that could be read: correct the rest to go on.")
    shown = [_list(*each, last) for each in zip(names, sides, strict=True) if last]
    same = len({each.retrieved for each in shown}) < len(shown)
    earns = last and any(each.grade and each.grade > 0 for each in last.entries)
    notes = ""
    if last and not earns:
        notes = "No title has a grade above 0, so no order earns anything. "
    elif same and not wrong:
        notes = "Both lists have the same order: move a row of one, then compare them. "
    held = user_data.upload() if len(names) > 1 else None
    if held and not pickers.typed_lists(held):
        notes += "Comparing them replaces your data, which Data can restore. "
    with left, st.container(horizontal=True, key="typed_actions"):
        if len(names) > 1:
            stopped = wrong or same or not earns
            st.button("Compare them", type="primary", on_click=_compare, disabled=stopped)
        elif last and not wrong:
            titled = replace(shown[0], title=hand_ranking.as_title(query) or _UNTITLED)
            links.inspect_button(titled, pickers.over_all(titled), TREC_EVAL, "typed")
        st.button("Back", on_click=state.turn, args=(state.TYPED, ""))
        # Why a button cannot be pressed stands beside it.
        st.caption(notes)
    if last:
        left.caption(f"Scores are computed as in {pickers.over_all(last).label(TREC_EVAL)}.")


def _renew() -> None:
    """Empty the example's query once titles are read, none of which is the example's."""
    titles, example = str(state.value("typed_titles")), story.laptop().retrieved
    left = any(each.document in titles for each in example)
    with suppress(RankscopeError):
        _read(titles)
        if not left and state.value("typed_query") == story.query():
            state.put({"typed_query": ""})


def _lines(entries: Iterable[Entry]) -> str:
    return "\n".join(f"{each.document}, {text.grade(each.grade)}" for each in entries)


def _read(titles: str) -> HandRanking:
    """Keep and return the titles with their grades, in order; refuse what cannot be read."""
    typed = pasted.read_ranking(titles, _QUERY)
    before = state.value(_READ) or HandRanking(_QUERY, ())
    pairs = zip_longest(before.entries, typed.entries)
    changed = [pair for pair in pairs if len({each and each.document for each in pair}) > 1]
    # One other title in the same line is the title corrected.
    match changed:
        case [(Entry(document=old), Entry(document=new))]:
            for name in ("only", *_NAMES):
                ranking_list.correct(name, _start(name, before), old, new)
    state.put({_READ: typed})
    return typed


def _start(name: str, typed: HandRanking) -> HandRanking:
    """Return a list before it is moved; the second one shows what another order is."""
    return edits.ordered_as(typed, edits.best_first(story.laptop())) if name == "second" else typed


def _list(name: str, side: Container, last: HandRanking) -> HandRanking:
    """Show and return one list, with its score and, if there are two, its name."""
    typed = _start(name, last)
    steps = ranking_list.moved(name, typed)
    ranking = steps.present
    ledger = ranking.ledger(pickers.over_all(ranking)) if ranking.grades else None
    key, hint, title = f"score_{name}", "Drag a row.", ""
    with side.container(key=f"list_{name}"):
        if usual := _NAMES.get(name):
            of = "AB"[list(_NAMES).index(name)]
            st.text_input(f"Name of {of}", usual, key=f"typed_{name}", persist_state="session")
            hint, title = f"Drag {of} into its order, or ▲▼.", _named(name)
        # Beside another list a change would be read as the difference between both.
        change = None if usual else steps
        if ledger:
            ledger_view.bar(ledger, ranking.query, steps=change, key=key, title=title)
        rows = ranking_list.rows(ranking, ledger, {})
        ranking_list.movable_list(name, typed, rows, hint=hint, score=key)
    return ranking


def _named(name: str) -> str:
    return str(state.value(f"typed_{name}") or "").strip() or _NAMES[name]


def _compare() -> None:
    """Make the two lists the user's data, and show them on Compare."""
    try:
        # Who types and presses at once has not seen the new ones.
        typed = _read(str(state.value("typed_titles")))
    except RankscopeError:
        # The page, which is drawn next, says what is wrong.
        return
    lists = [ranking_list.moved(name, _start(name, typed)).present for name in _NAMES]
    if lists[0].retrieved == lists[1].retrieved or not typed.grades:
        return
    names = [*map(_named, _NAMES)]
    if names[0] == names[1]:
        names = [f"{name} {number}" for number, name in enumerate(names, 1)]
    runs = tuple(ranking.run.renamed(name) for ranking, name in zip(lists, names, strict=True))
    texts = {_QUERY: hand_ranking.as_title(str(state.value("typed_query"))) or _UNTITLED}
    user_data.drop(Dataset(pickers.TYPED, lists[0].qrels.renamed("typed"), runs, texts))
    state.open_page(state.COMPARE, {state.DATA: state.YOURS}, *state.OF_COMPARISON)


def edit(dataset: Dataset) -> None:
    """Open the page of two lists with those that are compared.

    What was typed in this session is still there; grades of another page and data of another
    session are written anew.
    """
    lists, known = pickers.typed_lists(dataset), state.value(_READ)
    first = lists[0]
    if not known or {*known.entries} != {*first.entries}:
        query = dataset.query_texts.get(first.query, "")
        parts = filter(None, (first.retrieved, first.unretrieved))
        state.put({"typed_query": query, "typed_titles": "\n| ".join(map(_lines, parts))})
        for name, ranking, run in zip(_NAMES, lists, dataset.runs, strict=True):
            ranking_list.arrange(name, ranking)
            state.put({f"typed_{name}": run.name})
    state.type_lists(state.TWO_LISTS)
