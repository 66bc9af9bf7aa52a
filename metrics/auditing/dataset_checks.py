"""The size of a data set, and checks that uploaded files could have produced it."""

from __future__ import annotations

import pyarrow.compute as pc

from ..arrays import bincount
from ..dataset import Dataset
from ..errors import RankscopeError
from ..limits import current
from ..reading.budget import weight, weight_of_texts
from ..words import quote
from .audit import require_overlap


def size(dataset: Dataset) -> int:
    """Return about how many bytes a data set takes."""
    tables = map(weight, (dataset.qrels, *dataset.runs))
    return sum(tables) + sum(map(weight_of_texts, dataset.texts()))


def require_sound(dataset: Dataset) -> None:
    """Refuse a data set that uploaded files could not have produced.

    Raises
    ------
    RankscopeError
        For no run, two runs of one name, no rows, an id that is empty or too long, no overlap, or
        more data than a session may hold.
    """
    names = [run.name for run in dataset.runs]
    if not names or len(set(names)) < len(names):
        raise RankscopeError("A data set needs at least one run, each with a unique name.")
    for pairs in (dataset.qrels, *dataset.runs):
        longest = max(map(len, (*pairs.queries, *pc.unique(pairs.document).to_pylist())), default=0)
        if not len(pairs) or longest > current().id or not all(pairs.queries):
            raise RankscopeError(f"{pairs.name}: no rows, or an id that is empty or too long.")
        if pc.any(pc.equal(pairs.document, "")).as_py():
            raise RankscopeError(f"{pairs.name}: a document id is empty.")
    for run in dataset.runs:
        require_overlap(dataset.qrels, run)
    require_room(dataset)


def require_room(dataset: Dataset) -> None:
    """Refuse more data than a session may hold, or a longer ranking than it may show.

    Raises
    ------
    RankscopeError
        With the name of the limit.
    """
    for pairs in (dataset.qrels, *dataset.runs):
        counts = bincount(pairs.query, minlength=1)
        if counts.max() > (most := current().ranking):
            query = pairs.queries[int(counts.argmax())]
            raise RankscopeError(
                f"{pairs.name}: query {quote(query)} has {counts.max():,} documents; at most "
                f"{most:,} (limit ranking). Cut each ranking at a smaller depth."
            )
    if (held := size(dataset)) > (most := current().session):
        raise RankscopeError(
            f"Your data would take {held:,} bytes; a session holds at most {most:,} (limit "
            "session). Drop a run, or cut each ranking at a smaller depth."
        )
