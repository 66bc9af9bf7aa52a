"""The names of a table's columns -> what stands in which."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from ...data import Note, Pairs, Qrels, Run
from ...words import quote
from ..note_codes import NO_SCORES
from ..problems import OTHER_ROLE, File, ReadError
from .column_names import BEIR, SYNONYMS, TAGS, TRUE_OR_FALSE, plain

_SURE_GRADES = set(SYNONYMS["grade"]) - set(SYNONYMS["score"])
_OF_NO_USE = {"", "unnamed:_0", "index", "__index_level_0__", "q0", "iter", "iteration", *TAGS}
_HARMLESS = {
    *_OF_NO_USE,
    *(name for part in ("document", "grade", "rank") for name in SYNONYMS[part]),
    *("title", "text", "url", "link", "name", "snippet", "description", "summary", "abstract"),
    *("body", "passage", "content", "page_content", "chunk", "source", "file", "author", "date"),
    *("price", "brand", "category", "image", "language", "comment", "note", "reason"),
    "explanation",
}
"""Columns beside a document's grade that surely do not say the query."""
_LIKE_SCORES = re.compile("score|sim|bm25|prob|dist")
"""What a column may be called that holds the scores, in words that are not known."""
_WIDE = re.compile(r"(?:doc|document|docid|doc_id|item|result|rank|pos|top)_?[0-9]+")


@dataclass(frozen=True)
class TableColumns:
    """Where the parts of a row stand.

    Attributes
    ----------
    names
        The columns' names as the file has them.
    place
        The column of ``query``, ``document``, ``value`` and ``rank``, from 0, of those there are.
    kinds
        What the rows are: a run, qrels, or both at once.
    """

    names: tuple[str, ...]
    place: dict[str, int]
    kinds: tuple[type[Pairs], ...]

    @property
    def called(self) -> dict[str, str]:
        """The parts' names in the file."""
        return {part: self.names[at].strip() for part, at in self.place.items()}

    @property
    def is_beir(self) -> bool:
        """Whether these are BEIR's qrels, which list what is relevant and nothing else."""
        return tuple(map(plain, self.names)) == BEIR

    @property
    def takes_booleans(self) -> bool:
        """Whether the grade may be true or false."""
        return plain(self.called.get("value", "")) in TRUE_OR_FALSE

    def notes(self) -> list[Note]:
        """What is assumed and what is left out."""
        notes = []
        if Run in self.kinds and "value" not in self.place:
            notes.append(
                Note(
                    f"No scores: the order is that of the column {quote(self.called['rank'])}, and "
                    "each document's score is the number of ranks from its own to the last.",
                    NO_SCORES,
                )
            )
        # Before all others, a column without a name numbers the rows.
        unused = [
            f"{quote(name.strip())}{self._rival(plain(name))}"
            if name.strip()
            else "one without a name"
            for at, name in enumerate(self.names)
            if at not in self.place.values()
            and (plain(name) not in _OF_NO_USE or (at > 0 and not plain(name)))
        ]
        if unused:
            notes.append(Note(f"Columns that are not used: {', '.join(unused)}.", "N-UNUSED"))
        return notes

    def _rival(self, name: str) -> str:
        """Which column is used instead of one that is called as if it held the same."""
        for part, used in self.called.items():
            what = self.kinds[-1].VALUE if part == "value" else part
            if name in SYNONYMS[what]:
                return f" (the {what} is {quote(used)})"
        return ""


def columns_of(
    kind: type[Pairs],
    names: Sequence[str],
    file: File,
    line: int | None = 1,
    first: Mapping[str, int] = MappingProxyType({}),
) -> TableColumns:
    """What the columns of these names hold, where a run or qrels are asked for.

    Parameters
    ----------
    line, first
        The line of the names; that on which one first stands, where it is another.

    Raises
    ------
    ReadError
        When a needed column is missing or stands there twice, or they are of the other kind.
    """
    if len(names) > file.limits.columns:
        expected = f"at most {file.limits.columns} (limit columns)"
        fix = "Keep the query, the document and its score or grade."
        raise file.error("E-SIZE", f"{len(names):,} columns", expected, fix, line)
    known = [plain(name) for name in names]
    parts = {"query": "query", "document": "document", "value": kind.VALUE, "rank": "rank"}
    found = {part: _place(synonyms, known) for part, synonyms in parts.items()}
    place = {part: at for part, at in found.items() if at is not None}
    columns = TableColumns(tuple(names), place, (kind,))
    names_found = f"{quote(', '.join(name.strip() for name in names))} (the columns found)"
    for at in place.values():
        _require_one(
            [n for n, of in zip(names, known, strict=True) if of == known[at]], line, first, file
        )
    graded = _place("grade", known)
    # Without a query, a score may be either: it is not guessed at. Nor is what may be the query.
    sure = graded is not None and known[graded] in _SURE_GRADES and _place("score", known) is None
    others = [at for at in range(len(known)) if at not in place.values()]
    if "query" not in place and "document" in place and sure:
        if odd := [names[at].strip() for at in others if known[at] not in _HARMLESS]:
            expected = f"a query column ({', '.join(SYNONYMS['query'])})"
            fix = f"If {quote(odd[0])} is the query, call it so; if not, leave it out."
            raise file.error("E-HEADER", names_found, expected, fix, line)
        return _judged_list(columns, known)
    if kind is Run and not place.keys() & {"value"} and "rank" in place and len(place) == 3:
        if scores := [names[at].strip() for at in others if _LIKE_SCORES.search(known[at])]:
            expected = f"a score column ({', '.join(SYNONYMS['score'])})"
            fix = f"If {quote(scores[0])} holds the scores, call it so; if not, leave it out."
            raise file.error("E-HEADER", names_found, expected, fix, line)
        if graded is None:
            return columns
    elif kind is Qrels and "rank" in place and known[place.get("value", 0)] == "score":
        fix = "It looks like a run: give it where the run is asked for."
        expected = f"a grade column ({', '.join(SYNONYMS['grade'][:5])})"
        raise file.error(OTHER_ROLE, f"{names_found}, a score and a rank", expected, fix, line)
    if missing := [part for part in ("query", "document", "value") if part not in place]:
        raise _missing(kind, missing, known, names_found, file, line)
    return columns


def _require_one(same: list[str], line: int | None, first: Mapping[str, int], file: File) -> None:
    """Refuse several names of one column."""
    if len(same) > 1:
        spelled = dict.fromkeys(quote(name.strip()) for name in same)
        several = f"{' and '.join(spelled)} for one column"
        found = several if len(spelled) > 1 else f"the column {next(iter(spelled))} twice"
        fix = "Rename or remove one of them."
        raise file.error("E-HEADER", found, "each column once", fix, first.get(same[1], line))


def columns_in_lists(kind: type[Pairs], names: Sequence[str], file: File) -> TableColumns:
    """What the keys of records hold that stand in lists, each list under its query.

    Where they have grades and no scores, the order of a list is that of a ranking too.

    Raises
    ------
    ReadError
        As `columns_of` does.
    """
    known = [plain(name) for name in names]
    graded = _place("grade", known)
    if graded is None or known[graded] not in _SURE_GRADES or _place("score", known) is not None:
        return columns_of(kind, names, file, None)
    return replace(columns_of(Qrels, names, file, None), kinds=(Run, Qrels))


def _judged_list(columns: TableColumns, known: list[str]) -> TableColumns:
    """One query's documents in rank order, each with its grade: a run and its qrels at once."""
    at = _place("grade", known)
    place = {part: n for part, n in columns.place.items() if part in ("document", "rank")}
    return TableColumns(
        columns.names, place | ({"value": at} if at is not None else {}), (Run, Qrels)
    )


def _place(part: str, known: list[str]) -> int | None:
    return next((known.index(name) for name in SYNONYMS[part] if name in known), None)


def _missing(
    kind: type[Pairs],
    missing: list[str],
    known: list[str],
    names_found: str,
    file: File,
    line: int | None,
) -> ReadError:
    if sum(bool(_WIDE.fullmatch(name)) for name in known) > 1:
        expected = "one row per document: query, document, score"
        fix = "It is a wide table, with one row per query; turn its columns into rows."
        return file.error("E-HEADER", names_found, expected, fix, line)
    wanted = [kind.VALUE if part == "value" else part for part in missing]
    expected = " and ".join(f"a {part} column ({', '.join(SYNONYMS[part])})" for part in wanted)
    code, fix = "E-HEADER", "Rename the columns, in the line of their names."
    other = "grade" if kind is Run else "score"
    if missing == ["value"] and _place(other, known) is not None:
        role = "qrels file" if kind is Run else "run"
        code, fix = OTHER_ROLE, f"It looks like a {role}: give it where the {role} is asked for."
    return file.error(code, names_found, expected, fix, line)
