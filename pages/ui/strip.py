"""The same ranking by the best-known measures, each a button that makes it the page's measure."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from metrics import REGISTRY, Ledger, Measure, MeasureError
from metrics.measures.base import UNIT
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

    _strip(
        key=_KEY,
        data={
            "label": "Other measures",
            "measures": [_shown(measure, ledger) for measure in offered.values()],
        },
        on_chosen_change=choose,
    )


def readings(
    scores: Mapping[str, Ledger], chosen: str, choose: Callable[[str], None], digits: int
) -> None:
    """Show scores of one list by name, the chosen one marked; a click calls ``choose``."""

    def clicked() -> None:
        if (name := state.value("readings")["chosen"]) in scores:
            choose(name)

    values = {name: float(ledger.scores[0]) for name, ledger in scores.items()}
    _strip(
        key="readings",
        data={
            "label": "Score the list by",
            "measures": [
                {
                    "symbol": name,
                    "name": ledger_text.explained(ledger.measure),
                    "score": text.number(values[name], digits),
                    "share": values[name] if ledger.measure.value_range == UNIT else None,
                    "chosen": name == chosen,
                }
                for name, ledger in scores.items()
            ],
        },
        on_chosen_change=clicked,
    )


def read_only(scores: Mapping[str, tuple[str, float]], digits: int) -> None:
    """Show scores from 0 to 1, each with its meaning, by measure."""
    _strip(
        key="measures",
        data={
            "label": "Measures",
            "measures": [
                {
                    "symbol": name,
                    "name": meaning,
                    "score": text.number(score, digits),
                    "share": score,
                }
                for name, (meaning, score) in scores.items()
            ],
        },
    )


def _measures(chosen: Measure, usual: int | None) -> list[Measure]:
    """Return each measure in its usual form, at the cutoff of the chosen one, and that one."""
    # AP says nothing about the cutoff of the others; nDCG without one does.
    whole = chosen.suffix == "cutoff" and chosen.usually_cut
    k = chosen.cutoff or (None if whole else usual)
    kinds = [REGISTRY[symbol] for symbol in SYMBOLS]
    forms = [kind(k if kind.usually_cut else None) for kind in kinds]
    own = [chosen] if type(chosen) in kinds and chosen not in forms else []
    return sorted([*forms, *own], key=lambda each: SYMBOLS.index(each.symbol))


def _shown(measure: Measure, ledger: Ledger) -> dict[str, Any]:
    try:
        score, why = float(measure.ledger(ledger.judged).scores[0]), ""
    except MeasureError as error:
        score, why = float("nan"), f" {error}"
    return {
        "symbol": str(measure),
        "name": f"{ledger_text.explained(measure)}{why}",
        "score": text.number(score),
        # All of them are from 0 to 1.
        "share": None if math.isnan(score) else score,
        "chosen": measure == ledger.measure,
    }
