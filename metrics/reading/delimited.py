"""CSV, TSV and semicolon tables with a header that names the columns."""

from __future__ import annotations

import csv
import io

from ..data import Pairs
from .problems import Problem, ReadError, quote
from .rows import Rows

SYNONYMS: dict[str, tuple[str, ...]] = {
    "query": ("query", "qid", "query_id", "query-id", "queryid", "topic", "topic_id"),
    "document": (
        *("document", "docid", "doc", "doc_id", "docno", "document_id"),
        *("pid", "passage_id", "corpus-id", "corpus_id", "item"),
    ),
    "score": ("score", "sim", "similarity"),
    "grade": ("grade", "label", "rel", "relevance", "rating", "score"),
    "rank": ("rank", "position"),
}
DELIMITERS = "\t;,"


def header_of(line: str) -> tuple[str, list[str]] | None:
    """The delimiter and names of a header line; None when the line is not one."""
    for delimiter in DELIMITERS:
        names = [name.strip().strip('"').strip().lower() for name in line.split(delimiter)]
        if len(names) > 1 and {*SYNONYMS["query"], *SYNONYMS["document"]} & set(names):
            return delimiter, names
    return None


def read_delimited(kind: type[Pairs], text: str, file: str) -> Rows:
    """The rows of a table whose first line is a header.

    Raises
    ------
    ReadError
        When a needed column is missing.
    """
    header = header_of(text.lstrip("\r\n").split("\n", 1)[0].rstrip("\r"))
    assert header is not None, "the sniffer sends only texts with a header here"
    delimiter, names = header
    place = {part: _place(part, names) for part in ("query", "document", kind.VALUE)}
    if missing := [part for part, at in place.items() if at is None]:
        raise ReadError([_missing(missing, names, file)])
    query, document, value = (at for at in place.values() if at is not None)
    rank = _place("rank", names) if kind.VALUE == "score" else None
    rows = Rows({"query": query + 1, "document": document + 1, "value": value + 1})
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells) or (not rows.line and _is(cells, names)):
                continue
            if len(cells) != len(names):
                found, expected = f"{len(cells)} fields", f"{len(names)}, as in the header"
                fix = "Quote cells that hold the delimiter, or complete the row."
                line = reader.line_num
                rows.problems.append(Problem("E-FIELDS", file, found, expected, fix, line))
                continue
            cell = [text.strip() for text in cells]
            rows.add(reader.line_num, cell[query], cell[document], cell[value])
            if rank is not None:
                rows.rank.append(cell[rank])
    except csv.Error as error:
        fix = "Close or double the quotes around the cell."
        rows.problems.append(Problem("E-QUOTE", file, str(error), "CSV", fix, reader.line_num))
    return rows


def _place(part: str, names: list[str]) -> int | None:
    return next((names.index(name) for name in SYNONYMS[part] if name in names), None)


def _is(cells: list[str], names: list[str]) -> bool:
    return [cell.strip().lower() for cell in cells] == names


def _missing(missing: list[str], names: list[str], file: str) -> Problem:
    needed = " and ".join(f"a {part} column ({', '.join(SYNONYMS[part])})" for part in missing)
    found = f"the columns {quote(', '.join(names))}"
    fix = "Rename the columns in the first line."
    if missing == ["score"] and _place("grade", names) is not None:
        fix = "It looks like a qrels file: give it where the qrels are asked for."
    return Problem("E-HEADER", file, found, needed, fix, 1)
