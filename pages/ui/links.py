"""Links with a page's ranking and settings: reading them, and sharing them."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from metrics import Convention, Dataset, EditError, Measure, RankscopeError, Run
from metrics.editing import (
    Grades,
    HandRanking,
    History,
    Origin,
    Signature,
    changed_grades,
    grades_link,
    hand_ranking,
    ranking_link,
)
from metrics.exploring import convention_search
from metrics.link_text import LONGEST_LINK
from metrics.matching import Rankings
from metrics.measures import OWN_NUMBERS
from metrics.rendering import text
from metrics.teaching import samples

from . import by_hand, cache, data_notes, pickers, state, user_data, workspace

_FROM_LINK = "from a link"
"""Who is said to have given the grades in a link, which has no names."""

# Keys that are not widgets begin with _, so that no link and no saved session can set them.
_LINKED, _GRADES, _OFFERED = "_linked", "_linked_grades", "_offered_grades"


def receive() -> None:
    """Read the ranking in the link that opened this session."""
    packed = state.arrived_with(state.RANKING)
    if not packed:
        return
    try:
        ranking = ranking_link.unpack(packed)
    except EditError as error:
        state.set_unknown(state.RANKING, packed, str(error))
        return
    # Held until its query is shown.
    state.put({_LINKED: ranking})
    theirs = state.value(state.EXAMPLE) or st.query_params.get(state.EXAMPLE)
    if theirs == state.YOURS and user_data.upload() is None and ranking.grades:
        # The link holds the whole ranking, but not the data it was made from.
        run = ranking.run.renamed(st.query_params.get(state.RUN, "linked"))
        user_data.adopt(Dataset("A ranking from a link", ranking.qrels, (run,)))


def keep_linked_grades() -> None:
    """Hold the grades in the link that opens this session until their data are shown.

    An address that is shown later, as by Back, holds grades that the session has already.
    """
    state.put({_GRADES: state.in_address(state.CHANGED)})


def receive_grades(dataset: Dataset) -> Dataset:
    """Return data with the grades given by hand, those in the link that opened this session too."""
    if packed := state.value(_GRADES):
        state.put({_GRADES: ""})
        try:
            grades = grades_link.unpack(packed, dataset.key)
        except EditError as error:
            state.set_unknown(state.CHANGED, packed, str(error))
        else:
            if workspace.folder():
                # A link must not change what others see before somebody has said so.
                state.put({_OFFERED: (dataset.key, grades)})
            else:
                by_hand.take_over(dataset, grades, _FROM_LINK)
    return by_hand.graded(dataset)


def of_grades(dataset: Dataset) -> None:
    """Say that a link has grades, or that some come from one, and offer the opposite.

    ``dataset``: with the grades given by hand.
    """
    key, offered = state.value(_OFFERED) or ("", {})
    if new := changed_grades.unlike(dataset.qrels, offered) if key == dataset.key else {}:
        queries = text.count(len(new), "query", "queries")
        words = f"**The link has other grades** of {queries}. All who open this app would see them."
        data_notes.line(words, "Use them", partial(_use, dataset, offered))
    if taken := by_hand.taken_over(dataset, _FROM_LINK):
        words = f"**From the link**: grades of {text.count(len(taken), 'query', 'queries')}."
        data_notes.line(words, "Leave them out", partial(by_hand.leave_out, dataset, _FROM_LINK))


def _use(dataset: Dataset, grades: Mapping[str, Grades]) -> None:
    state.put({_OFFERED: None})
    by_hand.take_over(dataset, grades, _FROM_LINK)


def with_grades(dataset: Dataset) -> dict[str, str]:
    """Return the parameter of a link with the grades given by hand; none where it is too long."""
    changed = {} if dataset.judged else by_hand.changed_grades(dataset)
    few = 0 < sum(map(len, changed.values())) <= grades_link.MOST
    packed = _if_it_fits(state.CHANGED, grades_link.pack(dataset.key, changed) if few else "")
    return {state.CHANGED: packed} if packed else {}


def keep_grades(dataset: Dataset) -> None:
    """Write the grades that were given by hand into the address, if they fit."""
    state.keep(state.CHANGED, with_grades(dataset).get(state.CHANGED, ""), "")


def _if_it_fits(key: str, packed: str) -> str:
    """Return a parameter's value; empty where the link would be too long with it."""
    return packed if len(link({key: packed})) <= LONGEST_LINK else ""


def ranking_of(
    dataset: Dataset, run: Run, query: str, convention: Convention
) -> tuple[Origin, History]:
    """Return one query's ranking with its edits, and the key under which they are kept.

    A ranking from the link counts as an edit.
    """
    original = cache.original(dataset.original, run, query, convention)
    origin = Origin(dataset.key, run.digest, query)
    linked: HandRanking | None = state.value(_LINKED)
    state.put({_LINKED: None})
    steps = user_data.all_edits().history(origin, original)
    if linked is not None and linked.query != query:
        why = "It ranks a different query from the one shown."
        state.set_unknown(state.RANKING, linked.query, why)
    elif linked is not None:
        after = steps.to(linked)
        if steps.kept is None and bool(linked.title or state.lesson().written):
            # The list of a lesson, or one of its own, is no edit of the query.
            after = replace(after, arrived=after.present)
        user_data.set_history(origin, steps, after, Signature.now(_FROM_LINK))
        steps = user_data.all_edits().history(origin, original)
    elif (state.value(state.FRESH) or state.stepped(state.RANKING)) and steps.past:
        # A lesson, or Back, has shown an address without a ranking: that before the first edit.
        first = steps.first(dataset.key, user_data.all_edits().log)
        user_data.set_history(origin, steps, steps.to(first), by_hand.signature())
        steps = user_data.all_edits().history(origin, original)
    state.put({state.FRESH: False})
    if aspects := dataset.qrels.aspects.get(query):
        steps = steps.of_aspects(aspects)
    # The ranking is shown in the order in which it is scored, and kept in the order of its edits.
    return origin, replace(steps, original=original, present=steps.present.evaluated(convention))


def under(dataset: Dataset, run: Run, query: str, steps: History) -> convention_search.Under:
    """Return the ranking as each convention orders it; unedited, it comes from the run."""
    if steps.present == steps.original:
        return partial(cache.original, dataset.qrels, run, query)
    return steps.present.evaluated


def keep(steps: History, lasting: bool) -> None:
    """Write an edited ranking into the address, if it fits.

    ``lasting``: others can open the same data, so the link does not need an unedited ranking.
    """
    same = lasting and steps.present == steps.original
    # Rankings that are too long to edit are too long for a link, and slow to pack.
    needed = not same and len(steps.present.entries) <= hand_ranking.MOST_EDITED
    packed = ranking_link.pack(steps.present) if needed else ""
    state.keep(state.RANKING, _if_it_fits(state.RANKING, packed), "")


def back_button() -> None:
    """Show a button back to the comparison that this page was opened from, if there was one."""
    state.recall(state.BACK, _comparison)
    where = state.value(state.BACK) or []
    state.keep(state.BACK, where, [])
    if where:
        keys = (state.DATA, state.A, state.B, state.PICKED)
        values = dict(zip(keys, where, strict=True))
        st.button("Back to Compare", on_click=state.open_page, args=(state.COMPARE, values))


def _comparison(link: str) -> list[str]:
    """Return the data, the two runs and the query in a link."""
    where = state.parts(link)
    if len(where) != 4:
        raise RankscopeError("Expected data, two runs and a query.")
    data, a, b, query = where
    if data not in pickers.sources():
        raise RankscopeError("These data are not open.")
    dataset = pickers.sources()[data].load()
    if not {a, b} <= cache.compared(dataset).keys() or query not in dataset.qrels.queries:
        raise RankscopeError("The data have no such runs or query.")
    return where


def run_button(side: str, run: Rankings, query: str, example: str) -> None:
    """Show a button that opens a query of one of the data's runs on Inspect, and leads back."""
    back = [*map(state.value, (state.DATA, state.A, state.B)), query]
    where = {state.EXAMPLE: example, state.RUN: run.name, state.QUERY: query, state.BACK: back}
    label = f"Open {side} in Inspect"
    st.button(label, type="tertiary", on_click=state.open_page, args=(state.INSPECT, where))


def inspect_button(
    ranking: HandRanking,
    measure: Measure,
    convention: Convention,
    key: str,
    name: str = "",
) -> None:
    """Show a button that opens the ranking on Inspect, as an edit of the empty sample."""
    values = {
        **vars(measure.under(convention)),
        **{name: value for name, value in vars(measure).items() if name in OWN_NUMBERS},
        state.EXAMPLE: samples.SCRATCH,
        state.MEASURE: measure.symbol,
        state.K: measure.cutoff or 0,
    }

    def open_it() -> None:
        dataset = samples.catalogue()[samples.SCRATCH].load()
        (run,), (query,) = dataset.runs, dataset.qrels.queries
        origin, steps = ranking_of(dataset, run, query, convention)
        # Inspect reorders a ranking to score it, and the reordering must not count as an edit.
        ordered = replace(ranking, query=query).evaluated(measure.under(convention))
        user_data.set_history(origin, steps, steps.arrive(ordered), by_hand.signature())
        state.open_page(state.INSPECT, values, state.RUN, state.QUERY)

    st.button(
        f"Open {f'{name} ' if name else ''}on Inspect", key=f"inspect_{key}", on_click=open_it
    )


def link(more: Mapping[str, str], without: Collection[str] = ()) -> str:
    """Return the address of this page, with these parameters more, and some left out.

    The way back to a comparison is left out: only this session came from it.
    """
    address = (st.context.url or "").split("?")[0]
    mine = {*without, state.BACK}
    known = {name: value for name, value in st.query_params.items() if name not in mine}
    return f"{address}?{urlencode(known | dict(more))}" if known or more else address
