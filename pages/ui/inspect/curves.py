"""One ranking as curves: what each rank earns, what is lost, scores by cutoff, AP as an area."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from metrics import evaluate, parse, trace
from metrics.editing.edits import best_first
from metrics.editing.hand_ranking import HandRanking

from .. import show
from ..render import ranking_charts, text
from .context import Look

CURVES = ("nDCG", "P", "R", "F1", "RR")
DEPTH = 20
"""Scores are drawn at so many cutoffs."""


def curves(look: Look) -> None:
    """What each rank earns, what the order and the missing documents cost, scores by cutoff."""
    measure, query, convention = look.measure, look.ranking.query, look.convention
    top = (measure.parts or (measure,))[0]
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(f"**What each rank earns**: {top}")
        lines = top.ledger(look.ledger.judged).table(query)
        show.chart(ranking_charts.earned(lines, str(top), look.label), "earned")
        _by_cutoff(look)
    with right:
        totals = {}
        for said, ranking in {
            "ideal": _ideal(look.ranking),
            "best order": best_first(look.ranking),
            "this ranking": look.ranking,
        }.items():
            ledger = trace(look.ranking.qrels, ranking.run, measure, query, convention)
            totals[said] = ledger.table(query)["running"]
        ends = {said: total.iloc[-1] if len(total) else 0.0 for said, total in totals.items()}
        order = ends["best order"] - ends["this ranking"]
        missing = ends["ideal"] - ends["best order"]
        st.markdown(
            f"**What is lost**: {text.number(order)} by the order, "
            f"{text.number(missing)} by documents that are not retrieved"
        )
        show.chart(ranking_charts.gaps(totals, str(measure), look.label), "gaps")
        _precision_recall(look)


def _by_cutoff(look: Look) -> None:
    last = min(max(len(look.ranking.retrieved), 1), DEPTH)
    st.markdown(f"**Scores by cutoff**, 1 to {last}")
    names = [f"{symbol}@{k}" for symbol in CURVES for k in range(1, last + 1)]
    values = evaluate(look.ranking.qrels, look.ranking.run, names, look.convention).per_query
    frame = pd.DataFrame(
        {
            symbol: [float(values[f"{symbol}@{k}"].iloc[0]) for k in range(1, last + 1)]
            for symbol in CURVES
        },
        index=pd.RangeIndex(1, last + 1, name="k"),
    )
    show.chart(ranking_charts.by_cutoff(frame, look.label), "cutoffs")


def _precision_recall(look: Look) -> None:
    ap = parse("AP")
    ledger = look.ranking.ledger(ap, look.convention)
    lines = ledger.table(look.ranking.query)
    st.markdown(f"**AP as an area**: {text.number(float(ledger.scores[0]))}")
    relevant = lines[lines["relevant"] > 0]
    whole = float(ap.to_find(ledger.judged, ledger.convention)[0])
    recall = relevant["seen"] / whole
    steps = pd.DataFrame(
        {
            "before": recall - 1 / whole,
            "recall": recall,
            "precision": relevant["seen"] / relevant.index,
        }
    )
    show.chart(
        ranking_charts.precision_recall(steps, float(ledger.scores[0]), look.label), "precision"
    )


def _ideal(ranking: HandRanking) -> HandRanking:
    judged = tuple(entry for entry in ranking.entries if entry.grade is not None)
    return best_first(HandRanking(ranking.query, judged))
