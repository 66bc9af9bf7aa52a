"""Findings on a data set: ids that do not match, missing judgments, odd files, and its size."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrays import Ints, bincount
from ..conventions.convention import TREC_EVAL
from ..data import Note, Qrels, Run
from ..dataset import Dataset
from ..defaults import MEASURE
from ..errors import NoOverlapError, RankscopeError
from ..limits import current
from ..matching.batches import Given
from ..matching.judged import JudgedRankings, Rankings, match, own_documents
from ..matching.judged import listed as ranked
from ..reading.problems import LOW_GRADES, OVERHEAD, weight, weight_of_texts
from ..reading.row_notes import usual_level
from ..scoring.evaluate import evaluate
from ..words import count, listed, quote
from .coverage import ENOUGH, SHORT, Coverage, coverage
from .id_mismatch import OF_SPANS, Mend, for_documents, for_queries, for_run

FRAGMENT = 3
"""A run with fewer documents is an example: its coverage is no warning, unless it is 0."""

KINDS = ("may mislead", "worth knowing")
"""The kinds of findings, the more important one first."""
_CHOOSE_MEAN = "Choose in the convention which queries the mean is over."
_JUDGE_THEM = "Judge them, or trust only a clear lead."
SAME_IDS = "Make the ids the same in both files, character for character."
"""The fix where no id of a run matches the qrels."""


@dataclass(frozen=True)
class Finding:
    """One finding on a file.

    Attributes
    ----------
    about
        A run's name, ``qrels``, ``texts``, or ``attributes``.
    text
        The sentences to show.
    warns
        Whether it may make a number misleading; otherwise it is information.
    mend
        A change to the run that would fix it.
    level
        The grade from which documents should count as relevant, where another would fix it.
    seen, unjudged
        The coverage, where the text is that of `few_judged`; a document without a grade.
    todo
        What to do about it, in one short sentence.
    """

    about: str
    text: str
    warns: bool = True
    mend: Mend | None = None
    level: float | None = None
    seen: Coverage | None = None
    unjudged: str = ""
    todo: str = ""

    @property
    def kind(self) -> str:
        """Whether it may mislead or is worth knowing; ids that can be made to match may mislead."""
        return KINDS[not (self.warns or self.mend)]

    def __str__(self) -> str:
        return f"{self.about}: {self.text}" + (f" The {self.mend}." if self.mend else "")


def require_overlap(qrels: Qrels, run: Run) -> None:
    """Refuse a run without a judged query.

    Raises NoOverlapError with an id of each side, and the likely reason.

    Examples
    --------
    >>> require_overlap(Qrels.from_dict({"1": {"d": 1}}), Run.from_dict({"q1": {"d": 1}}, "bm25"))
    Traceback (most recent call last):
    ...
    metrics.errors.NoOverlapError: bm25: 0 of 1 queries overlap with the qrels: the run has \
'q1', the qrels have '1'. The query ids differ by a prefix: 'q1' would be '1', and 1 of 1 id would \
match. Make the ids the same in both files, character for character.
    """
    if not set(run.queries) & set(qrels.queries):
        raise apart(run.name, run.queries, qrels.queries, for_run(run, qrels))


def apart(name: str, run: Sequence[str], qrels: Sequence[str], mend: Mend | None) -> NoOverlapError:
    """Return the error for a run and qrels that share no query, with the likely reason."""
    return NoOverlapError(f"{_no_query(name, run, qrels, mend)} {SAME_IDS}")


def nothing_matched(qrels: Qrels, run: Run) -> Finding | None:
    """Return the reason why no document of a run is judged; None when at least one is.

    Examples
    --------
    >>> qrels, run = Qrels.from_dict({"1": {"d": 1}}), Run.from_dict({"1": {"d.txt": 1}}, "bm25")
    >>> print(nothing_matched(qrels, run))
    bm25: No document of the run is judged: the run has 'd.txt', the qrels have 'd'. The document \
ids differ by a file name's ending: 'd.txt' would be 'd', and 1 of 1 id would match.
    """
    if set(run.queries).isdisjoint(qrels.queries):
        return _no_query(run.name, run.queries, qrels.queries, for_run(run, qrels))
    if len(match(qrels, run).hits):
        return None
    ids = (quote(pairs.document[0].as_py()) for pairs in (run, qrels))
    text = "No document of the run is judged: the run has {}, the qrels have {}.".format(*ids)
    return Finding(run.name, text, mend=for_documents(run, qrels))


def fix_ids(qrels: Given, run: Given, *, parts: bool = False) -> Run:
    """Return the run after every change of its ids that the audit offers and that is certain.

    The run's notes name the changes. Each kind of id changes at most once.

    Parameters
    ----------
    qrels
        `Qrels`, ``{query: {document: grade}}``, or a frame: see `match`.
    run
        A `Run`, ``{query: {document: score}}``, or a frame.
    parts
        Match parts of documents, too: the best chunk stands for a document that was judged, and a
        span for a judged one that it overlaps.

    Raises
    ------
    DataError
        When one has the wrong type.

    Examples
    --------
    >>> qrels = Qrels.from_dict({"q1": {"d": 1}})
    >>> fix_ids(qrels, Run.from_dict({"1": {"d.txt": 1}})).to_dict()
    {'q1': {'d': 1.0}}
    >>> run = Run.from_dict({"q1": {"d:0-90": 1}})
    >>> fix_ids(Qrels.from_dict({"q1": {"d:50-60": 1}}), run, parts=True).to_dict()
    {'q1': {'d:50-60': 1.0}}
    """
    qrels, run, done = Qrels.of(qrels), Run.of(run), set[str]()

    def wanted(mend: Mend) -> bool:
        return mend.part not in done and (mend.is_sure or (parts and mend.is_of_parts))

    while mend := next(filter(wanted, _offered(qrels, run, parts=parts)), None):
        run = mend.apply(run, qrels)
        done.add(mend.part)
    return run


def _offered(qrels: Qrels, run: Run, *, parts: bool) -> list[Mend]:
    """Return the changes that would make more ids of a run match."""
    nothing = nothing_matched(qrels, run)
    found = [nothing] if nothing else _of_run(qrels, run, coverage(qrels, run))
    offered = [each.mend for each in found if each.mend]
    # Where some ids match, the audit does not offer chunks.
    asked = for_documents(run, qrels) if parts and not offered else None
    return [*offered, asked] if asked else offered


def _no_query(name: str, run: Sequence[str], qrels: Sequence[str], mend: Mend | None) -> Finding:
    text = (
        f"0 of {len(run):,} queries overlap with the qrels: the run has {quote(run[0])}, the qrels "
        f"have {quote(qrels[0])}."
    )
    return Finding(name, text, mend=mend)


def findings(dataset: Dataset, seen: Mapping[str, Coverage] | None = None) -> list[Finding]:
    """Return what was assumed while reading and what does not match.

    ``seen`` is the coverage of each run, by name, if it is already known.

    Examples
    --------
    >>> qrels = Qrels.from_dict({"q1": {"d": 2, "e": 0}, "q2": {"d": 1, "f": 0}})
    >>> run = Run.from_dict({"q1": {"d": 3, "e": 2, "x": 1}}, "bm25")
    >>> for finding in findings(Dataset("mine", qrels, (run,))):
    ...     print(finding)
    bm25: 1 of 2 judged queries is missing from the run: 'q2'. A mean over all judged queries \
counts it as 0, one over the run's own leaves it out. Mean nDCG@10, as trec_eval: 0.5000 with \
zeros, 1.0000 without.
    bm25: 33.3 % of the top 3 documents were not judged. From 5 % on, their grades could turn a \
close comparison: judge them, or trust only a clear lead.
    """
    if not dataset.is_judged:
        return [finding for run in dataset.runs for finding in _noted(run.name, run.notes)]
    qrels = dataset.qrels
    found = [*_noted("qrels", qrels.notes, usual_level(qrels.value)), *_of_qrels(qrels)]
    for run in dataset.runs:
        found += _noted(run.name, run.notes)
        of_run = seen[run.name] if seen else coverage(dataset.qrels, run)
        nothing = None if of_run.shared else nothing_matched(dataset.qrels, run)
        found += [nothing] if nothing else _of_run(dataset.qrels, run, of_run)
    found += [*_of_lengths(dataset), *_of_corpus(dataset), *_of_attributes(dataset)]
    for judged in dataset.judged:
        of_judged = seen[judged.name] if seen else coverage(dataset.qrels, judged)
        found += [*_noted(judged.name, judged.notes), *_of_judged(judged, of_judged)]
    return found


def few_judged(k: int, *shares: float, unjudged: str = "") -> str:
    """Return the sentence about judged shares of the top ``k`` below `ENOUGH`, one for each run.

    ``unjudged``: a document to name.
    """
    # What is judged and what is not add up to 100 % as printed, too.
    most, least = ((1000 - round(1000 * each)) / 10 for each in (min(shares), max(shares)))
    span = f"{most:g} % of the"
    if most > least:
        span = f"{least:.1f} to {most:.1f} % of each run's"
    named = f", for example {unjudged}" if unjudged else ""
    return (
        f"{span} top {k} documents were not judged{named}. From {100 * (1 - ENOUGH):.0f} % on, "
        "their grades could turn a close comparison: judge them, or trust only a clear lead."
    )


def together(found: Iterable[Finding]) -> Iterator[tuple[list[str], str, str]]:
    """Yield each finding once: the files that it is about, its text for all of them, what to do."""
    alike: dict[object, list[Finding]] = {}
    for each in found:
        alike.setdefault(each.seen.k if each.seen else each.text, []).append(each)
    for group in alike.values():
        text = group[0].text
        if seen := [each.seen for each in group if each.seen]:
            depth, shares = max(each.depth for each in seen), [each.share for each in seen]
            text = few_judged(depth, *shares, unjudged=group[0].unjudged)
        yield [each.about for each in group], text, group[0].todo


def not_kept(*rankings: Rankings, named: Callable[[str], str] = quote) -> list[str]:
    """Return what a comparison of these does not say; nothing where all are whole runs.

    ``named`` writes the name of a run.

    Examples
    --------
    >>> qrels, run = Qrels.from_dict({"q": {"d": 1}}), Run.from_dict({"q": {"d": 2}}, "bm25")
    >>> not_kept(run), not_kept(run, match(qrels, run))[0][:41]
    ([], "'bm25': unjudged documents are not kept, ")
    """
    names = [each.name for each in rankings if not isinstance(each, Run)]
    if not names:
        return []
    runs = ", ".join(map(named, names))
    return [
        f"{runs}: unjudged documents are not kept, so the verdict does not say what grades for "
        "them could change, or whether their ids differ from those of the qrels."
    ]


def unlisted(one: JudgedRankings) -> str:
    """Return how many documents of one query's ranking are not kept; empty where all are."""
    if not one.unlisted:
        return ""
    shown = one.shown().hits
    unjudged = shown.rank[np.isnan(shown.grade)]
    which = f"below rank {unjudged[-1]} " if len(unjudged) else ""
    return (
        f"Unjudged documents {which}are not kept: {one.unlisted:,} of "
        f"{count(int(one.retrieved.sum()), 'retrieved document')} are not listed, and add 0."
    )


def notes(dataset: Dataset) -> list[str]:
    """Return the findings as sentences."""
    return list(map(str, findings(dataset)))


def assumed(qrels: Qrels, *runs: Rankings) -> list[str]:
    """Return the rules that were applied to read the files or change their ids, each with its file.

    Examples
    --------
    >>> from metrics import read_run
    >>> assumed(Qrels.from_dict({"q": {"d": 1}}), read_run(b"#\\nq Q0 d 1 2 t", "bm25"))
    ["bm25: 1 comment line left out, the first is '#'."]
    """
    every = (("qrels", qrels), *((run.name, run) for run in runs))
    return [f"{about}: {note}" for about, pairs in every for note in pairs.notes if note.warns]


def _noted(about: str, notes: Iterable[Note], level: float | None = None) -> list[Finding]:
    """Return the notes from reading as findings; ``level`` is what low grades need."""
    levels = {LOW_GRADES: level}
    return [Finding(about, note.text, note.warns, level=levels.get(note.code)) for note in notes]


def _of_qrels(qrels: Qrels) -> Iterator[Finding]:
    """Return the findings on the grades."""
    relevant = set(qrels.query[qrels.value >= TREC_EVAL.level].tolist())
    without = [query for number, query in enumerate(qrels.queries) if number not in relevant]
    if relevant and without:
        what = count(len(without), "query has", "queries have")
        yield Finding(
            "qrels",
            f"{what} no relevant document: {listed(without)}. trec_eval scores such a query 0, "
            "others 1 or not at all.",
            warns=False,
            todo="Choose in the convention how such a query counts.",
        )
    if len(qrels) >= FRAGMENT and set(np.unique(qrels.value).tolist()) == {0.0, 1.0}:
        text = "Grades are only 0 and 1: graded measures add nothing to binary ones."
        yield Finding("qrels", text, warns=False)


def _of_run(qrels: Qrels, run: Run, seen: Coverage) -> Iterator[Finding]:
    """Return the findings on a run and qrels that share a query."""
    warns = len(run) >= FRAGMENT
    if _are_grades(run, qrels):
        text = "Every row is also in the qrels, with its score as grade: is this the qrels file?"
        yield Finding(run.name, text)
    if seen.only_qrels:
        text = _missing(seen) + _means(qrels, run)
        mend = for_queries(seen.only_run, seen.only_qrels) if seen.only_run else None
        yield Finding(run.name, text, warns, mend, todo=_CHOOSE_MEAN)
    if seen.only_run:
        # This always warns, because rows were left out.
        yield Finding(run.name, _not_judged(seen), todo="Judge them to count them.")
    if not seen.judged.any():
        text = f"0 % of the top {seen.depth} documents were judged: the scores cannot be trusted."
        yield Finding(run.name, text, mend=for_documents(run, qrels))
    elif seen.share < ENOUGH:
        text = few_judged(seen.depth, seen.share)
        # Where some ids match, other reasons may be chance; spans are of documents that match.
        mend = for_documents(run, qrels)
        mend = mend if mend and (mend.is_sure or mend.reason == OF_SPANS) else None
        warns = warns and mend is not None
        unjudged = _unjudged(qrels, run, str(seen.judged.idxmin()))
        yield Finding(run.name, text, warns, mend, None, seen, unjudged, todo=_JUDGE_THEM)
    if seen.cut:
        what = count(seen.cut, "query", "queries")
        text = f"In {what} equal scores are on both sides of rank {seen.k}: the tie rule decides."
        yield Finding(run.name, text, warns=False, todo="Choose it in the convention.")
    if own := _own_documents(run, seen):
        yield Finding(run.name, own, warns=False)


def _unjudged(qrels: Qrels, run: Run, query: str) -> str:
    """Return the first document without a grade in a query's ranking, and the query."""
    hits = ranked(qrels.only(query), run.only(query), TREC_EVAL).hits
    document = hits.document[int(np.isnan(hits.grade).argmax())].as_py()
    return f"{quote(document)} of query {quote(query)}"


def _of_lengths(dataset: Dataset) -> Iterator[Finding]:
    """Yield a finding on each run whose lists are far shorter than those of another."""
    sizes = {run.name: int(np.median(bincount(run.query))) for run in dataset.runs if len(run)}
    longest = max(sizes, key=sizes.__getitem__, default="")
    for name, size in sizes.items():
        if size < SHORT * sizes[longest]:
            yield Finding(
                name,
                f"The median query has {count(size, 'document')} in {quote(name)}, and "
                f"{sizes[longest]:,} in {quote(longest)}: measures that look below rank {size:,}, "
                "as R@100 or AP may, favour the longer lists.",
                warns=False,
                todo=f"Compare at a cutoff of at most {size:,}.",
            )


def _of_corpus(dataset: Dataset) -> Iterator[Finding]:
    """Yield findings on texts that are all documents, as those of all runs: what they lack.

    Where a run has a document without a text, the texts are only a part of the documents.
    """
    texts, qrels = dataset.document_texts, dataset.qrels
    corpus = pa.array(list(texts), pa.string())
    runs = [run.document for run in dataset.runs]
    if not texts or not all(pc.all(pc.is_in(each, corpus)).as_py() for each in runs):
        return
    relevant = qrels.value > 0
    there = np.asarray(pc.is_in(qrels.document, corpus).to_pylist(), bool)
    if (gone := relevant & ~there).any():
        found, every = (
            bincount(qrels.query[rows], minlength=len(qrels.queries))
            for rows in (relevant & there, relevant)
        )
        most = found / np.maximum(every, 1)
        first = int(np.argmax(gone))
        query = qrels.query[first]
        yield Finding(
            "qrels",
            f"{count(int(gone.sum()), 'relevant document')} can never be found, since the texts "
            f"lack them: the first is {quote(qrels.document[first].as_py())} of query "
            f"{quote(qrels.queries[query])}, whose recall is at most {most[query]:.2f}. Mean "
            f"recall is at most {most[every > 0].mean():.4f}.",
        )
    if empty := [document for document, text in texts.items() if not text.strip()]:
        yield Finding("texts", f"{count(len(empty), 'empty text')}: {listed(empty)}.", warns=False)
    first_with: dict[str, str] = {}
    again = [each for each, text in texts.items() if first_with.setdefault(text, each) != each]
    if again := [each for each in again if texts[each].strip()]:
        same = quote(first_with[texts[again[0]]])
        text = f"{count(len(again), 'document')} with the text of another: {quote(again[0])} has "
        yield Finding("texts", f"{text}that of {same}.", warns=False)


def _of_attributes(dataset: Dataset) -> Iterator[Finding]:
    """Yield the values of each attribute of queries, with how many judged queries have each."""
    queries, said = dataset.qrels.queries, list[str]()
    for name, of in dataset.query_attributes.items():
        values = Counter(of[query] for query in queries if query in of)
        lacking = len(queries) - values.total()
        if weigh := dataset.weights.get(name, {}).values():
            parts = [f"weights from {min(weigh):g} to {max(weigh):g}"]
        else:
            first = values.most_common(_VALUES)
            parts = [f"{quote(value)} ({number:,})" for value, number in first]
            parts += [f"{len(values) - len(first):,} more"] * (len(values) > len(first))
        parts += [f"none ({lacking:,})"] * bool(lacking)
        said.append(f"{quote(name)}: {', '.join(parts)}")
    if said:
        text = f"How many judged queries have each value: {'; '.join(said)}."
        yield Finding("attributes", text, warns=False)


_VALUES = 5
"""At most this many values of an attribute are listed, the most frequent ones."""


def _own_documents(run: Run, seen: Coverage) -> str:
    """Return in how many judged queries the run retrieves the query itself; empty for few."""
    shared = set(seen.shared)
    queries = (run.queries[number] for number in run.query[own_documents(run)].tolist())
    number = sum(query in shared for query in queries)
    # Numbers may be ids of a query and of another document by chance.
    if not number or 2 * number < len(shared):
        return ""
    return (
        f"In {number:,} of {count(len(shared), 'query', 'queries')} the run retrieves the document "
        "that has the query's id. BEIR and MTEB leave it out where queries are documents, as in "
        "ArguAna and Quora: own_document=removed does so."
    )


def _of_judged(judged: JudgedRankings, seen: Coverage) -> Iterator[Finding]:
    """Return the findings on judged rankings, whose ids can no longer be changed."""
    if seen.only_qrels:
        warns = int(judged.retrieved.sum()) >= FRAGMENT
        yield Finding(judged.name, _missing(seen), warns, todo=_CHOOSE_MEAN)
    if seen.only_run:
        yield Finding(judged.name, _not_judged(seen), todo="Judge them to count them.")
    if seen.share < ENOUGH:
        text = few_judged(seen.depth, seen.share)
        yield Finding(judged.name, text, warns=False, seen=seen, todo=_JUDGE_THEM)


def _are_grades(run: Run, qrels: Qrels) -> bool:
    """Return whether the scores of a run are the grades of its documents."""
    if len(run) > len(qrels) or not np.isin(run.value, np.unique(qrels.value)).all():
        return False
    if run.digest == qrels.digest:
        return True
    if len(run) < FRAGMENT or len(np.unique(run.value)) == 1:
        return False
    grades = qrels.to_dict()
    return all(
        documents.items() <= grades.get(query, {}).items()
        for query, documents in run.to_dict().items()
    )


def _missing(seen: Coverage) -> str:
    number, of = len(seen.only_qrels), len(seen.only_qrels) + len(seen.shared)
    is_missing = "query is" if of == 1 else "queries is" if number == 1 else "queries are"
    return (
        f"{number:,} of {of:,} judged {is_missing} missing from the run: "
        f"{listed(seen.only_qrels)}. A mean over all judged queries counts "
        f"{'it' if number == 1 else 'them'} as 0, one over the run's own leaves "
        f"{'it' if number == 1 else 'them'} out."
    )


def _not_judged(seen: Coverage) -> str:
    what = count(len(seen.only_run), "query", "queries")
    of = len(seen.shared) + len(seen.only_run)
    return (
        f"{what} of {of:,} in the run {'was' if len(seen.only_run) == 1 else 'were'} not judged "
        f"and left out: {listed(seen.only_run)}. {len(seen.shared):,} of {of:,} were."
    )


def _means(qrels: Qrels, run: Run) -> str:
    """Return the mean under each policy for missing queries."""
    both, every = (
        float(evaluate(qrels, run, MEASURE, replace(TREC_EVAL, queries=policy)).mean.iloc[0])
        for policy in ("both", "qrels")
    )
    return f" Mean {MEASURE}, as trec_eval: {every:.4f} with zeros, {both:.4f} without."


def size(dataset: Dataset) -> int:
    """Return about how many bytes a data set takes."""
    tables = map(weight, (dataset.qrels, *dataset.runs, *dataset.judges))
    judged = map(weight_of_judged, dataset.judged)
    return sum(tables) + sum(judged) + sum(map(weight_of_texts, dataset.texts()))


def weight_of_judged(judged: JudgedRankings) -> int:
    """Return about how many bytes judged rankings take, apart from the qrels of the data set."""
    ids = sum(OVERHEAD + len(query.encode()) for query in judged.queries)
    lines = sum(each.nbytes for each in (judged.hits, judged.top, judged.judged))
    return ids + lines + judged.retrieved.nbytes


def require_sound(dataset: Dataset) -> None:
    """Refuse a data set that uploaded files could not have produced.

    Raises RankscopeError for no run, two runs of one name, a run without rows, an id that is empty
    or too long, no overlap, or more data than a session may hold.
    """
    names = [each.name for each in dataset.rankings]
    if not names or len(set(names)) < len(names):
        raise RankscopeError("A data set needs at least one run, each with a unique name.")
    for pairs in (dataset.qrels, *dataset.runs, *dataset.judges):
        longest = max(map(len, (*pairs.queries, *pc.unique(pairs.document).to_pylist())), default=0)
        rows = len(pairs) or (pairs is dataset.qrels and not dataset.judged)
        if not rows or longest > current().id or not all(pairs.queries):
            raise RankscopeError(f"{pairs.name}: no rows, or an id that is empty or too long.")
        if pc.any(pc.equal(pairs.document, "")).as_py():
            raise RankscopeError(f"{pairs.name}: a document id is empty.")
    for run in dataset.runs:
        require_overlap(dataset.qrels, run)
    for judged in dataset.judged:
        if judged.qrels.digest != dataset.qrels.digest:
            raise RankscopeError(f"{judged.name}: judged by other judgments than the qrels.")
        require_hits(judged, judged.name)
    require_room(dataset)


def require_hits(judged: JudgedRankings, name: str) -> None:
    """Refuse judged rankings without a judged document: only the run would show the reason.

    Raises NoOverlapError with this name of the rankings.
    """
    if not len(judged.hits):
        raise NoOverlapError(f"{name}: no document of the run is judged. {SAME_IDS}")


def require_room(dataset: Dataset) -> None:
    """Refuse more data than a session may hold, or a longer ranking than it may show.

    Raises RankscopeError with the name of the limit.
    """
    for pairs in (dataset.qrels, *dataset.runs):
        _require_short(pairs.name, pairs.queries, pairs.query)
    for judged in dataset.judged:
        _require_short(judged.name, judged.queries, judged.hits.query)
    if (held := size(dataset)) > (most := current().session):
        raise RankscopeError(
            f"Your data would take {held:,} bytes; a session holds at most {most:,} (limit "
            "session). Drop a run, or cut each ranking at a smaller depth."
        )


def _require_short(name: str, queries: tuple[str, ...], query: Ints) -> None:
    """Refuse a list that is too long to be shown; ``query`` is the place of each row's query."""
    counts = bincount(query, minlength=1)
    if counts.max() > (most := current().ranking):
        raise RankscopeError(
            f"{name}: query {quote(queries[int(counts.argmax())])} has {counts.max():,} documents; "
            f"at most {most:,} (limit ranking). Cut each ranking at a smaller depth."
        )
