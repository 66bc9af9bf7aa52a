"""Judgments with their judges: as CSV, as JSON Lines, and as ratings for Quepid."""

import json
from collections.abc import Iterable, Mapping

from ..data import Qrels
from ..editing.sheet import OfQuery, grades_of, signatures
from ..editing.signature import Signature
from .delimited import delimited, for_spreadsheets
from .table import Table

Signed = Mapping[tuple[str, str], Signature]
"""Who gave a grade by hand, by query and document."""
_COLUMNS = ("query", "document", "grade", "judge", "time", "reason")
UNNAMED = "unnamed"
"""The judge of a signed grade without a name."""
LOADED = "qrels"
"""The judge of the grades that were loaded, where the qrels have no name."""


def as_csv(qrels: Qrels, signed: Signed | None = None) -> bytes:
    """Return all judgments as a table for spreadsheets, signed ones with judge, time and reason.

    The others are the qrels' own. A document that a judge could not grade has no row: a reader
    would take it for a mistake.

    Examples
    --------
    >>> print(as_csv(Qrels.from_dict({"q1": {"d1": 2}})).decode("utf-8-sig"), end="")
    query,document,grade,judge,time,reason
    q1,d1,2,qrels,,
    """
    return for_spreadsheets(Table(_COLUMNS, tuple(_rows(qrels, signed))))


def as_json_lines(qrels: Qrels, signed: Signed | None = None) -> bytes:
    r"""Return all judgments as JSON Lines; what a judgment lacks is left out.

    Examples
    --------
    >>> as_json_lines(Qrels.from_dict({"q1": {"d1": 2}}))
    b'{"query": "q1", "document": "d1", "grade": 2, "judge": "qrels"}\n'
    """
    lines = (
        {name: cell for name, cell in zip(_COLUMNS, row, strict=True) if cell != ""}
        for row in _rows(qrels, signed)
    )
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def sheets_as_json_lines(judges: Iterable[OfQuery]) -> bytes:
    r"""Return what each judge said on sheets, by query, as `as_json_lines` does.

    Examples
    --------
    >>> from metrics.editing.log import Said
    >>> from metrics.editing.signature import Signature
    >>> ada = Signature("Ada", "2026-11-25T09:30:00Z")
    >>> sheets_as_json_lines([{"q": {"d": Said(2, ada)}}])
    b'{"query": "q", "document": "d", "grade": 2, "judge": "Ada", "time": "2026-11-25T09:30:00Z"}\n'
    """
    graded = ((Qrels.from_dict(grades_of(each)), signatures(each)) for each in judges)
    return b"".join(as_json_lines(*each) for each in graded)


def as_quepid(qrels: Qrels, texts: Mapping[str, str]) -> bytes:
    """Return all judgments as the CSV that Quepid imports, with the texts of the queries.

    Texts that a spreadsheet would run as a formula get an apostrophe, as in `delimited`.

    Examples
    --------
    >>> print(as_quepid(Qrels.from_dict({"q1": {"d1": 2}}), {"q1": "laptop"}).decode(), end="")
    query,docid,rating
    laptop,d1,2
    """
    rows = ((texts.get(query) or query, *judged[:2]) for query, *judged in _rows(qrels, None))
    return delimited(Table(("query", "docid", "rating"), tuple(rows))).encode()


def _rows(
    qrels: Qrels, signed: Signed | None
) -> Iterable[tuple[str, str, float | int, str, str, str]]:
    for query, grades in qrels.to_dict().items():
        reasons = qrels.reasons.get(query, {})
        for document, grade in grades.items():
            by = signed.get((query, document)) if signed else None
            why = (by and by.note) or reasons.get(document, "")
            judge, time = (by.judge or UNNAMED, by.time) if by else (qrels.name or LOADED, "")
            yield query, document, int(grade) if grade == int(grade) else grade, judge, time, why
