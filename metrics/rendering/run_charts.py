"""Charts of several runs: their means, and each pair; without streamlit."""

from __future__ import annotations

from ..comparing.leaderboard import Leaderboard
from . import text
from .charts import NEUTRAL, A, B, Chart, blank


def standings(board: Leaderboard, convention: str) -> Chart:
    """Return the mean of each run in the first measure with its interval, the best at the top."""
    rows, measure = list(range(len(board.standings))), board.measures[0]
    means = [each.means[measure] for each in board.standings]
    figure = blank(120 + 34 * len(rows), f"mean {measure}", "", convention)
    figure.add_scatter(
        x=means,
        y=rows,
        mode="markers+text",
        marker={"size": 11, "color": NEUTRAL, "symbol": "diamond"},
        text=[text.number(value, 3) for value in means],
        textposition="top center",
        error_x={
            "array": [e.high - mean for e, mean in zip(board.standings, means, strict=True)],
            "arrayminus": [mean - e.low for e, mean in zip(board.standings, means, strict=True)],
            "color": NEUTRAL,
            "thickness": 2,
        },
        hoverinfo="skip",
    )
    runs = text.labels((each.run for each in board.standings), 22)
    letters = (each.letter for each in board.standings)
    names = [f"{letter}  {run}" for letter, run in zip(letters, runs, strict=True)]
    figure.update_yaxes(
        tickvals=rows,
        ticktext=names,
        range=[len(rows) - 0.4, -0.8],
        showgrid=False,
        zeroline=False,
    )
    figure.update_layout(showlegend=False)
    return Chart(
        figure,
        f"Mean {measure} of {len(rows)} runs with intervals; the highest is "
        f"{text.number(means[0], 3)}.",
    )


def matrix(board: Leaderboard, convention: str) -> Chart:
    """Return the mean delta of every pair, row − column; customdata holds both indices."""
    measure = board.measures[0]
    at = {each.run: number for number, each in enumerate(board.standings)}
    most = max((abs(row.delta) for row in board.pairs.values()), default=0.0) or 1.0
    cells = []
    for (worse, better), row in board.pairs.items():
        w, b = at[worse], at[better]
        mark = "" if row.sure else " ?"
        cells += [(b, w, row.delta, mark), (w, b, -row.delta, mark)]
    size = min(56, 380 // max(len(at), 1))
    figure = blank(110 + (size + 6) * len(at), f"delta {measure}, row − column", "", convention)
    figure.add_scatter(
        x=[column for _, column, _, _ in cells],
        y=[row for row, _, _, _ in cells],
        mode="markers+text",
        customdata=[f"{row} {column}" for row, column, _, _ in cells],
        text=[text.signed(delta, 2 if len(at) > 6 else 3) + mark for *_, delta, mark in cells],
        textfont={"size": 10 if len(at) > 6 else 12, "color": "#1A1A1A"},
        marker={
            "symbol": "square",
            "size": size,
            "color": [_tint(delta / most) for *_, delta, _ in cells],
            "opacity": 1,
            "line": {"width": 0},
        },
        hoverinfo="none",
        # A click picks a pair; Plotly would fade the others.
        unselected={"marker": {"opacity": 1}, "textfont": {"color": "#1A1A1A"}},
    )
    letters = [each.letter for each in board.standings]
    ticks = {"tickvals": list(range(len(letters))), "ticktext": letters}
    figure.update_xaxes(**ticks, range=[-0.6, len(letters) - 0.4], side="top")
    figure.update_yaxes(**ticks, range=[len(letters) - 0.4, -0.6])
    for axis in (figure.update_xaxes, figure.update_yaxes):
        axis(showgrid=False, zeroline=False)
    figure.update_layout(showlegend=False)
    sure = sum(row.sure for row in board.pairs.values())
    return Chart(
        figure,
        f"Mean deltas of {text.count(len(board.pairs), 'pair')} of runs in {measure}; {sure} "
        "unlikely to be due to chance.",
    )


def _tint(share: float) -> str:
    """Return a mix of grey and the colour of B, below 0 of A, light enough for dark digits."""
    colour = B if share > 0 else A
    full = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    mixed = (round(232 + (each - 232) * 0.7 * abs(share)) for each in full)
    return f"rgb({', '.join(map(str, mixed))})"
