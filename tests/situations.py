"""Situations with the verdict that each must get, wherever it is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from metrics import Qrels, Run
from metrics.defaults import MEASURES
from metrics.teaching.samples import catalogue

RELEVANT, OTHERS = 5, 20


@dataclass(frozen=True)
class Case:
    """Judgments, two runs, and the verdict they must get.

    Attributes
    ----------
    outcome
        That of the verdict.
    threats
        The kinds of its threats, in order.
    reverses
        Those among them that favour the other run.
    open
        Those that leave open which run is better.
    needs_whole_runs
        Whether only whole runs show that nothing leaves it open; judged rankings then do not.
    says
        A part of the sentence.
    """

    qrels: Qrels
    a: Run
    b: Run
    outcome: str
    threats: tuple[str, ...]
    says: str
    reverses: tuple[str, ...] = ()
    measures: tuple[str, ...] = ("nDCG@10",)
    open: tuple[str, ...] = ()
    needs_whole_runs: bool = False


def judged(n: int, grade: Callable[[int], float] = lambda query: 1) -> Qrels:
    """Judgments of n queries: five relevant documents r0 … r4 and twenty others n0 … n19."""
    return Qrels.from_dict(
        {
            f"q{q:03}": {f"r{i}": grade(q) for i in range(RELEVANT)}
            | {f"n{i}": 0 for i in range(OTHERS)}
            for q in range(n)
        },
        "qrels",
    )


def ranked(name: str, n: int, order: Callable[[int], Sequence[str]]) -> Run:
    """A run of n queries with these documents, the first one on top."""
    lists = {q: order(q) for q in range(n)}
    return Run.from_dict(
        {f"q{q:03}": {d: -float(i) for i, d in enumerate(ids)} for q, ids in lists.items() if ids},
        name,
    )


def top(*ranks: int) -> list[str]:
    """Fifteen judged documents with the relevant ones at these ranks."""
    places = {rank: f"r{i}" for i, rank in enumerate(ranks)}
    return [places.get(rank, f"n{rank}") for rank in range(1, 16)]


def good(query: int) -> list[str]:
    return top(1, 2 + query % 3)


def bad(query: int) -> list[str]:
    return top(4 + query % 2, 8)


def mixed(query: int) -> list[str]:
    """A ranking worse than `good` for two of three queries, better for the third."""
    return bad(query) if query % 3 else top(1, 2, 3)


def ids_off() -> Case:
    b = ranked("dense", 40, lambda q: [f"{d}.txt" for d in good(q)])
    return Case(judged(40), ranked("bm25", 40, bad), b, "none", ("ids",), "No verdict")


def unjudged_turns() -> Case:
    def holes(query: int) -> list[str]:
        return ["u1", "u2", "u3", "u4", "u5", "r0", "r1", "u6", "u7", "u8", *top(9, 10)[2:6]]

    a = ranked("bm25", 60, lambda q: top(2, 5 + q % 2))
    threats = ("unjudged", "grades", "chance")
    b, says = ranked("dense", 60, holes), "bm25 leads dense, not decided: unjudged documents can"
    return Case(judged(60), a, b, "leads", threats, says, ("unjudged",), open=("unjudged",))


def sparse() -> Case:
    """Only relevant documents are judged, as in MS MARCO: both tops are nearly without grades."""
    qrels = Qrels.from_dict({f"q{q:03}": {f"r{i}": 1 for i in range(RELEVANT)} for q in range(30)})
    a, b = ranked("bm25", 30, bad), ranked("dense", 30, good)
    return Case(qrels, a, b, "B", ("chance", "unjudged", "grades"), "dense is better")


def uneven() -> Case:
    """A pool of one run: the first three documents of the other have no grade."""
    a = ranked("bm25", 30, lambda q: ["u1", "u2", "u3", *top(9)])
    b = ranked("dense", 30, lambda q: top(3 + q % 2, 8))
    says = "dense leads bm25, not decided: unjudged documents can turn the lead."
    threats = ("unjudged", "grades", "chance")
    return Case(judged(30), a, b, "leads", threats, says, open=("unjudged",))


def uneven_and_decided() -> Case:
    """As `uneven`, but the lead stands whatever the grades of these documents."""
    a = ranked("bm25", 30, lambda q: [*top(9, 10)[:6], "u1", *top(9, 10)[7:]])
    b = ranked("dense", 30, lambda q: top(1, 2, 3, 4, 5))
    threats, says = ("chance", "unjudged", "grades"), "dense is better than bm25"
    return Case(judged(30), a, b, "B", threats, says, needs_whole_runs=True)


def even() -> Case:
    """A pool of neither run: two unjudged documents in each top of both, and nothing turns."""
    a = ranked("bm25", 30, lambda q: [*bad(q)[:8], "u1", "u2"])
    b = ranked("dense", 30, lambda q: [*good(q)[:8], "u3", "u4"])
    return Case(judged(30), a, b, "B", ("chance", "unjudged", "grades"), "dense is better")


def grades_of_shares() -> Case:
    """Grades from 0 to 1: that each above 0 gains 1 is a choice which nobody makes."""
    qrels = Qrels.from_dict(
        {
            f"q{q:03}": {"r0": 1.0, "r1": 0.9} | {f"n{i}": 0.02 if i < 9 else 0 for i in range(20)}
            for q in range(30)
        }
    )
    zeros = [f"n{i}" for i in range(9, 20)]
    a = ranked("bm25", 30, lambda q: [f"n{i}" for i in range(9)] + ["r0", "r1"])
    b = ranked("dense", 30, lambda q: ["r0", "r1", *zeros] if q % 9 else ["r1", "r0", *zeros])
    return Case(qrels, a, b, "B", ("chance",), "dense is better than bm25")


def missing_queries() -> Case:
    b = ranked("dense", 60, lambda q: good(q) if q < 30 else [])
    a = ranked("bm25", 60, lambda q: top(2, 3) if q < 30 else good(q))
    threats = ("queries", "chance")
    says = "dense leads bm25, not decided: missing queries can"
    return Case(judged(60), a, b, "leads", threats, says, ("queries",), open=("queries",))


def eight_queries() -> Case:
    a, b = ranked("bm25", 8, bad), ranked("dense", 8, good)
    return Case(judged(8), a, b, "B", ("chance", "few"), "better on 8 of 8 queries")


def missing_and_decided() -> Case:
    """Three queries that B lacks; counted as 0 they do not turn its lead."""
    b = ranked("dense", 30, lambda q: good(q) if q < 27 else [])
    a = ranked("bm25", 30, bad)
    says, threats = "dense is better than bm25", ("chance", "queries")
    return Case(judged(30), a, b, "B", threats, says)


def four_differ() -> Case:
    """Four queries of thirty differ: too few for an interval, and for any test."""
    a = ranked("bm25", 30, good)
    b = ranked("dense", 30, lambda q: top(1, 2, 3, 4, 5) if q < 4 else good(q))
    says, threats = "which may be chance", ("chance", "excluded", "few")
    return Case(judged(30), a, b, "undecided", threats, says)


def one_query() -> Case:
    a, b = ranked("bm25", 1, bad), ranked("dense", 1, good)
    return Case(judged(1), a, b, "undecided", (), "1 query is an example; a test needs more.")


def few_ties() -> Case:
    """Equal scores at the end of each list, whose order cannot turn the lead."""
    b = Run.from_dict(
        {f"q{q:03}": {d: float(-min(i, 8)) for i, d in enumerate(good(q))} for q in range(40)},
        "dense",
    )
    return Case(judged(40), ranked("bm25", 40, bad), b, "B", ("chance",), "dense is better")


def level_holds() -> Case:
    """As `below_the_level`, but B is better on the queries with grades of 0.5, too."""
    qrels = judged(60, lambda query: 0.5 if query < 30 else 1)
    a, b = ranked("bm25", 60, bad), ranked("dense", 60, lambda q: top(1, 7))
    threats = ("chance", "level")
    return Case(qrels, a, b, "B", threats, "dense is better", (), ("AP",))


def found_by_another() -> Case:
    """The first relevant document is as often higher in A as in B; B finds more of them."""
    a = ranked("bm25", 30, lambda q: top(1 + q % 2))
    b = ranked("dense", 30, lambda q: top(2 - q % 2, 5, 6))
    threats = ("chance", "excluded", "few", "others")
    says = "bm25 and dense have the same RR on average"
    return Case(judged(30), a, b, "undecided", threats, says, (), ("RR", "R@10"))


def all_ties() -> Case:
    # By id descending, the relevant documents come first by chance.
    b = Run.from_dict({f"q{q:03}": dict.fromkeys(top(9, 10), 1.0) for q in range(40)}, "constant")
    a = ranked("bm25", 40, lambda q: top(2, 4 + q % 3))
    says = "constant leads bm25, not decided: equal scores can"
    return Case(judged(40), a, b, "leads", ("ties", "chance"), says, ("ties",), open=("ties",))


def below_the_level() -> Case:
    # 71 queries have grades of 0.5 alone; on these, A is far better.
    qrels = judged(150, lambda query: 0.5 if query < 71 else 1)
    a = ranked("bm25", 150, lambda q: top(1, 2, 3, 4) if q < 71 else bad(q))
    b = ranked("dense", 150, lambda q: bad(q) if q < 71 else top(1, 7))
    threats, says = ("level", "chance"), "dense leads bm25, not decided: the relevance level can"
    return Case(qrels, a, b, "leads", threats, says, ("level",), ("AP",), ("level",))


def shorter_lists() -> Case:
    """B finds more of the relevant documents, but only below the end of A's lists."""
    a = ranked("bm25", 30, lambda q: top(1, 2 + q % 3)[:6])
    b = ranked("dense", 30, lambda q: top(1, 2 + q % 3, 11, 12, 13))
    threats, says = ("chance", "lengths"), "dense is better than bm25: R@100"
    return Case(judged(30), a, b, "B", threats, says, (), ("R@100",))


def outlier() -> Case:
    a = ranked("bm25", 30, lambda q: top(15) if q == 7 else top(13))
    b = ranked("dense", 30, lambda q: top(1) if q == 7 else top(14))
    threats = ("chance", "excluded", "few", "outlier")
    return Case(judged(30), a, b, "undecided", threats, "which may be chance", (), ("RR",))


def holm_matters() -> Case:
    shop = catalogue()["shop"].load()
    threats, says = ("chance", "unjudged", "grades", "others"), "char_ngrams is better than bm25"
    return Case(shop.qrels, *shop.runs, "B", threats, says, (), MEASURES)


def equal_runs() -> Case:
    a = ranked("bm25", 40, good)
    return Case(judged(40), a, a.renamed("copy"), "equal", (), "are the same run")


def clear_win() -> Case:
    a, b = ranked("bm25", 60, bad), ranked("dense", 60, good)
    return Case(judged(60), a, b, "B", ("chance",), "dense is better than bm25: nDCG@10")


_MAKE = (
    ids_off,
    unjudged_turns,
    sparse,
    uneven,
    uneven_and_decided,
    even,
    grades_of_shares,
    missing_queries,
    missing_and_decided,
    four_differ,
    one_query,
    few_ties,
    level_holds,
    found_by_another,
    shorter_lists,
    eight_queries,
    all_ties,
    below_the_level,
    outlier,
    holm_matters,
    equal_runs,
    clear_win,
)
NAMES = tuple(make.__name__ for make in _MAKE)


@cache
def cases() -> dict[str, Case]:
    """The situations by name."""
    return {make.__name__: make() for make in _MAKE}
