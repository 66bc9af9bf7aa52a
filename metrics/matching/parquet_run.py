"""A run in Parquet, in one file or a folder of files, reduced to its hits while it is read."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pyarrow as pa

from ..reading import file_names
from ..reading.from_tables.arrow_stream import ScatteredQueryError
from ..reading.from_tables.parquet import ParquetRun, can_order, files_of, ordered
from ..reading.problems import File, ReadError
from ..reading.sources import PARQUET, is_folder
from .batches import judged_parts
from .judged import JudgedRankings, Matcher


def judge_parquet(
    matcher: Matcher, source: str | Path | bytes, name: str, progress: Callable[[float], None]
) -> JudgedRankings | None:
    """Return the judged rankings of a run in Parquet; None when it is to be read as a whole.

    Raises ReadError when the rows are wrong and too many for the careful reader; when they are not
    in the order of the queries, too many for the memory, and DuckDB is not installed.
    """
    run = _run(source, name)
    try:
        return _in_parts(matcher, run, run.batches(), name, progress)
    except ScatteredQueryError:
        if can_order(run):
            return _in_parts(matcher, run, ordered(run), name, progress)
        if run.rows > run.file.limits.rows:
            raise
    except ReadError:
        if not run.may_be_careful:
            raise
    return None


def is_large(source: str | Path | bytes, name: str) -> bool:
    """Return whether a run in Parquet has more rows than are read into memory.

    Raises ReadError when a file is damaged, or the folder has none.
    """
    run = _run(source, name)
    return run.rows > run.file.limits.rows


def _run(source: str | Path | bytes, name: str) -> ParquetRun:
    file = File(file_names.shown(name))
    if isinstance(source, bytes):
        return ParquetRun([BytesIO(source)], file)
    return ParquetRun(files_of(Path(source), file) if is_folder(source) else [source], file)


def _in_parts(
    matcher: Matcher,
    run: ParquetRun,
    batches: Iterable[pa.RecordBatch],
    name: str,
    progress: Callable[[float], None],
) -> JudgedRankings | None:
    """Return the judged rankings; None where the careful reader would say more about single rows.

    Raises ReadError as `judge_parquet` does.
    """

    def told() -> Iterator[pa.RecordBatch]:
        done = 0
        for batch in batches:
            yield batch
            done += len(batch)
            if done < run.rows:
                progress(done / run.rows)

    file_names.require_claimed(name, "Parquet", run.file)
    judged, found = judged_parts(matcher, run.columns, told())
    if run.may_be_careful and not found.is_plain:
        return None
    return replace(judged, notes=(*file_names.packing(name, PARQUET), *judged.notes))
