"""A partition of a run -> its hits, as rows of Arrow: the part of `judge_spark` that workers run.

A worker needs NumPy, pyarrow and Rankscope. It compares and counts; whoever gathers its rows does
all floating-point arithmetic, on the same hits as `judge`, so scores have the same bits.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrays import column, numbers
from ..reading.from_tables.arrow_stream import RunColumns, in_utf8, over_queries
from ..reading.from_tables.arrow_types import texts_of
from ..reading.from_tables.stream_notes import Findings
from ..reading.problems import File, Problem, ReadError
from ..reading.rank_column import Order
from ..words import quote
from .hits import Hits
from .matching import Matcher, Reduced

SCHEMA = (
    "query long, retrieved long, document string, rank long, grade double, first long, "
    "last long, own long, findings string, problems string"
)
"""The columns of a worker's rows; nulls say which kind of row it is.

A hit has a document; a ranking has how many documents it retrieved; both have the index of their
query in `Matcher.queries`. A part of the run has `Reduced.own` and what was found in it, or a
refusal its problems, both as JSON.
"""
_TYPES = {"long": pa.int64(), "double": pa.float64(), "string": pa.string()}
_ARROW = pa.schema([(name, _TYPES[kind]) for name, kind in map(str.split, SCHEMA.split(", "))])
QUERY, DOCUMENT, ORDER = "query", "document", "order"
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
            for reduced, _, found in over_queries(sound, self.columns, self.matcher.reduce):
                yield _packed(reduced, found)
        except ReadError as refusal:
            problems = json.dumps([asdict(problem) for problem in refusal.problems])
            yield _rows(problems=pa.array([problems]))


@dataclass(frozen=True, eq=False)
class Gathered:
    """The rows of workers, unpacked: a part of a run reduced to its hits, and what was found."""

    reduced: Reduced
    found: tuple[Findings, ...]
    problems: tuple[Problem, ...]


def unpacked(rows: pa.RecordBatch) -> Gathered:
    """Return what a batch of workers' rows says."""

    def having(name: str) -> pa.RecordBatch:
        return rows.filter(pc.is_valid(rows.column(name)))

    hits, rankings = having("document"), having("retrieved")
    of_hits = (numbers(hits.column(name)) for name in ("rank", "grade", "first", "last"))
    found, problems = (having(name).column(name).to_pylist() for name in ("findings", "problems"))
    return Gathered(
        Reduced(
            Hits(numbers(hits.column("query")), texts_of(hits.column("document")), *of_hits),
            numbers(rankings.column("query")),
            numbers(rankings.column("retrieved")),
            pc.sum(rows.column("own"), min_count=0).as_py(),
        ),
        tuple(map(_findings, found)),
        tuple(Problem(**problem) for text in problems for problem in json.loads(text)),
    )


def _packed(part: Reduced, found: Findings) -> pa.RecordBatch:
    """Return one row per hit, one per ranking, and one with the findings."""
    hits = part.hits
    of_hits = _rows(
        query=column(hits.query),
        document=hits.document,
        rank=column(hits.rank),
        grade=column(hits.grade),
        first=column(hits.first),
        last=column(hits.last),
    )
    of_rankings = _rows(query=column(part.query), retrieved=column(part.retrieved.astype(np.int64)))
    of_findings = _rows(
        own=pa.array([part.own], pa.int64()),
        findings=pa.array([json.dumps(asdict(found), default=sorted)]),
    )
    return pa.concat_batches([of_hits, of_rankings, of_findings])


def _rows(**columns: pa.Array) -> pa.RecordBatch:
    """Return rows of `SCHEMA` that have these columns, and nulls in the others."""
    size = len(next(iter(columns.values())))
    given = [columns.get(each.name, pa.nulls(size, each.type)) for each in _ARROW]
    return pa.RecordBatch.from_arrays(given, schema=_ARROW)


def _findings(text: str) -> Findings:
    """Return findings from their JSON."""
    found = json.loads(text)
    order = found.pop("order")
    order |= {name: tuple(order[name]) for name in ("begins", "shared", "cut")}
    found |= {name: frozenset(found[name]) for name in ("some", "every")}
    return Findings(**found | {"order": Order(**order), "tags": tuple(found["tags"])})


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
