"""Records of JSON as the rows of a table whose columns are the keys; the sheet of other forms."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import Any, TypeVar

from ...data import Note, Pairs, Qrels, Run
from ...data.column_names import SYNONYMS, normalised
from ...words import count, listed, quote
from ..from_tables.cells import Cells, TableColumns, cells_of, columns_in_lists, columns_of
from ..from_tables.picked import RECORDS, SHOWN, Picked, Preview, preview
from ..labels import is_label
from ..problems import NO_SCORES, UNNAMED, UNUSED_COLUMNS, File, Problem, ReadError
from ..rows import MOST_LISTED, MOST_PROBLEMS, NUMBER, Found, Rows, require_room
from ..sources import decode
from ..unpack import unpack
from .parse import HALF, JsonNumber, Members, is_text, kind_of, numbered_lines, parsed, written


def read_records(
    kind: type[Pairs], records: list[tuple[int, Members]], file: File, unit: str
) -> Found:
    """Return the rows of numbered records.

    Raises ReadError when a needed key is missing everywhere, or appears twice in a record.
    """
    first = _names(records)
    line, lines = (records[0][0], first) if unit == "line" else (None, {})
    cells = _Records(columns_of(kind, list(first), file, line, lines), file, unit)
    return cells_of(cells.filled(records))


def read_listed(kind: type[Pairs], listed: list[tuple[str, Members]], file: File) -> Found:
    """Return the rows of records in lists, each with the query of its list.

    Raises ReadError as `read_records` does, and when a record has another query than its list.
    """
    records = [
        (number, _under(query, record, file)) for number, (query, record) in enumerate(listed, 1)
    ]
    columns = columns_in_lists(kind, list(_names(records)), file)
    rating = columns.called.get("value", "")
    if len(columns.kinds) > 1 and any(_is_predicted(rating, each) for _, each in records):
        kind, columns = Run, replace(columns, kinds=(Run,))
    return cells_of(_Records(columns, file, "record").filled(records))


def _is_predicted(name: str, record: Members) -> bool:
    """Return whether a rating is certainly predicted: people give whole and half stars."""
    value = record.first(name)
    is_number = isinstance(value, JsonNumber) and NUMBER.fullmatch(value)
    return bool(is_number and normalised(name) == "rating" and 2 * float(value) % 1)


def _names(records: Iterable[tuple[int, Members]]) -> dict[str, int]:
    """Return the keys, each with the number of the first record that has it."""
    first: dict[str, int] = {}
    for number, record in records:
        for name in record.names:
            first.setdefault(name, number)
    return first


def _under(query: str, record: Members, file: File) -> Members:
    """Return a record with the query of its list."""
    own = [
        value for key, value in record if normalised(key) in SYNONYMS["query"] and value is not None
    ]
    if strange := [value for value in own if value != query]:
        found = f"{kind_of(strange[0])} as the query of a record listed under {quote(query)}"
        fix = f"If {quote(query)} is not a query, keep only its list."
        raise file.error("E-JSON", found, f"records of {quote(query)}", fix)
    others = [(key, value) for key, value in record if normalised(key) not in SYNONYMS["query"]]
    return Members([*others, ("query", query)])


class _Records(Cells):
    """The cells of records, added one by one; what is assumed is counted."""

    def __init__(self, columns: TableColumns, file: File, unit: str) -> None:
        super().__init__(columns, file, unit)
        self._counted: dict[tuple[str, str], tuple[int, str]] = {}

    def filled(self, records: Iterable[tuple[int, Members]]) -> Cells:
        """Return the cells with these records, the problems that some have, and notes."""
        for number, record in records:
            if len(self.rows.problems) >= MOST_PROBLEMS:
                break
            row = self._row(number, record)
            if isinstance(row, Problem):
                self.rows.problems.append(row)
            else:
                self.add(number, row)
        for (code, what), (number, first) in self._counted.items():
            text = f"{count(number, 'value')} of {what}; the first on {self.rows.unit} {first}."
            self.rows.note(text, code)
        return self

    def _row(self, number: int, record: Members) -> list[str] | Problem:
        values = dict(record)
        row = [""] * len(self.columns.names)
        for part, at in self.columns.place.items():
            name = self.columns.names[at]
            if record.names.count(name) > 1:
                return self._wrong(number, f"{quote(name)} twice (a duplicate key)", "it once", at)
            if part in self.columns.may_be_blank and values.get(name) in (None, ""):
                continue
            if name not in values:
                return self._wrong(number, f"a record without {quote(name)}", f"its {name}", at)
            text = self._text(part, values[name], number, name)
            if text is None:
                expected = "a text or a number" if part in ("query", "document") else "a number"
                half = isinstance(values[name], str) and HALF.search(values[name])
                found = f"{'a lone surrogate in ' if half else ''}{kind_of(values[name])}"
                return self._wrong(number, f"{found} as {quote(name)}", expected, at)
            row[at] = text
        for part, place in self.columns.optional.items():
            row[place] = written(values.get(self.columns.names[place]))
            if part != "run" and HALF.search(row[place]):
                found = f"a lone surrogate in {quote(row[place])}"
                return self._wrong(number, found, "a text", place)
        return row

    def _text(self, part: str, value: Any, number: int, name: str) -> str | None:
        """Return a value as text; None when it has the wrong type."""
        is_grade = part == "value" and Qrels in self.columns.kinds
        if isinstance(value, bool) and is_grade:
            return str(value)
        if not isinstance(value, str) or HALF.search(value):
            return None
        is_id, is_number = part in ("query", "document"), isinstance(value, JsonNumber)
        if is_number == is_id and not NUMBER.fullmatch(value):
            # It may be the label of a scale, of which all rows decide.
            return value if is_grade and value else None
        if is_number == is_id:
            code, how = "N-TEXT-VALUE", "a string, read as a number"
            if is_id:
                code, how = "N-NUMBER-ID", "a number, kept as written"
            self._count(code, f"{quote(name)} written as {how}", number, value)
        return str(value)

    def _count(self, code: str, what: str, number: int, value: str) -> None:
        known, first = self._counted.get((code, what), (0, f"{number}, {quote(str(value))}"))
        self._counted[code, what] = known + 1, first

    def _wrong(self, number: int, found: str, expected: str, at: int) -> Problem:
        fix = "Correct or remove the record."
        return self.file.problem("E-JSON", found, expected, fix, number, at + 1, self.rows.unit)


_LONGEST = 200
"""At most this many characters of a value are shown."""


def preview_of_records(text: str, file: File) -> Preview | None:
    """Return the keys and first values of records; None where none have several values.

    Keys of lists and objects are left out: no part of a row is one.

    Raises ReadError when the text is not JSON.
    """
    records = [record for _, record in numbered(text, file)[0]]
    every = chain.from_iterable(records)
    keys = tuple(dict.fromkeys(key for key, of in every if not isinstance(of, Members | list)))
    if not 1 < len(keys) <= file.limits.columns:
        return None
    rows = (tuple(written(record.first(key))[:_LONGEST] for key in keys) for record in records)
    return Preview(RECORDS, (keys, *islice(rows, SHOWN - 1)), has_header=True)


def numbered(text: str, file: File) -> tuple[list[tuple[int, Members]], str]:
    """Return the records of a list or of JSON Lines with their numbers, and what they number.

    Raises ReadError when the text is not JSON, or has anything but records.
    """
    if (lines := numbered_lines(text, file)) is not None:
        return lines, "line"
    value = parsed(text, file)
    values = value if isinstance(value, list) else [value]
    if strange := [each for each in values if not isinstance(each, Members)]:
        fix = "Write a list of records, or a record on each line."
        raise file.error("E-JSON", f"{kind_of(strange[0])} in a list", "records", fix)
    return list(enumerate(values, 1)), "row"


def renamed(records: Iterable[tuple[int, Members]], picked: Picked) -> list[tuple[int, Members]]:
    """Return the records with the names that were chosen for their keys, and no other keys.

    Examples
    --------
    >>> picked = Picked(RECORDS, ("query", "", "score"), True, ("topic", "query", "value"))
    >>> ((_, record),) = renamed([(1, Members([("topic", "q1"), ("query", "x")]))], picked)
    >>> list(record)
    [('query', 'q1')]
    """
    names = {key: name for key, name in zip(picked.keys, picked.names, strict=True) if name}
    return [
        (number, Members([(names[key], value) for key, value in record if key in names]))
        for number, record in records
    ]


def preview_of(data: bytes, file: File) -> Preview | None:
    """Return the first rows of a file that is a table or has records; None for any other.

    Examples
    --------
    >>> preview_of(b'[{"topic": "q1", "answer": "d1", "value": 9.5}]', File("a.json")).rows
    (('topic', 'answer', 'value'), ('q1', 'd1', '9.5'))
    """
    try:
        (member,) = unpack(data, file)
        text, _ = decode(member.data, file)
        if text.lstrip(" \t\r\n")[:1] in ("{", "["):
            return preview_of_records(text, file)
    except (ReadError, ValueError):
        return None
    return preview(text)


T = TypeVar("T")

RELEVANT = "1"
"""The grade of a document in a bare list of relevant ids."""

_WORDS = {
    "id": ("N-NUMBER-ID", "number used as an id:", "numbers used as ids, the first"),
    "string": (
        "N-TEXT-VALUE",
        "value written as a string, read as a number:",
        "values written as strings, read as numbers, the first",
    ),
    "bare": (
        "N-NO-DOCUMENT",
        "query without a document left out, the first is",
        "queries without a document left out, the first is",
    ),
    "order": (
        NO_SCORES,
        "ranking without scores, ordered as in the file:",
        "rankings without scores, ordered as in the file, the first of query",
    ),
    "listed": (
        "N-LISTED",
        "list of relevant ids, each with the grade 1:",
        "lists of relevant ids, each with the grade 1, the first of query",
    ),
    "texts": (
        "N-TEXTS-AS-IDS",
        "query whose documents are texts, which stand for their ids:",
        "queries whose documents are texts, which stand for their ids, the first is",
    ),
    "unparsed": (
        "N-UNPARSED",
        "judgment that was not parsed (result_status 0), so unjudged, of query",
        "judgments that were not parsed (result_status 0), so unjudged, the first of query",
    ),
    "failed": (
        "N-FAILED",
        "query that failed, according to the response, left out:",
        "queries that failed, according to the response, left out, the first is",
    ),
    "partial": (
        "N-PARTIAL",
        "query whose search timed out or missed shards, so that hits may be missing:",
        "queries whose searches timed out or missed shards, so that hits may be missing, the first",
    ),
    "unnamed": (
        UNNAMED,
        "query without a name, called q1",
        "queries without a name, called q1, q2, … in order",
    ),
}
"""For each thing counted: the code of its note, and the words for one and for many."""


class Sheet:
    """Rows, records and notes collected so far, query by query."""

    def __init__(self, kind: type[Pairs], file: File) -> None:
        self.kind = kind
        self.file = file
        self.rows: Found = {}
        self.records: list[tuple[str, Members]] = []
        self.unused: dict[str, None] = {}
        self.last: dict[type[Pairs], Note] = {}
        self._seen: set[str] = set()
        self._ranked: dict[tuple[str, str], None] = {}
        self._unnamed = 0
        self._counts: dict[str, tuple[int, str]] = {}

    def found(self) -> Found:
        """Return the rows of each kind, with notes on what was assumed.

        Raises ReadError when there are no rows of the expected kind.
        """
        if self.rows and self.records:
            what = f"a list of records for {quote(self.records[0][0])} but not for every query"
            fix = "Write all queries as lists of records, or none."
            raise self.file.error("E-JSON", what, "one form for all queries", fix)
        found = read_listed(self.kind, self.records, self.file) if self.records else self.rows
        for kind, rows in found.items():
            rows.notes += [*self._notes(), *([self.last[kind]] if kind in self.last else [])]
        if found and self.kind not in found:
            is_run = self.kind is Run
            what = "only judgments" if is_run else "only a ranking, without judgments"
            raise self.file.of_other_role(self.kind, what, self.kind.__name__.lower())
        return found or {self.kind: Rows()}

    def _notes(self) -> Iterator[Note]:
        for what, (number, first) in self._counts.items():
            code, one, many = _WORDS[what]
            yield Note(f"{count(number, one, many)} {first}.", code)
        if runs := dict.fromkeys(run for _, run in self._ranked):
            text = f"{count(len(runs), 'run')} in one file: {listed(runs, MOST_LISTED)}."
            yield Note(text, "N-RUNS")
        if self.unused:
            text = f"Keys that are not used: {listed(self.unused, MOST_LISTED)}."
            yield Note(text, UNUSED_COLUMNS)

    def note(self, what: str, first: str) -> None:
        """Count one assumption of a kind in `_WORDS`; the note names the first."""
        number, known = self._counts.get(what, (0, first))
        self._counts[what] = number + 1, known

    def part(self, value: Any, kind: type[T], what: str, form: tuple[str, str]) -> T:
        """Return a part if it has this type.

        ``what`` is its name; ``form`` is what is expected, and how to write it.

        Raises ReadError when it has another type.
        """
        if not isinstance(value, kind):
            raise self.odd(value, what, *form)
        return value

    def odd(self, value: Any, what: str, expected: str, fix: str) -> ReadError:
        """Return the refusal of a part that another type was expected of."""
        return self.file.error("E-JSON", f"{kind_of(value)} as {what}", expected, fix)

    def put(self, kind: type[Pairs], query: str, document: Any, value: Any, rank: str = "") -> None:
        """Add one row: the value is a number or a text of one, the rank is optional."""
        rows = self.rows.setdefault(kind, Rows())
        require_room(len(rows.line), self.file)
        where = self._id(query, document)
        if is_text(value) and NUMBER.fullmatch(value):
            self.note("string", where)
        elif kind is Qrels and (isinstance(value, bool) or (is_text(value) and is_label(value))):
            # Of all rows it is decided what each label counts.
            value = str(value)
        elif isinstance(value, Members | list):
            fix = f"If {quote(query)} is not a query, keep only its contents."
            raise self.file.error("E-JSON", f"{kind_of(value)} {where}", "a number", fix)
        elif not isinstance(value, JsonNumber):
            fix = "Write it as a number, without quotes."
            if value is None and kind is Qrels:
                fix = "Remove it if the document is unjudged."
            raise self.file.error("E-NUMBER", f"{kind_of(value)} {where}", "a number", fix)
        elif not NUMBER.fullmatch(value):
            fix = "Write it with digits and a decimal point."
            raise self.file.error("E-NUMBER", f"{quote(value)} {where}", "a number", fix)
        rows.add(0, query, str(document), str(value))
        if rank:
            rows.rank.append(rank)

    def _id(self, query: str, document: Any) -> str:
        """Return the place of a document's id for messages; refuse one that is no text."""
        where = f"for {quote(query)}, {quote(str(document))}"
        if isinstance(document, JsonNumber) and NUMBER.fullmatch(document):
            self.note("id", f"{where}, kept as written")
        elif not is_text(document):
            found = f"{kind_of(document)} as a document id of query {quote(query)}"
            raise self.file.error("E-ID", found, "ids that are text", "Write it in quotes.")
        self._require_whole(document, where)
        return where

    def exclude(self, query: str, documents: list[Any]) -> None:
        """Leave documents out of a query's ranking."""
        for document in documents:
            self._id(query, document)
            if not 0 < len(document) <= self.file.limits.id:
                found = f"{len(document):,} characters as an excluded id of query {quote(query)}"
                raise self.file.error("E-ID", found, self.file.at_most("id"), "Correct the id.")
            excluded = self.rows.setdefault(Qrels, Rows()).excluded
            excluded.setdefault(query, []).append(str(document))

    def values(
        self, kind: type[Pairs], query: str, content: Members | list[tuple[Any, Any]]
    ) -> None:
        if not content:
            self.note("bare", quote(query))
            return
        pairs = content if isinstance(content, Members) else Members(content)
        documents, values = pairs.names, pairs.values
        # Whole queries are added at once where nothing in them needs a note.
        kinds = {*map(type, documents)}, {*map(type, values)}
        if kinds == ({str}, {JsonNumber}) and (query + "".join(documents)).isascii():
            rows = self.rows.setdefault(kind, Rows())
            require_room(len(rows.line) + len(documents) - 1, self.file)
            rows.extend(query, documents, values)
            return
        for document, value in pairs:
            self.put(kind, query, document, value)

    def listed(self, kind: type[Pairs], query: str, documents: list[Any]) -> None:
        """Add documents in rank order, or the relevant ones."""
        if not documents:
            self.note("bare", quote(query))
            return
        self.note("order" if kind is Run else "listed", quote(query))
        self.rows.setdefault(kind, Rows()).lists_relevant |= kind is Qrels
        for above, document in enumerate(documents):
            value = len(documents) - above if kind is Run else RELEVANT
            self.put(kind, query, document, JsonNumber(value))

    def rated(self, query: str, ratings: list[Any], document: str, rating: str) -> None:
        """Add one query's judgments from records with these keys.

        Raises ReadError when one of them is not a record, or its values are of another type.
        """
        if not ratings:
            self.note("bare", quote(query))
        for each in ratings:
            form = f"records with {document} and {rating}", "Use the file as it was exported."
            record = self.part(each, Members, f"a rating of query {quote(query)}", form)
            self.require_once(record)
            self.put(Qrels, query, record.first(document), record.first(rating))

    def ranked(self, query: str, run: str, documents: list[Any] | Members) -> None:
        """Add one query's documents of one of several runs, in rank order or with scores."""
        if (query, run) in self._ranked:
            found = f"the query {quote(query)} twice for {quote(run)}"
            raise self.file.error("E-DUP-QUERY", found, "each query once", "Merge the two entries.")
        self._ranked[query, run] = None
        self._require_query(query)
        if isinstance(documents, Members):
            self.values(Run, query, documents)
        else:
            self.listed(Run, query, documents)
        rows = self.rows.setdefault(Run, Rows())
        rows.runs += [run] * (len(rows.line) - len(rows.runs))

    def name(self, query: str, key: str = "") -> str:
        """Begin a query, and return its name; ``key``: where a number as a name would be noted.

        Raises ReadError when the query appears twice, or its id is not valid.
        """
        if isinstance(query, JsonNumber):
            self.note("id", f"{quote(query)} as {key}, kept as written")
        self._require_query(query)
        if query in self._seen:
            fix = "Merge the two entries."
            found = f"the query {quote(query)} twice (a duplicate key)"
            raise self.file.error("E-DUP-QUERY", found, "each query once", fix)
        self._seen.add(query)
        return str(query)

    def numbered(self) -> str:
        """Return the next name for a query that has none."""
        self._unnamed += 1
        query = f"q{self._unnamed}"
        self.note("unnamed", "here")
        return query

    def require_once(self, record: Members) -> None:
        """Refuse a record in which a key appears twice.

        Raises ReadError for the first such key.
        """
        seen: set[str] = set()
        for key, _ in record:
            if key in seen:
                found = f"{quote(key)} twice in a record (a duplicate key)"
                raise self.file.error("E-JSON", found, "it once", "Correct or remove the record.")
            seen.add(key)

    def _require_query(self, query: str) -> None:
        """Refuse a query id that is too long or not text, before it is copied to every row."""
        if len(query) > self.file.limits.id:
            found = f"{quote(query)} as a query, {len(query):,} characters: too long"
            fix = "Use shorter ids; check whether these are queries at all."
            raise self.file.error("E-ID", found, self.file.at_most("id"), fix)
        self._require_whole(query, f"in the query {quote(query)}")

    def _require_whole(self, text: str, where: str) -> None:
        """Refuse an id with a lone surrogate."""
        if HALF.search(text):
            fix = "Write the id as UTF-8 text or as a whole surrogate pair."
            raise self.file.error("E-ID", f"a lone surrogate {where}", "ids that are text", fix)
