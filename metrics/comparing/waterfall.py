"""The bars of a waterfall: the contribution of each document under two runs."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..arrays import NOISE
from ..scoring.evaluate import Scores

if TYPE_CHECKING:
    import pandas as pd

IDEALS = "(the ideals differ)"
"""The name of the bar for the part of a delta that comes from different ideals."""


def lines_of(scores: Scores, measure: str, side: str, of: Collection[str]) -> pd.DataFrame:
    """Return one run's lines of some queries: query, document, grade, rank and contribution."""
    import pandas as pd

    ledger = scores.ledger(measure)
    queries, wanted = np.array(scores.judged.queries, dtype=object), _among(scores, of)
    here = wanted[ledger.hits.query]
    hits = ledger.hits[here]
    frame = pd.DataFrame(
        {
            "query": pd.array(queries[hits.query], dtype=str),
            "document": pd.array(hits.document.to_pylist(), dtype=str),
            "grade": hits.grade,
            f"rank {side}": pd.array(hits.rank, dtype="Int64"),
            side: ledger.contribution[here],
        }
    )
    begun = np.flatnonzero((ledger.start != 0) & wanted)
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


def _among(scores: Scores, of: Collection[str]) -> NDArray[np.bool_]:
    """``(q,)`` whether each evaluated query is one of these."""
    some, queries = frozenset(of), scores.judged.queries
    return np.fromiter((query in some for query in queries), bool, len(queries))


def one_bar_each(lines: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Return the lines with one row, a sum, for a document that appears twice in the ideal."""
    if not lines.duplicated(keys).any():
        return lines
    rank, side = lines.columns[len(keys) :]
    grouped = lines.groupby(keys, dropna=False, sort=False, as_index=False)
    return grouped.agg({rank: "min", side: "sum"})


def ranked(bars: pd.DataFrame) -> pd.Series[bool]:
    """Return which bars are of a ranked document, whatever its id."""
    return (bars[["rank A", "rank B"]].max(axis=1) >= 1).fillna(False).astype(bool)


def with_every_rank(bars: pd.DataFrame, scores: Scores, measure: str, side: str) -> pd.DataFrame:
    """Return the bars with the missing ranks of documents that a run has below the cutoff."""
    column, ledger = f"rank {side}", scores.ledger(measure)
    missing = bars[column].isna() & ranked(bars)
    if not missing.any():
        return bars
    import pandas as pd

    hits = ledger.measure.ranking(scores.judged, ledger.convention)
    hits = hits[_among(scores, bars.loc[missing, "query"])[hits.query]]
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
    """Return the rows with the difference between the runs' ideals as a separate row.

    The difference of two quotients is that of the numerators times the mean of both 1/ideal, plus
    that of the 1/ideals times the mean of both numerators. The two parts sum to it exactly, and
    swapping the runs only changes the sign.
    """
    import pandas as pd

    apart = (wholes["A"] - wholes["B"]).abs() > NOISE * wholes.max(axis=1)
    differ = wholes[apart & (wholes > 0).all(axis=1)]
    if differ.empty:
        return frame
    inverse = 1 / differ
    affected = frame["query"].isin(differ.index)
    rows = frame.loc[affected, "query"]
    of_a, of_b = (frame.loc[affected, side] * rows.map(differ[side]) for side in ("A", "B"))
    mean = rows.map(inverse.mean(axis=1))
    frame.loc[affected, "delta"] = (of_b - of_a) * mean
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
