"""Tables of one ranking as they are shown on screen; without streamlit."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from ..conventions.gains import DISCOUNTS
from ..editing.hand_ranking import HandRanking
from ..matching.aspects import names_covered
from ..measures.ledger import Ledger
from ..teaching.glossary import GLOSSARY
from ..writing.ledger_lines import LABELS
from ..writing.table import TEXTS, Marked, Table, raised, shown
from . import ledger_text, text

MOST_ROWS = 200
"""At most this many lines of a ledger are drawn, and rows of a table sent at a time."""
_LONGEST_ID = 120
_SHORT = {"grade", "gain", "A", "R", "N", "n", "c", "k"}
"""Float columns whose numbers are mostly whole."""


def ledger(entry: Ledger, query: str, texts: Mapping[str, str]) -> pd.DataFrame:
    """Return one query's ledger with its column titles, and the documents' texts if any.

    A gain that is the grade has no column, and neither has the inverse of a column. Aspects are
    shown by their names where they have some.
    """
    frame = entry.table(query)
    if "aspects" in frame and entry.judged.qrels.aspects.get(query):
        lines = entry.hits[entry.hits.query == entry.place(query)]
        names = names_covered(entry.judged, lines, entry.convention.level)
        frame["aspects"] = [", ".join(of_line) or "–" for of_line in names]
        frame = frame.rename(columns={"aspects": "covers"})
    if "gain" in frame and frame["gain"].equals(frame["grade"].fillna(0.0)):
        del frame["gain"]
    if entry.convention.discount in frame:
        del frame["discount"]
    if texts:
        frame["text"] = [texts.get(document, "") for document in frame["document"]]
    plain = entry.convention.discount == "log2" and entry.convention.ties != "mean"
    labels = LABELS if plain else LABELS | {"discount": "discount"}
    return frame.set_axis([labels.get(name, name) for name in frame.columns], axis="columns")


def ideal(entry: Ledger, query: str, texts: Mapping[str, str]) -> pd.DataFrame:
    """Return the ideal ranking's ledger, with each document's rank in the ranking scored."""
    frame = ledger(entry, query, texts)
    hits = entry.judged.hits
    hits = hits[hits.query == entry.judged.queries.index(query)]
    # A convention may remove documents, so that lower ranks move up.
    ranks = dict(zip(hits.document.to_pylist(), map(str, hits.rank.tolist()), strict=True))
    frame.insert(1, "is at", [ranks.get(d, "–") for d in frame["document"]])
    return frame


def drawn_ledger(entry: Ledger, query: str, frame: pd.DataFrame) -> dict[str, Any]:
    """Return a ledger as texts to draw: heading, columns, at most `MOST_ROWS` rows, the sum.

    ``frame`` has the ledger's own lines, or those of the ideal: see `ledger` and `ideal`.
    """
    texts = frame["text"].tolist() if "text" in frame else [""] * len(frame)
    lines = frame.drop(columns="text", errors="ignore").head(MOST_ROWS).reset_index()
    score, rest = text.number(entry.score(query)), frame["contribution"][MOST_ROWS:]
    names = list(map(str, lines))
    columns = {name: [_cell(name, value) for value in lines[name].tolist()] for name in names}
    rows = [
        {
            # The start of a sum is no document.
            "id": document if rank else None,
            "name": text.visible(document),
            "words": text.beginning(texts[place]),
            "cells": [cells[place] for cells in columns.values()],
        }
        for place, (rank, document) in enumerate(
            zip(lines["rank"].tolist(), lines["document"].tolist(), strict=True)
        )
    ]
    near = text.near(entry.score(query), frame["contribution"])
    total = {"document": "sum", "contribution": f"{near}{score}"}
    return {
        "measure": str(entry.measure),
        "name": entry.measure.full_name,
        "meaning": ledger_text.described(entry.measure),
        "word": entry.measure.symbol,
        "equals": near.strip() or "=",
        "score": score,
        "columns": [{"name": name, "meaning": _meaning(name)} for name in columns],
        "rows": rows,
        "total": [total.get(name, "") for name in columns],
        "more": f"{len(rest):,} more ranks add {text.number(float(rest.sum()))}"
        if len(rest)
        else "",
    }


_DIVISORS = {LABELS[name] for name in DISCOUNTS}


def _meaning(name: str) -> str:
    return GLOSSARY.get("discount" if name in _DIVISORS else name, name)


def _cell(name: str, value: Any) -> str:
    """Return a cell's text; a missing grade is ``?``, another missing value a dash."""
    if isinstance(value, str):
        return text.visible(text.shortened(value, _LONGEST_ID))
    if pd.isna(value):
        return "?" if name == "grade" else "–"
    if name in _SHORT:
        return f"{value:g}".replace("-", "−")
    return text.number(value) if isinstance(value, float) else f"{value:,}"


def editor(ranking: HandRanking, texts: Mapping[str, str]) -> pd.DataFrame:
    """Return the ranking to edit, by document; the rank is empty if it is not retrieved."""
    frame = pd.DataFrame(
        {
            "rank": pd.array(
                [*range(1, len(ranking.retrieved) + 1), *[None] * len(ranking.unretrieved)],
                dtype="Int64",
            ),
            "grade": pd.array([e.grade for e in ranking.entries], dtype="Float64"),
        },
        index=pd.Index([e.document for e in ranking.entries], name="document", dtype=str),
    )
    return frame.assign(text=[texts.get(name, "") for name in frame.index]) if texts else frame


def printed(
    frame: pd.DataFrame, missing: str, index: bool = True, most: int = MOST_ROWS
) -> dict[str, Any]:
    """Return the first rows of a table as texts, with the same digits everywhere.

    Examples
    --------
    >>> frame = pd.DataFrame({"grade": [1.0, None]}, index=pd.Index(["a", "b"], name="document"))
    >>> printed(frame, "?")["rows"]
    [['a', '1'], ['b', '?']]
    """
    rows = frame.head(most)
    columns = {str(frame.index.name or ""): rows.index.tolist()} if index else {}
    columns |= {str(name): rows[name].tolist() for name in rows}
    cells = [
        [missing if pd.isna(each) else cell(name, each) for each in values]
        for name, values in columns.items()
    ]
    more = len(frame) - len(rows)
    return {
        "columns": list(columns),
        "numbers": [
            digits_of_a_source(name) or not any(map(_is_text, values))
            for name, values in columns.items()
        ],
        "rows": list(map(list, zip(*cells, strict=True))),
        "more": more,
    }


def sorted_places(values: "pd.Series[Any]", down: bool) -> list[int]:
    """Return the positions of a column's values in their order; ``down``: the largest first.

    Examples
    --------
    >>> sorted_places(pd.Series(["0.2", "–", "0.03"]), down=True)
    [0, 2, 1]
    >>> sorted_places(pd.Series(["c", "a", "b"]), down=False)
    [1, 2, 0]
    """
    column = values.reset_index(drop=True)
    if not pd.api.types.is_numeric_dtype(column):
        # Numbers as texts sort as numbers; among them, what is none comes last.
        texts = column.astype(str)
        numbers = pd.to_numeric(texts.str.strip("<≈ ").str.replace("−", "-"), "coerce")
        column = numbers if numbers.notna().mean() > 0.5 else texts
    return column.sort_values(ascending=not down, kind="stable").index.tolist()


def sorted_by(columns: "Sequence[pd.Series[Any]]") -> tuple[int, bool] | None:
    """Return the first column of fractions that is in order, and whether the largest is first.

    Examples
    --------
    >>> sorted_by([pd.Series([0.1, 0.1]), pd.Series([0.3, 0.2])])
    (1, True)
    """
    for place, values in enumerate(columns):
        falls, rises = values.is_monotonic_decreasing, values.is_monotonic_increasing
        # Equal ones are in both orders.
        if values.dtype == float and falls != rises:
            return place, falls
    return None


def _is_text(value: object) -> bool:
    """Whether a cell has letters; p-values and signed numbers have none."""
    return isinstance(value, str) and any(map(str.isalpha, value))


def digits_of_a_source(column: str) -> bool:
    """Return whether a column holds numbers as texts, with the digits that a source prints.

    Examples
    --------
    >>> digits_of_a_source("printed gain"), digits_of_a_source("our gain")
    (True, False)
    """
    return column.startswith("printed")


def digits(column: str) -> str:
    """Return the format of the numbers in a column: most have four decimals.

    Examples
    --------
    >>> digits("nDCG@5"), digits("judged %"), digits("grade, A")
    ('%.4f', '%.1f', '%g')
    """
    whole = column.removeprefix("our ").partition(",")[0] in _WHOLE
    return "%g" if whole else "%.1f" if "%" in column else "%.4f"


_WHOLE = {"grade", "gain", "rank"}
"""Columns of a table whose numbers are mostly whole."""


def is_delta(column: str) -> bool:
    """Return whether the numbers of a column are differences, which are written with their sign.

    Examples
    --------
    >>> is_delta("mean change"), is_delta("delta B − A"), is_delta("differs in")
    (True, True, False)
    """
    return _DELTA.search(column) is not None


_DELTA = re.compile(r"\b(delta|difference|changes?|relative)\b")


def cell(column: str, value: Any) -> str:
    """Return a cell of a column as it is printed.

    Examples
    --------
    >>> [cell("delta", each) for each in (0.25, -0.25, 0.0)], cell("relative %", 2.0)
    (['+0.2500', '−0.2500', '0.0000'], '+2.0')
    """
    if isinstance(value, float) and is_delta(column):
        return text.signed(value, 1 if "%" in column else 4)
    if isinstance(value, float):
        return (digits(column) % value).replace("-", "−")
    return (text.flat if column in TEXTS else text.visible)(str(value))


def screen(table: Table, index: str = "") -> pd.DataFrame:
    """Return a table of results for the screen: readers' headers, p-values in words.

    ``index``: the column that names the rows; by default the first.

    Examples
    --------
    >>> screen(Table(("run", "p"), (("a", 0.0421), ("b", None)))).to_dict()
    {'p': {'a': '0.042', 'b': '–'}}
    """
    table, columns = table.for_readers(), {}
    for place, (name, header) in enumerate(zip(table.columns, table.headers, strict=True)):
        values: Any = [row[place] for row in table.rows]
        present = [value for value in values if value is not None]
        if name == "relative":
            header, values = "relative %", [value and 100 * value for value in values]
        if name == "letter":
            values = list(range(1, len(values) + 1))
        if name in _P:
            values = [text.p_value(math.nan if value is None else value) for value in values]
        elif any(isinstance(value, Marked) and value.letters for value in present):
            values = [shown(value).translate(_PLACES) for value in values]
        elif len(present) < len(values) and not any(isinstance(each, str) for each in present):
            # A nullable type keeps whole numbers whole.
            whole = present and all(isinstance(each, int) for each in present)
            values = pd.array(values, dtype="Int64" if whole else float)
        columns[header] = values
    return pd.DataFrame(columns).set_index(index or table.headers[0])


_P = {"p", "p_holm"}
# On a page A and B are the two runs, so places are numbers; the space keeps them from being powers.
_NUMBERS = (f" {raised_place}" for raised_place in (*"¹²³⁴⁵⁶⁷⁸⁹", "¹⁰"))
_PLACES = str.maketrans(dict(zip(raised("abcdefghij"), _NUMBERS, strict=True)))


def rank_of(lines: pd.DataFrame, document: str | None) -> int | None:
    """Return the rank of a document in a ledger's table; None if it has no line."""
    ranks = lines.index[lines["document"] == document].tolist()
    return int(ranks[0]) if ranks else None
