"""check: whether a new run keeps what a baseline reached, and the documents behind a drop."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..arrays import is_finite
from ..comparing.comparison import Comparison, align
from ..comparing.evidence import Evidence, PairedTest, holm_corrected, uncorrected
from ..comparing.significance import EXACT, SAMPLES, TIE
from ..conventions.convention import Convention
from ..defaults import ALPHA, DEPTH, SEED
from ..errors import DataError, RankscopeError
from ..matching import JudgedRankings
from ..measures import Measure
from ..scoring.evaluate import score
from ..scoring.naming import parse
from ..words import count, listed
from .comparable import differences, scored_on_one_side
from .dropped import QueryChange, changes
from .statement import UNEVEN, Statement

MAX_DROP = 0.01
"""A mean may drop by this much, in the unit of the measure."""
LESS_IS_BETTER = frozenset({"NumNonrelRet", "RBPres", "Unjudged"})
"""Measures that rise where a run gets worse."""


class Ruling(Enum):
    """What a check finds, for one measure or in all."""

    HOLDS = "holds"
    CHANCE = "may be chance"
    """The mean drops by more than is allowed, but the test cannot tell that from chance."""
    REGRESSION = "regression"
    CANNOT_TELL = "cannot tell"
    """The runs have unjudged documents in uneven shares, and with or without these it differs."""
    NOT_COMPARABLE = "not comparable"
    """Not of one measure: the two runs are not judged alike."""


IN_A_CHECK = {
    "unjudged": "5 where their shares differ by more than --max-gap and they decide the answer",
    "queries": "3 where one run lacks them; those that the convention counts as 0 drop",
    "ties": "ranked as the convention says, in both runs",
    "level": "as the convention says, for both runs",
}
"""What a check answers for each kind of `statement.LEAVES_OPEN`."""


@dataclass(frozen=True)
class Rule:
    """When a drop is a regression: it is larger than allowed *and* unlikely to be chance.

    Several measures must all hold. Their p-values are corrected together (Holm), so that more
    measures do not raise more false alarms.

    The p-value is two-sided, as in every other place of Rankscope. Only a drop fails, so of two
    equally good runs at most half of alpha fails: 2.5 % for 0.05. A one-sided test would find
    smaller drops at twice as many false alarms; a higher alpha does the same.

    Raises RankscopeError when ``max_drop`` is negative, ``alpha`` not above 0 and at most 1, or
    ``max_gap`` not between 0 and 1.

    Attributes
    ----------
    max_drop
        The largest drop of a mean that is allowed whatever its p-value, in the measure's unit.
    alpha
        A larger drop fails if the corrected p-value is below this. 1: nothing is tested, and the
        drop alone decides.
    must_hold
        Queries that must not drop at all, in any measure.
    max_gap
        The largest difference between the unjudged shares of the two runs, near the top, at which
        unjudged documents simply count as 0. Beyond it they favour the run that was pooled: a drop
        is a regression only where the judged documents alone show it, too. 1: any difference.
    seed
        The seed of the randomisation test.
    """

    max_drop: float = MAX_DROP
    alpha: float = ALPHA
    must_hold: tuple[str, ...] = ()
    max_gap: float = UNEVEN
    seed: int = SEED

    def __post_init__(self) -> None:
        if not is_finite(self.max_drop) or self.max_drop < 0:
            raise RankscopeError(f"max_drop must be a number, 0 or more, not {self.max_drop!r}.")
        if not is_finite(self.alpha) or not 0 < self.alpha <= 1:
            raise RankscopeError(f"alpha must be above 0 and at most 1, not {self.alpha!r}.")
        if not is_finite(self.max_gap) or not 0 <= self.max_gap <= 1:
            raise RankscopeError(f"max_gap must be between 0 and 1, not {self.max_gap!r}.")

    @property
    def tests(self) -> bool:
        """Whether a drop is tested; else it alone decides."""
        return self.alpha < 1

    def ruling(self, delta: float, p: float) -> Ruling:
        """Return what a mean delta and its corrected p-value mean for one measure.

        Examples
        --------
        >>> [Rule().ruling(*each).value for each in ((-0.01, 0.0), (-0.02, 0.2), (-0.02, 0.01))]
        ['holds', 'may be chance', 'regression']
        >>> Rule(alpha=1).ruling(-0.02, 1.0).value
        'regression'
        """
        # A drop of exactly the limit can come out above it, by rounding.
        if not -delta > self.max_drop + TIE:
            return Ruling.HOLDS
        return Ruling.REGRESSION if not self.tests or p < self.alpha else Ruling.CHANCE

    def require_power(self, queries: int, measures: int) -> None:
        """Refuse a test that no drop could fail.

        Raises RankscopeError when the lowest p-value of so few queries, corrected, is not below
        alpha.

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


NAMED = 5
"""At most this many queries that drop are named for each measure."""


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
    otherwise
        Where unjudged documents decide, the evidence with these counted otherwise; else empty.
    """

    measure: str
    finding: Ruling
    evidence: Evidence
    compared: Comparison
    otherwise: Mapping[str, Evidence] = field(default_factory=dict)

    def counted(self, otherwise: Mapping[str, Evidence], rule: Rule) -> MeasureCheck:
        """Return the same, or *cannot tell* where other counts of the unjudged find otherwise."""
        fails = self.finding is Ruling.REGRESSION
        for row in otherwise.values():
            if (rule.ruling(row.delta, row.corrected) is Ruling.REGRESSION) != fails:
                return replace(self, finding=Ruling.CANNOT_TELL, otherwise=otherwise)
        return self

    @cached_property
    def drops(self) -> tuple[QueryChange, ...]:
        """The queries that drop most, the largest drop first, at most `NAMED`."""
        deltas = self.compared.per_query(self.measure)["delta"].sort_values(kind="stable")
        return changes(self.compared, self.measure, deltas.index[deltas < -TIE][:NAMED].tolist())


@dataclass(frozen=True, eq=False)
class HeldQuery:
    """A query that must not drop, with its scores.

    Attributes
    ----------
    query
        Its id.
    changes
        One for each measure.
    undecided
        Whether it hangs on unjudged documents.
    """

    query: str
    changes: tuple[QueryChange, ...]
    undecided: bool = False

    @property
    def drops(self) -> tuple[QueryChange, ...]:
        """The measures in which it drops."""
        return tuple(change for change in self.changes if change.is_drop)

    @property
    def finding(self) -> Ruling:
        """Whether it holds."""
        if self.undecided:
            return Ruling.CANNOT_TELL
        return Ruling.REGRESSION if self.drops else Ruling.HOLDS


class UnjudgedDocument(NamedTuple):
    """An unjudged document near the top, and its rank there."""

    query: str
    document: str
    rank: int


@dataclass(frozen=True, eq=False)
class Check:
    """The answer of a check, as data: the wording is that of `metrics.writing.check`.

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
    def outcome(self) -> Ruling:
        """The answer."""
        if self.differences:
            return Ruling.NOT_COMPARABLE
        found = {*(each.finding for each in self.measures), *(each.finding for each in self.held)}
        first = (Ruling.REGRESSION, Ruling.CANNOT_TELL)
        return next((each for each in first if each in found), Ruling.HOLDS)

    @property
    def causes(self) -> tuple[QueryChange, ...]:
        """The queries to look at, in the order in which they are named, each once per measure.

        First those that must hold and drop, the largest drop first; then those of each measure,
        a measure that fails before others.
        """
        drops = (drop for each in self.held for drop in each.drops)
        held = sorted(drops, key=lambda each: each.delta)
        others = (drop for each in self._worst_first for drop in each.drops)
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

    @property
    def _worst_first(self) -> list[MeasureCheck]:
        return sorted(self.measures, key=lambda each: _ORDER.index(each.finding))

    @cached_property
    def to_judge(self) -> tuple[UnjudgedDocument, ...]:
        """The documents whose grades would decide, where the answer is *cannot tell*.

        They are the unjudged documents near the top of the run that has more of them, as far as its
        judged file keeps them; those of the query that drops most come first.
        """
        if self.outcome is not Ruling.CANNOT_TELL:
            return ()
        first, (a, b) = self._worst_first[0], self.unjudged()
        run = first.compared.sides["AB"[b > a]].judged.shown()
        order = [each.query for each in self.held if each.finding is Ruling.CANNOT_TELL]
        if first.finding is Ruling.CANNOT_TELL:
            deltas = first.compared.per_query(first.measure)["delta"]
            order += deltas.sort_values(kind="stable").index.tolist()
        place = {query: number for number, query in enumerate(dict.fromkeys(order))}
        lines = run.hits[np.isnan(run.hits.grade) & (run.hits.rank <= self.depth)]
        found = (
            UnjudgedDocument(run.queries[query], document, rank)
            for query, document, rank in zip(
                lines.query.tolist(), lines.document.to_pylist(), lines.rank.tolist(), strict=True
            )
            if run.queries[query] in place
        )
        return tuple(sorted(found, key=lambda each: (place[each.query], each.rank)))


_ORDER = (Ruling.REGRESSION, Ruling.CANNOT_TELL, Ruling.CHANCE, Ruling.HOLDS)


def check(
    baseline: JudgedRankings,
    new: JudgedRankings,
    measures: Iterable[str | Measure],
    rule: Rule | None = None,
) -> Check:
    """Return whether a new run holds what a baseline reached.

    Raises MeasureError when a measure's name is not known. Raises DataError when a query that must
    hold is not evaluated, or has no score. Raises RankscopeError when nothing could fail: no
    measure, too few queries for the test, a measure that rises where a run gets worse, or unjudged
    documents that the rankings do not have any more.

    Examples
    --------
    >>> from metrics import Qrels, Run, match
    >>> qrels = Qrels.from_dict({f"q{i}": {"x": 1} for i in range(8)})
    >>> good = Run.from_dict({query: {"x": 2, "y": 1} for query in qrels.queries})
    >>> bad = Run.from_dict({query: {"x": 1, "y": 2} for query in qrels.queries})
    >>> found = check(match(qrels, good), match(qrels, bad), ["RR"])
    >>> found.outcome, found.measures[0].evidence.delta
    (<Ruling.REGRESSION: 'regression'>, -0.5)
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
    if baseline.convention.unjudged == "removed" and rule.max_gap < 1:
        raise RankscopeError(
            "The convention removes unjudged documents, so a new run could have any number of them "
            "near the top and hold. Match both runs with unjudged=zero, or allow a gap of 1."
        )
    sides = score(baseline, parsed.values()), score(new, parsed.values())
    compared = align(*sides)
    if found := scored_on_one_side(*sides):
        return Check(rule, names, baseline.convention, found)
    rows = _evidence(compared, rule)
    for row in rows.values():
        rule.require_power(row.queries, len(rows))
    _require_scores(compared, rule.must_hold)
    found_for = tuple(
        MeasureCheck(name, rule.ruling(row.delta, row.corrected), row, compared)
        for name, row in rows.items()
    )
    held = tuple(_held(compared, rule.must_hold))
    made = Check(rule, names, baseline.convention, (), found_for, held)
    return _by_every_count(made, compared, parsed.values())


def _evidence(compared: Comparison, rule: Rule) -> dict[str, Evidence]:
    asked = PairedTest(seed=rule.seed)
    # Every measure must hold, so all are corrected.
    return holm_corrected({each: uncorrected(compared, each, asked) for each in compared.a.ledgers})


def _by_every_count(of: Check, compared: Comparison, measures: Iterable[Measure]) -> Check:
    """Return the check with *cannot tell* where the answer hangs on unjudged documents.

    It does where the shares of these are uneven, and it is another one if they have grade 0 or are
    left out.
    """
    limit = of.rule.max_gap + TIE
    shares = compared.unjudged_shares(of.depth)
    uneven = (shares["B"] - shares["A"]).abs() > limit
    some = [each.query for each in of.held if uneven[each.query]]
    in_a, in_b = of.unjudged()
    every = abs(in_b - in_a) > limit
    if not every and not some:
        return of
    ways = {"as grade 0": JudgedRankings.filled}
    # Without a document known to be of no use, the lists would hold only relevant ones.
    if compared.a.judged.has_nonrelevant:
        ways["left out"] = JudgedRankings.condensed
    counted = {}
    for name, way in ways.items():
        a, b = (score(way(each.judged), measures) for each in compared.sides.values())
        counted[name] = Comparison(a, b, compared.queries)
    rows = {name: _evidence(other, of.rule) for name, other in counted.items()} if every else {}
    found = tuple(
        each.counted({name: row[each.measure] for name, row in rows.items()}, of.rule)
        for each in of.measures
    )
    drops = [{e.query for e in _held(other, some) if e.drops} for other in counted.values()]
    held = tuple(
        replace(each, undecided=any((each.query in now) != bool(each.drops) for now in drops))
        if each.query in some
        else each
        for each in of.held
    )
    return replace(of, measures=found, held=held)


def _held(compared: Comparison, queries: Sequence[str]) -> Iterable[HeldQuery]:
    """Return the change of each query in each measure; documents only for those named later."""
    of_query: dict[str, list[QueryChange]] = {query: [] for query in queries}
    for measure in compared.a.ledgers if queries else ():
        for change in changes(compared, measure, list(of_query), opened=NAMED):
            of_query[change.query].append(change)
    return (HeldQuery(query, tuple(found)) for query, found in of_query.items())


def _require_scores(compared: Comparison, queries: Sequence[str]) -> None:
    """Refuse queries that cannot be checked: a list with a mistake would hold silently.

    Raises DataError with the first of them.
    """
    known = frozenset(compared.queries)
    if unknown := [query for query in queries if query not in known]:
        raise DataError(
            f"{count(len(unknown), 'query', 'queries')} that must hold "
            f"{'is' if len(unknown) == 1 else 'are'} not among the evaluated queries: "
            f"{listed(unknown)}. Correct the list, or match runs that have results for them."
        )
    for measure in compared.a.ledgers:
        scored = frozenset(compared.per_query(measure).index)
        if without := [query for query in queries if query not in scored]:
            raise DataError(
                f"{count(len(without), 'query', 'queries')} that must hold "
                f"{'has' if len(without) == 1 else 'have'} no score in {measure}: "
                f"{listed(without)}. Remove them from the list, or check another measure."
            )
