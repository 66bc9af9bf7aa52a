"""Pairing: two runs or more under one set of choices, and everything that is computed of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, TypeVar

from ..arrays import Floats, pd
from ..auditing.id_mismatch import Mend, for_documents
from ..comparing import evidence as weighing
from ..comparing import robustness, similarity
from ..comparing.comparison import Comparison, Summary, align
from ..comparing.decisive_labels import DecisiveLabels, decisive_labels
from ..comparing.evidence import DEFAULT, Evidence, PairedTest
from ..comparing.leaderboard import MOST, Leaderboard, leaderboard
from ..comparing.one_query import OneQuery, one_query
from ..comparing.reversal import MeanRange, mean_range
from ..comparing.slices import largest_changes
from ..conventions.convention import TREC_EVAL, Convention, named
from ..data import Qrels, Run
from ..defaults import DEPTH
from ..errors import DataError
from ..matching.batches import Given, built, remaining
from ..matching.judged import JudgedRankings, Rankings, match
from ..measures import Measure
from ..measures.arithmetic import assessed
from ..measures.ledger import Ledger
from ..memory import Memory, content, key_of, unbounded
from ..scoring.evaluate import Scores, score
from ..scoring.naming import parse, several
from .verdict import Verdict, verdict

T = TypeVar("T")


@dataclass(frozen=True, eq=False, repr=False)
class Pairing:
    """Two to ten runs compared by the same qrels under one set of choices. Every delta is B − A.

    Each part is computed when it is first asked for, and once: the verdict, the evidence, one
    query, the leaderboard. The pages, the command line and a notebook ask the same object.

    Attributes
    ----------
    qrels
        The judgments.
    runs
        Run A, run B, and others, which only the leaderboard has; rankings that are judged already
        in the place of a run that is not known as a whole.
    measures
        The measures, the primary one first: the verdict is by it.
    convention
        Every choice on which tools disagree.
    test
        The paired test.
    memory
        Where the parts are remembered, by what each depends on. Pairings that differ in a measure
        and share a memory match each run with the judgments only once.
    weights
        The weight of each query, by what the weights are, such as a frequency, then by the query's
        id: see `Dataset.weights`. The verdict says who leads in each weighted mean.

    Examples
    --------
    >>> grades = {f"q{i}": {"x": 1} for i in range(9)}
    >>> good = Run.from_dict({q: {"x": 2, "y": 1} for q in grades}, "good")
    >>> bad = Run.from_dict({q: {"x": 1, "y": 2} for q in grades}, "bad")
    >>> pairing = Pairing.of(grades, [bad, good], ["RR", "P@1"])
    >>> print(pairing.verdict.sentence.text())
    good is better than bad: RR 1.0000 against 0.5000, a lead of 0.5000 \
(95 % interval 0.500 to 0.500); better on 9 of 9 queries, worse on 0.
    >>> [threat.kind for threat in pairing.verdict.threats]
    ['chance', 'unjudged', 'grades', 'few']
    >>> pairing.evidence["P@1"].wins
    9
    >>> pairing.one("q1").waterfall[["document", "delta"]].values.tolist()
    [['x', 0.5], ['y', 0.0]]
    >>> pairing.by("P@1").documents["delta"].to_dict()
    {'x': 1.0}
    """

    qrels: Qrels
    runs: tuple[Rankings, ...]
    measures: tuple[Measure, ...]
    convention: Convention = TREC_EVAL
    test: PairedTest = DEFAULT
    memory: Memory = field(default_factory=unbounded)
    weights: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        qrels: Given,
        runs: Sequence[Rankings | Given],
        measures: str | Measure | Iterable[str | Measure],
        convention: Convention | str = TREC_EVAL,
        test: PairedTest = DEFAULT,
        weights: Mapping[str, Mapping[str, float]] | None = None,
    ) -> Pairing:
        """Return the pairing of runs and judgments as people have them: dicts and frames, too.

        Parameters
        ----------
        qrels
            `Qrels`, ``{query: {document: grade}}``, or a frame: see `match`.
        runs
            Two to ten runs, as in `evaluate`: A, B, then others.
        measures
            Names or values of measures; the first is the primary one.
        convention
            A `Convention`, or the name of a preset, such as ``"ranx"``.
        test
            The paired test, the largest delta that is a tie, and the seed.
        weights
            The weight of each query, by what the weights are: ``{"frequency": {"q1": 9000}}``.

        Raises
        ------
        DataError
            When there are fewer than two runs or more than ten, or one is no run.
        MeasureError
            When a measure's name is not known.
        RankscopeError
            When no preset has the convention's name.
        """
        if not 2 <= len(runs) <= MOST:
            raise DataError(f"Two to {MOST} runs are compared; {len(runs)} are given.")
        judged: Qrels = built(Qrels, qrels)
        every = tuple(remaining(judged, run) for run in runs)
        made = cls(judged, every, tuple(map(parse, several(measures))), named(convention), test)
        return replace(made, weights=weights or {})

    @classmethod
    def of_scores(cls, a: Scores, b: Scores) -> Pairing:
        """Return the pairing of two runs that are scored already by the same measures.

        Parameters
        ----------
        a, b
            The scores of run A and of run B, by the same measures and qrels.
        """
        measures = tuple(ledger.measure for ledger in a.ledgers.values())
        made = cls(a.judged.qrels, (a.judged, b.judged), measures, a.convention)
        vars(made)["scores"] = (a, b)
        return made

    def __repr__(self) -> str:
        runs = ", ".join(repr(run.name) for run in self.runs)
        return f"Pairing({runs}: {', '.join(self.names_of_measures)}, {self.convention.label})"

    @cached_property
    def digest(self) -> str:
        """A hash of all that a number, or a sentence with the runs' names, can depend on."""
        runs = [(run.name, content(run)) for run in self.runs]
        key = key_of(
            *("pairing", self.qrels, runs, _values(self.measures), self.convention, self.test),
            self.weights,
        )
        return hashlib.sha256(repr(key).encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def only(self, *queries: str) -> Pairing:
        """Return the same comparison over these queries, as of data that hold no others.

        Parameters
        ----------
        *queries
            Ids of queries; those that a run or the qrels lack are left out.
        """
        runs = tuple(run.only(*queries) for run in self.runs)
        return replace(self, qrels=self.qrels.only(*queries), runs=runs)

    def by(self, *measures: str | Measure) -> Pairing:
        """Return the same runs compared by other measures.

        Parameters
        ----------
        *measures
            Names or values; the first is the primary one.

        Raises
        ------
        MeasureError
            When a measure's name is not known.
        """
        return replace(self, measures=tuple(map(parse, measures)))

    def detached(self) -> Pairing:
        """Return the same pairing with what it computed so far, and a memory of its own.

        A download is made where the memory of a page's session cannot be reached.
        """
        made = replace(self, memory=unbounded())
        vars(made).update({name: vars(self)[name] for name in _CARRIED & vars(self).keys()})
        return made

    def _once(self, what: str, make: Callable[[], T], *on: Any) -> T:
        """Return a part, which depends on A, B, the qrels, the convention, and ``on``."""
        return self.memory(key_of(what, self.qrels, self.a, self.b, self.convention, *on), make)

    @property
    def _primary(self) -> object:
        return _values([self.measure])

    # The inputs

    @property
    def a(self) -> Rankings:
        """Run A."""
        return self.runs[0]

    @property
    def b(self) -> Rankings:
        """Run B."""
        return self.runs[1]

    @property
    def measure(self) -> Measure:
        """The primary measure."""
        return self.measures[0]

    @property
    def names_of_measures(self) -> tuple[str, ...]:
        """The name of each measure, the primary one first."""
        return tuple(map(str, self.measures))

    @property
    def names(self) -> tuple[str, str]:
        """The names of A and B, told apart where they are equal or missing."""
        a, b = self.a.name, self.b.name
        return (a, b) if a != b and a and b else (f"{a} (A)".strip(), f"{b} (B)".strip())

    @property
    def whole(self) -> tuple[Run, Run] | None:
        """Run A and run B with their unjudged documents; None where one is not known as a whole."""
        a, b = self.a, self.b
        return (a, b) if isinstance(a, Run) and isinstance(b, Run) else None

    @property
    def same(self) -> bool:
        """Whether A and B are certainly the same run."""
        return bool(self.a.digest) and self.a.digest == self.b.digest

    @property
    def depth(self) -> int:
        """The rank down to which documents count as near the top."""
        return self.measure.cutoff or DEPTH

    @property
    def near(self) -> int:
        """The depth that a sentence names: where every list is shorter, the longest's."""
        return min(self.depth, max(int(side.retrieved.max(initial=0)) for side in self.sides))

    # Scores and their comparison

    def judged(self, run: Rankings) -> JudgedRankings:
        """Return the rankings of one of the runs, matched with the judgments.

        Parameters
        ----------
        run
            One of ``runs``.

        Raises
        ------
        DataError
            As `match` does.
        """
        key = key_of("judged", self.qrels, run, self.convention)
        return self.memory(key, lambda: match(self.qrels, run, self.convention))

    def scored(self, run: Rankings) -> Scores:
        """Return the scores of one of the runs by every measure.

        Parameters
        ----------
        run
            One of ``runs``.

        Raises
        ------
        DataError
            As `match` does.
        MeasureError
            When a measure refuses the convention.
        """
        judged, found = self.judged(run), dict[str, Ledger]()
        for measure in self.measures:
            key = key_of("scored", self.qrels, run, _values([measure]), self.convention)
            found |= self.memory(key, partial(score, judged, [measure])).ledgers
        return Scores(judged, found)

    @cached_property
    def scores(self) -> tuple[Scores, Scores]:
        """The scores of A and of B by every measure."""
        return self.scored(self.a), self.scored(self.b)

    @cached_property
    def comparison(self) -> Comparison:
        """The scores of A and B, aligned by query."""
        return align(*self.scores)

    @property
    def sides(self) -> tuple[JudgedRankings, JudgedRankings]:
        """The judged rankings of A and of B."""
        a, b = self.scores
        return a.judged, b.judged

    @cached_property
    def deltas(self) -> Floats:
        """``(n,)`` the delta of each scored query by the primary measure."""
        return self.comparison.deltas(self.measure)

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """The scored queries, in the order of `deltas`."""
        return tuple(map(str, self.comparison.per_query(self.measure).index))

    # Evidence and verdict

    @cached_property
    def evidence(self) -> dict[str, Evidence]:
        """The evidence of each measure, the primary one first: see `comparing.evidence`."""
        return weighing.primary_first({str(each): self._evidence(each) for each in self.measures})

    def _evidence(self, measure: Measure) -> Evidence:
        def make() -> Evidence:
            return weighing.uncorrected(self.comparison, str(measure), self.test)

        return self._once("evidence", make, _values([measure]), self.test)

    @property
    def found(self) -> Evidence:
        """The evidence of the primary measure."""
        return self.evidence[str(self.measure)]

    @cached_property
    def weighted(self) -> dict[str, weighing.Weighted]:
        """Both runs' means by the primary measure under each of the ``weights``.

        Raises DataError when a weight is negative or not finite.
        """
        each, measure = self.weights.items(), str(self.measure)
        return {name: weighing.weighted(self.comparison, measure, of) for name, of in each}

    @cached_property
    def verdict(self) -> Verdict:
        """Which run is better by the primary measure, and what threatens that answer."""
        return self.memory(("verdict", self.digest), lambda: verdict(self))

    def mend(self, run: Run) -> Mend | None:
        """Return a change after which a run's document ids match the qrels, if there is one.

        Parameters
        ----------
        run
            One of ``runs`` that is known as a whole.
        """
        return self.memory(key_of("mend", run, self.qrels), lambda: for_documents(run, self.qrels))

    @cached_property
    def matched(self) -> tuple[int, int]:
        """The number of judged documents that A and B retrieve for the evaluated queries."""
        a, b = (int(assessed(side.hits, side.convention).sum()) for side in self.sides)
        return a, b

    @cached_property
    def near_top(self) -> tuple[pd.Series, pd.Series]:
        """The unjudged documents near the top of A and of B, over the queries, and all there."""
        holes, tops = self.comparison.tops(self.depth)
        return holes.loc[list(self.queries)].sum(), tops.loc[list(self.queries)].sum()

    @cached_property
    def unjudged(self) -> tuple[float, float]:
        """The unjudged share of the documents near the top of A and of B, over the queries."""
        holes, near = self.near_top
        a, b = holes / near.clip(lower=1)
        return float(a), float(b)

    @cached_property
    def over_grades(self) -> MeanRange | None:
        """The range of the mean delta over all grades of unjudged documents.

        None where they are too many, or not known.
        """
        if self.whole is None:
            return None
        return mean_range(self.qrels, *self.whole, self.measure, self.comparison)

    def leader(self, delta: float) -> str:
        """Return the name of the run that a mean delta favours.

        Parameters
        ----------
        delta
            B − A; up to 0 it favours A.
        """
        return self.names[int(delta > 0)]

    def towards_leader(self, low: float, high: float) -> tuple[float, float]:
        """Return a range of B − A as one of the leader's lead, the lowest first.

        Parameters
        ----------
        low, high
            The ends of the range, the lower one first.
        """
        return (low, high) if self.found.delta > 0 else (-high, -low)

    # Queries, documents and labels by the primary measure

    def one(self, query: str) -> OneQuery:
        """Return one query under A and under B.

        Parameters
        ----------
        query
            The id of the query.

        Raises
        ------
        DataError, MeasureError
            As `one_query` does.
        """
        of = self.qrels, self.a, self.b, self.measure, query, self.convention
        return self._once("one", partial(one_query, *of), self._primary, query)

    def of_query(self, make: Callable[[OneQuery], T], query: str) -> T:
        """Return what a function makes of `one`, and of nothing else.

        Parameters
        ----------
        make
            The function; its result is remembered, and shared by all who ask for it.
        query
            The id of the query.

        Raises
        ------
        DataError, MeasureError
            As `one_query` does.
        """
        return self._once("of_query", lambda: make(self.one(query)), make, self._primary, query)

    def changes(self, sign: int, most: int) -> pd.DataFrame:
        """Return the queries that change most in one direction: see `largest_changes`.

        Parameters
        ----------
        sign
            1: the gains of B; −1: its losses.
        most
            At most this many queries are returned.

        Returns
        -------
        DataFrame
            Index ``query``, the largest change first; columns ``A``, ``B``, ``delta``, and the
            document that moves it furthest: ``document``, ``grade``, ``rank A``, ``rank B``,
            ``share``.
        """
        shown, tie = str(self.measure), self.test.tie
        return self._once(
            "changes",
            lambda: largest_changes(self.comparison, shown, sign, most, tie),
            *(self._primary, sign, most, tie),
        )

    @property
    def documents(self) -> pd.DataFrame:
        """Each document's contribution over all queries: see `Comparison.document_totals`."""
        return self._once(
            "documents", lambda: self.comparison.document_totals(self.measure), self._primary
        )

    def groups(self, of_query: Mapping[str, str]) -> dict[str, Evidence]:
        """Return the primary measure's evidence in each group of queries.

        Parameters
        ----------
        of_query
            The group of each query by its id; queries without one make a group of their own.
        """
        return self._once(
            "groups",
            lambda: weighing.by_group(self.comparison, str(self.measure), of_query, self.test),
            *(self._primary, self.test, dict(of_query)),
        )

    def labels(self, steps: int | None) -> DecisiveLabels | None:
        """Return the fewest changed labels that turn the winner; None: too many to try.

        Parameters
        ----------
        steps
            How far a grade moves at most, in grades of the scale; None: to any grade.

        Raises
        ------
        DataError, MeasureError
            As `decisive_labels` does.
        """
        return self._once(
            "labels",
            lambda: decisive_labels(self.comparison, str(self.measure), self.runs[:2], steps),
            *(self._primary, steps),
        )

    # Other settings, other measures, other runs

    @property
    def settings(self) -> list[robustness.Setting]:
        """The comparison at every cutoff, and with each relevant choice changed."""
        asked = self.measure, self.convention, self.test.test, self.test.seed
        make = partial(robustness.settings, self.qrels, self.a, self.b, *asked)
        return self._once("settings", make, self._primary, *asked[2:])

    @property
    def summaries(self) -> dict[str, Summary]:
        """Both runs' means by each measure."""
        return self._once("summaries", lambda: _summaries(self._afresh()), _values(self.measures))

    @property
    def intervals(self) -> dict[str, pd.DataFrame]:
        """The mean of A and of B by each measure, with its interval: see `evidence.intervals`."""
        names = self.names_of_measures
        return self._once(
            "intervals", lambda: weighing.intervals(self._afresh(), names), _values(self.measures)
        )

    def _afresh(self) -> Comparison:
        """Return the comparison by measures that are too many to remember the scores of each."""
        return align(*(score(self.judged(run), self.measures) for run in self.runs[:2]))

    @property
    def leaderboard(self) -> Leaderboard:
        """All runs by their mean in the primary measure, and the test of every pair."""

        def make() -> Leaderboard:
            scores = {run.name: score(self.judged(run), self.measures) for run in self.runs}
            return leaderboard(scores, self.measures, self.test)

        return self.memory(("leaderboard", self.digest), make)

    # What the lists have in common, which takes whole runs and no judgment

    def overlaps(self, depth: int) -> pd.Series[int]:
        """Return how many documents the tops of A and B share, by query.

        Parameters
        ----------
        depth
            The last rank of a top, from 1.

        Returns
        -------
        Series
            Index ``query``: the queries of both runs.

        Raises
        ------
        DataError
            When a run is not known as a whole.
        """
        make = partial(similarity.overlaps, *self._known, depth, self.convention)
        return self._once("overlaps", make, depth)

    def in_common(self, depth: int) -> tuple[pd.DataFrame, int]:
        """Return what A and B have in common, by query, and how many documents their tops have.

        Parameters
        ----------
        depth
            The last rank of a top, from 1.

        Returns
        -------
        DataFrame
            Index ``query``; columns ``in common``, ``only A``, ``only B`` (documents of one top
            that the other run does not retrieve) and ``RBO``, of the whole rankings.
        int
            How many documents the tops of A and B have together, over all queries.

        Raises
        ------
        DataError
            When a run is not known as a whole.
        """

        def make() -> tuple[pd.DataFrame, int]:
            common = similarity.in_common(*self._known, depth, self.convention)
            return common, similarity.pooled(self._known, depth, self.convention)

        return self._once("in_common", make, depth)

    @property
    def _known(self) -> tuple[Run, Run]:
        if self.whole is None:
            raise DataError("Judged rankings do not hold all documents, which may be in common.")
        return self.whole


def _values(measures: Iterable[Measure]) -> list[object]:
    """Return all that measures are: two functions of one name are two measures."""
    return [(type(each).__name__, vars(each)) for each in measures]


def _summaries(of: Comparison) -> dict[str, Summary]:
    return {name: of.summary(name) for name in of.a.ledgers}


_CARRIED = frozenset({"scores", "comparison", "deltas", "queries", "evidence", "verdict"})
"""The parts that a detached pairing need not compute again."""
