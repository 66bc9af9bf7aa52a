"""Downloads of a comparison: report, tables, each query's scores, and how to reproduce it."""

from dataclasses import replace
from functools import partial

import streamlit as st

from metrics import Pairing
from metrics.rendering import joined_lists, pictures, report

from .. import links, show
from . import query_bars
from .picks import ComparisonPage


def share(page: ComparisonPage, lasting: bool) -> None:
    """Show the report to download, and the page's link.

    ``lasting``: others can open the same data by the link.
    """
    opened = st.popover("Share", key="share_comparison", on_change="rerun")
    if not opened.open:
        return
    pairing = page.pairing.detached()
    with opened:
        st.markdown("**Report**: one HTML file to send or to print, with all charts and numbers")
        cover = _cover(pairing)
        made = partial(report.report, pairing, page.dataset, query=page.picked, cover=cover)
        name = report.file_name(pairing, page.dataset, "report", "html")
        show.download("Download the report", made, name, mime="text/html", type="primary")
        st.markdown("**Pictures**")
        _pictures(page)
        st.markdown("**Link** to this page")
        if not lasting:
            st.caption("It opens where your data are. To send them, save the session on Data.")
        st.code(links.link({}), language=None, wrap_lines=True)


def _pictures(page: ComparisonPage) -> None:
    """Show buttons that save the bars of all queries, and the lists of the one shown."""
    one, verdict = page.pairing.one(page.picked), page.pairing.verdict.sentence
    bands, said = query_bars.shown(page)["bands"], page.source.sentence
    of_one = joined_lists.shown(one, page.dataset, joined_lists.depth(one))
    source = replace(page.source, names=(*page.source.names, page.picked))
    drawn = {
        "Every query": pictures.every_query(bands, verdict.heading(), said, verdict.text()),
        "This query": pictures.one_query(of_one, source.sentence),
    }
    for name, svg in drawn.items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(name, width="content")
            show.picture(name, svg, page.source.file(name))


def take_away(page: ComparisonPage) -> None:
    """Show downloads, made on request, and the commands that reproduce the numbers."""
    dataset, pairing = page.dataset, page.pairing.detached()
    named = partial(report.file_name, pairing, dataset)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Table of measures**")
        with st.container(horizontal=True):
            show.table_files(report.means(pairing, dataset), partial(named, "measures"), "table")
        st.markdown(f"**Each query's scores** in {', '.join(pairing.names_of_measures)}")
        with st.container(horizontal=True):
            each = partial(report.each_query, pairing, dataset)
            show.table_files(each, partial(named, "queries"), "queries", ("CSV", "JSON", "Parquet"))
        st.caption(
            "Markdown and LaTeX have four decimals; the others have full precision. CSV opens in a "
            "spreadsheet: its last column is the convention, its file is named for the runs, and "
            "an apostrophe precedes text that would run as a formula."
        )
    with right:
        st.markdown("**Reproduce these numbers** from these three files")
        show.download("Download qrels and both runs", partial(report.inputs, pairing), "inputs.zip")
        recipe = report.recipe(pairing)
        asked = pairing.measures, pairing.convention, pairing.test
        st.code(recipe.command(*asked), language="bash", wrap_lines=True)
        st.caption(f"Only this query, document by document, in {page.shown}:")
        one = recipe.command([page.shown], pairing.convention, query=page.picked)
        st.code(one, language="bash", wrap_lines=True)
        st.code(recipe.python(*asked), language="python", wrap_lines=True)


def _cover(pairing: Pairing) -> report.Cover:
    """Choose the title, the author and the date of the report."""
    title = st.text_input(
        "Title",
        placeholder=report.default_title(pairing),
        max_chars=LONGEST_LINE,
        key="report_title",
        persist_state="session",
    )
    with st.container(horizontal=True):
        author = st.text_input(
            "Author", max_chars=LONGEST_LINE, key="report_author", persist_state="session"
        )
        date = st.date_input("Date", key="report_date", persist_state="session")
    return report.Cover(title, author, date.isoformat())


LONGEST_LINE = 200
"""At most this many characters are typed as the report's title or author."""
