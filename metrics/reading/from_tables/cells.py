"""The columns of a table by their names, and its cells as rows of a run, of qrels, or of both."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType

import numpy as np
import pyarrow as pa

from ...data import Note, Pairs, Qrels, Run, Severity
from ...data.column_names import (
    BEIR,
    JUDGED,
    OPTIONAL,
    SYNONYMS,
    first_of,
    is_distance,
    like_score,
    normalised,
)
from ...words import count, quote
from ..problems import (
    AS_BEIR,
    NO_SCORES,
    PAIRS,
    UNNAMED,
    UNUSED_COLUMNS,
    File,
    ReadError,
)
from ..rank_column import order_of
from ..row_notes import MAY_BE_GRADES
from ..rows import MOST_PROBLEMS, NUMBER, Found, Rows, part_by_tag, refuse_scores, require_room

_SURE_GRADES = set(SYNONYMS["grade"]) - set(SYNONYMS["score"])
OF_NO_USE = {
    *("", "unnamed:_0", "index", "__index_level_0__", "q0", "iter", "iteration"),
    *OPTIONAL["run"],
}
HARMLESS = {
    *OF_NO_USE,
    *(name for part in ("document", "grade", "rank") for name in SYNONYMS[part]),
    *("title", "text", "url", "link", "name", "snippet", "description", "summary", "abstract"),
    *("body", "passage", "content", "page_content", "chunk", "source", "file", "author", "date"),
    *("price", "brand", "category", "image", "language", "prompt"),
    *(name for part in ("reason", "confidence", "judge") for name in OPTIONAL[part]),
}
"""Columns beside a document's grade that certainly do not name the query."""
_IDS = {"query", "document"}
_TRUE_OR_FALSE = ("relevant", "is_relevant")
"""Columns in which true means 1 and false means 0."""
_CLICKS = {
    *("clicked", "click", "clicks", "is_clicked", "click_label", "click_bool", "booking_bool"),
    *("event", "event_type", "event_name", "behavior_type", "action_type"),
}
"""Columns of a log rather than of judgments."""
_NO_JUDGMENTS = (
    "Clicks are no judgments: they depend on what was shown, and where. Estimate grades from many "
    "of them, or remove this column to read the documents that were shown as a run."
)
_LIKE_SCORES = re.compile("score|sim|bm25|prob|dist")
"""Parts of unknown column names that suggest scores."""
WIDE = re.compile(r"(?:doc|document|docid|doc_id|item|result|rank|pos|top)_?[0-9]+")
"""The names of columns that each have the documents of one rank."""


@dataclass(frozen=True)
class TableColumns:
    """The columns of the parts of a row.

    Attributes
    ----------
    names
        The column names, as written in the file.
    place
        The column of ``query``, ``document``, ``value`` and ``rank``, from 0, of those that exist;
        where rows have a grade and a score, the value is the grade, and ``score`` is there, too.
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
        wanted = ["reason", "confidence"] if Qrels in self.kinds else []
        wanted += ["run"] if Run in self.kinds else ["aspect", "judge"]
        found = {part: first_of(OPTIONAL[part], self.names) for part in wanted}
        return {part: at for part, at in found.items() if at is not None}

    @property
    def may_be_blank(self) -> set[str]:
        """The parts whose cells may be blank.

        A rank beside a score affects no result; of a grade and a score in one row, one may be
        missing: an unjudged document, or one that was not retrieved.
        """
        if "value" not in self.place:
            return set()
        return {"rank", "value", "score"} if "score" in self.place else {"rank"}

    def of_run(self) -> TableColumns:
        """Return the columns of the run alone, without the grade."""
        if Qrels not in self.kinds:
            return self
        others = {part: at for part, at in self.place.items() if part not in ("value", "score")}
        scored = {"value": self.place["score"]} if "score" in self.place else {}
        return replace(self, place=others | scored, kinds=(Run,))

    @property
    def is_distance(self) -> bool:
        """Whether the score of a run is a distance: the lowest is best."""
        return is_distance(self.of_run().called.get("value", ""))

    @property
    def takes_booleans(self) -> bool:
        """Whether the grade may be true or false."""
        return normalised(self.called.get("value", "")) in _TRUE_OR_FALSE

    def notes(self) -> Iterator[Note]:
        """Yield the notes on what is assumed and what is left out."""
        ranked = Run in self.kinds and "value" not in self.place
        if ranked:
            yield Note(
                f"No scores: documents are ordered by the column {quote(self.called['rank'])}, and "
                "each one's score is the number of ranks from its own to the last.",
                NO_SCORES,
            )
        if Run in self.kinds and self.is_distance:
            of = quote(self.of_run().called["value"])
            text = f"{of} is a distance: the nearest document is first, and its score is minus it."
            yield Note(f"The column {text}", "N-DISTANCE")
        elif (
            self.kinds == (Run,)
            and not ranked
            and normalised(of := self.called["value"]) not in SYNONYMS["score"]
        ):
            yield Note(f"The column {quote(of)} was read as the score.", "N-SCORE-COLUMN")
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

    ``line`` is that of the header; ``first`` has the line on which each name first appears, if
    different.

    Raises ReadError when a needed column is missing or appears twice, or they are of the other
    kind.
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
            raise _twice(same, file, first.get(same[1], line))
    graded, scored, sure = _place("grade", known), _place("score", known), _sure_grade(known)
    if kind is Run and graded is None and scored is None:
        scored = like_score(names)
        place |= {} if scored is None else {"value": scored}
    others = [at for at in range(len(known)) if at not in place.values()]
    # Without a query column, neither the meaning of a score nor the query column is guessed.
    if "query" not in place and "document" in place and sure is not None and scored is None:
        if odd := [names[at].strip() for at in others if known[at] not in HARMLESS]:
            expected = f"a query column ({_known(SYNONYMS['query'])})"
            fix = f"If {quote(odd[0])} is the query, rename it query; if not, remove it."
            raise file.error("E-HEADER", names_found, expected, fix, line)
        # One query's graded documents in rank order: a run and its qrels.
        of_list = {part: at for part, at in place.items() if part in ("document", "rank")}
        return TableColumns(columns.names, {**of_list, "value": sure}, (Run, Qrels))
    if sure is not None and place.keys() >= _IDS and (scored is not None or "rank" in place):
        of_run = {} if scored is None else {"score": scored}
        return TableColumns(columns.names, place | {"value": sure} | of_run, (Run, Qrels))
    clicks = [names[at].strip() for at in others if known[at] in _CLICKS]
    if clicks and scored is None and graded is None and "document" in place:
        what = f"a log of clicks or other events, by its column {quote(clicks[0])}"
        raise file.error("E-CLICKS", what, "scores or grades", _NO_JUDGMENTS, line)
    if kind is Run and not place.keys() & {"value"} and "rank" in place and len(place) == 3:
        if scores := [names[at].strip() for at in others if _LIKE_SCORES.search(known[at])]:
            expected = f"a score column ({_known(SYNONYMS['score'])})"
            fix = f"If {quote(scores[0])} contains the scores, rename it score; if not, remove it."
            raise file.error("E-HEADER", names_found, expected, fix, line)
        if graded is None:
            return columns
    elif kind is Qrels and "rank" in place and known[place.get("value", 0)] == "score":
        expected = f"a grade column ({_known(SYNONYMS['grade'])})"
        raise file.of_other_role(kind, f"{names_found}, a score and a rank", expected, line)
    missing = [part for part in ("query", "document", "value") if part not in place]
    if not missing:
        return columns
    is_pair = place.keys() == _IDS and all(known[at] in OF_NO_USE for at in others)
    if kind is Qrels and is_pair:
        # Pairs of a query and a relevant document.
        return columns
    raise _missing(kind, missing, names_found, known, file, line)


def _twice(same: Sequence[str], file: File, line: int | None) -> ReadError:
    """Return the refusal of columns with these names, which are those of one part."""
    spelled = dict.fromkeys(quote(name.strip()) for name in same)
    several = f"{' and '.join(spelled)} for one column"
    twice = several if len(spelled) > 1 else f"the column {next(iter(spelled))} twice"
    fix = "Rename or remove one of them."
    return file.error("E-HEADER", twice, "each column once", fix, line)


def _missing(
    kind: type[Pairs],
    missing: Sequence[str],
    names_found: str,
    known: list[str],
    file: File,
    line: int | None,
) -> ReadError:
    """Return the refusal of a table without columns for these parts."""
    if sum(bool(WIDE.fullmatch(name)) for name in known) > 1:
        expected = "one row per document: query, document, score"
        fix = "It is a wide table with one row per query; turn its columns into rows."
        return file.error("E-HEADER", names_found, expected, fix, line)
    wanted = [kind.VALUE if part == "value" else part for part in missing]
    expected = " and ".join(f"a {part} column ({_known(SYNONYMS[part])})" for part in wanted)
    other = "grade" if kind is Run else "score"
    if missing == ["value"] and _place(other, known) is not None:
        return file.of_other_role(kind, names_found, expected, line)
    fix = "Rename the columns in the header."
    return file.error("E-HEADER", names_found, expected, fix, line)


def columns_in_lists(kind: type[Pairs], names: Sequence[str], file: File) -> TableColumns:
    """Return the columns of records in lists, each list under its query.

    Where the records have grades and no scores, a list is also a ranking, in its order.

    Raises ReadError as `columns_of` does.
    """
    known = [normalised(name) for name in names]
    if _sure_grade(known) is None or _place("score", known) is not None:
        return columns_of(kind, names, file, None)
    return replace(columns_of(Qrels, names, file, None), kinds=(Run, Qrels))


def _sure_grade(known: list[str]) -> int | None:
    """Return the column of the grade, unless its name may be that of a score as well."""
    graded = _place("grade", known)
    return graded if graded is not None and known[graded] in _SURE_GRADES else None


def _known(names: Sequence[str]) -> str:
    """Return the names that a column may have: the first of many."""
    return ", ".join([*names[:6], *(["…"] if len(names) > 6 else [])])


def _place(part: str, known: list[str]) -> int | None:
    return next((known.index(name) for name in SYNONYMS[part] if name in known), None)


ONLY_QUERY = "q1"
"""The name of the query in a table without a query column."""
_BOOLEANS = {"true": "1", "false": "0"}
_SMALL = {str(grade) for grade in range(6)}
_WHOLE = re.compile("([0-9]{1,15})(?:[.]0*)?")
_EXCEL_NUMBER = re.compile(r"[0-9](?:[.,][0-9]+)?[Ee]\+[0-9]+")
_COMMA = re.compile("[+-]?[0-9]+(?:,[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_THOUSANDS = re.compile("[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3})+")
_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_EXCEL_DATE = re.compile(
    rf"(?:{_MONTHS})-(?:[0-9]{{2}}){{1,2}}|[0-9]{{1,2}}-(?:{_MONTHS})(?:-(?:[0-9]{{2}}){{1,2}})?"
)
_EXCEL_ERROR = re.compile(r"#(?:NAME[?]|REF!|N/A|VALUE!|NUM!|DIV/0!|NULL!|#+)")


class Cells:
    """The cells of the columns that are used, as text.

    Attributes
    ----------
    rows
        The numbers, problems and notes of the rows; their ids and values are in ``parts``.
    parts
        The cells of ``query``, ``document``, ``value`` and ``rank``, and of the columns that are
        optional: ``run`` of a run; ``reason``, ``confidence``, ``aspect`` and ``judge`` of
        grades. Of all these, those that exist.
    """

    def __init__(self, columns: TableColumns, file: File, unit: str = "line") -> None:
        self.columns, self.file = columns, file
        fields: dict[str, int | None] = {part: at + 1 for part, at in columns.place.items()}
        self.rows = Rows(fields, columns.called, unit)
        places = columns.place | columns.optional
        self.parts: dict[str, list[str]] = {part: [] for part in places}
        self._into = [(at, self.parts[part]) for part, at in places.items()]

    def remarks(self) -> list[str]:
        """Return what the judge said of each row: the reason, and how sure the judge was."""
        if not (confidences := self.parts.get("confidence")):
            return self.parts.get("reason", [])
        reasons = self.parts.get("reason") or [""] * len(confidences)
        return [
            f"{reason} (confidence {sure})".lstrip() if sure else reason
            for reason, sure in zip(reasons, confidences, strict=True)
        ]

    def add(self, line: int, row: list[str]) -> None:
        """Add one row.

        Raises ReadError when there are too many rows.
        """
        require_room(len(self.rows.line), self.file)
        self.rows.line.append(line)
        for at, column in self._into:
            column.append(row[at])


def cells_of(cells: Cells) -> Found:
    """Return the rows of a table: of a run, of qrels, or of both."""
    rows, columns = cells.rows, cells.columns
    rows.document = cells.parts["document"]
    rows.query = cells.parts.get("query", [ONLY_QUERY] * len(rows.line))
    found: Found = {
        kind: replace(rows, problems=list(rows.problems), notes=list(rows.notes))
        for kind in columns.kinds
    }
    found[columns.kinds[-1]].notes += columns.notes()
    if Run in found:
        _rank(found[Run], cells)
    if Qrels in found:
        _grade(found[Qrels], cells)
    return _halves(found) if "score" in cells.parts else found


def _rank(rows: Rows, cells: Cells) -> None:
    """Fill in the scores of a run, or what stands for them: the ranks, or the order of the rows."""
    columns, parts = cells.columns.of_run(), cells.parts
    rows.called = columns.called
    if "value" in columns.place:
        scores = parts["score"] if "score" in parts else parts["value"]
        rows.value = negated(scores) if columns.is_distance else scores
        rows.rank, rows.tags = parts.get("rank", []), parts.get("run", [])
    else:
        if "value" in parts:
            by = quote(columns.called["rank"]) if "rank" in parts else "the rows"
            text = f"Rows with grades and without scores, ranked in the order of {by}."
            rows.note(text, NO_SCORES)
        else:
            rows.tags = parts.get("run", [])
        if "query" not in parts:
            text = f"No query column: the rows belong to one query, here called {ONLY_QUERY}."
            rows.note(text, UNNAMED)
        order = parts.get("rank") or [str(at + 1) for at in range(len(rows.line))]
        rows.value = _down(rows, order, cells.file)
    part_by_tag(rows)
    if columns.is_beir and set(rows.value) <= _SMALL:
        rows.note(MAY_BE_GRADES.format("the file"), AS_BEIR)


def _grade(rows: Rows, cells: Cells) -> None:
    """Fill in the grades of qrels, and what may come with them."""
    columns, parts = cells.columns, cells.parts
    rows.value = parts.get("value", ["1"] * len(rows.line))
    if columns.takes_booleans:
        rows.value = [_BOOLEANS.get(grade.lower(), grade) for grade in rows.value]
    rows.reasons, rows.aspects = cells.remarks(), parts.get("aspect", [])
    # A column that is blank throughout names nobody.
    judges = parts.get("judge", [])
    rows.judges = judges if any(map(str.strip, judges)) else []
    rows.lists_relevant = columns.is_beir or "value" not in parts
    if "value" not in parts:
        text = "No grades: each pair of a query and a document counts as relevant, grade 1."
        rows.note(text, PAIRS)
    if normalised(columns.called.get("value", "")) in SYNONYMS["score"]:
        refuse_scores(rows, cells.file)
    if Run in columns.kinds and "score" not in parts:
        graded = "The grades come with the ranking: other judged documents are unknown."
        rows.note(graded, "N-GRADED-RANKING")


def negated(numbers: Iterable[str]) -> list[str]:
    """Return numbers with the other sign; what is none stays as it is.

    Examples
    --------
    >>> negated(["0.25", "-1", "", "near"])
    ['-0.25', '1', '', 'near']
    """
    signs = {"-": "", "+": "-"}
    return [
        f"{signs.get(each[0], '-')}{each.lstrip('+-')}" if NUMBER.fullmatch(each) else each
        for each in numbers
    ]


def _halves(both: Found) -> Found:
    """Return the rows of a run and of qrels where a row has a score and a grade, or one of them."""
    found: Found = {}
    for kind, rows in both.items():
        filled = [row for row, cell in enumerate(rows.value) if cell]
        if not filled:
            # A column that is blank throughout says nothing.
            continue
        found[kind] = rows.only(filled)
        if without := len(rows.value) - len(filled):
            what = "score (not retrieved)" if kind is Run else "grade (unjudged)"
            text = f"{count(without, 'row')} left out: without a {what}."
            found[kind].note(text, "N-HALF", Severity.REMARK)
    return found or {Run: both[Run]}


def note_excel(rows: Rows) -> None:
    """Add notes on ids that a spreadsheet seems to have changed."""
    ids = [*rows.document, *dict.fromkeys(rows.query)]
    for pattern, what in (
        (_EXCEL_NUMBER, "look like numbers that Excel has rounded"),
        (_EXCEL_DATE, "look like ids that Excel has turned into a date"),
        (_EXCEL_ERROR, "Excel shows in place of the original id"),
    ):
        if found := [each for each in ids if pattern.fullmatch(each)]:
            rows.note(
                f"{count(len(found), 'id')} that {what}, the first is {quote(found[0])}: kept; "
                "export the ids as text.",
                "N-EXCEL",
            )


def read_decimal_commas(rows: Rows) -> None:
    """Read decimal commas as points, with a note, where all values have one meaning as such.

    Where every comma could also part thousands, the values stay as they are, and are refused.

    Examples
    --------
    >>> rows = Rows(value=["2,5", "1,250", "3"])
    >>> read_decimal_commas(rows)
    >>> rows.value, str(rows.notes[0])
    (['2.5', '1.250', '3'], "Decimal commas were read as points: '2,5' as 2.5, in 2 rows.")
    >>> rows = Rows(value=["1,250", "12,000"])
    >>> read_decimal_commas(rows)
    >>> rows.value
    ['1,250', '12,000']
    """
    commas = [value for value in rows.value if "," in value]
    if all(map(_THOUSANDS.fullmatch, commas)) or not all(map(_COMMA.fullmatch, rows.value)):
        return
    rows.value = [value.replace(",", ".") for value in rows.value]
    first, many = commas[0], count(len(commas), "row")
    example = f"{quote(first)} as {first.replace(',', '.')}"
    rows.note(f"Decimal commas were read as points: {example}, in {many}.", "N-DECIMAL-COMMA")


def _down(rows: Rows, ranks: list[str], file: File) -> list[str]:
    """Return scores that fall as the ranks rise: the last rank of a query scores 1."""
    numbers = []
    for line, rank in zip(rows.line, ranks, strict=True):
        whole = _WHOLE.fullmatch(rank)
        if not whole and len(rows.problems) < MOST_PROBLEMS:
            found = f"{quote(rank)} as the {rows.called.get('rank', 'rank')}"
            fix = "Ranks are 1, 2, 3, …; call the column score if these are scores."
            problem = rows.problem(file, "E-RANK", found, "a whole number", fix, line, "rank")
            rows.problems.append(problem)
        numbers.append(int(whole[1]) if whole else 0)
    of_query: dict[str, list[int]] = defaultdict(list)
    for query, number in zip(rows.query, numbers, strict=True):
        of_query[query].append(number)
    deepest = {query: max(found) for query, found in of_query.items()}
    scores = [deepest[query] + 1 - n for query, n in zip(rows.query, numbers, strict=True)]
    if not rows.problems and rows.line:
        _refuse_falling(rows, list(of_query.values()), file)
        places = {query: place for place, query in enumerate(of_query)}
        code = np.array([places[query] for query in rows.query])
        document = pa.array(rows.document, pa.string())
        run = Run(tuple(places), code, document, np.array(scores, float))
        order = order_of(run, np.array(numbers, float))
        then = "documents are ordered by rank, equal ranks by document id, descending"
        rows.notes += order.of_ranks(then)
    return list(map(str, scores))


def _refuse_falling(rows: Rows, of_query: list[list[int]], file: File) -> None:
    """Refuse ranks that are certainly scores: they fall in every query, and none of them is 1."""
    several = [found for found in of_query if len(found) > 1]
    falling = all(before > after for found in several for before, after in pairwise(found))
    if several and falling and min(map(min, of_query)) > 1:
        found = f"the column {quote(rows.called.get('rank', 'rank'))}, which falls in every query"
        fix = "If these are scores, call the column score."
        raise file.error("E-RANK", found, "ranks 1, 2, 3, …", fix, rows.line[0])


_PARTS = re.compile(r"[^\w]+|_|(?<=[^\W\d])(?=\d)")


def _words(*names: str) -> set[str]:
    return {word for name in names for word in _PARTS.split(normalised(name)) if word}


_GRADES = _words(*SYNONYMS["grade"]) - {"is", "llm", "human"}
_OTHERS = _words(*OPTIONAL["reason"], *OPTIONAL["confidence"])
# A model may be the judge of a grade, but a column of a model may be its scores.
_PERSONS = _words(*OPTIONAL["judge"]) - {"id", "model"}
_OF_SYSTEMS = {
    *("score", "scores", "sim", "similarity", "prob", "probability", "dist", "distance"),
    *("rank", "ranks", "ranking", "rankings", "position", "positions", "pos", "top"),
    *("run", "runs", "system", "systems", "model", "models", "engine", "result", "results"),
    *("retriever", "reranker", "bm", "tfidf", "tf", "idf", "dense", "sparse", "feature"),
    *("click", "clicks", "view", "views", "order", "orders", "count", "number", "id", "year"),
}
"""Words in the name of a column whose numbers come from a system or a log rather than a judge."""


def ids_in(names: Sequence[str]) -> dict[str, int]:
    """Return the columns of the query and the document, of those that exist.

    Examples
    --------
    >>> ids_in(["docid", "grade", "qid"]), ids_in(["docid", "ann"])
    ({'query': 2, 'document': 0}, {'document': 0})
    """
    found = {part: first_of(SYNONYMS[part], names) for part in ("query", "document")}
    return {part: at for part, at in found.items() if at is not None}


def judge_columns(names: Sequence[str]) -> list[int]:
    """Return the columns of the judges' grades; none where there is one column of grades.

    Where names say grade or label, those with such a name; where none does, or only that of a
    model, as llm_label, also all without a known name.

    Examples
    --------
    >>> judge_columns(["query", "document", "title", "ann", "bob"])
    [3, 4]
    >>> judge_columns(["query", "document", "ann", "bob", "score"])
    []
    """
    known = list(map(normalised, names))
    if len(ids_in(names)) < 2:
        return []
    others = [at for at, name in enumerate(known) if name != "score" and not ids_in([name])]
    graded = [at for at in others if _says(_GRADES, names[at])]
    if len(graded) > 1:
        return graded
    if "score" in known or any("llm" not in _words(names[at]) for at in graded):
        return []
    found = [
        at
        for at in others
        if at in graded
        or (known[at] and known[at] not in HARMLESS and not _words(names[at]) & _OTHERS)
    ]
    return found if len(found) > 1 else []


def name_judges(names: Sequence[str]) -> bool:
    """Return whether each of these names says that a column has grades, or whose they are.

    Examples
    --------
    >>> name_judges(["grade_ann", "Rater 2"]), name_judges(["ann", "bob"])
    (True, False)
    """
    return all(_says(_GRADES | _PERSONS, name) for name in names)


def name_systems(names: Sequence[str]) -> bool:
    """Return whether one of these names says that a column's numbers are not a judge's.

    Examples
    --------
    >>> name_systems(["Frank", "Simon"]), name_systems(["label_1", "rank_1"])
    (False, True)
    """
    return any(_words(name) & _OF_SYSTEMS for name in names)


def beside(names: Sequence[str], at: int) -> dict[int, str]:
    """Return the columns of the reasons and the confidence of the judge in a column.

    Examples
    --------
    >>> beside(["query", "document", "label_1", "label_2", "reason_2"], 3)
    {4: 'reason'}
    """
    return {
        place: "confidence" if _words(name) & {*OPTIONAL["confidence"]} else "reason"
        for place, name in enumerate(names)
        if _words(name) & _OTHERS and whose(name) == whose(names[at])
    }


def _says(words: set[str], name: str) -> bool:
    found = _words(name)
    return bool(found & words) and not found & _OTHERS


def whose(name: str) -> frozenset[str]:
    """Return the words of a name that say whose grade or reason it is."""
    return frozenset(_words(name) - _GRADES - _OTHERS)
