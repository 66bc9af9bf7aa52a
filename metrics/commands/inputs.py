"""The files that a command was given, and what is said on stderr about them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from itertools import compress
from pathlib import Path

import numpy as np

from ..auditing.audit import require_scored
from ..conventions.convention import Convention
from ..data import Pairs, Qrels, Run
from ..errors import RankscopeError
from ..judging.judged import JudgedRankings
from ..judging.streaming import judge_file
from ..reading import read_qrels, read_run
from ..scoring.evaluate import Scores
from ..words import listed
from .options import STDIN

PATIENCE = 0.5
"""Seconds of work before a bar is worth showing."""

Progress = Callable[[float], None]


def qrels_of(path: str) -> Qrels:
    """The judgments in a file or on the standard input."""
    return read_qrels(_source(path), _name(path))


def run_of(path: str) -> Run:
    """The run in a file or on the standard input."""
    return read_run(_source(path), _name(path))


def judged(qrels: Qrels, path: str, convention: Convention, progress: Progress) -> JudgedRankings:
    """A run's rankings, judged; refused when no query of it is in the qrels."""
    rankings = judge_file(qrels, _source(path), convention, name=_name(path), progress=progress)
    require_scored(rankings, path)
    return rankings


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
    stems = [Path(_name(path).removesuffix(".gz")).stem for path in paths]
    return stems if len(set(stems)) == len(stems) else paths


def only_one_stdin(paths: Iterable[str]) -> None:
    """Refuse to read two files from the standard input."""
    if list(paths).count(STDIN) > 1:
        raise RankscopeError("Only one file can be -, the standard input.")


def reading_notes(path: str, pairs: Pairs) -> list[str]:
    """What was assumed while reading a file."""
    return [f"{_name(path)}: {note}" for note in pairs.notes]


def notes(title: str, scores: Scores) -> list[str]:
    """What was assumed while reading a run, and which queries are in no mean."""
    rankings = scores.judged
    said = list(map(str, rankings.notes))
    if missing := rankings.missing_from_run:
        counted = rankings.convention.queries == "qrels"
        fate = "count as 0" if counted else "are left out of the mean"
        said.append(f"judged queries that it lacks {fate}: {_first(missing)}.")
    if missing := rankings.missing_from_qrels:
        said.append(f"queries that nobody judged are left out: {_first(missing)}.")
    said += [
        f"queries with nothing to find are left out of {', '.join(names)}: {_first(queries)}."
        for queries, names in _undefined(scores).items()
    ]
    return [f"{title}: {text}" for text in said]


def _undefined(scores: Scores) -> dict[tuple[str, ...], list[str]]:
    """The measures by the queries that have no score in them."""
    left: dict[tuple[str, ...], list[str]] = {}
    for name, ledger in scores.ledgers.items():
        queries = tuple(compress(scores.judged.queries, np.isnan(ledger.scores)))
        if queries:
            left.setdefault(queries, []).append(name)
    return left


def _first(queries: tuple[str, ...]) -> str:
    """How many queries there are, and the first of them."""
    return f"{len(queries)} ({listed(queries)})"


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


def _name(path: str) -> str:
    return "stdin" if path == STDIN else path
