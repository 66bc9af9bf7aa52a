"""verdict: which of two runs is better, and what threatens that answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..comparing.significance import DIFFERING, NONE, TIE
from ..errors import MeasureError
from ..words import apart, count, number
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
    found, facts, measure = of.found, _facts(of), words(str(of.measure))
    winner, loser = of.names[::-1] if found.delta > 0 else of.names
    names: tuple[str, ...] = (winner, loser)
    outcome, rest = "undecided", ""
    leads, lead, better = abs(found.delta) > TIE, apart(found.mean_a, found.mean_b), better_on(of)
    low, high = map(number, sorted((found.mean_a, found.mean_b)))
    if found.wins == found.losses == 0:
        outcome, names, heading = "equal", of.names, _no_difference(of)
    elif found.sure:
        rest = f", a lead of {lead} ({interval(of)}); {better}."
        if still:
            outcome, facts["leader"] = "leads", winner
            what = " and ".join(LEAVES_OPEN[kind] for kind in still)
            heading = f"{{}} leads {{}}, not decided: {what} can turn the lead. "
        else:
            outcome, facts["winner"] = "B" if found.delta > 0 else "A", winner
            heading = "{} is better than {}: "
        heading += f"{measure} {high} against {low}"
    elif found.queries < 2:
        heading = f"{{}} ranks this query better than {{}}: {measure} {high} against {low}"
        rest = ". 1 query is an example; a test needs more."
    else:
        # Without a test nothing is known of other queries.
        tested = of.test.test != NONE
        heading = f"{{}} and {{}} have the same {measure} on average, {high}"
        if leads:
            what = (
                "leads {}, which may be chance" if tested else f"has the higher {measure} than {{}}"
            )
            heading = f"{{}} {what}: {f'{measure} ' if tested else ''}{high} against {low}"
            rest = f", a lead of {lead}"
        rest += f"; {better}.{'' if tested else ' Nothing was tested.'}"
    return outcome, Statement("result", heading, names, facts, rest=rest)


def _facts(of: Pairing) -> dict[str, str | int | float]:
    """Return the numbers of the sentence."""
    found = of.found
    return {
        "measure": str(of.measure),
        **{name: getattr(found, name) for name in ("mean_a", "mean_b", "delta", "low", "high")},
        "p": found.corrected,
        "queries": found.queries,
        "better_b": found.wins,
        "ties": found.ties,
        "better_a": found.losses,
    }


def _no_difference(of: Pairing) -> str:
    above = f" of more than {of.test.tie:g}" if of.test.tie > TIE else ""
    what = "are the same run" if of.same else f"do not differ in {words(str(of.measure))}"
    many = of.found.queries
    where = f"any of {many:,} queries" if many > 1 else "the only query"
    return f"{{}} and {{}} {what}: no difference{above} on {where}."


def interval(of: Pairing) -> str:
    # The test, and with it the verdict, can be sure where the interval reaches over 0.
    low, high = of.towards_leader(of.found.low, of.found.high)
    if math.isnan(low):
        return f"no interval, since fewer than {DIFFERING} differ"
    return f"95 % interval {number(low, 3)} to {number(high, 3)}"


def better_on(of: Pairing) -> str:
    """Return on how many queries the run with the higher mean is better, and worse."""
    found = of.found
    better, worse = (found.wins, found.losses) if found.delta > 0 else (found.losses, found.wins)
    by = f" by more than {of.test.tie:g}" if of.test.tie > TIE else ""
    n = count(found.queries, "query", "queries")
    return f"better{by} on {better:,} of {n}, worse on {worse:,}"
