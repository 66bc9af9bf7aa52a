"""Compare whole processes by CPU time, time and memory: ``python -m tests.benchmarks``."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

# A child's peak memory starts from its parent's, so this process does not import numpy.
from tests.benchmarks.score import CONTESTANTS, trec_name

ROOT = Path(__file__).parents[2]
SMALLEST = ("tiny", "--rounds", "1", "--checkout", str(ROOT))

MEASURES = ["nDCG@10", "nDCG", "AP", "RR", "P@10", "R@100", "R@1000", "Success@10", "Bpref"]
OWN = ("rankscope", "rankscope in memory")


@dataclass(frozen=True)
class Contestant:
    """A command, the arguments that it takes, and the folder in which it runs.

    Attributes
    ----------
    takes
        ``"rankscope"`` and ``"trec_eval"`` print trec_eval's lines, with four decimals;
        ``"script"`` prints the means as JSON.
    """

    command: list[str]
    takes: str = "script"
    folder: Path = ROOT


@dataclass(frozen=True)
class Trial:
    """One process: its CPU seconds, its seconds, its peak memory in MB, its means and its notes."""

    cpu: float
    seconds: float
    memory: float
    means: dict[str, float]
    notes: str


def trials(
    folder: Path,
    size: str,
    contestants: dict[str, Contestant],
    measures: list[str],
    rounds: int,
) -> dict[str, list[Trial]]:
    """Run each contestant once a round, in turn, so that a busy moment affects all of them."""
    subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.generate", str(folder), size], cwd=ROOT, check=True
    )
    files = [str(folder / f"{size}.qrels"), str(folder / f"{size}.run")]
    done: dict[str, list[Trial]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, contestant in contestants.items():
            done[name].append(_trial(name, contestant, files, measures, folder / "values"))
    return done


def _trial(
    name: str, contestant: Contestant, files: list[str], measures: list[str], output: Path
) -> Trial:
    arguments = [*files, str(output), *measures]
    if contestant.takes == "rankscope":
        arguments = ["score", *files, "-q", "--format", "trec", "-m", *measures]
    elif contestant.takes == "trec_eval":
        arguments = ["-q", *_options(measures), *files]
    printed, errors = output.with_suffix(".out"), output.with_suffix(".err")
    # The peers were compiled to bytecode when they were installed, so the checkout may be too.
    env = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    with printed.open("w") as out, errors.open("w") as err:
        start = perf_counter()
        command = [*contestant.command, *arguments]
        process = subprocess.Popen(command, stdout=out, stderr=err, cwd=contestant.folder, env=env)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{name} failed:\n{errors.read_text()}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Trial(
        usage.ru_utime + usage.ru_stime,
        seconds,
        usage.ru_maxrss * unit / 1e6,
        _means(contestant, printed, measures),
        errors.read_text().strip(),
    )


def _options(measures: list[str]) -> Iterator[str]:
    """Yield ``-m recall.100,1000``: of two options for a measure trec_eval uses only the last."""
    cutoffs: dict[str, list[str]] = {}
    for measure in measures:
        symbol, _, cutoff = trec_name(measure, ".").partition(".")
        cutoffs.setdefault(symbol, []).extend([cutoff] if cutoff else [])
    for symbol, of_symbol in cutoffs.items():
        yield from ("-m", f"{symbol}.{','.join(of_symbol)}".rstrip("."))


def _means(contestant: Contestant, printed: Path, measures: list[str]) -> dict[str, float]:
    if contestant.takes == "script":
        means: dict[str, float] = json.loads(printed.read_text().splitlines()[-1])
        return means
    with printed.open() as file:
        rows = {line.split()[0]: line.split()[2] for line in file if "\tall\t" in line}
    return {measure: float(rows[trec_name(measure, "_")]) for measure in measures}


def available(peers: str, checkouts: Iterable[Path] = ()) -> dict[str, Contestant]:
    """Return each contestant that can run here, and Rankscope in other checkouts."""
    score = ["-m", "tests.benchmarks.score"]
    rankscope = [sys.executable, "-m", "metrics"]
    found = {OWN[0]: Contestant(rankscope, "rankscope")}
    for folder in checkouts:
        found[f"rankscope in {folder}"] = Contestant(rankscope, "rankscope", folder)
    for name in CONTESTANTS:
        if name in OWN:
            found[name] = Contestant([sys.executable, *score, name])
        elif not subprocess.run([peers, "-c", f"import {name}"], capture_output=True).returncode:
            found[name] = Contestant([peers, *score, name])
    if path := shutil.which("trec_eval"):
        found["trec_eval"] = Contestant([path], "trec_eval")
    return found


def table(done: dict[str, list[Trial]]) -> Iterator[str]:
    """Yield the medians, and the ratios of each contestant's to Rankscope's."""
    yield "| contestant | CPU s | × | seconds | × | peak MB | × | differs by |"
    yield "|:--|--:|--:|--:|--:|--:|--:|--:|"
    exact = done.get(OWN[1], done[OWN[0]])[0].means
    ours = _medians(done[OWN[0]])
    for name, of_name in done.items():
        cells = [
            f"{value:.{digits}f} | {value / own:.2f}"
            for value, own, digits in zip(_medians(of_name), ours, (2, 2, 0), strict=True)
        ]
        differs = max(abs(value - exact[m]) for m, value in of_name[0].means.items())
        yield f"| {name} | {' | '.join(cells)} | {differs:.0e} |"
    for name, of_name in done.items():
        if of_name[0].notes and name in OWN:
            yield f"\n{name}: {of_name[0].notes}"


def _medians(of_one: list[Trial]) -> tuple[float, float, float]:
    """Return the medians of CPU seconds, seconds, and memory."""
    return (
        median(trial.cpu for trial in of_one),
        median(trial.seconds for trial in of_one),
        median(trial.memory for trial in of_one),
    )


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("sizes", nargs="*", default=["S", "M", "L", "1e5", "1e6", "1e7"])
    parser.add_argument("--rounds", type=int, default=3, help="runs of each contestant")
    parser.add_argument("--folder", type=Path, help="keep the generated files here")
    parser.add_argument("--only", nargs="+", help="run only these contestants")
    parser.add_argument(
        "--checkout",
        nargs="+",
        type=Path,
        default=[],
        help="also run Rankscope in these folders, such as a worktree of an earlier commit",
    )
    parser.add_argument("--peers", default=sys.executable, help="a Python with the other tools")
    args = parser.parse_args(argv)
    checkouts = [folder.resolve() for folder in args.checkout]
    contestants = available(args.peers, checkouts)
    print("Measures:", *MEASURES)
    with tempfile.TemporaryDirectory() as temporary:
        for size in args.sizes:
            wanted = args.only or (OWN if size.startswith("1e") else contestants)
            chosen = {
                name: contestant
                for name, contestant in contestants.items()
                if name in wanted or contestant.folder != ROOT
            }
            done = trials(args.folder or Path(temporary), size, chosen, MEASURES, args.rounds)
            print(f"\n## {size}\n", *table(done), sep="\n", flush=True)


if __name__ == "__main__":
    main()
