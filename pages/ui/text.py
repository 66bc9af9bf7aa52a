"""Text from outside (ids, queries, file names) made safe for the sink it goes to."""

from __future__ import annotations

import html
import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence

import pandas as pd

from metrics.compare import TIE
from metrics.evidence import Evidence
from metrics.hand_ranking import Entry
from metrics.leaderboard import Leaderboard
from metrics.reversal import Reversal
from metrics.robustness import Setting
from metrics.similarity import P, Similarity

# Letters and symbols that are drawn as nothing: Hangul fillers, the empty Braille pattern.
_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
_BACKTICKS = re.compile("`+")


def visible(text: str) -> str:
    """Characters that cannot be seen shown by their number, such as ⟨U+202E⟩."""
    return "".join(f"⟨U+{ord(c):04X}⟩" if _is_hidden(c) else c for c in text)


def _is_hidden(character: str) -> bool:
    if character == " ":
        return False
    return character in _BLANK or unicodedata.category(character)[0] in "CZ"


def plain(said: str) -> str:
    """A sentence of ours without its Markdown."""
    return said.replace("**", "").replace("`", "")


def code(text: str) -> str:
    """A Markdown code span that shows the text literally, whatever is in it."""
    shown = visible(text) or " "
    fence = "`" * (max(map(len, _BACKTICKS.findall(shown)), default=0) + 1)
    return f"{fence} {shown} {fence}" if "`" in shown else f"{fence}{shown}{fence}"


def for_plotly(text: str, longest: int = 28) -> str:
    """A label for a chart: HTML escaped, and cut at its end when it is long."""
    shown = visible(text)
    return html.escape(shown if len(shown) <= longest else shown[: longest - 1] + "…")


def number(value: float, digits: int = 4) -> str:
    """A number for reading; a missing one is a dash, never 0."""
    return "–" if math.isnan(value) else f"{value:.{digits}f}".replace("-", "−")


def signed(value: float, digits: int = 4) -> str:
    """A difference with its sign."""
    return "–" if math.isnan(value) else f"{value:+.{digits}f}".replace("-", "−")


def grade(value: float | None) -> str:
    """A grade, or ``?`` for a document that nobody judged."""
    return "?" if value is None or math.isnan(value) else f"{value:g}"


def count(number: int, what: str, many: str = "") -> str:
    """A number of things in words that agree with it; ``many``: where it takes more than an s."""
    return f"{number:,} {what if number == 1 else many or f'{what}s'}"


def grades(entries: Iterable[Entry]) -> str:
    """Grades as a list to read: ``3, 2 = 0, ?``, where ``=`` joins equal scores."""
    parts = [f"{' = ' if e.tied else ', '}{grade(e.grade)}" for e in entries]
    return "".join(parts).removeprefix(", ") or "none"


def verdict(found: Evidence, measure: str, test: str) -> str:
    """What a comparison comes to, in plain words: which run is ahead, where, how surely."""
    queries = count(found.queries, "query", "queries")
    if found.wins == found.losses == 0:
        return f"no difference in {measure} on any of {queries}."
    ahead, better = ("B", found.wins) if found.delta > 0 else ("A", found.losses)
    if abs(found.delta) < 5e-5:
        return f"equal {measure} on average over {queries}, better on some and worse on others."
    share = f" ({signed(100 * found.relative, 1)} %)" if not math.isnan(found.relative) else ""
    said = (
        f"{ahead} ranks better on {better} of {queries}; "
        f"mean {measure} {signed(found.delta)}{share}"
    )
    if found.queries < 2:
        return f"{said}. Of one query no test can say anything."
    sure = "is unlikely to be" if found.sure else "could well be"
    return (
        f"{said}, 95 % interval {signed(found.low, 3)} to {signed(found.high, 3)}. The difference "
        f"{sure} chance ({_p_is(found.corrected)}, {test})."
    )


def settings(found: Sequence[Setting], measure: str) -> str:
    """In how many settings each run is ahead, and how surely."""
    sides = {}
    for side, sign in (("B", 1), ("A", -1)):
        ahead = [each for each in found if sign * each.delta > TIE]
        sure = sum(not each.doubtful for each in ahead)
        sides[side] = f"{side} ahead in {len(ahead)} of {len(found)} settings, surely in {sure}"
    return f"{measure.split('@')[0]}: {sides['B']}; {sides['A']}."


def influence(delta: pd.Series[float], turning: int) -> str:
    """On how few queries the sign of the mean delta hangs."""
    if turning == 0:
        return "Neither run is ahead."
    ahead = "B" if delta.sum() > 0 else "A"
    first = str(delta.idxmax() if ahead == "B" else delta.idxmin())
    if turning == 1:
        return f"{ahead} is ahead by a single query: without {code(first)} it is not."
    return (
        f"{ahead} stays ahead unless its {turning:,} best of {len(delta):,} queries are left out."
    )


def alike(found: Similarity) -> str:
    """How alike two rankings are, with the parameters of each number."""
    return (
        f"Top {found.depth}: {found.overlap} in common. RBO (p = {P:g}) {number(found.rbo, 3)}. "
        f"Kendall's τ {number(found.tau, 3)} over {count(found.shared, 'shared document')}."
    )


def movement(frame: pd.DataFrame, depth: int) -> str:
    """What differs between the top of two lists, in a sentence or two."""
    near = frame[["rank A", "rank B"]] <= depth
    near = near.fillna(False)
    new, gone = near["rank B"] & ~near["rank A"], near["rank A"] & ~near["rank B"]
    said = [
        f"{count(int(new.sum()), 'document')} of B's top {depth} "
        f"{'is' if new.sum() == 1 else 'are'} not in A's"
        if new.any()
        else f"Both have the same top {depth}"
        if not gone.any()
        else f"A's top {depth} holds all of B's"
    ]
    both = frame[frame[["rank A", "rank B"]].notna().all(axis=1) & near.any(axis=1)]
    moved = both[both["rank A"] != both["rank B"]].astype({"rank A": int, "rank B": int})
    steps = (moved["rank A"] - moved["rank B"]).abs().sort_values(ascending=False, kind="stable")
    for name in map(str, steps.index[:2]):
        before, after = (int(moved[side][name]) for side in ("rank A", "rank B"))
        way = "up" if after < before else "down"
        said.append(f"{code(name)} moves {way} from rank {before} to {after}")
    return "; ".join(said) + "."


def reversal(found: Reversal, depth: str) -> str:
    """Whether grades for what nobody judged could turn who is ahead."""
    if not found.unjudged:
        return f"Every document of {depth} is judged."
    many = count(found.unjudged, "unjudged document")
    ends = (
        f"{many}: with any grades the delta lies from {signed(found.low)} to {signed(found.high)}"
    )
    if found.can_reverse is None:
        return f"{ends} at the widest; whether the other run could be ahead is not known."
    if not found.can_reverse:
        stays = (
            "neither run is ahead now" if abs(found.delta) <= TIE else "the same run stays ahead"
        )
        return f"{ends}; {stays}."
    grades = found.low_grades if found.delta > 0 else found.high_grades
    raised = [f"{code(str(name))} {grade(value)}" for name, value in grades.items() if value]
    given = f"with {', '.join(raised[:3])}" if raised else "with grade 0 for all"
    more = f" and {len(raised) - 3} more" if len(raised) > 3 else ""
    return f"{ends}. **The verdict could turn**: {given}{more} the other run is ahead."


def leader(board: Leaderboard, measure: str) -> str:
    """Who is ahead of whom, surely."""
    first, *others = board.standings
    beaten = len(first.beats)
    sure = (
        f"surely ahead of all {len(others)}"
        if beaten == len(others) > 1
        else "surely ahead"
        if beaten == len(others)
        else f"surely ahead of {beaten} of {len(others)}"
    )
    return f"{code(first.run)} has the highest mean {measure}, {number(first.mean)}; {sure}."


def p_value(p: float) -> str:
    """A p-value for reading: never 0."""
    return "–" if math.isnan(p) else "< 0.001" if p < 0.001 else f"{p:.3f}"


def _p_is(p: float) -> str:
    said = p_value(p)
    return f"p {said}" if said.startswith("<") else f"p = {said}"


def moved(before: pd.DataFrame, after: pd.DataFrame) -> str:
    """What an edit did to a score, by the documents whose contribution it changed."""
    total = float(after["contribution"].sum() - before["contribution"].sum())
    changed = changes(before, after, code)
    return f"{signed(total)} = {changed}" if changed else "it changed no contribution."


def changes(before: pd.DataFrame, after: pd.DataFrame, named: Callable[[str], str]) -> str:
    """The documents whose contributions differ most, with the differences; empty for none."""
    sides = [table.groupby("document")["contribution"].sum() for table in (before, after)]
    return largest(sides[1].sub(sides[0], fill_value=0.0), named)


def largest(delta: pd.Series[float], named: Callable[[str], str]) -> str:
    """The documents with the largest differences, and the rest as one; empty for none."""
    delta = delta[delta.abs() >= 5e-5].sort_values(key=abs, ascending=False, kind="stable")
    parts = [f"{named(str(name))} {signed(value)}" for name, value in delta[:3].items()]
    rest = f", {count(len(delta) - 3, 'other')} {signed(delta[3:].sum())}" if len(delta) > 3 else ""
    return ", ".join(parts) + rest


def gap(ranking: pd.Series[float], ideal: pd.Series[float]) -> str:
    """Where a ranking falls short of the ideal: contributions by rank, the largest first."""
    ranks = ideal.index.union(ranking.index)
    lost = ideal.reindex(ranks, fill_value=0.0) - ranking.reindex(ranks, fill_value=0.0)
    total = float(lost.sum())
    if abs(total) < 5e-5:
        return "Nothing is lost against the ideal ranking."
    largest = lost[lost.abs() >= 5e-5].sort_values(key=abs, ascending=False, kind="stable")[:3]
    steps = ", ".join(f"{signed(-value)} at rank {rank}" for rank, value in largest.items())
    others = float(lost.sum() - largest.sum())
    more = f", {signed(-others)} elsewhere." if abs(others) >= 5e-5 else "."
    return f"{number(total)} below the ideal: {steps}{more}"
