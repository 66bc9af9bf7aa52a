"""One ranking as curves: what each rank earns, what is lost, scores by cutoff, AP as an area."""

from __future__ import annotations

import streamlit as st

from metrics import parse
from metrics.exploring.curves import by_cutoff, losses, precision_recall

from .. import show
from ..render import ranking_charts, text
from .context import Look

CURVES = ("nDCG", "P", "R", "F1", "RR")
DEPTH = 20
"""Scores are drawn at up to this many cutoffs."""


def curves(look: Look) -> None:
    """What each rank earns, what the order and the missing documents cost, scores by cutoff."""
    measure, query = look.measure, look.ranking.query
    top = (measure.parts or (measure,))[0]
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(f"**What each rank earns**: {top}")
        lines = top.ledger(look.ledger.judged).table(query)
        show.chart(ranking_charts.earned(lines, str(top), look.label), "earned")
        _by_cutoff(look)
    with right:
        lost = losses(look.ranking, look.ledger)
        st.markdown(
            f"**What is lost**: {text.number(lost.order)} by the order, "
            f"{text.number(lost.missing)} by documents that are not retrieved"
        )
        totals = {
            "ideal": lost.ideal,
            "best order": lost.best_order,
            "this ranking": lost.ranking,
        }
        show.chart(ranking_charts.gaps(totals, str(measure), look.label), "gaps")
        _precision_recall(look)


def _by_cutoff(look: Look) -> None:
    last = min(max(len(look.ranking.retrieved), 1), DEPTH)
    st.markdown(f"**Scores by cutoff**, 1 to {last}")
    frame = by_cutoff(look.ledger.judged, CURVES, last)
    show.chart(ranking_charts.by_cutoff(frame, look.label), "cutoffs")


def _precision_recall(look: Look) -> None:
    ledger = parse("AP").ledger(look.ledger.judged)
    ap = float(ledger.scores[0])
    st.markdown(f"**AP as an area**: {text.number(ap)}")
    steps = precision_recall(ledger, look.ranking.query)
    show.chart(ranking_charts.precision_recall(steps, ap, look.label), "precision")
