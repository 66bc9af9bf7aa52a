"""Run × qrels → hits: the retrieved documents that were judged, at their ranks."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress
from types import UnionType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..arrays import Floats, Ints, bincount, numbers, places, repeat, take
from ..conventions.convention import TREC_EVAL, Convention, named
from ..data import Note, Qrels, Run, Severity, exclusions
from ..errors import DataError, MeasureError, RankingError
from ..words import count
from . import judgments
from .hits import Hits, near_top, place, ranking

ROWS = 1 << 19
"""Rows matched at a time: few enough for the processor's cache, enough to hide the overhead."""


@dataclass(frozen=True, eq=False)
class Reduced:
    """A run, or a part of it, reduced to its hits.

    Attributes
    ----------
    hits
        The documents that are kept; ``query`` is an index into the matcher's queries.
    query, retrieved
        ``(q,)`` the judged queries of the part, and the number of documents of each.
    own
        How many documents were removed because they have the id of their query, a judged one.
    excluded
        How many documents were removed because the qrels exclude them.
    """

    hits: Hits
    query: Ints
    retrieved: Ints
    own: int = 0
    excluded: int = 0


@dataclass(frozen=True, eq=False)
class Matcher:
    """The judgments of all judged queries, ready for run after run.

    Attributes
    ----------
    qrels
        The judgments.
    convention
        How rankings are ordered and unjudged documents are treated.
    every
        Keep the unjudged documents as lines with grade NaN.
    depth
        Keep the unjudged documents down to this rank in that way; `gather` separates them from
        the hits.
    unjudged
        Match the queries without a judgment, too.
    """

    qrels: Qrels
    convention: Convention
    every: bool = False
    depth: int = 0
    unjudged: bool = False

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """The queries that have a judgment, or all, in the order of the qrels."""
        return tuple(q for q, some in zip(self.qrels.queries, self._some, strict=True) if some)

    @cached_property
    def query(self) -> Ints:
        """The index into `queries` of each row of the qrels."""
        return (np.cumsum(self._some) - 1)[self.qrels.query]

    @cached_property
    def _some(self) -> NDArray[np.bool_]:
        judged = bincount(self.qrels.query, minlength=len(self.qrels.queries)) > 0
        return judged | self.unjudged

    @cached_property
    def _number(self) -> dict[str, int]:
        return {query: number for number, query in enumerate(self.queries)}

    def reduce(self, run: Run) -> Reduced:
        """Return the hits of whole rankings."""
        number = np.array([self._number.get(query, -1) for query in run.queries], np.int64)
        own, size = 0, len(run)
        run = run.without(self.qrels.excluded)
        excluded = size - len(run)
        if self.convention.own_document == "removed":
            is_own = own_documents(run)
            own = int((number[run.query[is_own]] >= 0).sum())
            run = run.rows(~is_own) if is_own.any() else run
        score, ties = compared_scores(run, self.convention), self.convention.ties
        rows, grade = self._judged(number, run)
        if self.convention.unjudged == "removed":
            if self.convention.negative == "unjudged":
                rows, grade = rows[grade >= 0], grade[grade >= 0]
            run, score = run.rows(rows), score[rows]
            hits = ranking(run.query, run.document, score, grade, ties)
        elif self.every:
            grades = np.full(len(run), np.nan)
            grades[rows] = grade
            hits = ranking(run.query, run.document, score, grades, ties)
        else:
            if self.depth:
                # The judged rows, then the others near the top of judged queries.
                near = near_top(run.query, score, self.depth)
                near = np.setdiff1d(near[number[run.query[near]] >= 0], rows, assume_unique=True)
                grade = np.append(grade, np.full(len(near), np.nan))
                rows = np.append(rows, near)
            hits = place(run.query, run.document, score, rows, grade, ties)
            if self.depth:
                hits = hits[(hits.rank <= self.depth) | ~np.isnan(hits.grade)]
        judged = number >= 0
        retrieved = bincount(run.query, minlength=len(number))
        hits = replace(hits, query=number[hits.query])
        return Reduced(hits[hits.query >= 0], number[judged], retrieved[judged], own, excluded)

    def _judged(self, number: Ints, run: Run) -> tuple[Ints, Floats]:
        """Return the rows that were judged, and their grades."""
        wanted = np.zeros(len(self.queries), bool)
        wanted[number[number >= 0]] = True
        rows = np.flatnonzero(wanted[self.query])
        document = take(self.qrels.document, rows)
        documents = pc.unique(document)
        code = pc.index_in(run.document, documents)
        found = numbers(pc.indices_nonzero(pc.is_valid(code))).astype(np.int64)
        key = self.query[rows] * len(documents) + numbers(pc.index_in(document, documents))
        sought = number[run.query[found]] * len(documents) + numbers(code)[found]
        order = np.argsort(key)
        at = order[np.searchsorted(key, sought, sorter=order).clip(max=len(key) - 1)]
        same = key[at] == sought
        return found[same], self.qrels.value[rows[at[same]]]


def own_documents(run: Run) -> NDArray[np.bool_]:
    """Return ``(n,)`` which documents have the id of their query.

    Examples
    --------
    >>> own_documents(Run.from_dict({"a": {"a": 2.0, "b": 1.0}, "b": {"a": 1.0}})).tolist()
    [True, False, False]
    """
    code = pc.index_in(run.document, pa.array(run.queries, pa.string()))
    own: NDArray[np.bool_] = numbers(code.fill_null(-1)) == run.query
    return own


def compared_scores(run: Run, convention: Convention) -> NDArray[np.floating[Any]]:
    """Return ``(n,)`` the scores in the precision in which the convention compares them."""
    if convention.scores != "single":
        return run.value
    # As in C, a score too large for 32 bits becomes infinite.
    with np.errstate(over="ignore"):
        return run.value.astype(np.float32)


def pieces(run: Run) -> Iterator[Run]:
    """Yield the run in parts of whole queries; in one part when rows of a query are apart."""
    if (np.diff(run.query) < 0).any():
        yield run
        return
    top, first = 0, 0
    while top < len(run):
        after = int(run.query[min(top + ROWS, len(run)) - 1]) + 1
        if top + ROWS >= len(run):
            after = len(run.queries)
        end = int(np.searchsorted(run.query, after))
        yield replace(
            run,
            queries=run.queries[first:after],
            query=run.query[top:end] - first,
            document=run.document[top:end],
            value=run.value[top:end],
        )
        top, first = end, after


OWN_DOCUMENTS = "N-OWN-DOCUMENT"
"""Documents with the id of their query were removed."""


@dataclass(frozen=True, eq=False, repr=False)
class JudgedRankings:
    """Everything a measure needs of one run: hits, judgments, counts.

    Attributes
    ----------
    queries
        The evaluated query ids, in the order of the qrels.
    hits
        The retrieved documents that were judged (all retrieved ones for display).
    judged
        All judged documents in ideal order: grade descending, then document id.
    retrieved
        ``(q,)`` number of documents ranked for each query.
    convention
        The convention under which the run was ranked and judged.
    missing_from_run, missing_from_qrels
        Query ids on one side only.
    qrels
        All judgments, those of queries that are not evaluated among them.
    notes
        Notes on what was assumed, left out or found odd while reading or matching the run.
    tag
        The run tag in the last row of a TREC run; empty where the file has none.
    name
        The name of the run.
    digest
        A hash of the run: `Run.digest`, or another one of its file; empty where it is not known.
    top
        Unjudged documents near the top, apart from the hits because they are only shown.
    """

    queries: tuple[str, ...]
    hits: Hits
    judged: Hits
    retrieved: Ints
    convention: Convention
    missing_from_run: tuple[str, ...]
    missing_from_qrels: tuple[str, ...]
    qrels: Qrels
    notes: tuple[Note, ...] = ()
    tag: str = ""
    name: str = ""
    digest: str = ""
    top: Hits = field(default_factory=lambda: Hits.joined([]))

    def under(self, **choices: Any) -> JudgedRankings:
        """Return the same rankings under a convention that only scores them differently."""
        return replace(self, convention=replace(self.convention, **choices))

    def judged_under(self, convention: Convention) -> JudgedRankings:
        """Return what `match` returns for the same run under another convention.

        Raises RankingError when the convention ranks the run in another way, which takes the run
        itself.

        Examples
        --------
        >>> qrels = Qrels.from_dict({"q1": {"a": 1}, "q2": {"a": 1}})
        >>> judged = match(qrels, Run.from_dict({"q1": {"a": 2.0}}))
        >>> judged.judged_under(Convention(queries="qrels")).queries
        ('q1', 'q2')
        """
        if changed := self.convention.differences(_of_ranking(self.convention), convention):
            as_judged, wanted = (
                "; ".join(each.sentences()[name] for name in changed)
                for each in (self.convention, convention)
            )
            choices = ", ".join(f"{name}={getattr(self.convention, name)}" for name in changed)
            raise RankingError(
                f"The rankings were judged with {as_judged}; the convention has {wanted}. Choose "
                f"{choices}, or match the run again."
            )
        return self._gathered(self.qrels, convention)

    def by(self, qrels: Qrels) -> JudgedRankings:
        """Return the same rankings by qrels that list the same judgments, in whatever order.

        Raises DataError when the judgments differ; the message names the differences.

        Examples
        --------
        >>> a, b = Qrels.from_dict({"q1": {"a": 1}}), Qrels.from_dict({"q1": {"a": 2}})
        >>> match(a, Run.from_dict({"q1": {"a": 2.0}})).by(b)
        Traceback (most recent call last):
        metrics.errors.DataError: The rankings were judged by other judgments than these qrels: \
1 judgment with another grade (query 'q1', document 'a'). Match the run again by these qrels.
        """
        if self.qrels.digest == qrels.digest:
            return replace(self, qrels=qrels)
        if differ := judgments.differences(self.qrels, qrels):
            kinds = "; ".join(differ.texts("the rankings", "the qrels"))
            raise DataError(
                f"The rankings were judged by other judgments than these qrels: {kinds}. Match "
                "the run again by these qrels."
            )
        return replace(self, qrels=qrels)._gathered(qrels, self.convention)

    def only(self, *queries: str) -> JudgedRankings:
        """Return the judged rankings of some queries, without those that are not evaluated."""
        return self._gathered(self.qrels.only(*queries), self.convention)

    @cached_property
    def content(self) -> str:
        """A hash of all that a score depends on, and of the documents that are only shown."""
        texts = self.queries, self.missing_from_run, self.missing_from_qrels, self.convention
        found = hashlib.sha256(f"{texts!r}{self.qrels.digest}".encode())
        found.update(self.retrieved.tobytes())
        for lines in (self.hits, self.top):
            for values in (lines.query, lines.rank, lines.first, lines.last, lines.grade):
                found.update(values.tobytes())
            found.update(pa.record_batch([lines.document], ["document"]).serialize())
        return found.hexdigest()[:16]

    @property
    def removed(self) -> str:
        """How many documents were removed and why, in words; empty for none."""
        codes = OWN_DOCUMENTS, exclusions.LEFT_OUT
        return " ".join(str(note) for note in self.notes if note.code in codes)

    @property
    def unlisted(self) -> int:
        """The number of retrieved documents that are neither a hit nor in `top`."""
        # Where unjudged documents are removed, they are not among the retrieved ones.
        return max(0, int(self.retrieved.sum()) - len(self.hits) - len(self.top))

    def shown(self) -> JudgedRankings:
        """Return the same rankings with the unjudged documents of `top` as lines of grade NaN."""
        lines = Hits.joined([self.hits, self.top])
        lines = lines[np.lexsort((lines.rank, lines.query))]
        return replace(self, hits=lines, top=Hits.joined([]))

    def length(self, cutoff: int | None = None) -> int:
        """Return the median length of the rankings down to a cutoff, without empty ones."""
        sizes = self.retrieved[self.retrieved > 0]
        length = int(np.median(sizes)) if len(sizes) else 0
        return length if cutoff is None else min(length, cutoff)

    def filled(self) -> JudgedRankings:
        """Return the same rankings with grade 0 for the unjudged documents that they still have."""
        lines = self.shown()
        return replace(lines, hits=replace(lines.hits, grade=np.nan_to_num(lines.hits.grade)))

    @property
    def has_nonrelevant(self) -> bool:
        """Whether a judged document is not relevant at any level: else `condensed` says nothing."""
        return bool((self.judged.grade <= 0).any())

    def _gathered(self, qrels: Qrels, convention: Convention) -> JudgedRankings:
        """Return these rankings for the queries of qrels that a convention evaluates."""
        matcher = Matcher(qrels, convention)
        number = places(self.queries, matcher.queries)
        missing = set(self.missing_from_run)
        ranked = np.array([query not in missing for query in self.queries], bool)
        kept = ranked & (number >= 0)

        # One after the other: the hits hold unjudged documents too, where every one was asked for.
        def gathered(lines: Hits) -> JudgedRankings:
            lines = lines[kept[lines.query]]
            lines = replace(lines, query=number[lines.query])
            return gather(matcher, [Reduced(lines, number[kept], self.retrieved[kept])], in_run)

        in_run = (*compress(self.queries, ranked.tolist()), *self.missing_from_qrels)
        about = {name: getattr(self, name) for name in ("notes", "tag", "name", "digest")}
        unknown, top = self.missing_from_qrels, gathered(self.top).hits
        return replace(gathered(self.hits), missing_from_qrels=unknown, top=top, **about)

    def relevant(self, level: float) -> Ints:
        """``(q,)`` how many judged documents reach the grade ``level``, retrieved or not."""
        return self.per_query(self.judged.query[self.judged.grade >= level])

    def ideal(self, scope: str, cutoff: int | None = None) -> Hits:
        """Return the best possible ranking of the documents in a scope of `Convention.ideal`."""
        if scope == "judged":
            return self.judged
        pool = self.hits
        if scope == "doubled":
            pool = Hits.joined([self.judged, self.down_to(cutoff).hits])
        grade = np.nan_to_num(pool.grade)
        return ranking(pool.query, pool.document, grade, pool.grade, "ascending").untied()

    def down_to(self, cutoff: int | None) -> JudgedRankings:
        """Return the same rankings without the documents below a rank.

        Raises MeasureError when ties are averaged over all orders and equal scores are on both
        sides of the cutoff.
        """
        hits = self.hits
        if cutoff is None:
            return self
        across = (hits.first <= cutoff) & (cutoff < hits.last) & ~np.isnan(hits.grade)
        if self.convention.ties == "mean" and across.any():
            raise MeasureError(
                f"Which documents are the top {cutoff}, and count twice in the ideal ranking, "
                "depends on the order of equal scores. Choose an order for ties or another ideal."
            )
        return replace(self, hits=hits[hits.rank <= cutoff])

    def cut(self, depth: int) -> JudgedRankings:
        """Return what `match` returns for the first documents of each query of the same run.

        Examples
        --------
        >>> qrels = Qrels.from_dict({"q1": {"a": 1, "b": 1}})
        >>> cut = match(qrels, Run.from_dict({"q1": {"a": 3.0, "c": 2.0, "b": 1.0}})).cut(2)
        >>> cut.retrieved.tolist(), cut.hits.document.to_pylist()
        ([2], ['a'])
        """

        def first(lines: Hits) -> Hits:
            lines = lines[lines.rank <= depth]
            return replace(lines, last=np.minimum(lines.last, depth))

        # Where ties are averaged, `down_to` refuses those across the depth.
        kept = self.down_to(depth)
        return replace(
            kept,
            hits=first(kept.hits),
            top=first(kept.top),
            retrieved=np.minimum(kept.retrieved, depth),
        )

    def condensed(self) -> JudgedRankings:
        """Return the same rankings without their unjudged documents: those below move up.

        References
        ----------
        Sakai, SIGIR (2007): condensed lists.
        """
        grade = self.hits.grade
        known = grade >= 0 if self.convention.negative == "unjudged" else ~np.isnan(grade)
        hits = self.hits[known]
        another = np.ones(len(hits), bool)
        another[1:] = np.diff(hits.query) != 0
        start = np.flatnonzero(another)
        above = repeat(start, np.diff(np.append(start, len(hits))))
        another[1:] |= np.diff(hits.first) != 0
        first = np.flatnonzero(another)
        size = np.diff(np.append(first, len(hits)))
        first = repeat(first, size) - above + 1
        return replace(
            self.under(unjudged="removed"),
            hits=replace(
                hits,
                rank=np.arange(len(hits)) - above + 1,
                first=first,
                last=first + repeat(size, size) - 1,
            ),
            retrieved=self.per_query(hits.query),
        )

    def per_query(self, query: Ints, weights: Floats | None = None) -> NDArray[Any]:
        """``(q,)`` count, or sum of weights added in rank order, by query."""
        return bincount(query, weights, minlength=len(self.queries))


Rankings = Run | JudgedRankings
"""All that `match` takes from memory: a whole run, or what is kept of one."""


def match(
    qrels: Qrels,
    run: Rankings,
    convention: Convention | str = TREC_EVAL,
    *,
    every: bool = False,
) -> JudgedRankings:
    """Return what `batches.match`, the public one, returns for all but a table.

    Raises DataError as it does.
    """
    convention = in_roles(qrels, run, convention, Rankings)
    if isinstance(run, JudgedRankings):
        known = run.by(qrels).judged_under(convention)
        return known.shown() if every else known
    return judged_by(Matcher(qrels, convention, every), run)


def listed(qrels: Qrels, run: Run, convention: Convention) -> JudgedRankings:
    """Return whole rankings to show, a line for every document, also where nothing is judged.

    Examples
    --------
    >>> found = listed(Qrels.from_dict({"q": {}}), Run.from_dict({"q": {"a": 1.0}}), TREC_EVAL)
    >>> found.hits.document.to_pylist(), found.hits.grade.tolist()
    (['a'], [nan])
    """
    return judged_by(Matcher(qrels, convention, every=True, unjudged=True), run)


def judged_by(matcher: Matcher, run: Run) -> JudgedRankings:
    """Return the judged rankings of a run by a matcher, which knows the qrels and convention."""
    judged = gather(matcher, map(matcher.reduce, pieces(run)), run.queries)
    return replace(judged, notes=(*run.notes, *judged.notes), tag=run.tag, name=run.name)


def gather(matcher: Matcher, parts: Iterable[Reduced], ranked: tuple[str, ...]) -> JudgedRankings:
    """Return the judged rankings of a run reduced part by part; ``ranked`` are its queries."""
    judged = matcher.queries
    in_run, unknown = _shared(judged, ranked)
    kept = in_run | (matcher.convention.queries == "qrels")
    number = np.where(kept, np.cumsum(kept) - 1, -1)
    graded = matcher.qrels.rows(kept[matcher.query])
    query = number[matcher.query]
    ideal = ranking(query[query >= 0], graded.document, graded.value, graded.value, "ascending")
    retrieved = np.zeros(int(kept.sum()), np.int64)
    reduced = list(parts)
    for part in reduced:
        retrieved[number[part.query]] = part.retrieved
    lines = Hits.joined([part.hits for part in reduced])
    lines = replace(lines, query=number[lines.query])
    order = np.lexsort((lines.rank, lines.query))
    is_hit = ~np.isnan(lines.grade[order]) if matcher.depth else np.ones(len(lines), bool)
    return JudgedRankings(
        queries=tuple(compress(judged, kept)),
        hits=lines[order[is_hit]],
        judged=ideal.untied(),
        retrieved=retrieved,
        convention=matcher.convention,
        missing_from_run=tuple(compress(judged, ~in_run)),
        missing_from_qrels=unknown,
        qrels=matcher.qrels,
        notes=tuple(_of_removed(reduced)),
        top=lines[order[~is_hit]],
    )


def _of_removed(parts: Sequence[Reduced]) -> Iterator[Note]:
    """Yield the notes on documents that were removed."""
    if own := sum(part.own for part in parts):
        what = count(own, "document was", "documents were")
        text = f"{what} removed for having the id of the query, as the convention says; lower "
        yield Note(f"{text}ranks moved up.", OWN_DOCUMENTS, Severity.REMARK)
    if excluded := sum(part.excluded for part in parts):
        yield exclusions.of_run(excluded)


def _shared(
    judged: tuple[str, ...], ranked: tuple[str, ...]
) -> tuple[NDArray[np.bool_], tuple[str, ...]]:
    """Return which judged queries the run has, and the run's queries that are not judged."""
    # A function, so that neither set is held while the lines are put in order.
    in_run, in_qrels = set(ranked), set(judged)
    known = np.fromiter((query in in_run for query in judged), bool, len(judged))
    return known, tuple(query for query in ranked if query not in in_qrels)


def _of_ranking(convention: Convention) -> list[str]:
    """Return the choices that are settled once a run is ranked and its hits are kept."""
    removed = convention.unjudged == "removed"
    return ["ties", "scores", "unjudged", "own_document", *(["negative"] if removed else [])]


def in_roles(
    qrels: object, run: object, convention: Convention | str, kind: type | UnionType = Run
) -> Convention:
    """Return the convention, and refuse arguments of the wrong type, or in the wrong order.

    ``kind`` is what the run has to be.

    Raises DataError with the types found and the types expected. Raises RankscopeError when no
    preset has the convention's name.
    """
    if not (isinstance(qrels, Qrels) and isinstance(run, kind)):
        raise DataError(
            "Pass the Qrels first, then the Run; these are a "
            f"{type(qrels).__name__} and a {type(run).__name__}. Build them with "
            "Qrels.from_dict, from_frame or read_qrels, and Run.from_dict, from_frame or read_run."
        )
    return named(convention)
