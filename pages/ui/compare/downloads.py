"""Downloads of a comparison: a report, tables, each query's scores, and how to repeat it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st

from metrics import Dataset, Run
from metrics.writing import FORMATS
from metrics.writing.comparison import evidence_table
from metrics.writing.reproduce import Again

from ..render import comparison_files
from .context import ComparisonPage


def take_away(page: ComparisonPage) -> None:
    """Downloads, made when they are asked for, and the lines that give the same numbers."""
    dataset, two, asked = page.dataset, page.two, page.asked
    shown, measures = str(page.measure), list(page.rows)
    again = comparison_files.asked_again(dataset, two, measures, page.convention, asked)
    made = page.runs.explained(page.pair)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Report**: one HTML file with its charts and numbers, to open anywhere")
        st.download_button(
            "Download the report",
            # Made outside the session, when it is asked for: it gets all it needs now.
            partial(comparison_files.report, dataset, two, again, page.rows, page.picked, made),
            on_click="ignore",
            file_name="rankscope-report.html",
            mime="text/html",
            type="primary",
        )
        st.markdown("**The table above**")
        table = evidence_table(page.rows, page.comparison, asked.test, asked.seed)
        origin = comparison_files.origin(dataset, two, page.comparison)
        table = table.saying(labels=origin | dict(table.labels))
        with st.container(horizontal=True):
            for name, (title, end) in _FORMATS.items():
                st.download_button(
                    title,
                    FORMATS[name](table),
                    on_click="ignore",
                    file_name=f"comparison.{end}",
                    key=f"table_as_{name}",
                )
        st.markdown(f"**Each query's scores** in {', '.join(measures)}")
        with st.container(horizontal=True):
            for title, write in _EACH_QUERY.items():
                st.download_button(
                    title,
                    partial(write, dataset, two, again),
                    on_click="ignore",
                    file_name=f"queries.{title.lower()}",
                    key=f"queries_as_{title}",
                )
        st.caption(
            "All have full precision but Markdown and LaTeX, which have four decimals. In CSV, an "
            "apostrophe stands before what a spreadsheet would run as a formula."
        )
    with right:
        st.markdown("**Get the same numbers again**, from these three files")
        st.download_button(
            "Download qrels and both runs",
            partial(comparison_files.inputs, dataset, two),
            on_click="ignore",
            file_name="inputs.zip",
        )
        st.code(again.command(), language="bash", wrap_lines=True)
        st.caption(f"This query alone, document by document, in {shown}:")
        alone = replace(again, measures=[shown])
        st.code(alone.command(page.picked), language="bash", wrap_lines=True)
        st.code(again.python(), language="python", wrap_lines=True)


_FORMATS = {
    "markdown": ("Markdown", "md"),
    "latex": ("LaTeX", "tex"),
    "csv": ("CSV", "csv"),
    "json": ("JSON", "json"),
}
"""The formats of the table, the title of each, and the extension of its files."""
_Writer = Callable[[Dataset, tuple[Run, Run], Again], str | bytes]
_EACH_QUERY: dict[str, _Writer] = {
    "CSV": comparison_files.csv,
    "Parquet": comparison_files.parquet,
}
"""What writes each query's scores, by the format's title."""
