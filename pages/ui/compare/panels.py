"""The tabs of Compare, among them Documents, By cutoff, Robustness and Labels."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pandas as pd
import streamlit as st

from metrics import OneQuery, RankscopeError
from metrics.comparing import comparison, significance
from metrics.comparing.robustness import that_change_a_delta
from metrics.defaults import ALPHA, TEST
from metrics.rendering import (
    comparison_charts,
    comparison_tables,
    comparison_text,
    convention_text,
    tables,
    text,
)
from metrics.writing import evidence_rows, how_tested

from .. import show, state, widgets
from . import queries
from .downloads import take_away
from .leaderboard import all_runs
from .picks import ComparisonPage

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
            axis = comparison_charts.CUTOFFS
            sides = {side: frame.set_axis(axis) for side, frame in each.intervals.items()}
            ahead = [row.delta for row in each.summaries.values()]
            st.markdown(f"**{comparison_text.ahead(ahead, 'cutoff')} Measure: {measure.symbol}.**")
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
        of = pairing.convention, convention_text.OF_MEANS
        convention = convention_text.in_words(*of, *reported.measures)
        st.caption(f"Means over {page.only.over}. Convention: {convention}.")


def robustness(page: ComparisonPage) -> None:
    """Show whether the sign of the delta depends on the cutoff or on one choice."""
    found, idle = that_change_a_delta(page.pairing.settings)
    summary = comparison_text.settings(found, page.shown)
    st.markdown(f"**{summary}**")
    show.chart(comparison_charts.sign_map(found, summary), "robustness", page.source)
    with st.expander("As a table"):
        show.table(comparison_tables.settings(found))
    whole = page.pairing.whole
    st.caption(f"Mean delta B − A by cutoff, over {page.only.over}; each row changes one choice.")
    with st.popover("How to read it", type="tertiary"):
        st.markdown(
            "? marks a delta that is doubtful: "
            + (
                "not tested."
                if page.pairing.test.test == significance.NONE
                else f"p ≥ {ALPHA:g} (not corrected), so the sign may be due to chance."
            )
            + (f"\n\nNot listed, because no delta changes: {'; '.join(idle)}." if idle else "")
            + ("" if whole else "\n\nChoices that rank a run anew need whole runs: not tried.")
        )


def documents(page: ComparisonPage) -> None:
    """Show the documents that change the means most, and the queries that one of them changes."""
    totals = page.pairing.documents
    real = totals[totals["ranked"]]
    gains, losses = (int((sign * real["delta"] > significance.TIE).sum()) for sign in (1, -1))
    st.markdown(
        f"**More under B: {text.count(gains, 'document')}; more under A: {losses:,}; "
        f"together {text.signed(totals['delta'].sum())}, the delta of the mean.**"
    )
    changed = totals[totals["queries"] > 0]
    moved = changed.head(comparison_tables.LISTED)
    listed = f"All {len(moved)} documents that change a score, the largest change first"
    if len(moved) < len(changed):
        listed = f"The {len(moved)} largest changes, up or down, of {len(changed):,} documents"
    kinds = moved.pop("ranked").tolist()
    if texts := page.dataset.document_texts:
        moved = moved.assign(text=[text.beginning(texts.get(name, "")) for name in moved.index])
    # What they are sorted by is the first that a phone shows.
    moved.insert(0, "delta", moved.pop("delta"))
    st.caption(
        f"A, B: each document's part of the means of {page.shown} over {page.only.over}. "
        f"{listed}, of {len(totals):,}. "
        "Pick a row to see its queries."
    )
    left, right = st.container(key="moved").columns([3, 2], gap="medium")
    with left:
        place = show.picking_table(moved, "documents", picked=0, opens="of_document")
    with right, st.container(key="of_document"):
        if kinds and place is not None:
            _of_document(page, str(moved.index[place]), kinds[place])


def _of_document(page: ComparisonPage, document: str, kind: bool) -> None:
    """Show each query that a document changes. ``kind``: whether it is ranked there."""
    lines = page.pairing.comparison.documents(page.shown)
    of_document = (lines["document"] == document) & (comparison.ranked(lines) == kind)
    lines = lines[of_document & (lines["delta"].abs() > significance.TIE)]
    # The parts of both scores are a press away, in the query.
    lines = lines.set_index("query").sort_values("delta", key=abs)[::-1]
    lines = lines[["delta", "grade", "rank A", "rank B"]]
    names, texts = lines.index.tolist(), page.dataset.query_texts
    lines.index = pd.Index([texts.get(name, name) for name in names], name="query")
    total = float(lines["delta"].sum())
    st.markdown(
        f"**{text.code(document)}** changes {text.count(len(lines), 'query', 'queries')}: "
        f"{text.signed(total)}\u00a0÷\u00a0{page.only.kept:,}\u00a0=\u00a0"
        f"**{text.signed(total / page.only.kept)}**"
    )
    is_open = state.value(state.DOCUMENT) == document
    place = show.place_in(names, page.picked) if is_open else None
    show.picking_table(
        lines, "of_document", pick=lambda place: _open(names[place], document), picked=place
    )
    if words := page.dataset.document_texts.get(document):
        st.text(text.legible(words[:_READ]))


_READ = 1500
"""At most this many characters of a document are beside its queries."""


def _open(query: str, document: str) -> None:
    state.put({state.PICKED: query, state.DOCUMENT: document})


_STEPS = {"one": 1, "any": None}
"""How far a label may change, by the name in links."""
MOST = 20
"""At most this many labels are listed by their weight."""


def labels(page: ComparisonPage) -> None:
    """Show the fewest labels that turn the winner, and those that weigh most."""
    names = {"one": "by one grade", "any": "to any grade"}
    chosen = widgets.option("A label may change", names, state.STEPS, "one", flat=True)
    found = page.pairing.labels(_STEPS[chosen])
    if found is None:
        st.info("Too many labels to try them all: choose fewer queries or a smaller cutoff.")
        return
    st.markdown(comparison_text.decisive(found, names[chosen], page.pairing.runs, page.shown))
    st.caption("Pick a row to see both lists with that grade.")
    if found.changes:
        changes = comparison_tables.label_changes(found.changes)
        _listed(page, "decisive", changes)
        st.caption(f"Their mean changes sum to {text.signed(changes['mean change'].sum())}.")
    others = [each for each in found.ranked if each not in found.changes]
    st.markdown("**Other labels that weigh most**, each changed alone")
    _listed(page, "weighing", comparison_tables.label_changes(others[:MOST]))


def changed(page: ComparisonPage, tab: str | None, one: OneQuery, document: str) -> OneQuery | None:
    """Return a query with the other grade of a document, where the open tab lists labels.

    Rankings that are judged already cannot be judged anew.
    """
    if tab != "Labels" or page.pairing.whole is None:
        return None
    step = _STEPS.get(state.value(state.STEPS) or state.asks(state.STEPS), 1)
    # The tab shows the refusal.
    with suppress(RankscopeError):
        found = page.pairing.labels(step)
        for each in found.ranked if found else ():
            if (each.query, each.document) == (one.query, document):
                return one.with_grade(document, each.after)
    return None


def _listed(page: ComparisonPage, key: str, frame: pd.DataFrame) -> None:
    queries, documents = frame.index.tolist(), frame["document"].tolist()
    if texts := page.dataset.query_texts:
        frame.insert(0, "text", [text.beginning(texts.get(name, "")) for name in queries])

    rows = list(zip(queries, documents, strict=True))
    document = state.value(state.DOCUMENT)
    place = show.place_in(rows, (page.picked, document))

    def pick(place: int) -> None:
        if (page.picked, document) == rows[place]:
            # A second press takes the other grade back.
            state.forget(state.DOCUMENT)
        else:
            _open(*rows[place])

    show.picking_table(frame, f"labels_{key}", pick=pick, picked=place, toggles=True)


def measures(page: ComparisonPage) -> None:
    """Show all measures side by side, with the queries, the convention, the test and the seed."""
    pairing = page.pairing
    frame = tables.screen(evidence_rows(pairing.evidence))
    ahead = [row.delta for row in pairing.evidence.values()]
    sure = sum(row.sure for row in pairing.evidence.values())
    st.markdown(f"**{comparison_text.ahead(ahead, 'measure', sure)}**")
    # One query has no interval and no test.
    frame = frame.loc[:, ~frame.isin(["–"]).all() & frame.notna().any()]
    show.table(frame)
    draws = f", {significance.SAMPLES:,} draws above {significance.EXACT} differing queries"
    how = how_tested(pairing.evidence, pairing.test)
    more = convention_text.of_others(pairing.convention, pairing.measure, pairing.measures)
    alone = f" {page.shown} decides and is tested alone; p Holm corrects the others together."
    st.caption(f"Deltas are B − A, over {page.only.over}.{alone if 'p Holm' in frame else ''}")
    with st.popover("How they are counted", type="tertiary"):
        st.markdown(
            f"Convention as above{more and f'; {more}'}.\n\nlow, high: {how['low, high']}, not "
            f"corrected, none where fewer than {significance.DIFFERING} queries differ.\n\n"
            f"p: {how['test']}{draws if pairing.test.test == TEST else ''}.\n\n"
            f"Effect: mean delta in standard deviations of the deltas.\n\n"
            f"Ties: up to ±{pairing.test.tie:g}."
        )


TABS: dict[str, Callable[[ComparisonPage], None]] = {
    "Measures": measures,
    "Queries": queries.table,
    "Documents": documents,
    "Scores": queries.scores,
    "By cutoff": by_cutoff,
    "Robustness": robustness,
    "Labels": labels,
    "All runs": all_runs,
    "Take away": take_away,
}
"""The function that draws each tab, by its title, which is also its name in links."""
ROW = "Measures", "Queries", "Documents"
"""The tabs that are not under *More*."""
