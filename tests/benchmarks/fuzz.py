"""Fuzz a reader with files that are almost valid; see README.md in this folder."""

from __future__ import annotations

import argparse
import faulthandler
import hashlib
import resource
import signal
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import gettempdir
from types import FrameType
from typing import Any

from tests.fuzzing.mutation import Mutator
from tests.fuzzing.readers import READERS, SEEDS

SMALLEST = ("--reader", "trec_run", "--seconds", "0.5")

LONGEST = 5
"""At most this many seconds for one input."""
MOST_MEMORY = 300_000_000
"""At most this many bytes may be added to the process's peak memory by one input."""


class TooLongError(BaseException):
    """An input took too long. It is not an `Exception`, so that no reader catches it."""


class Paths:
    """The pairs of consecutive lines seen in `metrics`; an input with a new pair is kept."""

    def __init__(self) -> None:
        self.known: set[tuple[int, int]] = set()
        self._before = 0
        self._new = False

    def found_new(self, act: Callable[[], Any]) -> bool:
        """Call ``act`` and return whether it took a new path."""
        self._new, self._before = False, 0
        sys.settrace(self._enter)
        try:
            act()
        finally:
            sys.settrace(None)
        return self._new

    def _enter(self, frame: FrameType, event: str, arg: Any) -> Any:
        return self._line if "/metrics/" in frame.f_code.co_filename else None

    def _line(self, frame: FrameType, event: str, arg: Any) -> Any:
        here = hash((frame.f_code.co_filename, frame.f_lineno))
        if (self._before, here) not in self.known:
            self.known.add((self._before, here))
            self._new = True
        self._before = here
        return self._line


def fuzz(reader: str, seconds: float, seed: int, folder: Path) -> Counter[str]:
    """Try inputs for some seconds; keep one file for each kind of failure."""
    corpus, mutator, paths = SEEDS[reader](), Mutator(seed), Paths()
    failures: Counter[str] = Counter()
    folder.mkdir(parents=True, exist_ok=True)
    fresh = list(corpus)
    tried, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        parent = mutator.random.choice(corpus[-50:] if mutator.random.random() < 0.3 else corpus)
        data = fresh.pop() if fresh else mutator.mutated(parent, corpus)
        # If the interpreter itself dies, this file has the input that killed it.
        (folder / f"{reader}.current").write_bytes(data)
        tried += 1
        new, failure = attempt(READERS[reader], data, paths)
        if new:
            corpus.append(data)
        if failure:
            failures[failure] += 1
            if failures[failure] == 1:
                name = f"{reader}-{hashlib.sha256(data).hexdigest()[:8]}"
                (folder / name).write_bytes(data)
                print(f"{name}: {failure}", flush=True)
    (folder / f"{reader}.current").unlink()
    print(
        f"{reader}: {tried:,} inputs in {seconds:g} s, seed {seed}; {len(corpus):,} kept for "
        f"{len(paths.known):,} paths; {len(failures)} kinds of failure",
        flush=True,
    )
    return failures


def attempt(read: Callable[[bytes], None], data: bytes, paths: Paths) -> tuple[bool, str]:
    """Return whether an input took a new path, and the failure; empty for a sound reader."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    faulthandler.dump_traceback_later(LONGEST * 4, exit=True)
    signal.setitimer(signal.ITIMER_REAL, LONGEST)
    new, failure = False, ""
    try:
        new = paths.found_new(lambda: read(data))
    except (Exception, TooLongError) as error:
        way = traceback.extract_tb(error.__traceback__)
        ours = [at for at in way if "/metrics/" in at.filename][-1:]
        places = ", ".join(f"{Path(at.filename).name}:{at.lineno}" for at in (*ours, way[-1]))
        failure = f"{type(error).__name__} at {places}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        faulthandler.cancel_dump_traceback_later()
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    return new, failure or ("too much memory" if grown > MOST_MEMORY else "")


def _stop(number: int, frame: FrameType | None) -> None:
    raise TooLongError


def main(argv: Sequence[str] | None = None) -> None:
    """Read the command line, and exit with 1 if there was a failure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reader", choices=READERS, required=True)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path(gettempdir()) / "rankscope-fuzz")
    args = parser.parse_args(argv)
    signal.signal(signal.SIGALRM, _stop)
    faulthandler.enable()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        failures = fuzz(args.reader, args.seconds, args.seed, args.folder)
    if failures:
        sys.exit(1)


if __name__ == "__main__":
    main()
