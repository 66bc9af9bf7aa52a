"""The grades of data that were given by hand, and who gave them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from metrics import Dataset
from metrics.editing import LONGEST_NAME, HandRanking, History, Origin, Signature
from metrics.editing.changed_grades import Grades, agreed, changed_in, unlike, with_loaded_grades
from metrics.editing.sheet import (
    SHEET,
    Said,
    before_signing,
    counts,
    given_by,
    given_or_undone,
    notes_of,
    own_sheet,
    sheet,
    sheets,
    with_judgments,
)

from . import cache, state, user_data

JUDGED_HERE = "judged here"
"""The name of the qrels where all grades were given by hand."""
YOU = "you"
"""Who judges anew without a name."""


def signature(note: str = "", usual: str = "") -> Signature:
    """Return who gives a grade now: whose name was typed on Judge last, or who usually does."""
    name = " ".join(str(state.last(state.JUDGE_NAME) or usual).split())
    return Signature.now(name[:LONGEST_NAME], note)


def graded(dataset: Dataset) -> Dataset:
    """Return data with the grades that were changed by hand, for every run, and judges' notes.

    Rankings that are judged already keep their judgments, and so do data with some.
    """
    changed = {} if dataset.judged else changed_grades(dataset)
    qrels = cache.graded(dataset.qrels, changed) if changed else dataset.qrels
    if not dataset.is_judged:
        qrels = qrels.renamed(JUDGED_HERE)
    if notes := notes_of(sheets_of(dataset)):
        reasons = {query: {**qrels.reasons.get(query, {}), **of} for query, of in notes.items()}
        qrels = replace(qrels, reasons={**qrels.reasons, **reasons})
    if qrels is dataset.qrels:
        return dataset
    return replace(dataset, qrels=qrels, uploaded=dataset.qrels if changed else None)


def changed_grades(dataset: Dataset) -> dict[str, dict[str, float | None]]:
    """Return the grades of data that were changed by hand, by query; None: not judged any more."""
    return changed_in(user_data.all_edits().histories, dataset.key)


def take_back_grades(dataset: Dataset) -> None:
    """Give all documents of data their loaded grades again; each list can undo it."""
    edits = user_data.all_edits()
    user_data.set_histories(with_loaded_grades(edits.histories, dataset.key), {}, renew=True)


def sheet_of(dataset: Dataset, query: str, anew: str | None = None) -> tuple[Origin, History]:
    """Return the judge's sheet of a query, with the grades that were changed anywhere.

    ``anew``: the name of a judge who judges anew, on a sheet without any other grade.
    """
    origin = Origin(dataset.key, SHEET if anew is None else own_sheet(anew), query)
    if known := user_data.history(origin):
        return origin, known
    if anew is not None:
        blank = HandRanking(query, ())
        return origin, History(blank, blank)
    original = sheet(dataset.original, query)
    return origin, History(original, original.with_grades(changed_grades(dataset).get(query, {})))


def judge(
    dataset: Dataset,
    said: Mapping[str, Said],
    number: int | None = None,
    anew: str | None = None,
) -> None:
    """Keep what a judge said, by query, each as a step that can be undone.

    ``number``: the number of the event on the sheets. ``anew``: as for `sheet_of`. An impossible
    grade raises EditError, and nothing is changed.
    """

    def step(query: str, sheet: History) -> History:
        return sheet.then(with_judgments(sheet.present, said[query]))

    _take(dataset, said, step, number, anew)


def given_anew(dataset: Dataset) -> dict[str, dict[str, HandRanking]]:
    """Return what each judge said who judged anew, by query; it does not count until adopted."""
    found: dict[str, dict[str, HandRanking]] = {}
    for origin, history in user_data.all_edits().histories.items():
        signed = [entry.signed for entry in history.present.signed if entry.signed]
        if origin.qrels == dataset.key and not counts(origin) and signed:
            found.setdefault(signed[0].judge, {})[origin.query] = history.present
    return found


def adopted(dataset: Dataset) -> dict[str, bool]:
    """Return whether each judge who gave grades anew gave only grades that count."""
    given = {
        name: {query: each.grades for query, each in of.items()}
        for name, of in given_anew(dataset).items()
    }
    return {name: not unlike(dataset.qrels, grades) for name, grades in given.items()}


def adopt(dataset: Dataset, judge_name: str) -> None:
    """Count the grades that a judge gave anew, each query's as a step that can be undone."""
    said = {
        query: {each.document: (each.grade, each.signed) for each in of.signed if each.signed}
        for query, of in given_anew(dataset).get(judge_name, {}).items()
    }
    judge(dataset, said)


def take_over(dataset: Dataset, changed: Mapping[str, Grades], giver: str) -> None:
    """Give documents the grades that somebody else gave by hand, each query's as a step.

    ``giver``: who is said to have given them.
    """
    # A grade that is there already keeps who gave it.
    new, by = unlike(graded(dataset).qrels, changed), Signature.now(giver)
    _take(dataset, new, lambda query, sheet: given_by(sheet, new[query], by))


def leave_out(dataset: Dataset, giver: str) -> None:
    """Give documents the grades again that they had before, as a step of its own."""
    before, by = taken_over(dataset, giver), signature()
    _take(dataset, before, lambda query, sheet: given_or_undone(sheet, before[query], by))


def _take(
    dataset: Dataset,
    queries: Iterable[str],
    step: Callable[[str, History], History],
    number: int | None = None,
    anew: str | None = None,
) -> None:
    """Take a step on the sheets of queries, and keep all or, where one cannot be, none."""
    edits, changed, numbers = user_data.all_edits(), dict[Origin, History](), dict[Origin, int]()
    for query in queries:
        origin, before = sheet_of(dataset, query, anew)
        after = step(query, before)
        if after is not before:
            changed |= agreed({**edits.histories, origin: before}, origin, after)
        if number is not None:
            numbers[origin] = number
    user_data.set_histories(changed, numbers, renew=True)


def taken_over(dataset: Dataset, giver: str) -> dict[str, Grades]:
    """Return the grades before those that were taken over, by query, where they still count."""
    found = {
        origin.query: before_signing(history, giver)
        for origin, history in user_data.all_edits().histories.items()
        if (origin.qrels, origin.run) == (dataset.key, SHEET)
    }
    return {query: before for query, before in found.items() if before}


def sheets_of(dataset: Dataset) -> dict[str, HandRanking]:
    """Return the judges' sheets, by query."""
    return sheets(user_data.all_edits().histories, dataset.key)
