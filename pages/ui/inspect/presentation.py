"""The panels of Inspect for a projector: each is a part of the page that no lesson hides."""

from collections.abc import Callable, Collection, Mapping

from metrics.editing.history import History
from metrics.editing.origin import Origin
from metrics.rendering import charts, ranking_charts
from metrics.teaching.lesson import Lesson

from .. import ledger_view, present, ranking_list, show
from . import lesson, panels
from .panels import ScoredRanking

TITLES = {
    "lesson": "Lesson",
    "list": "Ranking",
    "ledger": "Ledger",
    "ideal": "Ideal ledger",
    "chart": "Running total",
    "score": "Score",
    "formula": "Formula",
}
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
    earned = None if "lines" in hidden else ledger
    listed = ranking_list.rows(ranking, earned, texts, ledger.measure.cutoff)

    def chart() -> None:
        drawn = ranking_charts.running(ledger, ranking.query, picked)
        show.chart(charts.enlarged(drawn), "running")

    def of_part(at: int) -> Callable[[], None]:
        return lambda: ledger_view.lines(ledger, ranking, texts, "shown", True, parts[at : at + 1])

    drawn: dict[str, Callable[[], None]] = {
        "list": lambda: ranking_list.locked_list(str(origin), listed)
    }
    if taught.written:
        drawn["lesson"] = lambda: lesson.task(taught, ledger)
    for at, name in enumerate(("ledger", "ideal")[: len(parts)]):
        drawn[name] = of_part(at)
    if "chart" not in hidden:
        drawn["chart"] = chart
    if "score" not in hidden:
        drawn["score"] = lambda: ledger_view.score(ledger, steps, "lines" not in hidden)
    if "more" not in hidden:
        drawn["formula"] = lambda: panels.formula(scored)
    return {name: (title, drawn[name]) for name, title in TITLES.items() if name in drawn}
