"""The pickers of the paired test, and of the measures tested beside the shown one."""

import streamlit as st

from metrics import MeasureError, parse
from metrics.comparing.evidence import PairedTest
from metrics.comparing.significance import TESTS, TIE
from metrics.defaults import MEASURES, SEED
from metrics.rendering import text

from .. import state, widgets

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
