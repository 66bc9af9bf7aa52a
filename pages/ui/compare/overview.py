"""The overview of a comparison: how much, how surely, and under which test."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from metrics import Convention, Measure, MeasureError, parse
from metrics.comparing.comparison import TIE
from metrics.comparing.evidence import Evidence, PairedTest
from metrics.comparing.significance import EXACT, RESAMPLES, SAMPLES, TESTS

from .. import show, state, widgets
from ..render import comparison_tables, comparison_text, convention_text, text

BESIDE = ["nDCG@10", "AP", "RR", "P@10", "R@10"]
"""The measures beside the chosen one, by default."""
OFFERED = (
    "nDCG@5",
    "nDCG",
    "RR@10",
    "P@5",
    "R@100",
    "AP@10",
    "Success@1",
    "ERR@10",
    "RBP",
    "Bpref",
)


def pickers() -> tuple[PairedTest, tuple[str, ...]]:
    """Choose the test, what counts as a tie, the seed, and the measures beside the chosen one."""
    with st.popover("Tests"):
        beside = _beside()
        titles = {name: test.title for name, test in TESTS.items()}
        test = widgets.option("Paired test", titles, state.TEST)
        st.caption(f"p: {TESTS[test].asks}.")
        tie = widgets.real_number(
            "Deltas up to this size are ties", state.TIE, TIE, (0.0, 1.0), step=0.01
        )
        said = "Tests and intervals that draw lots give the same numbers for the same seed."
        seed = widgets.whole_number("Seed", state.SEED, 0, 0, said)
    return PairedTest(test, tie, seed), beside


def _beside() -> tuple[str, ...]:
    def read(names: str) -> list[str]:
        return [str(parse(name)) for name in state.parts(names)]

    def draw() -> list[str]:
        chosen = state.value(state.BESIDE)
        asked = st.multiselect(
            "Measures tested beside the one at hand",
            list(dict.fromkeys([*BESIDE, *OFFERED, *chosen])),
            default=chosen,
            key=state.BESIDE,
            accept_new_options=True,
            help="Any measure's name may be typed: `nDCG@20`, `P(rel=2)@5`, `RBP(p=0.95)`.",
        )
        names = []
        for name in asked:
            try:
                names.append(str(parse(name)))
            except MeasureError as error:
                st.warning(text.code(str(error)))
        return names

    return tuple(widgets.settled(state.BESIDE, BESIDE, read, draw, ""))


def headline(found: Evidence, measure: str) -> None:
    """The numbers of the chosen measure."""
    with st.container(horizontal=True, gap="medium"):
        for label, value in (
            (f"mean {measure}, A", text.number(found.mean_a)),
            (f"mean {measure}, B", text.number(found.mean_b)),
            ("delta B − A", text.signed(found.delta)),
            ("relative change", f"{text.signed(100 * found.relative, 1)} %"),
            ("95 % interval", f"{text.signed(found.low, 3)} … {text.signed(found.high, 3)}"),
            ("B better / ties / A better", f"{found.wins} / {found.ties} / {found.losses}"),
        ):
            st.metric(label, value, width="content")


def all_measures(
    rows: Mapping[str, Evidence], asked: PairedTest, convention: Convention, measure: Measure
) -> None:
    """Every measure beside each other, under which convention, and what was drawn."""
    show.table(comparison_tables.evidence(rows))
    draws = f", {SAMPLES:,} draws above {EXACT} differing queries"
    drawn = draws if asked.test == "randomisation" else ""
    each = ", one for each measure" if len(rows) > 1 else ""
    more = convention_text.of_others(convention, measure, map(parse, rows))
    st.caption(
        f"Convention as above{more and f'; {more}'}. Deltas are B − A. Interval: bootstrap of the "
        f"mean delta, {RESAMPLES:,} resamples, not "
        f"corrected. p: {TESTS[asked.test].title.lower()}, two-sided{drawn}; Holm: corrected for "
        f"{comparison_text.tested(rows)}{each}. Effect: mean delta in standard deviations of the "
        f"deltas. Ties: up to ±{asked.tie:g}. Seed {asked.seed}."
    )
