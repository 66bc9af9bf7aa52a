"""compare: two runs query by query, and the documents behind their delta."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from .. import notebook
from ..arrays import NOISE, Floats, Ints, bincount, numbers, pd, places, take
from ..conventions.convention import TREC_EVAL, Convention
from ..matching import Hits, Rankings
from ..matching.batches import Given, match
from ..measures import Measure
from ..measures.arithmetic import assessed, within
from ..scoring.evaluate import Scores, mean, score
from ..scoring.naming import several
from .significance import TIE, without_noise

IDEALS = "(the ideals differ)"
"""The name of the bar for the part of a delta that comes from different ideals."""
_ABSENT = np.iinfo(np.int64).max
"""The rank of a document that a run lacks: no other is as low."""


@dataclass(frozen=True)
class _RunLines:
    """Lines of one run: flat columns, a query by its place among the compared ones."""

    query: Ints
    document: pa.StringArray
    grade: Floats
    rank: Ints
    share: Floats


def bars(sides: Mapping[str, Scores], measure: str, queries: Collection[str]) -> pd.DataFrame:
    """Return what each document of each query contributes to each side, sorted by their texts.

    A document that appears twice, as in a doubled ideal, has one bar: the sum, at its first rank.
    """
    queries = sorted(queries)
    lines = [_lines_of(scores, measure, queries) for scores in sides.values()]
    query = np.concatenate([each.query for each in lines])
    document = pa.concat_arrays([each.document for each in lines])
    grade = np.concatenate([each.grade for each in lines])
    key, grades = _keys(query, _codes(document)), np.unique(grade)
    key = key * (len(grades) + 1) + np.searchsorted(grades, grade)
    # The first line of each bar, sorted, and for each line its bar.
    _, first, bar = np.unique(key, return_index=True, return_inverse=True)
    query, document = query[first], take(document, first)
    ranks, shares = {}, {}
    of_side = np.split(bar, np.cumsum([len(each.query) for each in lines])[:-1])
    for side, each, own in zip(sides, lines, of_side, strict=True):
        ranks[side] = np.full(len(first), _ABSENT)
        np.minimum.at(ranks[side], own, each.rank)
        shares[side] = bincount(own, each.share, len(first)).astype(float)
    lowest = np.min(list(ranks.values()), axis=0)
    for side, scores in sides.items():
        # Documents that the other run has, and this one below its cutoff.
        low = np.flatnonzero((ranks[side] == _ABSENT) & (lowest >= 1) & (lowest < _ABSENT))
        if len(low):
            ranks[side][low] = _ranks_of(query[low], take(document, low), scores, measure, queries)
    columns = {
        "query": pd.array(np.array(queries, object)[query], dtype=str),
        "document": pd.array(document.to_pylist(), dtype=str),
        "grade": grade[first],
    }
    for side, rank in ranks.items():
        columns[f"rank {side}"] = pd.arrays.IntegerArray(rank, rank == _ABSENT)
    return pd.DataFrame(columns | shares)


def _lines_of(scores: Scores, measure: str, queries: Sequence[str]) -> _RunLines:
    """Return one run's lines of the queries that have a place, those of their starts first."""
    ledger, place = scores.ledger(measure), places(scores.judged.queries, queries)
    begun = np.flatnonzero((ledger.start != 0) & (place >= 0))
    here = np.flatnonzero(place[ledger.hits.query] >= 0)
    hits = ledger.hits[here]
    names = pa.array(ledger.start_names[begun] if len(begun) else [], pa.string())
    share = np.append(ledger.start[begun], ledger.contribution[here])
    return _RunLines(
        np.append(place[begun], place[hits.query]),
        pa.concat_arrays([names, hits.document]),
        np.append(np.full(len(begun), np.nan), hits.grade),
        np.append(np.zeros(len(begun), np.int64), hits.rank),
        # A query without a score has no share to show.
        np.where(np.isnan(share), 0.0, share),
    )


def _codes(texts: pa.StringArray) -> Ints:
    """Return the place of each text among all texts, sorted; equal ones have the same."""
    encoded = texts.dictionary_encode()
    order = numbers(pc.sort_indices(encoded.dictionary))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return np.asarray(place[numbers(encoded.indices)])


def _keys(query: Ints, document: Ints) -> Ints:
    """Return one number for each query and document, in the same order."""
    return query * (int(document.max(initial=0)) + 1) + document


def _ranks_of(
    query: Ints, document: pa.StringArray, scores: Scores, measure: str, queries: Sequence[str]
) -> Ints:
    """Return the rank of each of these documents in the whole ranking of its query."""
    ledger, place = scores.ledger(measure), places(scores.judged.queries, queries)
    hits: Hits = ledger.measure.ranking(scores.judged, ledger.convention)
    asked = np.zeros(len(queries) + 1, bool)
    asked[query] = True
    hits = hits[asked[place][hits.query]]
    code = _codes(pa.concat_arrays([document, hits.document]))
    key = _keys(np.append(query, place[hits.query]), code)
    wanted, ranked = key[: len(query)], key[len(query) :]
    # Stable, so that the first of a document's ranks is found.
    order = np.argsort(ranked, kind="stable")
    at = np.searchsorted(ranked[order], wanted)
    found = np.append(ranked[order], -1)[at] == wanted
    return np.where(found, np.append(hits.rank[order], _ABSENT)[at], _ABSENT)


def ranked(bars: pd.DataFrame) -> pd.Series[bool]:
    """Return which bars are of a ranked document, whatever its id."""
    return (bars[["rank A", "rank B"]].max(axis=1) >= 1).fillna(False).astype(bool)


def _ideals_apart(frame: pd.DataFrame, wholes: pd.DataFrame) -> pd.DataFrame:
    """Return the rows, changed in place, and the difference of the runs' ideals as a row.

    The difference of two quotients is that of the numerators times the mean of both 1/ideal, plus
    that of the 1/ideals times the mean of both numerators. The two parts sum to it exactly, and
    swapping the runs only changes the sign.
    """
    apart = (wholes["A"] - wholes["B"]).abs() > NOISE * wholes.max(axis=1)
    differ = wholes[apart & (wholes > 0).all(axis=1)]
    if differ.empty:
        return frame
    inverse = 1 / differ
    affected = frame["query"].isin(differ.index)
    rows = frame.loc[affected, "query"]
    of_a, of_b = (frame.loc[affected, side] * rows.map(differ[side]) for side in ("A", "B"))
    frame.loc[affected, "delta"] = (of_b - of_a) * rows.map(inverse.mean(axis=1))
    total = (of_a + of_b).groupby(rows).sum().reindex(differ.index, fill_value=0.0)
    ideals = pd.DataFrame(
        {
            "query": differ.index.astype(str),
            "document": IDEALS,
            "grade": np.nan,
            "rank A": pd.array([None] * len(differ), dtype="Int64"),
            "rank B": pd.array([None] * len(differ), dtype="Int64"),
            "A": 0.0,
            "B": 0.0,
            "delta": total.to_numpy() / 2 * (inverse["B"] - inverse["A"]).to_numpy(),
        }
    )
    return pd.concat([frame, ideals], ignore_index=True)


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
        """Return the same comparison limited to some of its queries.

        Parameters
        ----------
        queries
            Ids of queries; those that are not compared are left out.
        """
        wanted = frozenset(queries)
        return replace(self, queries=tuple(q for q in self.queries if q in wanted))

    def per_query(self, measure: str | Measure) -> pd.DataFrame:
        """Return columns ``A``, ``B`` and ``delta``, a row per compared query that both score.

        Deltas that differ by rounding alone are equal, and 0 where the scores are: see
        `without_noise`.

        Parameters
        ----------
        measure
            One of the compared measures, as a name or a value.

        Raises
        ------
        MeasureError
            When the comparison does not have the measure.
        """
        scored, columns = self._scored(measure)
        index = pd.Index(list(compress(self.queries, scored)), name="query", dtype=str)
        return pd.DataFrame(columns, index=index)

    def falling(self, measure: str | Measure) -> pd.DataFrame:
        """Return the rows of `per_query`, the largest gain of B first.

        Parameters
        ----------
        measure
            One of the compared measures, as a name or a value.

        Raises
        ------
        MeasureError
            When the comparison does not have the measure.
        """
        return self.per_query(measure).sort_values("delta", ascending=False, kind="stable")

    def deltas(self, measure: str | Measure) -> Floats:
        """``(n,)`` the column ``delta`` of `per_query`.

        Parameters
        ----------
        measure
            One of the compared measures, as a name or a value.

        Raises
        ------
        MeasureError
            When the comparison does not have the measure.
        """
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

        Parameters
        ----------
        measure
            One of the compared measures, as a name or a value.
        tie
            Deltas up to this size are ties.

        Raises
        ------
        MeasureError
            When the comparison does not have the measure.
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
        """Return the denominator of each compared query's score, as an ideal, under A and B.

        Parameters
        ----------
        measure
            One of the compared measures, as a name or a value.

        Returns
        -------
        DataFrame
            Columns ``A`` and ``B``, one row per compared query; NaN where a run lacks it.

        Raises
        ------
        MeasureError
            When the comparison does not have the measure.
        """
        columns = {}
        for side, scores in self.sides.items():
            ledger = scores.ledger(measure)
            found = ledger.measure.to_find(ledger.judged, ledger.convention)
            index = pd.Index(scores.judged.queries, dtype=str)
            columns[side] = pd.Series(found, index=index).reindex(list(self.queries))
        return pd.DataFrame(columns)

    def unjudged_documents(self, depth: int | None) -> pd.DataFrame:
        """Return the number of unjudged documents in the top ``depth`` of each compared query.

        Parameters
        ----------
        depth
            The last rank that counts, from 1; None: every rank does.

        Returns
        -------
        DataFrame
            Columns ``A`` and ``B``, one row per compared query. Where ties are averaged over, the
            numbers are means over all orders.
        """
        return self.tops(depth)[0]

    def unjudged_shares(self, depth: int) -> pd.DataFrame:
        """Return the unjudged share of the documents in the top ``depth`` of each compared query.

        Parameters
        ----------
        depth
            The last rank that counts, from 1.

        Returns
        -------
        DataFrame
            Columns ``A`` and ``B``, one row per compared query, from 0 to 1; 0 without documents.
        """
        counts, tops = self.tops(depth)
        return counts / tops.clip(lower=1)

    def tops(self, depth: int | None) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return the unjudged documents in the top ``depth`` of each compared query, and all there.

        Parameters
        ----------
        depth
            The last rank that counts, from 1; None: every rank does.

        Returns
        -------
        tuple of DataFrame
            The numbers of `unjudged_documents`, and in the same shape those of all documents.
        """
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

        Parameters
        ----------
        measure
            One of the compared measures, as a name or a value.

        Returns
        -------
        DataFrame
            Columns ``query, document, grade, rank A, rank B, A, B, delta``; ``delta`` sums to
            the query's delta. Where the runs have different ideals, as with an ideal of the
            retrieved documents, that difference is a separate row. The documents are those that
            either run has down to the cutoff; a rank is missing where a run lacks the document.

        Raises
        ------
        MeasureError
            When the comparison does not have the measure.
        """
        frame = bars(self.sides, str(measure), self.queries)
        frame["delta"] = frame["B"] - frame["A"]
        if not self.a.ledger(measure).measure.parts:
            return frame
        return _ideals_apart(frame, self.normalisers(measure))

    def decisive(self, measure: str | Measure) -> pd.DataFrame:
        """Return the document that made most of each query's delta, whose sign it has.

        Others may have changed the score more, in the other direction. Two whose changes cancel,
        as those of equal grades that change places, made nothing of it.

        Parameters
        ----------
        measure
            One of the compared measures, as a name or a value.

        Returns
        -------
        DataFrame
            Index ``query``; the other columns of `documents`. A query whose score no document
            changes has no row.

        Raises
        ------
        MeasureError
            When the comparison does not have the measure.
        """
        lines = self.documents(measure)
        lines = lines[ranked(lines) & (lines["delta"] != 0)]
        size, up = lines["delta"].abs().round(12), lines["delta"] > 0
        both = lines.groupby(["query", size], sort=False)["delta"].transform("size")
        alike = lines.groupby(["query", size, up], sort=False)["delta"]
        alone = alike.cumcount(ascending=False) >= both - alike.transform("size")
        # Where all cancel, each is as good a reason as another.
        lines = lines[alone | ~alone.groupby(lines["query"]).transform("any")]
        query, change = lines["query"], lines["delta"]
        made = change * self.per_query(measure)["delta"].reindex(query).to_numpy()
        made = made.where(made.groupby(query).transform("max") > 0, change.abs())
        most: pd.DataFrame = lines.loc[made.groupby(query, sort=False).idxmax()]
        return most.set_index("query")

    def document_totals(self, measure: str | Measure) -> pd.DataFrame:
        """Return the contribution of each document over all compared queries, largest change first.

        Parameters
        ----------
        measure
            One of the compared measures, as a name or a value.

        Returns
        -------
        DataFrame
            Index ``document``; columns ``ranked``, False for rows that are not a document, like
            the difference of the ideals; ``queries``, the number of queries whose score it
            changes; ``A``, ``B`` and ``delta``, its shares in the means and in their delta.

        Raises
        ------
        MeasureError
            When the comparison does not have the measure.
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

    Parameters
    ----------
    qrels
        `Qrels`, ``{query: {document: grade}}``, or a frame: see `match`.
    run_a, run_b
        Runs as in `evaluate`, or rankings that are already judged.
    measures
        Names, such as ``"nDCG@10"`` or those of other tools, or values, such as ``nDCG @ 10``; one,
        or several.
    convention
        A `Convention`, or the name of a preset, such as ``"ranx"``.

    Raises
    ------
    DataError
        When an argument has the wrong type, or qrels and run are swapped.
    MeasureError
        When a measure is not known, or refuses the convention.
    RankscopeError
        When no preset has the convention's name.

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
