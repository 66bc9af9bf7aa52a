"""Write runs and qrels as TREC files."""

from __future__ import annotations

import io
import re
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrays import bincount, column, repeat, take
from ..errors import DataError
from ..words import quote
from .aspects import table_of

if TYPE_CHECKING:
    from .run_and_qrels import Pairs

_SEPARATORS = r'[\x00-\x20\x7f"]'
"""Characters that an id cannot contain in a line of TREC."""
_TAG = "rankscope"


def trec_file(pairs: Pairs) -> bytes:
    """Return a run or qrels in TREC's format, which reads back the same, with every digit.

    Rows keep their order. The tag of a run is its name, with ``-`` in place of spaces.

    Raises DataError when an id contains a space, a quotation mark or a control character.

    Examples
    --------
    >>> from metrics import Run
    >>> run = Run.from_dict({"q": {"x": 0.5, "y": 2.0}}, "my run")
    >>> print(trec_file(run).decode(), end="")
    q Q0 x 2 0.5 my-run
    q Q0 y 1 2 my-run
    """
    if (bad := _unfit(pairs)) is not None:
        raise DataError(
            f"The id {quote(bad)} contains a space, a quotation mark or a control character, "
            "which a TREC file cannot hold; use JSON or Parquet."
        )
    is_run = pairs.VALUE == "score"
    if pairs.aspects:
        return _by_aspect(pairs)
    query = take(pa.array(pairs.queries, pa.string()), pairs.query)
    rows = {"query": query, "fixed": pa.repeat("0", len(pairs)), "document": pairs.document}
    if is_run:
        order, rank = np.lexsort((-pairs.value, pairs.query)), np.empty(len(pairs), np.int64)
        sizes = bincount(pairs.query, minlength=len(pairs.queries))
        rank[order] = np.arange(len(pairs)) - repeat(np.cumsum(sizes) - sizes, sizes) + 1
        rows["fixed"], rows["rank"] = pa.repeat("Q0", len(pairs)), column(rank)
    rows["value"] = column(pairs.value)
    if is_run:
        rows["tag"] = pa.repeat(re.sub(f"(?:{_SEPARATORS})+", "-", pairs.name) or _TAG, len(pairs))
    # Imported here, because few runs are written.
    from pyarrow import csv

    stream = io.BytesIO()
    plain = csv.WriteOptions(include_header=False, delimiter=" ", quoting_style="none")
    csv.write_csv(pa.table(rows), stream, plain)
    return stream.getvalue()


def _by_aspect(qrels: Pairs) -> bytes:
    """Return a row for each document and aspect, as ndeval reads them."""
    table = table_of(qrels.to_dict(), qrels.aspects)
    names = [
        table.names[query][aspect] for query, aspect in zip(table.query, table.aspect, strict=True)
    ]
    # A query that is judged as a whole has an aspect without a name.
    grades = [np.format_float_positional(grade, trim="-") for grade in table.grade]
    columns = table.query.tolist(), names, table.document.to_pylist(), grades
    return "".join(
        f"{qrels.queries[query]} {name or 0} {document} {grade}\n"
        for query, name, document, grade in zip(*columns, strict=True)
    ).encode()


def fits_trec(pairs: Pairs) -> bool:
    """Return whether a TREC file can hold these ids."""
    return _unfit(pairs) is None


def _unfit(pairs: Pairs) -> str | None:
    """Return the first id that a TREC file cannot hold."""
    every = (each for of in pairs.aspects.values() for each in of.values())
    names = pa.array(list(dict.fromkeys(chain.from_iterable(every))), pa.string())
    for ids in (pa.array(pairs.queries, pa.string()), pairs.document, names):
        bad = ids.filter(pc.match_substring_regex(ids, _SEPARATORS))
        if len(bad):
            return str(bad[0])
    return None
