"""Tables of two or more runs as they are shown on screen; without streamlit."""

from collections.abc import Iterable, Mapping

import pandas as pd

from ..comparing.comparison import Comparison, Summary
from ..comparing.decisive_labels import LabelChange
from ..comparing.one_query import OneQuery
from ..comparing.robustness import Setting
from ..writing.ledger_lines import LABELS
from . import text

LISTED = 200
"""At most this many of the documents that change the means are listed."""


def means(rows: Mapping[str, Summary]) -> pd.DataFrame:
    """Return both means and the delta of each measure."""
    found = {name: (row.mean_a, row.mean_b, row.delta) for name, row in rows.items()}
    columns = ["mean A", "mean B", "delta B − A"]
    return pd.DataFrame.from_dict(found, orient="index", columns=columns).rename_axis("measure")


def settings(found: Iterable[Setting]) -> pd.DataFrame:
    """Return the mean delta in every setting, a row per choice; ``?`` marks doubtful ones."""
    rows: dict[str, dict[str, str]] = {}
    for each in found:
        column = "whole ranking" if each.cutoff is None else f"@{each.cutoff}"
        cell = text.signed(each.delta) + ("?" if each.doubtful else "")
        rows.setdefault(each.choice or "as chosen above", {})[column] = cell
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("choice")


def queries(comparison: Comparison, measure: str, texts: Mapping[str, str]) -> pd.DataFrame:
    """Return each query's two scores, the largest gain of B first."""
    frame = comparison.falling(measure)
    return frame.assign(text=[texts.get(name, "") for name in frame.index]) if texts else frame


def movement(one: OneQuery, depth: int, texts: Mapping[str, str]) -> pd.DataFrame:
    """Return `OneQuery.movement` with printed grades and the beginnings of the texts."""
    frame = one.movement(depth)
    frame = frame.assign(grade=frame["grade"].map(text.grade))
    return with_texts(frame, texts)


def with_texts(frame: pd.DataFrame, texts: Mapping[str, str]) -> pd.DataFrame:
    """Return a table of documents with the beginnings of their texts, if there are any."""
    shown = [text.beginning(texts.get(name, "")) for name in frame.index]
    return frame.assign(text=shown) if texts else frame


def document_lines(one: OneQuery, document: str) -> pd.DataFrame:
    """Return one document's ledger line under each run; empty if the run does not rank it."""
    lines = []
    for side in one.sides:
        table = side.ledger.table(one.query).rename(columns=LABELS).reset_index()
        line = table[table["document"] == document].drop(columns=LABELS["running"])
        # A nullable type keeps whole numbers whole if the other run has no line.
        line = line.astype(dict.fromkeys(line.select_dtypes("integer"), "Int64"))
        if not len(line):
            # Below the cutoff a document has a rank and a grade but no line.
            below = side.lines.reindex([document])[["rank", "grade"]]
            line = below.astype({"rank": "Int64"}).reset_index(drop=True)
        lines.append(line.assign(run=side.name))
    return pd.concat(lines).set_index("run").drop(columns="document", errors="ignore")


def in_common(common: pd.DataFrame, depth: int, texts: Mapping[str, str]) -> pd.DataFrame:
    """Return the queries of `similarity.in_common` for a table, the least in common first."""
    order = common.sort_values(["in common", "RBO"], kind="stable")
    named = {
        "in common": f"in common, top {depth}",
        "only A": f"only A, top {depth}",
        "only B": f"only B, top {depth}",
    }
    frame = with_texts(order.rename(columns=named), texts)
    return frame[[*(["text"] if texts else []), *named.values(), "RBO"]]


def label_changes(changes: Iterable[LabelChange]) -> pd.DataFrame:
    """Return changed labels: each with both grades, its query's delta, and the mean's change."""
    rows = [
        (
            each.query,
            each.document,
            f"{each.before:g} → {each.after:g}",
            each.delta_before,
            each.delta_after,
            each.effect,
        )
        for each in changes
    ]
    columns = ["query", "document", "grade", "delta", "delta after", "mean change"]
    return pd.DataFrame(rows, columns=columns).set_index("query")
