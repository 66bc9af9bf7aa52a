"""A partition of a run -> its hits: the part of `judge_spark` that workers run.

A worker needs NumPy, pyarrow and Rankscope. It compares and counts; whoever gathers its parts does
all floating-point arithmetic, on the same hits as `judge`, so scores have the same bits.
"""

import pickle
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from ..reading.from_tables.arrow_stream import RunColumns, in_utf8, over_queries
from ..reading.problems import File, ReadError
from ..words import quote
from .matching import Matcher

SCHEMA = "part binary"
"""The column of what a worker gives back, each value pickled, as Spark sends the worker itself.

It is what `over_queries` yields of a part of the run, reduced, or a `Problem` of a refused one.
"""
QUERY, ORDER = "query", "order"
"""The names of columns of the batches."""


@dataclass(frozen=True, eq=False)
class Worker:
    """Reduce the batches of a partition to their hits; an argument for ``mapInArrow``.

    Attributes
    ----------
    matcher
        The judgments, and how rankings are ordered.
    columns
        The columns of the batches. The rows of a query stand together; a column named ``order``,
        if there is one, counts up within each query.
    """

    matcher: Matcher
    columns: RunColumns

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield rows of `SCHEMA`; a run that is refused ends with its problems, not an exception.

        An exception would be tried again on the same rows, and reach the user as a stack of Java.
        """
        sound = _in_order(in_utf8(batches, self.columns), self.columns.file)
        try:
            yield from map(_packed, over_queries(sound, self.columns, self.matcher.reduce))
        except ReadError as refusal:
            yield from map(_packed, refusal.problems)


def _packed(part: object) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({"part": [pickle.dumps(part)]})


def _in_order(batches: Iterable[pa.RecordBatch], file: File) -> Iterator[pa.RecordBatch]:
    """Yield the batches; where they have an order, it must give each row of a query its own place.

    Raises
    ------
    ReadError
        When two rows of a query have the same place, or a row has none.
    """
    last = None
    for batch in batches:
        if ORDER in batch.schema.names and len(batch):
            # The last row of the batch before is compared with the first of this one.
            joint = batch.select([QUERY, ORDER])
            joint = joint if last is None else pa.concat_batches([last, joint])
            _require_places(joint, file)
            last = joint.slice(len(joint) - 1)
        yield batch


def _require_places(rows: pa.RecordBatch, file: File) -> None:
    """Refuse rows of a query, sorted by their order, that have the same place or none."""
    query, order = rows.column(QUERY), rows.column(ORDER)
    same = pc.and_(pc.equal(query[1:], query[:-1]), pc.equal(order[1:], order[:-1]))
    for wrong, found in (
        (pc.is_null(order), "a null in the order column"),
        (pc.fill_null(same, False), "the same value twice in the order column"),
    ):
        row = pc.index(wrong, True).as_py()
        if row >= 0:
            whose = f"{found}, query {quote(str(query[row].as_py()))}"
            expected = "a value of its own for each document of a query"
            fix = "Order the rows by a column in which no value of a query appears twice."
            raise file.error("E-ORDER", whose, expected, fix)
