"""Files that are read together: what each was taken for, and everything that they contain."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import pyarrow.compute as pc

from ..data import TEXTS, Note, Pairs, Qrels, Run, Severity
from ..dataset import Dataset
from ..errors import RankscopeError
from ..limits import current
from ..matching import JudgedRankings
from ..matching.judged_file import is_judged, read_within
from ..reading import OTHER_ROLE, ReadError, read_all, read_corpus
from ..reading.budget import Budget
from ..reading.file_names import LONGEST, shown, title, uploaded
from ..reading.from_tables import workbook
from ..reading.from_tables.picked import Picked
from ..reading.judges import read_judges
from ..reading.note_codes import JUDGES, SEVERAL_JUDGES, UNNAMED, UNUSED_COLUMNS
from ..reading.problems import File
from ..reading.texts import Corpus
from ..reading.unpack import is_zip, unpack
from ..words import count
from .dataset_checks import weight_of_judged
from .recognition import CALLED, KINDS, OTHER, Content, hinted, kind_of_texts, recognised
from .several_judges import has_judge_columns


@dataclass(frozen=True)
class Given:
    """A file as it was uploaded or named.

    Attributes
    ----------
    data
        The bytes of an upload, or the path of a file.
    role
        The role it was given in, one of `ROLES`; empty if its content decides.
    picked
        The columns of a table, as a person named them.
    """

    name: str
    data: bytes | Path
    role: str = ""
    picked: Picked | None = None


@dataclass(frozen=True)
class Seen:
    """What one file was taken for.

    Attributes
    ----------
    role
        Empty if the file was refused, or if it fits several roles and nothing tells which.
    fits
        The roles that its content fits; empty if it was given in a role, or refused.
    holds
        What was read, in words.
    """

    name: str
    role: str = ""
    fits: tuple[str, ...] = ()
    holds: str = ""
    refusal: RankscopeError | None = None

    @property
    def is_open(self) -> bool:
        """Whether the file's role is a question that only a person can answer."""
        return not self.role and self.refusal is None


@dataclass
class Contents:
    """The contents of the files that were read so far."""

    # The earlier data are not counted, because the upload may repeat them.
    budget: Budget = field(default_factory=lambda: Budget(current().session))
    qrels: list[Qrels] = field(default_factory=list)
    # Of files with several: the first of them is the qrels, if there are no others.
    judges: list[Qrels] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    judged: list[JudgedRankings] = field(default_factory=list)
    texts: dict[str, Corpus] = field(default_factory=dict)
    # Judgments in files uploaded as runs, and rankings in files uploaded as qrels.
    judgments: list[Qrels] = field(default_factory=list)
    rankings: list[Run] = field(default_factory=list)
    problems: list[RankscopeError] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    # Files of the other kind: the refusal, and the note that replaces it where the file is used.
    moved: list[tuple[RankscopeError, Note]] = field(default_factory=list)
    unnamed: dict[str, RankscopeError] = field(default_factory=dict)
    seen: list[Seen] = field(default_factory=list)
    # Texts of unknown role, by the place of their file.
    unsorted: dict[int, Corpus] = field(default_factory=dict)


def members(file: Given) -> list[Given]:
    """Return the files in a zip archive of several; any other file as it is.

    So is an archive that cannot be unpacked, or that has notes: its reader reports them.

    Examples
    --------
    >>> import io, zipfile
    >>> stream = io.BytesIO()
    >>> with zipfile.ZipFile(stream, "w") as archive:
    ...     archive.writestr("nfcorpus/qrels/test.tsv", "q1 0 d1 1")
    ...     archive.writestr("nfcorpus/queries.jsonl", "")
    >>> [each.name for each in members(Given("nfcorpus.zip", stream.getvalue()))]
    ['nfcorpus/qrels/test.tsv', 'nfcorpus/queries.jsonl']
    """
    if file.role or isinstance(file.data, Path) or not is_zip(file.data):
        return [file]
    try:
        # Its reader unpacks a single sheet, which takes long.
        if workbook.has_one_sheet(file.data):
            return [file]
        found = unpack(file.data, File(shown(file.name)))
    except (ReadError, BadZipFile):
        return [file]
    if len(found) < 2 or any(each.notes for each in found):
        return [file]
    return [Given(each.name, each.data) for each in found]


def add(file: Given, contents: Contents) -> Seen:
    """Read one file, add it to the contents, and return what it was taken for."""
    notes = uploaded(file.name)
    if file.role in TEXTS:
        corpus = read_corpus(file.data, file.name, contents.budget, file.picked)
        contents.notes += notes
        _keep_texts(file.role, corpus, file.name, contents)
        return Seen(file.name, file.role, holds=_texts_in(corpus))
    if is_judged(file.data):
        judged = _judged(file, contents.budget)
        contents.judged.append(judged)
        contents.notes += notes
        return Seen(file.name, "run", ("run",), f"judged, {_queries_in(judged.queries)}")
    try:
        role, content = _content_of(file, contents)
    except ReadError as error:
        if all(problem.code != SEVERAL_JUDGES for problem in error.problems):
            raise
        role, content = "qrels", Content((), judges=read_judges(file.data, file.name))
    judges, codes = content.judges, {(n.code, n.kind) for p in content.pairs for n in p.notes}
    if (JUDGES, Severity.WARNING) in codes:
        judges = read_judges(file.data, file.name)
    if judges:
        return _keep_judges(judges, file.name, notes, contents)
    if not role:
        contents.notes += notes
        asked = "several columns of numbers: qrels if each has the grades of a judge"
        holds = asked if content.asks_for_judges else _texts_in(content.corpus)
        return Seen(file.name, role, content.fits, holds)
    found = [pairs.noted((*notes, *pairs.notes)) for pairs in content.pairs]
    if any(note.code == UNNAMED for pairs in found for note in pairs.notes):
        # The refusal beside other judgments or rankings.
        fix = "Name the query in each row or record, or upload only this file."
        wanted = "names that match the other file"
        named = File(shown(file.name))
        contents.unnamed[file.name] = named.error("E-HEADER", "queries without names", wanted, fix)
    runs = contents.runs if role == "run" else contents.rankings
    runs += [pairs for pairs in found if isinstance(pairs, Run)]
    judgments = contents.qrels if role == "qrels" else contents.judgments
    judgments += [pairs for pairs in found if isinstance(pairs, Qrels)]
    return Seen(file.name, role, content.fits, "; ".join(map(_rows_in, found)))


def _keep_judges(
    found: Mapping[str, Qrels], name: str, notes: Iterable[Note], contents: Contents
) -> Seen:
    """Add the judges of a file that has several."""
    judges = list(found.values())
    contents.judges += [each.noted((*notes, *each.notes)) for each in judges]
    queries = dict.fromkeys(query for each in judges for query in each.queries)
    rows = count(sum(map(len, judges)), "judgment")
    holds = f"{count(len(judges), 'judge')}, {_queries_in([*queries])}, {rows}"
    return Seen(name, "qrels", ("qrels",), holds)


def _content_of(file: Given, contents: Contents) -> tuple[str, Content]:
    """Return the role of a file, and its content.

    The role is empty for texts, which are put aside, and where nothing tells which of two it is.
    """
    if file.picked and not file.picked.is_texts:
        role = file.role or file.picked.role
        found = read_all(KINDS[role], file.data, file.name, contents.budget, file.picked)
        return role, Content((), tuple(found))
    if file.role:
        return _in_role(file, contents)
    if file.picked:
        corpus = read_corpus(file.data, file.name, contents.budget, file.picked)
        content = Content(TEXTS, corpus=corpus)
    else:
        content = recognised(file.data, file.name, contents.budget)
    if content.corpus is not None:
        contents.unsorted[len(contents.seen)] = content.corpus
        return "", content
    if content.asks_for_judges:
        return "", content
    likely, *others = content.fits
    role = hinted(file.name, content.fits) if others else likely
    return role, content


def _in_role(file: Given, contents: Contents) -> tuple[str, Content]:
    """Return the role of a file, another if it is certainly of that, and its content."""
    kept = contents.budget.kept
    try:
        found = read_all(KINDS[file.role], file.data, file.name, contents.budget)
        return file.role, Content((), tuple(found), judges=_beside_grades(file, found))
    except ReadError as error:
        code = error.problems[0].code
        if (file.role, code) == ("qrels", "E-HEADER") and has_judge_columns(file.data, file.name):
            contents.budget.kept = kept
            return file.role, Content((), judges=read_judges(file.data, file.name))
        if code != OTHER_ROLE:
            raise
        contents.budget.kept = kept
        role = OTHER[file.role]
        try:
            found = read_all(KINDS[role], file.data, file.name, contents.budget)
        except ReadError as of_other:
            # The first error, where it is not that either.
            raise (of_other if contents.budget.is_spent else error) from None
        text = f"{error.problems[0].file} was uploaded as {file.role} and used as {role}."
        contents.moved.append((error, Note(text, "N-ROLE")))
        return role, Content((), tuple(found))


def _beside_grades(file: Given, found: Iterable[Pairs]) -> Mapping[str, Qrels]:
    """Return the judges of a file that was read as one's, if the others' columns were not read."""
    unused = any(note.code == UNUSED_COLUMNS for pairs in found for note in pairs.notes)
    if file.role != "qrels" or not unused or not has_judge_columns(file.data, file.name):
        return {}
    try:
        judges = read_judges(file.data, file.name)
    except ReadError:
        # The other columns are something else, and the note says that they are not used.
        return {}
    return judges if len(judges) > 1 else {}


def sort_texts(contents: Contents, before: Dataset | None) -> None:
    """Give texts of unknown role the one that their ids have in the rows."""
    if not contents.unsorted:
        return
    known: list[Pairs] = [*contents.qrels, *contents.runs]
    known += [before.qrels, *before.runs] if before else []
    queries = {query for pairs in known for query in pairs.queries}
    documents = {each for pairs in known for each in pc.unique(pairs.document).to_pylist()}
    for place, corpus in contents.unsorted.items():
        seen = contents.seen[place]
        if role := kind_of_texts(corpus.texts, seen.name, queries, documents):
            contents.seen[place] = replace(seen, role=role)
            _keep_texts(role, corpus, seen.name, contents)


def _keep_texts(role: str, corpus: Corpus, name: str, contents: Contents) -> None:
    if role in contents.texts:
        what = CALLED[role]
        fix = f"Keep one file with {what}, or change what {name} is taken for."
        contents.problems.append(RankscopeError(f"{name}: found {what} again. {fix}"))
    contents.texts[role] = corpus


def _rows_in(pairs: Pairs) -> str:
    rows = "document" if isinstance(pairs, Run) else "judgment"
    return f"{_queries_in(pairs.queries)}, {count(len(pairs), rows)}"


def _queries_in(names: Sequence[str]) -> str:
    return count(len(names), "query", "queries")


def _texts_in(corpus: Corpus | None) -> str:
    return count(len(corpus.texts), "text") if corpus else ""


def _judged(file: Given, budget: Budget) -> JudgedRankings:
    """Return the judged rankings of a file, under the name that they were judged with."""
    within = File(shown(file.name), budget=budget)
    judged = read_within(file.data, within).judged
    within.keep(weight_of_judged(judged))
    # A name in a file can be of any length; that of an upload cannot.
    return replace(judged, name=(judged.name or title(file.name))[:LONGEST])


def use_halves(contents: Contents, before: Dataset | None) -> None:
    """Use judgments in run files, and rankings in qrels files, only where there are no others."""
    judged = [before.qrels] if before and before.is_judged else []
    ranked = before.runs if before else ()
    halves: tuple[tuple[str, list[Any], list[Any], Sequence[Pairs]], ...] = (
        ("judgments in the run file", contents.qrels, contents.judgments, judged),
        ("ranking in the qrels file", contents.runs, contents.rankings, ranked),
    )
    unused: list[str] = []
    for what, own, beside, earlier in halves:
        if not own and not earlier:
            own += beside
            continue
        # The same file may be uploaded in both roles.
        known = {each.digest for each in (*own, *earlier)} if beside else set()
        if others := [each.name for each in beside if each.digest not in known]:
            unused.append(f"the {what} {', '.join(others)}")
    if unused and contents.unnamed:
        contents.problems += contents.unnamed.values()
    else:
        contents.notes += [
            Note(f"Not used, because there are others: {each}.", "N-NOT-USED") for each in unused
        ]
