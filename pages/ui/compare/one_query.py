"""One query of a comparison: both lists and the bars of its delta, and what is closed below."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from metrics import Dataset, OneQuery, Pairing, RankscopeError
from metrics.auditing import audit
from metrics.comparing import comparison
from metrics.comparing import reversal as reversing
from metrics.comparing.similarity import similarity
from metrics.rendering import (
    Provenance,
    comparison_tables,
    comparison_text,
    convention_text,
    joined_lists,
    ledger_text,
    text,
)
from metrics.scoring import formula
from metrics.teaching import Sample

from .. import ledger_view, links, present, show, state, widgets
from . import results, two_lists

PANELS = {
    "verdict": "Verdict",
    "movement": "Rank movement",
    "waterfall": "What each document changed",
}
"""The titles of the panels for a projector, by their names in links."""
_PARTS = {"movement": "lists", "waterfall": "bars"}
"""The part of the picture of one query that a panel shows."""


def picture(
    one: OneQuery, dataset: Dataset, why: str, changed: Callable[[str], OneQuery | None]
) -> None:
    """Show both lists, and the bars that sum to the delta.

    ``why``: the reason why the query is opened first; empty for another one. ``changed``: returns
    the query with that grade of the picked document which the open tab lists.
    """
    state.recall(state.DOCUMENT, state.among(one.documents))
    if (picked := state.value(state.DOCUMENT)) in one.documents:
        state.keep(state.DOCUMENT, picked, "")
    else:
        state.forget(state.DOCUMENT)
    for sentence in comparison_text.aside(one.comparison):
        st.warning(sentence)
    for side in one.sides:
        if not side.whole:
            st.caption(f"{side.name}: {audit.unlisted(side.ledger.judged)}")
    if after := changed(state.value(state.DOCUMENT) or ""):
        two_lists.lists(after, dataset, before=one)
    else:
        two_lists.lists(one, dataset, why=why)


def presented(one: OneQuery, dataset: Dataset, verdict: Callable[[], None] | None) -> None:
    """Show the verdict on a projector, the rank movement of a query, or the bars of its delta.

    ``verdict``: draws it; None where there is one query, whose lists say it.
    """
    bar = st.container(horizontal=True, vertical_alignment="bottom")
    draw = partial(two_lists.lists, one, dataset)
    panels = {name: (PANELS[name], partial(draw, [part])) for name, part in _PARTS.items()}
    first = {"verdict": (PANELS["verdict"], verdict)} if verdict else {}
    present.present(first | panels, bar, convention_text.line(one.convention, one.measure))


def tabs(one: OneQuery, pairing: Pairing, dataset: Dataset) -> widgets.Tabs:
    """Return what draws the tabs about the query: its tables, results, documents, similarity."""
    return {
        "Query tables": lambda _: _tables(one, dataset),
        "Results": lambda _: results.cards(one, dataset),
        DOCUMENT: lambda _: _one_document(one, dataset),
        "Unjudged": lambda _: _unjudged(pairing, one),
    }


DOCUMENT = "One document"
"""The tab that a link with a document opens."""
ROW = "Query tables", "Results"
"""The tabs about the query that are not under *More*."""


def alike(one: OneQuery) -> str:
    """Return what moves between the lists and, if both are known as a whole, how similar they are.

    In Markdown.
    """
    depth = joined_lists.depth(one)
    moved = comparison_text.movement(one.movement(depth), depth)
    a, b = (side.documents for side in one.sides)
    if not (a and b and all(side.whole for side in one.sides)):
        return moved
    return f"{moved} {comparison_text.alike(similarity(a, b, depth))}"


def _tables(one: OneQuery, dataset: Dataset) -> None:
    """Show the lines that sum to either score beside each other, and the difference."""
    beside, difference = st.columns(2, gap="large"), st.container()
    for column, files, side in zip(beside, st.columns(2, gap="large"), one.sides, strict=True):
        with column:
            st.markdown(f"**{side.name}** {text.code(side.run.name)}")
            if side.ledger.judged.missing_from_run:
                st.caption("This query is not in this run.")
                continue
            part = side.ledger.parts[:1]
            texts = dataset.document_texts
            ledger_view.lines(side.ledger, one, texts, f"of_{side.name}", parts=part)
            if side.ledger.ideal:
                words = ledger_text.score(side.ledger, one.query)
                st.markdown("".join(part.text for part in words))
        source = Provenance(
            (side.run.name, one.query, dataset.judged_by), str(one.measure), one.convention
        )
        title = f"{side.name} {side.run.name}"
        with files:
            st.caption(f"Save {side.name}'s table as")
            ledger_view.files(side.ledger, one.query, title, source, f"Ledgers of {side.name}")
    with difference:
        _difference(one, dataset)


def _difference(one: OneQuery, dataset: Dataset) -> None:
    st.markdown("**Difference**")
    depth, shown = joined_lists.depth(one), str(one.measure)
    moved = comparison_tables.movement(one, depth, dataset.document_texts)
    shares = {f"contribution {side}": f"share of {shown}, {side}" for side in "AB"}
    show.table(moved.rename(columns=shares))
    if (one.waterfall["document"][~comparison.ranked(one.waterfall)] == comparison.IDEALS).any():
        ((of_a, of_b),) = one.comparison.normalisers(shown).to_numpy().tolist()
        st.caption(
            f"{comparison.IDEALS}: A is divided by {text.number(of_a)}, B by {text.number(of_b)}; "
            "the documents' bars use the mean of both."
        )


def reversal(one: OneQuery) -> reversing.Reversal | str:
    """Return the deltas over all grades of unjudged documents; a text: why they are not known."""
    try:
        return reversing.reversal(one)
    except RankscopeError as error:
        return str(error)


def _unjudged(pairing: Pairing, one: OneQuery) -> None:
    """Show what grades for unjudged documents could change, and how similar both lists are."""
    st.markdown(_over_grades(pairing, one))
    if all(side.is_listed(joined_lists.depth(one)) for side in one.sides):
        st.caption(alike(one))


def _over_grades(pairing: Pairing, one: OneQuery) -> str:
    """Return what grades for unjudged documents could change, in Markdown."""
    if pairing.whole is None:
        sentence = "What grades for unjudged documents could change is not known."
    elif isinstance(found := pairing.of_query(reversal, one.query), str):
        sentence = text.code(found)
    else:
        where = f"either top {one.measure.cutoff}" if one.measure.cutoff else "either list"
        sentence = comparison_text.reversal(found, where)
        if not found.unjudged:
            return sentence
    if one.convention.unjudged == "removed":
        return sentence
    a, b = pairing.of_query(OneQuery.condensed, one.query)
    return (
        f"{sentence} If they are removed and the others move up "
        f"(condensed lists): A {text.number(a)}, B {text.number(b)}, "
        f"delta {text.near(b - a, (b, -a))}{text.signed(b - a)}."
    )


def _one_document(one: OneQuery, dataset: Dataset) -> None:
    """Show one document's ledger line under A and B, and the formulas with its numbers."""
    if not one.documents:
        st.info("Neither run retrieves a document for this query.")
        return
    document = widgets.one_of("Document", one.documents, dataset.document_texts, state.DOCUMENT)
    show.table(comparison_tables.document_lines(one, document))
    for side in one.sides:
        show.formula(rf"\text{{{side.name}: }} {formula.line(side.ledger, one.query, document)}")


def inspect_buttons(sample: Sample, pairing: Pairing, query: str) -> None:
    """Show buttons that open either run in Inspect, which shows no judged or ideal rankings."""
    for side, run in zip("AB", pairing.runs, strict=True):
        if run in sample.load().runs:
            links.run_button(side, run, query, sample.key)
