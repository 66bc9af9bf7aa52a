"""The rank column of a run, compared with the order of evaluation."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..arrays import Floats, Ints, take
from ..data import Note, Pairs, Severity
from ..words import count, quote

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Order:
    """Counts of disagreements between the ranks and scores of a run, or of a part of it.

    Attributes
    ----------
    contradictions
        Rows whose rank puts them above a document that evaluation ranks higher.
    begins, shared, cut
        Queries whose ranks do not begin at 1, in which two documents share a rank, and in which
        more ranks are missing than present; each with a description of the first such query.
    swapped
        Queries in which the score looks like a rank and the rank like a score.
    several, rising
        Queries of more than one row and score, and those in which the scores rise with the ranks.
    """

    contradictions: int = 0
    begins: tuple[int, str] = (0, "")
    shared: tuple[int, str] = (0, "")
    cut: tuple[int, str] = (0, "")
    swapped: int = 0
    several: int = 0
    rising: int = 0

    def notes(self) -> Iterator[Note]:
        """Yield the notes on a rank column that comes with scores; none where nothing is odd."""
        if self.swapped:
            yield Note(
                f"In {count(self.swapped, 'query', 'queries')} the columns look swapped: the score "
                "counts up as a rank does, and the rank does not. The score column was used as it "
                "is; swap the two columns if that is wrong.",
                "N-RANK-SWAPPED",
            )
        if 0 < self.rising == self.several:
            yield Note(
                "In every query the best rank has the lowest score, as with distances. The highest "
                "score was still ranked first; if lower is better, negate the scores.",
                "N-RANK-DISTANCE",
            )
        elif self.contradictions:
            yield Note(
                f"{count(self.contradictions, 'row')} whose rank contradicts the order of "
                "evaluation: by score, and equal scores by document id, descending, as in "
                "trec_eval.",
                "N-RANK-ORDER",
                Severity.REMARK,
            )
        yield from self.of_ranks("documents are ordered by score, whatever the rank column says")

    def of_ranks(self, then: str) -> Iterator[Note]:
        """Yield the notes on the ranks, each with its consequence."""
        for code, (queries, first), what in (
            ("N-RANK-START", self.begins, "the rank column does not begin at 1"),
            ("N-RANK-SHARED", self.shared, "two documents share a rank"),
            ("N-RANK-MISSING", self.cut, "more ranks are missing than present"),
        ):
            if queries:
                where = f"In {count(queries, 'query', 'queries')}"
                yield Note(f"{where} {what} ({first}); {then}.", code)


def order_of(run: Pairs, rank: Floats) -> Order:
    """Compare a run's rank column with its scores.

    Examples
    --------
    >>> from metrics import Run
    >>> run = Run.from_dict({"q": {"a": 2.0, "b": 3.0, "c": 1.0}})
    >>> order = order_of(run, np.array([1.0, 2.0, 3.0]))
    >>> order.contradictions, order.shared
    (1, (0, ''))
    """
    if not len(run):
        return Order()
    query, document, score, rank = _in_rank_order(run.query, run.document, run.value, rank)
    after, before = slice(1, None), slice(None, -1)
    same = query[after] == query[before]
    level = np.flatnonzero(same & (score[after] >= score[before]))
    tied = level[score[level + 1] == score[level]]
    ascending = pc.less(take(document, tied), take(document, tied + 1))
    contradictions = len(level) - len(tied) + (pc.sum(ascending).as_py() or 0)
    first = np.flatnonzero(np.append(True, ~same))
    last = np.append(first[1:], len(query)) - 1
    shared = np.flatnonzero(same & (rank[after] == rank[before]))
    _, at = np.unique(query[shared], return_index=True)
    shared = shared[at]
    begins = first[rank[first] != 1]
    cut = last[rank[last] > 2 * (last - first + 1)]
    directions = _directions(score, rank, same, first)

    def rows_of(rows: Ints) -> tuple[int, str]:
        """Return the number of rows and a description of the first."""
        if not len(rows):
            return 0, ""
        return len(rows), f"rank {rank[rows[0]]:g} of query {quote(run.queries[query[rows[0]]])}"

    return Order(contradictions, rows_of(begins), rows_of(shared), rows_of(cut), *directions)


def _in_rank_order(
    query: Ints, document: pa.StringArray, score: Floats, rank: Floats
) -> tuple[Ints, pa.StringArray, Floats, Floats]:
    """Return the rows by query, then rank; as they are where they are in this order."""
    same = query[1:] == query[:-1]
    stays = np.flatnonzero(same & (rank[1:] <= rank[:-1]))
    # Among equal ranks the highest score goes first, so they contradict nothing.
    wrong = (rank[stays + 1] < rank[stays]) | (score[stays + 1] > score[stays])
    if not wrong.any() and not (query[1:] < query[:-1]).any():
        return query, document, score, rank
    order = np.lexsort((-score, rank, query))
    return query[order], take(document, order), score[order], rank[order]


def _directions(score: Floats, rank: Floats, same: Flags, first: Ints) -> tuple[int, int, int]:
    """Count the queries with rank and score swapped, with several scores, with rising scores.

    The rows are in rank order; ``same`` says which neighbours are of one query, and ``first`` where
    each query begins. The rows between are read only where a query's ends leave a doubt.
    """
    last = np.append(first[1:], len(score)) - 1
    more = last > first

    def each(right: Callable[[], Flags], possible: Flags) -> Flags:
        """Return, for each query, whether it is possible and all its neighbours are right."""
        if not possible.any():
            return possible
        with np.errstate(over="ignore", invalid="ignore"):  # an infinite step is neither 1 nor -1
            neighbours = np.append(right() | ~same, True)
        found: Flags = possible & np.logical_and.reduceat(neighbours, first)
        return found

    # Scores that count down to 1 look like ranks; down to 0 they do where no rank is 0 or 1.
    down = each(lambda: np.diff(score) == -1, more & (score[last] == np.floor(score[last])))
    counts = (score[last] == 1) | ((score[last] == 0) & (rank[first] > 1))
    counts &= down & (rank[first] < rank[last])
    swapped = counts & ~each(lambda: np.diff(rank) == 1, counts)
    if down.any():
        swapped |= down & np.logical_or.reduceat(rank != np.floor(rank), first)
    # Queries in which all scores are equal have no direction.
    level = each(lambda: score[1:] == score[:-1], more & (score[last] == score[first]))
    rises = more & (score[last] > score[first]) & (rank[last] > rank[first])
    rising = each(lambda: (score[1:] > score[:-1]) & (rank[1:] > rank[:-1]), rises)
    return int(swapped.sum()), int((more & ~level).sum()), int(rising.sum())


def joined(parts: Iterable[Order]) -> Order:
    """Return the sum of the counts of several parts.

    Examples
    --------
    >>> parts = Order(begins=(1, "q1")), Order(2, begins=(3, "q7"))
    >>> joined(parts).begins, joined(parts).contradictions
    ((4, 'q1'), 2)
    """
    all_of = list(parts)

    def queries(name: str) -> tuple[int, str]:
        found = [getattr(part, name) for part in all_of if getattr(part, name)[0]]
        return sum(number for number, _ in found), found[0][1] if found else ""

    numbers = ("contradictions", "swapped", "several", "rising")
    sums: dict[str, Any] = {name: sum(getattr(part, name) for part in all_of) for name in numbers}
    return Order(**sums | {name: queries(name) for name in ("begins", "shared", "cut")})
