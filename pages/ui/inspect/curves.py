"""The tab Curves: gain of each rank, loss, scores by cutoff, and AP as an area."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from metrics.exploring.curves import by_cutoff, losses, precision_recall
from metrics.rendering import ranking_charts, text

from .. import show
from .context import ScoredRanking

CURVES = ("nDCG", "P", "R", "F1", "RR")
DEPTH = 20
"""At most this many cutoffs are drawn."""


def curves(scored: ScoredRanking) -> None:
    """Show each rank's contribution, the loss by order and by missing documents, and cutoffs."""
    measure, query = scored.measure, scored.ranking.query
    top = (measure.parts or (measure,))[0]
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(f"**Contribution of each rank**: {top}")
        lines = top.ledger(scored.ledger.judged).table(query)
        show.chart(ranking_charts.earned(lines, str(top)), "earned", scored.source)
        _by_cutoff(scored)
    with right:
        lost = losses(scored.ranking, scored.ledger)
        st.markdown(
            f"**Loss**: {text.number(lost.order)} by the order, "
            f"{text.number(lost.missing)} by documents that are not retrieved"
        )
        totals = {
            "ideal": lost.ideal,
            "best order": lost.best_order,
            "this ranking": lost.ranking,
        }
        show.chart(ranking_charts.gaps(totals, str(measure)), "gaps", scored.source)
        if measure.symbol == "AP":
            _precision_recall(scored)


def _by_cutoff(scored: ScoredRanking) -> None:
    last = min(max(len(scored.ranking.retrieved), 1), DEPTH)
    st.markdown(f"**Scores by cutoff**, 1 to {last}")
    frame = by_cutoff(scored.ledger.judged, CURVES, last)
    show.chart(ranking_charts.by_cutoff(frame), "cutoffs", replace(scored.source, measure=""))


def _precision_recall(scored: ScoredRanking) -> None:
    ap = float(scored.ledger.scores[0])
    st.markdown(f"**{scored.measure} as an area**: {text.number(ap)}")
    steps = precision_recall(scored.ledger, scored.ranking.query)
    show.chart(ranking_charts.precision_recall(steps, ap), "precision", scored.source)
