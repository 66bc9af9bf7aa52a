"""Downloads of a comparison: report, tables, each query's scores, and how to reproduce it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st

from metrics import Dataset, Run
from metrics.rendering import comparison_files
from metrics.writing import FORMATS, Table
from metrics.writing.comparison import evidence_table
from metrics.writing.reproduce import Again

from .context import ComparisonPage


def take_away(page: ComparisonPage) -> None:
    """Show downloads, made on request, and the commands that reproduce the numbers."""
    dataset, two, paired_test = page.dataset, page.two, page.paired_test
    shown, measures = str(page.measure), list(page.rows)
    again = comparison_files.reproduction(dataset, two, measures, page.convention, paired_test)
    made = page.runs.explained(page.pair, str)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(
            "**Report**: one HTML file with all charts and numbers, which opens in any browser"
        )
        st.download_button(
            "Download the report",
            # Called outside the session on download, so it gets all its inputs now.
            partial(comparison_files.report, dataset, two, again, page.rows, page.picked, made),
            on_click="ignore",
            file_name="rankscope-report.html",
            mime="text/html",
            type="primary",
        )
        st.markdown("**Table of measures**")
        table = evidence_table(page.rows, page.comparison, paired_test.test, paired_test.seed)
        origin = comparison_files.origin(dataset, two, page.comparison)
        table = table.saying(labels=origin | dict(table.labels))
        with st.container(horizontal=True):
            table_buttons(table, "comparison", "table")
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
            "Markdown and LaTeX have four decimals; the others have full precision. In CSV, an "
            "apostrophe precedes text that a spreadsheet would run as a formula."
        )
    with right:
        st.markdown("**Reproduce these numbers** from these three files")
        st.download_button(
            "Download qrels and both runs",
            partial(comparison_files.inputs, dataset, two),
            on_click="ignore",
            file_name="inputs.zip",
        )
        st.code(again.command(), language="bash", wrap_lines=True)
        st.caption(f"Only this query, document by document, in {shown}:")
        one_measure = replace(again, measures=[shown])
        st.code(one_measure.command(page.picked), language="bash", wrap_lines=True)
        st.code(again.python(), language="python", wrap_lines=True)


def table_buttons(table: Table, stem: str, key: str) -> None:
    """Show a button for each format in which a table can be downloaded; ``stem`` names the file."""
    for name, (title, end) in _FORMATS.items():
        st.download_button(
            title,
            FORMATS[name](table),
            on_click="ignore",
            file_name=f"{stem}.{end}",
            key=f"{key}_as_{name}",
        )


_FORMATS = {
    "markdown": ("Markdown", "md"),
    "latex": ("LaTeX", "tex"),
    "csv": ("CSV", "csv"),
    "json": ("JSON", "json"),
}
"""The title and the file extension of each format of the table."""
_Writer = Callable[[Dataset, tuple[Run, Run], Again], str | bytes]
_EACH_QUERY: dict[str, _Writer] = {
    "CSV": comparison_files.csv,
    "Parquet": comparison_files.parquet,
}
"""The function that writes each query's scores, by the format's title."""
