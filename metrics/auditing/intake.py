"""Uploaded files -> one data set, or the reasons for a refusal; never a part of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..data import TEXTS, Note, Pairs, Qrels, Run
from ..dataset import Dataset
from ..errors import DataError, RankscopeError
from ..judging.judged import JudgedRankings, Rankings
from ..judging.judged_file import is_judged, read_within
from ..limits import current
from ..reading import OTHER_ROLE, ReadError, read_all, read_corpus, read_texts
from ..reading.budget import Budget
from ..reading.corpus import Corpus
from ..reading.file_names import LONGEST, shown, title, uploaded
from ..reading.note_codes import UNNAMED
from ..reading.problems import File
from ..words import count
from . import audit
from .dataset_checks import require_hits, require_room, weight_of_judged
from .id_mismatch import Mend, for_run

KINDS: dict[str, type[Pairs]] = {"qrels": Qrels, "run": Run}
OTHER = {"qrels": "run", "run": "qrels"}


@dataclass(frozen=True)
class Given:
    """A file as it was uploaded or named.

    Attributes
    ----------
    data
        The bytes of an upload, or the path of a file.
    role
        The role it was given in: ``qrels``, ``run`` or one of `TEXTS`.
    """

    name: str
    data: bytes | Path
    role: str


@dataclass(frozen=True)
class Taken:
    """The result of an upload.

    Attributes
    ----------
    dataset
        The data with the new files; None when anything was refused or is still missing.
    problems
        The reasons for a refusal; empty when nothing was refused.
    notes
        Notes on files that were accepted in another role, renamed or not used.
    read
        The new runs and qrels.
    apart
        The data set whose ids do not match, and the changes to its runs, by name, after which
        they would match.
    """

    dataset: Dataset | None
    problems: tuple[RankscopeError, ...] = ()
    notes: tuple[Note, ...] = ()
    read: tuple[Pairs, ...] = ()
    apart: tuple[Dataset, Mapping[str, Mend]] | None = None


@dataclass
class _Contents:
    """The contents of the files that were read so far."""

    # The earlier data are not counted, because the upload may repeat them.
    budget: Budget = field(default_factory=lambda: Budget(current().session))
    qrels: list[Qrels] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    judged: list[JudgedRankings] = field(default_factory=list)
    texts: dict[str, dict[str, str]] = field(default_factory=dict)
    corpus: Corpus | None = None
    # Judgments in files uploaded as runs, and rankings in files uploaded as qrels.
    judgments: list[Qrels] = field(default_factory=list)
    rankings: list[Run] = field(default_factory=list)
    problems: list[RankscopeError] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    # Files of the other kind: the refusal, and the note that replaces it where the file is used.
    moved: list[tuple[RankscopeError, Note]] = field(default_factory=list)
    unnamed: dict[str, RankscopeError] = field(default_factory=dict)


def take(files: Iterable[Given], before: Dataset | None = None) -> Taken:
    """Read all files and add them to the earlier data, unless any of them is refused.

    New qrels and texts replace the old ones; a new run is added to the old ones, with a number
    after its name where an earlier run has the same. A file that is certainly of the other kind
    is accepted as what it is.

    Examples
    --------
    >>> files = [Given("a.txt", b"q1 Q0 d1 1 2 a", "qrels"), Given("b.txt", b"q1 0 d1 1", "run")]
    >>> taken = take(files)
    >>> taken.dataset.runs, len(taken.notes)
    ((Run('a': 1 queries, 1 rows),), 2)
    """
    contents = _Contents()
    for file in files:
        try:
            _add(file, contents)
        except RankscopeError as error:
            contents.problems.append(error)
            if contents.budget.is_spent:
                break
    _use_halves(contents, before)
    qrels = contents.qrels[-1] if contents.qrels else before.qrels if before else None
    if len(contents.qrels) > 1:
        contents.problems.append(_several(contents.qrels))
    if qrels is None and contents.judged:
        qrels = contents.judged[0].qrels
        contents.notes.append(_from_judged(contents.judged[0]))
    rankings = _joined(before.rankings if before else (), contents)
    if qrels is None or not rankings:
        # With files of one kind only, a file in the wrong role is refused.
        contents.problems += [refusal for refusal, _ in contents.moved]
    else:
        contents.notes[:0] = [note for _, note in contents.moved]
    found = Taken(
        None, tuple(contents.problems), tuple(contents.notes), (*contents.qrels, *contents.runs)
    )
    if contents.problems or qrels is None or not rankings:
        return found
    texts = {key: getattr(before, key) for key in TEXTS} if before else {}
    fields = before.document_fields if before else {}
    if corpus := contents.corpus:
        texts["document_texts"], fields = corpus.texts, corpus.fields
    texts |= contents.texts
    runs = tuple(each for each in rankings if isinstance(each, Run))
    dataset = Dataset("Your data", qrels, runs, **texts, document_fields=fields)
    judged = [each for each in rankings if isinstance(each, JudgedRankings)]
    return _checked(dataset, judged, found)


def mended(dataset: Dataset, mends: Mapping[str, Mend]) -> Dataset:
    """Return the data with these changes to their runs."""
    runs = tuple(
        mends[run.name].apply(run, dataset.qrels) if run.name in mends else run
        for run in dataset.runs
    )
    return replace(dataset, runs=runs)


def _joined(old: Sequence[Rankings], contents: _Contents) -> list[Rankings]:
    """Return the earlier and the new rankings with unique names; note those that appear twice."""
    named = {run.name: run for run in old}
    new: list[Rankings] = [*contents.runs, *contents.judged]
    for run in new:
        name, number = run.name, 1
        if name in named and _content(named[name]) == _content(run):
            text = f"The run {name} is already loaded, with the same rows."
            contents.notes.append(Note(text, "N-SAME-RUN"))
            continue
        while name in named:
            number += 1
            name = f"{run.name} ({number})"
        if number > 1:
            text = f"Another run is called {run.name}: the new one is called {name}."
            contents.notes.append(Note(text, "N-RENAMED"))
        alike = (each for each in named.values() if _content(each) == _content(run))
        if same := next(alike, None):
            text = f"The run {name} has the same rows as {same.name}."
            contents.notes.append(Note(text, "N-SAME-ROWS"))
        named[name] = run.renamed(name) if isinstance(run, Run) else replace(run, name=name)
    return list(named.values())


def _content(rankings: Rankings) -> str:
    """Return a hash of all rows."""
    return rankings.digest if isinstance(rankings, Run) else rankings.content


def _from_judged(judged: JudgedRankings) -> Note:
    text = f"The judgments are those in the judged rankings {judged.name}."
    return Note(text, "N-JUDGED-QRELS")


def _use_halves(contents: _Contents, before: Dataset | None) -> None:
    """Use judgments in run files, and rankings in qrels files, only where there are no others."""
    halves: tuple[tuple[str, list[Any], list[Any], Sequence[Pairs]], ...] = (
        (
            "judgments in the run file",
            contents.qrels,
            contents.judgments,
            [before.qrels] if before else [],
        ),
        (
            "ranking in the qrels file",
            contents.runs,
            contents.rankings,
            before.runs if before else (),
        ),
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


def _add(file: Given, contents: _Contents) -> None:
    """Read one file and add it to the contents."""
    notes = uploaded(file.name)
    if file.role == "document_texts":
        contents.corpus = read_corpus(file.data, file.name, contents.budget)
        contents.notes += notes
        return
    if file.role in TEXTS:
        contents.texts[file.role] = read_texts(file.data, file.name, contents.budget)
        contents.notes += notes
        return
    if is_judged(file.data):
        contents.judged.append(_judged(file, contents.budget))
        contents.notes += notes
        return
    role, kept = file.role, contents.budget.kept
    try:
        found = read_all(KINDS[role], file.data, file.name, contents.budget)
    except ReadError as error:
        if error.problems[0].code != OTHER_ROLE:
            raise
        contents.budget.kept = kept
        found = _as_other(file, error, contents.budget)
        role = OTHER[role]
        text = f"{error.problems[0].file} was uploaded as {file.role} and used as {role}."
        contents.moved.append((error, Note(text, "N-ROLE")))
    found = [pairs.noted((*notes, *pairs.notes)) for pairs in found]
    if any(note.code == UNNAMED for pairs in found for note in pairs.notes):
        contents.unnamed[file.name] = _no_name(file)
    runs = contents.runs if role == "run" else contents.rankings
    runs += [pairs for pairs in found if isinstance(pairs, Run)]
    judgments = contents.qrels if role == "qrels" else contents.judgments
    judgments += [pairs for pairs in found if isinstance(pairs, Qrels)]


def _judged(file: Given, budget: Budget) -> JudgedRankings:
    """Return the judged rankings of a file, under the name that they were judged with."""
    within = File(shown(file.name), budget=budget)
    judged = read_within(file.data, within).judged
    within.keep(weight_of_judged(judged))
    # A name in a file can be of any length; that of an upload cannot.
    return replace(judged, name=(judged.name or title(file.name))[:LONGEST])


def _no_name(file: Given) -> RankscopeError:
    """Return the refusal of queries without names beside other judgments or rankings."""
    fix = "Name the query in each row or record, or upload only this file."
    expected = "names that match the other file"
    return File(shown(file.name)).error("E-HEADER", "queries without names", expected, fix)


def _as_other(file: Given, error: ReadError, budget: Budget) -> list[Pairs]:
    """Read the file as the other kind; raise the first error when it is not that either."""
    try:
        return read_all(KINDS[OTHER[file.role]], file.data, file.name, budget)
    except ReadError as found:
        raise (found if budget.is_spent else error) from None


def _several(qrels: Sequence[Qrels]) -> RankscopeError:
    names = ", ".join(each.name for each in qrels)
    return RankscopeError(
        f"{count(len(qrels), 'file')} contain judgments ({names}); upload one qrels file."
    )


def _checked(dataset: Dataset, judged: Iterable[JudgedRankings], found: Taken) -> Taken:
    """Accept the data set with the judged rankings.

    It is refused where a run shares no query with the qrels, where rankings were judged by other
    judgments, and where it is too large.
    """
    problems: list[RankscopeError] = []
    for each in judged:
        try:
            by_these = each.by(dataset.qrels)
        except DataError as error:
            problems.append(DataError(f"{each.name}: {error}"))
            continue
        try:
            require_hits(by_these, each.name)
        except DataError as error:
            problems.append(error)
        dataset = replace(dataset, judged=(*dataset.judged, by_these))
    mends: dict[str, Mend] = {}
    for run in dataset.runs:
        if set(run.queries).isdisjoint(dataset.qrels.queries):
            mend = for_run(run, dataset.qrels)
            problems.append(audit.apart(run.name, run.queries, dataset.qrels.queries, mend))
            mends |= {run.name: mend} if mend else {}
    try:
        require_room(dataset)
    except RankscopeError as error:
        problems.append(error)
    if not problems:
        return replace(found, dataset=dataset)
    apart = (dataset, mends) if len(mends) == len(problems) else None
    return replace(found, problems=tuple(problems), apart=apart)
