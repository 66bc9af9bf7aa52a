"""The names of a table's columns -> the part of a row that each contains."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

from ...data import Note, Pairs, Qrels, Run
from ...data.column_names import (
    ASPECTS,
    BEIR,
    CONFIDENCES,
    JUDGED,
    JUDGES,
    REASONS,
    SYNONYMS,
    TAGS,
    TRUE_OR_FALSE,
    first_of,
    normalised,
)
from ...words import quote
from ..note_codes import NO_SCORES, UNUSED_COLUMNS
from ..problems import OTHER_ROLE, File

_SURE_GRADES = set(SYNONYMS["grade"]) - set(SYNONYMS["score"])
OF_NO_USE = {"", "unnamed:_0", "index", "__index_level_0__", "q0", "iter", "iteration", *TAGS}
HARMLESS = {
    *OF_NO_USE,
    *(name for part in ("document", "grade", "rank") for name in SYNONYMS[part]),
    *("title", "text", "url", "link", "name", "snippet", "description", "summary", "abstract"),
    *("body", "passage", "content", "page_content", "chunk", "source", "file", "author", "date"),
    *("price", "brand", "category", "image", "language"),
    *(*REASONS, *CONFIDENCES, *JUDGES, "prompt"),
}
"""Columns beside a document's grade that certainly do not name the query."""
_LIKE_SCORES = re.compile("score|sim|bm25|prob|dist")
"""Parts of unknown column names that suggest scores."""
_WIDE = re.compile(r"(?:doc|document|docid|doc_id|item|result|rank|pos|top)_?[0-9]+")


@dataclass(frozen=True)
class TableColumns:
    """The columns of the parts of a row.

    Attributes
    ----------
    names
        The column names, as written in the file.
    place
        The column of ``query``, ``document``, ``value`` and ``rank``, from 0, of those that exist.
    kinds
        The kinds of data in the rows: a run, qrels, or both.
    """

    names: tuple[str, ...]
    place: dict[str, int]
    kinds: tuple[type[Pairs], ...]

    @property
    def called(self) -> dict[str, str]:
        """The name of each part's column in the file."""
        return {part: self.names[at].strip() for part, at in self.place.items()}

    @property
    def is_beir(self) -> bool:
        """Whether these are the columns of BEIR's qrels, which list only relevant documents."""
        return tuple(map(normalised, self.names)) == BEIR

    @cached_property
    def optional(self) -> dict[str, int]:
        """The columns of what may come with a score or grade, of those that exist.

        The run's tag, or the judge's reason and confidence; in qrels alone also the aspect and the
        judge's name.
        """
        wanted = {"reasons": REASONS, "confidences": CONFIDENCES}
        if self.kinds == (Run,):
            wanted = {"tags": TAGS}
        elif self.kinds == (Qrels,):
            wanted |= {"aspects": ASPECTS, "judges": JUDGES}
        found = {part: first_of(known, self.names) for part, known in wanted.items()}
        return {part: at for part, at in found.items() if at is not None}

    @property
    def takes_booleans(self) -> bool:
        """Whether the grade may be true or false."""
        return normalised(self.called.get("value", "")) in TRUE_OR_FALSE

    def notes(self) -> Iterator[Note]:
        """Yield the notes on what is assumed and what is left out."""
        if Run in self.kinds and "value" not in self.place:
            yield Note(
                f"No scores: documents are ordered by the column {quote(self.called['rank'])}, and "
                "each one's score is the number of ranks from its own to the last.",
                NO_SCORES,
            )
        # A first column without a name numbers the rows.
        unused = [
            f"{quote(name.strip())}{self._rival(normalised(name))}"
            if name.strip()
            else "one without a name"
            for at, name in enumerate(self.names)
            if at not in (*self.place.values(), *self.optional.values())
            and (normalised(name) not in OF_NO_USE or (at > 0 and not normalised(name)))
        ]
        if unused:
            yield Note(f"Columns that are not used: {', '.join(unused)}.", UNUSED_COLUMNS)

    def _rival(self, name: str) -> str:
        """Name the column that is used instead of an unused one with a similar name."""
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
    """Return the columns of each part, by their names, for a run or qrels.

    Parameters
    ----------
    line, first
        The line of the header, and the line on which each name first appears, if different.

    Raises
    ------
    ReadError
        When a needed column is missing or appears twice, or they are of the other kind.
    """
    if len(names) > file.limits.columns:
        fix = "Keep the query, the document and its score or grade."
        raise file.too_large(f"{len(names):,} columns", "columns", fix, line)
    if tuple(names) == JUDGED:
        fix = "Use the run itself here; rankscope score, explain and compare take judged rankings."
        raise file.error("E-JUDGED", "judged rankings", f"the rows of a {kind.__name__}", fix, line)
    known = [normalised(name) for name in names]
    parts = {"query": "query", "document": "document", "value": kind.VALUE, "rank": "rank"}
    found = {part: _place(synonyms, known) for part, synonyms in parts.items()}
    place = {part: at for part, at in found.items() if at is not None}
    columns = TableColumns(tuple(names), place, (kind,))
    names_found = f"{quote(', '.join(name.strip() for name in names))} (the columns found)"
    for at in place.values():
        same = [name for name, of in zip(names, known, strict=True) if of == known[at]]
        if len(same) > 1:
            spelled = dict.fromkeys(quote(name.strip()) for name in same)
            several = f"{' and '.join(spelled)} for one column"
            twice = several if len(spelled) > 1 else f"the column {next(iter(spelled))} twice"
            fix = "Rename or remove one of them."
            raise file.error("E-HEADER", twice, "each column once", fix, first.get(same[1], line))
    graded = _place("grade", known)
    # Without a query column, neither the meaning of a score nor the query column is guessed.
    sure = graded is not None and known[graded] in _SURE_GRADES and _place("score", known) is None
    others = [at for at in range(len(known)) if at not in place.values()]
    if "query" not in place and "document" in place and graded is not None and sure:
        if odd := [names[at].strip() for at in others if known[at] not in HARMLESS]:
            expected = f"a query column ({', '.join(SYNONYMS['query'])})"
            fix = f"If {quote(odd[0])} is the query, rename it query; if not, remove it."
            raise file.error("E-HEADER", names_found, expected, fix, line)
        # One query's graded documents in rank order: a run and its qrels.
        of_list = {part: at for part, at in place.items() if part in ("document", "rank")}
        return TableColumns(columns.names, {**of_list, "value": graded}, (Run, Qrels))
    if kind is Run and not place.keys() & {"value"} and "rank" in place and len(place) == 3:
        if scores := [names[at].strip() for at in others if _LIKE_SCORES.search(known[at])]:
            expected = f"a score column ({', '.join(SYNONYMS['score'])})"
            fix = f"If {quote(scores[0])} contains the scores, rename it score; if not, remove it."
            raise file.error("E-HEADER", names_found, expected, fix, line)
        if graded is None:
            return columns
    elif kind is Qrels and "rank" in place and known[place.get("value", 0)] == "score":
        fix = "It looks like a run: use the file as a run."
        expected = f"a grade column ({', '.join(SYNONYMS['grade'][:5])})"
        raise file.error(OTHER_ROLE, f"{names_found}, a score and a rank", expected, fix, line)
    missing = [part for part in ("query", "document", "value") if part not in place]
    if not missing:
        return columns
    if sum(bool(_WIDE.fullmatch(name)) for name in known) > 1:
        expected = "one row per document: query, document, score"
        fix = "It is a wide table with one row per query; turn its columns into rows."
        raise file.error("E-HEADER", names_found, expected, fix, line)
    wanted = [kind.VALUE if part == "value" else part for part in missing]
    expected = " and ".join(f"a {part} column ({', '.join(SYNONYMS[part])})" for part in wanted)
    code, fix = "E-HEADER", "Rename the columns in the header."
    other = "grade" if kind is Run else "score"
    if missing == ["value"] and _place(other, known) is not None:
        role = "qrels" if kind is Run else "a run"
        code, fix = OTHER_ROLE, f"It looks like {role}: use the file as {role}."
    raise file.error(code, names_found, expected, fix, line)


def columns_in_lists(kind: type[Pairs], names: Sequence[str], file: File) -> TableColumns:
    """Return the columns of records in lists, each list under its query.

    Where the records have grades and no scores, a list is also a ranking, in its order.

    Raises
    ------
    ReadError
        As `columns_of` does.
    """
    known = [normalised(name) for name in names]
    graded = _place("grade", known)
    if graded is None or known[graded] not in _SURE_GRADES or _place("score", known) is not None:
        return columns_of(kind, names, file, None)
    return replace(columns_of(Qrels, names, file, None), kinds=(Run, Qrels))


def _place(part: str, known: list[str]) -> int | None:
    return next((known.index(name) for name in SYNONYMS[part] if name in known), None)
