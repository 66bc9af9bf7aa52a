"""judge_next: which unjudged document to judge next, until the verdict on two runs cannot turn.

`OpenQueries` are the queries with such documents, while one after the other is judged.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..arrays import NOISE, Floats, Ints
from ..conventions.convention import TREC_EVAL, Convention, named
from ..data import Qrels, Run
from ..errors import DataError, UnscoredError
from ..matching.batches import Given, built, remaining
from ..measures import Measure
from ..scoring.evaluate import mean
from ..scoring.naming import parse
from . import reversal
from .comparison import compare
from .reversal import MeanRange, joined
from .significance import TIE

_DIGITS = round(-math.log10(NOISE))


@dataclass(frozen=True, eq=False, repr=False)
class OpenQuery:
    """One query with unjudged documents that count.

    Attributes
    ----------
    documents, rank
        The documents, and ``(n,)`` their best ranks in either run.
    scale
        ``(g,)`` the grades to try, the worst first.
    found
        The range of the query's delta over their grades.
    low, high
        ``(n, g)`` the query's delta with one document at each grade, and the others at the grades
        of either end; 0 where the convention leaves the query out.
    """

    documents: Sequence[str]
    rank: Ints
    scale: Floats
    found: reversal.Reversal
    low: Floats
    high: Floats

    @classmethod
    def of(cls, lists: reversal.Lists) -> OpenQuery:
        """Return the query of these lists."""
        level = {grade: number for number, grade in enumerate(lists.scale.tolist())}
        zeros = np.full((1, len(lists.unjudged)), level[0.0])
        # Once all are judged, a query counts where it does with all grades 0, and maybe elsewhere.
        found = reversal.over_grades(lists, float(lists.deltas(zeros)[0]))
        ends = [[level[g] for g in each.values()] for each in (found.low_grades, found.high_grades)]
        low, high = np.nan_to_num(lists.single_changes(np.array(ends)))
        rank = np.full(len(lists.unjudged), np.iinfo(np.int64).max)
        for side in lists.sides:
            column = lists.columns(side.hits)
            np.minimum.at(rank, column[column >= 0], side.hits.rank[column >= 0])
        return cls(lists.unjudged, rank, lists.scale, found, low, high)

    def rises(self, sign: int) -> Floats:
        """Return ``(n, g)`` how far each grade alone moves an end towards the other one.

        ``sign``: 1 for the low end, −1 for the high one.
        """
        deltas, end = (
            (self.low, self.found.reached_low) if sign > 0 else (self.high, self.found.reached_high)
        )
        return np.maximum(sign * (deltas - end), 0.0)


@dataclass(frozen=True)
class Candidate:
    """An unjudged document whose grade counts in the comparison of two runs.

    Attributes
    ----------
    query, document
        The query, and the document to judge for it.
    rank
        Its best rank in either run.
    move
        How far its grade can move the end of the range that keeps the verdict open, as a share in
        the mean: at most, with the other unjudged documents at the grades of that end.
    expected
        The mean of the same over its grades, each as likely as its share among all judgments.
    """

    query: str
    document: str
    rank: int
    move: float
    expected: float


@dataclass(frozen=True, eq=False, repr=False)
class JudgeNext:
    """The possible range of a mean delta B − A, and the documents to judge, the first one first.

    Attributes
    ----------
    runs, measure, convention
        What is compared, as `judge_next` takes it.
    grades
        The grades that a document can have.
    known
        The grade of each judged document, by query: of the compared queries alone.
    as_judged
        The delta of each query; NaN where it has no score.
    open
        The queries with unjudged documents that count.
    """

    runs: tuple[Run, Run]
    measure: Measure
    convention: Convention
    grades: Floats
    known: Mapping[str, Mapping[str, float]]
    as_judged: Mapping[str, float]
    open: Mapping[str, OpenQuery]

    def __repr__(self) -> str:
        return f"JudgeNext(delta={self.delta}, over={self.over}, order={self.order})"

    @classmethod
    def _of(
        cls,
        qrels: Qrels,
        runs: tuple[Run, Run],
        measure: Measure,
        convention: Convention,
        grades: Collection[float] | None,
    ) -> JudgeNext:
        """Return what `judge_next` does, of arguments that are read."""
        if any(qrels.aspects.get(query) for query in qrels.queries):
            reversal.require_no_aspects(measure)
        queries = qrels.queries
        if convention.queries == "both":
            shared = set(runs[0].queries) & set(runs[1].queries)
            queries = tuple(query for query in queries if query in shared)
        known = qrels.only(*queries).to_dict()
        empty = cls(runs, measure, convention, _scale(qrels, grades), known, {}, {})
        return empty._reopened(queries)

    def judged(self, query: str, document: str, grade: float) -> JudgeNext:
        """Return what `judge_next` returns after one more judgment; only its query is searched.

        Parameters
        ----------
        query
            A compared query.
        document
            The document that was judged.
        grade
            Its grade: 0, or another of those that `judge_next` allows for.

        Raises
        ------
        DataError
            When the query is not compared, or the grade is not one that the range allows for.
        """
        if query not in self.known:
            raise DataError(f"Query {query!r} is not among the compared queries of the qrels.")
        if grade not in self.grades:
            scale = ", ".join(f"{each:g}" for each in self.grades.tolist())
            raise DataError(
                f"The grade {grade:g} is not one of {scale}, for which the range was computed. "
                "Name it in grades."
            )
        known = {**self.known, query: {**self.known[query], document: float(grade)}}
        return replace(self, known=known)._reopened([query])

    def _reopened(self, queries: Iterable[str]) -> JudgeNext:
        """Return the same state with some of the queries computed again."""
        qrels = Qrels.from_dict({query: self.known[query] for query in queries})
        a, b = (run.only(*qrels.queries) for run in self.runs)
        unjudged = reversal.unjudged_that_count(qrels, (a, b), self.measure, self.convention)
        compared = compare(qrels, a, b, self.measure, self.convention)
        deltas = compared.per_query(self.measure)["delta"]
        opened: dict[str, OpenQuery | None] = dict.fromkeys(qrels.queries)
        some = [query for query in qrels.queries if unjudged[query]]
        part = [run.only(*some) for run in (a, b)]
        judged, (measure, convention) = qrels.only(*some), (self.measure, self.convention)
        for lists in reversal.open_lists(judged, part, measure, convention, self.grades, unjudged):
            with suppress(UnscoredError):
                opened[lists.query] = OpenQuery.of(lists)
        return replace(
            self,
            as_judged={**self.as_judged, **{q: float(deltas.get(q, math.nan)) for q in opened}},
            open={q: each for q, each in {**self.open, **opened}.items() if each is not None},
        )

    @cached_property
    def delta(self) -> float:
        """The mean delta as judged; NaN where no query has a score yet."""
        return mean(np.array([*self.as_judged.values()]))

    @cached_property
    def _fixed(self) -> list[float]:
        """The deltas of the queries without unjudged documents that count."""
        rest = (delta for query, delta in self.as_judged.items() if query not in self.open)
        return [delta for delta in rest if not math.isnan(delta)]

    @property
    def _scored(self) -> int:
        """The number of queries that can have a score."""
        return len(self._fixed) + len(self.open)

    @cached_property
    def over(self) -> MeanRange:
        """The range of the mean delta once all documents in ``order`` are judged."""
        return joined(self._fixed, [each.found for each in self.open.values()])

    @cached_property
    def order(self) -> tuple[Candidate, ...]:
        """The unjudged documents that count, the one expected to move the verdict most first."""
        # While neither run leads, the nearer end is the easier one to bring to 0.
        lead = self.delta if abs(self.delta) > TIE else self.over.low + self.over.high
        rises = []
        for each in self.open.values():
            rise = each.rises(1 if lead >= -TIE else -1)
            rises.append(np.stack([rise.max(axis=1), rise @ self._shares(each.scale)]))
        if not rises:
            return ()
        # Equal numbers that differ by rounding alone are equal.
        move, expected = np.round(np.concatenate(rises, axis=1) / self._scored, _DIGITS)
        rank = np.concatenate([each.rank for each in self.open.values()])
        # Queries are in the order of the qrels, and documents as listed: both break ties.
        order = np.lexsort((rank, -expected))
        names = [(query, name) for query, each in self.open.items() for name in each.documents]
        columns = (each.tolist() for each in (order, rank[order], move[order], expected[order]))
        return tuple(Candidate(*names[row], *of) for row, *of in zip(*columns, strict=True))

    @property
    def can_turn(self) -> bool | None:
        """Whether either run can be ahead, as judged or with more grades.

        None: not known, or no query is compared. If not, one of the runs cannot get ahead any
        more, whatever the grades; it may still draw level.
        """
        if math.isnan(self.delta) and not self.order:
            return None
        ahead = (
            (max(-self.over.reached_low, -self.delta), -self.over.low),
            (max(self.over.reached_high, self.delta), self.over.high),
        )
        if all(reached > TIE for reached, _ in ahead):
            return True
        return None if all(max(each) > TIE for each in ahead) else False

    @cached_property
    def _judgments(self) -> Floats:
        return np.array([grade for each in self.known.values() for grade in each.values()])

    def _shares(self, scale: Floats) -> Floats:
        """Return ``(g,)`` the share of each grade in the judgments so far, with one more of each.

        A grade that is not on the scale counts as the next lower one, or as the lowest.
        """
        ascending = np.argsort(scale)
        step = np.searchsorted(scale[ascending], self._judgments, "right") - 1
        count = np.ones(len(scale))
        np.add.at(count, ascending[step.clip(min=0)], 1)
        return np.asarray(count / count.sum())


def _scale(qrels: Qrels, grades: Collection[float] | None) -> Floats:
    """Return the grades to try; by default those of the qrels, or 0 and 1."""
    scale = np.unique(np.append(0.0, qrels.value if grades is None else list(grades)))
    return np.array([0.0, 1.0]) if grades is None and scale[-1] <= 0 else scale


def judge_next(
    qrels: Given,
    run_a: Given,
    run_b: Given,
    measure: str | Measure,
    convention: Convention | str = TREC_EVAL,
    grades: Collection[float] | None = None,
) -> JudgeNext:
    """Return which documents to judge next, and whether their grades can still turn the verdict.

    The order is that of minimal test collections. One end of the range keeps the verdict open: the
    lowest mean delta while B leads, the highest while A leads, the nearer to 0 while neither does.
    Each unjudged document is at some grade there; the first to judge is the one whose expected
    grade moves that end most towards the leader, with the others where they are. A document that
    can decide much but is likely to have the grade assumed already thus comes later. Documents are
    judged for what they settle, so until then the delta as judged is not an estimate.

    Documents that count are those of `reversal`: retrieved by either run down to the cutoff. Those
    below the cutoff in both runs, and those in neither, are never listed; a relevant one would
    still raise an ideal or R. The range is exact where it is for `reversal`; otherwise it bounds
    the delta, and ``can_turn`` may be None. It holds for the day when all listed documents are
    judged: where unjudged documents are removed, and in Bpref, the delta can lie outside before.

    Of documents with the same expectation, the one with the better rank in either run comes first,
    then the one of the earlier query in the qrels, then A's.

    Parameters
    ----------
    qrels
        The judgments so far. A query without any counts if it is listed: see `Dataset.is_judged`.
    run_a, run_b
        Both runs as a whole.
    measure
        A name, such as ``"nDCG@10"`` or that of another tool, or a value, such as ``nDCG @ 10``.
    convention
        A `Convention`, or the name of a preset, such as ``"ranx"``.
    grades
        The grades that a document can have, besides 0. None: those in the qrels; 1 where these have
        none above 0.

    Raises
    ------
    DataError
        When an argument has the wrong type, or a run is not known as a whole.
    MeasureError
        When the measure is not known, there are too many grades to try, or the measure depends on
        aspects or refuses the convention.
    RankscopeError
        When no preset has the convention's name.

    References
    ----------
    Carterette, Allan & Sitaraman, SIGIR (2006): minimal test collections.

    Examples
    --------
    >>> qrels = Qrels.from_dict({"q1": {"x": 1}, "q2": {"x": 1}})
    >>> a = Run.from_dict({"q1": {"x": 2, "y": 1}, "q2": {"z": 2, "x": 1}})
    >>> b = Run.from_dict({"q1": {"y": 2, "x": 1}, "q2": {"x": 1}})
    >>> found = judge_next(qrels, a, b, "RR@2")
    >>> found.delta, found.over.low, found.over.high, found.can_turn
    (0.0, -0.25, 0.25, True)
    >>> [(each.query, each.document, each.move) for each in found.order]
    [('q1', 'y', 0.25), ('q2', 'z', 0.25)]
    """
    judged: Qrels = built(Qrels, qrels)
    a, b = remaining(judged, run_a), remaining(judged, run_b)
    for run in (a, b):
        if not isinstance(run, Run):
            raise DataError(
                f"The unjudged documents of {run.name} are not kept. Pass both runs as a whole."
            )
    return JudgeNext._of(judged, (a, b), parse(measure), named(convention), grades)
