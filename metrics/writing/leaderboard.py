"""Tables of several runs: a leaderboard, its pairs, and a trend with the oldest run first."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ..comparing.evidence import Leaderboard, Standing
from ..comparing.significance import NONE, TESTS
from ..deciding.trend import Mean, Point
from ..defaults import ALPHA, CONFIDENCE
from ..words import count
from .table import Table


def leaderboard_table(board: Leaderboard) -> Table:
    """Return one row for each run, the best first; letters name the runs that it is ahead of.

    The first measure has its interval. Formats for readers raise the letters after the means, and
    Markdown and LaTeX show the highest means in bold; CSV and JSON have a column of letters for
    each measure.

    Examples
    --------
    >>> from metrics import Qrels, Run, evaluate, leaderboard
    >>> qrels = Qrels.from_dict({f"q{i}": {"x": 1} for i in range(9)})
    >>> one = {query: {"x": 2, "y": 1} for query in qrels.queries}
    >>> two = {query: {"x": 1, "y": 2} for query in qrels.queries}
    >>> runs = {"one": Run.from_dict(one), "two": Run.from_dict(two)}
    >>> scores = {name: evaluate(qrels, run, ["RR", "P@1"]) for name, run in runs.items()}
    >>> table = leaderboard_table(leaderboard(scores, ["RR", "P@1"]))
    >>> from metrics.writing import FORMATS
    >>> print(FORMATS["markdown"](table.saying(labels={})), end="")
    |  | run | RR | low | high | P@1 |
    |:---|:---|---:|---:|---:|---:|
    | a | one | **1.0000**ᵇ | 1.0000 | 1.0000 | **1.0000**ᵇ |
    | b | two | 0.5000 | 0.5000 | 0.5000 | 0.0000 |
    """
    first, *others = board.measures
    columns = ["letter", "run", first, "low", "high", _ahead(first)]
    for name in others:
        columns += [name, _ahead(name)]
    return Table.of(columns, [_row(board, standing) for standing in board.standings]).saying(
        name="leaderboard",
        labels=_labels(board),
        facts={
            "convention": board.convention.label,
            "choices": asdict(board.convention),
            "queries": dict(board.queries),
            "primary": board.measures[0],
            **asdict(board.paired_test),
            "correction": "holm",
            "tests": dict(zip(("primary", "others"), board.tests, strict=True)),
            "interval": "student_t",
            "interval_level": CONFIDENCE,
        },
        titles={"letter": ""},
        raised={name: _ahead(name) for name in board.measures},
        best=frozenset(board.measures),
    )


def _row(board: Leaderboard, standing: Standing) -> list[object]:
    """Return the cells of one run."""
    row: list[object] = [standing.letter, standing.run]
    for name in board.measures:
        row.append(standing.means[name])
        row += [standing.low, standing.high] if name == board.measures[0] else []
        row.append("".join(board.letters[run] for run in standing.ahead_of[name]))
    return row


def _labels(board: Leaderboard) -> dict[str, str]:
    """Return what the columns mean and how the runs were tested, for readers."""
    asked, (first, number) = board.paired_test, next(iter(board.queries.items()))
    differing = [f"{n} in {name}" for name, n in board.queries.items() if n != number]
    tested = "" if asked.test == NONE else f", two-sided; {_families(board)}"
    ahead = f"the runs with a significantly lower mean (p < {ALPHA:g})"
    return {
        "low, high": f"95 % interval of the mean {first}, not corrected",
        **({} if asked.test == NONE else {"letters": ahead}),
        "test": f"{TESTS[asked.test].title}{tested}; seed {asked.seed}",
        # The number of queries, and the measures in which it differs.
        "queries": "; ".join([str(number), *differing]),
        "convention": board.convention.label,
    }


def pairs_table(board: Leaderboard) -> Table:
    """Return every pair of runs by the first measure; the better run is first.

    Examples
    --------
    >>> from metrics import Qrels, Run, evaluate, leaderboard
    >>> qrels = Qrels.from_dict({f"q{i}": {"x": 1} for i in range(9)})
    >>> good, bad = ({query: {"x": x, "y": 1} for query in qrels.queries} for x in (2, 0))
    >>> runs = {"good": Run.from_dict(good), "bad": Run.from_dict(bad)}
    >>> scores = {name: evaluate(qrels, run, "RR") for name, run in runs.items()}
    >>> pairs_table(leaderboard(scores, "RR")).rows
    (('good', 'bad', 0.5, 0.5, 0.5, 0.00390625, 9, 0, 0),)
    """
    rows = [
        [b, a, row.delta, row.low, row.high, row.corrected, row.wins, row.ties, row.losses]
        for (a, b), row in board.pairs.items()
    ]
    columns = ("run", "minus", "delta", "low", "high", "p_holm", "wins", "ties", "losses")
    return Table.of(columns, rows).saying(
        name="leaderboard-pairs",
        labels={"low, high of a pair": "at the level at which Holm tests the pair"},
        heading={"pairs in": board.measures[0]},
        titles={"p_holm": "p Holm", "wins": "better", "losses": "worse"},
    )


def _families(board: Leaderboard) -> str:
    """Return which p-values are corrected together."""
    first, *others = board.measures
    pairs, beside = board.tests
    if not pairs:
        return "nothing is tested"
    among = f"Holm over the {count(pairs, 'pair')} in {first}"
    if not others:
        return among
    return f"{among}, and over the {count(beside, 'test')} in {', '.join(others)} together"


def _ahead(measure: str) -> str:
    """Return the name of the column with the letters of a measure."""
    return f"{measure} ahead of"


_TITLES = {"time": "judged (UTC)", "delta": "change"}


def trend_table(points: Sequence[Point]) -> Table:
    """Return one row for each run and measure, with the change since the run before.

    Examples
    --------
    >>> from datetime import UTC, datetime
    >>> from pathlib import Path
    >>> from metrics import Qrels, Run, match
    >>> from metrics.deciding.trend import PastRun, trend
    >>> from metrics.matching.judged_file import JudgedFile
    >>> qrels = Qrels.from_dict({"q": {"a": 1}})
    >>> judged = match(qrels, Run.from_dict({"q": {"b": 2.0, "a": 1.0}}))
    >>> day = datetime(2026, 11, 23, tzinfo=UTC)
    >>> file = JudgedFile(judged, "bm25", (), "1f3a", day, "", "", "")
    >>> table = trend_table(trend([PastRun(Path("a"), file)], ["RR"]))
    >>> table.rows
    (('2026-11-23 00:00', 'bm25', '1f3a', '', 1, 'RR', 0.5, None, None, None, None),)
    """
    columns = ["time", "run", "commit", "tags", "queries", "measure"]
    columns += ["mean", "low", "high", "delta", "p"]
    rows: list[list[Any]] = []
    for point in points:
        file = point.run.file
        of_run = [f"{file.time:%Y-%m-%d %H:%M}", file.name, file.commit, " ".join(file.tags)]
        for measure, mean in point.means.items():
            rows.append([*of_run, len(file.judged.queries), measure, *_cells(mean)])
    conventions = dict.fromkeys(point.run.file.judged.convention.label for point in points)
    return Table.of(columns, rows).saying(
        name="history",
        labels={
            "low, high": "95 % interval of the mean",
            "change, p": "since the run before, paired randomisation, two-sided, not corrected",
            "convention": "; ".join(conventions),
        },
        facts={"apart": apart(points)},
        titles=_TITLES,
    )


def apart(points: Sequence[Point]) -> dict[str, list[str]]:
    """Return the runs that are not compared with the run before, by name, each with why."""
    return {
        f"{point.run.file.name} ({point.run.path.name})": [
            each.text() for each in point.differences
        ]
        for point in points
        if point.differences
    }


def _cells(mean: Mean) -> list[float | None]:
    delta, p = (None, None) if mean.change is None else (mean.change.delta, mean.change.p)
    return [mean.mean, mean.low, mean.high, delta, p]
