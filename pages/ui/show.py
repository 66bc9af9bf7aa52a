"""Tables and charts on the page: one way to show each, with its table twin and alt text."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from . import charts

# Float columns that hold small whole numbers as a rule.
_SHORT = {"grade", "gain", "rank"}


def table(frame: pd.DataFrame, height: int | None = None, digits: int = 4) -> None:
    """A read-only table; texts stay literal, numbers get the same digits everywhere."""
    config = {
        str(name): st.column_config.NumberColumn(
            format="%g" if name in _SHORT else "%.1f" if name == "relative %" else f"%.{digits}f"
        )
        for name in frame.columns
        if pd.api.types.is_float_dtype(frame[name])
    }
    height = height or min(38 + 35 * max(len(frame), 1), 388)
    st.dataframe(frame, column_config=config, height=height, placeholder="–")


def chart(drawn: charts.Chart, key: str) -> None:
    """A chart that only shows."""
    st.plotly_chart(drawn.figure, key=key, config=_CONFIG, alt=drawn.alt)


def picking_chart(drawn: charts.Chart, key: str, pick: Callable[[str], None]) -> None:
    """A chart whose marks can be clicked; ``pick`` gets the id behind the mark."""

    def picked() -> None:
        points = st.session_state[key]["selection"]["points"]
        for point in points:
            data = point.get("customdata")
            found = data[0] if isinstance(data, list) else data
            if found:
                pick(str(found))

    st.plotly_chart(
        drawn.figure,
        key=key,
        config=_CONFIG,
        alt=drawn.alt,
        on_select=picked,
        selection_mode="points",
    )


_CONFIG = {"displayModeBar": False, "scrollZoom": False}
