"""check: whether a new run keeps what a baseline reached, and the documents behind a drop."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from ..comparing.comparison import Comparison, align
from ..comparing.evidence import Evidence, PairedTest, holm_corrected, uncorrected
from ..comparing.significance import EXACT, SAMPLES, TIE
from ..conventions.convention import Convention
from ..defaults import ALPHA, DEPTH, SEED
from ..errors import DataError, RankscopeError
from ..judging.judged import JudgedRankings
from ..measures import Measure
from ..scoring.evaluate import score
from ..scoring.naming import parse
from ..words import count, listed
from .comparable import differences, scored_on_one_side
from .dropped import QueryChange, changes
from .statement import Statement

MAX_DROP = 0.01
"""A mean may drop by this much, in the unit of the measure."""
NAMED = 5
"""At most this many queries that drop are named for each measure."""
LESS_IS_BETTER = frozenset({"NumNonrelRet", "RBPres", "Unjudged"})
"""Measures that rise where a run gets worse."""


class Outcome(Enum):
    """The answer of a check."""

    HOLDS = "holds"
    REGRESSION = "regression"
    NOT_COMPARABLE = "not comparable"


class Finding(Enum):
    """What a check finds for one measure."""

    HOLDS = "holds"
    CHANCE = "may be chance"
    """The mean drops by more than is allowed, but the test cannot tell that from chance."""
    REGRESSION = "regression"


@dataclass(frozen=True)
class Rule:
    """When a drop is a regression: it is larger than allowed *and* unlikely to be chance.

    Several measures must all hold. Their p-values are corrected together (Holm), so that more
    measures do not raise more false alarms.

    The p-value is two-sided, as in every other place of Rankscope. Only a drop fails, so of two
    equally good runs at most half of alpha fails: 2.5 % for 0.05. A one-sided test would find
    smaller drops at twice as many false alarms; a higher alpha does the same.

    Attributes
    ----------
    max_drop
        The largest drop of a mean that is allowed whatever its p-value, in the measure's unit.
    alpha
        A larger drop fails if the corrected p-value is below this. 1: nothing is tested, and the
        drop alone decides.
    must_hold
        Queries that must not drop at all, in any measure.
    seed
        The seed of the randomisation test.

    Raises
    ------
    RankscopeError
        When ``max_drop`` is negative or ``alpha`` is not above 0 and at most 1.
    """

    max_drop: float = MAX_DROP
    alpha: float = ALPHA
    must_hold: tuple[str, ...] = ()
    seed: int = SEED

    def __post_init__(self) -> None:
        if not 0 <= self.max_drop < math.inf:
            raise RankscopeError(f"max_drop must be a number, 0 or more, not {self.max_drop!r}.")
        if not 0 < self.alpha <= 1:
            raise RankscopeError(f"alpha must be above 0 and at most 1, not {self.alpha!r}.")

    @property
    def tests(self) -> bool:
        """Whether a drop is tested; else it alone decides."""
        return self.alpha < 1

    def judge(self, delta: float, p: float) -> Finding:
        """Return what a mean delta and its corrected p-value mean for one measure.

        Examples
        --------
        >>> [Rule().judge(*each).value for each in ((-0.01, 0.0), (-0.02, 0.2), (-0.02, 0.01))]
        ['holds', 'may be chance', 'regression']
        >>> Rule(alpha=1).judge(-0.02, 1.0).value
        'regression'
        """
        # A drop of exactly the limit can come out above it, by rounding.
        if not -delta > self.max_drop + TIE:
            return Finding.HOLDS
        return Finding.REGRESSION if not self.tests or p < self.alpha else Finding.CHANCE

    def require_power(self, queries: int, measures: int) -> None:
        """Refuse a test that no drop could fail.

        Raises
        ------
        RankscopeError
            When the lowest p-value of so few queries, corrected, is not below alpha.

        Examples
        --------
        >>> Rule().require_power(queries=6, measures=1)
        >>> Rule().require_power(queries=5, measures=1)
        Traceback (most recent call last):
        ...
        metrics.errors.RankscopeError: With 5 queries p is never below 0.0625, so no drop could \
fail at alpha 0.05. Use more queries, or alpha 1: then nothing is tested and the drop alone decides.
        """
        lowest = 2.0 ** (1 - queries) if queries <= EXACT else 1 / (SAMPLES + 1)
        least = min(1.0, measures * lowest)
        if self.tests and least >= self.alpha:
            number = count(queries, "query", "queries")
            of = f" and {measures} measures" if measures > 1 else ""
            raise RankscopeError(
                f"With {number}{of} p is never below {least:g}, so no drop could fail at alpha "
                f"{self.alpha:g}. Use more queries, or alpha 1: then nothing is tested and the "
                "drop alone decides."
            )


@dataclass(frozen=True, eq=False)
class MeasureCheck:
    """One measure of a check.

    Attributes
    ----------
    measure
        Its name.
    finding
        Whether it holds.
    evidence
        The means, the delta new − baseline, its interval and its p-value; A is the baseline.
    compared
        The baseline, as A, and the new run.
    """

    measure: str
    finding: Finding
    evidence: Evidence
    compared: Comparison

    @cached_property
    def drops(self) -> tuple[QueryChange, ...]:
        """The queries that drop most, the largest drop first, at most `NAMED`."""
        deltas = self.compared.per_query(self.measure)["delta"].sort_values(kind="stable")
        worst = deltas.index[deltas < -TIE][:NAMED]
        return changes(self.compared, self.measure, worst.tolist())


@dataclass(frozen=True, eq=False)
class HeldQuery:
    """A query that must not drop, with its scores.

    Attributes
    ----------
    query
        Its id.
    changes
        One for each measure.
    """

    query: str
    changes: tuple[QueryChange, ...]

    @property
    def drops(self) -> tuple[QueryChange, ...]:
        """The measures in which it drops."""
        return tuple(change for change in self.changes if change.is_drop)


@dataclass(frozen=True, eq=False)
class Check:
    """The answer of a check, as data: the wording is that of `metrics.writing.regression`.

    Attributes
    ----------
    rule, names
        The rule, and the names of the checked measures.
    convention
        The convention of the baseline.
    differences
        What makes the runs not comparable; then nothing is scored.
    measures, held
        The findings for each measure, and for each query that must hold.
    """

    rule: Rule
    names: tuple[str, ...]
    convention: Convention
    differences: tuple[Statement, ...] = ()
    measures: tuple[MeasureCheck, ...] = ()
    held: tuple[HeldQuery, ...] = ()

    @property
    def outcome(self) -> Outcome:
        """The answer."""
        if self.differences:
            return Outcome.NOT_COMPARABLE
        failed = any(each.finding is Finding.REGRESSION for each in self.measures)
        dropped = any(each.drops for each in self.held)
        return Outcome.REGRESSION if failed or dropped else Outcome.HOLDS

    @property
    def causes(self) -> tuple[QueryChange, ...]:
        """The queries to look at, in the order in which they are named, each once per measure.

        First those that must hold and drop, the largest drop first; then those of each measure,
        a measure that fails before others.
        """
        drops = (drop for each in self.held for drop in each.drops)
        held = sorted(drops, key=lambda each: each.delta)
        worst_first = sorted(self.measures, key=lambda each: _ORDER.index(each.finding))
        others = (drop for each in worst_first for drop in each.drops)
        named = {(drop.query, drop.measure): drop for drop in (*held[:NAMED], *others)}
        return tuple(named.values())

    @property
    def depth(self) -> int:
        """The rank down to which unjudged documents are counted: that of the first measure."""
        return parse(self.names[0]).cutoff or DEPTH

    def unjudged(self) -> tuple[float, float]:
        """Return the unjudged share of the top of the baseline and of the new run.

        It is a mean over the queries. A run can drop only because its documents have no grade.
        """
        shares = self.measures[0].compared.unjudged_shares(self.depth)
        return float(shares["A"].mean()), float(shares["B"].mean())


_ORDER = (Finding.REGRESSION, Finding.CHANCE, Finding.HOLDS)


def check(
    baseline: JudgedRankings,
    new: JudgedRankings,
    measures: Iterable[str | Measure],
    rule: Rule | None = None,
) -> Check:
    """Return whether a new run holds what a baseline reached.

    Raises
    ------
    MeasureError
        When a measure's name is not known.
    DataError
        When a query that must hold is not evaluated, or has no score.
    RankscopeError
        When nothing could fail: no measure, too few queries for the test, or a measure that rises
        where a run gets worse.

    Examples
    --------
    >>> from metrics import Qrels, Run, judge
    >>> qrels = Qrels.from_dict({f"q{i}": {"x": 1} for i in range(8)})
    >>> good = Run.from_dict({query: {"x": 2, "y": 1} for query in qrels.queries})
    >>> bad = Run.from_dict({query: {"x": 1, "y": 2} for query in qrels.queries})
    >>> found = check(judge(qrels, good), judge(qrels, bad), ["RR"])
    >>> found.outcome, found.measures[0].evidence.delta
    (<Outcome.REGRESSION: 'regression'>, -0.5)
    >>> found.causes[0].documents[0].document, found.causes[0].documents[0].new.rank
    ('x', 2)
    """
    rule = rule or Rule()
    parsed = {str(each): parse(each) for each in measures}
    if not parsed:
        raise RankscopeError("No measure is named, so nothing could fail. Name one: nDCG@10.")
    for name, measure in parsed.items():
        if measure.symbol in LESS_IS_BETTER:
            raise RankscopeError(
                f"{name} rises where a run gets worse, so a drop of it is no regression. "
                "Check another measure, such as nDCG@10."
            )
    names = tuple(parsed)
    if found := differences(baseline, new):
        return Check(rule, names, baseline.convention, found)
    sides = score(baseline, parsed.values()), score(new, parsed.values())
    compared = align(*sides)
    if found := scored_on_one_side(*sides):
        return Check(rule, names, baseline.convention, found)
    asked = PairedTest(seed=rule.seed)
    rows = {name: uncorrected(compared, name, asked) for name in compared.a.ledgers}
    for row in rows.values():
        rule.require_power(row.queries, len(rows))
    _require_scores(compared, rule.must_hold)
    found_for = tuple(
        MeasureCheck(name, rule.judge(row.delta, row.corrected), row, compared)
        # Every measure must hold, so all are corrected.
        for name, row in holm_corrected(rows).items()
    )
    held = tuple(_held(compared, rule.must_hold))
    return Check(rule, names, baseline.convention, (), found_for, held)


def _held(compared: Comparison, queries: Sequence[str]) -> Iterable[HeldQuery]:
    """Return the change of each query in each measure; documents only for those named later."""
    of_query: dict[str, list[QueryChange]] = {query: [] for query in queries}
    for measure in compared.a.ledgers if queries else ():
        for change in changes(compared, measure, list(of_query), opened=NAMED):
            of_query[change.query].append(change)
    return (HeldQuery(query, tuple(found)) for query, found in of_query.items())


def _require_scores(compared: Comparison, queries: Sequence[str]) -> None:
    """Refuse queries that cannot be checked: a list with a mistake would hold silently.

    Raises
    ------
    DataError
        With the first of them.
    """
    known = frozenset(compared.queries)
    if unknown := [query for query in queries if query not in known]:
        raise DataError(
            f"{count(len(unknown), 'query', 'queries')} that must hold "
            f"{'is' if len(unknown) == 1 else 'are'} not among the evaluated queries: "
            f"{listed(unknown)}. Correct the list, or judge runs that have results for them."
        )
    for measure in compared.a.ledgers:
        scored = frozenset(compared.per_query(measure).index)
        if without := [query for query in queries if query not in scored]:
            raise DataError(
                f"{count(len(without), 'query', 'queries')} that must hold "
                f"{'has' if len(without) == 1 else 'have'} no score in {measure}: "
                f"{listed(without)}. Remove them from the list, or check another measure."
            )
