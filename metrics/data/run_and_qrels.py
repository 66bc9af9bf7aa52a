"""Runs and qrels: immutable columns of query, document and value."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .. import notebook, whole_file
from ..arrays import Floats, Ints, column, numbers, pd, repeat, take
from ..errors import DataError
from . import aspects as by_aspect
from . import checks, exclusions, frames, trec_file
from .aspects import Aspects, AspectTable
from .exclusions import Exclusions
from .notes import Note

Documents = Mapping[str, float] | Sequence[str]
"""The documents of a query with their values, or in order."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """One number for each (query, document) pair, as flat columns: see `Run` and `Qrels`."""

    queries: tuple[str, ...]
    query: Ints
    document: pa.StringArray
    value: Floats
    name: str = ""
    notes: tuple[Note, ...] = ()
    tag: str = ""
    reasons: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    aspects: Aspects = field(default_factory=dict)
    excluded: Mapping[str, frozenset[str]] = field(default_factory=dict)

    VALUE: ClassVar[str] = "value"

    def __post_init__(self) -> None:
        for values in (self.query, self.value):
            values.flags.writeable = False

    @classmethod
    def from_columns(
        cls,
        query: Iterable[str],
        document: Iterable[str],
        value: Iterable[float],
        name: str = "",
    ) -> Self:
        """Build from three columns of equal length: lists, or columns of NumPy, Arrow or polars.

        Parameters
        ----------
        query, document
            ``(n,)`` the ids of each pair, as text.
        value
            ``(n,)`` its score or grade.
        name
            The name on screen.

        Raises
        ------
        DataError
            When the lengths differ, an id is not a string, a value is not a finite number, or a
            pair appears twice.

        Examples
        --------
        >>> len(Qrels.from_columns(["q1", "q1"], ["d1", "d2"], [3, 0]))
        2
        """
        queries = checks.texts(cls, query).dictionary_encode()
        names = tuple(queries.dictionary.to_pylist())
        return cls.checked(names, numbers(queries.indices), document, value, name)

    @classmethod
    def from_dict(cls, values: Mapping[str, Documents], name: str = "") -> Self:
        """Build from ``{query: {document: value}}``; a query may have no documents.

        A query may also have a list of documents, as in a file: of a run in the order of the
        ranking, of qrels the relevant ones, with grade 1.

        Parameters
        ----------
        values
            The values by query and document, or the documents by query.
        name
            The name on screen.

        Raises
        ------
        DataError
            As `from_columns` does, and when this is not a dict of dicts.

        Examples
        --------
        >>> Run.from_dict({"q1": {"d1": 2.5, "d2": 1.0}}).queries
        ('q1',)
        >>> Run.from_dict({"q1": ["d1", "d2"]}).to_dict()
        {'q1': {'d1': 2.0, 'd2': 1.0}}
        """
        checks.by_query(cls, values)
        sizes = np.fromiter(map(len, values.values()), np.int64)
        codes = repeat(np.arange(len(sizes)), sizes)
        document = [document for by_id in values.values() for document in by_id]
        value = [value for by_id in values.values() for value in cls._values(by_id)]
        return cls.checked(tuple(values), codes, document, value, name)

    @classmethod
    def _values(cls, documents: Documents) -> Iterable[float]:
        if isinstance(documents, Mapping):
            return documents.values()
        return range(len(documents), 0, -1) if cls.VALUE == "score" else [1] * len(documents)

    @classmethod
    def from_frame(cls, frame: Any, name: str = "") -> Self:
        """Build from a frame of pandas, polars, pyarrow or DuckDB.

        Its columns may have any name that a file's may have: ``qid``, ``docno`` and ``label`` of
        PyTerrier, ``query_id``, ``doc_id`` and ``relevance`` of ir_datasets, … Whole numbers as ids
        become text.

        Parameters
        ----------
        frame
            A row for each pair.
        name
            The name on screen.

        Raises
        ------
        DataError
            As `from_columns` does, and when a column is missing or appears twice.

        Examples
        --------
        >>> import pandas as pd
        >>> frame = pd.DataFrame({"qid": ["q1"], "docno": ["d1"], "label": [2]})
        >>> Qrels.from_frame(frame).to_dict()
        {'q1': {'d1': 2.0}}
        """
        return cls.from_columns(*frames.columns_of(cls.__name__, cls.VALUE, frame), name)

    @classmethod
    def of(cls, given: Any) -> Self:
        """Return a run, or qrels, from a dict of dicts or a frame; what is one already as it is.

        Parameters
        ----------
        given
            A dict as for `from_dict`, a frame as for `from_frame`, or the pairs themselves.

        Raises
        ------
        DataError
            As `from_dict` and `from_frame` do, and when it is none of these.

        Examples
        --------
        >>> Run.of({"q1": {"d1": 2.5}})
        Run('': 1 queries, 1 rows)
        """
        if isinstance(given, cls):
            return given
        if isinstance(given, Mapping):
            return cls.from_dict(given)
        if frames.is_frame(given):
            return cls.from_frame(given)
        raise DataError(
            f"This is a {type(given).__name__}, not {cls.__name__}. Build one with "
            f"{cls.__name__}.from_dict, from_frame or read_{cls.__name__.lower()}."
        )

    def __len__(self) -> int:
        return len(self.value)

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({self.name!r}: {len(self.queries)} queries, {len(self)} rows)"
        )

    def _repr_html_(self) -> str:
        """Return the first rows, for a notebook."""
        first = zip(
            (self.queries[code] for code in self.query[: notebook.MOST]),
            self.document[: notebook.MOST].to_pylist(),
            self.value[: notebook.MOST].tolist(),
            strict=True,
        )
        return notebook.card(repr(self), ("query", "document", self.VALUE), first)

    def rows(self, index: NDArray[Any]) -> Self:
        """Return the pairs in the rows of a boolean mask or an index array.

        Parameters
        ----------
        index
            ``(n,)`` bool, or the places of rows, from 0.
        """
        rows = np.flatnonzero(index) if index.dtype == bool else index
        return replace(
            self,
            query=self.query[rows],
            document=take(self.document, rows),
            value=self.value[rows],
            notes=(),
        )

    def renamed(self, name: str) -> Self:
        """Return the same pairs under another name.

        Parameters
        ----------
        name
            The new name.
        """
        return replace(self, name=name)

    def noted(self, notes: Iterable[Note]) -> Self:
        """Return the same pairs with these notes.

        Parameters
        ----------
        notes
            The notes, which take the place of those before.
        """
        return replace(self, notes=tuple(notes))

    def only(self, *queries: str) -> Self:
        """Return the pairs of these queries, in the order of rows; unknown queries are left out.

        Parameters
        ----------
        *queries
            Ids of queries.
        """
        wanted = frozenset(queries)
        kept = np.fromiter((query in wanted for query in self.queries), bool, len(self.queries))
        part, number = self.rows(kept[self.query]), np.cumsum(kept) - 1
        return replace(
            part,
            queries=tuple(compress(self.queries, kept)),
            query=number[part.query],
            excluded={query: of for query, of in self.excluded.items() if query in wanted},
        )

    def without(self, excluded: Exclusions) -> Self:
        """Return the pairs without documents that are left out of their query's ranking.

        Documents are removed before ranks are counted, and from the ideal ranking as well, as in
        the evaluation of BRIGHT and MTEB: the others move up. Qrels keep the exclusions, so that
        `match` removes the same documents from every run. trec_eval has no such option; its values
        are the same when these lines are removed from its run and qrels.

        Parameters
        ----------
        excluded
            The documents by query, ``{query: [document]}``; unknown ones remove nothing.

        Raises
        ------
        DataError
            When it is of another form, or an id is not text.

        Examples
        --------
        >>> Run.from_dict({"q1": {"own": 3.0, "d1": 2.0}}).without({"q1": ["own"]}).to_dict()
        {'q1': {'d1': 2.0}}
        >>> qrels = Qrels.from_dict({"q1": {"d1": 1}}).without({"q1": ["own"]})
        >>> print(*qrels.notes)
        Left out of the rankings: 1 document of 1 query.
        """
        every = exclusions.joined(self.excluded, excluded)
        return self._left_out(every, exclusions.rows_of(self, every)) if every else self

    def _left_out(self, every: Mapping[str, frozenset[str]], out: NDArray[np.bool_]) -> Self:
        if not out.any():
            return self
        return self.rows(~out).noted((*self.notes, exclusions.of_run(int(out.sum()))))

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Return ``{query: {document: value}}``, in row order."""
        result: dict[str, dict[str, float]] = {query: {} for query in self.queries}
        rows = zip(self.query, self.document.to_pylist(), self.value.tolist(), strict=True)
        for query, document, value in rows:
            result[self.queries[query]][document] = value
        return result

    def to_frame(self) -> pd.DataFrame:
        """Return a DataFrame with the columns ``query``, ``document`` and ``score`` or ``grade``.

        Qrels with aspects have a row for each aspect that a document was judged for, and the
        column ``aspect``.

        Examples
        --------
        >>> Run.from_dict({"q1": {"d1": 2.5}}).to_frame().to_dict("records")
        [{'query': 'q1', 'document': 'd1', 'score': 2.5}]
        """
        names = np.array(self.queries, object)
        if not self.aspects:
            columns: dict[str, Any] = {"query": names[self.query]}
            columns |= {"document": self.document.to_pylist(), self.VALUE: self.value}
        else:
            table = by_aspect.table_of(self.to_dict(), self.aspects)
            rows = zip(table.query.tolist(), table.aspect.tolist(), strict=True)
            aspects = [table.names[query][aspect] for query, aspect in rows]
            columns = {"query": names[table.query], "aspect": aspects}
            columns |= {"document": table.document.to_pylist(), self.VALUE: table.grade}
        return pd.DataFrame(columns).astype(dict.fromkeys(columns.keys() - {self.VALUE}, str))

    def to_trec(self) -> str:
        """Return the lines of a TREC file, which read back the same, with every digit.

        Raises
        ------
        DataError
            When an id contains a space, a quotation mark or a control character.

        Examples
        --------
        >>> print(Run.from_dict({"q1": {"d1": 2.5}}, "bm25").to_trec(), end="")
        q1 Q0 d1 1 2.5 bm25
        """
        return trec_file.trec_file(self).decode()

    def save(self, path: str | Path) -> None:
        """Write a TREC file.

        Parameters
        ----------
        path
            Where to write; a file that is there is replaced.

        Raises
        ------
        DataError
            As `to_trec` does.
        OSError
            When the file cannot be written.
        """
        whole_file.write(Path(path), trec_file.trec_file(self))

    @cached_property
    def digest(self) -> str:
        """A hash of the content: equal columns have equal digests, whatever the name."""
        content = hashlib.sha256(repr(self.queries).encode())
        for values in (column(self.query), self.document, column(self.value)):
            content.update(pa.record_batch([values], ["column"]).serialize())
        if self.aspects:
            # In an order of their own: a file may list the aspects of a document in any.
            of_queries = [
                (query, sorted((name, sorted(of.items())) for name, of in by_document.items()))
                for query in self.queries
                if (by_document := self.aspects.get(query, {}))
            ]
            content.update(repr(of_queries).encode())
        content.update(exclusions.written(self.excluded))
        return content.hexdigest()[:16]

    @cached_property
    def shown(self) -> str:
        """A hash of all that a page can show: the content, name, tag, notes and reasons."""
        about = repr((self.digest, self.name, self.tag, self.notes, self.reasons))
        return hashlib.sha256(about.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @classmethod
    def checked(
        cls,
        queries: tuple[str, ...],
        query: NDArray[Any],
        document: Iterable[str],
        value: Iterable[float],
        name: str,
    ) -> Self:
        """Build from distinct queries and columns, ``query`` an index into the queries.

        Parameters
        ----------
        queries
            Distinct query ids.
        query
            ``(n,)`` index into ``queries`` of each pair.
        document
            ``(n,)`` document ids.
        value
            ``(n,)`` scores or grades.
        name
            The name on screen.

        Raises
        ------
        DataError
            As `from_columns` does.
        """
        checks.texts(cls, queries)
        documents = checks.texts(cls, document)
        values = checks.doubles(cls, value)
        checks.lengths(cls, query, documents, values)
        pairs = cls(queries, query.astype(np.int64), documents, values, name)
        checks.values(pairs)
        checks.duplicates(pairs)
        return pairs

    def at(self, row: int) -> str:
        """Return a row's ids, for messages.

        Parameters
        ----------
        row
            The row, from 0.
        """
        return f"query {self.queries[self.query[row]]!r}, document {self.document[row].as_py()!r}"


PairsT = TypeVar("PairsT", bound=Pairs)
"""The kind of pairs that a reader returns: `Run` or `Qrels`."""


class Run(Pairs):
    """The results of a ranker: the score of each retrieved document, higher is better.

    Attributes
    ----------
    queries
        Distinct query ids, in order of first appearance.
    query
        ``(n,)`` index into ``queries`` of each pair.
    document
        ``(n,)`` document ids, UTF-8 strings.
    value
        ``(n,)`` finite float64: the scores, higher is better.
    name
        The name on screen: a run tag or a file name.
    notes
        Notes on what was assumed, left out or found odd while reading.
    tag
        The run tag in the last row of a TREC run; empty where the file has none.
    reasons, aspects, excluded
        Empty: only qrels have them.

    Examples
    --------
    >>> Run.from_dict({"q1": {"d1": 2.5, "d2": 1.0}}, name="bm25")
    Run('bm25': 1 queries, 2 rows)
    """

    VALUE = "score"


class Qrels(Pairs):
    """Relevance judgments: the grade of each judged document.

    Attributes
    ----------
    queries
        Distinct query ids, in order of first appearance.
    query
        ``(n,)`` index into ``queries`` of each pair.
    document
        ``(n,)`` document ids, UTF-8 strings.
    value
        ``(n,)`` finite float64: the grades.
    name
        The name on screen: a run tag or a file name.
    notes
        Notes on what was assumed, left out or found odd while reading.
    tag
        Empty: only runs have one.
    reasons
        The judges' reasons for their grades, by query, then by document.
    aspects
        The grades for each aspect of the query, by query, document and aspect; empty where a query
        is judged as a whole. The grade of a document is the highest of them; another one was given
        to the document by hand.
    excluded
        The documents that are left out of rankings by these judgments, by query: see `without`.

    Examples
    --------
    >>> Qrels.from_dict({"q1": {"d1": 3, "d2": 0}})
    Qrels('': 1 queries, 2 rows)
    """

    VALUE = "grade"

    def scored(self, scores: Iterable[float], name: str = "") -> Run:
        """Return the run in which each judged document has the score of its row.

        A learned ranker scores the lines of a LETOR file in their order, without ids.

        Parameters
        ----------
        scores
            ``(n,)`` a score for each judgment, higher is better.
        name
            The name of the run on screen.

        Raises
        ------
        DataError
            When there are not as many scores as judgments, or one is not a finite number.

        Examples
        --------
        >>> qrels = Qrels.from_dict({"q1": {"d1": 0, "d2": 2}})
        >>> qrels.scored([0.5, 3.25], "lambdamart").to_dict()
        {'q1': {'d1': 0.5, 'd2': 3.25}}
        """
        return Run.checked(self.queries, self.query, self.document, scores, name)

    @classmethod
    def from_frame(cls, frame: Any, name: str = "") -> Self:
        """Build from a frame, as `Run.from_frame` does; a column of aspects is read, too.

        Parameters
        ----------
        frame
            A row for each judgment.
        name
            The name on screen.

        Raises
        ------
        DataError
            As `Run.from_frame` does, and when a document has two grades for an aspect.

        Examples
        --------
        >>> import pandas as pd
        >>> rows = [("q1", "1", "d1", 0), ("q1", "2", "d1", 1)]
        >>> frame = pd.DataFrame(rows, columns=["qid", "subtopic", "docno", "label"])
        >>> Qrels.from_frame(frame).aspects
        {'q1': {'d1': {'1': 0.0, '2': 1.0}}}
        """
        names = frames.aspects_of(frame) if frames.is_frame(frame) else None
        if names is not None:
            query, document, grade = frames.columns_of(cls.__name__, cls.VALUE, frame)
            queries = query.to_pylist()
            if by_aspect.has_several(queries, names):
                found = by_aspect.gathered(queries, document.to_pylist(), names, grade.to_pylist())
                qrels = cls.from_dict(by_aspect.highest(found), name)
                return replace(qrels, aspects=by_aspect.named(found))
        return super().from_frame(frame, name)

    @classmethod
    def from_aspects(cls, values: Aspects, name: str = "") -> Self:
        """Build from ``{query: {document: {aspect: grade}}}``, as diversity qrels have them.

        The grade of a document is its highest.

        Parameters
        ----------
        values
            The grades by query, document and aspect.
        name
            The name on screen.

        Raises
        ------
        DataError
            As `from_dict` does, and when an aspect is not a text.

        Examples
        --------
        >>> qrels = Qrels.from_aspects({"q1": {"d1": {"price": 0, "brand": 2}}})
        >>> qrels.to_dict(), qrels.aspects["q1"]["d1"]["brand"]
        ({'q1': {'d1': 2.0}}, 2.0)
        """
        found = by_aspect.checked(values)
        return replace(cls.from_dict(by_aspect.highest(found), name), aspects=found)

    def _left_out(self, every: Mapping[str, frozenset[str]], out: NDArray[np.bool_]) -> Self:
        before = [note for note in self.notes if note.code != exclusions.LEFT_OUT]
        notes = (*before, *exclusions.of_qrels(self, every, out))
        return replace(self.rows(~out), excluded=every, notes=notes)

    @cached_property
    def by_aspect(self) -> AspectTable:
        """The judgments by aspect, as columns."""
        return by_aspect.table_of(self.to_dict(), self.aspects)
