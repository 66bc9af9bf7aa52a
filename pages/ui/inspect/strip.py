"""The same ranking by the best-known measures, each a button that makes it the page's measure."""

from __future__ import annotations

from typing import Any

from metrics import REGISTRY, Ledger, MeasureError
from metrics.rendering import ledger_text, text

from .. import state
from ..inline import component

SYMBOLS = ("P", "R", "F1", "AP", "RR", "nDCG")
_KEY = "strip"
_strip = component(_KEY, __file__)


def strip(ledger: Ledger) -> None:
    """Show the scores at the measure's cutoff; a click on one makes it the page's measure."""

    def choose() -> None:
        symbol = state.value(_KEY)["chosen"]
        if symbol in SYMBOLS:
            state.put({state.MEASURE: symbol})

    k = ledger.measure.cutoff
    _strip(
        key=_KEY,
        data={
            "label": f"Other measures at k = {k}" if k else "Other measures",
            "measures": [_shown(symbol, ledger) for symbol in SYMBOLS],
        },
        on_chosen_change=choose,
    )


def _shown(symbol: str, ledger: Ledger) -> dict[str, Any]:
    measure = REGISTRY[symbol](ledger.measure.cutoff)
    try:
        score, why = float(measure.ledger(ledger.judged).scores[0]), ""
    except MeasureError as error:
        score, why = float("nan"), f" {error}"
    return {
        "symbol": symbol,
        "name": f"{ledger_text.explained(measure)}{why}",
        "score": text.number(score),
        "chosen": symbol == ledger.measure.symbol,
    }
