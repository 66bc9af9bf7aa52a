"""A run in Parquet, ordered by query by DuckDB, which spills to disk what memory does not hold."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pyarrow as pa

from .arrow_types import ROWS
from .fast_parquet import ParquetRun

MEMORY = "1GB"
"""What DuckDB may take before it spills."""


def can_order(run: ParquetRun) -> bool:
    """Return whether DuckDB is installed, and the run is in files that it can read."""
    on_disk = all(isinstance(source, str | Path) for source in run.sources)
    return on_disk and find_spec("duckdb") is not None


def ordered(run: ParquetRun) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a run by query; those of one query stay in the order of the files."""
    # Imported here, because it is an extra.
    import duckdb

    # The names in quotes, as SQL has them.
    names = {part: '"' + name.replace('"', '""') + '"' for part, name in run.columns.names.items()}
    paths = [str(source) for source in run.sources]
    with (
        tempfile.TemporaryDirectory(prefix="rankscope-") as spilled,
        duckdb.connect(config={"memory_limit": MEMORY, "temp_directory": spilled}) as connection,
    ):
        rows = connection.sql(
            f"select {', '.join(names.values())} "
            "from read_parquet(?, filename = true, file_row_number = true) "
            f"order by {names['query']}, filename, file_row_number",
            params=[paths],
        )
        reader: pa.RecordBatchReader = rows.to_arrow_reader(ROWS)
        yield from reader
