"""Runs as text and in Parquet, by CPU time and memory: ``python -m tests.benchmarks.scale``.

Larger sizes are the run M again and again, each time with other queries: ``M`` has 7 million rows,
``M*14`` has 98 million. Each route is a process of its own, in turn, round after round.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tests.benchmarks.generate import write

SMALLEST = ("tiny", "--rounds", "1")

ROOT = Path(__file__).parents[2]
MEASURES = ["nDCG@10", "AP", "RR", "R@1000"]
SHIFT = 10_000_000
"""What is added to the ids of the queries each time M is repeated."""


@dataclass(frozen=True)
class Trial:
    """One process: its CPU seconds, its peak memory in MB, and what it printed."""

    cpu: float
    memory: float
    printed: str


def routes(folder: Path, size: str) -> dict[str, tuple[Path, Path]]:
    """Write the qrels and the runs of a size unless they exist; return them by their route."""
    base, _, times = size.partition("*")
    judged, text = write(folder, base)
    sorted_run = folder / f"{base}.parquet"
    if not sorted_run.exists():
        _as_parquet(text, sorted_run)
    if times:
        files = _repeated(folder, base, int(times))
        return {"Parquet": files}
    unsorted = folder / f"{base}-unsorted.parquet"
    if not unsorted.exists():
        _shuffled(sorted_run, unsorted)
    return {
        "text": (judged, text),
        "Parquet": (judged, sorted_run),
        "Parquet, unsorted (DuckDB)": (judged, unsorted),
    }


def _as_parquet(text: Path, path: Path) -> None:
    """Write a TREC run in Parquet, with text as ids and the rank and tag that the text has."""
    import pyarrow as pa
    from pyarrow import csv, parquet

    names = ["query", "Q0", "document", "rank", "score", "tag"]
    types = {"query": pa.string(), "document": pa.string(), "score": pa.float64()}
    reader = csv.open_csv(
        text,
        csv.ReadOptions(column_names=names),
        csv.ParseOptions(delimiter=" "),
        csv.ConvertOptions(column_types=types),
    )
    with parquet.ParquetWriter(path, reader.schema) as file:
        for batch in reader:
            file.write_batch(batch)


def _repeated(folder: Path, base: str, times: int) -> tuple[Path, Path]:
    """Write the run so many times into one file, each time with other queries."""
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import parquet

    qrels, run = folder / f"{base}x{times}.qrels", folder / f"{base}x{times}.parquet"
    if run.exists():
        return qrels, run
    judged = [line.split() for line in (folder / f"{base}.qrels").read_text().splitlines()]
    source = parquet.ParquetFile(folder / f"{base}.parquet")
    with parquet.ParquetWriter(run, source.schema_arrow) as file, qrels.open("w") as lines:
        for number in range(times):
            lines.writelines(f"{int(q) + number * SHIFT} 0 {d} {g}\n" for q, _, d, g in judged)
            for batch in source.iter_batches(1 << 20):
                query = pc.add(batch.column("query").cast(pa.int64()), number * SHIFT)
                file.write_batch(batch.set_column(0, "query", query.cast(pa.string())))
    return qrels, run


def _shuffled(path: Path, other: Path) -> None:
    """Write the rows in another order, in which those of a query are apart."""
    import numpy as np
    from pyarrow import parquet

    table = parquet.read_table(path)
    order = np.random.default_rng(0).permutation(len(table))
    parquet.write_table(table.take(order), other)


def trial(qrels: str, run: str) -> Trial:
    """Score a run in a process of its own."""
    arguments = ["score", "--quiet", "--format", "csv", qrels, run, "-m", *MEASURES]
    command = [sys.executable, "-m", "metrics", *arguments]
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(command, stdout=output, cwd=ROOT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        printed = output.read().partition("\n")[2].partition(",")[2]
    if process.returncode:
        raise SystemExit(f"{run} failed")
    unit = 1 if sys.platform == "darwin" else 1024
    return Trial(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit / 1e6, printed)


def table(done: dict[tuple[str, str], list[Trial]], rows: dict[str, int]) -> Iterator[str]:
    """Yield the medians, and the ratios to the first route, by size and route."""
    yield "| size | route | CPU s | × | CPU s per million rows | peak MB |"
    yield "|:--|:--|--:|--:|--:|--:|"
    first = median(trial.cpu for trial in next(iter(done.values())))
    for (size, route), trials in done.items():
        cpu, peak = (median(getattr(t, name) for t in trials) for name in ("cpu", "memory"))
        each = cpu / rows[size] * 1e6
        yield f"| {size} | {route} | {cpu:.2f} | {cpu / first:.2f} | {each:.2f} | {peak:.0f} |"


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.scale", description=__doc__)
    parser.add_argument("sizes", nargs="*", default=["M"], help="such as M, M*2 and M*14")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path, help="keep the generated files here")
    parser.add_argument("--write", action="store_true", help="only write the files of a size")
    args = parser.parse_args(argv)
    if args.write:
        from pyarrow import parquet

        files = routes(args.folder, args.sizes[0])
        rows = parquet.ParquetFile(files["Parquet"][1]).metadata.num_rows
        print(json.dumps([files, rows], default=str))
        return
    done: dict[tuple[str, str], list[Trial]] = {}
    rows_of: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.folder or Path(temporary)
        for size in args.sizes:
            files, rows_of[size] = _written(folder, size)
            for _ in range(args.rounds):
                for route, paths in files.items():
                    done.setdefault((size, route), []).append(trial(*paths))
            same = {trials[0].printed for (of, _), trials in done.items() if of == size}
            assert len(same) == 1, f"the routes of {size} disagree: {same}"
    print(*table(done, rows_of), sep="\n")


def _written(folder: Path, size: str) -> tuple[dict[str, list[str]], int]:
    """Return the files of each route, and the number of rows.

    A process of its own writes them: the peak memory of a child starts from its parent's.
    """
    command = [sys.executable, "-m", "tests.benchmarks.scale", size, "--write", "--folder", folder]
    printed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    files, rows = json.loads(printed)
    return files, rows


if __name__ == "__main__":
    main()
