"""Metrics of LightGBM and XGBoost: any measure, under any convention, in every round."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import Floats
from ..conventions.convention import TREC_EVAL, Convention, named
from ..errors import DataError
from ..measures import Measure
from .rows import array_of, evaluate_rows, logged_name, measures_of, of_sizes

LightGBMMetric = Callable[..., list[tuple[str, float, bool]]]
XGBoostMetric = Callable[[Floats, Any], list[tuple[str, float]]]


def lightgbm_metric(
    measures: str | Measure | Iterable[str | Measure],
    convention: Convention | str = TREC_EVAL,
) -> LightGBMMetric:
    """Return a metric for LightGBM: ``feval`` of `train`, or ``eval_metric`` of `LGBMRanker.fit`.

    The log names the convention: ``nDCG@5[LightGBM]``. Weights are not applied. Rows with the same
    score are ordered by the convention's rule for ties, and an order by id is one by row.

    Raises
    ------
    RankscopeError
        When a measure or the convention is not known, or a measure falls where a model gets better;
        in training, when the data have no groups or no labels.

    Examples
    --------
    >>> metric = lightgbm_metric("nDCG@5", "LightGBM")
    >>> metric([0, 1], [0.2, 0.1], group=[2])
    [('nDCG@5[LightGBM]', 0.6309297535714575, True)]
    """
    return _Metric(measures_of(measures), named(convention)).of_lightgbm


def xgboost_metric(
    measures: str | Measure | Iterable[str | Measure],
    convention: Convention | str = TREC_EVAL,
) -> XGBoostMetric:
    """Return a metric for XGBoost: ``custom_metric`` of `train`.

    XGBoost keeps six digits of it. It takes the metric as one to minimise unless
    ``EarlyStopping(…, maximize=True)`` says otherwise. Weights are not applied.

    Raises
    ------
    RankscopeError
        As `lightgbm_metric` does.
    """
    return _Metric(measures_of(measures), named(convention)).of_xgboost


@dataclass(frozen=True)
class _Metric:
    """Measures under a convention, as each library calls them."""

    measures: list[Measure]
    convention: Convention

    def of_lightgbm(
        self, first: Any, second: Any, weight: object = None, group: ArrayLike | None = None
    ) -> list[tuple[str, float, bool]]:
        """Return names and values; all four arguments are LGBMRanker's, `train` passes two."""
        grades, scores = first, second
        if hasattr(second, "get_group"):
            grades, scores, group = second.get_label(), first, second.get_group()
        rows = array_of("scores", scores).size
        queries = of_sizes(group, rows, "pass group=[rows of each query] to the Dataset.")
        return [(*each, True) for each in self._values(grades, scores, queries)]

    def of_xgboost(self, scores: Floats, data: Any) -> list[tuple[str, float]]:
        if not hasattr(data, "get_uint_info"):
            raise DataError(
                f"The data are a {type(data).__name__}, not a DMatrix; pass this metric to "
                "xgboost.train as custom_metric."
            )
        sizes = np.diff(data.get_uint_info("group_ptr"))
        rows = array_of("scores", scores).size
        queries = of_sizes(sizes, rows, "pass group=[rows of each query] or qid to the DMatrix.")
        return self._values(data.get_label(), scores, queries)

    def _values(
        self, grades: ArrayLike, scores: ArrayLike, queries: ArrayLike
    ) -> list[tuple[str, float]]:
        measures, convention = self.measures, self.convention
        found = evaluate_rows(measures, convention, grades, scores, queries)
        return [(logged_name(each, convention), found.average(str(each))) for each in measures]
