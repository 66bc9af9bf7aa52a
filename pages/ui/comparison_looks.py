"""Closer looks at two runs over all queries: each query, by cutoff, and how robust it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from metrics import Comparison, Convention, Dataset, Measure, Run

from . import cache, comparison_charts, controls, overview, show, state, tables, text

REPORTED = ("R", "P", "nDCG", "Success", "RR")
REPORT_CUTOFFS = (1, 3, 5, 10)
CURVE_CUTOFFS = (1, 2, 3, 5, 10, 20, 50, 100)


@dataclass(frozen=True)
class Look:
    """What a closer look is at."""

    dataset: Dataset
    runs: tuple[Run, Run]
    comparison: Comparison
    measure: Measure
    convention: Convention
    asked: overview.Asked
    frame: pd.DataFrame
    picked: str

    @property
    def label(self) -> str:
        """The convention's name."""
        return self.measure.label(self.convention)

    def compared(self, measure: str) -> Comparison:
        """Both runs under another measure."""
        a, b = self.runs
        return cache.compared(self.dataset.qrels, a, b, measure, self.convention)


def table(look: Look) -> None:
    """The queries with both scores and what nobody judged; the table's own search and sort."""
    titles = {name: f"{name} ({len(look.frame[test(look)])})" for name, test in SHOWN.items()}
    chosen = controls.option("Show", titles, state.SHOWN, flat=True)
    frame = look.frame[SHOWN[chosen](look)]
    depth = look.measure.cutoff or DEPTH
    holes = look.compared(f"Unjudged@{depth}").per_query(f"Unjudged@{depth}")
    for place, side in enumerate("AB", 3):
        unjudged = depth * holes[side].reindex(frame.index)
        frame.insert(place, f"unjudged {side}", unjudged.round().astype("Int64"))
    names = frame.index.tolist()
    # A key for each list of queries: the row that is ticked in one is another in the next.
    show.picking_table(
        frame, f"queries_{chosen}", pick=lambda place: state.pick_query(names[place])
    )
    st.caption(
        f"Unjudged: documents of the top {depth} without a grade. Tick a row to see its query; "
        "click a column's head to sort, the loupe to search."
    )


DEPTH = 10
"""So deep unjudged documents are counted where the measure has no cutoff."""
SHOWN: dict[str, Callable[[Look], pd.Series[bool]]] = {
    "all": lambda look: look.frame["delta"].notna(),
    "B better": lambda look: look.frame["delta"] > look.asked.tie,
    "A better": lambda look: look.frame["delta"] < -look.asked.tie,
    "ties": lambda look: look.frame["delta"].abs() <= look.asked.tie,
}
"""Which queries are listed, by the name that stands in links."""


def agreement(look: Look) -> None:
    """Each query's two scores against each other."""
    drawn = comparison_charts.agreement(look.frame, str(look.measure), look.picked, look.label)
    show.picking_chart(drawn, "agreement", state.pick_query)
    st.caption("A query on the diagonal scores the same under both. Click a mark to see its query.")


def by_cutoff(look: Look) -> None:
    """The measure by cutoff with intervals, and the usual measures at the usual cutoffs."""
    symbol = look.measure.symbol
    left, right = st.columns(2, gap="large")
    with left:
        if look.measure.at != "cutoff":
            st.info(f"{symbol} takes no cutoff.")
        else:
            names = tuple(str(replace(look.measure, cutoff=k)) for k in CURVE_CUTOFFS)
            a, b = look.runs
            sides = cache.intervals(
                look.dataset.qrels, a, b, names, look.convention, look.asked.seed
            )
            sides = {side: frame.set_axis(CURVE_CUTOFFS) for side, frame in sides.items()}
            show.chart(comparison_charts.curves(sides, symbol, look.label), "by_cutoff")
            st.caption("Bands: 95 % bootstrap interval of each mean by itself.")
    with right:
        reported = tuple(f"{name}@{k}" for name in REPORTED for k in REPORT_CUTOFFS)
        a, b = look.runs
        show.table(
            tables.means(cache.summaries(look.dataset.qrels, a, b, reported, look.convention))
        )
        st.caption(f"Means over the compared queries. Convention: {look.label}.")


def robustness(look: Look) -> None:
    """Whether the winner changes with the cutoff or with one choice of the convention."""
    a, b = look.runs
    asked = look.asked
    found = cache.settings(
        look.dataset.qrels, a, b, look.measure, look.convention, asked.test, asked.seed
    )
    said = text.settings(found, str(look.measure))
    st.markdown(f"**{said}**")
    show.chart(comparison_charts.sign_map(found, said), "robustness")
    show.table(tables.settings(found))
    st.caption(
        "Mean delta B − A by cutoff. Each row makes one choice otherwise than the convention at "
        "hand. Hatched, or ? in the table: p ≥ 0.05 (not corrected), so the sign may be chance."
    )


LOOKS: dict[str, Callable[[Look], None]] = {
    "Queries": table,
    "A against B": agreement,
    "By cutoff": by_cutoff,
    "Robustness": robustness,
}
"""Each look by its title, which stands in links too."""
