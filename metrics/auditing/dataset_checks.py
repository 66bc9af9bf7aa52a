"""How much room a data set takes, and whether it is one that files could have made."""

from __future__ import annotations

import numpy as np
import pyarrow.compute as pc

from ..data import TEXTS, Dataset
from ..errors import RankscopeError
from ..limits import current
from ..reading.budget import weight, weight_of_texts
from ..words import quote
from .audit import require_overlap


def size(dataset: Dataset) -> int:
    """About how many bytes a data set holds."""
    texts = (getattr(dataset, key) for key in TEXTS)
    tables = map(weight, (dataset.qrels, *dataset.runs))
    return sum(tables) + sum(map(weight_of_texts, texts))


def require_sound(dataset: Dataset) -> None:
    """Refuse a data set that files could not have made.

    Raises
    ------
    RankscopeError
        For no run, two of one name, no rows, an id that is empty or too long, no overlap, or more
        than the room of a session.
    """
    names = [run.name for run in dataset.runs]
    if not names or len(set(names)) < len(names):
        raise RankscopeError("A data set has at least one run, and each has a name of its own.")
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
    """Refuse data that are more than one session may hold, or longer rankings than it may show.

    Raises
    ------
    RankscopeError
        Naming the limit.
    """
    for pairs in (dataset.qrels, *dataset.runs):
        counts = np.bincount(pairs.query, minlength=1)
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
