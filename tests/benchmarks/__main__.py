"""Compare whole processes by time and memory: ``python -m tests.benchmarks``."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

# A child's peak memory starts from its parent's, so this process does not import numpy.
from tests.benchmarks.score import CONTESTANTS, trec_name

ROOT = Path(__file__).parents[2]
MEASURES = ["nDCG@10", "nDCG", "AP", "RR", "P@10", "R@100", "R@1000", "Success@10", "Bpref"]
OWN = ("rankscope", "rankscope in memory")
LINES = (OWN[0], "trec_eval")
"""Contestants that print trec_eval's lines, with four decimals."""


@dataclass(frozen=True)
class Trial:
    """One process: its seconds, its peak memory in MB, its means, and its notes."""

    seconds: float
    memory: float
    means: dict[str, float]
    notes: str


def trials(
    folder: Path, size: str, contestants: dict[str, list[str]], measures: list[str], rounds: int
) -> dict[str, list[Trial]]:
    """Run each contestant once a round, in turn, so that a busy moment affects all of them."""
    subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.generate", str(folder), size], cwd=ROOT, check=True
    )
    files = [str(folder / f"{size}.qrels"), str(folder / f"{size}.run")]
    done: dict[str, list[Trial]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, command in contestants.items():
            done[name].append(_trial(name, command, files, measures, folder / "values"))
    return done


def _trial(
    name: str, command: list[str], files: list[str], measures: list[str], output: Path
) -> Trial:
    arguments = [*files, str(output), *measures]
    if name == OWN[0]:
        arguments = ["score", *files, "-q", "--format", "trec", "-m", *measures]
    elif name == "trec_eval":
        arguments = ["-q", *_options(measures), *files]
    printed, errors = output.with_suffix(".out"), output.with_suffix(".err")
    # The peers were compiled to bytecode when they were installed, so the checkout may be too.
    env = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    with printed.open("w") as out, errors.open("w") as err:
        start = perf_counter()
        command = [*command, *arguments]
        process = subprocess.Popen(command, stdout=out, stderr=err, cwd=ROOT, env=env)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{name} failed:\n{errors.read_text()}")
    unit = 1 if sys.platform == "darwin" else 1024
    means = _means(name, printed, measures)
    return Trial(seconds, usage.ru_maxrss * unit / 1e6, means, errors.read_text().strip())


def _options(measures: list[str]) -> Iterator[str]:
    """Yield ``-m recall.100,1000``: of two options for a measure trec_eval uses only the last."""
    cutoffs: dict[str, list[str]] = {}
    for measure in measures:
        symbol, _, cutoff = trec_name(measure, ".").partition(".")
        cutoffs.setdefault(symbol, []).extend([cutoff] if cutoff else [])
    for symbol, of_symbol in cutoffs.items():
        yield from ("-m", f"{symbol}.{','.join(of_symbol)}".rstrip("."))


def _means(name: str, printed: Path, measures: list[str]) -> dict[str, float]:
    if name not in LINES:
        means: dict[str, float] = json.loads(printed.read_text().splitlines()[-1])
        return means
    with printed.open() as file:
        rows = {line.split()[0]: line.split()[2] for line in file if "\tall\t" in line}
    return {measure: float(rows[trec_name(measure, "_")]) for measure in measures}


def available(peers: str) -> dict[str, list[str]]:
    """Return the command of each contestant that can run here."""
    score = ["-m", "tests.benchmarks.score"]
    commands = {OWN[0]: [sys.executable, "-m", "metrics"]}
    for name in CONTESTANTS:
        if name in OWN:
            commands[name] = [sys.executable, *score, name]
        elif not subprocess.run([peers, "-c", f"import {name}"], capture_output=True).returncode:
            commands[name] = [peers, *score, name]
    if path := shutil.which("trec_eval"):
        commands["trec_eval"] = [path]
    return commands


def table(done: dict[str, list[Trial]]) -> Iterator[str]:
    """Yield the medians, and the ratios of each contestant's time and memory to Rankscope's."""
    yield "| contestant | seconds | × | peak MB | × | differs by |"
    yield "|:--|--:|--:|--:|--:|--:|"
    ours = done[OWN[0]]
    exact = next((done[name][0].means for name in done if name not in LINES), ours[0].means)
    seconds, memory = median(t.seconds for t in ours), median(t.memory for t in ours)
    for name, of_name in done.items():
        time, peak = median(t.seconds for t in of_name), median(t.memory for t in of_name)
        differs = max(abs(value - exact[m]) for m, value in of_name[0].means.items())
        yield (
            f"| {name} | {time:.2f} | {time / seconds:.1f} | {peak:.0f} | {peak / memory:.1f} "
            f"| {differs:.0e} |"
        )
    for name, of_name in done.items():
        if of_name[0].notes and name in OWN:
            yield f"\n{name}: {of_name[0].notes}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("sizes", nargs="*", default=["S", "M", "L", "1e5", "1e6", "1e7"])
    parser.add_argument("--rounds", type=int, default=3, help="runs of each contestant")
    parser.add_argument("--folder", type=Path, help="keep the generated files here")
    parser.add_argument("--only", nargs="+", help="run only these contestants")
    parser.add_argument("--peers", default=sys.executable, help="a Python with the other tools")
    args = parser.parse_args()
    contestants = available(args.peers)
    print("Measures:", *MEASURES)
    with tempfile.TemporaryDirectory() as temporary:
        for size in args.sizes:
            wanted = args.only or (OWN if size.startswith("1e") else contestants)
            chosen = {name: command for name, command in contestants.items() if name in wanted}
            done = trials(args.folder or Path(temporary), size, chosen, MEASURES, args.rounds)
            print(f"\n## {size}\n", *table(done), sep="\n", flush=True)


if __name__ == "__main__":
    main()
