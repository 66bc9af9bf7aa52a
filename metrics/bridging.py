"""Measures as other libraries take them: ir_measures, LightGBM, XGBoost, scikit-learn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import ArrayLike, NDArray

from .arrays import Floats, Ints, column, repeat
from .conventions.convention import TREC_EVAL, Convention, named, presets_like
from .data import Qrels, Run
from .data.column_names import OPTIONAL
from .deciding.regression import LESS_IS_BETTER
from .errors import DataError, MeasureError, RankscopeError
from .matching.batches import match
from .measures import Measure
from .scoring.evaluate import Scores, evaluate, score
from .scoring.naming import parse, several

LightGBMMetric = Callable[..., list[tuple[str, float, bool]]]
XGBoostMetric = Callable[[Floats, Any], list[tuple[str, float]]]


def lightgbm_metric(
    measures: str | Measure | Iterable[str | Measure],
    convention: Convention | str = TREC_EVAL,
) -> LightGBMMetric:
    """Return a metric for LightGBM: ``feval`` of `train`, or ``eval_metric`` of `LGBMRanker.fit`.

    The log names the convention: ``nDCG@5[LightGBM]``. Weights are not applied. Rows with the same
    score are ordered by the convention's rule for ties, and an order by id is one by row.

    Parameters
    ----------
    measures
        Names, such as ``"nDCG@10"`` or those of other tools, or values, such as ``nDCG @ 10``; one,
        or several.
    convention
        A `Convention`, or the name of a preset, such as ``"ranx"``.

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

    Parameters
    ----------
    measures
        Names, such as ``"nDCG@10"`` or those of other tools, or values, such as ``nDCG @ 10``; one,
        or several.
    convention
        A `Convention`, or the name of a preset, such as ``"ranx"``.

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
    measure
        A name, such as ``"nDCG@10"`` or that of another tool, or a value, such as ``nDCG @ 10``.
    convention
        A `Convention`, or the name of a preset, such as ``"ranx"``.
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


def evaluate_rows(
    measures: Iterable[Measure],
    convention: Convention,
    grades: ArrayLike,
    scores: ArrayLike,
    queries: ArrayLike,
) -> Scores:
    """Return the scores of rows, each with a grade, a model's score and the query it belongs to.

    A row's document id is its place within its query, so that an order by id is one by row.

    Raises DataError when the columns differ in length, or a grade, score or query is missing.

    Examples
    --------
    >>> rows = [0, 1, 2], [0.3, 0.1, 0.2], ["q1", "q1", "q2"]
    >>> evaluate_rows([parse("RR")], Convention(), *rows).per_query["RR"].tolist()
    [0.5, 1.0]
    """
    names, codes = _distinct(queries)
    query = pa.array([str(name) for name in names.tolist()], pa.string()).take(column(codes))
    order = np.argsort(codes, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order)) - np.searchsorted(codes[order], codes[order])
    # Few distinct ids are matched faster than one for each row.
    document = pc.utf8_lpad(pc.cast(column(place), pa.string()), 9, "0")
    qrels = Qrels.from_columns(query, document, array_of("grades", grades))
    run = Run.from_columns(query, document, array_of("scores", scores))
    return evaluate(qrels, run, measures, convention)


def _distinct(queries: ArrayLike) -> tuple[NDArray[Any], Ints]:
    """Return the distinct queries, and for each row the place of its query among them."""
    given = array_of("queries", queries)
    if given.ndim != 1:
        raise DataError(
            f"The queries have the shape {given.shape}; pass one query for each row, such as 'q1'."
        )
    if given.dtype.kind == "f" and np.isnan(given).any():
        raise DataError("A query is NaN; give every row the query that it belongs to.")
    try:
        names, codes = np.unique(given, return_inverse=True)
    except (TypeError, ValueError) as error:
        raise DataError(f"The queries are of several types ({error}); pass texts only.") from error
    return names, codes.astype(np.int64)


def array_of(what: str, values: ArrayLike) -> NDArray[Any]:
    """Return a column as an array.

    Raises DataError when its rows have different lengths.
    """
    try:
        return np.asarray(values)
    except ValueError as error:
        raise DataError(
            f"The {what} are not one column ({error}); pass one for each row."
        ) from error


def of_sizes(sizes: ArrayLike | None, rows: int, hint: str) -> Ints:
    """Return the query of each row, as a number, from the number of rows of each query.

    Raises DataError when the sizes are missing or do not sum to the rows; ``hint`` says how to give
    them.
    """
    many = array_of("groups", [] if sizes is None else sizes)
    if not many.size:
        raise DataError(f"The data have no groups, so their queries are not known; {hint}")
    if many.ndim != 1 or many.dtype.kind not in "iu" or (many < 0).any():
        raise DataError(f"The groups are not whole numbers, 0 or more, in one column; {hint}")
    if many.sum(dtype=float) != rows:
        raise DataError(f"The groups have {many.sum():,} rows, and there are {rows:,}; {hint}")
    return np.asarray(repeat(np.arange(len(many)), many))


def measures_of(measures: str | Measure | Iterable[str | Measure]) -> list[Measure]:
    """Return measures that rise where a model gets better.

    Raises MeasureError when a measure is not known, or falls where a model gets better.
    """
    found = [parse(each) for each in several(measures)]
    if not found:
        raise MeasureError("No measure is named; name one, such as 'nDCG@10'.")
    for each in found:
        if each.symbol in LESS_IS_BETTER:
            raise MeasureError(f"{each} rises where a model gets worse; choose another measure.")
    return found


def logged_name(measure: Measure, convention: Convention) -> str:
    """Return a measure's name with its convention, for the log of a training or a table.

    It differs from the name of a measure of theirs, which would take its place.

    Examples
    --------
    >>> from metrics import PRESETS
    >>> logged_name(parse("nDCG@5"), PRESETS["trec_eval 9"])
    'nDCG@5[trec_eval_9]'
    >>> logged_name(parse("nDCG@5"), Convention(gain="exponential"))
    'nDCG@5[gain=exponential]'
    """
    changed = [f"{each}={getattr(convention, each)}" for each in convention.differences()]
    like = presets_like(convention, vars(convention))
    name = f"{measure}[{like[0] if like else ','.join(changed)}]"
    # XGBoost splits its log at spaces and colons.
    return name.replace(" ", "_").replace(":", "=")


_IDS = ("query_id", "doc_id")


def ir_measure(measure: str | Measure, convention: Convention | str = TREC_EVAL) -> Any:
    """Return a measure for ir_measures, and for ``eval_metrics`` of PyTerrier's `Experiment`.

    Its name has the convention: ``nDCG@10[LightGBM]``. These tools decide which queries count: all
    of the qrels, with 0 for one that the run lacks.

    Parameters
    ----------
    measure
        A name, such as ``"nDCG@10"`` or that of another tool, or a value, such as ``nDCG @ 10``.
    convention
        A `Convention`, or the name of a preset, such as ``"ranx"``.

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
        known = [*_IDS, "relevance", *(name for name in OPTIONAL["aspect"] if name in qrels)]
        grades, ranked = qrels[known], run[[*_IDS, "score"]]
        ledger = score(match(grades, ranked, under), found).ledger(found)
        yield from zip(ledger.judged.queries, np.asarray(ledger.scores).tolist(), strict=True)

    return define(scores, logged_name(found, under), support_cutoff=False)
