"""What threatens a verdict: a function for each kind, which returns None where it is no threat.

`Otherwise` is what most of them ask: the deltas of the runs in changed circumstances.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import Floats, places, stats
from ..auditing.coverage import ENOUGH, SHORT
from ..auditing.id_mismatch import for_queries
from ..comparing.comparison import Comparison
from ..comparing.evidence import queries_to_flip
from ..comparing.reversal import deepest
from ..comparing.robustness import CUTOFFS, OF_RANKING, one_changed
from ..comparing.significance import DIFFERING, EXACT, TESTS, TIE
from ..data import Run
from ..defaults import ALPHA
from ..errors import MeasureError
from ..exploring.ties import bounds_of
from ..matching import JudgedRankings
from ..measures import Measure
from ..scoring.evaluate import mean, score
from ..words import count, number, p_is, p_value, signed
from .statement import Statement, words

if TYPE_CHECKING:
    from .pairing import Pairing

POWER = 0.8
"""The share of comparisons in which a difference of the returned size is found."""
LISTED = 3
"""At most this many queries without a weight are named."""
FEW = 25
"""With fewer queries than this, a sample says little about other queries."""


@dataclass(frozen=True, eq=False, repr=False)
class Otherwise:
    """The delta of each query in changed circumstances, beside those of the pairing.

    The test runs when it is asked for: most circumstances change no sign.
    """

    pairing: Pairing
    deltas: Floats

    @cached_property
    def delta(self) -> float:
        """The mean delta B − A."""
        return mean(self.deltas)

    @cached_property
    def p(self) -> float:
        """The p-value of the paired test; NaN for fewer than two queries."""
        return self.pairing.test.p(self.deltas)

    @cached_property
    def sure(self) -> bool:
        """Whether the difference is unlikely to be noise, and the test favours the same run."""
        return self.p < ALPHA and self.pairing.test.towards(self.deltas) * self.delta > 0

    @property
    def turns(self) -> bool:
        """Whether these deltas favour another run than the verdict's.

        A lead that may be chance is not reversed by another that may be chance.
        """
        found = self.pairing.found
        if abs(self.delta) <= TIE or self.delta * found.delta > 0:
            return False
        return found.sure or self.sure

    @property
    def lead(self) -> tuple[str, tuple[str, ...]]:
        """Who leads by how much, as a template and its names."""
        if not abs(self.delta) > TIE:
            return "neither leads", ()
        tested = "" if math.isnan(self.p) else f", {p_is(self.p)}"
        if self.pairing.found.sure and not self.sure and tested:
            tested += ", which may be chance"
        leader = self.pairing.leader(self.delta)
        return f"{{}} leads by {number(abs(self.delta))}{tested}", (leader,)


def under(of: Pairing, **choices: object) -> Otherwise:
    """Return the runs compared with other choices that do not affect the rankings."""
    return rescored(of, [side.under(**choices) for side in of.sides])


def rescored(
    of: Pairing, sides: Sequence[JudgedRankings], measure: Measure | None = None
) -> Otherwise:
    """Return the runs compared on these rankings, on the compared queries that both score."""
    measure = measure or of.measure
    a, b = (score(side, [measure]) for side in sides)
    return Otherwise(of, Comparison(a, b, of.comparison.queries).deltas(measure))


def chance(of: Pairing) -> Statement | None:
    """How often chance alone would give such a difference."""
    p = of.found.corrected
    differing = int(np.count_nonzero(of.deltas))
    if math.isnan(p) or not of.found.wins + of.found.losses:
        return None
    test = TESTS[of.test.test]
    title, exact = test.named(differing), int(differing <= test.exact)
    if p < ALPHA and of.found.towards * of.found.delta <= 0:
        other = of.leader(of.found.towards)
        template = (
            f"The test works on the ranks of the deltas and favours {{}} ({p_is(p)}, {title})."
        )
        return Statement("chance", template, (other,), {"p": p, "favours": other}, True)
    template = (
        f"If both runs were equally good, chance alone would give a difference at least this large "
        f"in {share(p)} ({p_is(p)}, {title})."
    )
    if of.found.sure and of.found.low < 0 < of.found.high:
        # Wilcoxon's test has no interval of a mean, and draws differ from an exact p-value.
        template += " The interval reaches over 0 all the same: a borderline case."
    return Statement("chance", template, (), {"p": p, "test": of.test.test, "exact": exact})


def share(p: float) -> str:
    """Return a p-value as a number of comparisons."""
    if p < 0.001:
        return "fewer than 1 of 1,000 comparisons"
    if p < 0.01:
        return f"about {round(1000 * p)} of 1,000 comparisons"
    if p < 0.995:
        return f"about {round(100 * p)} of 100 comparisons"
    return "nearly every comparison"


def excluded(of: Pairing) -> Statement | None:
    """The leads that the interval excludes where no difference was found."""
    if math.isnan(of.found.p) or of.found.sure or not of.found.wins + of.found.losses:
        return None
    most = float(of.comparison.per_query(str(of.measure))[["A", "B"]].to_numpy().max())
    leads = {"b": of.found.high, "a": -of.found.low}
    # A lead above the highest score is excluded anyway, and says nothing.
    known = {side: lead for side, lead in leads.items() if 0 < lead < most}
    facts = {f"lead_of_{side}": lead for side, lead in known.items()}
    if not known:
        template = (
            f"Fewer than {DIFFERING} queries differ, so no difference can be ruled out."
            if math.isnan(of.found.low)
            else "With so few queries, no difference can be ruled out."
        )
        return Statement("excluded", template, (), facts)
    low, high = map(signed, of.towards_leader(of.found.low, of.found.high))
    template = f"The true lead of {{}} is likely between {low} and {high} (95 % interval)."
    edge = " The interval excludes 0 and the test does not: a borderline case."
    borderline = edge if of.found.low * of.found.high > 0 else ""
    names = (of.leader(of.found.delta),)
    return Statement("excluded", f"{template}{borderline}", names, facts)


def ids(of: Pairing) -> Statement | None:
    """Ids that look like those of the qrels and are not the same."""
    for side, run, name, hole in zip(of.sides, of.runs[:2], of.names, of.unjudged, strict=True):
        mend = for_queries(side.missing_from_qrels, side.missing_from_run)
        if mend is None and hole > 1 - ENOUGH and isinstance(run, Run):
            mend = of.mend(run)
        if mend is not None and mend.is_sure:
            what = f"The {mend.part} ids of {{}}" if mend.part != "both" else "The ids of {}"
            template = (
                f"{what} differ from the qrels by {mend.reason}: {{}} would be {{}}, and "
                f"{mend.matched} of {count(mend.ids, 'id')} would match."
            )
            facts = {"run": name, "part": mend.part, "reason": mend.reason}
            counts = {"matched": mend.matched, "ids": mend.ids}
            return Statement("ids", template, (name, *mend.example), {**facts, **counts})
    return None


def unjudged(of: Pairing) -> Statement | None:
    """Unjudged documents near the top: the verdict without them, and over all their grades."""
    a, b = of.unjudged
    if of.convention.unjudged == "removed" or max(a, b) <= 1 - ENOUGH:
        return None
    facts: dict[str, str | int | float] = {"depth": of.depth, "a": a, "b": b}
    template = (
        f"In the top {of.near}, {100 * a:.0f} % of {{}} and {100 * b:.0f} % of {{}} have no grade."
    )
    names: tuple[str, ...] = of.names
    turns = False
    if of.sides[0].has_nonrelevant:
        without = rescored(of, [side.condensed() for side in of.sides])
        lead, leads = without.lead
        template += f" Without these documents {lead}."
        names, turns = (*names, *leads), without.turns
        facts |= {"delta_without": without.delta, "p": without.p}
    else:
        # Without them, only relevant documents would be left in the lists.
        template += " The qrels hold no grade 0, so they say nothing about lists without these."
    if of.whole and of.over_grades is None:
        # Deeper ones than those near the top may count too.
        by_aspect = of.measure.by_aspect and of.qrels.aspects
        why = "which aspects they cover is not known" if by_aspect else "there are too many to try"
        template += f" Grades for all unjudged documents might change the result, but {why}."
    return Statement("unjudged", template, names, facts, turns)


def grades(of: Pairing) -> Statement | None:
    """Whether grades for the few unjudged documents could make the other run lead."""
    convention = of.convention
    if convention.unjudged == "removed" or not abs(of.found.delta) > TIE:
        return None
    over = of.over_grades
    if over is None or not over.queries:
        return None
    low, high = of.towards_leader(over.low, over.high)
    found, _ = of.towards_leader(over.reached_low, over.reached_high)
    facts = {"lead_low": low, "lead_high": high, "lead_found": found, "documents": over.documents}
    leader, other = of.leader(of.found.delta), of.leader(-of.found.delta)
    one = over.documents == 1
    many = f"the {over.documents:,} unjudged documents"
    known, outer = "the one unjudged document" if one else many, ""
    if over.unsearched:
        facts["unsearched"], known = over.unsearched, "unjudged documents"
        hard = f"{over.unsearched:,} of {over.queries:,} queries have too many to try"
        outer = f" These are outer bounds: {hard}."
    depth = deepest(of.measure, convention)
    where = "" if depth is None else f" in the top {of.near}"
    known += where
    between = f"is between {signed(low)} and {signed(high)}"
    if low > TIE:
        template = f"{{}} stays ahead whatever the grades of {known}: its lead {between}.{outer}"
        return Statement("grades", template, (leader,), facts)
    # The bounds rule out; only grades that were tried show what is possible.
    may_lead = low < -TIE
    if found < -TIE if may_lead else found <= TIE:
        these = f"{count(over.documents, 'document')}{where} {'lacks' if one else 'lack'} a grade"
        a, b = of.near_top[0]
        # Known where every query is searched, and no order of ties counts in parts.
        both = 0 if over.unsearched or convention.ties == "mean" else a + b - over.documents
        shared = f", both {both:,.0f}" if both > 0 else ""
        each = "" if one or depth is None else f" ({{}} {a:,.0f}, {{}} {b:,.0f}{shared})"
        less = f"{{}} by {number(-low)}" if may_lead else "be level with {}"
        template = f"{these}{each}: {{}} could lead by up to {number(high)}, or {less}.{outer}"
        return Statement("grades", template, (*(of.names if each else ()), leader, other), facts)
    template = (
        f"Whether grades for {known} could make {{}} {'lead' if may_lead else 'draw level'} is not "
        f"known: the lowest lead of {{}} found is {signed(found)}, and none is below {signed(low)}."
        f"{outer}"
    )
    return Statement("grades", template, (other, leader), facts)


def queries(of: Pairing) -> Statement | None:
    """Queries that one run lacks, and the verdict if they count the other way."""
    judged = dict(zip("AB", of.sides, strict=True))
    compared = set(of.comparison.queries)
    lacking = {
        side: [query for query in rankings.missing_from_run if query in compared]
        for side, rankings in judged.items()
    }
    gone = {"B": of.comparison.only_a, "A": of.comparison.only_b}
    missing = {side: [*lacking[side], *gone[side]] for side in "AB"}
    if not any(missing.values()):
        return None
    counted = bool(lacking["A"] or lacking["B"])
    if counted:
        both = of.comparison.only(compared.difference(*lacking.values()))
        other = Otherwise(of, both.deltas(of.measure))
        fate, otherwise = "count as 0", "Over the queries of both runs"
    else:
        scores = of.comparison.sides
        extra = [
            (1 if side == "B" else -1) * scores[side].value(str(of.measure), query)
            for side, there in (("A", gone["B"]), ("B", gone["A"]))
            for query in there
        ]
        other = Otherwise(of, np.append(of.deltas, [x for x in extra if not math.isnan(x)]))
        fate, otherwise = "are not compared", "If they count as 0"
    lead, names = other.lead
    clauses, lacks = [], []
    for side, name in zip("AB", of.names, strict=True):
        if missing[side]:
            what = count(len(missing[side]), "judged query is", "judged queries are")
            clauses.append(f"{what} missing from {{}}")
            lacks.append(name)
    template = f"{' and '.join(clauses)}, and {fate}. {otherwise}, {lead}."
    facts = {
        "missing_from_a": len(missing["A"]),
        "missing_from_b": len(missing["B"]),
        "counted_as_0": int(counted),
        "delta_otherwise": other.delta,
        "p": other.p,
    }
    return Statement("queries", template, (*lacks, *names), facts, other.turns)


def detectable(deltas: Floats) -> float:
    """Return the smallest mean delta that a paired t-test finds in 80 % of comparisons.

    NaN for fewer than two deltas. Two quantiles of Student's distribution stand for the noncentral
    one: the share found is 73 % for 2 queries, 79 % for 5, and 80 % from 8 on.

    References
    ----------
    Webber, Moffat & Zobel, CIKM (2008): statistical power in retrieval experimentation.

    Examples
    --------
    >>> import numpy as np
    >>> round(detectable(np.array([0.1, -0.1] * 50)), 4)
    0.0284
    """
    n = len(deltas)
    if n < 2:
        return math.nan
    reach = stats.t.ppf(1 - ALPHA / 2, n - 1) + stats.t.ppf(POWER, n - 1)
    return float(reach * deltas.std(ddof=1) / math.sqrt(n))


def few(of: Pairing) -> Statement | None:
    """Differences too small for this number of queries."""
    n, differing = len(of.deltas), int(np.count_nonzero(of.deltas))
    least = detectable(of.deltas)
    if math.isnan(of.found.p) or not differing or (of.found.sure and n >= FEW):
        return None
    facts = {"queries": n, "detectable": least}
    with_n = f"With {count(n, 'query', 'queries')}"
    frame = of.comparison.per_query(str(of.measure))
    template = (
        f"{with_n} a difference under {number(least, 3)} would be missed in more than 1 of 5 "
        "comparisons."
        if least < float(frame[["A", "B"]].to_numpy().max())
        else f"{with_n} hardly any difference can be found."
    )
    lowest = 2.0 ** (1 - differing)
    if of.test.test == "randomisation" and differing <= EXACT and lowest >= ALPHA:
        differ = count(differing, "query differs", "queries differ")
        template += f" Only {differ}, so p cannot be below {min(lowest, 1.0):g}."
        facts["lowest_p"] = lowest
    elif n < FEW:
        template += " Results on so few queries say little about others."
    return Statement("few", template, (), facts)


def ties(of: Pairing) -> Statement | None:
    """Equal scores, whose order decides who leads."""
    if of.convention.ties == "mean":
        return None
    tied = [bool((side.hits.first != side.hits.last).any()) for side in of.sides]
    if not any(tied):
        return None
    a, b = (bounds_of(side, of.measure).loc[list(of.queries)] for side in of.sides)
    low, high = of.towards_leader(
        float((b["lowest"] - a["highest"]).mean()), float((b["highest"] - a["lowest"]).mean())
    )
    if not abs(of.found.delta) > TIE or low >= -TIE:
        return None
    names = [name for name, has in zip(of.names, tied, strict=True) if has]
    whose = " and ".join("{}" for _ in names)
    template = (
        f"Equal scores in {whose} leave the order open: over all orders the lead of {{}} is "
        f"between {signed(low)} and {signed(high)}, so {{}} could lead."
    )
    facts = {"lead_low": low, "lead_high": high}
    everyone = (*names, of.leader(of.found.delta), of.leader(-of.found.delta))
    return Statement("ties", template, everyone, facts, of.found.sure)


def lengths(of: Pairing) -> Statement | None:
    """Lists of unlike lengths, where the measure looks below the end of the shorter ones."""
    a, b = (side.length(of.measure.cutoff) for side in of.sides)
    short = min(a, b)
    if of.convention.unjudged == "removed" or not 0 < short < SHORT * max(a, b):
        return None
    cut = rescored(of, [side.cut(short) for side in of.sides])
    lead, names = cut.lead
    template = (
        f"{{}} has {a:,} documents in the median query, {{}} has {b:,}. With the first "
        f"{short:,} of each, {lead}."
    )
    facts = {"a": a, "b": b, "delta_cut": cut.delta, "p": cut.p}
    return Statement("lengths", template, (*of.names, *names), facts, cut.turns)


def choices(of: Pairing) -> Statement | None:
    """A choice of the convention, or a cutoff, with which the other run leads."""
    tried: dict[str, tuple[str, Otherwise]] = {}
    grades = of.sides[0].judged.grade
    between_0_and_1 = (grades > 0) & (grades < 1)
    for field, said, other in one_changed(of.qrels, of.measure, of.convention):
        # The ranking, the level and what has nothing to find have threats of their own.
        if not field or field in OF_RANKING or field in ("level", "undefined"):
            continue
        value = getattr(other, field)
        # Nobody lets a grade of 0.02 gain as much as one of 1.
        if (field, value) == ("gain", "binary") and between_0_and_1.any():
            continue
        try:
            tried[f"{field}={value}"] = said, under(of, **{field: value})
        except MeasureError:
            # The measure refuses this choice, so nobody can make it.
            continue
    if of.measure.cutoff is not None:
        for cutoff in CUTOFFS:
            # The whole ranking is no other cutoff: measures mean something else there.
            if cutoff not in (None, of.measure.cutoff):
                found = rescored(of, of.sides, replace(of.measure, cutoff=cutoff))
                tried[f"cutoff={cutoff}"] = f"cutoff {cutoff}", found
    turning = {key: (said, found) for key, (said, found) in tried.items() if found.turns}
    if not turning:
        return None
    shown = "; ".join(
        f"{words(said.replace(': ', ' ', 1))} ({signed(abs(found.delta))}, {p_is(found.p)})"
        for said, found in turning.values()
    )
    _, first = next(iter(turning.values()))
    return Statement(
        "choices",
        f"{{}} leads under other choices: {shown}.",
        (of.leader(first.delta),),
        {key: found.delta for key, (_, found) in turning.items()},
        True,
    )


def level(of: Pairing) -> Statement | None:
    """Queries without a relevant document at the level of relevance."""
    wanted = of.measure.under(of.convention).level
    if "level" not in of.measure.choices or not len(of.queries):
        return None
    judged = of.sides[0]
    rows = places(of.queries, judged.queries)
    empty = judged.relevant(wanted)[rows] == 0
    grades = judged.judged.grade
    lower = grades[(grades > 0) & (grades < wanted)]
    if not empty.any() or not len(lower):
        return None
    least = float(lower.min())
    other = under(of, level=least)
    lead, names = other.lead
    nothing = int(empty.sum())
    template = (
        f"{nothing:,} of {count(len(rows), 'query', 'queries')} have nothing relevant at grade "
        f"{wanted:g} and score 0 in both runs. Counted from grade {least:g}, {lead}."
    )
    facts = {"queries": nothing, "level": wanted, "from": least, "delta": other.delta}
    return Statement("level", template, names, facts, other.turns)


def outlier(of: Pairing) -> Statement | None:
    """A query, or very few, that carry the whole lead."""
    needed, n = queries_to_flip(of.deltas), len(of.deltas)
    if not 0 < needed <= max(1, n // 50) or n < 3:
        return None
    sign = 1 if of.found.delta > 0 else -1
    order = np.argsort(-sign * of.deltas, kind="stable")[:needed]
    left = mean(np.delete(of.deltas, order))
    facts: dict[str, str | int | float] = {"queries": needed, "delta_without": left}
    after = "neither leads" if abs(left) <= TIE else f"{{}} leads by {number(abs(left))}"
    names = () if abs(left) <= TIE else (of.leader(left),)
    carried = (of.leader(of.found.delta),)
    if needed == 1:
        query = of.queries[int(order[0])]
        size = number(abs(float(of.deltas[order[0]])))
        facts["query"] = query
        template = f"One query, {{}}, carries the lead of {{}} ({size}): without it {after}."
        return Statement("outlier", template, (query, *carried, *names), facts)
    template = f"{needed:,} of {n:,} queries carry the lead of {{}}: without them {after}."
    return Statement("outlier", template, (*carried, *names), facts)


def weighting(of: Pairing) -> Statement | None:
    """Weights of the queries, such as how often each is asked, and who leads by them."""
    clauses, names, left, reverses = list[str](), list[str](), list[float](), False
    facts: dict[str, str | int | float] = {}
    for by, found in of.weighted.items():
        if math.isnan(found.mean_a):
            clauses.append("No compared query has a weight above 0 by {}.")
            names.append(by)
            continue
        other = Otherwise(of, found.deltas)
        lead, leads = other.lead
        low, high = map(number, sorted((found.mean_a, found.mean_b)))
        clause, listed = f"Weighted by {{}} ({high} to {low}), {lead}", found.without[:LISTED]
        if listed:
            lack = count(len(found.without), "query without a weight", "queries without a weight")
            more = ", …" if len(found.without) > LISTED else ""
            clause += f"; left out: {lack} ({', '.join(['{}'] * len(listed))}{more})"
        clauses.append(f"{clause}.")
        names += [by, *leads, *listed]
        facts[f"delta_{by}"] = other.delta
        reverses |= other.turns
        if of.found.sure:
            left.append(other.delta / of.found.delta)
    if left:
        facts["lead_left"] = min(left)
    if not clauses:
        return None
    return Statement("weighting", " ".join(clauses), tuple(names), facts, reverses)


def others(of: Pairing) -> Statement | None:
    """Other measures that find something else, or whose p does not hold once corrected."""
    primary = str(of.measure)
    beside = {name: row for name, row in of.evidence.items() if name != primary}
    family = sum(not math.isnan(row.p) for row in beside.values())
    against = [
        (name, row)
        for name, row in beside.items()
        # Where no difference was found, each measure that finds one says something else.
        if row.sure and not (of.found.sure and row.delta * of.found.delta > 0)
    ]
    lost = [(name, row) for name, row in beside.items() if row.p < ALPHA and row.corrected >= ALPHA]
    clauses, names = [], []
    for name, row in against:
        clauses.append(f"{words(name)} favours {{}} ({signed(row.delta)}, {p_is(row.corrected)})")
        names.append(of.leader(row.delta))
    for name, row in lost:
        corrected = f"{p_value(row.corrected)} corrected for testing {count(family, 'measure')}"
        clauses.append(f"{words(name)}: {p_is(row.p)}, or {corrected}")
    if not clauses:
        return None
    facts: dict[str, str | int | float] = {name: row.corrected for name, row in against + lost}
    return Statement("others", f"{'; '.join(clauses)}.", tuple(names), facts)


THREATS: tuple[Callable[[Pairing], Statement | None], ...] = (
    chance,
    excluded,
    ids,
    unjudged,
    grades,
    queries,
    few,
    ties,
    lengths,
    choices,
    level,
    outlier,
    weighting,
    others,
)
"""Every kind of threat, in the order in which they are shown."""
