"""verdict: which of two runs is better, and what threatens that answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..comparing.significance import DIFFERING, NONE, TIE
from ..errors import MeasureError
from ..words import count, number
from .statement import LEAVES_OPEN, Statement, leaves_open, words
from .threats import THREATS, ids

if TYPE_CHECKING:
    from .pairing import Pairing


@dataclass(frozen=True)
class Verdict:
    """The answer of a comparison by its primary measure.

    Attributes
    ----------
    outcome
        ``"A"`` or ``"B"``: this run is better, and the difference is unlikely to be chance.
        ``"leads"``: the difference is unlikely to be chance, but what is in ``open`` can turn it.
        ``"undecided"``: it may be chance, or is not tested. ``"equal"``: no query differs.
        ``"none"``: there is no verdict, because nothing can be compared.
    sentence
        The answer in a sentence: who is better, by how much, on how many queries.
    threats
        What threatens the answer, each in a sentence; only what applies.
    names
        Run A and run B as the sentences name them.
    open
        The kinds of threats that leave open which run is better: see `LEAVES_OPEN`.
    """

    outcome: str
    sentence: Statement
    threats: tuple[Statement, ...] = ()
    names: tuple[str, str] = ("A", "B")
    open: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.sentence.text()

    @property
    def statements(self) -> tuple[Statement, ...]:
        """The sentence, then the threats."""
        return self.sentence, *self.threats

    @property
    def turning(self) -> tuple[Statement, ...]:
        """The threats that can turn the answer."""
        return tuple(each for each in self.threats if each.can_turn or each.kind in self.open)


def verdict(of: Pairing) -> Verdict:
    """Return the verdict on two runs, with what threatens it.

    With judged rankings in the place of a run, the verdict leaves out what only unjudged documents
    show: the effect of their grades, and document ids that differ.
    """
    sentence = _no_verdict(of)
    if sentence is not None:
        reason = ids(of)
        return Verdict("none", sentence, (reason,) if reason else (), of.names)
    made = () if of.same else (_applied(threat, of) for threat in THREATS)
    applied = [each for each in made if each is not None]
    still = tuple(each.kind for each in applied if of.found.sure and leaves_open(of, each))
    outcome, sentence = _answer(of, still)
    # What leaves the answer open comes first, with the grades that could turn it; then what favours
    # the other run.
    first = {*still, "grades"} if "unjudged" in still else still
    applied.sort(key=lambda each: (each.kind not in first, not each.reverses))
    return Verdict(outcome, sentence, tuple(applied), of.names, still)


def _applied(threat: Callable[[Pairing], Statement | None], of: Pairing) -> Statement | None:
    """Return the threat, or None where the measure refuses to be computed in its circumstances."""
    try:
        return threat(of)
    except MeasureError:
        # A range that cannot be searched, or a choice that nobody can make, threatens nothing.
        return None


def _no_verdict(of: Pairing) -> Statement | None:
    """Return why nothing can be compared; None if something can."""
    if not of.comparison.queries:
        template = "No verdict: no query is in the qrels and in both runs."
        return Statement("result", template, (), {"queries": 0})
    if not len(of.queries):
        template = (
            "No verdict: under this convention no query has a score, because no query has a "
            "relevant document."
        )
        return Statement("result", template, (), {"queries": 0})
    without = [name for name, some in zip(of.names, of.matched, strict=True) if not some]
    if without:
        names = " and ".join("{}" for _ in without)
        verb = "shares" if len(without) == 1 else "share"
        template = f"No verdict: {names} {verb} no document with the qrels, for any query."
        return Statement("result", template, tuple(without), {"queries": len(of.queries)})
    return None


def _answer(of: Pairing, still: Sequence[str]) -> tuple[str, Statement]:
    """Return the outcome and its sentence where both runs have scores.

    ``still``: the kinds of threats that leave it open.
    """
    found, facts = of.found, _facts(of)
    if found.wins == found.losses == 0:
        return "equal", Statement("result", _no_difference(of), of.names, facts)
    winner, loser = of.names[::-1] if found.delta > 0 else of.names
    if found.sure and still:
        facts["leader"] = winner
        what = " and ".join(LEAVES_OPEN[kind] for kind in still)
        template = f"{{}} leads {{}}, not decided: {what} can turn the lead. {_means(of)}"
        return "leads", _led(template, (winner, loser), facts, _by_how_much(of))
    if found.sure:
        facts["winner"] = winner
        template = f"{{}} is better than {{}}: {_means(of)}"
        side = "B" if found.delta > 0 else "A"
        return side, _led(template, (winner, loser), facts, _by_how_much(of))
    if of.test.test == NONE:
        return "undecided", _led(_untested(of), (winner, loser), facts, _untested_rest(of))
    if found.queries < 2:
        template = f"{{}} ranks this query better than {{}}: {_means(of)}"
        rest = ". One query is an example; a test needs more."
        return "undecided", _led(template, (winner, loser), facts, rest)
    leads = abs(found.delta) > TIE
    names = (*of.names, winner) if leads else of.names
    template = f"No difference found between {{0}} and {{1}} in {words(str(of.measure))}"
    return "undecided", _led(template, names, facts, _may_be_chance(of, leads))


def _led(
    heading: str, names: tuple[str, ...], facts: Mapping[str, str | int | float], rest: str
) -> Statement:
    return Statement("result", heading, names, facts, rest=rest)


def _facts(of: Pairing) -> dict[str, str | int | float]:
    """Return the numbers of the sentence."""
    found = of.found
    return {
        "measure": str(of.measure),
        "mean_a": found.mean_a,
        "mean_b": found.mean_b,
        "delta": found.delta,
        "low": found.low,
        "high": found.high,
        "p": found.corrected,
        "queries": found.queries,
        "better_b": found.wins,
        "ties": found.ties,
        "better_a": found.losses,
    }


def _no_difference(of: Pairing) -> str:
    above = f" of more than {of.test.tie:g}" if of.test.tie > TIE else ""
    what = "are the same run" if of.same else f"do not differ in {words(str(of.measure))}"
    n = count(of.found.queries, "query", "queries")
    return f"{{}} and {{}} {what}: no difference{above} on any of {n}."


def _by_how_much(of: Pairing) -> str:
    found = of.found
    # The test, and with it the verdict, can be sure where the interval reaches over 0.
    sign = 1 if found.delta > 0 else -1
    low, high = sorted((sign * found.low, sign * found.high))
    ends = f"95 % interval {number(low, 3)} to {number(high, 3)}"
    known = f"no interval, since fewer than {DIFFERING} differ" if math.isnan(low) else ends
    return f", a lead of {number(abs(found.delta))} ({known}); {_better_on(of)}."


def _untested(of: Pairing) -> str:
    """Return a sentence on these queries alone: without a test nothing is known of others."""
    measure = words(str(of.measure))
    if abs(of.found.delta) > TIE:
        return f"{{}} has the higher {measure} than {{}}: {_high_against_low(of)}"
    return f"{{}} and {{}} have the same {measure} on average, {number(_highest(of))}"


def _untested_rest(of: Pairing) -> str:
    size = abs(of.found.delta)
    by = f", a lead of {number(size)}" if size > TIE else ""
    return f"{by}; {_better_on(of)}. Nothing was tested."


def _may_be_chance(of: Pairing, leads: bool) -> str:
    who = (
        f"{{2}} leads by {number(abs(of.found.delta))} ({_better_on(of)})"
        if leads
        else f"both have {number(_highest(of))} on average"
    )
    return f": {who}, which may be chance."


def _means(of: Pairing) -> str:
    return f"{words(str(of.measure))} {_high_against_low(of)}"


def _high_against_low(of: Pairing) -> str:
    low, high = sorted((of.found.mean_a, of.found.mean_b))
    return f"{number(high)} against {number(low)}"


def _highest(of: Pairing) -> float:
    return max(of.found.mean_a, of.found.mean_b)


def _better_on(of: Pairing) -> str:
    """Return on how many queries the run with the higher mean is better, and worse."""
    found = of.found
    better, worse = (found.wins, found.losses) if found.delta > 0 else (found.losses, found.wins)
    by = f" by more than {of.test.tie:g}" if of.test.tie > TIE else ""
    n = count(found.queries, "query", "queries")
    return f"better{by} on {better:,} of {n}, worse on {worse:,}"
