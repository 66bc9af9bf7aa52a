"""What a comparison comes to, in sentences; no streamlit here."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pandas as pd

from metrics import Comparison
from metrics.comparing.comparison import TIE
from metrics.comparing.evidence import ALPHA, Evidence, PairedTest
from metrics.comparing.leaderboard import Leaderboard
from metrics.comparing.reversal import Reversal
from metrics.comparing.robustness import Setting
from metrics.comparing.significance import TESTS
from metrics.comparing.similarity import P, Similarity
from metrics.exploring.differences import ROUNDS_TO_0

from . import text

NAMED = 5
"""At most this many queries are named in a sentence."""


def conclusion(rows: Mapping[str, Evidence], measure: str, asked: PairedTest) -> str:
    """The sentence that sums a comparison up by one of the measures that were tested."""
    title = TESTS[asked.test].title.lower()
    of = f"{title}, Holm over {len(rows)} measures" if len(rows) > 1 else title
    return verdict(rows[measure], measure, of, asked.tie)


def verdict(found: Evidence, measure: str, test: str, tie: float = TIE) -> str:
    """What a comparison comes to, in plain words: which run is ahead, where, how surely."""
    queries = text.count(found.queries, "query", "queries")
    if found.wins == found.losses == 0:
        above = f" above {tie:g}" if tie > TIE else ""
        return f"no difference in {measure}{above} on any of {queries}."
    if abs(found.delta) < ROUNDS_TO_0 and found.wins and found.losses:
        return f"equal {measure} on average over {queries}, better on some and worse on others."
    share = f" ({text.signed(100 * found.relative, 1)} %)" if not math.isnan(found.relative) else ""
    said = f"{_ahead(found, queries)}; mean {measure} {text.signed(found.delta)}{share}"
    if found.queries < 2:
        return f"{said}. Of one query no test can say anything."
    said = f"{said}, 95 % interval {text.signed(found.low, 3)} to {text.signed(found.high, 3)}."
    how = f"({_p_is(found.corrected)}, {test})"
    if found.corrected < ALPHA and not found.sure:
        return (
            f"{said} The test looks at the ranks of the deltas, and speaks for the other run {how}."
        )
    sure = "is unlikely to be" if found.sure else "could well be"
    return f"{said} The difference {sure} chance {how}."


def _ahead(found: Evidence, queries: str) -> str:
    """Which run has the higher mean, and on how many queries it, or else the other, is better."""
    ahead, behind, more, fewer = "B", "A", found.wins, found.losses
    if found.delta < 0:
        ahead, behind, more, fewer = behind, ahead, fewer, more
    if fewer > more:
        return (
            f"{ahead} has the higher mean although {behind} is better on more queries "
            f"({fewer} against {more}, of {queries})"
        )
    return f"{ahead} ranks better on {more} of {queries}"


def aside(compared: Comparison) -> list[str]:
    """What is counted as 0 or not compared, as a run lacks it: the queries, in sentences."""
    said = []
    for what, queries in compared.missing_but_counted.items():
        names = ", ".join(map(text.code, queries[:NAMED]))
        more = f" and {len(queries) - NAMED:,} more" if len(queries) > NAMED else ""
        said.append(f"{names}{more} {'is' if len(queries) == 1 else 'are'} {what}")
    gone = {
        "only in run A": compared.only_a,
        "only in run B": compared.only_b,
        "in neither run": compared.missing_from_both,
    }
    for where, queries in gone.items():
        if queries:
            many = text.count(len(queries), "judged query is", "judged queries are")
            said.append(f"{many} {where} and not compared")
    if compared.unjudged:
        many = text.count(
            len(compared.unjudged), "query of the runs was", "queries of the runs were"
        )
        said.append(f"{many} judged by nobody and not compared")
    return said


def tested(rows: Mapping[str, Evidence]) -> str:
    """How many tests were made, and so corrected for; of one query there is none."""
    return text.count(sum(not math.isnan(row.p) for row in rows.values()), "test")


def _p_is(p: float) -> str:
    said = text.p_value(p)
    return f"p {said}" if said.startswith("<") else f"p = {said}"


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
        return f"{ahead} is ahead by a single query: without {text.code(first)} it is not."
    return (
        f"{ahead} stays ahead unless its {turning:,} best of {len(delta):,} queries are left out."
    )


def alike(found: Similarity) -> str:
    """How alike two rankings are, with the parameters of each number."""
    if not found.shared:
        return "The two lists share no document."
    return (
        f"Top {found.depth}: {found.overlap} in common. RBO (p = {P:g}) "
        f"{text.number(found.rbo, 3)}. Kendall's τ {text.number(found.tau, 3)} over "
        f"{text.count(found.shared, 'shared document')}."
    )


def movement(frame: pd.DataFrame, depth: int) -> str:
    """What differs between the top of two lists, in a sentence or two."""
    ranked = frame[["rank A", "rank B"]].notna().any()
    if not ranked.all():
        if not ranked.any():
            return "Neither run ranks a document for this query."
        only, other = ("A", "B") if ranked["rank A"] else ("B", "A")
        return f"Only {only} ranks documents for this query; {other} has no ranking to compare."
    near = frame[["rank A", "rank B"]] <= depth
    near = near.fillna(False)
    new, gone = near["rank B"] & ~near["rank A"], near["rank A"] & ~near["rank B"]
    said = [
        f"{text.count(int(new.sum()), 'document')} of B's top {depth} "
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
        said.append(f"{text.code(name)} moves {way} from rank {before} to {after}")
    return "; ".join(said) + "."


def reversal(found: Reversal, depth: str) -> str:
    """Whether grades for what nobody judged could turn who is ahead."""
    if not found.unjudged:
        return f"Every document of {depth} is judged."
    many = text.count(found.unjudged, "unjudged document")
    ends = (
        f"{many}: with any of the grades in use the delta lies from {text.signed(found.low)} to "
        f"{text.signed(found.high)}"
    )
    if found.can_reverse is None:
        return f"{ends} at the widest; whether the other run could be ahead is not known."
    if not found.can_reverse:
        nearest = found.low if found.delta > 0 else -found.high
        if abs(found.delta) <= TIE:
            return f"{ends}; neither run is ahead now."
        if nearest <= TIE:
            return f"{ends}; the other run cannot get ahead, but the two could tie."
        return f"{ends}; the same run stays ahead."
    grades = found.low_grades if found.delta > 0 else found.high_grades
    raised = [
        f"{text.code(str(name))} {text.grade(value)}" for name, value in grades.items() if value
    ]
    given = f"with {', '.join(raised[:3])}" if raised else "with grade 0 for all"
    more = f" and {len(raised) - 3} more" if len(raised) > 3 else ""
    return f"{ends}. **The verdict could turn**: {given}{more} the other run is ahead."


def leader(board: Leaderboard, measure: str) -> str:
    """Who is ahead of whom, surely."""
    first, *others = board.standings
    level = [each for each in board.standings if first.mean - each.mean <= TIE]
    if len(level) > 1:
        return f"{len(level)} runs share the highest mean {measure}, {text.number(first.mean)}."
    beaten = len(first.beats)
    sure = (
        f"surely ahead of all {len(others)}"
        if beaten == len(others) > 1
        else "surely ahead"
        if beaten == len(others)
        else f"surely ahead of {beaten} of {len(others)}"
    )
    return (
        f"{text.code(first.run)} has the highest mean {measure}, {text.number(first.mean)}; {sure}."
    )
