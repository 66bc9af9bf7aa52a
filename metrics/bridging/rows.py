"""A model's scores of labelled rows, grouped by query: what every bridge evaluates."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import ArrayLike, NDArray

from ..arrays import Ints, column, repeat
from ..conventions.convention import Convention, presets_like
from ..data import Qrels, Run
from ..deciding.rule import LESS_IS_BETTER
from ..errors import DataError, MeasureError
from ..measures import Measure
from ..scoring.evaluate import Scores, evaluate
from ..scoring.naming import parse


def evaluate_rows(
    measures: Iterable[Measure],
    convention: Convention,
    grades: ArrayLike,
    scores: ArrayLike,
    queries: ArrayLike,
) -> Scores:
    """Return the scores of rows, each with a grade, a model's score and the query it belongs to.

    A row's document id is its place within its query, so that an order by id is one by row.

    Raises
    ------
    DataError
        When the columns differ in length, or a grade, score or query is missing.

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

    Raises
    ------
    DataError
        When its rows have different lengths.
    """
    try:
        return np.asarray(values)
    except ValueError as error:
        raise DataError(
            f"The {what} are not one column ({error}); pass one for each row."
        ) from error


def of_sizes(sizes: ArrayLike | None, rows: int, hint: str) -> Ints:
    """Return the query of each row, as a number, from the number of rows of each query.

    Raises
    ------
    DataError
        When the sizes are missing or do not sum to the rows; ``hint`` says how to give them.
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

    Raises
    ------
    MeasureError
        When a measure is not known, or falls where a model gets better.
    """
    if not isinstance(measures, Iterable) or isinstance(measures, str):
        measures = [measures]
    found = [parse(each) for each in measures]
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
