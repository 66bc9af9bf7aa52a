"""Uploaded files -> one data set, or the reasons for a refusal; never a part of them."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import pyarrow.compute as pc

from ..data import TEXTS, TITLE, Exclusions, Note, Pairs, PairsT, Qrels, Run, Severity, exclusions
from ..data.texts import repeats, weights
from ..dataset import Dataset
from ..errors import DataError, RankscopeError
from ..limits import current
from ..matching import JudgedRankings, Rankings
from ..matching.judged_file import is_judged, read_within
from ..reading import OTHER_ROLE, ReadError, read_all, read_corpus
from ..reading.file_names import LONGEST, shown, title, uploaded
from ..reading.from_tables import workbook
from ..reading.from_tables.picked import Picked
from ..reading.judges import named, read_judges
from ..reading.known import ScoresError
from ..reading.problems import JUDGES, SEVERAL_JUDGES, UNNAMED, UNUSED_COLUMNS, Budget, File
from ..reading.texts import Corpus
from ..reading.told import telling
from ..reading.unpack import NO_DATA, is_archive, is_zip, unpack
from ..words import count, free, quote
from .audit import apart, require_hits, require_room, weight_of_judged
from .id_mismatch import Mend, for_run
from .recognition import (
    ATTRIBUTES,
    CALLED,
    DOCUMENT_TEXTS,
    EXCLUDED,
    KINDS,
    OTHER,
    QUERY_TEXTS,
    Content,
    has_judge_columns,
    hinted,
    is_excluded,
    kind_of_texts,
    may_be_excluded,
    recognised,
    tried,
)


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
    labels
        The grade that each label of the file counts, as a person said.
    """

    name: str
    data: bytes | Path
    role: str = ""
    picked: Picked | None = None
    labels: tuple[tuple[str, float], ...] = ()


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
    attributes: dict[str, dict[str, str]] = field(default_factory=dict)
    excluded: list[Exclusions] = field(default_factory=list)
    # Judgments in files uploaded as runs, and rankings in files uploaded as qrels.
    judgments: list[Qrels] = field(default_factory=list)
    rankings: list[Run] = field(default_factory=list)
    problems: list[RankscopeError] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    # Files of the other kind: the refusal, and the note that replaces it where the file is used.
    moved: list[tuple[RankscopeError, Note]] = field(default_factory=list)
    unnamed: dict[str, RankscopeError] = field(default_factory=dict)
    seen: list[Seen] = field(default_factory=list)
    # Scores without ids, by the place of their file.
    scores: dict[int, ScoresError] = field(default_factory=dict)
    # Texts of unknown role, by the place of their file, which may be pairs as well.
    unsorted: dict[int, Content] = field(default_factory=dict)


def members(file: Given) -> list[Given]:
    """Return the files in an archive of several; any other file as it is.

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
    if file.role or isinstance(file.data, Path) or not is_archive(file.data):
        return [file]
    try:
        # Its reader unpacks a single sheet, which takes long.
        if is_zip(file.data) and workbook.has_one_sheet(file.data):
            return [file]
        found = unpack(file.data, File(shown(file.name)))
    except (ReadError, BadZipFile):
        return [file]
    if len(found) < 2 or any(note.code != NO_DATA for each in found for note in each.notes):
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
    if role == EXCLUDED:
        excluded = exclusions.joined(*map(exclusions.of_pairs, content.pairs))
        contents.excluded.append(excluded)
        contents.notes += notes
        number = count(sum(map(len, excluded.values())), "document")
        return Seen(file.name, role, content.fits, f"{_queries_in([*excluded])}, {number}")
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
    if file.role == EXCLUDED or (not file.role and is_excluded(file.name)):
        found = read_all(Qrels, file.data, file.name, contents.budget, file.picked)
        return EXCLUDED, Content((EXCLUDED,), tuple(found))
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
    if not file.picked and may_be_excluded(file.name, content):
        return "", replace(content, fits=(EXCLUDED, *KINDS))
    if content.corpus is not None:
        contents.unsorted[len(contents.seen)] = content
        return "", content
    if content.asks_for_judges:
        return "", content
    likely, *others = content.fits
    role = hinted(file.name, content.fits) if others else likely
    return role, content


def _in_role(file: Given, contents: Contents) -> tuple[str, Content]:
    """Return the role of a file, another if it is certainly of that, and its content."""
    errors: dict[str, ReadError] = {}
    found = tried(file.role, file.data, file.name, contents.budget, errors)
    if found is not None:
        return file.role, Content((), found, judges=_beside_grades(file, found))
    error, role = errors[file.role], OTHER[file.role]
    code = error.problems[0].code
    if (file.role, code) == ("qrels", "E-HEADER") and has_judge_columns(file.data, file.name):
        return file.role, Content((), judges=read_judges(file.data, file.name))
    if code == OTHER_ROLE:
        found = tried(role, file.data, file.name, contents.budget, errors)
    if found is None:
        # The first error, where it is not of the other role either.
        raise error
    text = f"{error.problems[0].file} was uploaded as {file.role} and used as {role}."
    contents.moved.append((error, Note(text, "N-ROLE")))
    return role, Content((), found)


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
    """Give texts of unknown role the one that their ids have in the rows.

    Pairs of two words are judgments if most of the second ones are documents; if some are, only a
    person knows.
    """
    if not contents.unsorted:
        return
    known: list[Pairs] = [*contents.qrels, *contents.runs]
    known += [before.qrels, *before.runs] if before else []
    queries = {query for pairs in known for query in pairs.queries}
    documents = {each for pairs in known for each in pc.unique(pairs.document).to_pylist()}
    for place, content in contents.unsorted.items():
        seen, pairs, corpus = contents.seen[place], content.pairs, content.corpus or Corpus()
        seconds = sum(text in documents for text in corpus.texts.values()) if pairs else 0
        if 2 * seconds > len(corpus.texts) and not hinted(seen.name, (EXCLUDED,)):
            contents.seen[place] = replace(seen, role="qrels", holds=_rows_in(pairs[0]))
            contents.qrels += [each for each in pairs if isinstance(each, Qrels)]
        elif (
            not seconds
            and not content.is_doubtful
            and (role := kind_of_texts(corpus.texts, seen.name, queries, documents))
        ):
            role = ATTRIBUTES if corpus.are_groups else role
            contents.seen[place] = replace(seen, role=role)
            _keep_texts(role, corpus, seen.name, contents)


def _keep_texts(role: str, corpus: Corpus, name: str, contents: Contents) -> None:
    attributes = corpus.attributes if role == ATTRIBUTES else {}
    if role == QUERY_TEXTS:
        # Beside texts only numbers and what repeats are attributes: a narrative is another text.
        columns = corpus.fields.items()
        attributes = {key: of for key, of in columns if repeats(of) or weights(of)}
        attributes.pop(TITLE, None)
    if role in contents.texts or not contents.attributes.keys().isdisjoint(attributes):
        what = CALLED[role]
        fix = f"Keep one file with {what}, or change what {name} is taken for."
        contents.problems.append(RankscopeError(f"{name}: found {what} again. {fix}"))
    contents.attributes |= attributes
    if role != ATTRIBUTES:
        contents.texts[role] = corpus
    unused = corpus.fields.keys() - {TITLE, *attributes}
    if role != DOCUMENT_TEXTS and unused:
        text = f"{name}: columns that are not used: {', '.join(map(quote, sorted(unused)))}."
        contents.notes.append(Note(text, UNUSED_COLUMNS))


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
    seen
        What each file was taken for, in their order.
    needs
        ``qrels`` or ``run``, where all files were read and that is still missing.
    unjudged
        The runs as data without judgments, where only qrels are missing; or the texts of queries
        and documents, where there is nothing else, with the documents in the order of their file.
    """

    dataset: Dataset | None
    problems: tuple[RankscopeError, ...] = ()
    notes: tuple[Note, ...] = ()
    read: tuple[Pairs, ...] = ()
    apart: tuple[Dataset, Mapping[str, Mend]] | None = None
    seen: tuple[Seen, ...] = ()
    needs: tuple[str, ...] = ()
    unjudged: Dataset | None = None


def add_files(files: Iterable[Given], before: Dataset | None = None) -> Taken:
    """Read all files and add them to the earlier data, unless any of them is refused.

    New qrels and texts replace the old ones; a new run is added to the old ones, with a number
    after its name where an earlier run has the same. A file that is certainly of the other kind
    is accepted as what it is.

    Examples
    --------
    >>> files = [Given("a.txt", b"q1 Q0 d1 1 2 a", "qrels"), Given("b.txt", b"q1 0 d1 1", "run")]
    >>> taken = add_files(files)
    >>> taken.dataset.runs, len(taken.notes)
    ((Run('a': 1 queries, 1 rows),), 2)
    """
    contents = Contents()
    for file in files:
        if contents.budget.is_spent:
            # No file is read after the one that had no room; its refusal stands for all.
            contents.seen.append(Seen(file.name, refusal=contents.problems[-1]))
            continue
        try:
            with telling(labels=dict(file.labels)):
                contents.seen.append(add(file, contents))
        except ScoresError as error:
            contents.scores[len(contents.seen)] = error
            contents.seen.append(Seen(file.name))
        except RankscopeError as error:
            contents.problems.append(error)
            contents.seen.append(Seen(file.name, refusal=error))
    use_halves(contents, before)
    sort_texts(contents, before)
    qrels = _qrels(contents, before)
    for at, scores in contents.scores.items():
        contents.seen[at] = _of_lines(contents.seen[at].name, scores, qrels, contents)
    rankings = _joined(before.rankings if before else (), contents)
    if qrels is None or not rankings:
        # With files of one kind only, a file in the wrong role is refused.
        contents.problems += [refusal for refusal, _ in contents.moved]
    else:
        contents.notes[:0] = [note for _, note in contents.moved]
    missing = (("qrels", qrels is not None), ("run", bool(rankings)))
    found = Taken(
        None,
        tuple(contents.problems),
        tuple(contents.notes),
        (*contents.qrels, *contents.runs),
        seen=tuple(contents.seen),
        needs=tuple(role for role, is_there in missing if not is_there),
    )
    is_open = any(each.is_open for each in contents.seen)
    if qrels is None and before is None and not rankings:
        rankings = _in_order_of_file(contents)
    if contents.problems or is_open or not rankings:
        return found
    if qrels is None:
        alone = _checked(_dataset(no_judgments(rankings), rankings, contents, before), (), found)
        # More runs are added to runs that are without judgments already.
        is_taken = before is not None or alone.problems
        return alone if is_taken else replace(found, unjudged=alone.dataset)
    dataset = _dataset(qrels, rankings, contents, before)
    return _checked(dataset, [each for each in rankings if isinstance(each, JudgedRankings)], found)


def _of_lines(name: str, scores: ScoresError, qrels: Qrels | None, contents: Contents) -> Seen:
    """Add the run of scores without ids, or why there is none; return what their file is."""
    try:
        if qrels is None:
            raise scores
        run = scores.run(qrels, title(name))
    except ReadError as error:
        contents.problems.append(error)
        return Seen(name, refusal=error)
    contents.runs.append(run)
    return Seen(name, "run", holds=f"{count(len(run), 'score')}, in the order of {qrels.name}")


def _qrels(contents: Contents, before: Dataset | None) -> Qrels | None:
    """Return the qrels of the new files, else of the earlier data; None where there are none.

    Of several judges a human one gives the qrels, else the first; judged rankings bring their own.
    """
    earlier = before.qrels if before and before.is_judged else None
    files = contents.qrels
    unlike = len({each.digest for each in files}) == len(files)
    if len(files) > 1 and unlike and all(map(partial(_alike, files[0]), files[1:])):
        # Several files that judge the same documents are several judges.
        contents.judges[:0] = files
        files.clear()
        earlier = None
    if not contents.qrels and contents.judges and earlier is None:
        human = (at for at, each in enumerate(contents.judges) if "human" in each.name.lower())
        first = contents.judges.pop(next(human, 0))
        contents.qrels.append(first)
        if contents.judges:
            others = "the others are on Judge, under Two judges"
            text = f"The qrels are the grades of {quote(first.name)}; {others}."
            contents.notes.append(Note(text, "N-FIRST-JUDGE"))
    if len(contents.qrels) > 1:
        number, names = len(contents.qrels), ", ".join(each.name for each in contents.qrels)
        text = (
            f"{count(number, 'file')} contain judgments ({names}); upload the one by "
            "which the runs are to be scored."
        )
        contents.problems.append(RankscopeError(text))
    qrels = contents.qrels[-1] if contents.qrels else earlier
    if qrels is None and contents.judged:
        qrels = contents.judged[0].qrels
        text = f"The judgments are those in the judged rankings {contents.judged[0].name}."
        contents.notes.append(Note(text, "N-JUDGED-QRELS"))
    return qrels


def _alike(one: Qrels, other: Qrels) -> bool:
    """Return whether two judge the same documents: most of the first rows of the other."""
    known, most = one.to_dict(), min(len(other), 1_000)
    rows = zip(other.query[:most].tolist(), other.document[:most].to_pylist(), strict=True)
    return 2 * sum(name in known.get(other.queries[at], ()) for at, name in rows) > most


def no_judgments(rankings: Iterable[Rankings]) -> Qrels:
    """Return qrels of all queries of the runs, without a judgment.

    Examples
    --------
    >>> no_judgments([Run.from_dict({"q1": {"d": 1}}), Run.from_dict({"q2": {"d": 1}})]).queries
    ('q1', 'q2')
    """
    queries = dict.fromkeys(query for each in rankings for query in each.queries)
    return Qrels.from_dict({query: {} for query in queries}, "no judgments")


LISTED = 100
"""At most this many documents are listed for a query where there are only texts."""


def _in_order_of_file(contents: Contents) -> list[Rankings]:
    """Return the texts of documents as the ranking of each query; none without both kinds."""
    if not {QUERY_TEXTS, DOCUMENT_TEXTS} <= contents.texts.keys():
        return []
    documents = [*islice(contents.texts[DOCUMENT_TEXTS].texts, LISTED)]
    scores = {name: float(-rank) for rank, name in enumerate(documents, 1)}
    queries = contents.texts[QUERY_TEXTS].texts
    return [Run.from_dict(dict.fromkeys(queries, scores), "order of the file")]


def _dataset(
    qrels: Qrels, rankings: Sequence[Rankings], contents: Contents, before: Dataset | None
) -> Dataset:
    """Return the data of the new and the earlier files, without judged rankings."""
    texts = {key: getattr(before, key) for key in TEXTS} if before else {}
    fields = before.document_fields if before else {}
    if corpus := contents.texts.get(DOCUMENT_TEXTS):
        fields = corpus.fields
    texts |= {role: corpus.texts for role, corpus in contents.texts.items()}
    # A new file replaces the attributes of its names, and no others.
    texts[ATTRIBUTES] = {**texts.get(ATTRIBUTES, {}), **contents.attributes}
    runs = tuple(each for each in rankings if isinstance(each, Run))
    earlier = before.judges if before else ()
    known = {each.digest for each in (qrels, *earlier)}
    new = [each for each in contents.judges if each.digest not in known]
    judges = tuple(named([*earlier, *new], [qrels.name]).values())
    made = Dataset("Your data", qrels, runs, **texts, document_fields=fields, judges=judges)
    qrels = named_by_ids(qrels, made.query_texts, {q for run in runs for q in run.queries})
    for excluded in (before.qrels.excluded if before else {}, *contents.excluded):
        qrels = qrels.without(excluded)
    runs = tuple(named_by_ids(run, made.query_texts, qrels.queries) for run in runs)
    return replace(made, qrels=qrels, runs=tuple(run.without(qrels.excluded) for run in runs))


def mended(dataset: Dataset, mends: Mapping[str, Mend]) -> Dataset:
    """Return the data with these changes to their runs."""
    runs = tuple(
        mends[run.name].apply(run, dataset.qrels).without(dataset.qrels.excluded)
        if run.name in mends
        else run
        for run in dataset.runs
    )
    return replace(dataset, runs=runs)


def _joined(old: Sequence[Rankings], contents: Contents) -> list[Rankings]:
    """Return the earlier and the new rankings with unique names; note those that appear twice."""
    named = {run.name: run for run in old}
    new: list[Rankings] = [*contents.runs, *contents.judged]
    for run in new:
        if run.name in named and _content(named[run.name]) == _content(run):
            text = f"The run {run.name} is already loaded, with the same rows."
            contents.notes.append(Note(text, "N-SAME-RUN"))
            continue
        name = free(run.name, named)
        if name != run.name:
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
            problems.append(apart(run.name, run.queries, dataset.qrels.queries, mend))
            mends |= {run.name: mend} if mend else {}
    try:
        require_room(dataset)
    except RankscopeError as error:
        problems.append(error)
    if not problems:
        return replace(found, dataset=dataset)
    would_match = (dataset, mends) if len(mends) == len(problems) else None
    return replace(found, problems=tuple(problems), apart=would_match)


def named_by_ids(pairs: PairsT, texts: Mapping[str, str], others: Collection[str]) -> PairsT:
    """Return a run or qrels with ids in the place of query texts, and a note; itself without need.

    ``texts`` has the text of each query by its id; a text of several queries joins nothing.
    ``others`` are the queries of the files on the other side: ids join only if no query is there by
    its text.

    Examples
    --------
    >>> from metrics import Qrels
    >>> qrels = Qrels.from_dict({"star wars": {"11": 3}}, "quepid")
    >>> found = named_by_ids(qrels, {"q7": "Star Wars"}, {"q7", "q8"})
    >>> print(found.to_dict(), *found.notes)
    {'q7': {'11': 3.0}} 1 query was named by its text and has its id now: 'star wars' is 'q7'.
    """
    if not texts or not set(pairs.queries).isdisjoint(others):
        return pairs
    times = Counter(map(_plain, texts.values()))
    ids = {_plain(text): each for each, text in texts.items() if text and times[_plain(text)] == 1}
    found = {query: ids[_plain(query)] for query in pairs.queries if _plain(query) in ids}
    renamed = {query: each for query, each in found.items() if each in others}
    if not renamed or len(set(renamed.values())) < len(renamed):
        return pairs
    first, called = next(iter(renamed.items()))
    many = count(len(renamed), "query was", "queries were")
    has = "its text and has its id" if len(renamed) == 1 else "their texts and have their ids"
    note = Note(f"{many} named by {has} now: {quote(first)} is {quote(called)}.", "N-QUERY-TEXT")
    queries = tuple(renamed.get(query, query) for query in pairs.queries)
    return replace(pairs, queries=queries).noted((*pairs.notes, note))


def _plain(text: str) -> str:
    """Return a text without what two programs may write in two ways: case and white space."""
    return " ".join(text.split()).casefold()
