"""The filter of the compared queries: its controls, and the data cut to the queries that fit."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from metrics import Dataset, Pairing, RankscopeError
from metrics.comparing import PairedTest, significance, slices
from metrics.rendering import comparison_text, text

from .. import cache, pickers, state, widgets
from ..streamlit_internals import Container

ANY = "any"
"""Any outcome, in links."""
LONGEST = 200
"""At most this many characters are searched for."""


@dataclass(frozen=True)
class Filtered:
    """The queries that the page compares.

    Attributes
    ----------
    dataset
        The data, cut to these queries.
    which
        The filter.
    kept, of
        The number of compared queries with a score, and of those without the filter.
    over
        How many queries these are, and the filter, in Markdown.
    """

    dataset: Dataset
    which: slices.Slice
    kept: int
    of: int
    over: str

    def label(self, convention: str) -> str:
        """Return a chart's convention, with the number of queries if some are filtered out."""
        if self.which == slices.EVERY:
            return convention
        return "; ".join(filter(None, [convention, f"{self.kept:,} of {self.of:,} queries"]))

    def file(self, what: str) -> str:
        """Return the part of a file's name that says what it holds, and of how many queries."""
        if self.which == slices.EVERY:
            return what
        return f"{what}-{self.kept}_of_{self.of}_queries"

    def tested(self, paired_test: PairedTest) -> PairedTest:
        """Return the paired test; none for queries that were chosen by their outcome."""
        return replace(paired_test, test=significance.NONE) if self.which.outcome else paired_test


def chosen(place: Container, dataset: Dataset, every: Pairing) -> Filtered:
    """Show the filter's controls, and return the queries that fit.

    If none fits, say so, offer all queries, and end the page.

    The controls are in ``place``; ``every`` is the comparison of all queries.
    """
    depth, measure = every.depth, str(every.measure)
    groups = slices.groups_of(dataset)
    # The title needs the values before the controls, which are inside, are drawn.
    which = _asked(groups)
    scored = every.comparison.per_query(measure).index
    of, all_of_them = len(scored), text.count(len(scored), "query", "queries")
    found = Filtered(dataset, which, of, of, all_of_them)
    if which != slices.EVERY:
        queries = slices.fitting(which, every.comparison, measure, dataset, depth, every.test.tie)
        kept = int(scored.isin(queries).sum())
        over, part = (
            comparison_text.of_part(kept, of, which.in_words(depth, named))
            for named in (text.code, "“{}”".format)
        )
        found = Filtered(cache.cut(dataset, queries, part), which, kept, of, over)
    with place:
        shown = f"{found.kept:,} of {of:,}" if which != slices.EVERY else f"all {of:,}"
        # One query alone is not chosen among others.
        if of > 1:
            widgets.words(", over")
            of_groups = ", ".join(text.code(text.beginning(value, 60)) for _, value in which.groups)
            said = f"{of_groups} ({shown} queries)" if of_groups else f"{shown} queries"
            with widgets.phrase("Queries", said):
                _controls(groups, depth)
        if which != slices.EVERY:
            _clear("All queries")
    if not found.kept:
        st.info(f"No query fits the filter: {which.in_words(depth, text.code)}.")
        _clear("Show all queries", "primary")
        pickers.unknown_links()
        st.stop()
    return found


def _clear(label: str, kind: Any = "tertiary") -> None:
    st.button(label, type=kind, on_click=state.filter_queries)


def _asked(groups: Mapping[str, tuple[str, str]]) -> slices.Slice:
    """Return the filter that the link and the session ask for."""
    for key, read in _readers(groups).items():
        state.recall(key, read)
    outcome, least, most = map(
        state.value, (state.OUTCOME, state.LEAST_UNJUDGED, state.MOST_UNJUDGED)
    )
    return slices.Slice(
        (state.value(state.FIND) or "").strip(),
        tuple(groups[name] for name in state.value(state.GROUP) or () if name in groups),
        "" if outcome in (None, ANY) else outcome,
        (least or 0) / 100,
        1.0 if most is None else most / 100,
    )


def _readers(groups: Collection[str]) -> dict[str, Callable[[str], Any]]:
    """Return the reader of each control's value in a link."""
    percent = partial(widgets.in_range, kind=int, low=0, high=100)
    return {
        state.FIND: _short,
        state.GROUP: partial(_known, groups=groups),
        state.OUTCOME: state.among([ANY], slices.OUTCOMES),
        state.LEAST_UNJUDGED: percent,
        state.MOST_UNJUDGED: percent,
    }


def _short(link: str) -> str:
    if len(link) > LONGEST:
        raise RankscopeError(f"Expected at most {LONGEST} characters.")
    return link


def _known(link: str, groups: Collection[str]) -> list[str]:
    if not set(names := state.parts(link)) <= set(groups):
        raise RankscopeError
    return names


def _controls(groups: Collection[str], depth: int) -> None:
    """Draw the controls; each keeps its value in the link."""
    readers = _readers(groups)

    def find() -> str:
        now = state.value(state.FIND)
        typed = st.text_input("Id or text contains", value=now, key=state.FIND, max_chars=LONGEST)
        return typed or ""

    def group() -> list[str]:
        if not groups:
            return []
        # A long list takes a second to open; other groups are typed.
        listed = list(dict.fromkeys([*state.value(state.GROUP), *groups]))[: widgets.LISTED]
        shown, more = state.value(state.GROUP), len(listed) < len(groups)
        look: Any = {"default": shown, "accept_new_options": more}
        return st.multiselect("Groups", listed, key=state.GROUP, **look)

    widgets.settled(state.FIND, "", readers[state.FIND], find, "")
    no_groups: list[str] = []
    widgets.settled(
        state.GROUP, no_groups, readers[state.GROUP], group, "", lambda of: set(of) <= set(groups)
    )
    outcomes = {ANY: "any outcome"} | {name: name for name in slices.OUTCOMES}
    widgets.option("Outcome", outcomes, state.OUTCOME, flat=True)
    tooltip = "In A or in B, whichever has more."
    st.markdown(f"Unjudged share of the top {depth}, in %")
    with st.container(horizontal=True):
        widgets.number("at least", state.LEAST_UNJUDGED, 0, (0, 100), 1, tooltip)
        widgets.number("at most", state.MOST_UNJUDGED, 100, (0, 100), 1, tooltip)
