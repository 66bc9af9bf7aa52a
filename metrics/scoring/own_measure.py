"""Own measures: a function of one query's grades that returns what each rank earns."""

import re
from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import Floats, Ints
from ..conventions.convention import Convention
from ..errors import MeasureError
from ..matching import Hits, JudgedRankings
from ..measures import Measure
from ..measures.arithmetic import assessed
from ..measures.base import Lines
from .naming import names, normalised_name, parse

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,49}", re.ASCII)


@dataclass(frozen=True, eq=False)
class QueryGrades:
    """The judged documents of one query, as the function of an own measure gets them.

    Attributes
    ----------
    grades
        ``(n,)`` the grades of the judged documents that were retrieved, in rank order, down to the
        cutoff. The convention decides whether negative grades are among them.
    ranks
        ``(n,)`` their ranks, from 1; unjudged documents are between them.
    ideal
        ``(m,)`` the grades of the ideal ranking, highest first, not cut.
    retrieved
        The number of documents retrieved.
    cutoff
        The k after ``@``; None: the whole ranking.
    """

    grades: Floats
    ranks: Ints
    ideal: Floats
    retrieved: int
    cutoff: int | None


Earned = Callable[[QueryGrades], ArrayLike]


def own_measure(function: Earned, name: str = "") -> Measure:
    """Return a measure of your own, which works as the others do: ``own_measure(half) @ 10``.

    The function decides alone what a grade is worth; the convention ranks the documents, and
    decides which documents are ideal and which queries count. A higher score is better.

    Parameters
    ----------
    function
        Takes a `QueryGrades`, and returns ``(n,)`` what each of its documents adds to the score of
        the query. It is not called for a query without a judged document down to the cutoff.
    name
        The name in tables; by default the function's.

    Raises
    ------
    MeasureError
        When the name is that of another measure, or is not a word. While a query is scored: when
        the function fails, or does not return a finite number for each document.

    Examples
    --------
    >>> from metrics import explain
    >>> def half(query):
    ...     return (query.grades > 0) / 2.0**query.ranks
    >>> qrels, run = {"q1": {"a": 1, "c": 2}}, {"q1": {"a": 3, "b": 2, "c": 1}}
    >>> explain(qrels, run, own_measure(half) @ 10, "q1")["contribution"].to_dict()
    {1: 0.5, 2: 0.0, 3: 0.125}
    """
    if not callable(function):
        raise MeasureError(
            f"An own measure needs a function of one query, not {function!r}; it returns what each "
            "document earns."
        )
    name = name or getattr(function, "__name__", "")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise MeasureError(
            f"{name!r} cannot be the name of a measure; pass name= with a word of letters, digits, "
            "- and _, at most 50."
        )
    if _is_known(name):
        raise MeasureError(
            f"{name!r} is the name of another measure; pass another one: "
            f"own_measure(function, name='my_{name}')."
        )
    return OwnMeasure(symbol=name, function=function)


def _is_known(name: str) -> bool:
    """Return whether a text names a measure without being one's own."""
    try:
        parse(name)
    except MeasureError:
        # IPrec is a name, too, though it lacks its recall point.
        return normalised_name(name) in names()
    return True


class OwnMeasure(Measure):
    """A measure made by `own_measure`; the registry does not hold it, and no text names it."""

    _: KW_ONLY
    symbol: str  # type: ignore[misc] # of this value, where other measures have one for the class
    function: Earned

    full_name = "own measure"
    meaning = "What a function of your own earns at each rank."
    formula = r"\sum_{i=1}^{k} \text{(what the function returns for rank } i \text{)}"
    term = "<contribution:.4g>"
    source = "your function"
    use = "No measure here says what counts."
    avoid = "Comparing with the numbers of others."
    value_range = "any"
    graded = True
    exchangeable = False
    choices = ("ideal", "negative")

    def given(self) -> dict[str, Any]:
        return {} if self.cutoff is None else {"cutoff": self.cutoff}

    @classmethod
    def check_parameter(cls, name: str) -> None:
        raise MeasureError(f"An own measure has no parameter {name!r}; write it into the function.")

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        known = np.flatnonzero(assessed(hits, convention))
        earned = np.zeros(len(hits))
        for query, rows, given in self._queries(hits[known], judged, convention):
            earned[known[rows]] = self._earned(judged.queries[query], given)
        return Lines({}, earned)

    def _queries(
        self, hits: Hits, judged: JudgedRankings, convention: Convention
    ) -> Iterator[tuple[int, slice, QueryGrades]]:
        """Yield each query that has hits, their rows, and what the function gets."""
        ideal = judged.ideal(convention.ideal, self.cutoff)
        ideal = ideal[assessed(ideal, convention)]
        grades, best = (_grades(each, convention) for each in (hits, ideal))
        ranks = hits.rank.copy()
        for values in (grades, best, ranks):
            # A function that changes its arguments would change the ranking.
            values.flags.writeable = False
        queries = np.unique(hits.query)
        edges = (
            np.searchsorted(each.query, queries, side).tolist()
            for each in (hits, ideal)
            for side in ("left", "right")
        )
        for query, start, stop, first, last in zip(queries.tolist(), *edges, strict=True):
            rows, retrieved = slice(start, stop), int(judged.retrieved[query])
            given = QueryGrades(grades[rows], ranks[rows], best[first:last], retrieved, self.cutoff)
            yield query, rows, given

    def _earned(self, query: str, given: QueryGrades) -> Floats:
        try:
            returned: Any = self.function(given)
        except Exception as error:
            raise MeasureError(
                f"{self}: its function failed on query {query!r}: {type(error).__name__}: {error}. "
                "Correct the function."
            ) from error
        wanted = f"one finite number for each of the {len(given.grades)} documents"
        try:
            earned = np.asarray(returned)
            right = earned.dtype.kind in "biuf" and earned.shape == given.grades.shape
        except ValueError:
            # Rows of different lengths.
            right = False
        if not right or not np.isfinite(earned).all():
            shown = repr(returned)
            raise MeasureError(
                f"{self}: for query {query!r} its function returned "
                f"{shown if len(shown) <= 80 else f'{shown[:80]}…'}; return {wanted}, the parts of "
                "the score that sum to it."
            )
        return earned.astype(float)

    def to_find(self, judged: JudgedRankings, convention: Convention) -> Floats:
        return judged.per_query(judged.judged.query[judged.judged.grade > 0]).astype(float)

    def tie_order(self, judged: JudgedRankings, convention: Convention, best: bool) -> Hits:
        if (judged.hits.first != judged.hits.last).any():
            raise MeasureError(
                f"Which order of equal scores gives {self} its lowest and its highest score is not "
                "known, since its function is your own. Break the ties."
            )
        return judged.hits


def _grades(hits: Hits, convention: Convention) -> Floats:
    """Return ``(n,)`` the grades of judged documents; below 0 only where they subtract."""
    return hits.grade.copy() if convention.negative == "subtract" else np.maximum(hits.grade, 0.0)
