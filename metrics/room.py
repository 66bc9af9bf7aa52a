"""How much room a data set takes, and whether it is one that files could have made."""

from __future__ import annotations

import numpy as np
import pyarrow.compute as pc

from .audit import require_overlap
from .dataset import Dataset
from .errors import RankscopeError
from .limits import current
from .reading.problems import quote

_OVERHEAD = 100
"""Bytes that a text takes beside its characters, about."""
TEXTS = ("query_texts", "document_texts", "query_groups")
"""The fields of `Dataset` beside the qrels and runs; the roles of their files."""


def size(dataset: Dataset) -> int:
    """About how many bytes a data set holds."""
    pairs = dataset.qrels, *dataset.runs
    tables = sum(
        each.query.nbytes + each.value.nbytes + int(each.document.nbytes) for each in pairs
    )
    texts = (getattr(dataset, key) for key in TEXTS)
    said = sum(_OVERHEAD + len(k) + len(v) for of in texts for k, v in of.items())
    ids = sum(_OVERHEAD + len(query) for each in pairs for query in each.queries)
    return tables + said + ids


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
    """Refuse data that are more than one session may hold, or its pages can show.

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
