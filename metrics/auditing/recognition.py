"""A file of unknown role -> its rows or texts, and the roles that its content fits."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from ..data import TEXTS, Pairs, Qrels, Run
from ..data.column_names import SYNONYMS, normalised
from ..data.texts import repeats
from ..reading import OTHER_ROLE, ReadError, read_all, read_corpus
from ..reading.from_tables.cells import ids_in, judge_columns, name_judges, name_systems, whose
from ..reading.from_tables.delimited import NAME_THEM, filled, table_in
from ..reading.judges import only_member, only_table, read_judges
from ..reading.known import KnownError
from ..reading.problems import (
    AS_BEIR,
    NO_NAMES,
    NO_SCORES,
    ONLY_RELEVANT,
    PAIRS,
    REPEAT,
    TOO_LARGE,
    UNUSED_COLUMNS,
    Budget,
)
from ..reading.row_notes import USUAL_GRADE
from ..reading.rows import NUMBER, is_constant
from ..reading.sources import Shared, Source, decode
from ..reading.texts import Corpus, columns_of
from ..words import quote

_MANY = 20
"""More columns of numbers than this are features, unless their names say that they are judges."""
_GRADE = re.compile(r"[ \t]*(10|[0-9]|)(?:(?<=[0-9])\.0*)?[ \t]*")


def _names_in(data: Source, name: str) -> tuple[str, ...]:
    """Return the names of the columns of the table in a file; none for any other file."""
    try:
        found = only_table(data, name, lambda names: False)
    except ReadError:
        return ()
    return found[0].names if found else ()


def _of_judges(names: Sequence[str]) -> list[str]:
    """Return the names of the columns that may be judges'; none where some are of systems."""
    found = [names[at] for at in judge_columns(names)]
    return [] if name_systems(found) else found


def has_judge_columns(data: Source, name: str = "") -> bool:
    """Return whether the columns of a table may be several judges', by their names alone.

    Two known names of a grade, as ``label`` and ``grade``, are two columns of one judge's. Columns
    of scores or ranks are no judge's.

    Examples
    --------
    >>> has_judge_columns(b"query,document,alice,bob\\nq1,d1,2,1")
    True
    """
    names = _of_judges(_names_in(data, name))
    of_one = [name for name in names if normalised(name) in SYNONYMS["grade"] and not whose(name)]
    return bool(names) and len(of_one) < 2


def are_judges(data: Source, name: str = "") -> bool | None:
    """Return whether the columns of a table are certainly the grades of several judges.

    They are where all their names say so, as ``grade_ann`` or ``rater 2``, and all their cells are
    whole numbers from 0 to 10, or blank. Where only one of the two holds, somebody has to say; the
    cells of columns with other names must repeat a grade within a query, as ranks do not.

    The result is False where somebody has to say, and None where nothing speaks for judges, a name
    speaks for the scores of systems, as ``rank_a`` or ``bm25``, or there are texts or titles.

    Examples
    --------
    >>> are_judges(b"query,document,rater 1,rater 2\\nq1,d1,2,1")
    True
    >>> are_judges(b"query,document,alice,bob\\nq1,d1,2,1\\nq1,d2,2,0")
    False
    >>> are_judges(b"query,document,tfidf,bm25\\nq1,d1,2,1\\nq1,d2,2,0") is None
    True
    """
    try:
        found = only_table(data, name, _may_be_judges)
    except ReadError:
        return None
    if found is None or not _may_be_judges(found[0].names):
        return None
    table, file = found
    columns = judge_columns(table.names)
    query = ids_in(table.names)["query"]
    try:
        all_grades, repeats = _grades_in(table.cells([query, *columns], file))
    except ReadError:
        # The reader of judges reports it, once it is certain that these are judges.
        all_grades = repeats = False
    names = [table.names[at] for at in columns]
    is_named = name_judges(names)
    is_unique = len({each.strip() for each in names}) == len(names)
    if is_named:
        return all_grades and is_unique
    return False if all_grades and repeats and is_unique else None


def _may_be_judges(names: Sequence[str]) -> bool:
    """Return whether the names of columns leave open, at least, that some are several judges'."""
    columns = _of_judges(names)
    if not columns or (len(columns) > _MANY and not name_judges(columns)):
        return False
    # The reader of texts takes a column of queries beside the documents for their texts.
    found = columns_of(names)
    return found is None or (not found.title and bool(ids_in([found.text])))


def _grades_in(rows: Iterable[list[Any]]) -> tuple[bool, bool]:
    """Return whether all cells are grades or blank, and whether one repeats within a query.

    No column may be blank throughout, and the rows of a query are those that follow each other.
    """
    last: object = None
    seen: set[tuple[int, float]] = set()
    filled: set[int] = set()
    width, repeats = 0, False
    for query, *cells in rows:
        if query != last:
            last, width = query, len(cells)
            seen.clear()
        for at, cell in enumerate(cells):
            found = _GRADE.fullmatch(cell) if isinstance(cell, str) else None
            if cell is not None and not found:
                return False, False
            if found and found[1]:
                grade = at, float(found[1])
                repeats = repeats or grade in seen
                seen.add(grade)
                filled.add(at)
    return 0 < width == len(filled), repeats


KINDS: dict[str, type[Pairs]] = {"qrels": Qrels, "run": Run}
OTHER = {"qrels": "run", "run": "qrels"}
QUERY_TEXTS, DOCUMENT_TEXTS, ATTRIBUTES = TEXTS
EXCLUDED = "excluded"
"""Documents to be left out, which are no judgments, whatever their form."""
CALLED = {
    "qrels": "qrels",
    "run": "a run",
    QUERY_TEXTS: "query texts",
    DOCUMENT_TEXTS: "document texts",
    ATTRIBUTES: "attributes of queries",
    EXCLUDED: "documents to leave out",
}
"""How each role is called in a sentence."""
ROLES = tuple(CALLED)
_HINTS = {
    "qrels": ("qrel", "judg", "label", "gold", "truth", "relevan", "rating", "grade"),
    "run": ("run", "result", "rank", "retrieved", "bm25", "dense"),
    ATTRIBUTES: (
        *("attribute", "group", "category", "categories", "segment", "cluster", "intent", "type"),
        *("weight", "frequenc"),
    ),
    QUERY_TEXTS: ("quer", "topic", "question"),
    DOCUMENT_TEXTS: ("doc", "corpus", "passage", "collection", "text"),
    EXCLUDED: ("exclu", "seen", "ignore", "train"),
}
"""Parts of file names that tell roles apart which the content leaves open."""
_OF_LINES = {"E-FIELDS", "E-NUMBER", "E-LABEL"}
"""The codes of lines that are no rows."""
_LOOKED_AT = 100
"""At most this many lines are looked at."""


@dataclass(frozen=True)
class Content:
    """The content of one file.

    Attributes
    ----------
    fits
        The roles that it fits; the first is the likeliest.
    pairs
        The runs and qrels in it, read in the first of these roles.
    corpus
        The texts in it; None where it has none. With pairs beside it, it may be either.
    judges
        The qrels of several judges, by name; empty where there is one judge or none.
    asks_for_judges
        Whether several columns may be the grades of a judge each, or the scores of a system.
    is_doubtful
        Whether the texts are rows of a query and a document, and only a person knows their role.
    """

    fits: tuple[str, ...]
    pairs: tuple[Pairs, ...] = ()
    corpus: Corpus | None = None
    judges: Mapping[str, Qrels] = field(default_factory=dict)
    asks_for_judges: bool = False
    is_doubtful: bool = False


def recognised(data: bytes | Path, name: str, budget: Budget) -> Content:
    """Read a file whose role is not known.

    Raises ReadError from the reader that came farthest, if the file is neither rows nor texts.

    Examples
    --------
    >>> recognised(b"q1 0 d1 1", "a.txt", Budget()).fits
    ('qrels',)
    >>> recognised(b'{"q1": {"d1": 3}}', "a.json", Budget()).fits  # a score, or a grade
    ('run', 'qrels')
    >>> recognised(b"d1\\tWireless mouse", "a.txt", Budget()).fits
    ('query_texts', 'document_texts', 'query_attributes')
    """
    file = Shared(data)
    named = hinted(name, tuple(KINDS))
    first = named or "run"
    errors: dict[str, ReadError] = {}
    before = budget.kept
    for role in sorted(KINDS, key=lambda each: each != first):
        found = tried(role, file, name, budget, errors)
        if found is None:
            continue
        if "run" in errors and {each.code for each in errors["run"].problems} == {REPEAT}:
            # A repeat is an error of a run, and no proof of qrels: nothing tells which it is.
            if named:
                raise errors["run"]
            return Content(("qrels", "run"), found)
        if _codes(found) >= {PAIRS, NO_NAMES} and all(len(of) == len(of.queries) for of in found):
            # Lines of two words, each first one once: these may be texts, or groups of queries.
            texts = None if role == named else _texts_of(file, name, budget)
            return Content((role, *(TEXTS if texts else ())), found, texts)
        if role == "qrels" and UNUSED_COLUMNS in _codes(found) and _say_whose(file, name):
            return Content((role,), judges=read_judges(file, name))
        if errors or not _may_be_other(found):
            return Content((role,), found)
        if role == named:
            # The name decides, so the other reading is not tried before someone asks for it.
            return Content((role, OTHER[role]), found)
        kept = budget.kept
        other = tried(OTHER[role], file, name, budget, errors)
        if other and role == "run" and AS_BEIR in _codes(found):
            # The first reading is not kept.
            budget.kept -= kept - before
            return Content(("qrels",), other)
        budget.kept = kept
        return Content((role, OTHER[role]) if other else (role,), found)
    return _without_rows(file, name, budget, errors)


def _without_rows(file: Shared, name: str, budget: Budget, errors: dict[str, ReadError]) -> Content:
    """Return the judges or the texts in a file that has neither a run nor one judge's qrels.

    ``errors``: why it is neither, by role.

    Raises the ReadError that is nearest to the file.
    """
    if judged := _judged(file, name, errors.values()):
        return judged
    if nearest := _nearest(file, name, errors):
        raise nearest
    begun = any(_reach(errors[role])[0] > 0 for role in KINDS)
    try:
        corpus = read_corpus(file, name, budget)
    except ReadError as error:
        if error.problems[0].code == TOO_LARGE and all(_reach(e)[0] < 1 for e in errors.values()):
            raise
        errors[DOCUMENT_TEXTS] = error
    else:
        # The rest of a row, behind its query, would pass for a text.
        if not (begun and all("\t" in text for text in corpus.texts.values())):
            are_both = len(ids_in(_names_in(file, name))) > 1
            return Content(TEXTS, corpus=corpus, is_doubtful=are_both)
    codes = {errors[role].problems[0].code for role in KINDS}
    of_texts = errors.get(DOCUMENT_TEXTS)
    # What comes again is the id of no text: the rows have no known form.
    again = of_texts is not None and of_texts.problems[0].code == REPEAT and not begun
    columns = columns_of(_names_in(file, name))
    if of_texts and columns and columns.has_weights:
        raise of_texts
    if again and codes == {"E-HEADER"}:
        raise errors["run"]
    is_near = again or (of_texts is not None and _reach(of_texts)[0] < 1)
    if codes <= _OF_LINES and is_near and (unlike := _of_no_form(file, name, again)):
        raise unlike
    # A text's reader comes farther in JSON that has no known form.
    tried = KINDS if codes == {"E-JSON"} else errors
    raise max((errors[role] for role in tried), key=_reach)


def _say_whose(file: Shared, name: str) -> bool:
    """Return whether each column of grades says whose they are, as human_label and llm_label."""
    return all(map(whose, _of_judges(_names_in(file, name)))) and are_judges(file, name) is True


def _texts_of(file: Shared, name: str, budget: Budget) -> Corpus | None:
    """Return the texts in a file; None where it is none of texts."""
    try:
        return read_corpus(file, name, budget)
    except ReadError:
        return None


def _judged(file: Shared, name: str, errors: Iterable[ReadError]) -> Content | None:
    """Return the judges of a table with a column of grades for each, or the question; else None.

    Where the columns' names or their cells leave open whose they are, the file's name decides.
    """
    if any(error.problems[0].code != "E-HEADER" for error in errors):
        return None
    by_columns = are_judges(file, name)
    by_name = hinted(name, tuple(KINDS))
    if by_columns is None or (by_name == "run" and not by_columns):
        return None
    if by_columns or by_name == "qrels":
        return Content(("qrels",), judges=read_judges(file, name))
    return Content(("qrels", "run"), asks_for_judges=True)


def _nearest(file: Shared, name: str, errors: Mapping[str, ReadError]) -> ReadError | None:
    """Return the error of the role that the columns are nearest to; None for no table of rows.

    A table of queries and documents is no texts, unless a column has a title or a text, and none
    a score or a grade.
    """
    names = _names_in(file, name)
    if len(ids_in(names)) < 2:
        return None
    known = {*map(normalised, names)}
    of_run, of_both = (known & {*SYNONYMS[part]} for part in ("score", "grade"))
    if of_run or of_both:
        return errors["qrels" if of_both - of_run else "run"]
    if columns_of(names):
        return None
    (run, *more), (qrels, *_) = (errors[role].problems for role in ("run", "qrels"))
    if run.code == qrels.code == "E-HEADER":
        run = replace(run, expected=f"{run.expected} or {qrels.expected}")
    return ReadError([run, *more])


def hinted(name: str, roles: Collection[str]) -> str:
    """Return the only one of the roles that a file's name suggests; empty for none or several.

    Examples
    --------
    >>> hinted("qrels.dl20.txt", ROLES), hinted("bm25-queries.txt", ROLES)
    ('qrels', '')
    """
    lower = name.lower()
    found = [role for role in roles if any(part in lower for part in _HINTS[role])]
    return found[0] if len(found) == 1 else ""


def is_excluded(name: str) -> bool:
    """Return whether a file's name says that it lists documents to leave out.

    Examples
    --------
    >>> is_excluded("excluded_items.csv"), is_excluded("seen.csv")
    (True, False)
    """
    return _HINTS[EXCLUDED][0] in name.lower()


def may_be_excluded(name: str, found: Content) -> bool:
    """Return whether a file's name says that documents were seen, and rows have no value."""
    is_bare = {PAIRS, NO_SCORES} & _codes(found.pairs) and found.corpus is None
    return bool(is_bare) and hinted(name, (*KINDS, EXCLUDED)) == EXCLUDED


def kind_of_texts(
    texts: Mapping[str, str], name: str, queries: Collection[str], documents: Collection[str]
) -> str:
    """Return the role of texts by whose ids they have; empty where neither ids nor name tell.

    Examples
    --------
    >>> kind_of_texts({"d1": "Wireless mouse"}, "a.tsv", {"q1"}, {"d1"})
    'document_texts'
    >>> groups = {"q1": "long", "q2": "short", "q3": "long", "q4": "short"}
    >>> kind_of_texts(groups, "a.tsv", {"q1", "q2"}, {"d1"})
    'query_attributes'
    """
    of_queries = sum(key in queries for key in texts)
    of_documents = sum(key in documents for key in texts)
    if of_queries == of_documents:
        return hinted(name, TEXTS)
    if of_documents > of_queries:
        return DOCUMENT_TEXTS
    if told := hinted(name, (ATTRIBUTES, QUERY_TEXTS)):
        return told
    return ATTRIBUTES if repeats(texts) else QUERY_TEXTS


def _of_no_form(file: Shared, name: str, are_rows: bool) -> ReadError | None:
    """Return the error of lines that are near to no role; None where some line may be a row.

    A row has at least three cells, and a number or a constant among them. ``are_rows``: whether
    lines are rows, but of no known form.
    """
    if (only := only_member(file, name)) is None:
        return None
    member, here = only
    text, _ = here.once("text", lambda: decode(member.data, here))
    if text.lstrip()[:1] in ("{", "[") or table_in(text):
        return None
    seen = list(islice(filled(text), _LOOKED_AT))
    for cells in (re.split(r"[\s,;|]+", line.strip()) for _, line in seen):
        if (
            not are_rows
            and len(cells) > 2
            and any(NUMBER.fullmatch(each) or is_constant(each) for each in cells)
        ):
            return None
    found = f"text of no known form, which begins {quote(seen[0][1])}"
    fix = f"{NAME_THEM}, such as query, document and score."
    expected = "rows of query, document and a number, or lines of an id, a tab and a text"
    return here.error("E-FORMAT", found, expected, fix, seen[0][0])


def tried(
    role: str, file: Source, name: str, budget: Budget, errors: dict[str, ReadError]
) -> tuple[Pairs, ...] | None:
    """Return the rows of a file in a role; None, with the error kept, where it has none."""
    kept = budget.kept
    try:
        return tuple(read_all(KINDS[role], file, name, budget))
    except ReadError as error:
        is_known = isinstance(error, KnownError)
        if is_known or budget.is_spent or error.problems[0].code == TOO_LARGE:
            # The limits are those of every role.
            raise
        budget.kept = kept
        errors[role] = error
        return None


def _may_be_other(found: tuple[Pairs, ...]) -> bool:
    """Return whether scores may be grades, or the reverse: small whole numbers, or none."""
    if len({type(pairs) for pairs in found}) > 1:
        return False
    values = np.concatenate([pairs.value for pairs in found])
    small = bool(((values == np.floor(values)) & (np.abs(values) <= USUAL_GRADE)).all())
    return small or bool(_codes(found) & {NO_SCORES, ONLY_RELEVANT})


def _codes(found: tuple[Pairs, ...]) -> set[str]:
    return {note.code for pairs in found for note in pairs.notes}


def _reach(error: ReadError) -> tuple[int, bool]:
    """Return how far a reader came: the lines before its first problem, and whether to a cell.

    A file of another role was not begun.
    """
    first = min(error.problems, key=lambda each: each.line or 0)
    return (-1 if first.code == OTHER_ROLE else max(0, (first.line or 0) - 1)), bool(first.column)
