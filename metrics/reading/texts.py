"""The texts behind the ids: lines of id TAB text, tables with a header, JSON and JSON Lines.

Also lists of ids alone.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain
from typing import NamedTuple

from ..data.column_names import BEIR, SYNONYMS, first_of, normalised
from ..data.texts import GROUP, JOINT, TITLE, is_weight, weight
from ..words import quote
from . import file_names
from .from_json.detect import RANKINGS
from .from_json.parse import HALF, Members, is_one, is_text, kind_of, parse, parsed, written
from .from_json.records import numbered, renamed
from .from_tables.cells import WIDE
from .from_tables.delimited import TextTable, cut, filled
from .from_tables.picked import Picked
from .problems import OTHER_ROLE, REPEAT, Budget, File, ReadError, weight_of_texts
from .rows import PATTERN, require_room
from .sources import Shared, Source, decode, each_line, line_ends, open_bytes, path_or_bytes
from .text_forms import are_blocks, blocks
from .unpack import Member, unpack

_OBJECT = re.compile(r"\s*\{\s*[\"}]")
_LIST = re.compile(r"\s*\[\s*\{\s*[\"}]")
# The separator is the same throughout: a query may be "0 to 60", but no text has a tab after its 0.
_PAIR = re.compile(rf"\S+([ \t])[Qq]?0\1\S+(?:\1(?:{PATTERN})){{1,2}}(?:\1\S+)?[ \t]*")
_COMMENT = re.compile(r"(?:^|(?<=[ \t]))#.*")
"""From a # at the start of a line or behind a space; an id can contain one elsewhere."""


_IDS = ("_id", "id", *SYNONYMS["document"], *SYNONYMS["query"])
EXPECTED = "a unique id, a tab and a text, or a record with _id and text"
FIX = "Give every line a unique id and a text."
_TITLES = (TITLE, "name")
_GROUPS = ("group", "groups", "category", "type")
_TEXTS = (
    *("text", "texts", "contents", "content", "body", "passage", "abstract", "document"),
    *("query_text", "query", "description", "label"),
    *(*_GROUPS, "topic"),
)
"""Possible names of the column of texts or groups, the most certain first."""
_PARTS = {name for part in SYNONYMS.values() for name in part}
"""The names of the columns of a run or qrels."""
_QUERY = {*SYNONYMS["query"]}
_MANY = 1_000
"""More names than this are not those of columns, but ids."""
_NUMBERED = {"", "unnamed:_0"}
"""The names of a first column that numbers the rows."""


class TextRecord(NamedTuple):
    """One document: its id, title, text and other fields, and the unit that numbers it.

    ``is_group``: whether the text is an attribute of a query, such as its device; ``name`` is the
    name of the text's column, if it has one.
    """

    key: str
    title: str
    text: str
    fields: dict[str, str]
    unit: str = "line"
    is_group: bool = False
    name: str = ""


@dataclass(frozen=True)
class TextColumns:
    """The names of the columns of a table or the keys of a record, by what they contain.

    Attributes
    ----------
    key, title, text
        The names of the id, the title and the text; empty where there is none.
    is_group
        Whether the text is the first of a query's attributes, and the other fields are others.
    """

    names: tuple[str, ...]
    key: str
    title: str
    text: str
    is_group: bool = False

    @property
    def needed(self) -> tuple[str, ...]:
        """The names of the texts that a record must have: its id, and its text or title."""
        return (self.key,) if self.is_group else (self.key, self.text or self.title)

    @cached_property
    def others(self) -> dict[str, str]:
        """The names of the other fields, without spaces around them, by the name in the file."""
        used = {self.key, self.title, self.text}
        others = (name for name in self.names if name not in used)
        return {name: name.strip() for name in others if normalised(name) not in _NUMBERED}

    @property
    def has_weights(self) -> bool:
        """Whether these are a query's attributes, one of them a weight by its name."""
        return self.is_group and any(map(is_weight, self.names))

    def entry(self, values: Mapping[str, str], unit: str) -> TextRecord:
        """Return the document with these values, by name."""
        fields = {
            shown: values[name]
            for name, shown in self.others.items()
            if values[name] not in ("", "{}", "[]")
        }
        title, text = values.get(self.title, ""), values.get(self.text, "")
        called = self.text.strip()
        return TextRecord(values[self.key], title, text, fields, unit, self.is_group, called)


def columns_of(names: Sequence[str]) -> TextColumns | None:
    """Return the columns with these names; None if they have no id, or neither text nor title.

    The columns of a run or qrels are not those of texts.

    Examples
    --------
    >>> found = columns_of(["docno", "Title", "url"])
    >>> found.key, found.title, list(found.others)
    ('docno', 'Title', ['url'])
    """
    return _columns_of(tuple(names)) if len(names) <= _MANY else None


# Most records of a file have the same keys.
@lru_cache(maxsize=64)
def _columns_of(names: tuple[str, ...]) -> TextColumns | None:
    found = first_of(_IDS, names)
    known = set(map(normalised, names))
    ids = all(known & {*SYNONYMS[part]} for part in ("query", "document"))
    if found is None or (ids and not known & {*_TITLES, *_TEXTS} - _PARTS):
        return None
    key, others = names[found], [name for at, name in enumerate(names) if at != found]
    title, text = (
        others[at] if (at := first_of(known, others)) is not None else ""
        for known in (_TITLES, _TEXTS)
    )
    if title or (text and normalised(text) not in _GROUPS):
        return TextColumns(names, key, title, text)
    attributes = [text] if text else [each for each in others if normalised(each) not in _NUMBERED]
    is_query = normalised(key) in _QUERY and not known & (_PARTS - _QUERY)
    if is_query and attributes and all(map(_is_name, others)):
        return TextColumns(names, key, "", attributes[0], is_group=True)
    return TextColumns(names, key, "", text) if text else None


def _is_name(of: str) -> bool:
    """Return whether a cell may be the name of an attribute, and not a text or of documents."""
    known = normalised(of)
    is_word = re.fullmatch(r"[^\W\d][\w-]*", of.strip())
    return bool(is_word) and known not in RANKINGS and not WIDE.fullmatch(known)


@dataclass
class Corpus:
    """The documents read so far.

    Attributes
    ----------
    texts
        The title and the text of each document in one, by id.
    fields
        The titles, and the other fields by name; each by the id of the document.
    are_groups
        Whether the texts are an attribute of queries.
    name
        The name of the column of texts; empty where it has none.
    """

    texts: dict[str, str] = field(default_factory=dict)
    fields: dict[str, dict[str, str]] = field(default_factory=dict)
    are_groups: bool = False
    name: str = ""

    @property
    def attributes(self) -> dict[str, dict[str, str]]:
        """The texts as an attribute of queries, and the other fields, without blank values."""
        every = ({} if self.are_groups else {self.name or GROUP: self.texts}) | self.fields
        return {name: {key: text for key, text in of.items() if text} for name, of in every.items()}

    def add(self, entry: TextRecord, number: int, file: File) -> None:
        """Add a document from this line or row of a file.

        Raises ReadError for an id that is empty or appears twice, two titles, a lone surrogate, and
        anything above the limits.
        """
        text = JOINT.join(filter(None, (entry.title, entry.text)))
        fields = entry.fields
        if entry.is_group and entry.text:
            fields = {entry.name: entry.text} | fields
        if entry.title:
            fields = {TITLE: entry.title} | fields
        if wrong := self._wrong(entry, text, fields, file):
            raise ReadError([file.problem(*wrong, number, unit=entry.unit)])
        self.texts[entry.key] = text
        self.are_groups |= entry.is_group
        self.name = self.name or entry.name
        for name, value in fields.items():
            self.fields.setdefault(name, {})[entry.key] = value

    def _wrong(
        self, entry: TextRecord, text: str, fields: Mapping[str, str], file: File
    ) -> tuple[str, str, str, str] | None:
        """Return the code, what was found, what was expected and the fix of a broken rule."""
        key, values = entry.key, (entry.key, text, *fields, *fields.values())
        if not key or key in self.texts:
            found = f"the id {quote(key)} again" if key else "an empty id"
            wanted = (
                ("each query once", "Keep one row for it.") if entry.is_group else (EXPECTED, FIX)
            )
            return REPEAT if key else "E-FIELDS", found, *wanted
        if TITLE in entry.fields:
            fix = "Rename one of the columns."
            return "E-FIELDS", f"two titles of {quote(key)}", "one title", fix
        if entry.is_group and (wrong := _no_weight(fields)):
            fix = "Correct it, or leave it blank where the query has no weight."
            return "E-NUMBER", wrong, "a number, 0 or more", fix
        if half := next(filter(HALF.search, values), ""):
            return "E-FIELDS", f"a lone surrogate in {quote(half)}", EXPECTED, FIX
        if len(longest := max((key, *fields), key=len)) > file.limits.id:
            found = f"the id {quote(longest)}, {len(longest):,} characters: too long"
            return "E-ID", found, file.at_most("id"), "Use a shorter id."
        if (size := max(map(len, values))) > file.limits.line:
            found = f"a text of {size:,} characters: too long"
            return "E-SIZE", found, file.at_most("line"), "Shorten the text."
        if len(self.fields.keys() | fields.keys()) > (most := file.limits.columns):
            found = f"more than {most:,} fields"
            return "E-SIZE", found, file.at_most("columns"), "Leave some out."
        return None


def read_texts(source: Source, name: str = "", budget: Budget | None = None) -> dict[str, str]:
    """Read the texts of queries or documents: lines of id TAB text, or records with _id and text.

    Records are JSON, JSON Lines, or the rows of a table whose header names the id and the text. A
    header line is left out; a record's title goes before its text.

    Parameters
    ----------
    source
        A path, the bytes of a file, or an open file.
    name
        The file's name in messages, when the source has none.
    budget
        The memory budget of all files that are read together; a new one by default.

    Raises
    ------
    ReadError
        With the line, when an id is missing, appears twice or has no text, and when the file is a
        run or qrels.

    Examples
    --------
    >>> read_texts(b"query\\ttext\\nq1\\tbest laptop", "queries.tsv")
    {'q1': 'best laptop'}
    >>> read_texts(b'{"_id": "d1", "title": "Mouse", "text": "Wireless."}', "corpus.jsonl")
    {'d1': 'Mouse. Wireless.'}
    """
    return read_corpus(source, name, budget).texts


def _no_weight(fields: Mapping[str, str]) -> str:
    """Return the first value that should be a weight by its name and is none; empty for none."""
    for name, text in fields.items():
        if text and is_weight(name) and math.isnan(weight(text)):
            return f"{quote(text)} as {quote(name)}"
    return ""


def read_attributes(source: Source, name: str = "") -> dict[str, dict[str, str]]:
    """Return the attributes of queries in a file, by name, then by the query's id.

    Parameters
    ----------
    source
        The path of a file or its bytes: a table with a column of queries, or another form that
        `read_texts` reads, whose texts are one attribute then.
    name
        The file's name in messages, when the source has none.

    Raises
    ------
    ReadError
        As `read_texts` does, and with the line where a weight, such as a frequency, is no number.

    Examples
    --------
    >>> read_attributes(b"query,device,frequency\\nq1,mobile,90\\nq2,desktop,10", "log.csv")
    {'device': {'q1': 'mobile', 'q2': 'desktop'}, 'frequency': {'q1': '90', 'q2': '10'}}
    """
    return read_corpus(source, name).attributes


def read_corpus(
    source: Source, name: str = "", budget: Budget | None = None, picked: Picked | None = None
) -> Corpus:
    """Read the texts of documents as `read_texts` does, and the other fields of their records.

    Raises ReadError as `read_texts` does, and when there are too many fields.

    Examples
    --------
    >>> read_corpus(b"doc_id,title,text,url\\nd1,Mouse,Wireless.,/mouse", "corpus.csv").fields
    {'title': {'d1': 'Mouse'}, 'url': {'d1': '/mouse'}}
    """
    shown = file_names.shown(file_names.name_of(source, name))
    done = source.done if isinstance(source, Shared) else None
    file = File(shown, budget=budget or Budget(), done=done)
    with open_bytes(path_or_bytes(source, file.name)) as stream:
        members = file.once("unpacked", lambda: unpack(stream.read(), file))
    corpus = Corpus()
    for member in members:
        here = file.member(member.name)
        text = _text(member, here)
        if picked is None:
            _refuse_pairs(text, here)
        for number, entry in _picked(text, picked, here) if picked else _entries(text, here):
            require_room(len(corpus.texts), here)
            corpus.add(entry, number, here)
    if not corpus.texts:
        raise file.error("E-EMPTY", "no data rows", "lines of an id and a text", "Fill it.")
    file.keep(sum(map(weight_of_texts, (corpus.texts, *corpus.fields.values()))))
    return corpus


def _text(member: Member, file: File) -> str:
    """Return the text of a file, unless it has more lines than the limits allow."""
    text, _ = file.once("text", lambda: decode(member.data, file))
    if not (_LIST.match(text) or _OBJECT.match(text)):
        # Most of them may be blank.
        require_room(line_ends(text), file)
    return text


def _entries(text: str, file: File) -> Iterator[tuple[int, TextRecord]]:
    """Yield each id with its text, and the number of its line or row."""
    if _LIST.match(text) or (_OBJECT.match(text) and is_one(text, file)):
        yield from _of_json(text, file)
        return
    if are_blocks(text):
        for number, parts in blocks(text, file):
            yield number, TextRecord(parts["id"], parts.get("title", ""), parts["text"], {})
        return
    number, first = next(filled(text), (1, ""))
    for mark in ",;|\t":
        names = cut(first, mark)
        # A line of id TAB text has two cells, and the text may contain more tabs.
        if (mark != "\t" or len(names) > 2) and (columns := columns_of(names)):
            yield from _of_table(TextTable(mark, names, text, number), columns, file)
            return
    header = _header(first)
    for number, line in _rows(text):
        yield number, _of_line(line, number, file, header)


def _picked(text: str, picked: Picked, file: File) -> Iterator[tuple[int, TextRecord]]:
    """Yield the texts of a table or of records whose columns a person named."""
    if picked.keys:
        found, unit = numbered(text, file)
        for number, record in renamed(found, picked):
            yield number, _of_record(record, number, file, unit)
        return
    if columns := columns_of(picked.names):
        yield from _of_table(picked.table(text), columns, file)


def _rows(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank, with their numbers and without the header."""
    rows = ((at, line) for at, line in enumerate(each_line(text), 1) if line.strip(" \t"))
    if (first := next(rows, None)) and not _header(first[1]):
        yield first
    yield from rows


def _header(line: str) -> TextColumns | None:
    """Return the columns that a line of two cells names, an id and a text; None for no header."""
    cells = line.split("\t")[:2]
    columns = columns_of(cells)
    if columns is None or columns.key != cells[0]:
        return None
    # An id may be called topic, and its attribute by any word.
    is_known = (
        normalised(columns.text) in _TEXTS
        or is_weight(columns.text)
        or "id" in normalised(columns.key)
    )
    return columns if is_known or not columns.is_group else None


def _refuse_pairs(text: str, file: File) -> None:
    """Refuse a run or qrels, whose lines would otherwise be read as texts."""
    rows = _rows(text)
    first = next(rows, None)
    if first is None:
        return
    beir = tuple(map(normalised, first[1].split("\t"))) == BEIR
    if beir or all(_PAIR.fullmatch(line) for _, line in chain([first], rows)):
        fix = "Use the file as a run or as qrels."
        expected = "lines of an id, a tab and a text"
        raise file.error(OTHER_ROLE, "the rows of a run or qrels", expected, fix, first[0])


def _of_table(
    table: TextTable, columns: TextColumns, file: File
) -> Iterator[tuple[int, TextRecord]]:
    """Yield the rows of a table."""
    if twice := [name for name, times in Counter(columns.names).items() if times > 1 and name]:
        fix = "Rename or remove one of them."
        raise file.error("E-HEADER", f"the column {quote(twice[0])} twice", "it once", fix, 1)
    for number, row in table.rows(file):
        cells = dict(zip(columns.names, (cell.strip(" \t") for cell in row), strict=True))
        yield number, columns.entry(cells, "line")


def _of_json(text: str, file: File) -> Iterator[tuple[int, TextRecord]]:
    """Yield the records of a list, or the texts or records of an object, by id."""
    value = parsed(text, file)
    if isinstance(value, Members):
        if columns_of(value.names):
            yield 1, _of_record(value, 1, file)
            return
        for number, (key, content) in enumerate(value, 1):
            if isinstance(content, Members):
                yield number, _of_record(_under(key, content, number, file), number, file, "row")
            elif is_text(content):
                yield number, TextRecord(key, "", content, {}, "row")
            else:
                found = f"{kind_of(content)} under {quote(key)}"
                raise ReadError([file.problem("E-FIELDS", found, *_NONE, number, unit="row")])
        return
    for number, record in enumerate(value, 1):
        if not isinstance(record, Members):
            raise _wrong(kind_of(record), number, file, "row")
        yield number, _of_record(record, number, file, "row")


def _under(key: str, record: Members, number: int, file: File) -> Members:
    """Return the record under an id, with that id."""
    own = [value for name, value in record if name in _OWN]
    if strange := [value for value in own if value != key]:
        found = f"{kind_of(strange[0])} as the id of a record under {quote(key)}"
        raise _wrong(found, number, file, "row")
    return Members([("_id", key), *((name, of) for name, of in record if name not in _OWN)])


_NONE = (
    "a run, judgments or texts",
    "A run looks like {query: {document: score}}, texts like {id: text}.",
)
"""What is expected of an object without any of them, and how to write it."""
_OWN = ("_id", "id", "docno", "docid", "doc_id")
"""The keys of an id inside a record that has its id as its key."""


def _of_line(line: str, number: int, file: File, header: TextColumns | None = None) -> TextRecord:
    """Return the id and the text of a line."""
    if len(line) > file.limits.line:
        raise file.too_long(line, "Shorten the text.", number)
    if _OBJECT.match(line):
        return _of_record(parse(line, file, number), number, file)
    key, tab, text = line.partition("\t")
    if not tab or not key:
        raise _wrong(quote(line), number, file)
    if "\t" in text and any("\t" in part for part in text.splitlines()[1:]):
        fix = "It looks like several rows: begin a new line before each id."
        raise file.error("E-FIELDS", quote(line), "one id and its text", fix, number)
    if header is None:
        return TextRecord(key, "", text, {})
    return TextRecord(key, "", text, {}, is_group=header.is_group, name=header.text)


def _of_record(record: Members, number: int, file: File, unit: str = "line") -> TextRecord:
    """Return the id, the text and the other fields of a record."""
    names, columns = record.names, columns_of(record.names)
    if (
        columns is None
        or len(set(names)) < len(names)
        or not all(isinstance(record.first(key), str) for key in columns.needed)
    ):
        keys = f"a record with the keys {', '.join(names)}" if names else "a record without keys"
        raise _wrong(quote(keys), number, file, unit)
    return columns.entry({key: written(of) for key, of in record}, unit)


def _wrong(found: str, number: int, file: File, unit: str = "line") -> ReadError:
    return ReadError([file.problem("E-FIELDS", found, EXPECTED, FIX, number, unit=unit)])


def read_queries(source: Source, name: str = "") -> tuple[str, ...]:
    """Return the ids of a list of queries, each once: one a line; # begins a comment.

    Raises ReadError when the file cannot be read, is not a text, or lists no query.

    Examples
    --------
    >>> read_queries(b"# the queries of the front page\\nq17\\nq#2  # sold out in May\\nq17\\n")
    ('q17', 'q#2')
    """
    file = File(file_names.shown(file_names.name_of(source, name)))
    with open_bytes(path_or_bytes(source, file.name)) as stream:
        text, _ = decode(stream.read(), file)
    ids = (_COMMENT.sub("", line).strip(" \t") for line in each_line(text))
    queries = tuple(dict.fromkeys(filter(None, ids)))
    if not queries:
        fix = "Write one query id on each line, or leave the list out."
        raise file.error("E-EMPTY", "no query id", "a query id on each line", fix)
    return queries
