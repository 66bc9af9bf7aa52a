"""The judged runs of a folder over time: each measure's trend, and what changed between two."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..arrays import Floats
from ..comparing.comparison import align
from ..comparing.evidence import Evidence, uncorrected
from ..comparing.significance import interval_of_scores
from ..errors import RankscopeError
from ..matching.judged_file import ENDING, JudgedFile, read_judged
from ..measures import Measure
from ..reading.problems import ReadError
from ..reading.sources import status
from ..scoring.evaluate import Scores, score
from ..words import listed, suggestion
from .comparable import differences, scored_on_one_side
from .statement import Statement

SHORT = 4
"""At least this many characters of a commit name it."""


@dataclass(frozen=True, eq=False)
class PastRun:
    """A judged run in a folder.

    Attributes
    ----------
    path
        Its file.
    file
        The judged rankings, and what the file says of them.
    """

    path: Path
    file: JudgedFile


@dataclass(frozen=True, eq=False)
class Mean:
    """The mean of one measure, with its 95 % interval, and the change since the run before.

    Attributes
    ----------
    mean, low, high
        NaN where no query has a score; the interval is that of `interval_of_scores`.
    change
        The evidence of the difference to the run before, which is A; None where the two cannot be
        compared.
    """

    mean: float
    low: float
    high: float
    change: Evidence | None


@dataclass(frozen=True, eq=False)
class Point:
    """One run of a trend.

    Attributes
    ----------
    run
        The run.
    means
        By measure.
    differences
        What makes it not comparable with the run before; empty for the first, and where it is.
    """

    run: PastRun
    means: Mapping[str, Mean]
    differences: tuple[Statement, ...] = ()


def judged_files(folder: str | Path) -> list[Path]:
    """Return the paths in a folder that end in ``.judged.parquet``, in the order of their names.

    Raises OSError when it cannot be opened.
    """
    return sorted(path for path in Path(folder).iterdir() if path.name.endswith(ENDING))


def past_runs(
    folder: str | Path, read: Callable[[Path], JudgedFile] = read_judged
) -> tuple[tuple[PastRun, ...], tuple[ReadError, ...]]:
    """Return the judged runs in a folder, the oldest first, and why other files cannot be read.

    Only files whose names end in ``.judged.parquet`` are looked at. ``read`` reads one; a page
    passes one that remembers.

    Raises RankscopeError when the folder has no such file. Raises OSError when it cannot be opened.

    Examples
    --------
    >>> import tempfile
    >>> from metrics import Qrels, Run, match, save
    >>> qrels, run = Qrels.from_dict({"q": {"a": 1}}), Run.from_dict({"q": {"a": 2.0}})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(match(qrels, run), f"{folder}/a.judged.parquet", name="bm25")
    ...     runs, refused = past_runs(folder)
    >>> [run.file.name for run in runs], refused
    (['bm25'], ())
    """
    paths = judged_files(folder)
    if not paths:
        raise RankscopeError(
            f"{folder} has no file that ends in {ENDING}. Write them with rankscope match -o."
        )
    runs, refused = [], []
    for path in paths:
        try:
            status(path)
            runs.append(PastRun(path, read(path)))
        except ReadError as error:
            refused.append(error)
    return tuple(sorted(runs, key=lambda run: run.file.time)), tuple(refused)


def having(runs: Iterable[PastRun], tags: Collection[str], commit: str = "") -> list[PastRun]:
    """Return the runs with all of these tags, and with a commit that begins so."""
    return [
        run
        for run in runs
        if set(tags) <= set(run.file.tags) and run.file.commit.startswith(commit)
    ]


def named(runs: Sequence[PastRun], name: str) -> PastRun:
    """Return the latest run that a text names: by file, commit, tag or name, in this order.

    Four characters of a commit are enough.

    Raises RankscopeError when no run has it, or two commits begin with it; the message lists what
    there is.
    """
    ways = (
        [run for run in runs if name in (str(run.path), run.path.name, _stem(run))],
        [run for run in runs if len(name) >= SHORT and run.file.commit.startswith(name)],
        [run for run in runs if name in run.file.tags],
        [run for run in runs if name == run.file.name],
    )
    found = next(filter(None, ways), None)
    if found is None:
        known = dict.fromkeys(
            text
            for run in reversed(runs)
            for text in (_stem(run), run.file.commit, *run.file.tags, run.file.name)
            if text
        )
        hint = suggestion(name, known, repr)
        raise RankscopeError(f"No run is called {name!r}. {hint}Known: {listed(known)}.")
    if found is ways[1] and len(commits := {run.file.commit for run in found}) > 1:
        raise RankscopeError(f"Several commits begin with {name!r}: {listed(sorted(commits))}.")
    return found[-1]


def trend(runs: Sequence[PastRun], measures: Iterable[str | Measure]) -> tuple[Point, ...]:
    """Return the means of each run, and how it differs from the one before where they compare.

    Runs are compared only if judgments, convention and evaluated queries are the same.

    Raises MeasureError when a measure's name is not known.
    """
    measures = list(measures)
    points: list[Point] = []
    before: Scores | None = None
    for run in runs:
        scores = score(run.file.judged, measures)
        apart = apart_from(before, scores) if before else ()
        compared = align(before, scores) if before and not apart else None
        means = {
            name: _mean(ledger.scores, uncorrected(compared, name) if compared else None)
            for name, ledger in scores.ledgers.items()
        }
        points.append(Point(run, means, apart))
        before = scores
    return tuple(points)


def apart_from(before: Scores, scores: Scores) -> tuple[Statement, ...]:
    """Return what makes two scored runs not comparable; empty where they are comparable."""
    return differences(before.judged, scores.judged) or scored_on_one_side(before, scores)


def _mean(scores: Floats, change: Evidence | None) -> Mean:
    defined = scores[~np.isnan(scores)]
    if not len(defined):
        return Mean(np.nan, np.nan, np.nan, change)
    return Mean(float(defined.mean()), *interval_of_scores(defined), change)


def _stem(run: PastRun) -> str:
    return run.path.name.removesuffix(ENDING)
