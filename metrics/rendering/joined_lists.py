"""One query under both runs: two lists joined by lines, and the bars that sum to its delta."""

from __future__ import annotations

from typing import Any

import pandas as pd

from ..comparing.one_query import OneQuery, Side
from ..dataset import Dataset
from ..defaults import DEPTH
from . import comparison_text, pictures, text
from .one_query_charts import DOCUMENTS

DEEPEST = 30
"""At most this many ranks of both rankings are shown."""
BARS = 4
"""At most this many documents have a bar each below the lists; one bar sums the others."""


def depth(one: OneQuery) -> int:
    """Return how many ranks of both rankings are shown."""
    return min(one.measure.cutoff or DEPTH, DEEPEST)


def shown(
    one: OneQuery,
    dataset: Dataset,
    depth: int,
    picked: str = "",
    large: bool = False,
    before: OneQuery | None = None,
) -> dict[str, Any]:
    """Return everything that a page or a picture shows.

    ``large``: for a projector, where each run has its name in sentences and more documents a bar.
    ``before``: the query as it is judged, where ``one`` has another grade of the picked document.
    """
    judged = len(one.qrels) > 0
    most = DOCUMENTS if large else BARS
    names = {side.name: text.visible(side.run.name) for side in one.sides} if large else {}
    a, b = (text.number(side.score) for side in one.sides)
    sentence = comparison_text.difference(one, picked) if judged else []
    if before:
        was_a, was_b = (text.number(side.score) for side in before.sides)
        a, b = f"{was_a} → {a}", f"{was_b} → {b}"
        sentence = comparison_text.other_grade(before, one, picked)
    said = [("", f"{one.measure} "), ("A", "A"), ("", f" {a}, "), ("B", "B"), ("", f" {b}")]
    words = dataset.query_texts.get(one.query, "")
    return {
        "query": one.query,
        "title": text.beginning(words, pictures.LONGEST) if words else text.visible(one.query),
        "id": text.visible(one.query) if words and len(dataset.query_texts) > 1 else "",
        "scores": [(kind, names.get(kind, words)) for kind, words in said if judged],
        "sentence": [(kind, names.get(kind, words)) for kind, words in sentence],
        "lists": _joined(one, dataset, depth),
        "was": text.grade(before.qrels.to_dict()[one.query][picked]) if before else None,
        "bars": pictures.steps(one.waterfall, most) if (one.delta != 0).any() else None,
        "picked": picked,
        "large": large,
    }


def _joined(one: OneQuery, dataset: Dataset, depth: int) -> dict[str, Any]:
    """Return both lists down to a rank, and what joins them."""
    moved = one.movement(depth)
    a, b = moved["rank A"], moved["rank B"]
    near = pd.DataFrame({"A": a.where(a <= depth), "B": b.where(b <= depth)})
    heaviest = float(moved["delta"].abs().max()) or 1.0 if len(moved) else 1.0
    links = [
        {"id": name, "A": _rank(at_a), "B": _rank(at_b), "weight": delta / heaviest}
        for name, at_a, at_b, delta in near.assign(delta=moved["delta"]).itertuples()
        if not (at_a is pd.NA and at_b is pd.NA)
    ]
    return {
        "names": [text.visible(side.run.name) for side in one.sides],
        "sides": [_listed(side, dataset, depth) for side in one.sides],
        "links": links,
        "below": [
            _below(side, moved.loc[[each["id"] for each in links if each[side.name] is None]])
            for side in one.sides
        ],
        "dots": text.most_dots([*one.grades, *moved["grade"].dropna()]),
        "alt": comparison_text.movement(moved, depth, text.visible),
    }


def _rank(rank: Any) -> int | None:
    return None if rank is pd.NA else int(rank)


def _listed(side: Side, dataset: Dataset, depth: int) -> list[dict[str, Any]]:
    """Return the documents of one list, the first rank first."""
    lines = side.lines[side.lines["rank"] <= depth].sort_values("rank")
    judged = len(side.ledger.judged.qrels) > 0
    return [
        {
            "id": name,
            "name": text.visible(name),
            "title": text.beginning(dataset.document_texts.get(name, "")),
            "rank": int(rank),
            # Without any judgment there is nothing to say of a grade.
            "grade": text.grade(grade) if judged else "",
        }
        for name, rank, grade in lines[["rank", "grade"]].itertuples()
    ]


def _below(side: Side, lower: pd.DataFrame) -> str:
    """Return what is at the end of lines that lead below a list."""
    if not len(lower):
        return ""
    missing = lower[f"rank {side.name}"].isna()
    # What is judged is listed by each run that retrieves it.
    known = side.whole or lower["grade"][missing].notna().all()
    ends = [] if missing.all() else [_ranks(lower[f"rank {side.name}"].dropna())]
    if missing.any():
        ends.append("not retrieved" if known else "not listed")
    return " or ".join(ends)


def _ranks(ranks: pd.Series[int]) -> str:
    first, last = ranks.min(), ranks.max()
    return f"rank {first:,}" if first == last else f"ranks {first:,}–{last:,}"
