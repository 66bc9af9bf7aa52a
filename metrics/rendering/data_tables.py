"""What the Data page shows of what was read: cards of the files, and a table of judged shares."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from ..auditing.coverage import Coverage
from ..data import Pairs
from ..dataset import Dataset
from ..matching.judged import JudgedRankings
from . import text


def cards(
    loaded: Dataset, seen: Mapping[str, Coverage], counted: pd.DataFrame
) -> list[dict[str, Any]]:
    """Return a card for the judgments, if there are any, and one for each ranking.

    ``counted``: the judgments and queries of each grade.
    """
    made = [_grades(loaded, counted)] if loaded.is_judged else []
    for run in loaded.runs:
        low, high = run.value.min(), run.value.max()
        made.append(_ranking("run", run, len(run), seen, f"scores {low:g} to {high:g}"))
    for judged in loaded.judged:
        size = int(judged.retrieved.sum())
        made.append(_ranking("judged ranking", judged, size, seen))
    return made


def _grades(loaded: Dataset, counted: pd.DataFrame) -> dict[str, Any]:
    """Return the card of the judgments: how many documents have each grade, the highest first."""
    qrels = loaded.qrels
    most = max(counted["judgments"])
    return {
        "what": "judgments",
        "name": text.visible(qrels.name) or "qrels",
        "more": "",
        "size": f"{text.count(len(qrels), 'grade')} for {_queries(len(qrels.queries))}",
        "dots": text.most_dots(qrels.value.tolist()),
        "grades": [
            [grade, 100 * judgments / most, f"{judgments:,}", f"in {_queries(queries)}"]
            for grade, judgments, queries in reversed([*counted.itertuples()])
        ],
    }


def _ranking(
    what: str,
    pairs: Pairs | JudgedRankings,
    size: int,
    seen: Mapping[str, Coverage],
    more: str = "",
) -> dict[str, Any]:
    """Return the card of a ranking, with its judged share where there are judgments."""
    of = seen.get(pairs.name)
    tied = f" · {of.tied:,} with equal scores" if of and of.tied else ""
    return {
        "what": what,
        "name": text.visible(pairs.name),
        "size": f"{text.count(size, 'document')} for {_queries(len(pairs.queries))}",
        "more": more + tied,
        # Without a judged query there is no share.
        **({"of": _top(of), "judged": _percent(of.share)} if of and of.shared else {}),
    }


def _top(seen: Coverage) -> str:
    """Return what a judged share is of: the results themselves where every list is shorter."""
    results = f"the {text.count(seen.top.sum(), 'result')}"
    return results if seen.top.max() < seen.k else f"the top {seen.k}"


def _percent(share: float) -> float:
    """Return a printed share, which is 100 only where nothing is missing."""
    return 100.0 if share == 1 else min(round(1000 * share) / 10, 99.9)


def _queries(number: int) -> str:
    return text.count(number, "query", "queries")


def judged(seen: Mapping[str, Coverage]) -> pd.DataFrame:
    """Return the judged share of each query's top by run, the lowest first."""
    shares = {f"{name}, judged % of top {of.k}": 100 * of.judged for name, of in seen.items()}
    frame = pd.DataFrame(shares).rename_axis("query")
    least = frame.min(axis=1).sort_values(kind="stable").index
    return frame.loc[least]
