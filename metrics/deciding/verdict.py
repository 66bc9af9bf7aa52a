"""verdict: which of two runs is better, and what threatens that answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..auditing.id_mismatch import Mend, for_documents
from ..comparing.comparison import Comparison
from ..comparing.evidence import DEFAULT, Evidence, PairedTest
from ..comparing.significance import NONE, TIE
from ..data import Qrels, Run
from ..errors import MeasureError
from ..scoring.naming import parse
from ..words import count, number, signed
from .situation import Situation
from .statement import Statement, words
from .threats import THREATS, ids


@dataclass(frozen=True)
class Verdict:
    """The answer of a comparison by its primary measure.

    Attributes
    ----------
    outcome
        ``"A"`` or ``"B"``: this run is better, and the difference is unlikely to be chance.
        ``"undecided"``: it may be chance, or is not tested. ``"equal"``: no query differs.
        ``"none"``: there is no verdict, because nothing can be compared.
    sentence
        The answer in a sentence: who is better, by how much, on how many queries.
    threats
        What threatens the answer, each in a sentence; only what applies.
    names
        Run A and run B as the sentences name them.
    """

    outcome: str
    sentence: Statement
    threats: tuple[Statement, ...] = ()
    names: tuple[str, str] = ("A", "B")

    @property
    def statements(self) -> tuple[Statement, ...]:
        """The sentence, then the threats."""
        return self.sentence, *self.threats


def verdict(
    qrels: Qrels,
    a: Run,
    b: Run,
    comparison: Comparison,
    rows: Mapping[str, Evidence],
    asked: PairedTest = DEFAULT,
    find_mend: Callable[[Run, Qrels], Mend | None] = for_documents,
) -> Verdict:
    """Return the verdict on two runs, with what threatens it.

    Parameters
    ----------
    comparison
        The comparison of both runs, at least by the first measure of ``rows``.
    rows
        The evidence of each measure, the primary one first: see `evidence`.
    asked
        The paired test behind ``rows``.
    find_mend
        Finds the change of a run's document ids; a page passes one that remembers.

    Examples
    --------
    >>> from metrics import compare, evidence
    >>> grades = {f"q{i}": {"x": 1} for i in range(9)}
    >>> good = Run.from_dict({q: {"x": 2, "y": 1} for q in grades}, "good")
    >>> bad = Run.from_dict({q: {"x": 1, "y": 2} for q in grades}, "bad")
    >>> compared = compare(Qrels.from_dict(grades), bad, good, "RR")
    >>> found = verdict(Qrels.from_dict(grades), bad, good, compared, evidence(compared))
    >>> print(found.sentence.text())
    good is better than bad: RR 1.0000 against 0.5000, +0.5000 (95 % interval +0.500 to +0.500); \
better on 9 of 9 queries, worse on 0.
    >>> [threat.kind for threat in found.threats]
    ['chance', 'unjudged', 'grades', 'few']
    """
    of = Situation(qrels, (a, b), comparison, parse(next(iter(rows))), rows, asked, find_mend)
    sentence = _no_verdict(of)
    if sentence is not None:
        reason = ids(of)
        return Verdict("none", sentence, (reason,) if reason else (), of.names)
    outcome, sentence = _answer(of)
    if of.runs[0].digest == of.runs[1].digest:
        return Verdict(outcome, sentence, (), of.names)
    made = (_applied(threat, of) for threat in THREATS)
    applied = [each for each in made if each is not None]
    # What favours the other run comes first.
    applied.sort(key=lambda each: not each.reverses)
    return Verdict(outcome, sentence, tuple(applied), of.names)


def _applied(threat: Callable[[Situation], Statement | None], of: Situation) -> Statement | None:
    """Return the threat, or None where the measure refuses to be computed in its circumstances."""
    try:
        return threat(of)
    except MeasureError:
        # A range that cannot be searched, or a choice that nobody can make, threatens nothing.
        return None


def _no_verdict(of: Situation) -> Statement | None:
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


def _answer(of: Situation) -> tuple[str, Statement]:
    found, measure = of.found, words(str(of.measure))
    n = count(found.queries, "query", "queries")
    winner, loser = of.names[::-1] if found.delta > 0 else of.names
    facts: dict[str, str | int | float] = {
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
    if found.wins == found.losses == 0:
        same = of.runs[0].digest == of.runs[1].digest
        above = f" of more than {of.asked.tie:g}" if of.asked.tie > TIE else ""
        what = "are the same run" if same else f"do not differ in {measure}"
        template = f"{{}} and {{}} {what}: no difference{above} on any of {n}."
        return "equal", Statement("result", template, of.names, facts)
    high, low = sorted((found.mean_a, found.mean_b), reverse=True)
    size = abs(found.delta)
    better, worse = (found.wins, found.losses) if found.delta > 0 else (found.losses, found.wins)
    by = f" by more than {of.asked.tie:g}" if of.asked.tie > TIE else ""
    on = f"better{by} on {better:,} of {n}, worse on {worse:,}"
    if found.sure:
        facts["winner"] = winner
        # The test, and with it the verdict, can be sure where the interval reaches over 0.
        sign = 1 if found.delta > 0 else -1
        ends = sorted((sign * found.low, sign * found.high))
        template = (
            f"{{}} is better than {{}}: {measure} {number(high)} against {number(low)}, "
            f"{signed(size)} (95 % interval {signed(ends[0], 3)} to {signed(ends[1], 3)}); {on}."
        )
        return winner_of(found), Statement("result", template, (winner, loser), facts)
    if of.asked.test == NONE:
        # Without a test the means describe these queries, and say nothing about others.
        template = (
            f"{{}} has the higher {measure} than {{}}: {number(high)} against {number(low)}, "
            f"{signed(size)}; {on}. Nothing was tested."
            if size > TIE
            else f"{{}} and {{}} have the same {measure} on average, {number(high)}; "
            f"{on}. Nothing was tested."
        )
        return "undecided", Statement("result", template, (winner, loser), facts)
    if found.queries < 2:
        template = (
            f"{{}} ranks this query better than {{}}: {measure} {number(high)} against "
            f"{number(low)}. One query is an example; a test needs more."
        )
        return "undecided", Statement("result", template, (winner, loser), facts)
    leads = (
        f"{{}} leads by {signed(size)} ({on})"
        if size > TIE
        else f"both have {number(high)} on average"
    )
    names = (*of.names, winner) if size > TIE else of.names
    template = (
        f"No difference found between {{}} and {{}} in {measure}: {leads}, which may be chance."
    )
    return "undecided", Statement("result", template, names, facts)


def winner_of(found: Evidence) -> str:
    """Return the side with the higher mean, ``"A"`` or ``"B"``."""
    return "B" if found.delta > 0 else "A"
