"""The same ranking by the best-known measures, each a button that makes it the page's measure."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from metrics import REGISTRY, Ledger, Measure, MeasureError
from metrics.measures import UNIT
from metrics.rendering import ledger_text, text

from . import state
from .inline import component

SYMBOLS = ("P", "R", "F1", "AP", "RR", "nDCG")
_KEY = "strip"
_strip = component(_KEY, __file__)


def strip(ledger: Ledger, usual: int | None) -> None:
    """Show the scores by other measures; a click on one makes it the page's measure.

    ``usual``: the cutoff that the data usually have.
    """
    offered = {str(measure): measure for measure in _measures(ledger.measure, usual)}

    def choose() -> None:
        if measure := offered.get(state.value(_KEY)["chosen"]):
            state.put({state.MEASURE: measure.symbol, state.K: measure.cutoff or 0})

    measures = [_other(measure, ledger) for measure in offered.values()]
    data = {"label": "Other measures", "measures": measures}
    _strip(key=_KEY, data=data, on_chosen_change=choose)


def readings(
    scores: Mapping[str, Ledger], chosen: str, choose: Callable[[str], None], digits: int
) -> None:
    """Show scores of one list by name, the chosen one marked; a click calls ``choose``."""

    def clicked() -> None:
        if (name := state.value("readings")["chosen"]) in scores:
            choose(name)

    measures = []
    for name, ledger in scores.items():
        meaning, share = ledger_text.described(ledger.measure), ledger.measure.value_range == UNIT
        drawn = _drawn(name, meaning, float(ledger.scores[0]), digits, share)
        measures.append(drawn | {"chosen": name == chosen})
    data = {"label": "Score the list by", "measures": measures}
    _strip(key="readings", data=data, on_chosen_change=clicked)


def read_only(scores: Mapping[str, tuple[str, float]], digits: int) -> None:
    """Show scores from 0 to 1, each with its meaning, by measure."""
    measures = [_drawn(name, *told, digits) for name, told in scores.items()]
    _strip(key="measures", data={"label": "Measures", "measures": measures})


def _measures(chosen: Measure, usual: int | None) -> list[Measure]:
    """Return each measure in its usual form, at the cutoff of the chosen one, and that one."""
    # AP says nothing about the cutoff of the others; nDCG without one does.
    whole = chosen.suffix == "cutoff" and chosen.usually_cut
    k = chosen.cutoff or (None if whole else usual)
    kinds = [REGISTRY[symbol] for symbol in SYMBOLS]
    forms = [kind(k if kind.usually_cut else None) for kind in kinds]
    own = [chosen] if type(chosen) in kinds and chosen not in forms else []
    return sorted([*forms, *own], key=lambda each: SYMBOLS.index(each.symbol))


def _other(measure: Measure, ledger: Ledger) -> dict[str, Any]:
    try:
        score, why = float(measure.ledger(ledger.judged).scores[0]), ""
    except MeasureError as error:
        score, why = float("nan"), f" {error}"
    name = f"{ledger_text.described(measure)}{why}"
    # All of them are from 0 to 1.
    return _drawn(str(measure), name, score) | {"chosen": measure == ledger.measure}


def _drawn(
    symbol: str, name: str, score: float, digits: int = 4, share: bool = True
) -> dict[str, Any]:
    """Return what is drawn of a score; ``share``: with a bar, as it is one from 0 to 1."""
    return {
        "symbol": symbol,
        "name": name,
        "score": text.number(score, digits),
        "share": None if math.isnan(score) or not share else score,
    }
