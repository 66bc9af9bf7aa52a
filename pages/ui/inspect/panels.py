"""The tabs of Inspect: formula, curves, swaps, equal scores and unjudged documents."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st

from metrics import Convention, Ledger, Measure
from metrics.arrays import NOISE
from metrics.editing import HandRanking, edits
from metrics.exploring import convention_search, ties
from metrics.exploring.curves import by_cutoff, losses, precision_recall
from metrics.exploring.unjudged import completions
from metrics.exploring.what_if import changes, swaps
from metrics.rendering import Provenance, charts, ranking_charts, text
from metrics.scoring.formula import quotient, substituted, symbols

from .. import show


@dataclass(frozen=True)
class ScoredRanking:
    """A ranking with its score, and a function that edits it.

    Attributes
    ----------
    run, judged_by
        The name of its run, and whose grades count as `Dataset.judged_by` says it.
    grades
        The possible grades of a document, in ascending order.
    under
        Returns the ranking as a convention orders it.
    change
        Applies an edit to the ranking; None when a lesson does not allow edits.
    """

    ranking: HandRanking
    ledger: Ledger
    measure: Measure
    convention: Convention
    run: str
    judged_by: str
    grades: tuple[float, ...]
    under: convention_search.Under
    change: Callable[[Callable[[HandRanking], HandRanking]], None] | None

    @property
    def source(self) -> Provenance:
        """The numbers of the page's charts."""
        names = self.run, self.ranking.query, self.judged_by
        return Provenance(names, str(self.measure), self.convention)


_RULES = {
    "descending": "id descending (trec_eval)",
    "ascending": "id ascending (MS MARCO)",
    "input": "order of the list (ranx)",
}


def formula(scored: ScoredRanking) -> None:
    """Show the measure's formula in symbols, then with this ranking's numbers."""
    measure, query = scored.measure, scored.ranking.query
    parts = scored.ledger.parts
    show.formula(symbols(measure, scored.ledger.convention))
    for part in parts:
        show.formula(substituted(part, query))
    if measure.parts:
        show.formula(quotient(scored.ledger, query))
    st.caption(f"Source of the formula: {measure.source}.")


def _offer(scored: ScoredRanking, label: str, edit: Callable[[HandRanking], HandRanking]) -> None:
    """Show a button that makes an edit, unless a lesson does not allow edits."""
    if scored.change and st.button(label):
        scored.change(edit)
        st.rerun()


def what_if(scored: ScoredRanking) -> None:
    """Show the effect of every swap of two ranks and of every change to one document."""
    measure = str(scored.measure)
    deltas = swaps(scored.ranking, scored.measure, scored.convention)
    if len(deltas) < 2:
        st.info("A swap needs two documents.")
        return
    i, j = divmod(int(np.argmax(deltas)), len(deltas))
    best = float(deltas[i, j])
    left, right = st.columns([4, 5], gap="large")
    with left:
        if best > NOISE:
            now = float(scored.ledger.scores[0])
            st.markdown(f"**Best swap**: ranks {i + 1} and {j + 1}, {text.moved(now, now + best)}")
            _offer(scored, "Make this swap", lambda ranking: edits.swap(ranking, i + 1, j + 1))
        else:
            st.markdown(f"**No swap** of two of the top {len(deltas)} ranks raises {measure}.")
        show.chart(ranking_charts.swap_lens(deltas, measure), "swaps", scored.source)
    with right:
        st.markdown(f"**One change**: its effect on {measure}")
        found = changes(scored.ranking, scored.measure, scored.convention).set_index("document")
        show.table(pd.concat([found.iloc[:, :2], found.iloc[:, 2:].map(text.signed)], axis=1))
        st.caption("–: not possible, or no change.")


def equal_scores(scored: ScoredRanking) -> None:
    """Show the lowest and highest score over all orders of equally scored documents."""
    listed = scored.ranking.retrieved
    if not any(entry.tied for entry in listed):
        st.info(
            "No two scores are equal. Press = on a row of the list (on a phone Grades, then =)."
        )
        if len(listed) > 1:
            second = listed[1].document
            _offer(scored, "Tie ranks 1 and 2", lambda ranking: edits.toggle_tie(ranking, second))
        return
    as_read = scored.under(replace(scored.convention, ties="input"))
    found = ties.tied(as_read, scored.measure, scored.convention)
    marks = [(_RULES[rule], value) for rule, value in found.by_rule.items()]
    if found.mean is not None:
        marks.append(("mean of all orders (scikit-learn)", found.mean))
    if found.highest - found.lowest <= NOISE:
        every = f"**{scored.measure}** {text.number(found.lowest)}"
        st.markdown(f"Every order of the equal scores gives {every}.")
        return
    orders = f"{found.orders:,}" if found.orders < ties.COUNTED else "More than a billion"
    st.markdown(
        f"{orders} orders of equal scores: **{scored.measure}** from "
        f"**{text.number(found.lowest)}** to **{text.number(found.highest)}**"
    )
    drawn = ranking_charts.whisker(
        "any order", found.lowest, found.highest, marks, str(scored.measure)
    )
    show.chart(drawn, "ties", scored.source)
    ends = [("lowest of all orders", found.lowest), ("highest of all orders", found.highest)]
    rows = pd.DataFrame([*marks, *ends], columns=["equal scores", str(scored.measure)])
    show.table(rows.set_index("equal scores"))


def unjudged(scored: ScoredRanking) -> None:
    """Show the lowest and highest score over all grades of unjudged documents."""
    missing = [entry for entry in scored.ranking.retrieved if entry.grade is None]
    if not missing:
        st.info("Every document is judged. Press ? on a row of the list, or − at its lowest grade.")
        if listed := scored.ranking.retrieved:
            first = listed[0].document
            _offer(
                scored,
                "Take the grade of rank 1 away",
                lambda ranking: edits.set_grade(ranking, first, None),
            )
        return
    ends = completions(scored.ranking, scored.measure, scored.grades, scored.convention)
    scale = ", ".join(f"{grade:g}" for grade in scored.grades)
    st.markdown(
        f"With any grades ({scale}) for {text.count(len(missing), 'unjudged document')}, "
        f"**{scored.measure}** is between **{text.number(ends.lowest)}** and "
        f"**{text.number(ends.highest)}**."
        if ends.exact
        else f"With grades ({scale}) for {text.count(len(missing), 'unjudged document')}, "
        f"**{scored.measure}** reaches from **{text.number(ends.lowest)}** to "
        f"**{text.number(ends.highest)}** in {ends.tried:,} combinations. There are too many to "
        "try, so others could fall outside."
    )
    marks = [("current score", float(scored.ledger.scores[0]))]
    drawn = ranking_charts.whisker(
        "any grades", ends.lowest, ends.highest, marks, str(scored.measure)
    )
    show.chart(drawn, "unjudged", scored.source)
    names = {entry.document for entry in missing}
    rows = pd.DataFrame(
        {
            "document": [e.document for e in scored.ranking.retrieved],
            "rank": list(range(1, len(scored.ranking.retrieved) + 1)),
            "grade for the lowest": [text.grade(e.grade) for e in ends.lowest_ranking.retrieved],
            "grade for the highest": [text.grade(e.grade) for e in ends.highest_ranking.retrieved],
        }
    )
    st.markdown("**Grades for the lowest and highest score**")
    show.table(rows[rows["document"].isin(names)].set_index("document"))
    below = scored.measure.cutoff or len(rows)
    ends_below = (each.retrieved[below:] for each in (ends.lowest_ranking, ends.highest_ranking))
    if any((low.grade or 0) > (high.grade or 0) for low, high in zip(*ends_below, strict=True)):
        st.caption(
            f"Below rank {below} a document adds nothing, but a high grade raises what the top "
            f"{below} could have reached, and so lowers {scored.measure}."
        )


CURVES = ("nDCG", "P", "R", "F1", "AP", "RR")
DEPTH = 20
"""At most this many cutoffs are drawn."""


def curves(scored: ScoredRanking) -> None:
    """Show each rank's contribution, the loss by order and by missing documents, and cutoffs."""
    measure, query = scored.measure, scored.ranking.query
    top = (measure.parts or (measure,))[0]
    left, right = st.columns(2, gap="large")
    of_cutoffs, *of_area = (
        st.columns(2, gap="large") if measure.symbol == "AP" else [st.container()]
    )
    with left:
        st.markdown(f"**Contribution of each rank**: {top}")
        lines = top.ledger(scored.ledger.judged).table(query)
        show.chart(ranking_charts.earned(lines, str(top)), "earned", scored.source)
    with right:
        lost = losses(scored.ranking, scored.ledger)
        st.markdown(
            f"**Loss**: {text.number(lost.order)} by the order, "
            f"{text.number(lost.missing)} by documents that are not retrieved"
        )
        totals = {"ideal": lost.ideal, "best order": lost.best_order, "this ranking": lost.ranking}
        drawn = charts.running_totals(totals, str(measure), height=320)
        show.chart(drawn, "gaps", scored.source)
    with of_cutoffs:
        last = min(max(len(scored.ranking.retrieved), 1), DEPTH)
        st.markdown(f"**Scores by cutoff**, 1 to {last}")
        frame = by_cutoff(scored.ledger.judged, CURVES, last)
        drawn = ranking_charts.by_cutoff(frame, measure.symbol)
        show.chart(drawn, "cutoffs", replace(scored.source, measure=""))
    for place in of_area:
        with place:
            ap = float(scored.ledger.scores[0])
            st.markdown(f"**{measure} as an area**: {text.number(ap)}")
            steps = precision_recall(scored.ledger, query)
            show.chart(ranking_charts.precision_recall(steps, ap), "precision", scored.source)


TABS = {
    "Formula": formula,
    "Curves": curves,
    "What if": what_if,
    "Equal scores": equal_scores,
    "Unjudged": unjudged,
}
"""The function that draws each tab, by its title, which is also its name in links."""
