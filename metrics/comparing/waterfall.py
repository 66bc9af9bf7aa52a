"""The bars of a waterfall: the contribution of each document under two runs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrays import NOISE, Floats, Ints, bincount, numbers, pd, places, take
from ..matching import Hits
from ..scoring.evaluate import Scores

IDEALS = "(the ideals differ)"
"""The name of the bar for the part of a delta that comes from different ideals."""
_ABSENT = np.iinfo(np.int64).max
"""The rank of a document that a run lacks: no other is as low."""


@dataclass(frozen=True)
class _Lines:
    """Lines of one run: flat columns, a query by its place among the compared ones."""

    query: Ints
    document: pa.StringArray
    grade: Floats
    rank: Ints
    share: Floats


def bars(sides: Mapping[str, Scores], measure: str, queries: Collection[str]) -> pd.DataFrame:
    """Return what each document of each query contributes to each side, sorted by their texts.

    A document that appears twice, as in a doubled ideal, has one bar: the sum, at its first rank.
    """
    queries = sorted(queries)
    lines = [_lines_of(scores, measure, queries) for scores in sides.values()]
    query = np.concatenate([each.query for each in lines])
    document = pa.concat_arrays([each.document for each in lines])
    grade = np.concatenate([each.grade for each in lines])
    key, grades = _keys(query, _codes(document)), np.unique(grade)
    key = key * (len(grades) + 1) + np.searchsorted(grades, grade)
    # The first line of each bar, sorted, and for each line its bar.
    _, first, bar = np.unique(key, return_index=True, return_inverse=True)
    query, document = query[first], take(document, first)
    ranks, shares = {}, {}
    of_side = np.split(bar, np.cumsum([len(each.query) for each in lines])[:-1])
    for side, each, own in zip(sides, lines, of_side, strict=True):
        ranks[side] = np.full(len(first), _ABSENT)
        np.minimum.at(ranks[side], own, each.rank)
        shares[side] = bincount(own, each.share, len(first)).astype(float)
    lowest = np.min(list(ranks.values()), axis=0)
    for side, scores in sides.items():
        # Documents that the other run has, and this one below its cutoff.
        low = np.flatnonzero((ranks[side] == _ABSENT) & (lowest >= 1) & (lowest < _ABSENT))
        if len(low):
            ranks[side][low] = _ranks_of(query[low], take(document, low), scores, measure, queries)
    columns = {
        "query": pd.array(np.array(queries, object)[query], dtype=str),
        "document": pd.array(document.to_pylist(), dtype=str),
        "grade": grade[first],
    }
    for side, rank in ranks.items():
        columns[f"rank {side}"] = pd.arrays.IntegerArray(rank, rank == _ABSENT)
    return pd.DataFrame(columns | shares)


def _lines_of(scores: Scores, measure: str, queries: Sequence[str]) -> _Lines:
    """Return one run's lines of the queries that have a place, those of their starts first."""
    ledger, place = scores.ledger(measure), places(scores.judged.queries, queries)
    begun = np.flatnonzero((ledger.start != 0) & (place >= 0))
    here = np.flatnonzero(place[ledger.hits.query] >= 0)
    hits = ledger.hits[here]
    names = pa.array(ledger.start_names[begun] if len(begun) else [], pa.string())
    share = np.append(ledger.start[begun], ledger.contribution[here])
    return _Lines(
        np.append(place[begun], place[hits.query]),
        pa.concat_arrays([names, hits.document]),
        np.append(np.full(len(begun), np.nan), hits.grade),
        np.append(np.zeros(len(begun), np.int64), hits.rank),
        # A query without a score has no share to show.
        np.where(np.isnan(share), 0.0, share),
    )


def _codes(texts: pa.StringArray) -> Ints:
    """Return the place of each text among all texts, sorted; equal ones have the same."""
    encoded = texts.dictionary_encode()
    order = numbers(pc.sort_indices(encoded.dictionary))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return np.asarray(place[numbers(encoded.indices)])


def _keys(query: Ints, document: Ints) -> Ints:
    """Return one number for each query and document, in the same order."""
    return query * (int(document.max(initial=0)) + 1) + document


def _ranks_of(
    query: Ints, document: pa.StringArray, scores: Scores, measure: str, queries: Sequence[str]
) -> Ints:
    """Return the rank of each of these documents in the whole ranking of its query."""
    ledger, place = scores.ledger(measure), places(scores.judged.queries, queries)
    hits: Hits = ledger.measure.ranking(scores.judged, ledger.convention)
    asked = np.zeros(len(queries) + 1, bool)
    asked[query] = True
    hits = hits[asked[place][hits.query]]
    code = _codes(pa.concat_arrays([document, hits.document]))
    key = _keys(np.append(query, place[hits.query]), code)
    wanted, ranked = key[: len(query)], key[len(query) :]
    # Stable, so that the first of a document's ranks is found.
    order = np.argsort(ranked, kind="stable")
    at = np.searchsorted(ranked[order], wanted)
    found = np.append(ranked[order], -1)[at] == wanted
    return np.where(found, np.append(hits.rank[order], _ABSENT)[at], _ABSENT)


def ranked(bars: pd.DataFrame) -> pd.Series[bool]:
    """Return which bars are of a ranked document, whatever its id."""
    return (bars[["rank A", "rank B"]].max(axis=1) >= 1).fillna(False).astype(bool)


def without_the_ideals(frame: pd.DataFrame, wholes: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with the difference between the runs' ideals as a separate row.

    The difference of two quotients is that of the numerators times the mean of both 1/ideal, plus
    that of the 1/ideals times the mean of both numerators. The two parts sum to it exactly, and
    swapping the runs only changes the sign.
    """
    apart = (wholes["A"] - wholes["B"]).abs() > NOISE * wholes.max(axis=1)
    differ = wholes[apart & (wholes > 0).all(axis=1)]
    if differ.empty:
        return frame
    inverse = 1 / differ
    affected = frame["query"].isin(differ.index)
    rows = frame.loc[affected, "query"]
    of_a, of_b = (frame.loc[affected, side] * rows.map(differ[side]) for side in ("A", "B"))
    frame.loc[affected, "delta"] = (of_b - of_a) * rows.map(inverse.mean(axis=1))
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
