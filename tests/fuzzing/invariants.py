"""Checks of a reader's result for any bytes.

A reader may refuse the bytes with one of our errors. If it accepts them, the result must be sound,
and must agree with a few independent lines of Python that read the same bytes.
"""

from __future__ import annotations

import csv
import io
import json
import re
from contextlib import suppress
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from metrics import Run
from metrics.data import Pairs
from metrics.errors import RankscopeError
from metrics.reading import read_all
from metrics.reading.from_tables.delimited import head_of
from metrics.reading.problems import ASPECTS, PAIRS
from metrics.reading.unpack import packed_as
from metrics.writing.reproduce import as_input, input_name


def sound(pairs: Pairs) -> None:
    """Check that a run or qrels is sound, and reads back the same from every written form."""
    values = pairs.to_dict()
    assert len(pairs) == sum(map(len, values.values())) > 0
    assert all(pairs.queries)
    assert all(documents and all(documents) for documents in values.values())
    assert pairs.document.null_count == 0
    assert np.isfinite(pairs.value).all()
    assert pairs.VALUE == "score" or (np.abs(pairs.value) <= 1000).all()
    "\n".join([pairs.name, *map(str, pairs.notes)]).encode()
    assert all(note.text and re.fullmatch("N-[A-Z0-9-]+", note.code) for note in pairs.notes)
    (again,) = read_all(type(pairs), as_input(pairs), input_name("again", pairs))
    if pairs.aspects:
        # Parquet has a row for each aspect, in the order of their names.
        assert again.to_dict() == values
        assert again.aspects == pairs.aspects
    else:
        assert json.dumps(again.to_dict()) == json.dumps(values)


def refusal(error: RankscopeError) -> None:
    """Check that a refusal is a message that can be shown, with a code and a fix."""
    str(error).encode()
    for problem in getattr(error, "problems", ()):
        assert problem.code.startswith("E-")
        assert problem.found
        assert problem.expected
        assert problem.fix


def as_written(pairs: Pairs, data: bytes) -> None:
    """Check that the rows are those of the bytes, and that every lost row is reported."""
    if packed_as(data) or data[:2] in (b"PK", b"\xff\xfe", b"\xfe\xff", b"\0\0"):
        return
    # Rows of several aspects are one of the document; those of several runs are in another.
    codes = {note.code for note in pairs.notes}
    # A cell may have several documents, as a list.
    left_out = bool(codes & {ASPECTS, "N-RUNS", "N-LISTED"})
    left_out |= any("left out" in note.text for note in pairs.notes)
    if data[:4] == b"PAR1":
        rows = pq.ParquetFile(pa.BufferReader(data)).metadata.num_rows
        assert len(pairs) == rows or left_out
        return
    text = re.sub("\x1a[\x1a\r\n]*\\Z", "", data.decode("utf-8-sig"))
    # An id may begin with a bracket too.
    if text.lstrip(" \t\r\n")[:1] in ("{", "[") and (
        _is_whole(text) or all(map(_is_whole, filter(str.strip, re.split("[\r\n]+", text))))
    ):
        _as_json(pairs, text)
    elif head := head_of(text):
        rows = list(
            csv.reader(
                io.StringIO(text, newline=""), delimiter=head.delimiter, skipinitialspace=True
            )
        )
        # Rows of other white space count as blank too, but that must be reported.
        filled = [row for row in rows if any(map(str.strip, row))]
        assert left_out or not any(cell.strip(" \t") for r in rows if r not in filled for cell in r)
        # Of a list in a cell, a run says only that it has no scores.
        left_out |= "N-NO-SCORES" in codes and len(pairs) > len(filled) - 1
        assert len(pairs) == len(filled) - 1 - head.says_delimiter or left_out
        if (
            not codes & {"N-DUPLICATE", ASPECTS, "N-RUNS", "N-LISTED"}
            and len(pairs) == len(filled) - 1
        ):
            for pair, row in zip(_rows(pairs), filled[1 + head.says_delimiter :], strict=True):
                _as_cells(pairs, pair, {cell.strip(" \t") for cell in row})
    else:
        fields = [
            re.split("[ \t]+", line.rstrip().lstrip(" \t")) for line in re.split("\r\n|\r|\n", text)
        ]
        rows = [row for row in fields if row != [""] and row != ["\x1a"]]
        assert len(pairs) == len(rows) or left_out
        at = 4 if isinstance(pairs, Run) else 3
        # Without names, but with a delimiter, a row has other cells than words.
        by_words = not left_out and "N-NO-NAMES" not in codes
        if by_words and all(len(row) == (6 if at == 4 else 4) for row in rows):
            found = _rows(pairs)
            assert [pair[:2] for pair in found] == [(row[0], row[2]) for row in rows]
            # Of labels, the tests of labels know the grades.
            if "N-LABELS" not in codes:
                assert [pair[2] for pair in found] == [float(row[at]) for row in rows]


def _rows(pairs: Pairs) -> list[tuple[str, str, float]]:
    queries = [pairs.queries[code] for code in pairs.query]
    return list(zip(queries, pairs.document.to_pylist(), pairs.value.tolist(), strict=True))


def _as_cells(pairs: Pairs, pair: tuple[str, str, float], cells: set[str]) -> None:
    """Check that a row has the cells it was read from, except a score that was made of a rank."""
    query, document, value = pair
    assert {query, document} <= cells | {"q1"}
    made = any(note.code in ("N-LABELS", PAIRS) for note in pairs.notes)
    made |= isinstance(pairs, Run) and (
        query == "q1" or any("No scores" in note.text for note in pairs.notes)
    )
    assert made or str(value) in set(map(_number, cells))


def _number(cell: str) -> str:
    """Return the number of a cell as Python writes it."""
    with suppress(ValueError):
        return str(float({"true": "1", "false": "0"}.get(cell.lower(), cell)))
    return ""


def _as_json(pairs: Pairs, text: str) -> None:
    texts: set[str] = {"q1", "true", "false"} | {f"q{number}" for number in range(2, 200)}

    def keep(members: list[tuple[str, Any]]) -> dict[str, Any]:
        texts.update(key for key, _ in members)
        return dict(members)

    def gather(value: Any) -> None:
        for each in value.values() if isinstance(value, dict) else value:
            if isinstance(each, str):
                texts.add(each)
            elif isinstance(each, dict | list):
                gather(each)

    values = []
    kept: Any = dict.fromkeys(("parse_int", "parse_float", "parse_constant"), str)
    for each in [text] if _is_whole(text) else re.split("[\r\n]+", text):
        if each.strip():
            values.append(json.loads(each, object_pairs_hook=keep, **kept))
    gather(values)
    # A long text stands for its id as its beginning and a digest.
    begun = {each[:80].strip() for each in texts}
    for each in {*pairs.queries, *pairs.document.to_pylist()} - texts:
        assert each.rpartition("… ")[0] in begun
    (value, *more) = values
    if (
        not more
        and not any(note.code == "N-LABELS" for note in pairs.notes)
        and isinstance(value, dict)
        and all(
            isinstance(of, dict) and all(isinstance(n, str) for n in of.values())
            for of in value.values()
        )
    ):
        said = {q: {d: float(n) for d, n in of.items()} for q, of in value.items() if of}
        assert pairs.to_dict() == said


def _is_whole(text: str) -> bool:
    with suppress(ValueError, RecursionError):
        json.loads(text, parse_int=str)
        return True
    return False
