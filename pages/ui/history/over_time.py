"""The trend of one measure: its chart, where it breaks and why, and its table."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from metrics import Measure
from metrics.deciding.trend import PastRun, Point
from metrics.rendering import run_charts, text
from metrics.rendering.comparison_files import Source
from metrics.writing.trend import trend_table

from .. import show
from .folder import label

_BREAKS = 3
"""At most this many reasons are shown above the table; the newest come first."""


def section(points: Sequence[Point], measure: Measure, sides: Mapping[str, PastRun]) -> None:
    """Show the means over time, the reasons for breaks, and the table."""
    shown = str(measure)
    labels = (measure.label(point.run.file.judged.convention) for point in points)
    convention = "; ".join(dict.fromkeys(labels))
    chart = run_charts.trend(points, shown, convention, sides)
    show.chart(chart, "history", Source(("history",), shown))
    _breaks(points)
    with st.expander(f"All {text.count(len(points), 'run')} as a table"):
        show.table(_frame(points))
        st.caption(
            "low, high: 95 % interval of the mean. change, p: since the run before, paired "
            "randomisation test, two-sided, not corrected."
        )


def _breaks(points: Sequence[Point]) -> None:
    """Say why runs are not comparable with the one before, the newest first."""
    broken = [point for point in reversed(points) if point.differences]
    if not broken:
        return
    lines = [_reason(point) for point in broken[:_BREAKS]]
    if len(broken) > _BREAKS:
        lines.append(f"- {len(broken) - _BREAKS} earlier")
    st.markdown("**Not comparable with the run before**, which is the baseline here:")
    st.markdown("\n".join(lines))


def _reason(point: Point) -> str:
    reasons = " ".join(each.text(text.code) for each in point.differences)
    return f"- {text.code(label(point.run))}: {reasons}"


def _frame(points: Sequence[Point]) -> pd.DataFrame:
    """Return the trend's table without the column of its one measure, the newest run first."""
    table = trend_table(points)
    frame = pd.DataFrame(list(table.rows), columns=list(table.headers)).drop(columns="measure")
    numbers = ["mean", "low", "high", "change"]
    frame[numbers] = frame[numbers].astype(float)
    frame["p"] = [None if pd.isna(p) else text.p_value(p) for p in frame["p"]]
    return frame.iloc[::-1].set_index(str(frame.columns[0]))
