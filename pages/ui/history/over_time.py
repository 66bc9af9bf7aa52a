"""The trend of one measure: its chart, where it breaks and why, and its table."""

from collections.abc import Mapping, Sequence

import streamlit as st

from metrics import Measure
from metrics.deciding import PastRun, trend
from metrics.rendering import Provenance, run_charts, tables, text
from metrics.writing import trend_table

from .. import show
from .folder import label

_BREAKS = 3
"""At most this many reasons are shown above the table; the newest come first."""


def section(points: Sequence[trend.Point], measure: Measure, sides: Mapping[str, PastRun]) -> None:
    """Show the means over time, the reasons for breaks, and the table."""
    shown = str(measure)
    labels = (measure.label(point.run.file.judged.convention) for point in points)
    convention = "; ".join(dict.fromkeys(labels))
    chart = run_charts.trend(points, shown, convention, sides)
    show.chart(chart, "history", Provenance(("history",), shown))
    _breaks(points)
    with st.expander(f"All {text.count(len(points), 'run')} as a table"):
        # All rows are of one measure.
        show.table(tables.screen(trend_table(points)).drop(columns="measure")[::-1])
        st.caption(
            "low, high: 95 % interval of the mean. change, p: since the run before, paired "
            "randomisation test, two-sided, not corrected."
        )


def _breaks(points: Sequence[trend.Point]) -> None:
    """Say why runs are not comparable with the one before, the newest first."""
    broken = [point for point in reversed(points) if point.differences]
    if not broken:
        return
    lines = []
    for point in broken[:_BREAKS]:
        reasons = " ".join(each.text(text.code) for each in point.differences)
        lines.append(f"- {text.code(label(point.run))}: {reasons}")
    if len(broken) > _BREAKS:
        lines.append(f"- {len(broken) - _BREAKS} earlier")
    st.markdown("**Not comparable with the run before**, which is the baseline here:")
    st.markdown("\n".join(lines))
