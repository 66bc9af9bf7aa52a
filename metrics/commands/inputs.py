"""The files of a command: read, judged, named, and refused where nothing matches."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from ..auditing.audit import SAME_IDS, fix_ids, nothing_matched
from ..conventions.convention import Convention
from ..data import Qrels, Run
from ..errors import NoOverlapError, RankscopeError
from ..judging.judged import JudgedRankings, judge
from ..judging.streaming import judge_file
from ..reading import read_qrels, read_run
from .options import STDIN, USE_FIX

PATIENCE = 0.5
"""Seconds of work before a bar is worth showing."""

Progress = Callable[[float], None]


def qrels_of(path: str) -> Qrels:
    """The judgments in a file or on the standard input."""
    return read_qrels(_source(path), name_of(path))


def run_of(path: str, qrels: Qrels, *, fix: bool = False) -> Run:
    """The run in a file or on the standard input, with the ids of the qrels if ``fix``."""
    run = read_run(_source(path), name_of(path))
    return fix_ids(qrels, run) if fix else run


def judged(
    qrels: Qrels, path: str, convention: Convention, progress: Progress, *, fix: bool = False
) -> JudgedRankings:
    """A run's rankings, judged while they are read, or read as a whole where ids change.

    Raises
    ------
    NoOverlapError
        When no document of the run is judged.
    """
    source, name = _source(path), name_of(path)
    if fix:
        run = fix_ids(qrels, read_run(source, name))
        require_matched(qrels, run)
        return judge(qrels, run, convention)
    rankings = judge_file(qrels, source, convention, name=name, progress=progress)
    if not len(rankings.hits):
        # Only a whole run shows the reason.
        require_matched(qrels, read_run(source, name))
    return rankings


def require_matched(qrels: Qrels, run: Run) -> None:
    """Refuse a run without a judged document.

    Raises
    ------
    NoOverlapError
        With an id of each side, the likely reason and the fix.
    """
    if nothing := nothing_matched(qrels, run):
        is_sure = nothing.mend is not None and nothing.mend.is_sure
        raise NoOverlapError(f"{nothing} {USE_FIX if is_sure else SAME_IDS}")


def titles(paths: Iterable[str]) -> list[str]:
    """What to call each run: its file's name without endings, the path where names are equal.

    Raises
    ------
    RankscopeError
        When a file appears twice.

    Examples
    --------
    >>> titles(["runs/bm25.run.gz", "dense.run"]), titles(["a/x.run", "b/x.run"])
    (['bm25', 'dense'], ['a/x.run', 'b/x.run'])
    """
    paths = list(paths)
    for path in paths:
        if paths.count(path) > 1:
            raise RankscopeError(f"{path} appears twice; name each run once.")
    stems = [Path(name_of(path).removesuffix(".gz")).stem for path in paths]
    return stems if len(set(stems)) == len(stems) else paths


def only_one_stdin(paths: Iterable[str]) -> None:
    """Refuse to read two files from the standard input."""
    if list(paths).count(STDIN) > 1:
        raise RankscopeError("Only one file can be -, the standard input.")


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


def _source(path: str) -> str | bytes:
    return sys.stdin.buffer.read() if path == STDIN else path


def name_of(path: str) -> str:
    """The name of a file in messages."""
    return "stdin" if path == STDIN else path
