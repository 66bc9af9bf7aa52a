"""JSON and JSON Lines -> rows: which of the known forms a text has."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ..data import Pairs, Qrels, Run
from .decode import each_line
from .faults import refuse_scores, require_room
from .header import is_header
from .json_forms import Sheet
from .json_records import read_records
from .parse_json import Members, kind_of, parse
from .problems import OTHER_ROLE, File, ReadError
from .rank_eval import read_request, read_response
from .rows import Rows

FORMS = (
    "{query: {document: value}}, {query: [document, …]}, records with query, document and "
    "value, or a _rank_eval request or response"
)
Found = dict[type[Pairs], Rows]


def read_json(kind: type[Pairs], text: str, file: File) -> Found:
    """The rows of a JSON text, or of JSON Lines.

    Raises
    ------
    ReadError
        When it is not JSON, has none of the known forms, or repeats a query.
    """
    if _is_json_lines(text, file.limits.line):
        return _of_lines(kind, text, file)
    value = parse(text, file)
    sheet = Sheet(kind, file)
    if isinstance(value, list) and value:
        return _of_list(sheet, value)
    if isinstance(value, list | Members) and not value:
        raise file.error("E-EMPTY", "no data rows", FORMS, "Fill it.")
    if not isinstance(value, Members):
        fix = "Give a run or qrels in one of these forms."
        raise file.error("E-JSON", f"{kind_of(value)} as the top level", FORMS, fix)
    for key, read in _KEYS.items():
        if isinstance(value.first(key), Members | list) and _is_form(key, value.first(key)):
            return read(sheet, value)
    if isinstance(value.first("retrieved"), list):
        sheet.add_judged("", value)
        return sheet.found()
    nested = [isinstance(content, Members | list) for _, content in value]
    if is_header([key for key, _ in value]) and not all(nested):
        return read_records(kind, [(1, value)], file, "line")
    for query, content in value:
        sheet.add_query(query, content)
    found = sheet.found()
    if kind is Qrels and Run not in found:
        refuse_scores(found[Qrels], file)
    return found


_KEYS: dict[str, Callable[[Sheet, Members], Found]] = {
    "requests": read_request,
    "details": read_response,
}


def _is_form(key: str, value: Any) -> bool:
    """Whether this is what Elasticsearch and OpenSearch write under that key."""
    inner = value if not isinstance(value, Members) else [each for _, each in value]
    wanted = "ratings" if key == "requests" else "hits"
    return bool(inner) and all(
        isinstance(each, Members) and isinstance(each.first(wanted), list) for each in inner
    )


def _of_list(sheet: Sheet, values: list[Any]) -> Found:
    """A list: records, or one entry for each query."""
    if all(isinstance(each, Members) for each in values):
        if all(isinstance(each.first("retrieved"), list) for each in values):
            for each in values:
                sheet.add_judged("", each)
            return sheet.found()
        numbered = [(number, each) for number, each in enumerate(values, 1)]
        return read_records(sheet.kind, numbered, sheet.file, "row")
    if all(isinstance(each, list) for each in values):
        for each in values:
            sheet.add_unnamed(each)
        return sheet.found()
    kinds = " and ".join(dict.fromkeys(kind_of(each) for each in values[:2]))
    fix = "Give records with query, document and value."
    raise sheet.file.error("E-JSON", f"{kinds} in a list", FORMS, fix)


def _is_json_lines(text: str, longest: int) -> bool:
    """Whether the first line is a whole JSON object and another line follows."""
    filled = (line for line in each_line(text) if line.strip())
    first = next(filled, "")
    if not first.lstrip().startswith("{") or not next(filled, ""):
        return False
    if len(first) > longest:
        # Not a record; what it is, the whole text says, within its limit.
        return False
    try:
        json.loads(first, parse_int=str)  # int refuses very many digits
    except (ValueError, RecursionError):
        return False
    return True


def _of_lines(kind: type[Pairs], text: str, file: File) -> Found:
    """The records of JSON Lines."""
    records: list[tuple[int, Members]] = []
    for number, line in enumerate(each_line(text), 1):
        if not line.strip():
            continue
        if len(line) > file.limits.line:
            found = f"a line of {len(line):,} characters: too long"
            expected = f"at most {file.limits.line:,} characters (limit line)"
            raise file.error("E-SIZE", found, expected, "Leave the texts out.", number)
        value = parse(line, file, number)
        if not isinstance(value, Members):
            fix = "Each line of JSON Lines is one record with query, document and value."
            raise file.error("E-JSON", kind_of(value), "a record", fix, number)
        require_room(len(records), file)
        records.append((number, value))
    if all(isinstance(each.first("retrieved"), list) for _, each in records):
        sheet = Sheet(kind, file)
        for _, each in records:
            sheet.add_judged("", each)
        return sheet.found()
    if all(isinstance(content, Members | list) for _, each in records for _, content in each):
        fix = "Join them in one object, or write JSON Lines: a record on each line."
        number = records[1][0]
        raise file.error("E-JSON", "a second object after the first", "one", fix, number)
    if all(_is_text(each) for _, each in records):
        raise _texts(file)
    return read_records(kind, records, file, "line")


def _is_text(record: Members) -> bool:
    """Whether a record is one of BEIR's queries or documents."""
    return {"_id", "text"} <= {key for key, _ in record}


def _texts(file: File) -> ReadError:
    fix = "These are texts: give them where query texts or document texts are asked for."
    return file.error(OTHER_ROLE, "records with _id and text", "a run or qrels", fix, 1)
