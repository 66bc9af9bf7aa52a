"""Pictures to save: the steps of a score, every query as a bar, one query under two runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from ..comparing.slices import OUTCOMES
from ..measures.ledger import Ledger
from ..writing.svg import WIDTH, Bar, bars, curves, lists, picture, table
from . import one_query_charts, tables, text

BANDS = {
    "B better": ("B better on", "B"),
    "ties": ("Equal on", ""),
    "A better": ("A better on", "A"),
}
"""The title of each band of queries, and the run it is in favour of, by its outcome."""
LONGEST = 120
"""At most this many characters of a query's text are beside its bar."""
DRAWN = 25
"""At most this many queries of a band are in a picture; the others are counted."""


def ledgers(ledger: Ledger, query: str, title: str, below: str) -> str:
    """Return the steps of one query's score as an SVG: each part is a table below the other."""
    score = text.number(ledger.score(query))
    title = f"{text.beginning(title, LONGEST)}: {ledger.measure} = {score}"
    sheets = {
        f"{part.measure} = {text.number(part.score(query))}": tables.drawn_ledger(
            part, query, tables.ledger(part, query, {})
        )
        for part in ledger.parts
    }
    drawn = [
        table(
            f"{heading}. {sheet['more']}" if sheet["more"] else heading,
            [column["name"] for column in sheet["columns"]],
            [*(row["cells"] for row in sheet["rows"]), sheet["total"]],
            ("document", "covers"),
        )
        for heading, sheet in sheets.items()
    ]
    return picture(title, drawn, below, f"Step tables: {'; '.join(sheets)}.")


def bands(
    delta: pd.Series[float], texts: Mapping[str, str], tie: float, most: int, picked: str = ""
) -> list[dict[str, Any]]:
    """Return the queries by which run is better, the winner's band and the largest change first.

    ``delta``: by query, the largest gain of B first. ``most``: at most so many of each band.
    ``picked``: is in its band, however many others come before it.
    """

    found = []
    for outcome, (title, side) in [*BANDS.items()][:: -1 if delta.sum() < 0 else 1]:
        of = delta[OUTCOMES[outcome](delta, tie)][:: -1 if side == "A" else 1]
        words = {"outcome": outcome, "title": f"{title} {len(of):,}", "side": side}
        found.append(words | band(of, texts, most, picked, text.signed))
    return found


def band(
    of: pd.Series[float],
    texts: Mapping[str, str],
    most: int,
    picked: str = "",
    said: Callable[[float], str] = text.number,
) -> dict[str, Any]:
    """Return queries with their values as bars, in this order; the parameters are those of `bands`.

    ``said``: the text of a value.
    """
    pairs = zip(of.index.tolist(), of.tolist(), strict=True)
    rows = [
        {
            "id": query,
            "place": place,
            "name": text.beginning(texts.get(query) or text.visible(query), LONGEST),
            "delta": value,
            "value": said(value),
        }
        for place, (query, value) in enumerate(pairs)
        if place < most or query == picked
    ]
    return {"rows": rows, "size": len(of)}


def every_query(
    found: Iterable[Mapping[str, Any]], title: str, below: str, alt: str, room: float = WIDTH
) -> str:
    """Return bands of queries as `bars` in a `picture`; those that are equal have none."""
    drawn: list[Bar | str] = []
    for band in filter(lambda band: band["size"], found):
        rows = band["rows"][:DRAWN] if band["side"] else []
        drawn.append(band["title"])
        drawn += [Bar(row["name"], 0.0, row["delta"], row["value"]) for row in rows]
        if rows and band["size"] > len(rows):
            drawn.append(Bar(f"… {band['size'] - len(rows):,} more", 0.0, 0.0, ""))
    return picture(title, [bars(drawn, room)], below, alt)


def steps(frame: pd.DataFrame, most: int) -> list[dict[str, Any]]:
    """Return a bar for each of the documents that move a score most, for the others, and all."""
    each, others = one_query_charts.steps(frame, most)
    found = [
        (name, text.visible(name), delta)
        for name, delta in zip(each["document"].tolist(), each["delta"].tolist(), strict=True)
    ]
    if len(others):
        found.append(("", text.count(len(others), "other"), float(others["delta"].sum())))
    total = float(frame["delta"].sum())
    parts = [delta for *_, delta in found]
    ends = np.cumsum([0.0, *parts]).tolist()
    whole = f"{text.near(total, parts)}{text.signed(total)}"
    rows = [*zip(found, pairwise(ends), strict=True), (("", "together", total), (0.0, total))]
    steps = [
        {"id": name, "name": label, "from": start, "to": end, "value": text.signed(delta)}
        for (name, label, delta), (start, end) in rows
    ]
    return [*steps[:-1], steps[-1] | {"value": whole}]


def one_query(shown: Mapping[str, Any], below: str, room: float = WIDTH) -> str:
    """Return both lists of a query, and the bars that sum to its delta, as the page shows them."""
    joined = shown["lists"]
    names = [f"{side} {name}" for side, name in zip("AB", joined["names"], strict=True)]
    parts = [lists(names, joined["sides"], joined["links"], joined["below"], joined["dots"], room)]
    if shown["bars"]:
        steps = [Bar(bar["name"], bar["from"], bar["to"], bar["value"]) for bar in shown["bars"]]
        parts.append(bars([*steps[:-1], steps[-1]._replace(is_sum=True)], room))
    # The lists say which run is which.
    scores = " ".join(words.strip() for kind, words in shown["scores"] if not kind)
    title = " · ".join(filter(None, (shown["title"], scores)))
    return picture(title, parts, below, joined["alt"])


def by_cutoff(
    sides: Mapping[str, pd.DataFrame], names: Sequence[str], below: str, room: float = WIDTH
) -> str:
    """Return both means with their intervals at each cutoff, as curves.

    ``sides``: index k; columns mean, low and high. ``names``: those of the runs.
    """
    drawn = {}
    for (side, frame), name in zip(sides.items(), names, strict=True):
        # Too few queries have a mean, and no interval.
        ends = (frame[column].fillna(frame["mean"]).tolist() for column in ("low", "mean", "high"))
        drawn[f"{side} {text.visible(name)}"] = [*zip(*ends, strict=True)]
        ks = [*map(str, frame.index)]
    return picture("", [curves(ks, drawn, room)], below, below)
