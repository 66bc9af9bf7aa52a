"""A judge's sheet: the judgments of one query, apart from any ranking."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

from ..data import Qrels
from .hand_ranking import Entry, HandRanking
from .history import History, differences
from .origin import Origin
from .signature import Signature

SHEET = "sheet"
"""What an origin has in the place of a run's digest, which is never a word."""


def own_sheet(judge: str) -> str:
    """Return the same for what a judge says who judges anew, beside the grades that count."""
    # An origin's parts have no slash, as a name may.
    word = hashlib.sha256(judge.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{SHEET}-{word}"


def counts(origin: Origin) -> bool:
    """Return whether the grades of an edited ranking are the query's: not those given anew."""
    return not origin.run.startswith(f"{SHEET}-")


def sheet(qrels: Qrels, query: str) -> HandRanking:
    """Return the judgments of a query as a ranking that ranks nothing.

    Examples
    --------
    >>> sheet(Qrels.from_dict({"q": {"a": 1}}), "q").unretrieved
    (Entry(document='a', grade=1.0, tied=False, signed=None),)
    """
    grades = qrels.only(query).to_dict().get(query, {})
    return replace(HandRanking.of(query, grades, []), aspects=qrels.aspects.get(query, {}))


Said = Mapping[str, tuple[float | None, Signature]]
"""By document: its grade, None where it cannot be graded, and who says so."""


def with_judgments(of_query: HandRanking, said: Said) -> HandRanking:
    """Return a sheet with what a judge said of documents; new ones come last.

    The same grade and note by the same judge change nothing.

    Raises EditError when a grade is not a finite number up to 1000.

    Examples
    --------
    >>> ada = Signature("Ada", "2026-11-25T09:30:00Z", "names the model")
    >>> judged = with_judgments(HandRanking("q", ()), {"d": (2, ada), "x": (None, ada)})
    >>> judged.grades, [entry.document for entry in judged.entries]
    ({'d': 2}, ['d', 'x'])
    """

    def changed(entry: Entry) -> Entry:
        if entry.document not in said:
            return entry
        grade, signed = said[entry.document]
        before = entry.signed and replace(entry.signed, time=signed.time)
        if (entry.grade, before) == (grade, signed):
            return entry
        return Entry(entry.document, grade, signed=signed)

    known = {entry.document for entry in of_query.unretrieved}
    new = (Entry(name, said[name][0], signed=said[name][1]) for name in said if name not in known)
    return replace(of_query, unretrieved=(*map(changed, of_query.unretrieved), *new))


def begun(history: History, grades: Mapping[str, float]) -> History:
    """Return the sheet of the query of a list, with the grades that count so far."""
    original = history.original
    blank = replace(HandRanking.of(original.query, original.grades, []), aspects=original.aspects)
    return History(blank, blank.with_grades(differences(original.grades, grades)))


def given_by(history: History, grades: Mapping[str, float | None], by: Signature) -> History:
    """Return a sheet's history with grades that were given elsewhere, as a step by their judge.

    A loaded grade is nobody's, and neither is the lack of one.

    Examples
    --------
    >>> blank = HandRanking.of("q", {"a": 1}, [])
    >>> ada = Signature("Ada", "2026-11-25T09:30:00Z")
    >>> given_by(History(blank, blank), {"a": 3}, ada).present.unretrieved[0].signed == ada
    True
    """
    loaded = history.original.grades
    said = {
        document: (grade, by)
        for document, grade in grades.items()
        if grade is not None and grade != loaded.get(document)
    }
    return history.then(with_judgments(history.present.with_grades(grades), said))


def given_or_undone(history: History, grades: Mapping[str, float | None], by: Signature) -> History:
    """Return what `given_by` does, but for a step back or forward one step of the sheet.

    So whoever gave the grade before has given it again.

    Examples
    --------
    >>> blank = HandRanking.of("q", {"a": 1}, [])
    >>> ada, bob = (Signature(name, "2026-11-25T09:30:00Z") for name in ("Ada", "Bob"))
    >>> both = given_by(given_by(History(blank, blank), {"a": 3}, ada), {"a": 2}, bob)
    >>> given_or_undone(both, {"a": 3}, bob).present.signed == (Entry("a", 3, signed=ada),)
    True
    """
    after = history.present.with_grades(grades).grades

    def others(of_query: HandRanking) -> list[Entry]:
        return [entry for entry in of_query.entries if entry.document not in grades]

    for step in (history.undo(), history.redo()):
        if step.present.grades == after and others(step.present) == others(history.present):
            return step
    return given_by(history, grades, by)


def merged(ours: History, before: HandRanking, theirs: HandRanking) -> History:
    """Return a sheet's history with what others said on the sheet meanwhile, in each of its steps.

    Of a document of which both said something since ``before``, the later signature holds.

    Examples
    --------
    >>> blank = HandRanking.of("q", {"a": 1}, [])
    >>> ada, bob = (Signature(name, "2026-11-25T09:30:00Z") for name in ("Ada", "Bob"))
    >>> ours, theirs = (
    ...     given_by(History(blank, blank), *said) for said in (({"a": 3}, ada), ({"b": 2}, bob))
    ... )
    >>> merged(ours, blank, theirs.present).present.grades
    {'a': 3, 'b': 2}
    """
    known, now, other = (
        {entry.document: entry for entry in each.unretrieved}
        for each in (before, ours.present, theirs)
    )

    def is_later(document: str) -> bool:
        mine, other_one = now.get(document), other.get(document)
        if mine == known.get(document):
            return True
        times = (each.signed.time if each and each.signed else "" for each in (mine, other_one))
        return next(times) < next(times)

    new = [
        document
        for document in dict.fromkeys((*known, *other))
        if other.get(document) != known.get(document) and is_later(document)
    ]
    grades = {each: other[each].grade if each in other else None for each in new}
    said = {
        each: (other[each].grade, signed)
        for each in new
        if each in other and (signed := other[each].signed)
    }

    def step(of_query: HandRanking) -> HandRanking:
        return with_judgments(of_query.with_grades(grades), said)

    past, future = tuple(map(step, ours.past)), tuple(map(step, ours.future))
    return replace(ours, present=step(ours.present), past=past, future=future) if new else ours


def before_signing(history: History, judge: str) -> dict[str, float | None]:
    """Return the grades of a sheet before a judge's last step, of documents unchanged since.

    Empty where that judge signed nothing that is still there.

    Examples
    --------
    >>> blank = HandRanking.of("q", {"a": 1}, [])
    >>> link = Signature("from a link", "2026-11-25T09:30:00Z")
    >>> before_signing(given_by(History(blank, blank), {"a": 3}, link), "from a link")
    {'a': 1}
    """

    def signed_in(step: HandRanking) -> set[Entry]:
        return {entry for entry in step.signed if entry.signed and entry.signed.judge == judge}

    steps = (history.original, *history.past, history.present)
    if not signed_in(history.present):
        return {}
    for before, after in reversed([*pairwise(steps)]):
        if signed_in(after) - signed_in(before):
            now, then = history.present.grades, after.grades
            changed = differences(then, before.grades)
            return {name: changed[name] for name in changed if now.get(name) == then.get(name)}
    return {}


def sheets(histories: Mapping[Origin, History], qrels: str) -> dict[str, HandRanking]:
    """Return the judges' sheets of some qrels, by query.

    ``qrels`` is the digest of the qrels.
    """
    return {
        origin.query: history.present
        for origin, history in histories.items()
        if (origin.qrels, origin.run) == (qrels, SHEET)
    }


def signatures(of: Mapping[str, HandRanking]) -> dict[tuple[str, str], Signature]:
    """Return who said on sheets what holds, by query and document.

    A grade that was changed elsewhere since is no judge's any more.
    """
    return {
        (query, entry.document): entry.signed
        for query, of_query in of.items()
        for entry in of_query.signed
        if entry.signed
    }


def notes_of(of: Mapping[str, HandRanking]) -> dict[str, dict[str, str]]:
    """Return the judges' notes on documents that they graded, by query and document."""
    grades = {query: of_query.grades for query, of_query in of.items()}
    notes: dict[str, dict[str, str]] = {}
    for (query, document), signed in signatures(of).items():
        if signed.note and document in grades[query]:
            notes.setdefault(query, {})[document] = signed.note
    return notes


def by_judge(of: Mapping[str, HandRanking]) -> dict[str, Qrels]:
    """Return the grades that each judge signed with a name, with the judge's notes as reasons.

    Examples
    --------
    >>> ada = Signature("Ada", "2026-11-25T09:30:00Z", "names the model")
    >>> judged = with_judgments(HandRanking("q", ()), {"d": (2, ada), "x": (None, ada)})
    >>> {judge: qrels.to_dict() for judge, qrels in by_judge({"q": judged}).items()}
    {'Ada': {'q': {'d': 2.0}}}
    """
    known = {query: of_query.grades for query, of_query in of.items()}
    grades: dict[str, dict[str, dict[str, float]]] = {}
    notes: dict[str, dict[str, dict[str, str]]] = {}
    for (query, document), signed in signatures(of).items():
        judge, grade = signed.judge, known[query].get(document)
        if judge and grade is not None:
            grades.setdefault(judge, {}).setdefault(query, {})[document] = grade
            notes.setdefault(judge, {}).setdefault(query, {})[document] = signed.note
    return {
        judge: replace(Qrels.from_dict(of_judge, judge), reasons=notes[judge])
        for judge, of_judge in grades.items()
    }
