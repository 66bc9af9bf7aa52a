"""The tables of a trend: a row for each run and measure, the oldest run first."""

from collections.abc import Sequence
from typing import Any

from ..deciding.trend import Mean, Point
from .table import Table

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
