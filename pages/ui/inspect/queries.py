"""Every query of a run by its score, the lowest first: from a mean to what lowers it."""

from collections.abc import Mapping

from metrics import Measure, Scores
from metrics.rendering import pictures, text

from .. import show, state

SENT = 100
"""At most this many queries are in the browser; the menu has them all."""
_KEY = "queries_of_run"


def bars(scores: Scores, measure: Measure, run: str, texts: Mapping[str, str], picked: str) -> None:
    """Show the queries as bars, with the mean as a line; a click opens a query."""
    found = scores.per_query[str(measure)].dropna().sort_values(kind="stable")
    mean = scores.average(measure)

    def pick() -> None:
        if (query := state.value(_KEY)["picked"]) in found.index:
            state.put({state.QUERY: query})

    over = f"{text.number(mean)} over {text.count(len(found), 'query', 'queries')}"
    data = {
        "place": "run",
        "bands": [
            {"outcome": "", "title": "", "side": "", **pictures.band(found, texts, SENT, picked)}
        ],
        "why": {},
        "least": min(0.0, float(found.min())),
        "most": max(0.0, float(found.max())),
        "mean": mean,
        "picked": picked,
        "alt": f"{text.visible(run)}: mean {measure} {over}, the lowest first",
    }
    show.query_bars(key=_KEY, data=data, on_picked_change=pick)
