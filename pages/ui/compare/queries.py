"""The tabs Queries and Scores: a table of all queries, and charts of them."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from metrics.comparing import evidence, significance, slices
from metrics.rendering import (
    comparison_charts,
    comparison_text,
    query_charts,
    tables,
    text,
)
from metrics.writing import EACH_ALIKE, of_attributes

from .. import present, show, state, widgets
from .picks import ComparisonPage


def table(page: ComparisonPage) -> None:
    """Show the queries with both scores and their unjudged documents."""
    delta, tie = page.frame["delta"], page.pairing.test.tie
    counts = {name: fit(delta, tie).sum() for name, fit in slices.OUTCOMES.items()}
    counts["all"] = len(delta)
    titles = {name: f"{name} ({counts[name]:,})" for name in ("all", *slices.OUTCOMES)}
    chosen = widgets.option("Show", titles, state.SHOWN, flat=True)
    frame = page.frame
    if page.dataset.query_texts:
        # What a query says is read with its id.
        frame = frame[["text", *frame.columns.drop("text")]]
    if fits := slices.OUTCOMES.get(chosen):
        frame = frame[fits(delta, tie)]
    # The largest change is first, in favour of the better run.
    if chosen == "A better" or (chosen == "all" and delta.sum() < 0):
        frame = frame[::-1]
    names = frame.index.tolist()
    of_all = f"{len(names):,} of " if len(names) < len(delta) else ""
    explained = len(names) <= _EXPLAINED and chosen != "ties"
    if explained:
        frame = frame.assign(**{"largest part": largest_parts(page, names)})
    unjudged = _unjudged(page)
    if lacks := bool(unjudged.any(axis=None)):
        frame = frame.join(unjudged)
    if known := page.pairing.whole is not None:
        common = page.pairing.overlaps(page.pairing.depth).reindex(names)
        frame = frame.assign(**{"in common": common.astype("Int64")})
    show.picking_table(
        frame,
        "queries",
        pick=lambda place: state.pick_query(names[place]),
        picked=show.place_in(names, page.picked),
    )
    of_top = f"documents in the top {page.pairing.depth}"
    part = " Largest part: the document that changed most, its ranks under A and B, its delta."
    st.caption(
        f"{of_all}{page.only.over}. {'Unjudged:' if lacks else 'No query has'} {of_top} without a "
        f"grade.{f' In common: {of_top} of both.' if known else ''}{part if explained else ''} "
        "Pick a row to see its query."
    )
    _by_group(page)


def _by_group(page: ComparisonPage) -> None:
    """Show the evidence in each group of queries by an attribute, chosen where there are several.

    From one group a press leads to the next. An attribute with one value here is what the headline
    says.
    """
    kept = page.only.which.of_attributes
    by = {
        name: of
        for name, of in page.dataset.groupings.items()
        if name in kept or len({of.get(query) for query in page.frame.index}) > 1
    }
    if not by:
        return
    st.markdown("**By group of queries**")
    attribute = next(iter(by))
    if len(by) > 1:
        listed = {name: name for name in by}
        attribute = widgets.option("Attribute", listed, state.ATTRIBUTE, width=240)
    those = kept.get(attribute, [None])
    of = page.every if attribute in kept else page.pairing
    over = f"all {page.only.of:,} queries" if attribute in kept else page.only.over
    (found,) = of_attributes(of, {attribute: by[attribute]})
    # Those of all queries: a group that is filtered out can be pressed.
    groups = slices.groups_of(replace(page.dataset, qrels=page.every.qrels))
    names = {group: name for name, group in groups.items()}

    def pick(place: int) -> None:
        # The groups of other attributes stay, so that two attributes can be crossed.
        chosen = state.value(state.GROUP) or ()
        others = [name for name in chosen if name in groups and groups[name][0] != attribute]
        name = names[attribute, str(found.rows[place][0])]
        # A second press takes it back.
        state.filter_queries([*others, name] if name not in chosen else others)

    shown = tables.screen(found)
    place = show.place_in(shown.index.tolist(), those[0])
    show.picking_table(
        shown, "groups", pick=pick, picked=place, opens=present.COVERED, toggles=True
    )
    st.caption(
        f"{page.shown} within each group, over {over}. Mean of the groups' means: "
        f"{found.labels[EACH_ALIKE]}. Low, high: 95 % interval of the delta, – where fewer than "
        f"{significance.DIFFERING} queries differ; effect: delta in standard deviations of the "
        f"queries' deltas. p: {found.labels['test']}. Pick a group to see "
        "it alone."
    )


def largest_parts(page: ComparisonPage, names: list[str]) -> "pd.Series[str]":
    """Return the document that made most of each query's delta, with its ranks under A and B."""
    delta = page.frame["delta"][names]
    # What cancels out made nothing.
    moved = delta.index[delta.abs() > page.pairing.test.tie].tolist()
    found = page.comparison.only(moved).decisive(page.shown)
    ranks = found[["rank A", "rank B"]].astype("Int64").astype(str).fillna("–")
    parts = zip(found["document"], ranks["rank A"], ranks["rank B"], found["delta"], strict=True)
    said = [f"{text.visible(name)}: {a} → {b}, {text.signed(delta)}" for name, a, b, delta in parts]
    return pd.Series(said, found.index, dtype=str).reindex(names, fill_value="")


def _unjudged(page: ComparisonPage) -> pd.DataFrame:
    of = page.pairing
    counts = of.comparison.unjudged_documents(of.depth).reindex(page.frame.index)
    # If the convention averages over ties, a count is a mean.
    return counts.round().astype("Int64").add_prefix("unjudged ")


_EXPLAINED = 300
"""Of at most this many queries it is said what made their deltas, which takes long."""


def scores(page: ComparisonPage) -> None:
    """Show each query's two scores as a mark, and how its deltas are distributed."""
    delta = page.frame["delta"].to_numpy()
    influence = comparison_text.influence(page.frame["delta"], evidence.queries_to_flip(delta))
    st.markdown(f"**{influence}**")
    left, right = st.columns(2, gap="large")
    with left:
        drawn = comparison_charts.agreement(page.frame, page.shown, page.picked, page.label)
        show.picking_chart(drawn, "agreement", state.pick_query, page.source)
        many = len(page.frame) > comparison_charts.MARKS
        hint = "Each square counts its queries." if many else "Click a mark to see its query."
        st.caption(
            f"On the diagonal both runs score the same; above it B is ahead, below it A. {hint}"
        )
    with right:
        drawn = query_charts.distribution(delta, page.shown, page.label, page.pairing.test.tie)
        show.chart(drawn, "distribution", page.source)
        st.caption(drawn.alt)
