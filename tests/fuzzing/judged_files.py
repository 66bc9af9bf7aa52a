"""Files of judged rankings as JSON texts, so that their rows can be changed and written again."""

from __future__ import annotations

import json
import random
import tempfile
import zlib
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from metrics import (
    Convention,
    MeasureError,
    Qrels,
    RankscopeError,
    Run,
    match,
    read_judged,
    save,
)
from metrics.matching import judgments
from metrics.matching.judged import JudgedRankings
from metrics.matching.judged_file import JudgedFile
from metrics.matching.judged_parquet import packed as written
from metrics.matching.judged_table import SCHEMA
from metrics.scoring.evaluate import score

MEASURES = ("AP", "nDCG@3", "RBP", "Bpref", "ERR@2", "P@2", "Judged@5", "SetF")


def _saved(judged: JudgedRankings, **about: Any) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.judged.parquet")
        save(judged, path, **about)
        return path.read_bytes()


def seeds() -> list[bytes]:
    """Files as they are written, and their descriptions and rows as JSON."""
    qrels = Qrels.from_dict({"q1": {"d1": 2, "é": 0, "d3": -1}, "q2": {"d1": 1}, "q3": {}}, "q")
    run = Run.from_dict({"q1": {"d1": 2, "x": 2, "d3": 1}, "q9": {"d1": 1}}, "bm25")
    conventions = (
        Convention(),
        Convention(ties="mean", queries="qrels", level=2.0),
        Convention(unjudged="removed", gain="{1:0.5}"),
    )
    every = [match(qrels, run, each, every=each.ties == "mean") for each in conventions]
    files = [_saved(judged, tags=["night"], commit="1a2b") for judged in every]
    return [*files, *map(_as_json, files)]


def _as_json(content: bytes) -> bytes:
    file = pq.ParquetFile(pa.BufferReader(content))
    about = json.loads(file.metadata.metadata[b"rankscope.judged"])
    return json.dumps([about, file.read().to_pydict()]).encode()


def packed(data: bytes) -> bytes:
    """The file that such a text describes, however changed; its digest agrees."""
    if data.startswith(b"PAR1"):
        return data
    chance = random.Random(zlib.crc32(data))
    about, columns = data, {}
    with suppress(ValueError, RecursionError):
        found = json.loads(data)
        if isinstance(found, list) and len(found) > 1 and isinstance(found[1], dict):
            about, columns = json.dumps(found[0]).encode(), found[1]
    if isinstance(about, bytes) and chance.random() < 0.5:
        with suppress(ValueError, RecursionError, TypeError):
            about = json.dumps(_agreeing(json.loads(about), columns)).encode()
    return written(_table(columns), about)


def _table(columns: dict[str, Any]) -> pa.Table:
    """The rows of these columns; none if they do not form a table."""
    try:
        arrays = [pa.array(columns.get(field.name, []), field.type) for field in SCHEMA]
        return pa.Table.from_arrays(arrays, schema=SCHEMA)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return SCHEMA.empty_table()


def _agreeing(about: Any, columns: dict[str, Any]) -> Any:
    """The description with the digest of the judgments in the rows, if these are judgments."""
    with suppress(RankscopeError, TypeError, ValueError, KeyError, OverflowError):
        kinds, *cells = (columns[name] for name in ("kind", "query", "document", "grade"))
        rows = [row for kind, *row in zip(kinds, *cells, strict=True) if kind == "judgment"]
        about["qrels"]["digest"] = judgments.digest(Qrels.from_columns(*zip(*rows, strict=True)))
    return about


def kept(file: JudgedFile) -> None:
    """Check that judged rankings can be scored, and saved and read again unchanged."""
    judged = file.judged
    again = read_judged(_saved(judged, tags=file.tags, commit=file.commit, time=file.time))
    about = [replace(each, judged=judged, rankscope="") for each in (file, again)]
    assert vars(about[0]) == vars(about[1])
    assert again.judged.queries == judged.queries
    queries = "both" if judged.convention.queries == "qrels" else "qrels"
    other = judged.judged_under(replace(judged.convention, queries=queries))
    for each in (
        judged,
        again.judged,
        other,
        judged.condensed(),
        *map(judged.only, judged.queries),
    ):
        for measure in MEASURES:
            with suppress(MeasureError):
                scores = score(each, [measure]).ledgers[measure].scores
                assert not np.isinf(scores).any()
    "\n".join([file.name, *file.tags, *map(str, judged.notes)]).encode()
