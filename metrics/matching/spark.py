"""A run that is a Spark DataFrame, reduced to its hits on the cluster.

PySpark is imported when a DataFrame is judged, not before: it is an extra, ``rankscope[spark]``.
A worker needs NumPy, pyarrow and Rankscope. It compares and counts; whoever gathers its parts does
all floating-point arithmetic, on the same hits as `match`, so scores have the same bits.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from ..conventions.convention import TREC_EVAL, Convention, named
from ..data import Note, Qrels, Run
from ..data.column_names import tag_of
from ..errors import DataError
from ..reading.from_tables.arrow_stream import RunColumns, in_utf8, over_queries, run_columns
from ..reading.from_tables.cells import columns_of
from ..reading.problems import File, Problem, ReadError
from ..words import count, quote
from .judged import JudgedRankings, Matcher

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
from .batches import Given, together

LISTED = 100_000
"""At most this many queries without judgments are listed."""
UNLISTED = "N-UNJUDGED-QUERIES"
"""More queries than `LISTED` have no judgments."""
_JUDGED = "judged"
SCHEMA = "part binary"
"""The column of what a worker gives back, each value pickled, as Spark sends the worker itself.

It is what `over_queries` yields of a part of the run, reduced, or a `Problem` of a refused one.
"""
QUERY, ORDER = "query", "order"
"""The names of columns of the batches."""


def match_spark(
    qrels: Given,
    dataframe: DataFrame,
    convention: Convention | str = TREC_EVAL,
    *,
    order: str | None = None,
    partitions: int | None = None,
    name: str = "",
    depth: int = 0,
) -> JudgedRankings:
    """Return the result of `match` for a run in a Spark DataFrame, which stays on the cluster.

    Workers need NumPy, pyarrow and Rankscope: its wheel, which ``addPyFile`` sends under a name
    that ends in ``.zip``. Only hits and counts come back, so what this process holds does not grow
    with the rows of the run.

    Parameters
    ----------
    qrels
        `Qrels`, ``{query: {document: grade}}``, or a frame.
    dataframe
        One row for each document of a query, with the column names that tables may have: query,
        document and score, for instance. Query ids are cast to text. Rows of queries without
        judgments are dropped first and not checked.
    convention
        A `Convention`, or the name of a preset, such as ``"ranx"``.
    order
        A column that counts up within each query, in the order of the rows. Needed, and used, only
        where equal scores keep the order of the input: the rows of a DataFrame have no order.
    partitions
        How many parts the run is divided into by query; by default, what the session is set to.
    name
        The name of the run.
    depth
        Keep the unjudged documents down to this rank in `JudgedRankings.top`, to be shown.

    Returns
    -------
    JudgedRankings
        The same hits, and so the same scores to the last bit. ``missing_from_qrels`` is sorted, and
        has at most `LISTED` queries; where there are more, a note has their number.

    Raises
    ------
    DataError
        When an argument has the wrong type, or equal scores need an order.
    ReadError
        When a column is missing or has a wrong type; for a null, a score that is not finite, or a
        document that appears twice in a query, each with the query and the document.

    Examples
    --------
    >>> match_spark(Qrels.from_dict({"q1": {"d1": 1}}), [("q1", "d1", 2.5)])
    Traceback (most recent call last):
    ...
    metrics.errors.DataError: The run is a list; pass a DataFrame of PySpark 4 or later, or use \
match.
    """
    grades, convention = Qrels.of(qrels), named(convention)
    if not hasattr(dataframe, "mapInArrow"):
        raise DataError(
            f"The run is a {type(dataframe).__name__}; pass a DataFrame of PySpark 4 or later, or "
            "use match."
        )
    in_input_order = convention.ties == "input"
    if in_input_order and order is None:
        raise DataError(
            "The rows of a Spark DataFrame have no order, and this convention keeps equal scores "
            'in the order of the input. Name a column that has it, order="rank" for instance, or '
            "choose another order for equal scores."
        )
    # Reading the qrels leaves memory that nothing uses but Arrow holds.
    pa.default_memory_pool().release_unused()
    file = File(name or "the DataFrame")
    run, columns = _selected(dataframe, order if in_input_order else None, file)
    worker = Worker(Matcher(grades, convention, depth=depth), columns)
    return replace(_gathered(run, worker, partitions), name=name)


def _gathered(run: DataFrame, worker: Worker, partitions: int | None) -> JudgedRankings:
    """Return the judged rankings of a run whose columns have plain names.

    Raises ReadError with the problems of all partitions, or where there are no rows.
    """
    matcher = worker.matcher
    parts = _reduced(run, worker, matcher.queries, partitions)
    if problems := [part for part in parts if isinstance(part, Problem)]:
        raise ReadError(sorted(problems, key=str))
    unjudged, notes = _unjudged(run, matcher.queries)
    judged, found = together(matcher, worker.columns, parts, unjudged)
    tag = found.tags[0] if len(found.tags) == 1 else ""
    return replace(judged, notes=(*judged.notes, *notes), tag=tag)


def _selected(dataframe: DataFrame, order: str | None, file: File) -> tuple[DataFrame, RunColumns]:
    """Return the columns of a run under plain names, and where the workers find them.

    Raises ReadError when a column is missing, appears twice, or cannot be ids or numbers.
    """
    names = dataframe.columns
    if order is not None and order not in names:
        fix = "Name one of its columns."
        raise file.error("E-HEADER", f"no column {quote(order)}", quote(", ".join(names)), fix)
    place = columns_of(Run, names, file, None).place
    tag = tag_of(names)
    some = [names[at] for at in {*place.values(), *([] if tag is None else [tag])}]
    # An empty result has the types, in the terms of Arrow.
    empty = dataframe.select([_column(name, str(at)) for at, name in enumerate(some)]).limit(0)
    types = dict(zip(some, empty.toArrow().schema.types, strict=True))
    columns = run_columns(pa.schema([(name, types.get(name, pa.null())) for name in names]), file)
    if pa.types.is_floating(types[columns.names["query"]]):
        found = f"decimal numbers as query ids, in the column {quote(columns.names['query'])}"
        fix = "Cast the column to text, with the ids that the qrels have."
        raise file.error("E-TYPE", found, "texts or whole numbers", fix)
    parts = {**columns.names, **({ORDER: order} if order is not None else {})}
    selected = dataframe.select([_column(name, part) for part, name in parts.items()])
    # Spark may compare texts without regard to case; a cast gives texts that compare by bytes.
    text = selected[QUERY].cast("string")
    plain = {part: part for part in columns.names}
    return selected.withColumn(QUERY, text), replace(columns, names=plain)


def _column(name: str, part: str) -> Column:
    """Return a column by its name, whatever its characters, as one with a plain name."""
    from pyspark.sql.functions import col

    return col(f"`{name.replace('`', '``')}`").alias(part)


def _reduced(
    run: DataFrame, worker: Worker, judged: tuple[str, ...], partitions: int | None
) -> list[Any]:
    """Return what the workers give back."""
    from pyspark.sql import functions as f

    marked = run.join(_marked(run, judged), QUERY, "left")
    # A null is no query of the qrels; the workers refuse it.
    kept = marked.where(f.col(_JUDGED) | f.col(QUERY).isNull()).select(run.columns)
    parted = kept.repartition(partitions, QUERY) if partitions else kept.repartition(QUERY)
    by = [name for name in (QUERY, ORDER) if name in run.columns]
    rows = parted.sortWithinPartitions(*by).mapInArrow(worker, SCHEMA).toArrow()
    return [pickle.loads(part) for part in rows["part"].to_pylist()]


def _marked(run: DataFrame, judged: tuple[str, ...]) -> DataFrame:
    """Return the judged queries, to be sent to every worker."""
    from pyspark.sql import functions as f

    frame = run.sparkSession.createDataFrame(pa.table({QUERY: pa.array(judged, pa.string())}))
    return f.broadcast(frame.withColumn(_JUDGED, f.lit(True)))


def _unjudged(run: DataFrame, judged: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[Note, ...]]:
    """Return queries of a run that have no judgments, and a note if they are not all."""
    from pyspark.sql.functions import make_valid_utf8

    others = run.join(_marked(run, judged), QUERY, "left_anti").dropna(subset=[QUERY])
    # Spark's texts may be any bytes; the queries of the qrels are UTF-8.
    ids = others.select(make_valid_utf8(QUERY).alias(QUERY)).distinct()
    listed = tuple(ids.orderBy(QUERY).limit(LISTED + 1).toArrow().column(0).to_pylist())
    if len(listed) <= LISTED:
        return listed, ()
    text = (
        f"{count(ids.count(), 'query', 'queries')} of the run have no judgments; the first "
        f"{LISTED:,} of them are listed."
    )
    return listed[:LISTED], (Note(text, UNLISTED),)


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

    Raises ReadError when two rows of a query have the same place, or a row has none.
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
