"""The tabs of Compare, among them By cutoff and Robustness."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from metrics.comparing.robustness import that_change_a_delta
from metrics.comparing.significance import NONE
from metrics.defaults import ALPHA
from metrics.rendering import comparison_charts, comparison_tables, comparison_text, convention_text

from .. import show
from . import documents, queries
from .context import ComparisonPage
from .downloads import take_away
from .labels import labels
from .leaderboard import all_runs

REPORTED = ("R", "P", "nDCG", "Success", "RR")
REPORT_CUTOFFS = (1, 3, 5, 10)


def by_cutoff(page: ComparisonPage) -> None:
    """Show the measure by cutoff with intervals, and the usual measures at the usual cutoffs."""
    pairing, measure = page.pairing, page.pairing.measure
    left, right = st.columns(2, gap="large")
    with left:
        if measure.suffix != "cutoff":
            st.info(f"{measure.symbol} takes no cutoff.")
        else:
            each = pairing.by(*(replace(measure, cutoff=k) for k in comparison_charts.CUTOFFS))
            sides = {
                side: frame.set_axis(comparison_charts.CUTOFFS)
                for side, frame in each.intervals.items()
            }
            show.chart(
                comparison_charts.curves(sides, measure.symbol, page.label),
                "by_cutoff",
                replace(page.source, measure=measure.symbol),
            )
            st.caption(
                "Bands: 95 % interval of each mean. The runs can differ although their "
                "bands overlap, because the test compares them query by query."
            )
    with right:
        reported = pairing.by(*(f"{name}@{k}" for name in REPORTED for k in REPORT_CUTOFFS))
        show.table(comparison_tables.means(reported.summaries))
        convention = convention_text.in_words(
            pairing.convention, convention_text.OF_MEANS, *reported.measures
        )
        st.caption(f"Means over {page.only.over}. Convention: {convention}.")


def robustness(page: ComparisonPage) -> None:
    """Show whether the sign of the delta depends on the cutoff or on one choice."""
    found, idle = that_change_a_delta(page.pairing.settings)
    summary = comparison_text.settings(found, page.shown)
    st.markdown(f"**{summary}**")
    show.chart(comparison_charts.sign_map(found, summary), "robustness", page.source)
    show.table(comparison_tables.settings(found))
    whole = page.pairing.whole
    st.caption(
        f"Mean delta B − A over {page.only.over} by cutoff. Each row changes one choice of the "
        "convention. ? marks a delta that is doubtful: "
        + (
            "not tested. "
            if page.pairing.test.test == NONE
            else f"p ≥ {ALPHA:g} (not corrected), so the sign may be due to chance. "
        )
        + (f"Not listed, because no delta changes: {'; '.join(idle)}. " if idle else "")
        + ("" if whole else "Choices that rank a run anew need whole runs and are not tried.")
    )


LOOKS: dict[str, Callable[[ComparisonPage], None]] = {
    "Queries": queries.table,
    "Scores": queries.scores,
    "Documents": documents.documents,
    "By cutoff": by_cutoff,
    "Robustness": robustness,
    "Labels": labels,
    "All runs": all_runs,
    "Take away": take_away,
}
"""The function that draws each tab, by its title, which is also its name in links."""
