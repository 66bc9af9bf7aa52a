"""bounds: the lowest and highest score that the order of equal scores leaves open."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..conventions.convention import TREC_EVAL, Convention
from ..data import Qrels, Run
from ..errors import MeasureError
from ..judging.judged import judge
from ..measures import Measure
from ..scoring.naming import parse

if TYPE_CHECKING:
    import pandas as pd


def bounds(
    qrels: Qrels, run: Run, measure: str | Measure, convention: Convention = TREC_EVAL
) -> pd.DataFrame:
    """The exact range of each query's score over all orders of equally scored documents.

    Raises
    ------
    MeasureError
        When the order changes the ideal ranking too, or there are too many orders to search.

    Returns
    -------
    DataFrame
        Index query; columns ``lowest``, ``score`` under the convention, and ``highest``.

    Examples
    --------
    >>> qrels = Qrels.from_dict({"q1": {"a": 1}})
    >>> run = Run.from_dict({"q1": {"a": 1.0, "b": 1.0, "c": 1.0}})
    >>> bounds(qrels, run, "RR", Convention(ties="ascending")).round(4).to_dict("index")
    {'q1': {'lowest': 0.3333, 'score': 1.0, 'highest': 1.0}}
    """
    import pandas as pd

    measure = parse(measure)
    judged = judge(qrels, run, convention)
    # An order is set below; the mean over orders would ask for another score.
    ordered = judged.under(ties="input")
    under = measure.under(ordered.convention)
    if under.ideal == "doubled" and "ideal" in measure.choices and measure.cutoff is not None:
        raise MeasureError(
            f"The ideal ranking of {measure} changes with the order of equal scores when the top k "
            "count twice in it, so its bounds are not known. Choose another ideal."
        )
    ends = (
        measure.ledger(replace(ordered, hits=measure.extreme(ordered, under, best))).scores
        for best in (False, True)
    )
    lowest, highest = ends
    return pd.DataFrame(
        {"lowest": lowest, "score": measure.ledger(judged).scores, "highest": highest},
        index=pd.Index(judged.queries, name="query", dtype=str),
    )
