"""A scorer for cross-validation and grid search with scikit-learn."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..conventions.convention import TREC_EVAL, Convention, named
from ..errors import DataError, RankscopeError
from ..measures import Measure
from .rows import evaluate_rows, measures_of

Scorer = Callable[..., float]


def sklearn_scorer(
    measure: str | Measure,
    convention: Convention | str = TREC_EVAL,
    *,
    queries: str | int | None = None,
) -> Scorer:
    """Return a scorer for ``scoring=`` of scikit-learn: the mean over the queries of a fold.

    scikit-learn hands a scorer the rows of a fold, not their queries. They come in one of two ways:
    as a column of X, which the model must not learn from; or as ``params={"groups": …}``, with
    scikit-learn's metadata routing, which hands them to the folds, such as `GroupKFold`, as well.
    Split by query, so that no query is in two folds.

    Parameters
    ----------
    queries
        The column of X with the query of each row: its name, or its place where X is an array;
        None: the queries are routed as ``groups``.

    Raises
    ------
    RankscopeError
        When the measure or the convention is not known, or neither way is open; while a fold is
        scored, when the queries are missing. In a search, ``error_score="raise"`` shows it.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.compose import make_column_transformer
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn.model_selection import GroupKFold, cross_val_score
    >>> from sklearn.pipeline import make_pipeline
    >>> features = make_column_transformer(("passthrough", [1]))  # the query, column 0, is left out
    >>> model, folds = make_pipeline(features, LinearRegression()), GroupKFold(3)
    >>> X, y = np.array([[1, 5], [1, 2], [2, 4], [2, 1], [3, 3], [3, 4]]), [1, 0, 1, 0, 1, 0]
    >>> scorer = sklearn_scorer("RR", queries=0)
    >>> cross_val_score(model, X, y, groups=X[:, 0], cv=folds, scoring=scorer).tolist()
    [0.5, 1.0, 1.0]
    """
    (found,), under = measures_of([measure]), named(convention)
    if queries is not None:
        if not isinstance(queries, str | int):
            raise DataError(
                f"queries is a {type(queries).__name__}; name a column of X, such as 'qid', or its "
                "place where X is an array."
            )
        return _ColumnScorer(found, under, queries)
    from sklearn import get_config
    from sklearn.metrics import make_scorer

    if not get_config()["enable_metadata_routing"]:
        raise RankscopeError(
            "A scorer needs the query of each row. Name a column of X, such as queries='qid'; or "
            "call sklearn.set_config(enable_metadata_routing=True) before, and pass "
            "params={'groups': queries} to the search."
        )
    scorer: Scorer = make_scorer(partial(_routed, found, under)).set_score_request(groups=True)
    return scorer


def _routed(
    measure: Measure,
    convention: Convention,
    grades: ArrayLike,
    scores: ArrayLike,
    groups: ArrayLike | None = None,
) -> float:
    if groups is None:
        raise DataError("The queries are missing; pass params={'groups': queries} to the search.")
    return evaluate_rows([measure], convention, grades, scores, groups).average(str(measure))


@dataclass(frozen=True)
class _ColumnScorer:
    """Scores a model's predictions; the queries are a column of X."""

    measure: Measure
    convention: Convention
    queries: str | int

    def __call__(self, model: Any, rows: Any, grades: ArrayLike) -> float:
        try:
            table: Any = rows if hasattr(rows, "columns") else np.asarray(rows).T
            column = table[self.queries]
        except (LookupError, OverflowError, TypeError, ValueError) as error:
            raise DataError(
                f"X has no column {self.queries!r} with the queries; name one of its columns, or "
                "its place where X is an array."
            ) from error
        return _routed(self.measure, self.convention, grades, model.predict(rows), column)
