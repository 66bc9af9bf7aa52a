"""JSON text -> values that keep everything: digits as written, duplicate keys; checks of them."""

import json
import re
from ast import literal_eval
from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard, TypeVar

import numpy as np

from ...data import Note, Severity
from ...errors import RankscopeError
from ...words import quote
from ..problems import File, ReadError
from ..rows import require_room
from ..sources import each_line, lines

_ESCAPED = re.compile(rb"\\.", re.DOTALL)
_OPENING = list(b"[{")
_NO_MARK = bytes(set(range(256)) - set(b'[]{}"'))
_CLOSED = re.compile(r"[\]}]")
_WORD = re.compile(r"\w")
_JOINED = re.compile(r"""['"]\s+['"]""")
_COMMA = "There is one comma too many."
HALF = re.compile("[\ud800-\udfff]")
"""Half of a surrogate pair: JSON can express it, UTF-8 cannot."""


class JsonNumber(str):
    """The digits of a JSON number, kept as written until they are checked."""

    __slots__ = ()


class Members:
    """The members of a JSON object in order, duplicate keys included.

    Attributes
    ----------
    names, values
        The two sides of the members, which take a third of the memory of pairs.
    """

    __slots__ = ("names", "values")

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        self.names: tuple[str, ...] = ()
        self.values: tuple[Any, ...] = ()
        if pairs:
            self.names, self.values = zip(*pairs, strict=True)

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        return zip(self.names, self.values, strict=True)

    def __len__(self) -> int:
        return len(self.names)

    def first(self, key: str) -> Any:
        """Return the first value of a key; None when there is none."""
        return self.values[self.names.index(key)] if key in self.names else None


def is_text(value: Any) -> TypeGuard[str]:
    """Return whether a value is a string, and not the digits of a number."""
    return isinstance(value, str) and not isinstance(value, JsonNumber)


def within(value: Any, *keys: str) -> Any:
    """Return the value under a key, under the next key in it, …; None where there is none.

    Examples
    --------
    >>> within(decoded('{"a": {"b": 1}}'), "a", "b"), within(decoded('{"a": [1]}'), "a", "b")
    ('1', None)
    """
    for key in keys:
        value = value.first(key) if isinstance(value, Members) else None
    return value


def kind_of(value: Any) -> str:
    """Describe a JSON value in words.

    Examples
    --------
    >>> kind_of(None), kind_of([]), kind_of(JsonNumber("1")), kind_of("1")
    ('null', 'a list', 'the number 1', "the string '1'")
    """
    if isinstance(value, Members):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, JsonNumber):
        return f"the number {_short(value)}"
    return f"the string {_short(value)!r}" if isinstance(value, str) else json.dumps(value)


def written(value: Any) -> str:
    """Return a JSON value as a text on one line; a string as it is, null as an empty text.

    Examples
    --------
    >>> written(None), written([JsonNumber("1.0"), "a", True]), written(Members([("k", [])]))
    ('', '[1.0, "a", true]', '{"k": []}')
    """
    if value is None or isinstance(value, str):
        return str(value or "")
    return _nested(value)


def _nested(value: Any) -> str:
    if isinstance(value, Members):
        members = (f"{_nested(key)}: {_nested(of)}" for key, of in value)
        return f"{{{', '.join(members)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_nested, value))}]"
    return str(value) if isinstance(value, JsonNumber) else json.dumps(value, ensure_ascii=False)


def _short(text: str) -> str:
    return str(text) if len(text) <= 80 else f"{text[:79]}…"


def parse(text: str, file: File, line: int = 1) -> Any:
    """Parse a JSON text; objects become `Members`, numbers `JsonNumber`.

    ``line`` is the line of the file on which the text begins.

    Raises ReadError when it is not JSON, too large, or nested too deeply.
    """
    require_small(text, file, line)
    try:
        return decoded(text)
    except json.JSONDecodeError as error:
        *above, last = lines(text[: error.pos])
        number = line + len(above)
        here = text[error.pos :][:20].partition("\n")[0]
        found = f"{quote(here) if here else 'the end of the line'} at column {len(last) + 1}"
        fix = _fix(error.msg, text[: error.pos].rstrip(), text[error.pos :].lstrip())
        raise file.error("E-JSON", found, "JSON", fix, number) from error
    except RecursionError as error:
        raise _too_deep(file, line) from error


# Made once, because JSON Lines have a text for each line.
decoded = json.JSONDecoder(
    object_pairs_hook=Members,
    parse_float=JsonNumber,
    parse_int=JsonNumber,
    parse_constant=JsonNumber,
).decode


def parsed(text: str, file: File) -> Any:
    """Return the value of a member's whole JSON text, parsed once for all roles that it may have.

    Raises ReadError as `parse` does.
    """
    return file.once("JSON", lambda: parse(text, file))


def require_small(text: str, file: File, line: int = 1) -> None:
    """Refuse a JSON text before parsing, which needs many times its size.

    Raises ReadError when it is too large, has too many values, or nests them too deeply.
    """
    limits = file.limits
    if len(text) > limits.json:
        fix = "Write it as JSON Lines, TREC or Parquet."
        raise file.too_large(f"{len(text):,} characters of JSON", "json", fix)
    require_few(separators(text), file)
    if text.count("[") + text.count("{") > limits.depth and _depth(text) > limits.depth:
        raise _too_deep(file, line)


def separators(text: str) -> int:
    """Count commas and opening brackets: a JSON text has at most one value more than these."""
    return text.count(",") + text.count("{") + text.count("[")


def require_few(found: int, file: File) -> None:
    """Refuse more values than the limits allow, by their `separators`.

    Raises ReadError when there are more.
    """
    if found > file.limits.values:
        many = f"{found:,} commas and opening brackets of JSON"
        fix = "Cut each ranking at a smaller depth, or write it as TREC or Parquet."
        raise file.too_large(many, "values", fix)


def is_one(text: str, file: File) -> bool:
    """Return whether the whole text is one JSON value within the limits."""
    most = file.limits
    if len(text) > most.json or separators(text) > most.values:
        return False
    try:
        parsed(text, file)
    except ReadError as error:
        # Too many nested brackets have no cause: the text may be JSON.
        return error.__cause__ is None
    return True


def is_json(text: str) -> bool:
    """Return whether a text is JSON, without a check of its size."""
    try:
        json.loads(text, parse_int=str)  # int refuses very many digits
    except (ValueError, RecursionError):
        return False
    return True


def in_cell(cell: str, line: int, file: File) -> Any:
    """Return the list or object in a cell, as JSON or Python write it; any other cell as it is.

    Raises ReadError when it is neither, as NumPy's lists without commas, whose texts Python would
    join.

    Examples
    --------
    >>> in_cell("['d1', 2]", 1, File("a.csv")), in_cell("d1", 1, File("a.csv"))
    (['d1', '2'], 'd1')
    """
    if cell[:1] not in ("[", "{"):
        return cell
    try:
        if is_json(cell) or not _JOINED.search(cell):
            return decoded(cell if is_json(cell) else json.dumps(literal_eval(cell)))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        pass
    fix = "Write the table with to_json(orient='records'), or its lists with commas."
    raise file.error("E-JSON", quote(cell), "a list of JSON or Python", fix, line)


def _is_json_lines(text: str, file: File) -> bool:
    """Return whether the text has several lines that are JSON objects."""
    longest = file.limits.line
    filled = (line for line in each_line(text) if line.strip())
    first, second = next(filled, ""), next(filled, "")
    if not second:
        return False
    if len(first) > longest:
        # Not parsed, as it may be the text. A brace after a closing brace is in no JSON text, so
        # these are records, and the first one is refused as any other line that is too long.
        line = first.strip()
        return line[0] == "{" and line[-1] == "}" and second.lstrip().startswith("{")
    if not first.lstrip().startswith("{"):
        # Lines with other values are refused at the first one.
        return len(second) <= longest and is_json(first) and is_json(second)
    if is_json(first):
        return True
    # A broken first line counts as a record when the next line is a valid one.
    is_record = second.lstrip().startswith("{") and len(second) <= longest and is_json(second)
    return is_record and not is_one(text, file)


def numbered_lines(text: str, file: File) -> list[tuple[int, Members]] | None:
    """Return the records of JSON Lines with the numbers of their lines; None for other JSON.

    Raises ReadError when a line is not a record, or all are too large.
    """
    if not _is_json_lines(text, file):
        return None
    return file.once("JSON Lines", lambda: _records(text, file))


def _records(text: str, file: File) -> list[tuple[int, Members]]:
    """Return the records of JSON Lines, each with the number of its line."""
    records: list[tuple[int, Members]] = []
    values = 0
    for number, line in enumerate(each_line(text), 1):
        if not line.strip():
            continue
        if len(line) > file.limits.line:
            fix = "Shorten or leave out its texts, or cut its ranking at a smaller depth."
            raise file.too_long(line, fix, number)
        # All records are in memory together, so they share the limit of one JSON text.
        require_few(values := values + separators(line), file)
        value = parse(line, file, number)
        if not isinstance(value, Members):
            fix = "Each line of JSON Lines is one record with query, document and value."
            raise file.error("E-JSON", kind_of(value), "a record", fix, number)
        require_room(len(records), file)
        records.append((number, value))
    return records


def _too_deep(file: File, line: int) -> ReadError:
    expected = file.at_most("depth")
    fix = "Write {query: {document: value}}."
    return file.error("E-JSON", "too deeply nested JSON", expected, fix, line)


def _depth(text: str) -> int:
    """Return how deeply brackets are nested, without those in strings."""
    whole = _ESCAPED.sub(b"", text.encode(errors="replace"))
    marks = np.frombuffer(whole.translate(None, _NO_MARK), np.uint8)
    quotes = marks == ord('"')
    brackets = marks[~np.logical_xor.accumulate(quotes) & ~quotes]
    steps = np.where(np.isin(brackets, _OPENING), 1, -1)
    return int(np.cumsum(steps).max(initial=0))


def _fix(wrong: str, before: str, rest: str) -> str:
    """Return how to fix the error between two parts of a text."""
    if rest.startswith(("//", "/*", "#")):
        return "There is a comment, which JSON does not allow: remove it."
    if wrong.startswith("Extra data"):
        if rest.rstrip() == ",":
            return _COMMA
        return "For several values write JSON Lines, one record on each line."
    # After a trailing comma the rest is missing: without the comma the text would seem complete.
    if not rest or (before and not _CLOSED.search(rest)):
        return "The text ends too early: copy or export the file again."
    if wrong.startswith("Unterminated string"):
        return "A closing quote is missing: add it after the text that begins there."
    if rest.startswith("'"):
        return "JSON allows only double quotes."
    if "trailing comma" in wrong or (before.endswith(",") and rest[0] in "]}"):
        return _COMMA
    if rest.startswith(","):
        return "There is nothing before that comma: add what is missing, or remove the comma."
    if before.endswith(("{", "[", ",")) and _WORD.match(rest):
        return "A name has no quotes: write it in double quotes."
    return "Check the comma, quote or bracket at that place."


T = TypeVar("T")


class DamagedError(RankscopeError):
    """A part of a saved file was changed or damaged; the message names what was found."""


def object_in(content: bytes, name: str, file: File) -> dict[str, Any]:
    """Return the object that a part of a file is.

    Raises DamagedError when the content is not JSON, or not an object. Raises ReadError when it is
    too large.
    """
    try:
        written = content.decode()
        require_small(written, file)
        found = json.loads(written)
    except (ValueError, RecursionError) as error:
        # A number with very many digits is a ValueError, too.
        raise DamagedError(f"a {name} that is not JSON") from error
    if not isinstance(found, dict):
        raise DamagedError(f"a {name} that is not an object")
    return found


def object_at(of: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return the object under a key.

    Raises DamagedError when there is none.

    Examples
    --------
    >>> object_at({"data": []}, "data")
    Traceback (most recent call last):
    ...
    metrics.reading.from_json.parse.DamagedError: 'data' is missing or not an object
    """
    return _at(of, key, dict, "an object")


def list_at(of: Mapping[str, Any], key: str, kind: type[T]) -> list[T]:
    """Return the list under a key, of objects (``dict``), of lists or of texts (``str``).

    Raises DamagedError when there is none, or it contains another type, or half a character.
    """
    found = _at(of, key, list, "a list")
    if not all(isinstance(each, kind) for each in found):
        raise DamagedError(f"{quote(key)} lists a value of another type")
    for text in found if kind is str else ():
        valid_text(text)
    return found


def text_at(of: Mapping[str, Any], key: str) -> str:
    """Return the text under a key.

    Raises DamagedError when there is none, or it contains half a character.
    """
    return valid_text(_at(of, key, str, "a text"))


def notes_at(of: Mapping[str, Any], key: str) -> tuple[Note, ...]:
    """Return the notes under a key, each a list of its text, its code and its kind.

    Raises DamagedError when there are none, or one has another form.
    """
    return tuple(map(_note, list_at(of, key, list)))


def _note(saved: list[Any]) -> Note:
    if list(map(type, saved)) != [str, str, str] or saved[2] not in list(Severity):
        raise DamagedError("a note in an unknown format or of an unknown kind")
    text, code, kind = map(valid_text, saved)
    return Note(text, code, Severity(kind))


def valid_text(text: str) -> str:
    """Return the text if it can be shown and compared: JSON can contain half a character.

    Raises DamagedError when the text contains half a character.
    """
    if HALF.search(text):
        raise DamagedError("a text with half a character")
    return text


def filled(value: Any) -> str:
    """Return a value that is a text as `valid_text` does.

    Raises DamagedError when it is empty, no text, or contains half a character.
    """
    if not isinstance(value, str) or not value:
        raise DamagedError("an id or a name that is empty or not a text")
    return valid_text(value)


def _at(of: Mapping[str, Any], key: str, kind: type[T], what: str) -> T:
    found = of.get(key)
    if not isinstance(found, kind):
        raise DamagedError(f"{quote(key)} is missing or not {what}")
    return found
