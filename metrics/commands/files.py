"""The files that a command was given, and what is said on stderr about them."""

from __future__ import annotations

import gzip
import re
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path

from ..audit import require_scored
from ..convention import Convention
from ..data import Qrels, Run
from ..errors import RankscopeError
from ..judged import JudgedRankings, judge
from ..reading import read_qrels, read_run

STDIN = "-"
NAMED = 5
"""So many ids are named in a note."""

Progress = Callable[[float], None]


def qrels_of(path: str) -> Qrels:
    """The judgments in a file or on the standard input."""
    return read_qrels(_source(path), _name(path))


def run_of(path: str) -> Run:
    """The run in a file or on the standard input."""
    return read_run(_source(path), _name(path))


def judged(qrels: Qrels, path: str, convention: Convention, progress: Progress) -> JudgedRankings:
    """A run's rankings, judged; refused when no query of it is in the qrels."""
    progress(0.0)
    rankings = judge(qrels, run_of(path), convention)
    progress(1.0)
    require_scored(rankings, path)
    return rankings


def titles(paths: Iterable[str]) -> list[str]:
    """What to call each run: its file's name without endings, the path where names are equal.

    Raises
    ------
    RankscopeError
        When a file is given twice.

    Examples
    --------
    >>> titles(["runs/bm25.run.gz", "dense.run"]), titles(["a/x.run", "b/x.run"])
    (['bm25', 'dense'], ['a/x.run', 'b/x.run'])
    """
    paths = list(paths)
    for path in paths:
        if paths.count(path) > 1:
            raise RankscopeError(f"{path} is given twice; give each run once.")
    stems = [Path(_name(path).removesuffix(".gz")).stem for path in paths]
    return stems if len(set(stems)) == len(stems) else paths


def only_one_stdin(paths: Iterable[str]) -> None:
    """Refuse to read two files from the standard input."""
    if list(paths).count(STDIN) > 1:
        raise RankscopeError("Only one file can be -, the standard input.")


def notes(rankings: JudgedRankings, title: str) -> list[str]:
    """What was assumed while reading a run, and which queries are on one side only."""
    said = [f"{title}: {text}" for text in rankings.notes]
    if missing := rankings.missing_from_run:
        fate = "count 0" if rankings.convention.queries == "qrels" else "are not in the mean"
        said.append(f"{title}: judged queries that are not in the run {fate}: {listed(missing)}.")
    if missing := rankings.missing_from_qrels:
        said.append(f"{title}: queries that nobody judged are left out: {listed(missing)}.")
    return said


def listed(ids: Iterable[str]) -> str:
    """How many ids there are, and the first of them.

    Examples
    --------
    >>> listed(["q1", "q2"]), listed(map(str, range(7)))
    ("2, 'q1', 'q2'", "7, '0', '1', '2', '3', '4', …")
    """
    found = list(ids)
    return ", ".join([str(len(found)), *map(repr, found[:NAMED]), *(["…"] * (len(found) > NAMED))])


def bar(title: str, quiet: bool) -> Progress:
    """A line on a terminal that shows how much is done, once the work has taken a while."""
    began = time.monotonic()

    def draw(done: float) -> None:
        if quiet or not sys.stderr.isatty() or time.monotonic() - began < PATIENCE:
            return
        full = round(done * 30)
        line = f"{title} [{'#' * full}{' ' * (30 - full)}] {done:4.0%}"
        # At the end the line is wiped, so that only results and notes stay.
        print(f"\r{line if done < 1 else ''}\x1b[K", end="", file=sys.stderr, flush=True)

    return draw


PATIENCE = 0.5
"""Seconds of work before a bar is worth showing."""


def tag_of(path: str, otherwise: str) -> str:
    """The tag in a TREC run's last line, which trec_eval prints as ``runid``."""
    # A pipe can be read only once.
    if not Path(path).is_file():
        return otherwise
    with Path(path).open("rb") as raw:
        packed = raw.read(2) == b"\x1f\x8b"
        raw.seek(0)
        lines = (line for line in (gzip.GzipFile(fileobj=raw) if packed else raw) if line.strip())
        last = deque(lines, maxlen=1)[0].strip().splitlines()[-1]
    fields = [cell for cell in re.split("[ \t]+", last.decode("utf-8")) if cell]
    return fields[-1] if len(fields) == 6 else otherwise


def _source(path: str) -> str | bytes:
    return sys.stdin.buffer.read() if path == STDIN else path


def _name(path: str) -> str:
    return "stdin" if path == STDIN else path
