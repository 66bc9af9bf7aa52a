"""The overview of a comparison: means, delta, interval and test."""

import streamlit as st

from metrics import MeasureError, Pairing, parse
from metrics.comparing.evidence import PairedTest
from metrics.comparing.significance import DIFFERING, EXACT, NONE, SAMPLES, TESTS, TIE
from metrics.defaults import MEASURES, SEED
from metrics.rendering import comparison_tables, convention_text, text

from .. import show, state, widgets

OFFERED = ("nDCG@5", "nDCG", "RR@10", "P@5", "AP@10", "Success@1", "ERR@10", "RBP", "Bpref")


def pickers() -> tuple[PairedTest, tuple[str, ...]]:
    """Choose the test, the size of a tie, the seed, and the other measures to test."""
    others = _others()
    titles = {name: test.title for name, test in TESTS.items()}
    test = widgets.option("Paired test", titles, state.TEST)
    st.caption(f"p: {TESTS[test].asks}.")
    tie = widgets.real_number(
        "Deltas up to this size are ties", state.TIE, TIE, (0.0, 1.0), step=0.01
    )
    tooltip = "Random tests and intervals are reproducible for a given seed."
    seed = widgets.whole_number("Seed", state.SEED, SEED, 0, tooltip)
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


def all_measures(pairing: Pairing, over: str) -> None:
    """Show all measures side by side, with the queries, the convention, the test and the seed."""
    frame = comparison_tables.evidence(pairing.evidence)
    # One query has no interval and no test.
    show.table(frame.loc[:, ~frame.isin(["–"]).all() & frame.notna().any()])
    paired_test = pairing.test
    samples = f", {SAMPLES:,} draws above {EXACT} differing queries"
    draws = samples if paired_test.test == "randomisation" else ""
    primary, *others = pairing.names_of_measures
    family = (
        f"; {primary} is the primary measure and tested alone, the p-values of the other "
        f"{text.count(len(others), 'measure')} are corrected among themselves (Holm)"
        if others
        else ""
    )
    tested = (
        "not tested"
        if paired_test.test == NONE
        else f"{TESTS[paired_test.test].title.lower()}, two-sided{draws}{family}"
    )
    more = convention_text.of_others(pairing.convention, pairing.measure, pairing.measures)
    st.caption(
        f"Over {over}. Convention as above{more and f'; {more}'}. Deltas are B − A. "
        f"Interval: 95 % ({TESTS[paired_test.test].interval.name}), not corrected, "
        f"none where fewer than {DIFFERING} queries differ. p: {tested}. "
        f"Effect: mean delta in standard deviations of the deltas. "
        f"Ties: up to ±{paired_test.tie:g}. Seed {paired_test.seed}."
    )
