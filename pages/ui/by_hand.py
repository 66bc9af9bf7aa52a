"""The grades of data that were given by hand, and who gave them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from metrics import Dataset
from metrics.editing.changed_grades import Grades, agreed, given, taken_back
from metrics.editing.hand_ranking import HandRanking
from metrics.editing.history import History
from metrics.editing.origin import Origin
from metrics.editing.sheet import (
    SHEET,
    Said,
    before_signing,
    given_by,
    given_or_undone,
    notes_of,
    sheet,
    sheets,
    with_judgments,
)
from metrics.editing.signature import LONGEST_NAME, Signature

from . import cache, state, user_data

JUDGED_HERE = "judged here"
"""The name of the qrels where all grades were given by hand."""


def signature(note: str = "") -> Signature:
    """Return who gives a grade now: whose name was typed on Judge last."""
    name = " ".join(str(state.last(state.JUDGE_NAME) or "").split())
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
    return given(user_data.all_edits().histories, dataset.key)


def take_back_grades(dataset: Dataset) -> None:
    """Give all documents of data their loaded grades again; each list can undo it."""
    edits = user_data.all_edits()
    user_data.set_histories(taken_back(edits.histories, dataset.key), edits.applied, renew=True)


def sheet_of(dataset: Dataset, query: str) -> tuple[Origin, History]:
    """Return the judge's sheet of a query, with the grades that were changed anywhere."""
    origin = Origin(dataset.key, SHEET, query)
    if known := user_data.history(origin):
        return origin, known
    original = sheet(dataset.original, query)
    return origin, History(original, original.with_grades(changed_grades(dataset).get(query, {})))


def judge(dataset: Dataset, said: Mapping[str, Said], number: int | None = None) -> None:
    """Keep what a judge said, by query, each as a step that can be undone.

    ``number``: the number of the event on the sheet of the last query. An impossible grade raises
    EditError, and nothing is changed.
    """
    edits, changed = user_data.all_edits(), dict[Origin, History]()
    applied = dict(edits.applied)
    for query, of_query in said.items():
        origin, before = sheet_of(dataset, query)
        after = before.then(with_judgments(before.present, of_query))
        changed |= agreed({**edits.histories, origin: before}, origin, after)
        if number is not None:
            applied[origin] = number
    user_data.set_histories(changed, applied, renew=True)


def take_over(dataset: Dataset, changed: Mapping[str, Grades], giver: str) -> None:
    """Give documents the grades that somebody else gave by hand, each query's as a step.

    ``giver``: who is said to have given them.
    """
    edits, after = user_data.all_edits(), dict[Origin, History]()
    for query, grades in changed.items():
        origin, known = sheet_of(dataset, query)
        graded = given_by(known, grades, Signature.now(giver))
        if graded.present.grades != known.present.grades:
            after |= agreed({**edits.histories, origin: known}, origin, graded)
    user_data.set_histories(after, edits.applied, renew=True)


def taken_over(dataset: Dataset, giver: str) -> dict[Origin, Grades]:
    """Return the grades before those that were taken over, by sheet, where they still count."""
    found = {
        origin: before_signing(history, giver)
        for origin, history in user_data.all_edits().histories.items()
        if (origin.qrels, origin.run) == (dataset.key, SHEET)
    }
    return {origin: before for origin, before in found.items() if before}


def leave_out(dataset: Dataset, giver: str) -> None:
    """Give documents the grades again that they had before, as a step of its own."""
    for origin, before in taken_over(dataset, giver).items():
        if history := user_data.history(origin):
            after = given_or_undone(history, before, signature())
            user_data.set_history(origin, after, renew=True)


def sheets_of(dataset: Dataset) -> dict[str, HandRanking]:
    """Return the judges' sheets, by query."""
    return sheets(user_data.all_edits().histories, dataset.key)
