"""JSON and JSON Lines -> rows: the form of a text is detected from its content."""

import re
from itertools import islice
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ...data import Pairs, Qrels, Run
from ...data.column_names import BY_LETTERS, SYNONYMS, is_by_columns, is_header, normalised
from ...words import listed, quote
from ..from_tables.delimited import DELIMITERS, TextTable, cut, filled
from ..problems import OTHER_ROLE, File, ReadError
from ..rows import Found, refuse_scores
from . import tools
from .parse import Members, in_cell, kind_of, numbered_lines, parsed, require_small
from .records import Sheet, read_records
from .tools import add_judged, is_judged

FORMS = (
    "{query: {document: value}}, {query: [document, …]}, records with query, document and "
    "value, or an answer of _rank_eval, _search or _msearch"
)


def read_json(kind: type[Pairs], text: str, file: File) -> Found:
    """Return the rows of a JSON text, or of JSON Lines.

    Raises ReadError when it is not JSON, has none of the known forms, or repeats a query.
    """
    if (lines := numbered_lines(text, file)) is not None:
        return _of_records(Sheet(kind, file), lines, "line")
    value = parsed(text, file)
    sheet = Sheet(kind, file)
    if isinstance(value, list) and value:
        return _of_list(sheet, value)
    if isinstance(value, list | Members) and not value:
        raise file.error("E-EMPTY", "no data rows", FORMS, "Fill it.")
    if not isinstance(value, Members):
        fix = "Write a run or qrels in one of these forms."
        raise file.error("E-JSON", f"{kind_of(value)} as the top level", FORMS, fix)
    if tools.read_forms(sheet, value):
        return sheet.found()
    if _is_text(value):
        raise _texts(file)
    nested = [isinstance(content, Members | list) for content in value.values]
    names = value.names
    if is_header(names) and not all(nested):
        return read_records(kind, [(1, value)], file, "line")
    if all(isinstance(each, Members) and is_by_columns(each.names) for each in value.values):
        fix = "Write a list of records, such as orient='records' of pandas, without row numbers."
        raise file.error("E-JSON", f"a record under each of {quote(', '.join(names))}", FORMS, fix)
    if {*names} in _SPLIT or (is_by_columns(names) and _has_rows(value)):
        fix = "Write one record for each row, such as orient='records' of pandas."
        raise file.error("E-JSON", f"a table by columns: {quote(', '.join(names))}", FORMS, fix)
    if 0 < 2 * sum(nested) <= len(nested):  # a tool's own keys, rather than a query that is odd
        fix = "Write the ranking or the grades in one of them."
        keys = f"an object of an unknown form, with the keys {listed(names, most=8)}"
        raise file.error("E-JSON", keys, FORMS, fix)
    form = (
        "an object: {query: {document: value}}",
        "Nest the values by query id, then by document id.",
    )
    for query, content in value:
        if isinstance(content, Members) and is_judged(content):
            add_judged(sheet, query, content)
        else:
            sheet.name(query)
            _add(sheet, kind, query, content, f"query {quote(query)}", form)
    found = sheet.found()
    if kind is Qrels and Run not in found:
        refuse_scores(found[Qrels], file)
    return found


def _add(
    sheet: Sheet, kind: type[Pairs], query: str, content: Any, what: str, form: tuple[str, str]
) -> None:
    """Add one query's documents: with values, in rank order, or as records with grades."""
    if isinstance(content, Members):
        sheet.values(kind, query, content)
        return
    documents = sheet.part(content, list, what, form)
    if all(map(_is_pair, documents)):
        sheet.values(kind, query, [(each[0], each[1]) for each in documents])
    elif all(isinstance(each, Members) for each in documents):
        sheet.records += [(query, record) for record in documents]
    else:
        sheet.listed(kind, query, documents)


def _add_unnamed(sheet: Sheet, entry: list[Any]) -> None:
    """Add a query without a name: ranked ids and judgments, or a list of graded records."""
    query = sheet.name(sheet.numbered())
    if entry and all(isinstance(each, Members) for each in entry):
        sheet.records += [(query, record) for record in entry]
        return
    if len(entry) != 2 or not isinstance(entry[0], list):
        expected = "two parts: ranked ids and judgments"
        fix = "Write [[id, …], [[id, grade], …]] for each query."
        raise sheet.file.error("E-JSON", f"{len(entry)} parts in a query", expected, fix)
    sheet.listed(Run, query, entry[0])
    form = "a list or an object", "Write [id, …], [[id, grade], …] or {id: grade}."
    _add(sheet, Qrels, query, entry[1], f"the judgments of query {quote(query)}", form)


def _is_pair(value: Any) -> bool:
    """Return whether a value is a list of two scalars, such as a text and a number."""
    return (
        isinstance(value, list)
        and len(value) == 2
        and not any(isinstance(each, Members | list) for each in value)
    )


def _has_rows(value: Members) -> bool:
    """Return whether all members are lists of one length, or objects with keys 0, 1, 2, …"""
    contents = [content for _, content in value]
    if all(isinstance(each, list) for each in contents):
        return len(set(map(len, contents))) == 1
    rows = {tuple(key for key, _ in each) for each in contents if isinstance(each, Members)}
    return len(rows) == 1 and all(each == tuple(map(str, range(len(each)))) for each in rows)


_SPLIT = ({"columns", "index", "data"}, {"columns", "data"}, {"schema", "data"})
"""The keys of a table that pandas writes with orient='split' or 'table'."""
_TEXT = {"_id", "text"}
_OF_TOOLS = {re.sub("[^a-z0-9]+", "", key.lower()) for key in tools.KEYS}
"""The keys by which the forms of tools are known, by their letters and digits."""


def may_hold_keys(ids: pa.StringArray) -> bool:
    """Return whether an id looks like a key of a form other than {query: {document: value}}.

    Examples
    --------
    >>> may_hold_keys(pa.array(["doc1", "d2"])), may_hold_keys(pa.array(["d2", "Doc-ID"]))
    (False, True)
    """
    of_forms = {*set().union(*_SPLIT), *_OF_TOOLS, "id", "text"}
    letters = pc.replace_substring_regex(pc.utf8_lower(pc.unique(ids)), "[^a-z0-9]+", "")
    return pc.any(pc.is_in(letters, pa.array(sorted({*BY_LETTERS, *of_forms})))).as_py() or False


def _of_list(sheet: Sheet, values: list[Any]) -> Found:
    """Return the rows of a list: records, or one entry for each query."""
    if all(isinstance(each, Members) for each in values):
        return _of_records(sheet, list(enumerate(values, 1)), "row")
    if all(isinstance(each, list) for each in values):
        for each in values:
            _add_unnamed(sheet, each)
        return sheet.found()
    kinds = " and ".join(dict.fromkeys(kind_of(each) for each in values[:2]))
    fix = "Write records with query, document and value."
    raise sheet.file.error("E-JSON", f"{kinds} in a list", FORMS, fix)


def _of_records(sheet: Sheet, records: list[tuple[int, Members]], unit: str) -> Found:
    """Return the rows of records, each a table row or a query with ranking and judgments."""
    every = [each for _, each in records]
    file = sheet.file
    if any(map(tools.is_of_trulens, every)):
        tools.read_trulens(sheet, *every)
    elif all(map(tools.is_of_umbrela, every)):
        tools.read_umbrela(sheet, *every)
    elif not tools.read_forms(sheet, *every):
        judged = list(map(is_judged, every))
        if any(judged):
            number, _ = records[judged.index(False)]
            found = f"a record without a list of retrieved documents on {unit} {number}"
            fix = "Write one such record for every query."
            raise file.error("E-JSON", found, "retrieved and relevant, as in others", fix)
        if unit == "line" and all(
            isinstance(of, Members | list) for each in every for of in each.values
        ):
            fix = "Join them in one object, or write JSON Lines: a record on each line."
            raise file.error("E-JSON", "a second object after the first", "one", fix, records[1][0])
        if unit == "line" and all(map(_is_text, every)):
            raise _texts(file)
        return read_records(sheet.kind, records, file, unit)
    return sheet.found()


RANKINGS = {
    *("prediction", "predictions", "labels", "images", "recommendations", "ranking", "results"),
    *("items", "documents", "docs", "relevant", "article_ids", "product_ids", "item_ids"),
    *("relevant_docs", "relevant_ids", "relevant_doc_ids", "gold_ids", "expected_ids"),
    *SYNONYMS["document"],
}
"""The names of a column that may have several ids in a cell, as competitions have it."""
_LOOKED_AT = 50
"""At most so many rows show whether a cell has several ids."""


def read_lists(kind: type[Pairs], text: str, file: File) -> Found | None:
    """Return the rows of a table with lists in its cells; None for any other.

    Raises ReadError as `read_json` does for such records, and for a list that is neither JSON nor
    Python.
    """
    rows = filled(text)
    number, first = next(rows, (1, ""))
    below = list(islice(rows, _LOOKED_AT))
    for mark in DELIMITERS:
        names = cut(first, mark)
        cells = [(line, row) for line, each in below if len(row := cut(each, mark)) == len(names)]
        lists = any(cell[:1] == "[" for _, line in below[:1] for cell in cut(line, mark))
        if lists and not {*names}.isdisjoint(tools.RANKING_KEYS):
            require_small(text, file)
            found: list[tuple[int, Members]] = []
            for at, row_of in TextTable(mark, names, text, number).rows(file):
                values = [in_cell(each, at, file) for each in row_of]
                found.append((at, Members([*zip(names, values, strict=True)])))
            return _of_records(Sheet(kind, file), found, "line")
        is_pair = len(names) == 2 and normalised(names[1]) in RANKINGS
        if is_pair and any(len(_ids_in(row[1], line, file)) > 1 for line, row in cells):
            require_small(text, file)
            sheet, form = Sheet(kind, file), ("ids", "Write one row for each document.")
            for line, (query, cell) in TextTable(mark, names, text, number).rows(file):
                ids = _ids_in(cell, line, file)
                _add(sheet, kind, sheet.name(query), ids, f"line {line}", form)
            return sheet.found()
    return None


def _ids_in(cell: str, line: int, file: File) -> list[Any]:
    """Return the ids in a cell: a list of JSON or Python, or several with marks between them."""
    if cell[:1] == "[":
        content = in_cell(cell, line, file)
        return content if isinstance(content, list) else [content]
    ids = re.split(r"\s*[,;|]\s*|\s+", cell.strip())
    return ids if all(re.search("[0-9]", each) for each in ids) else [cell.strip()]


def _is_text(record: Members) -> bool:
    """Return whether a record is one of BEIR's queries or documents."""
    return {*record.names} >= _TEXT


def _texts(file: File) -> ReadError:
    fix = "These are texts: use the file as query texts or document texts."
    return file.error(OTHER_ROLE, "records with _id and text", "a run or qrels", fix, 1)
