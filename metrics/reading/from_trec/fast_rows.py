"""Plain TREC rows, read as columns: all rows or none, and never with another result.

Rows are plain when it is proved, without a loop over the lines, that the careful reader would
accept them unchanged and return the same result.
"""

from dataclasses import dataclass, field, replace
from typing import Generic

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from ...arrays import Floats, Ints, numbers, repeat, take
from ...data import Pairs, PairsT, Qrels, Run
from ...data.duplicates import first_repeat
from ...limits import current
from ..decode import STARTS, lines
from ..from_tables.delimited import head_of
from ..homoglyphs import may_look_alike
from ..rank_column import Order, order_of
from ..row_notes import EXACT, USUAL_GRADE, is_level
from ..rows import is_constant, is_tiny
from ..unpack import packed_as
from .blocks import NotPlainError
from .plain_bytes import lines_end_within, require, tidied

_FIELDS: dict[type[Pairs], list[str]] = {
    Run: ["query", "Q0", "document", "rank", "value", "tag"],
    Qrels: ["query", "0", "document", "value"],
}
_TYPES = {
    "query": pa.string(),
    "document": pa.string(),
    "rank": pa.float64(),
    "value": pa.float64(),
}
_PARSE = csv.ParseOptions(delimiter=" ", quote_char=False, double_quote=False, escape_char=False)


@dataclass(frozen=True, eq=False)
class PlainRows(Generic[PairsT]):
    """Rows of a file with one run tag, and the findings on their rank column."""

    pairs: PairsT
    order: Order = field(default_factory=Order)


def looks_plain(data: bytes) -> bool:
    """Return whether a file that begins with these bytes would be read as TREC."""
    start = data.lstrip(b" \t\r\n")
    if start[:1] in (b"", b"{", b"[", b"<") or data.startswith(tuple(STARTS)) or packed_as(data):
        return False
    top = len(data) - len(start)
    line = data[max(data.rfind(b"\n", 0, top), data.rfind(b"\r", 0, top)) + 1 :].partition(b"\n")
    try:
        first = lines(line[0].decode())[0]
        return not head_of(first) and not first.startswith("sep=")
    except UnicodeDecodeError:
        return False


def read_plain(kind: type[PairsT], data: bytes) -> PlainRows[PairsT] | None:
    """Return the rows of whole lines; None when all of them are blank.

    Raises
    ------
    NotPlainError
        When any row is not proved to be plain.
    """
    data, is_ascii = tidied(data)
    if not data:
        return None
    require(lines_end_within(current().line, data))
    types = {field: _TYPES[field] for field in _FIELDS[kind] if field in _TYPES}
    if kind is Qrels:
        types["0"] = pa.string()
    tag = data[data.rfind(b" ") + 1 :].removesuffix(b"\n")
    # Each row's tag is kept until it is compared.
    require(len(tag) <= current().id)
    if kind is Run:
        types["tag"] = pa.binary(len(tag))
    columns = _columns(kind, data, types)
    queries, query = _coded(columns["query"])
    document = columns["document"]
    # Where every document is Q0, or a rank in qrels, the ids may be in the second column.
    first = document[0].as_py()
    require(not is_constant(first) and (kind is Run or first != "1"))
    if len(queries) == 1 and is_constant(queries[0]):
        # The second column may also contain the queries.
        name = _FIELDS[kind][1]
        second = _columns(kind, data, {name: pa.string()})[name]
        require(all(map(is_constant, pc.unique(second).to_pylist())))
    if kind is Qrels:
        # Numbers in the second column may be aspects.
        require(len(pc.unique(columns["0"])) == 1)
    value = numbers(columns["value"])
    _require_sound(value)
    # A number can underflow to 0 only with an exponent or 300 zeros.
    if (value == 0).any() and (b"e-" in data or b"E-" in data or b"0" * 300 in data):
        written = _columns(kind, data, {"value": pa.string()})["value"]
        zeros = pc.unique(take(written, np.flatnonzero(value == 0)))
        require(not any(map(is_tiny, zeros.to_pylist())))
    if kind is Qrels:
        require(bool(((value >= 0) & (value <= USUAL_GRADE) & (value == np.floor(value))).all()))
    ids = max(map(len, queries)), pc.max(pc.binary_length(document)).as_py()
    require(max(ids) <= current().id)
    require(first_repeat(query, document) is None)
    pairs = kind(queries, query, document, value)
    if not is_ascii:
        require(not may_look_alike(pairs))
    if not isinstance(pairs, Run):
        return PlainRows(pairs)
    require(not is_level(pairs))
    rank = numbers(columns["rank"])
    _require_sound(rank)
    require(_all_equal(columns["tag"]))
    tagged = replace(pairs, tag=tag.decode())
    return PlainRows(tagged, order_of(queries, query, document, value, rank))


def _all_equal(texts: pa.FixedSizeBinaryArray) -> bool:
    """Return whether all texts, of one width, are the same."""
    codes = np.frombuffer(texts.buffers()[1], np.uint8, len(texts) * texts.type.byte_width)
    return bool((codes[texts.type.byte_width :] == codes[: -texts.type.byte_width]).all())


def _coded(query: pa.StringArray) -> tuple[tuple[str, ...], Ints]:
    """Return the distinct ids and the index of each row's; rows of a query are mostly adjacent."""
    runs = pc.run_end_encode(query, run_end_type=pa.int32())
    codes = runs.values.dictionary_encode()
    index = repeat(numbers(codes.indices), np.diff(numbers(runs.run_ends), prepend=0))
    return tuple(codes.dictionary.to_pylist()), index.astype(np.int64)


def _columns(kind: type[Pairs], data: bytes, types: dict[str, pa.DataType]) -> dict[str, pa.Array]:
    try:
        table = csv.read_csv(
            pa.BufferReader(data),
            csv.ReadOptions(
                use_threads=False, block_size=len(data) + 1, column_names=_FIELDS[kind]
            ),
            _PARSE,
            csv.ConvertOptions(
                column_types=types, include_columns=list(types), null_values=[], check_utf8=False
            ),
            # Arrow's own pool would keep each thread's peak memory.
            pa.system_memory_pool(),
        )
    except (pa.ArrowInvalid, OverflowError) as error:
        raise NotPlainError from error
    table = table.combine_chunks()
    return {name: table[name].chunk(0) for name in types}


def _require_sound(numbers: Floats) -> None:
    # Arrow reads "nan" and "inf", and overflows to infinity; the careful reader reports the line,
    # and also where whole numbers are too long to be distinguished.
    require(bool((np.abs(numbers) < EXACT).all()))
