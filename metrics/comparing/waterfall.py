"""The bars of a waterfall: what each document contributes under two runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..arrays import NOISE
from ..scoring.evaluate import Scores

if TYPE_CHECKING:
    import pandas as pd

IDEALS = "(the ideals differ)"
"""The name of the bar for the part of a delta that different ideals make."""


def lines_of(scores: Scores, measure: str, side: str) -> pd.DataFrame:
    """One run's lines of every query: query, document, grade, rank and contribution."""
    import pandas as pd

    ledger = scores.ledgers[measure]
    queries = np.array(scores.judged.queries, dtype=object)
    frame = pd.DataFrame(
        {
            "query": pd.array(queries[ledger.hits.query], dtype=str),
            "document": pd.array(ledger.hits.document.to_pylist(), dtype=str),
            "grade": ledger.hits.grade,
            f"rank {side}": pd.array(ledger.hits.rank, dtype="Int64"),
            side: ledger.contribution,
        }
    )
    begun = np.flatnonzero(ledger.start)
    start = pd.DataFrame(
        {
            "query": pd.array(queries[begun], dtype=str),
            "document": pd.array(ledger.start_names[begun], dtype=str),
            "grade": np.nan,
            f"rank {side}": pd.array([0] * len(begun), dtype="Int64"),
            side: ledger.start[begun],
        }
    )
    return pd.concat([start, frame]) if len(begun) else frame


def one_bar_each(lines: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """One row for a document that appears twice in the ideal: the sum of its lines."""
    if not lines.duplicated(keys).any():
        return lines
    rank, side = lines.columns[len(keys) :]
    grouped = lines.groupby(keys, dropna=False, sort=False, as_index=False)
    return grouped.agg({rank: "min", side: "sum"})


def ranked(bars: pd.DataFrame) -> pd.Series[bool]:
    """Which bars are of a document that either run ranks, whatever it is called."""
    return (bars[["rank A", "rank B"]].max(axis=1) >= 1).fillna(False).astype(bool)


def with_every_rank(bars: pd.DataFrame, scores: Scores, measure: str, side: str) -> pd.DataFrame:
    """The bars with the ranks below the cutoff too, where one run has no line for a document."""
    column, ledger = f"rank {side}", scores.ledgers[measure]
    missing = bars[column].isna() & ranked(bars)
    if not missing.any():
        return bars
    import pandas as pd

    hits = ledger.measure.ranking(scores.judged, ledger.convention)
    keys = ["query", "document"]
    found = pd.DataFrame(
        {
            "query": pd.array(np.array(scores.judged.queries, object)[hits.query], dtype=str),
            "document": pd.array(hits.document.to_pylist(), dtype=str),
            column: pd.array(hits.rank, dtype="Int64"),
        }
    ).drop_duplicates(keys)
    places = bars.loc[missing, keys].merge(found, how="left", on=keys)[column]
    bars.loc[missing, column] = places.array
    return bars


def without_the_ideals(frame: pd.DataFrame, wholes: pd.DataFrame) -> pd.DataFrame:
    """Where the runs are divided by different ideals, that difference as a row of its own.

    A quotient's difference is the numerators' at the mean of both 1/ideal, and the ideals' at
    the mean of both numerators: the two parts sum to it exactly, whichever run comes first.
    """
    import pandas as pd

    apart = (wholes["A"] - wholes["B"]).abs() > NOISE * wholes.max(axis=1)
    differ = wholes[apart & (wholes > 0).all(axis=1)]
    if differ.empty:
        return frame
    inverse = 1 / differ
    here = frame["query"].isin(differ.index)
    rows = frame.loc[here, "query"]
    of_a, of_b = (frame.loc[here, side] * rows.map(differ[side]) for side in ("A", "B"))
    mean = rows.map(inverse.mean(axis=1))
    frame.loc[here, "delta"] = (of_b - of_a) * mean
    total = (of_a + of_b).groupby(rows).sum().reindex(differ.index, fill_value=0.0)
    ideals = pd.DataFrame(
        {
            "query": differ.index.astype(str),
            "document": IDEALS,
            "grade": np.nan,
            "rank A": pd.array([None] * len(differ), dtype="Int64"),
            "rank B": pd.array([None] * len(differ), dtype="Int64"),
            "A": 0.0,
            "B": 0.0,
            "delta": total.to_numpy() / 2 * (inverse["B"] - inverse["A"]).to_numpy(),
        }
    )
    return pd.concat([frame, ideals], ignore_index=True)
