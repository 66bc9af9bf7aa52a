"""Rows of qrels that judge a document for each aspect of its query -> one row for a document."""

from __future__ import annotations

import math
from dataclasses import replace

from ..data import Kind, Note
from ..data.aspects import Aspects, has_several
from ..words import count, quote
from .note_codes import ASPECTS
from .rows import NUMBER, Rows


def by_aspect(rows: Rows) -> tuple[Rows, Aspects]:
    """Return a row for each document, with its highest grade, and the grades for each aspect.

    Where no query has several aspects, the rows are returned as they are. Rows that cannot be
    joined stay too, for the checks to name them: a grade that is not a number, or two grades of a
    document for the same aspect.

    Examples
    --------
    >>> rows = Rows(line=[1, 2], query=["q", "q"], document=["d", "d"], value=["0", "1"])
    >>> rows.aspects = ["1", "2"]
    >>> joined, aspects = by_aspect(rows)
    >>> joined.value, aspects
    (['1'], {'q': {'d': {'1': 0.0, '2': 1.0}}})
    """
    if not has_several(rows.query, rows.aspects):
        return replace(rows, aspects=[]), {}
    of_document: dict[tuple[str, str], list[int]] = {}
    for row, pair in enumerate(zip(rows.query, rows.document, strict=True)):
        of_document.setdefault(pair, []).append(row)
    kept: list[int] = []
    again: list[int] = []
    aspects: dict[str, dict[str, dict[str, float]]] = {}
    for (query, document), places in of_document.items():
        first: dict[str, int] = {}
        for row in places:
            earlier = first.setdefault(rows.aspects[row], row)
            grades = [_grade(rows.value[each]) for each in (earlier, row)]
            if math.isnan(grades[1]):
                kept.append(row)
                break
            if earlier != row and grades[0] != grades[1]:
                kept += [earlier, row]
                break
            if earlier != row:
                again.append(row)
        else:
            graded = {name: _grade(rows.value[row]) for name, row in first.items()}
            kept.append(first[max(graded, key=graded.__getitem__)])
            aspects.setdefault(query, {})[document] = graded
    joined = rows.only(sorted(kept))
    names = {
        (query, name) for query, of in aspects.items() for each in of.values() for name in each
    }
    joined.notes.append(
        Note(
            f"{count(len(names), 'aspect')} of {count(len(aspects), 'query', 'queries')}: measures "
            "of aspects, such as alpha_nDCG, use a document's grade for each; all others use its "
            "highest grade.",
            ASPECTS,
            Kind.REMARK,
        )
    )
    if again:
        row = again[0]
        where = f" on {rows.unit} {rows.line[row]}" if rows.line[row] else ""
        text = (
            f"{count(len(again), 'duplicate judgment')} with the same grade left out, the first is "
            f"{quote(rows.document[row])} of query {quote(rows.query[row])}, aspect "
            f"{quote(rows.aspects[row])}{where}."
        )
        joined.notes.append(Note(text, "N-DUPLICATE"))
    return joined, aspects


def _grade(text: str) -> float:
    return float(text) if NUMBER.fullmatch(text) else math.nan
