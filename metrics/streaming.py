"""A run that is reduced to its hits while it is read, so that memory stays small."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from .convention import TREC_EVAL, Convention
from .data import Qrels, Run
from .judged import JudgedRankings, gather, judge
from .matching import Matcher, Reduced
from .reading import read_run
from .reading.decode import open_bytes
from .reading.parts import NotPlainError
from .reading.plain import Part
from .reading.quick import in_one_place, over_parts
from .reading.ranks import told

Progress = Callable[[float], None]


def judge_file(
    qrels: Qrels,
    source: str | Path | bytes,
    convention: Convention = TREC_EVAL,
    *,
    name: str = "",
    progress: Progress | None = None,
) -> JudgedRankings:
    """What ``judge(qrels, read_run(source), convention)`` gives, in less memory and time.

    A TREC run, plain or gzipped, is never held whole; any other file is read as ever.

    Parameters
    ----------
    source, name
        As in `read_run`.
    progress
        Called with the fraction of the file that is done, from above 0 to 1.

    Raises
    ------
    ReadError
        As `read_run` does.

    Examples
    --------
    >>> qrels = Qrels.from_dict({"q1": {"d1": 1}})
    >>> judge_file(qrels, b"q1 Q0 d2 1 2.5 bm25\\nq1 Q0 d1 2 2.0 bm25").hits.rank.tolist()
    [2]
    """
    said = progress or _silent
    judged = _in_parts(Matcher(qrels, convention), source, said)
    if judged is None:
        judged = judge(qrels, read_run(source, name), convention)
    said(1.0)
    return judged


def _in_parts(
    matcher: Matcher, source: str | Path | bytes, progress: Progress
) -> JudgedRankings | None:
    """The judged rankings of a plain file; None when it has to be read whole."""

    def reduce(part: Part[Run]) -> tuple[tuple[str, ...], Reduced, int]:
        return part.pairs.queries, matcher.reduce(part.pairs), part.contradictions

    done = []
    with open_bytes(source) as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        try:
            for reduced, place in over_parts(Run, file, reduce):
                done.append(reduced)
                if place < size:
                    progress(place / size)
        except NotPlainError:
            return None
    names = [queries for queries, _, _ in done]
    if not in_one_place(names):
        return None
    queries = tuple(query for part in names for query in part)
    notes = told(sum(wrong for _, _, wrong in done))
    return gather(matcher, (hits for _, hits, _ in done), queries, notes)


def _silent(fraction: float) -> None:
    """Nobody wants to know."""
