"""Measures as objects of ir_measures, which PyTerrier's experiments take as well."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..conventions.convention import TREC_EVAL, Convention, named
from ..data.column_names import ASPECTS
from ..errors import MeasureError
from ..matching.batches import match
from ..measures import Measure
from ..scoring.evaluate import score
from ..scoring.naming import parse
from .training import logged_name

_IDS = ("query_id", "doc_id")


def ir_measure(measure: str | Measure, convention: Convention | str = TREC_EVAL) -> Any:
    """Return a measure for ir_measures, and for ``eval_metrics`` of PyTerrier's `Experiment`.

    Its name has the convention: ``nDCG@10[LightGBM]``. These tools decide which queries count: all
    of the qrels, with 0 for one that the run lacks.

    Raises
    ------
    RankscopeError
        When the measure or the convention is not known, or leaves queries out, which these tools
        would count as 0; or when ir_measures is not installed.

    Examples
    --------
    >>> import ir_measures
    >>> grades, scores = {"q1": {"a": 2, "b": 1}}, {"q1": {"b": 2, "a": 1}}
    >>> ir_measures.calc_aggregate([ir_measure("nDCG@5", "LightGBM")], grades, scores)
    {nDCG@5[LightGBM]: 0.7967075809905066}
    """
    found, under = parse(measure), named(convention)
    if under.undefined == "skip":
        raise MeasureError(
            "The convention leaves out queries with nothing to find, and ir_measures would count "
            'them as 0. Choose undefined="zero" or "one".'
        )
    try:
        from ir_measures import define
    except ImportError as error:
        raise MeasureError("ir_measures is not installed: pip install ir-measures.") from error

    def scores(qrels: Any, run: Any) -> Iterator[tuple[str, float]]:
        """Yield each query with its score; ir_measures passes all queries at once."""
        # PyTerrier's frames have other columns, too, such as docid.
        known = [*_IDS, "relevance", *(name for name in ASPECTS if name in qrels)]
        grades, ranked = qrels[known], run[[*_IDS, "score"]]
        ledger = score(match(grades, ranked, under), found).ledger(found)
        yield from zip(ledger.judged.queries, np.asarray(ledger.scores).tolist(), strict=True)

    return define(scores, logged_name(found, under), support_cutoff=False)
