"""compare: two runs query by query, and the documents behind their delta."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from .. import notebook
from ..arrays import Floats, Ints, pd, places
from ..conventions.convention import TREC_EVAL, Convention
from ..matching import Rankings
from ..matching.batches import Given, match
from ..measures import Measure
from ..measures.arithmetic import assessed, within
from ..scoring.evaluate import Scores, mean, score
from ..scoring.naming import several
from .significance import TIE, without_noise
from .waterfall import bars, ranked, without_the_ideals


@dataclass(frozen=True)
class Summary:
    """The means of one measure over the compared queries; ``wins`` and ``losses`` are B's.

    ``relative`` is the delta as a share of A's mean, NaN when that is not above 0.
    """

    mean_a: float
    mean_b: float
    delta: float
    relative: float
    wins: int
    ties: int
    losses: int


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Two runs scored by the same qrels, aligned by query id. Every delta is B − A.

    Attributes
    ----------
    a, b
        The scores of each run over its own evaluated queries.
    queries
        The compared queries: those that both have, in the order of the qrels.
    """

    a: Scores
    b: Scores
    queries: tuple[str, ...]

    @property
    def sides(self) -> dict[str, Scores]:
        """The scores of each run by its name: ``A``, then ``B``."""
        return {"A": self.a, "B": self.b}

    def __repr__(self) -> str:
        return (
            f"Comparison({', '.join(self.a.ledgers)}: {len(self.queries)} queries, convention "
            f"{self.a.convention.label})"
        )

    def _repr_html_(self) -> str:
        """Return the means of both runs, for a notebook."""
        rows = []
        for name in self.a.ledgers:
            found = self.summary(name)
            counts = (found.wins, found.ties, found.losses)
            rows.append((name, found.mean_a, found.mean_b, found.delta, *counts))
        return notebook.card(
            repr(self), ("measure", "A", "B", "delta", "wins", "ties", "losses"), rows
        )

    @property
    def only_a(self) -> tuple[str, ...]:
        """Evaluated queries that run B lacks."""
        compared = set(self.queries)
        return tuple(q for q in self.a.judged.queries if q not in compared)

    @property
    def only_b(self) -> tuple[str, ...]:
        """Evaluated queries that run A lacks."""
        compared = set(self.queries)
        return tuple(q for q in self.b.judged.queries if q not in compared)

    @property
    def missing_from_both(self) -> tuple[str, ...]:
        """Judged queries that neither run has and that are not compared."""
        lacking, compared = set(self.b.judged.missing_from_run), set(self.queries)
        missing = self.a.judged.missing_from_run
        return tuple(q for q in missing if q in lacking and q not in compared)

    @property
    def unjudged(self) -> tuple[str, ...]:
        """Queries of the runs without judgments; no mean includes them."""
        both = (*self.a.judged.missing_from_qrels, *self.b.judged.missing_from_qrels)
        return tuple(dict.fromkeys(both))

    @property
    def missing_but_counted(self) -> dict[str, tuple[str, ...]]:
        """Compared queries that a run lacks, by how the convention counts them.

        Examples
        --------
        >>> from metrics import Qrels, Run
        >>> qrels = Qrels.from_dict({"q1": {"x": 1}, "q2": {"x": 1}})
        >>> a = Run.from_dict({"q1": {"x": 2}, "q2": {"x": 1}})
        >>> compare(qrels, a, a.only("q2"), "RR", Convention(queries="qrels")).missing_but_counted
        {'not in run B, counted as 0': ('q1',)}
        """
        a, b = (set(side.judged.missing_from_run) for side in (self.a, self.b))
        missing = {
            "not in run A": ([self.a], a - b),
            "not in run B": ([self.b], b - a),
            "in neither run": ([self.a, self.b], a & b),
        }
        counted = {}
        for where, (sides, lacking) in missing.items():
            if queries := tuple(query for query in self.queries if query in lacking):
                # Some measures, and some conventions with nothing to find, do not score them 0.
                zero = all(
                    (side.per_query.loc[list(queries)] == 0).all(axis=None) for side in sides
                )
                counted[f"{where}, counted as {'0' if zero else 'an empty ranking'}"] = queries
        return counted

    def only(self, queries: Collection[str]) -> Comparison:
        """Return the same comparison limited to some of its queries."""
        wanted = frozenset(queries)
        return replace(self, queries=tuple(q for q in self.queries if q in wanted))

    def per_query(self, measure: str | Measure) -> pd.DataFrame:
        """Return columns ``A``, ``B`` and ``delta``, a row per compared query that both score.

        Deltas that differ by rounding alone are equal, and 0 where the scores are: see
        `without_noise`.
        """
        scored, columns = self._scored(measure)
        index = pd.Index(list(compress(self.queries, scored)), name="query", dtype=str)
        return pd.DataFrame(columns, index=index)

    def deltas(self, measure: str | Measure) -> Floats:
        """``(n,)`` the column ``delta`` of `per_query`."""
        return self._scored(measure)[1]["delta"]

    def _scored(self, measure: str | Measure) -> tuple[NDArray[np.bool_], dict[str, Floats]]:
        """Return which queries both score, and the columns of `per_query` for those."""
        a, b = (
            np.append(scores.ledger(measure).scores, np.nan)[self._places[side]]
            for side, scores in self.sides.items()
        )
        scored = ~(np.isnan(a) | np.isnan(b))
        a, b = a[scored], b[scored]
        largest = float(max(np.abs(a).max(initial=0.0), np.abs(b).max(initial=0.0)))
        return scored, {"A": a, "B": b, "delta": without_noise(b - a, largest)}

    @cached_property
    def _places(self) -> dict[str, Ints]:
        """The place of each compared query in the scores of each run; −1 where one lacks it."""
        return {
            side: places(self.queries, scores.judged.queries) for side, scores in self.sides.items()
        }

    def summary(self, measure: str | Measure, tie: float = TIE) -> Summary:
        """Return means, delta, relative change, and on how many queries B wins, ties and loses.

        ``tie``: deltas up to this size are ties.
        """
        columns = self._scored(measure)[1]
        mean_a, mean_b, mean_delta = (mean(columns[name]) for name in ("A", "B", "delta"))
        delta = columns["delta"]
        return Summary(
            mean_a=mean_a,
            mean_b=mean_b,
            delta=mean_delta,
            relative=mean_delta / mean_a if mean_a > 0 else math.nan,
            wins=int((delta > tie).sum()),
            ties=int((np.abs(delta) <= tie).sum()),
            losses=int((delta < -tie).sum()),
        )

    def normalisers(self, measure: str | Measure) -> pd.DataFrame:
        """Return the denominator of each compared query's score, as an ideal, under A and B."""
        columns = {}
        for side, scores in self.sides.items():
            ledger = scores.ledger(measure)
            found = ledger.measure.to_find(ledger.judged, ledger.convention)
            index = pd.Index(scores.judged.queries, dtype=str)
            columns[side] = pd.Series(found, index=index).reindex(list(self.queries))
        return pd.DataFrame(columns)

    def unjudged_documents(self, depth: int | None) -> pd.DataFrame:
        """Return the number of unjudged documents in the top ``depth`` of each compared query.

        ``depth``: the last rank that counts; None: every rank does.

        Returns
        -------
        DataFrame
            Columns ``A`` and ``B``, one row per compared query. Where ties are averaged over, the
            numbers are means over all orders.
        """
        return self._unjudged(depth)[0]

    def unjudged_shares(self, depth: int) -> pd.DataFrame:
        """Return the unjudged share of the documents in the top ``depth`` of each compared query.

        Returns
        -------
        DataFrame
            Columns ``A`` and ``B``, one row per compared query, from 0 to 1; 0 without documents.
        """
        counts, tops = self._unjudged(depth)
        return counts / tops.clip(lower=1)

    def _unjudged(self, depth: int | None) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return the unjudged documents in the top ``depth``, and all documents there."""
        counts, tops = {}, {}
        for side, scores in self.sides.items():
            judged, hits = scores.judged, scores.judged.hits
            last = depth or int(judged.retrieved.max(initial=0))
            near = within(hits, scores.convention, np.full(len(hits), last))
            known = judged.per_query(hits.query, assessed(hits, scores.convention) * near)
            index = pd.Index(judged.queries, name="query", dtype=str)
            top = pd.Series(np.minimum(judged.retrieved, last), index=index)
            tops[side] = top.reindex(list(self.queries))
            counts[side] = (top - known).reindex(list(self.queries))
        return pd.DataFrame(counts), pd.DataFrame(tops)

    def documents(self, measure: str | Measure) -> pd.DataFrame:
        """Return the contribution of each document to each compared query, under A and B.

        Returns
        -------
        DataFrame
            Columns ``query, document, grade, rank A, rank B, A, B, delta``; ``delta`` sums to
            the query's delta. Where the runs have different ideals, as with an ideal of the
            retrieved documents, that difference is a separate row. The documents are those that
            either run has down to the cutoff; a rank is missing where a run lacks the document.
        """
        frame = bars(self.sides, str(measure), self.queries)
        frame["delta"] = frame["B"] - frame["A"]
        if not self.a.ledger(measure).measure.parts:
            return frame
        return without_the_ideals(frame, self.normalisers(measure))

    def document_totals(self, measure: str | Measure) -> pd.DataFrame:
        """Return the contribution of each document over all compared queries, largest change first.

        Returns
        -------
        DataFrame
            Index ``document``; columns ``ranked``, False for rows that are not a document, like
            the difference of the ideals; ``queries``, the number of queries whose score it
            changes; ``A``, ``B`` and ``delta``, its shares in the means and in their delta.
        """
        scored = self.only(self.per_query(measure).index)
        lines = scored.documents(measure)
        lines = lines.assign(queries=lines["delta"].abs() > TIE, ranked=ranked(lines))
        grouped = lines.groupby(["document", "ranked"], sort=False)
        totals = grouped[["queries", "A", "B", "delta"]].sum().reset_index("ranked")
        totals[["A", "B", "delta"]] /= len(scored.queries)
        return totals.sort_values("delta", key=abs, ascending=False, kind="stable")


def compare(
    qrels: Given,
    run_a: Rankings | Given,
    run_b: Rankings | Given,
    measures: str | Measure | Iterable[str | Measure],
    convention: Convention | str = TREC_EVAL,
) -> Comparison:
    """Score two runs by the same qrels and align them by query id, never by position.

    Examples
    --------
    >>> from metrics import Qrels, Run
    >>> qrels = Qrels.from_dict({"q1": {"x": 1}, "q2": {"x": 1}})
    >>> a = Run.from_dict({"q1": {"x": 2, "y": 1}, "q2": {"y": 2, "x": 1}})
    >>> b = Run.from_dict({"q2": {"x": 2, "y": 1}, "q1": {"x": 2, "y": 1}})
    >>> compare(qrels, a, b, ["RR"]).summary("RR").delta
    0.25
    """
    listed = several(measures)
    return align(*(score(match(qrels, run, convention), listed) for run in (run_a, run_b)))


def align(a: Scores, b: Scores) -> Comparison:
    """Return the comparison of two runs' scores on the queries that both have."""
    shared = set(b.judged.queries)
    return Comparison(a, b, tuple(q for q in a.judged.queries if q in shared))
