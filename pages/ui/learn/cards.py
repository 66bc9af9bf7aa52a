"""Every measure as a card with a picture of where it looks, by task; a click opens one."""

from functools import cache
from typing import Any

from metrics import REGISTRY, Measure, parse
from metrics.editing import HandRanking
from metrics.measures import OWN_NUMBERS
from metrics.rendering import text
from metrics.teaching import which_measure
from metrics.teaching.measure_index import LONGER, PICTURED, TASKS, usual

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

    shown = [_card(usual(REGISTRY[symbol])) for symbol in TASKS.get(family, pickers.FIRST)]
    glance("cards", shown, click=click, wide="wide", name=f"Measures: {family}", legend=_LEGEND)


_LEGEND = "Dotted: below the cutoff. Set apart: not retrieved."


def means(*measures: Measure) -> str:
    """Return how the means of measures over queries are called, if they have names."""
    named = ((each.symbol, each.mean_names[0]) for each in measures if each.mean_names)
    return "".join(f" The mean of {symbol} over queries is {name}." for symbol, name in named)


def uses() -> None:
    """Show the usual choices; a click opens both measures of one."""

    def click() -> None:
        first, second, _ = which_measure.USES[state.value("uses")["opened"]]
        open_measure(parse(first), second)

    shown = [
        _card(parse(first), LONGER)
        | {"id": use, "title": use, "asks": f"{first} with {second}", "words": why}
        for use, (first, second, why) in which_measure.USES.items()
    ]
    glance("uses", shown, click=click, name="Usual choices")


def recommended(*measures: Measure) -> None:
    """Show what each measure sees of one list."""
    shown = [_card(each, LONGER) | {"values": []} for each in measures]
    glance("recommended", shown, legend=_LEGEND)


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
    words = "Full bars, the contributions, sum to DCG, those of the ideal order to IDCG."
    shown = {"title": "A ranking of 8 documents", "values": values, "more": words}
    glance(key, [_card(measure) | shown], legend=_LEGEND)


@cache
def _card(measure: Measure, ranking: HandRanking = PICTURED) -> dict[str, Any]:
    ledger = ranking.ledger(measure)
    # The lines of an ideal ranking are in its own order.
    documents = [entry.document for entry in ranking.retrieved]
    listed = ledger.parts[0].shown.document.to_pylist()
    order = dict.fromkeys([*listed, *documents])
    # An ideal ranking also has what the list lacks.
    ranking = HandRanking.of(ranking.query, dict(ranking.grades), list(order))
    adds = dict(zip(listed, ledger.parts[0].contribution, strict=True))
    lost = [max(0.0, -float(adds.get(document, 0.0))) for document in documents]
    shown = cells(ledger, ranking)
    for cell, less in zip(shown, lost, strict=False):
        cell["lost"] = less / (max(lost) or 1)
    value, name = text.number(float(ledger.scores[0]), 2), measure.full_name
    words = f"{name[0].upper()}{name[1:]}. {measure.meaning}{means(measure)}"
    named = {"id": measure.symbol, "title": f"{measure} = {value}"}
    return named | {"words": words, "cells": shown, "depth": measure.cutoff}
