"""Uploaded files -> one data set, or the reasons for a refusal; never a part of them."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from ..data import TEXTS, Note, Pairs, PairsT, Qrels, Run
from ..dataset import Dataset
from ..errors import DataError, RankscopeError
from ..matching import JudgedRankings, Rankings
from ..reading.judges import named
from ..words import count, free, quote
from . import audit
from .contents import Contents, Given, Seen, add, sort_texts, use_halves
from .dataset_checks import require_hits, require_room
from .id_mismatch import Mend, for_run
from .recognition import DOCUMENT_TEXTS, QUERY_TEXTS


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
            contents.seen.append(add(file, contents))
        except RankscopeError as error:
            contents.problems.append(error)
            contents.seen.append(Seen(file.name, refusal=error))
    use_halves(contents, before)
    sort_texts(contents, before)
    qrels = _qrels(contents, before)
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


def _qrels(contents: Contents, before: Dataset | None) -> Qrels | None:
    """Return the qrels of the new files, else of the earlier data; None where there are none.

    Of several judges the first gives the qrels; judged rankings bring their own.
    """
    earlier = before.qrels if before and before.is_judged else None
    if not contents.qrels and contents.judges and earlier is None:
        first = contents.judges.pop(0)
        contents.qrels.append(first)
        if contents.judges:
            others = "the others are on Judge, under Two judges"
            text = f"The qrels are the grades of {quote(first.name)}; {others}."
            contents.notes.append(Note(text, "N-FIRST-JUDGE"))
    if len(contents.qrels) > 1:
        number, names = len(contents.qrels), ", ".join(each.name for each in contents.qrels)
        text = f"{count(number, 'file')} contain judgments ({names}); upload one qrels file."
        contents.problems.append(RankscopeError(text))
    qrels = contents.qrels[-1] if contents.qrels else earlier
    if qrels is None and contents.judged:
        qrels = contents.judged[0].qrels
        text = f"The judgments are those in the judged rankings {contents.judged[0].name}."
        contents.notes.append(Note(text, "N-JUDGED-QRELS"))
    return qrels


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
    runs = tuple(each for each in rankings if isinstance(each, Run))
    earlier = before.judges if before else ()
    known = {each.digest for each in (qrels, *earlier)}
    new = [each for each in contents.judges if each.digest not in known]
    judges = tuple(named([*earlier, *new], [qrels.name]).values())
    made = Dataset("Your data", qrels, runs, **texts, document_fields=fields, judges=judges)
    qrels = named_by_ids(qrels, made.query_texts, {q for run in runs for q in run.queries})
    runs = tuple(named_by_ids(run, made.query_texts, qrels.queries) for run in runs)
    return replace(made, qrels=qrels, runs=runs)


def mended(dataset: Dataset, mends: Mapping[str, Mend]) -> Dataset:
    """Return the data with these changes to their runs."""
    runs = tuple(
        mends[run.name].apply(run, dataset.qrels) if run.name in mends else run
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


def named_by_ids(pairs: PairsT, texts: Mapping[str, str], others: Collection[str]) -> PairsT:
    """Return a run or qrels with ids in the place of query texts, and a note; itself without need.

    Parameters
    ----------
    texts
        The text of each query by its id; texts of several queries join nothing.
    others
        The queries of the files on the other side: ids join only if no query is there by its text.

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
