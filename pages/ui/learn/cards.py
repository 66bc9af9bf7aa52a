"""Every measure as a card with a picture of where it looks, by task; a click opens one."""

from functools import cache, partial
from typing import Any

import streamlit as st

from metrics import REGISTRY, Measure, parse
from metrics.editing.hand_ranking import HandRanking
from metrics.measures.parameters import OWN_NUMBERS
from metrics.rendering import text
from metrics.teaching.measure_index import PICTURED, TASKS, usual
from metrics.teaching.which_measure import USES

from .. import pickers, state, widgets
from ..glance import cells, glance

ROOM = "All measures"
ONE = "One measure"
"""The room in which a card is opened."""
_USUAL = "The usual ones"


def all_measures() -> None:
    """Show the cards of one family, at first the usual ones; a click opens a measure's page."""
    names = {name: name for name in (_USUAL, *TASKS)}
    family = widgets.option("Family", names, state.FAMILY, flat=True)

    def click() -> None:
        open_measure(usual(REGISTRY[state.value("cards")["opened"]]))

    cards = (_card(usual(REGISTRY[symbol])) for symbol in TASKS.get(family, pickers.FIRST))
    shown = [each | {"words": _meaning(REGISTRY[each["id"]])} for each in cards]
    glance("cards", shown, click=click, wide="wide", name=f"Measures: {family}", legend=_LEGEND)


_LEGEND = "One list, as each measure sees it; the document set apart is not retrieved."


def _meaning(kind: type[Measure]) -> str:
    return f"{kind.full_name[0].upper()}{kind.full_name[1:]}. {kind.meaning}{means(kind)}"


def means(*measures: Measure | type[Measure]) -> str:
    """Return how the means of measures over queries are called, if they have names."""
    named = [each for each in measures if each.mean_names]
    return "".join(f" The mean of {m.symbol} over queries is {m.mean_names[0]}." for m in named)


WHAT_COUNTS = {
    "The first hit": ("RR", "Success"),
    "Grades and ranks": ("nDCG@10",),
    "Every relevant document": ("R@100",),
}
"""The measures of the usual choices by what counts in them; the first one is drawn."""


def uses() -> None:
    """Show the usual choices by what counts in them; a click opens both measures of one."""
    for title, names in WHAT_COUNTS.items():
        drawn, symbols = _card(parse(names[0])), {parse(name).symbol for name in names}
        of = {use: each for use, each in USES.items() if parse(each[0]).symbol in symbols}
        both = {each.symbol: each for *pair, _ in of.values() for each in map(parse, pair)}
        shown = {"title": title, "values": [(names[0], drawn["value"])]}
        glance(f"uses_{title}", [drawn | shown | {"more": means(*both.values())}])
        for use, (first, second, why) in of.items():
            with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
                go = partial(open_measure, parse(first), second)
                st.button(use, key=f"use_{use}", type="tertiary", on_click=go)
                st.caption(f"**{first}** with {second}: {why}")


def open_measure(measure: Measure, against: str = "") -> None:
    """Open a measure's page, with another one beside it if wanted."""
    state.forget(*OWN_NUMBERS)
    values = {state.MEASURE: measure.symbol, state.K: measure.cutoff or 0, state.AGAINST: against}
    own = {name: value for name, value in measure.given().items() if name in OWN_NUMBERS}
    state.open_room(ONE, values | own)


def picture(key: str) -> None:
    """Show the pictured list with the words for what is seen."""
    measure = parse("nDCG@5")
    ledger = PICTURED.ledger(measure)
    of = {str(part.measure): part for part in (*ledger.parts, ledger)}
    values = [(name, text.number(float(part.scores[0]), 2)) for name, part in of.items()]
    words = (
        "The grade is below each document; dotted ranks are below the cutoff. Full bars, the "
        "contributions, sum to DCG, those of the ideal order to IDCG."
    )
    shown = {"title": "A ranking of 8 documents", "values": values, "more": words}
    glance(key, [_card(measure) | shown], legend="The document set apart is not retrieved.")


@cache
def _card(measure: Measure) -> dict[str, Any]:
    ledger = PICTURED.ledger(measure)
    # The lines of an ideal ranking are in its own order.
    documents = [entry.document for entry in PICTURED.retrieved]
    listed = ledger.parts[0].shown.document.to_pylist()
    order = dict.fromkeys([*listed, *documents])
    # An ideal ranking also has what the list lacks.
    ranking = HandRanking.of(PICTURED.query, dict(PICTURED.grades), list(order))
    adds = dict(zip(listed, ledger.parts[0].contribution, strict=True))
    lost = [max(0.0, -float(adds.get(document, 0.0))) for document in documents]
    shown = cells(ledger, ranking)
    for cell, less in zip(shown, lost, strict=False):
        cell["lost"] = less / (max(lost) or 1)
    value = text.number(float(ledger.scores[0]), 2)
    named = {"id": measure.symbol, "title": f"{measure} = {value}", "words": measure.full_name}
    return named | {"cells": shown, "depth": measure.cutoff, "value": value}
