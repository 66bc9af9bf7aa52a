"""CSV, TSV and semicolon tables with a header that names the columns."""

from __future__ import annotations

import csv
import io

from ..data import Pairs
from .problems import Problem, ReadError, quote
from .rows import Rows

# The more a name says that it is an id, the earlier it stands.
SYNONYMS: dict[str, tuple[str, ...]] = {
    "query": ("qid", "query_id", "query-id", "queryid", "topic_id", "topic", "query"),
    "document": (
        *("docid", "doc_id", "docno", "document_id", "corpus-id", "corpus_id"),
        *("pid", "passage_id", "document", "doc", "item"),
    ),
    "score": ("score", "sim", "similarity"),
    "grade": ("grade", "label", "rel", "relevance", "rating", "score"),
    "rank": ("rank", "position"),
}
DELIMITERS = "\t;,"
Header = tuple[str, list[str]]


def header_of(line: str) -> Header | None:
    """The delimiter and names of a header line; None when the line is not one."""
    for delimiter in DELIMITERS:
        names = [name.strip().strip('"').strip().lower() for name in line.split(delimiter)]
        if len(names) > 1 and {*SYNONYMS["query"], *SYNONYMS["document"]} & set(names):
            return delimiter, names
    return None


def read_delimited(kind: type[Pairs], text: str, file: str, header: Header) -> Rows:
    """The rows of a table whose first line is the header.

    Raises
    ------
    ReadError
        When a needed column is missing or stands there twice.
    """
    delimiter, names = header
    place = {part: _place(part, names) for part in ("query", "document", kind.VALUE)}
    if faults := _faults(kind, names, place, file):
        raise ReadError(faults)
    query, document, value = (at for at in place.values() if at is not None)
    rank = _place("rank", names) if kind.VALUE == "score" else None
    rows = Rows({"query": query + 1, "document": document + 1, "value": value + 1})
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    first = 1
    try:
        for cells in reader:
            first, line = reader.line_num + 1, first
            if not any(cell.strip() for cell in cells) or (not rows.line and _is(cells, names)):
                continue
            if len(cells) != len(names):
                found, expected = f"{len(cells)} fields", f"{len(names)}, as in the header"
                fix = "Quote cells that hold the delimiter, or complete the row."
                rows.problems.append(Problem("E-FIELDS", file, found, expected, fix, line))
                continue
            # Spaces and tabs only: other white space may belong to an id.
            cell = [text.strip(" \t") for text in cells]
            rows.add(line, cell[query], cell[document], cell[value])
            if rank is not None:
                rows.rank.append(cell[rank])
    except csv.Error as error:
        fix = "Close or double the quotes around the cell."
        if "field limit" in str(error):
            fix = "No cell may be that long; check for a quote that is never closed."
        rows.problems.append(Problem("E-QUOTE", file, str(error), "CSV", fix, first))
    return rows


def _place(part: str, names: list[str]) -> int | None:
    return next((names.index(name) for name in SYNONYMS[part] if name in names), None)


def _is(cells: list[str], names: list[str]) -> bool:
    return [cell.strip().lower() for cell in cells] == names


def _faults(
    kind: type[Pairs], names: list[str], place: dict[str, int | None], file: str
) -> list[Problem]:
    found = f"the columns {quote(', '.join(names))}"
    fix = "Rename the columns in the first line."
    missing = [part for part, at in place.items() if at is None]
    if missing:
        needed = " and ".join(f"a {part} column ({', '.join(SYNONYMS[part])})" for part in missing)
        if missing == ["score"] and _place("grade", names) is not None:
            fix = "It looks like a qrels file: give it where the qrels are asked for."
        return [Problem("E-HEADER", file, found, needed, fix, 1)]
    used = [names[at] for at in place.values() if at is not None]
    if twice := [name for name in used if names.count(name) > 1]:
        found = f"the column {quote(twice[0])} twice"
        return [Problem("E-HEADER", file, found, "each column once", fix, 1)]
    if kind.VALUE == "grade" and "score" in used and _place("rank", names) is not None:
        fix = "It looks like a run: give it where the run is asked for."
        return [Problem("E-HEADER", file, f"{found}, with a rank", "a grade column", fix, 1)]
    return []
