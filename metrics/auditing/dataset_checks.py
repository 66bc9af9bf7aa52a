"""The size of a data set, and checks that uploaded files could have produced it."""

import pyarrow.compute as pc

from ..arrays import Ints, bincount
from ..dataset import Dataset
from ..errors import NoOverlapError, RankscopeError
from ..limits import current
from ..matching import JudgedRankings
from ..reading.problems import OVERHEAD, weight, weight_of_texts
from ..words import quote
from .audit import SAME_IDS, require_overlap


def size(dataset: Dataset) -> int:
    """Return about how many bytes a data set takes."""
    tables = map(weight, (dataset.qrels, *dataset.runs, *dataset.judges))
    judged = map(weight_of_judged, dataset.judged)
    return sum(tables) + sum(judged) + sum(map(weight_of_texts, dataset.texts()))


def weight_of_judged(judged: JudgedRankings) -> int:
    """Return about how many bytes judged rankings take, apart from the qrels of the data set."""
    ids = sum(OVERHEAD + len(query.encode()) for query in judged.queries)
    lines = sum(each.nbytes for each in (judged.hits, judged.top, judged.judged))
    return ids + lines + judged.retrieved.nbytes


def require_sound(dataset: Dataset) -> None:
    """Refuse a data set that uploaded files could not have produced.

    Raises
    ------
    RankscopeError
        For no run, two runs of one name, a run without rows, an id that is empty or too long, no
        overlap, or more data than a session may hold.
    """
    names = [each.name for each in dataset.rankings]
    if not names or len(set(names)) < len(names):
        raise RankscopeError("A data set needs at least one run, each with a unique name.")
    for pairs in (dataset.qrels, *dataset.runs, *dataset.judges):
        longest = max(map(len, (*pairs.queries, *pc.unique(pairs.document).to_pylist())), default=0)
        rows = len(pairs) or (pairs is dataset.qrels and not dataset.judged)
        if not rows or longest > current().id or not all(pairs.queries):
            raise RankscopeError(f"{pairs.name}: no rows, or an id that is empty or too long.")
        if pc.any(pc.equal(pairs.document, "")).as_py():
            raise RankscopeError(f"{pairs.name}: a document id is empty.")
    for run in dataset.runs:
        require_overlap(dataset.qrels, run)
    for judged in dataset.judged:
        if judged.qrels.digest != dataset.qrels.digest:
            raise RankscopeError(f"{judged.name}: judged by other judgments than the qrels.")
        require_hits(judged, judged.name)
    require_room(dataset)


def require_hits(judged: JudgedRankings, name: str) -> None:
    """Refuse judged rankings without a judged document: only the run would show the reason.

    Raises
    ------
    NoOverlapError
        With this name of the rankings.
    """
    if not len(judged.hits):
        raise NoOverlapError(f"{name}: no document of the run is judged. {SAME_IDS}")


def require_room(dataset: Dataset) -> None:
    """Refuse more data than a session may hold, or a longer ranking than it may show.

    Raises
    ------
    RankscopeError
        With the name of the limit.
    """
    for pairs in (dataset.qrels, *dataset.runs):
        _require_short(pairs.name, pairs.queries, pairs.query)
    for judged in dataset.judged:
        _require_short(judged.name, judged.queries, judged.hits.query)
    if (held := size(dataset)) > (most := current().session):
        raise RankscopeError(
            f"Your data would take {held:,} bytes; a session holds at most {most:,} (limit "
            "session). Drop a run, or cut each ranking at a smaller depth."
        )


def _require_short(name: str, queries: tuple[str, ...], query: Ints) -> None:
    """Refuse a list that is too long to be shown; ``query`` is the place of each row's query."""
    counts = bincount(query, minlength=1)
    if counts.max() > (most := current().ranking):
        raise RankscopeError(
            f"{name}: query {quote(queries[int(counts.argmax())])} has {counts.max():,} documents; "
            f"at most {most:,} (limit ranking). Cut each ranking at a smaller depth."
        )
