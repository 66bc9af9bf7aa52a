"""Compare a run judged on Spark with one judged here: ``python -m tests.benchmarks.spark``.

Each row is a whole process, and the processes that it starts, from a Parquet file to nine measures.
Spark runs on two cores of this machine, with the driver, so its rows show what it costs, not how
fast a cluster is. ``--queries`` makes runs of other sizes, of 1,000 documents a query.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

SMALLEST = ("--queries", "3")

ROOT = Path(__file__).parents[2]
MEASURES = ["nDCG@10", "nDCG", "AP", "RR", "P@10", "R@100", "R@1000", "Success@10", "Bpref"]
DEPTH = 1000
GROUP = 500
"""Queries in a row group."""
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.log.level": "ERROR",
}


def write(folder: Path, queries: int, seed: int = 1) -> tuple[Path, Path]:
    """Write qrels and a run of so many queries, sorted by query, unless they exist."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    qrels, run = folder / f"{queries}.qrels", folder / f"{queries}.parquet"
    if run.exists():
        return qrels, run
    rng, unfinished = np.random.default_rng(seed), run.with_suffix(".part")
    schema = pa.schema([("query", "string"), ("document", "string"), ("score", "float64")])
    with qrels.open("w") as judged, pq.ParquetWriter(unfinished, schema) as rows:
        for first in range(0, queries, GROUP):
            names = [str(1_000_000 + query) for query in range(first, min(first + GROUP, queries))]
            # Odd steps through a power of two: no document appears twice in a query.
            start, step = rng.integers(1, 1 << 23, (2, len(names), 1))
            documents = (start + (2 * step + 1) * np.arange(DEPTH)) % (1 << 23)
            score = np.sort(rng.normal(0, 1, documents.shape))[:, ::-1].round(4)
            for name, ranked in zip(names, documents, strict=True):
                judged.write(f"{name} 0 {ranked[int(rng.beta(0.6, 2) * DEPTH)]} 1\n")
            texts = pa.array(documents.ravel()).cast(pa.string())
            query = pa.array(np.repeat(names, DEPTH))
            rows.write_table(pa.table([query, texts, score.ravel()], schema))
    unfinished.rename(run)
    return qrels, run


def judged_here(qrels, run: Path):
    """Return the rankings, judged in this process."""
    from metrics import match_file

    return match_file(qrels, run)


def judged_on_spark(qrels, run: Path):
    """Return the rankings, judged by two workers of Spark."""
    from pyspark.sql import SparkSession

    from metrics import match_spark

    builder = SparkSession.builder.master("local[2]").config(map=SETTINGS)
    return match_spark(qrels, builder.getOrCreate().read.parquet(str(run)))


CONTESTANTS = {"here": judged_here, "spark": judged_on_spark}


def score(name: str, qrels: Path, run: Path) -> None:
    """Print the mean of each measure, as a line of JSON with every digit."""
    from metrics import parse, read_qrels

    judged = CONTESTANTS[name](read_qrels(qrels), run)
    print(json.dumps({m: parse(m).ledger(judged).scores.mean().hex() for m in MEASURES}))


@dataclass
class Trial:
    """A process with those that it started.

    Attributes
    ----------
    cpu
        Seconds of CPU of each process, by its number.
    peak
        Peak memory of each in MB.
    first
        The number of the first process: the driver, where there is one.
    """

    first: int
    cpu: dict[int, float] = field(default_factory=dict)
    peak: dict[int, float] = field(default_factory=dict)
    means: dict[str, str] = field(default_factory=dict)

    def look(self) -> None:
        """Note what each process of the session has used so far."""
        for path in Path("/proc").glob("[0-9]*"):
            try:
                stat = (path / "stat").read_text().rpartition(")")[2].split()
                status = (path / "status").read_text()
            except OSError:
                continue  # it has ended
            if int(stat[3]) != self.first or "VmHWM" not in status:
                continue
            number = int(path.name)
            self.cpu[number] = sum(map(int, stat[11:13])) / os.sysconf("SC_CLK_TCK")
            self.peak[number] = int(status.partition("VmHWM:")[2].split()[0]) / 1000


def trial(name: str, qrels: Path, run: Path) -> Trial:
    """Run a contestant in a session of its own, and watch it."""
    command = [sys.executable, "-m", "tests.benchmarks.spark", "--one", name, qrels, run]
    env = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    env |= {"PYTHONPATH": str(ROOT)}
    with tempfile.TemporaryFile("w+") as printed, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(
            command, stdout=printed, stderr=errors, cwd=ROOT, env=env, start_new_session=True
        )
        seen = Trial(process.pid)
        while process.poll() is None:
            seen.look()
            time.sleep(0.05)
        printed.seek(0)
        errors.seek(0)
        if process.returncode:
            raise SystemExit(f"{name} failed:\n{errors.read()}")
        seen.means = json.loads(printed.read().splitlines()[-1])
    return seen


def main(argv: Sequence[str] | None = None) -> None:
    """Print a row for each size and contestant."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.spark", description=__doc__)
    parser.add_argument("--queries", nargs="+", type=int, default=[1000, 6980])
    parser.add_argument("--folder", type=Path, help="keep the generated files here")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    if args.one:
        name, *files = args.one
        score(name, *map(Path, files))
        return
    print("| rows | judged | CPU s | × | first process MB | others MB | bits differ |")
    print("|--:|:--|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as scratch:
        for queries in args.queries:
            files = write(args.folder or Path(scratch), queries)
            done = {name: trial(name, *files) for name in CONTESTANTS}
            here = done["here"]
            for name, each in done.items():
                cpu = sum(each.cpu.values())
                others = sum(peak for number, peak in each.peak.items() if number != each.first)
                wrong = sum(each.means[m] != here.means[m] for m in MEASURES)
                print(
                    f"| {queries * DEPTH:,} | {name} | {cpu:.1f} | "
                    f"{cpu / sum(here.cpu.values()):.1f} | {each.peak[each.first]:.0f} | "
                    f"{others:.0f} | {wrong} of {len(MEASURES)} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
