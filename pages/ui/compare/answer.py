"""The verdict on the two runs: a heading, what it rests on, and what can turn it."""

from collections.abc import Iterable

import streamlit as st

from metrics import Statement, Verdict
from metrics.auditing import audit
from metrics.comparing import slices
from metrics.memory import content
from metrics.rendering import comparison_text, text
from metrics.scoring import known_differences
from metrics.writing import how_tested

from .. import state
from ..streamlit_internals import Container
from . import query_bars
from .picks import ComparisonPage


def no_answer(found: Verdict) -> None:
    """Say why nothing can be compared, and offer what helps."""
    st.error(comparison_text.answer(found))
    threats = "\n\n".join(comparison_text.threats(found.threats))
    st.markdown(threats or "Check that the ids match.")
    st.button("Open the Data page", on_click=state.open_page, args=(state.DATA_PAGE, {}))


def answer(page: ComparisonPage, example: str, heading: Container) -> None:
    """Show the verdict, one line of evidence, and the threats that can turn it.

    ``example``: the data, by their name in links.
    """
    found = page.pairing.verdict
    heading.header(comparison_text.heading(found), anchor=False)
    turning = found.turning
    # The line of evidence says how often chance alone gives such a lead.
    others = [each for each in found.threats if each not in turning and each.kind != "chance"]
    remarks = [*comparison_text.threats(others), *_about(page)]
    with st.container(horizontal=True, vertical_alignment="center", key="evidence"):
        if line := comparison_text.evidence(page.pairing):
            st.markdown(line, width="content")
        with st.popover("Method", type="tertiary") if remarks else st.container():
            st.markdown("\n\n".join(remarks))
            if removed := comparison_text.removed(page.comparison):
                st.text(text.visible(removed))
            if not _ungraded(turning):
                _judge(page, example, others)
    with st.container(gap=None, key="threats") if turning else st.container():
        st.markdown("\n\n".join(comparison_text.threats(turning)))
        _judge(page, example, turning)
    if page.only.which.outcome:
        st.info(
            "These queries were chosen by their outcome, so a test or an interval of their mean "
            "says nothing about other queries."
        )


def _ungraded(threats: Iterable[Statement]) -> bool:
    return any(each.kind in ("grades", "unjudged") for each in threats)


def _judge(page: ComparisonPage, example: str, threats: Iterable[Statement]) -> None:
    """Show the way to the documents whose grades are missing, if these threats name some."""
    depth = page.pairing.depth

    def judge() -> None:
        query = state.value(state.PICKED) or page.first.query
        # Judge begins with the query that needs most, unless the one in view needs some.
        lacks = page.pairing.one(query).movement(depth)["grade"].isna().any()
        begin = {state.QUERY: query} if lacks else {}
        begin[state.BACK] = [*map(state.value, (state.DATA, state.A, state.B)), query]
        state.open_page(state.JUDGE, {state.EXAMPLE: example, state.DEPTH: depth, **begin})

    if _ungraded(threats) and not page.dataset.judged:
        st.button("Judge them", on_click=judge, type="tertiary")


def presented(page: ComparisonPage) -> None:
    """Show the verdict on a projector, with its evidence and every query."""
    evidence = comparison_text.evidence(page.pairing)
    with st.container(key="projected"):
        st.header(comparison_text.heading(page.pairing.verdict), anchor=False)
        turning = "\n\n".join(comparison_text.threats(page.pairing.verdict.turning))
        said = [each for each in (evidence, turning) if each]
        for column, each in zip(st.columns(len(said)), said, strict=True):
            column.markdown(each)
    query_bars.bars(page, "projector")


def _about(page: ComparisonPage) -> list[str]:
    """Return what the answer leaves out, in Markdown."""
    two = page.pairing.runs
    remarks = [] if page.only.which == slices.EVERY else [f"Mean over {page.only.over}."]
    how = how_tested(page.pairing.evidence, page.pairing.test)
    remarks += [f"{how['low, high']}. Chance: {how['test']}."] * (page.pairing.found.queries > 1)
    remarks += audit.not_kept(*two, named=text.code)
    if unlike := known_differences.exceptions(page.pairing.sides, page.pairing.measures):
        remarks.append(f"Exceptions of the preset: {'; '.join(unlike)}.")
    remarks += comparison_text.aside(page.comparison)
    if content(two[0]) == content(two[1]):
        remarks.append("A and B are identical.")
    return remarks
