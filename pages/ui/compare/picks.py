"""What is compared: the data, two runs, the measures, the convention, the test, and the queries."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

import pandas as pd
import streamlit as st

from metrics import (
    Comparison,
    Convention,
    Dataset,
    Measure,
    MeasureError,
    Pairing,
    parse,
)
from metrics.comparing import PairedTest, significance, slices
from metrics.defaults import DEPTH, MEASURES, SEED
from metrics.rendering import Provenance, comparison_tables, text
from metrics.teaching import Sample

from .. import by_hand, cache, links, pickers, present, state, user_data, widgets
from ..judge import further_judges
from ..streamlit_internals import Container
from . import without_judgments
from .query_filter import Filtered

_DEEPEST = 1000
"""At most this many ranks are compared without judgments."""
OFFERED = ("nDCG@5", "nDCG", "RR@10", "P@5", "AP@10", "Success@1", "ERR@10", "RBP", "Bpref")
"""Measures that can be tested beside the shown one, those tested first."""


@dataclass(frozen=True)
class Picks:
    """What is picked at the top of the page.

    Attributes
    ----------
    sample, dataset
        The data as they are opened, and with the grades of the link.
    pair
        The keys of run A and run B.
    measures
        The tested measures, the shown one first.
    of_filter, of_heading, of_share
        Where the filter of queries, the heading, and what is shared are drawn.
    """

    sample: Sample
    dataset: Dataset
    pair: tuple[str, str]
    measures: tuple[Measure, ...]
    convention: Convention
    test: PairedTest
    of_filter: Container
    of_heading: Container
    of_share: Container

    @property
    def pairing(self) -> Pairing:
        """The two runs under these choices."""
        runs = cache.compared(self.dataset)
        two = tuple(runs[key] for key in self.pair)
        of = self.dataset
        asked = self.measures, self.convention, self.test
        return cache.pairing(of.qrels, two, *asked, of.weights)


def picks() -> Picks:
    """Show the pickers; without judgments, show what the lists have in common, and end the page."""
    own = user_data.upload()
    if own and not own.is_comparable and not (state.value(state.DATA) or state.asks(state.DATA)):
        _too_few(own)
    # Before the sentence of the settings, which would have holes.
    pickers.gone(state.DATA)
    with st.container(key=present.COVERED):
        of_a, of_b, of_data, of_measure, of_filter, of_convention = pickers.sentence(
            (":blue[**A**]", ""),
            ("against :orange[**B**]", ""),
            ("on", ""),
            (", by", ""),
            ("", ""),
            ("", ""),
        )
        with st.container(horizontal=True):
            of_heading = st.container(key="verdict")
            with st.container(key="actions", horizontal=True, width="content", gap="small"):
                of_share = st.container(horizontal=True, width="content")
                more = st.popover("Options")
    with of_data:
        sample = pickers.source_picker(state.DATA, "shop", lambda data: data.is_comparable)
        dataset = links.receive_grades(further_judges.counting(sample))
        if changed := sum(map(len, by_hand.changed_grades(dataset).values())):
            widgets.words(f"with **{text.count(changed, 'grade')} by hand**")
    runs = cache.compared(dataset)
    titles = {key: run.name for key, run in runs.items()}
    # The own runs come first; a single one stands beside the ideal ranking.
    one, other, *_ = [*titles] * 2
    with of_a:
        said = pickers.literal(titles, ":blue[{}]")
        a = widgets.option("Run A", titles, state.A, one, said=said)
    with of_b:
        said = pickers.literal(titles, ":orange[{}]")
        b = widgets.option("Run B", titles, state.B, other, said=said)
    with more, st.container(horizontal=True):
        st.button("Swap A and B", on_click=state.put, args=({state.A: b, state.B: a},))
        st.button("Type two lists", on_click=state.type_lists, args=(state.TWO_LISTS,))
        pickers.upload_button()
    if not dataset.is_judged:
        with of_measure:
            depth = widgets.number("Top", state.K, DEPTH, (1, _DEEPEST), 1, part="measure")
        without_judgments.section(dataset, (runs[a], runs[b]), depth, sample)
        pickers.unknown_links()
        st.stop()
    with of_measure:
        measure = pickers.measure_picker(parse(sample.measure))
    with more:
        test, others = _tests()
    measures = tuple(map(parse, dict.fromkeys((str(measure), *others))))
    with of_convention:
        convention = pickers.convention_picker(measures)
    places = of_filter, of_heading, of_share
    return Picks(sample, dataset, (a, b), measures, convention, test, *places)


def _tests() -> tuple[PairedTest, tuple[str, ...]]:
    """Choose the test, the size of a tie, the seed, and the other measures to test."""
    others = _others()
    titles = {name: test.title for name, test in significance.TESTS.items()}
    test = widgets.option("Paired test", titles, state.TEST)
    st.caption(f"p: {significance.TESTS[test].asks}.")
    title = "Deltas up to this size are ties"
    tie = widgets.number(title, state.TIE, significance.TIE, (0.0, 1.0), 0.01, width="stretch")
    tooltip = "Random tests and intervals are reproducible for a given seed."
    seed = widgets.number("Seed", state.SEED, SEED, (0, widgets.LARGEST), 1, tooltip)
    return PairedTest(test, tie, seed), others


def _others() -> tuple[str, ...]:
    def read(names: str) -> list[str]:
        return [str(parse(name)) for name in state.parts(names)]

    def draw() -> list[str]:
        chosen = state.value(state.BESIDE)
        typed = st.multiselect(
            "Other measures to test",
            list(dict.fromkeys([*MEASURES, *OFFERED, *chosen])),
            default=chosen,
            key=state.BESIDE,
            accept_new_options=True,
            help="You can type the name of any measure: `nDCG@20`, `P(rel=2)@5`, `RBP(p=0.95)`.",
        )
        names = []
        for name in typed:
            try:
                names.append(str(parse(name)))
            except MeasureError as error:
                st.warning(text.code(str(error)))
        return names

    return tuple(widgets.settled(state.BESIDE, list(MEASURES), read, draw, ""))


def _too_few(own: Dataset) -> None:
    """Say that the user's data cannot be compared, offer two ways on, and end the page."""
    runs = text.count(len(own.rankings), "run")
    st.info(f"Your data hold {runs}; a comparison needs two. Add one, or look at a sample.")
    with st.container(horizontal=True):
        add = partial(state.open_page, state.DATA_PAGE, {})
        st.button("Add a run", type="primary", on_click=add)
        st.button("Look at a sample", on_click=state.put, args=({state.DATA: "shop"},))
        st.button("Type two lists", on_click=state.type_lists, args=(state.TWO_LISTS,))
    pickers.unknown_links()
    st.stop()


@dataclass(frozen=True)
class ComparisonPage:
    """The comparison shown on the page.

    Attributes
    ----------
    every, pairing
        Run A and run B by the tested measures, over all queries, and over those that fit the
        filter.
    only
        The filter of queries.
    picked
        The query whose lists are shown.
    """

    every: Pairing
    pairing: Pairing
    only: Filtered
    picked: str = ""

    @cached_property
    def comparison(self) -> Comparison:
        """The comparison by the shown measure alone."""
        return self.pairing.by(self.pairing.measure).comparison

    @cached_property
    def frame(self) -> pd.DataFrame:
        """Each query's scores by the shown measure, the largest gain of B first."""
        return comparison_tables.queries(self.comparison, self.shown, self.dataset.query_texts)

    @cached_property
    def first(self) -> slices.Instructive:
        """The query to open first, and why."""
        return slices.most_instructive(self.comparison, self.shown)

    @property
    def shown(self) -> str:
        """The name of the shown measure."""
        return str(self.pairing.measure)

    @property
    def label(self) -> str:
        """The convention's label for this measure, with the number of queries if filtered."""
        return self.only.label(self.pairing.measure.label(self.pairing.convention))

    @property
    def source(self) -> Provenance:
        """The numbers of the page's charts."""
        of = self.pairing
        names = of.a.name, of.b.name, self.only.label(""), self.dataset.judged_by
        return Provenance(names, self.shown, of.convention)

    @property
    def dataset(self) -> Dataset:
        """The data set of both runs."""
        return self.only.dataset
