"""The panels of Inspect for a projector: each is a part of the page that no lesson hides."""

from collections.abc import Callable, Collection, Mapping
from functools import partial

import streamlit as st

from metrics.editing import History, Origin
from metrics.rendering import charts, ranking_charts
from metrics.teaching import Lesson

from .. import ledger_view, present, show
from . import editor, lesson, panels
from .panels import ScoredRanking

TITLES = {"list": "Ranking", "ledger": "Ledgers", "chart": "Running total", "formula": "Formula"}
"""The title of each panel, by its name in links, in the order in which they explain the score."""


def shown(
    scored: ScoredRanking,
    origin: Origin,
    steps: History,
    texts: Mapping[str, str],
    picked: str,
    taught: Lesson,
    hidden: Collection[str],
) -> present.Panels:
    """Return the panels that are not hidden."""
    ledger, ranking = scored.ledger, scored.ranking
    parts = lesson.ledgers(ledger, hidden)
    terms = "lines" not in hidden

    def listed() -> None:
        left, right = st.columns([2, 1], gap="large", vertical_alignment="center")
        with left:
            earned, cutoff = ledger if terms else None, ledger.measure.cutoff
            locked = "editing" in taught.hidden
            editor.ranking_editor(origin, steps, earned, texts, cutoff, locked)
        with right:
            lesson.task(taught, ledger)
            lesson.score(taught, ledger, steps, terms)

    def chart() -> None:
        drawn = ranking_charts.running(ledger, ranking.query, picked)
        with st.container(key="slide"):
            show.chart(charts.enlarged(drawn), "running", height="stretch")

    tables = partial(ledger_view.lines, ledger, ranking, texts, "shown", True, parts)
    drawn: list[Callable[[], None]] = [listed, tables, chart, partial(panels.formula, scored)]
    seen = True, bool(parts), "chart" not in hidden, "more" not in hidden
    each = zip(TITLES.items(), drawn, seen, strict=True)
    return {name: (title, draw) for (name, title), draw, is_seen in each if is_seen}
