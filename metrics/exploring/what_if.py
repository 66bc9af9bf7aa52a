"""Effect of one change to a ranking on its score: swaps, other grades, removed documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain

import numpy as np

from ..arrays import Floats, pd
from ..conventions.convention import TREC_EVAL, Convention
from ..data import Qrels, Run
from ..editing.edits import move, remove, set_grade, swap
from ..editing.hand_ranking import HandRanking
from ..errors import EditError, MeasureError
from ..matching.batches import match
from ..measures import Measure

LONGEST = 5_000
"""Every change is tried only in rankings of at most this many documents."""
AT_ONCE = 200_000
"""About this many documents are scored in one batch, which bounds the memory."""


def score_all(
    rankings: Iterable[HandRanking], measure: Measure, convention: Convention = TREC_EVAL
) -> Floats:
    """Return ``(m,)`` the score of each ranking; NaN where none of its documents is judged.

    The rankings are read one by one, so a generator of many long rankings needs little memory.

    Examples
    --------
    >>> from metrics import parse
    >>> ranking = HandRanking.of("q", {"a": 1}, ["b", "a"])
    >>> score_all([ranking, move(ranking, "a", 1)], parse("RR")).tolist()
    [0.5, 1.0]
    """
    scores = [_scored(batch, measure, convention) for batch in _batches(rankings)]
    return np.concatenate([np.zeros(0), *scores])


def _batches(rankings: Iterable[HandRanking]) -> Iterator[list[HandRanking]]:
    batch: list[HandRanking] = []
    held = 0
    for ranking in rankings:
        batch.append(ranking)
        held += len(ranking.entries)
        if held >= AT_ONCE:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch


def _scored(rankings: list[HandRanking], measure: Measure, convention: Convention) -> Floats:
    names = list(map(str, range(len(rankings))))
    qrels = Qrels.from_dict({name: r.grades for name, r in zip(names, rankings, strict=True)})
    aspects = {name: r.aspects for name, r in zip(names, rankings, strict=True) if r.aspects}
    qrels = replace(qrels, aspects=aspects)
    run = Run.from_dict({name: r.scores for name, r in zip(names, rankings, strict=True)})
    judged = match(qrels, run, replace(convention, queries="qrels"))
    scores: Floats = np.full(len(rankings), np.nan)
    scores[list(map(int, judged.queries))] = measure.ledger(judged).scores
    return scores


def swaps(
    ranking: HandRanking, measure: Measure, convention: Convention = TREC_EVAL, depth: int = 20
) -> Floats:
    """Return ``(d, d)`` the change in the score from swapping the documents at two ranks.

    Raises MeasureError when the ranking has more than ``LONGEST`` documents.

    Examples
    --------
    >>> from metrics import parse
    >>> ranking = HandRanking.of("q", {"a": 1}, ["b", "c", "a"])
    >>> swaps(ranking, parse("RR")).round(3).tolist()
    [[0.0, 0.0, 0.667], [0.0, 0.0, 0.167], [0.667, 0.167, 0.0]]
    """
    _short(ranking)
    size = min(depth, len(ranking.retrieved))
    first, second = np.triu_indices(size, 1)
    pairs = zip((first + 1).tolist(), (second + 1).tolist(), strict=True)
    others = (swap(ranking, i, j) for i, j in pairs)
    now, *then = score_all(chain([ranking], others), measure, convention)
    deltas: Floats = np.zeros((size, size))
    deltas[first, second] = deltas[second, first] = np.array(then) - now
    return deltas


def changes(
    ranking: HandRanking, measure: Measure, convention: Convention = TREC_EVAL, depth: int = 20
) -> pd.DataFrame:
    """Return the change in the score from each change to one document.

    There is a row for each document of the top ``depth``, then for up to ``depth`` documents that
    are not retrieved. The columns are document, rank (NA: not retrieved) and grade, then one per
    change, NaN where it is impossible or changes nothing.

    Raises MeasureError when the ranking has more than ``LONGEST`` documents.

    Examples
    --------
    >>> from metrics import parse
    >>> frame = changes(HandRanking.of("q", {"a": 1}, ["b", "a"]), parse("RR"))
    >>> frame.set_index("document")["to rank 1"].to_dict()
    {'b': nan, 'a': 0.5}
    """
    _short(ranking)

    def raised(grade: float | None) -> float:
        if (higher := (grade or 0.0) + 1) > getattr(measure, "max", higher):
            raise EditError("The measure's scale has no higher grade.")
        return higher

    # The changes by name; each takes a document and its grade.
    made: dict[str, Callable[[str, float | None], HandRanking]] = {
        "to rank 1": lambda document, _: move(ranking, document, 1),
        "grade +1": lambda document, grade: set_grade(ranking, document, raised(grade)),
        "grade −1": lambda document, grade: set_grade(ranking, document, _lowered(grade)),
        "not retrieved": lambda document, _: move(ranking, document, None),
        "removed": lambda document, _: remove(ranking, document),
    }
    ranks = {entry.document: rank for rank, entry in enumerate(ranking.retrieved, 1)}
    entries = ranking.retrieved[:depth] + ranking.unretrieved[:depth]
    delta = {name: np.full(len(entries), np.nan) for name in made}
    places: list[tuple[str, int]] = []

    def others() -> Iterator[HandRanking]:
        for row, entry in enumerate(entries):
            for name, change in made.items():
                try:
                    changed = change(entry.document, entry.grade)
                except EditError:
                    continue
                if changed == ranking:
                    continue
                places.append((name, row))
                yield changed

    now, *then = score_all(chain([ranking], others()), measure, convention)
    for (name, row), score in zip(places, then, strict=True):
        delta[name][row] = score - now
    frame = pd.DataFrame(
        {
            "document": [entry.document for entry in entries],
            "rank": pd.array(
                [ranks.get(entry.document, pd.NA) for entry in entries], dtype="Int64"
            ),
            "grade": [np.nan if e.grade is None else e.grade for e in entries],
        }
    )
    return frame.assign(**delta)


def _short(ranking: HandRanking) -> None:
    if (length := len(ranking.entries)) > LONGEST:
        raise MeasureError(
            f"This ranking is too long to try every change: {length:,} documents, of at "
            f"most {LONGEST:,}. Cut it at a smaller depth."
        )


def _lowered(grade: float | None) -> float:
    if grade is None or grade < 1:
        raise EditError("There is no lower grade.")
    return grade - 1
