"""The texts behind the ids: lines of id TAB text, or BEIR's JSON Lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from ..words import quote
from . import file_names
from .budget import Budget, weight_of_texts
from .decode import decode, each_line, open_bytes
from .from_json.parse import HALF, parse
from .from_tables.column_names import BEIR, SYNONYMS, plain
from .problems import OTHER_ROLE, File, ReadError
from .row_errors import require_room
from .rows import PATTERN
from .unpack import unpack

_TEXTS = {
    *("text", "texts", "title", "name", "query", "query_text", "document", "content", "contents"),
    *("body", "passage", "description", "label", "group", "groups", "category", "type", "topic"),
}
"""Possible names of the column of texts or groups."""
_OBJECT = re.compile(r"\s*\{\s*[\"}]")
# The separator is the same throughout: a query may be "0 to 60", but no text has a tab after its 0.
_PAIR = re.compile(rf"\S+([ \t])[Qq]?0\1\S+(?:\1(?:{PATTERN})){{1,2}}(?:\1\S+)?[ \t]*")


def read_texts(
    source: str | Path | bytes, name: str = "", budget: Budget | None = None
) -> dict[str, str]:
    """Read the texts of queries or documents: lines of id TAB text, or records with _id and text.

    A header line is left out; a record's title goes before its text. The budget is that of all
    files that are read together.

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
    file = File(file_names.shown(file_names.name_of(source, name)), budget=budget or Budget())
    with open_bytes(source) as stream:
        members = unpack(stream.read(), file)
    texts: dict[str, str] = {}
    for member in members:
        text, _ = decode(member.data, file)
        _refuse_pairs(text, file)
        for number, line in _rows(text):
            key, content = _entry(line, number, file)
            if len(key) > (most := file.limits.id):
                found = f"the id {quote(key)}, {len(key):,} characters: too long"
                expected = f"at most {most:,} characters (limit id)"
                raise file.error("E-ID", found, expected, "Use a shorter id.", number)
            if key in texts:
                raise _wrong(f"the id {quote(key)} again", number, file)
            require_room(len(texts), file)
            texts[key] = content
    if not texts:
        raise file.error("E-EMPTY", "no data rows", "lines of an id and a text", "Fill it.")
    file.keep(weight_of_texts(texts))
    return texts


def _rows(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank, with their numbers and without the header."""
    filled = ((at, line) for at, line in enumerate(each_line(text), 1) if line.strip(" \t"))
    first = next(filled, None)
    if first and not _is_header(first[1]):
        yield first
    yield from filled


def _refuse_pairs(text: str, file: File) -> None:
    """Refuse a run or qrels, whose lines would otherwise be read as texts."""
    rows = _rows(text)
    first = next(rows, None)
    if first is None:
        return
    beir = tuple(map(plain, first[1].split("\t"))) == BEIR
    if beir or all(_PAIR.fullmatch(line) for _, line in chain([first], rows)):
        fix = "Use the file as a run or as qrels."
        expected = "lines of an id, a tab and a text"
        raise file.error(OTHER_ROLE, "the rows of a run or qrels", expected, fix, first[0])


def _is_header(line: str) -> bool:
    """Return whether the first cells of a line are known names of an id and a text column."""
    name, text, *_ = *map(plain, line.split("\t")), ""
    ids = {"id", "_id", *SYNONYMS["query"], *SYNONYMS["document"]}
    return name in ids and text in _TEXTS


def _entry(line: str, number: int, file: File) -> tuple[str, str]:
    """Return the id and the text of a line."""
    if len(line) > file.limits.line:
        found = f"a line of {len(line):,} characters: too long"
        expected = f"at most {file.limits.line:,} (limit line)"
        raise file.error("E-SIZE", found, expected, "Shorten the text.", number)
    if _OBJECT.match(line):
        record = parse(line, file, number)
        parts = {key: value for key, value in record if isinstance(value, str)}
        written = [parts[key] for key in ("title", "text") if parts.get(key)]
        once = len({key for key, _ in record}) == len(record)
        if once and parts.get("_id") and "text" in parts:
            return _whole(str(parts["_id"]), number, file), _whole(". ".join(written), number, file)
        raise _wrong(quote(line), number, file)
    key, tab, text = line.partition("\t")
    if not tab or not key:
        raise _wrong(quote(line), number, file)
    return key, text


def _whole(text: str, number: int, file: File) -> str:
    """Return a text after refusing lone surrogates."""
    if HALF.search(text):
        raise _wrong(f"a lone surrogate in {quote(text)}", number, file)
    return text


def _wrong(found: str, number: int, file: File) -> ReadError:
    expected = "a unique id, a tab and a text, or a record with _id and text"
    fix = "Give every line a unique id and a text."
    return file.error("E-FIELDS", found, expected, fix, number)
