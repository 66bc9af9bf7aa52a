"""Situations of a check, with the answer that each must get, wherever it is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from metrics import TREC_EVAL, Convention, Qrels, Run
from metrics.deciding.regression import Rule, Ruling
from metrics.matching.judged import JudgedRankings, Matcher, judged_by
from tests.situations import RELEVANT, bad, good, judged, ranked, top

N = 30
FULL, PLAIN = judged(N), Rule()
SPARSE = Qrels.from_dict({f"q{q:03}": {f"r{i}": 1 for i in range(RELEVANT)} for q in range(N)})


@dataclass(frozen=True)
class Checked:
    """Judgments, a baseline and a new run, and the answer they must get.

    Attributes
    ----------
    answer
        The outcome.
    says
        A part of the sentence.
    to_judge
        The first document to judge; empty for none.
    """

    base: Run
    new: Run
    answer: Ruling
    says: str
    to_judge: tuple[str, str, int] | tuple[()] = ()
    qrels: Qrels = FULL
    measures: tuple[str, ...] = ("nDCG@10",)
    rule: Rule = PLAIN
    convention: Convention = TREC_EVAL

    @property
    def sides(self) -> tuple[JudgedRankings, JudgedRankings]:
        """Both runs as their judged files hold them."""
        matcher = Matcher(self.qrels, self.convention, depth=10)
        a, b = (judged_by(matcher, run) for run in (self.base, self.new))
        return a, b


def base(order: Callable[[int], Sequence[str]] = good) -> Run:
    return ranked("base", N, order)


def new(order: Callable[[int], Sequence[str]]) -> Run:
    return ranked("new", N, order)


def below_junk(ranking: Sequence[str], *ranks: int) -> list[str]:
    """The ranking with unjudged documents put in at these ranks."""
    found = list(ranking)
    for rank in ranks:
        found.insert(rank - 1, f"u{rank}")
    return found


HOLDS, REGRESSION = Ruling.HOLDS, Ruling.REGRESSION
UNLIKE, OPEN = Ruling.NOT_COMPARABLE, Ruling.CANNOT_TELL
DECIDES = "Cannot tell: documents without a grade decide whether nDCG@10 holds."


def the_same() -> Checked:
    return Checked(base(), new(good), HOLDS, "No regression: nDCG@10 holds.")


def better() -> Checked:
    return Checked(base(bad), new(good), HOLDS, "No regression: nDCG@10 holds.")


def worse() -> Checked:
    return Checked(base(), new(bad), REGRESSION, "Regression: nDCG@10 drops by")


def pooled_baseline() -> Checked:
    """Three unjudged documents move down the others, which are as good as before."""
    run = new(lambda q: below_junk(good(q), 1, 2, 5))
    return Checked(base(), run, OPEN, DECIDES, ("q000", "u1", 1))


def pooled_and_worse() -> Checked:
    run = new(lambda q: below_junk(bad(q), 1, 2, 5))
    return Checked(base(), run, REGRESSION, "Regression: nDCG@10 drops by")


def junk_in_every_rank() -> Checked:
    """Nothing near the top is judged: nobody knows whether it is worth anything."""
    run = new(lambda q: [f"u{i}" for i in range(10)] + good(q))
    return Checked(base(), run, OPEN, DECIDES, ("q000", "u0", 1))


def junk_that_the_measure_leaves_out() -> Checked:
    """Bpref leaves out unjudged documents, so that it would hold with any of them."""
    run = new(lambda q: below_junk(good(q), 1, 2, 3))
    says = "Cannot tell: documents without a grade decide whether Bpref holds."
    return Checked(base(), run, OPEN, says, ("q000", "u1", 1), measures=("Bpref",))


def one_of_two_measures() -> Checked:
    """The relevant documents stay in the top 10, below others in the new run."""
    run = new(lambda q: below_junk(good(q), 1))
    says, measures = "decide whether nDCG@10 and RR hold.", ("nDCG@10", "P@10", "RR")
    return Checked(base(), run, OPEN, says, ("q000", "u1", 1), measures=measures)


def a_regression_beside_it() -> Checked:
    """RR drops with unjudged documents and without; P@10 only with them."""
    run = new(lambda q: [*(f"u{i}" for i in range(9)), "n1", "r0", "r1"])
    says, measures = "Regression: RR drops by", ("P@10", "RR")
    return Checked(base(), run, REGRESSION, says, measures=measures)


def hardly_any_judged() -> Checked:
    """Only relevant documents are judged, and the new run finds fewer of them."""
    run = new(lambda q: [f"u{i}" for i in range(9)] + ["r0"])
    says = "Regression: nDCG@10 drops by"
    return Checked(base(lambda q: top(1, 2)), run, REGRESSION, says, qrels=SPARSE)


def equal_gaps() -> Checked:
    """Both runs have unjudged documents, in equal shares."""
    a, b = base(lambda q: below_junk(good(q), 3, 4)), new(lambda q: below_junk(bad(q), 1, 2))
    return Checked(a, b, REGRESSION, "Regression: nDCG@10 drops by")


def a_small_gap() -> Checked:
    """An unjudged document in every third top: 3 points, less than the limit."""
    run = new(lambda q: below_junk(bad(q), 1) if q % 3 == 0 else bad(q))
    return Checked(base(), run, REGRESSION, "Regression: nDCG@10 drops by")


def a_gap_that_is_allowed() -> Checked:
    run, rule = new(lambda q: below_junk(good(q), 1, 2, 5)), Rule(max_gap=1)
    return Checked(base(), run, REGRESSION, "Regression: nDCG@10 drops by", rule=rule)


def an_unpooled_baseline() -> Checked:
    """The baseline has the unjudged documents; without them the new run is worse."""
    a = base(lambda q: ["u1", "u2", "u3", *top(1)])
    return Checked(a, new(lambda q: top(3)), OPEN, DECIDES, ("q000", "u1", 1))


def junk_below_the_relevant() -> Checked:
    """The unjudged documents are below all that earns anything."""
    run = new(lambda q: below_junk(good(q), 7, 8, 9))
    return Checked(base(), run, HOLDS, "No regression: nDCG@10 holds.")


def junk_in_few_queries() -> Checked:
    """As much junk as is allowed: the drop may be chance."""
    run = new(lambda q: below_junk(good(q), 1, 2, 3, 4) if q < 3 else good(q))
    return Checked(base(), run, HOLDS, "No regression: nDCG@10 drops by")


def a_query_that_must_hold() -> Checked:
    run = new(lambda q: bad(q) if q == 3 else good(q))
    rule, says = Rule(must_hold=("q003",)), "Regression: q003, a query that must hold, drops."
    return Checked(base(), run, REGRESSION, says, rule=rule)


def a_query_that_must_hold_below_junk() -> Checked:
    run = new(lambda q: below_junk(good(q), 1) if q == 3 else good(q))
    rule = Rule(must_hold=("q003", "q004"))
    says = "Cannot tell: documents without a grade decide whether q003 holds."
    return Checked(base(), run, OPEN, says, ("q003", "u1", 1), rule=rule)


def a_missing_query() -> Checked:
    run = new(lambda q: good(q) if q else [])
    return Checked(base(), run, UNLIKE, "Not comparable.")


def missing_queries_that_count() -> Checked:
    """A run that fails on a third of the queries has a score of 0 for them."""
    run, every = new(lambda q: good(q) if q % 3 else []), Convention(queries="qrels")
    says = "Regression: nDCG@10 drops by"
    return Checked(base(), run, REGRESSION, says, convention=every)


def equal_scores() -> Checked:
    """Equal scores are ordered as the convention says, here by id descending."""
    run = Run.from_dict({f"q{q:03}": dict.fromkeys(good(q), 1.0) for q in range(N)}, "new")
    return Checked(base(), run, HOLDS, "No regression: nDCG@10 holds.")


def a_level_that_few_reach() -> Checked:
    """The same level counts for both runs: nothing is relevant in the queries that get worse."""
    qrels = judged(N, lambda query: 0.5 if query < 10 else 1)
    run = new(lambda q: bad(q) if q < 10 else good(q))
    says = "No regression: AP holds."
    return Checked(base(), run, HOLDS, says, qrels=qrels, measures=("AP",))


_MAKE = (
    the_same,
    better,
    worse,
    pooled_baseline,
    pooled_and_worse,
    junk_in_every_rank,
    junk_that_the_measure_leaves_out,
    one_of_two_measures,
    a_regression_beside_it,
    hardly_any_judged,
    equal_gaps,
    a_small_gap,
    a_gap_that_is_allowed,
    an_unpooled_baseline,
    junk_below_the_relevant,
    junk_in_few_queries,
    a_query_that_must_hold,
    a_query_that_must_hold_below_junk,
    a_missing_query,
    missing_queries_that_count,
    equal_scores,
    a_level_that_few_reach,
)
NAMES = tuple(make.__name__ for make in _MAKE)


@cache
def cases() -> dict[str, Checked]:
    """The situations by name."""
    return {make.__name__: make() for make in _MAKE}
