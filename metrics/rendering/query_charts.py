"""Charts of all queries: each delta, and their distribution."""

import numpy as np
import pandas as pd

from ..arrays import Floats
from ..colours import NEUTRAL, A, B
from ..comparing.significance import TIE
from . import text
from .charts import Chart, blank

NAMES = 40
"""At most this many queries have their ids below their bars."""


def deltas(frame: pd.DataFrame, measure: str, convention: str) -> Chart:
    """Return a bar for each query's delta, the largest gain of B first, and a mark for each tie."""
    delta = frame["delta"].to_numpy()
    ties = np.flatnonzero(np.abs(delta) <= TIE)
    largest = max(float(np.abs(delta).max(initial=0.0)) * 1.1, 0.01)
    bars = {
        "type": "bar",
        "x": np.arange(len(frame)),
        "y": delta,
        "marker": {"color": [B if d > 0 else A for d in delta]},
        "hovertext": text.hovers(frame, [text.signed(d, 3) for d in delta]),
        "hoverinfo": "text",
    }
    marks = {
        "type": "scatter",
        "x": ties,
        "y": delta[ties],
        "mode": "markers",
        "marker": {"symbol": "line-ew", "size": 9, "line": {"width": 2, "color": NEUTRAL}},
        "hovertext": text.hovers(frame.iloc[ties], ["tie"] * len(ties)),
        "hoverinfo": "text",
    }
    figure = blank(
        300,
        "queries, sorted by delta",
        f"delta {measure} (B − A)",
        convention,
        [bars, marks],
        yaxis={"range": [-largest, largest], "zeroline": True, "zerolinewidth": 2},
        showlegend=False,
        bargap=0.15,
    )
    if len(frame) <= NAMES:
        names = text.labels(frame.index, 16)
        ticks = {"tickvals": np.arange(len(frame)), "ticktext": names, "tickangle": -90}
        figure.update_xaxes(**ticks, tickfont={"size": 10})
    better, worse = int((delta > TIE).sum()), int((delta < -TIE).sum())
    return Chart(
        figure,
        f"Delta in {measure} of {text.count(len(frame), 'query', 'queries')}: B higher on "
        f"{better}, A on {worse}.",
    )


_STEPS = 40


def distribution(delta: Floats, measure: str, convention: str, tie: float) -> Chart:
    """Return a histogram of the deltas, with a separate bar for ties."""
    most = max(float(np.abs(delta).max(initial=0.0)), tie, TIE)
    # A round width that gives about forty bars.
    raw = 2 * most / _STEPS
    power = 10 ** np.floor(np.log10(raw))
    width = float(next(step * power for step in (1, 2, 2.5, 5, 10) if step * power >= raw * 0.999))
    edges = width * np.arange(-np.ceil(most / width), np.ceil(most / width) + 1)
    ties = np.abs(delta) <= tie
    counts, _ = np.histogram(delta[~ties], edges)
    middles = (edges[:-1] + edges[1:]) / 2
    figure = blank(340, f"delta {measure} (B − A)", "queries", convention)
    figure.add_bar(
        x=middles,
        y=counts,
        width=width * 0.94,
        marker={"color": [B if middle > 0 else A for middle in middles]},
        hovertext=[
            f"{text.signed(low, 3)} to {text.signed(low + width, 3)}: {count}"
            for low, count in zip(edges[:-1], counts, strict=True)
        ],
        hoverinfo="text",
    )
    figure.add_bar(
        x=[0],
        y=[int(ties.sum())],
        width=width * 0.3,
        marker={"color": NEUTRAL, "line": {"color": "white", "width": 1}},
        text=[f"{text.count(int(ties.sum()), 'tie')}"] if ties.any() else None,
        textposition="outside",
        constraintext="none",
        hoverinfo="skip",
    )
    mean = float(delta.mean())
    figure.add_vline(
        x=mean,
        line={"color": NEUTRAL, "dash": "dash"},
        annotation_text=f"mean {text.signed(mean, 3)}",
        annotation_position="top right" if mean >= 0 else "top left",
    )
    figure.update_xaxes(range=[-most * 1.05 - width, most * 1.05 + width])
    figure.update_yaxes(range=[0, 1.2 * max(1, int(counts.max(initial=0)), int(ties.sum()))])
    figure.update_layout(showlegend=False, barmode="overlay")
    return Chart(
        figure,
        f"Distribution of delta {measure} over {text.count(len(delta), 'query', 'queries')}: "
        f"mean {text.signed(mean, 3)}, median {text.signed(float(np.median(delta)), 3)}, "
        f"from {text.signed(float(delta.min()), 3)} to {text.signed(float(delta.max()), 3)}.",
    )
