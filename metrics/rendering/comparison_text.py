"""Sentences about a comparison; without streamlit."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence

import pandas as pd

from ..comparing.comparison import Comparison, ranked
from ..comparing.decisive_labels import DecisiveLabels
from ..comparing.leaderboard import Leaderboard
from ..comparing.one_query import OneQuery
from ..comparing.reversal import Reversal
from ..comparing.robustness import Setting
from ..comparing.significance import TIE
from ..comparing.similarity import P, Similarity
from ..comparing.slices import Instructive
from ..data import Run
from ..deciding import Pairing, Statement, Verdict
from ..deciding.threats import share
from ..deciding.verdict import better_on, interval
from ..matching.judged import Rankings
from ..scoring.naming import parse
from ..writing import comparison
from ..writing.section import item
from . import text


def answer(found: Verdict) -> str:
    """Return the verdict's sentence in Markdown; the names of A and B carry their colours."""
    return found.sentence.text(_coloured(found))


def heading(found: Verdict) -> str:
    """Return the verdict as a heading in Markdown, coloured like `answer`."""
    return found.sentence.heading(_coloured(found))


def _coloured(found: Verdict) -> Callable[[str], str]:
    colours = dict(zip(found.names, ("blue", "orange"), strict=True))

    def named(name: str) -> str:
        shown = text.code(name)
        return f":{colours[name]}[{shown}]" if name in colours else shown

    return named


def evidence(of: Pairing) -> str:
    """Return what the verdict rests on in one line: the lead, its interval, queries and chance."""
    found = of.found
    if not found.wins + found.losses:
        return ""
    lead = f"Lead {text.apart(found.mean_a, found.mean_b)}"
    if found.queries < 2:
        return f"{lead}. 1 query is an example; a test needs more."
    if not math.isnan(found.low):
        lead += f", {interval(of)}"
    counts = better_on(of) + (f", equal on {found.ties:,}" if found.ties else "")
    if math.isnan(found.corrected):
        return f"{lead} · {counts} · not tested"
    return f"{lead} · {counts} · chance alone gives such a lead in {share(found.corrected)}"


def threats(found: Iterable[Statement]) -> list[str]:
    """Return what threatens a verdict as paragraphs in Markdown."""
    return [
        f"{'▲ ' if each.can_turn else ''}{item(each, each.text(text.code), '**{}**')}"
        for each in found
    ]


def aside(compared: Comparison, named: Callable[[str], str] = text.code) -> list[str]:
    """Return a sentence on each kind of query that counts as 0 or is not compared."""
    return [
        f"{what.capitalize()}: {each.text(named)}."
        for what, found in comparison.aside(compared).items()
        for each in found
    ]


def why_first(first: Instructive) -> str:
    """Return why a query is opened first, as a clause."""
    return first.reason.value.format(text.number(first.gains), text.number(first.losses))


def removed(compared: Comparison) -> str:
    """Return how many documents were removed from both rankings, and why; empty for none.

    This is text, not Markdown: a file of judged rankings brings its own notes.
    """
    a, b = (side.judged.removed for side in (compared.a, compared.b))
    if a == b:
        return a and f"A and B: {a}"
    return " ".join(f"{run}: {what}" for run, what in (("A", a), ("B", b)) if what)


def of_part(kept: int, of: int, conditions: str) -> str:
    """Return how many queries a filter keeps, and its conditions.

    Examples
    --------
    >>> of_part(42, 150, "B better")
    '42 of 150 queries (B better)'
    """
    return f"{kept:,} of {text.count(of, 'query', 'queries')} ({conditions})"


def ahead(deltas: Collection[float], what: str, sure: int | None = None) -> str:
    """Return in how many of these, such as measures, either run is ahead; ``sure``: significantly.

    Examples
    --------
    >>> ahead([0.5, 0.25, 0.0], "measure", sure=0)
    'Of 3 measures, B is ahead in 2, A in 0; 1 is equal. Significantly in 0.'
    """
    in_b, in_a = (sum(sign * delta > TIE for delta in deltas) for sign in (1, -1))
    (most, leader), (least, other) = sorted([(in_b, "B"), (in_a, "A")], reverse=True)
    rest = len(deltas) - most - least
    equal = f"; {rest} {'is' if rest == 1 else 'are'} equal" if rest else ""
    found = f"{leader} is ahead in {most}, {other} in {least}{equal}."
    of = text.count(len(deltas), what)
    return f"Of {of}, {found}" + ("" if sure is None else f" Significantly in {sure:,}.")


def settings(found: Sequence[Setting], measure: str) -> str:
    """Return which run leads as chosen, and the settings in which the other leads significantly."""
    cutoff = parse(measure).cutoff
    chosen = next(
        (each for each in found if not each.choice and each.cutoff == cutoff),
        next(each for each in found if not each.choice),
    )
    if abs(chosen.delta) <= TIE:
        return f"{measure}: neither run leads."
    leader, other = ("B", "A") if chosen.delta > 0 else ("A", "B")
    same = sum(each.delta * chosen.delta > 0 and abs(each.delta) > TIE for each in found)
    lead = f"{measure}: {leader} leads in {same:,} of {text.count(len(found), 'setting')}"
    turning: dict[str, list[str]] = {}
    for each in found:
        if each.delta * chosen.delta < 0 and not each.doubtful:
            at = "the whole ranking" if each.cutoff is None else f"@{each.cutoff}"
            turning.setdefault(each.choice or "as chosen", []).append(at)
    if all(math.isnan(each.p) for each in found):
        return f"{lead}; nothing was tested."
    if not turning:
        return f"{lead}; {other} is significantly ahead in none."
    named = "; ".join(f"{choice}, at {', '.join(at)}" for choice, at in turning.items())
    return f"{lead}, but {other} is significantly ahead with: {named}."


def decisive(found: DecisiveLabels, change: str, two: Sequence[Rankings], measure: str) -> str:
    """Return how many labels decide the winner; ``change``: how far each may change."""
    of = f"{len(found.changes):,} of {text.count(found.labels, 'label')}"
    if not found.leads:
        return f"Neither run leads in {measure}, so no label decides."
    leader, other = two if found.delta < 0 else reversed(two)
    if not found.turns:
        return (
            f"{text.code(leader.name)} stays ahead, whichever of "
            f"{text.count(found.labels, 'label')} change {change}, at most one per query."
        )
    return (
        f"**It takes at least {of}, changed {change}, one per query**, for "
        f"{text.code(other.name)} to lead: the mean delta goes from {text.signed(found.delta)} to "
        f"{text.signed(found.delta_after)}."
    )


def other_grade(before: OneQuery, after: OneQuery, document: str) -> list[tuple[str, str]]:
    """Return what another grade of a document changes, in parts as `difference` has them."""
    known = [one.qrels.to_dict()[one.query][document] for one in (before, after)]
    grades = " → ".join(map(text.grade, known))
    deltas = " → ".join(text.signed(one.b.score - one.a.score) for one in (before, after))
    # The numbers stay in one line.
    said = f" with grade {grades}: delta ".replace(" → ", "\u00a0→\u00a0")
    return [("document", text.visible(document)), ("", said + deltas.replace(" ", "\u00a0") + ".")]


def influence(delta: pd.Series[float], turning: int) -> str:
    """Return how many queries decide the sign of the mean delta."""
    if turning == 0:
        return "Neither run is ahead."
    ahead = "B" if delta.sum() > 0 else "A"
    first = str(delta.idxmax() if ahead == "B" else delta.idxmin())
    if turning == 1:
        return f"{ahead} is ahead because of one query: without {text.code(first)} it is not."
    return f"{ahead} stays ahead until its {turning:,} best of {len(delta):,} queries are left out."


def alike(found: Similarity) -> str:
    """Return how similar two rankings are, with the parameters of each number."""
    if not found.shared:
        return "The two lists share no document."
    return (
        f"Top {found.depth}: {found.overlap} in common. RBO (p = {P:g}) "
        f"{text.number(found.rbo, 3)}. Kendall's τ {text.number(found.tau, 3)} over "
        f"{text.count(found.shared, 'shared document')}."
    )


def in_common(common: pd.DataFrame, a: Run, b: Run, depth: int) -> str:
    """Return how much two runs have in common, in Markdown; ``common``: from the core."""
    mean = text.number(common["in common"].mean(), 1)
    over = f", on average over {len(common):,} queries" if len(common) > 1 else ""
    return (
        f":blue[{text.code(a.name)}] and :orange[{text.code(b.name)}] "
        f"have {mean} of their top {depth} documents in common{over}."
    )


def about_common(common: pd.DataFrame, a: Run, b: Run, depth: int, pooled: int) -> list[str]:
    """Return what else to know of two runs, and what it takes to score them, as items in Markdown.

    ``pooled``: how many documents the tops of both runs have together.
    """
    only = ", ".join(
        f"{text.number(common[f'only {side}'].mean(), 1)} of {side}'s" for side in "AB"
    )
    found = [
        f"- **Found by one run only**, per query: {only} top {depth} documents.",
        f"- **RBO** (p = {P:g}): {text.number(common['RBO'].mean(), 3)} on average. It compares "
        "whole rankings, the top first; 1 is the same, 0 is nothing in common.",
    ]
    known = set(common.index)
    for side, run in (("A", a), ("B", b)):
        if alone := len(set(run.queries) - known):
            found.append(f"- **Only in {side}**: {text.count(alone, 'query', 'queries')}.")
    found.append(
        f"- **Which is better** needs judgments: {text.count(pooled, 'document')} for the top "
        f"{depth} of both. Add qrels on Data at any time."
    )
    return found


def movement(frame: pd.DataFrame, depth: int, quoted: Callable[[str], str] = text.code) -> str:
    """Return the differences between the tops of two lists, in one or two sentences."""
    ranked = frame[["rank A", "rank B"]].notna().any()
    if not ranked.all():
        if not ranked.any():
            return "Neither run ranks a document for this query."
        only, other = ("A", "B") if ranked["rank A"] else ("B", "A")
        return f"Only {only} ranks documents for this query; {other} has no ranking to compare."
    near = frame[["rank A", "rank B"]] <= depth
    near = near.fillna(False)
    gained, lost = near["rank B"] & ~near["rank A"], near["rank A"] & ~near["rank B"]
    sentences = [
        f"{text.count(int(gained.sum()), 'document')} of B's top {depth} "
        f"{'is' if gained.sum() == 1 else 'are'} not in A's"
        if gained.any()
        else f"Both have the same top {depth}"
        if not lost.any()
        else f"A's top {depth} contains all of B's"
    ]
    both = frame[frame[["rank A", "rank B"]].notna().all(axis=1) & near.any(axis=1)]
    moved = both[both["rank A"] != both["rank B"]].astype({"rank A": int, "rank B": int})
    steps = (moved["rank A"] - moved["rank B"]).abs().sort_values(ascending=False, kind="stable")
    for name in map(str, steps.index[:2]):
        before, after = (int(moved[side][name]) for side in ("rank A", "rank B"))
        way = "up" if after < before else "down"
        sentences.append(f"{quoted(name)} moves {way} from rank {before} to {after}")
    return "; ".join(sentences) + "."


def difference(one: OneQuery, picked: str = "") -> list[tuple[str, str]]:
    """Return what a document made of a query's delta, in parts: a run, a document or words.

    ``("A", "A")`` and ``("document", "d1")`` say what they are, words have an empty text there.
    ``picked``: the document, if it is not the one that made most of it.
    """
    listed = any(picked in side.lines.index for side in one.sides)
    if not (name := picked if listed else one.decisive):
        return [("", "No document changes the score of this query.")]
    ranks = {s.name: s.lines["rank"][name] for s in one.sides if name in s.lines.index}
    delta = float(one.delta.get(name, 0.0))
    change, document = f": {text.signed(delta)}.", ("document", text.visible(name))
    if len(ranks) == 2:
        in_a, in_b = (f" at rank {ranks[side]:.0f} in " for side in "AB")
        return [
            document,
            ("", f" is{in_a}"),
            ("A", "A"),
            ("", f",{in_b}"),
            ("B", "B"),
            ("", change),
        ]
    ((has, rank),) = ranks.items()
    other = one.b if has == "A" else one.a
    # What is judged is listed by each run that retrieves it.
    bars = one.waterfall[ranked(one.waterfall)].set_index("document")
    known = other.whole or not math.isnan(bars["grade"][name])
    lacks = "does not have it" if known else "does not list it"
    first = [(has, has), ("", " has "), document, ("", f" at rank {rank:.0f}, ")]
    return [*first, (other.name, other.name), ("", f" {lacks}{change}")]


def reversal(found: Reversal, depth: str) -> str:
    """Return whether grades for the unjudged documents could reverse the verdict."""
    if not found.unjudged:
        return f"Every document in {depth} is judged."
    many = text.count(found.unjudged, "unjudged document")
    ends = (
        f"{many}: over all possible grades the delta is between {text.signed(found.low)} and "
        f"{text.signed(found.high)}"
    )
    if found.can_reverse is None:
        return f"{ends} at most; it is not known whether the other run could be ahead."
    if not found.can_reverse:
        nearest = found.low if found.delta > 0 else -found.high
        if abs(found.delta) <= TIE:
            return f"{ends}; neither run is ahead now."
        if nearest <= TIE:
            return f"{ends}; the other run cannot be ahead, but the two could tie."
        return f"{ends}; the same run stays ahead."
    grades = found.low_grades if found.delta > 0 else found.high_grades
    raised = [
        f"{text.code(str(name))} {text.grade(value)}" for name, value in grades.items() if value
    ]
    example = f"with the grades {', '.join(raised[:3])}" if raised else "with grade 0 for all"
    more = f" and {len(raised) - 3} more" if len(raised) > 3 else ""
    return f"{ends}. **On this query the other run could be ahead**: for example {example}{more}."


def leader(board: Leaderboard) -> str:
    """Return the run with the highest mean, and how many runs it is significantly ahead of."""
    first, *others = board.standings
    measure = board.measures[0]
    best = first.means[measure]
    level = [each for each in board.standings if best - each.means[measure] <= TIE]
    if len(level) > 1:
        return f"{len(level)} runs share the highest mean {measure}, {text.number(best)}."
    beaten = len(first.ahead_of[measure])
    highest = f"{text.code(first.run)} has the highest mean {measure}, {text.number(best)}"
    if all(math.isnan(row.p) for row in board.pairs.values()):
        return f"{highest}."
    n = len(others)
    whom = "the other run" if n == 1 else f"all {n} others" if beaten == n else "any other"
    sure = (
        f"significantly ahead of {beaten} of {n} others"
        if 0 < beaten < n
        else f"{'' if beaten else 'not '}significantly ahead of {whom}"
    )
    return f"{highest}; {sure}."
