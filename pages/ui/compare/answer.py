"""The verdict on the two runs, what threatens it, and the queries behind it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from metrics.auditing.audit import not_kept
from metrics.deciding import Verdict
from metrics.memory import content
from metrics.rendering import comparison_tables, comparison_text, query_charts, text
from metrics.scoring.known_differences import exceptions

from .. import show, state
from .picks import ComparisonPage


def answer(found: Verdict) -> None:
    """Show the sentence, then each threat in a line; red is what favours the other run."""
    sentence = comparison_text.answer(found)
    threats = "\n".join(comparison_text.threats(found))
    if found.outcome == "none":
        st.error(sentence)
        st.markdown(threats or "Check that the ids match.")
        st.button("Open the Data page", on_click=state.go_to, args=(state.DATA_PAGE,))
        return
    st.markdown(f"## {sentence}")
    if threats:
        st.markdown(threats)


def about(page: ComparisonPage) -> None:
    """Show what the answer leaves out, over which queries it is, and how to read on."""
    found, two, only = page.pairing.verdict, page.pairing.runs, page.only
    for sentence in not_kept(*two, named=text.code) if found.outcome != "none" else []:
        st.caption(sentence)
    if unlike := exceptions(page.pairing.sides, page.pairing.measures):
        st.caption(f"Exceptions of the preset: {'; '.join(unlike)}.")
    if only.which.outcome:
        st.info(
            "These queries were chosen by their outcome, so a test or an interval of their mean "
            "says nothing about other queries."
        )
    remarks = comparison_text.aside(page.comparison)
    if skipped := len(page.comparison.queries) - len(page.frame):
        many = text.count(skipped, "query", "queries")
        remarks.append(f"{many} with nothing to find left out")
    remarks += page.runs.explained(dict.fromkeys(page.pair))
    st.markdown(
        f"Mean over {only.over}. "
        + "".join(f"{line.rstrip('.')}. " for line in remarks)
        + ("A and B are identical. " if content(two[0]) == content(two[1]) else "")
        + f"Click {'a bar' if len(page.frame) <= query_charts.BARS else 'the line'} to see its "
        + "query [below](#one-query)."
    )
    if removed := comparison_text.own_documents(page.comparison):
        st.text(text.visible(removed))


def bars(page: ComparisonPage) -> None:
    """Show the delta of each query; a click picks the query."""
    drawn = query_charts.deltas(
        page.frame, page.shown, page.picked, page.label, page.pairing.test.tie
    )
    drawn = replace(drawn, alt=f"{page.pairing.verdict.sentence.text()} {drawn.alt}")
    show.picking_chart(drawn, "deltas", state.pick_query, page.source)


# With these widths in pixels a query's text and its document are visible in half a page.
_NAMES = 236
_WIDTHS = {"document": 120, "rank A → B": 72}
MOST = 10
"""At most this many queries are listed on each side."""


def changes(page: ComparisonPage) -> None:
    """Show the queries on which B loses most beside those on which it gains most."""
    pairing = page.pairing
    for column, title, sign in zip(
        st.columns(2, gap="large"), ("Worse in B", "Better in B"), (-1, 1), strict=True
    ):
        found = pairing.changes(sign, MOST)
        frame = comparison_tables.changed(found, page.dataset.query_texts)
        many = int((sign * page.frame["delta"] > pairing.test.tie).sum())
        with column:
            st.markdown(f"**{title}**: {text.count(many, 'query', 'queries')}")
            if frame.empty:
                st.caption("None.")
                continue
            names = frame.index.tolist()
            show.picking_table(
                frame,
                f"changed_{sign}",
                pick=lambda place, names=names: state.pick_query(names[place]),  # type: ignore[misc]
                picked=page.picked,
                widths=_WIDTHS | _of_names(names),
            )


def _of_names(queries: list[str]) -> dict[str, int]:
    """Return the widths of the queries' ids, which are whole if they are short, and of texts."""
    ids = min(max(52, *(20 + 8 * len(query) for query in queries)), 110)
    return {"query": ids, "text": _NAMES - ids}
