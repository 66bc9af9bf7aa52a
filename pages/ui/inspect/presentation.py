"""The panels of Inspect for a projector: each is a part of the page that no lesson hides."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from metrics.editing.history import History
from metrics.editing.origin import Origin
from metrics.rendering import charts
from metrics.teaching.lesson import Lesson

from .. import ledger_view, present, show
from . import curves, drag, lesson, panels
from .context import ScoredRanking

_HEIGHT = 720
_LETTERS = 30
"""The height of a chart and of its letters, in pixels."""


def shown(
    scored: ScoredRanking,
    origin: Origin,
    steps: History,
    texts: Mapping[str, str],
    picked: str,
    taught: Lesson,
    hidden: Collection[str],
) -> present.Panels:
    """Return the panels that are not hidden, in the order in which they explain the score."""
    ledger, ranking = scored.ledger, scored.ranking
    parts = lesson.ledgers(ledger, hidden)
    earned = None if "lines" in hidden else ledger
    listed = drag.rows(ranking, earned, texts, ledger.measure.cutoff)

    def chart() -> None:
        drawn = curves.running(ledger, ranking.query, picked)
        show.chart(charts.enlarged(drawn, _HEIGHT, _LETTERS), "running")

    def of_part(at: int) -> Callable[[], None]:
        return lambda: ledger_view.lines(ledger, ranking, texts, "shown", True, parts[at : at + 1])

    found: dict[str, tuple[str, Callable[[], None]]] = {}
    if taught.written:
        found["lesson"] = "Lesson", lambda: lesson.task(taught, ledger)
    found["list"] = "Ranking", lambda: drag.locked_list(origin, listed)
    for at, (name, title) in enumerate((("ledger", "Ledger"), ("ideal", "Ideal ledger"))):
        if at < len(parts):
            found[name] = title, of_part(at)
    if "chart" not in hidden:
        found["chart"] = "Running total", chart
    if "score" not in hidden:
        found["score"] = "Score", lambda: ledger_view.score(ledger, steps, "lines" not in hidden)
    if "more" not in hidden:
        found["formula"] = "Formula", lambda: panels.formula(scored)
    return found
