"""The grades of data that were given by hand, and who gave them."""

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial

import streamlit as st

from metrics import Dataset
from metrics.editing import (
    LONGEST_NAME,
    SHEET,
    Grades,
    OfQuery,
    Origin,
    Record,
    Said,
    Sheet,
    Signature,
    Switch,
    sheet,
)
from metrics.editing import changed_grades as changes

from . import cache, state, user_data, workspace

JUDGED_HERE = "judged here"
"""The name of the qrels where all grades were given by hand."""
YOU = "you"
"""Who judges anew without a name."""
USER_HEADER = "RANKSCOPE_USER_HEADER"
"""The variable with the header that names a user, and who sets it: ``X-User from 127.0.0.1``."""
_RESET = "_reset"


def signed_in() -> str:
    """Return the name that the proxy before the server gives the user; empty where none does."""
    header, _, proxy = map(str.strip, os.environ.get(USER_HEADER, "").partition(" from "))
    # From anybody else the header could name anybody. Streamlit knows this machine by no address.
    if not proxy or (st.context.ip_address or "127.0.0.1") != proxy:
        return ""
    name = st.context.headers.get(header, "")
    with suppress(UnicodeError):
        name = name.encode("latin-1").decode()
    return " ".join(name.split())[:LONGEST_NAME]


def signature(note: str = "", usual: str = "") -> Signature:
    """Return who gives a grade now: who is signed in, who typed a name on Judge, or ``usual``."""
    name = " ".join(str(signed_in() or state.last(state.JUDGE_NAME) or usual).split())
    return Signature.now(name[:LONGEST_NAME], note)


def graded(dataset: Dataset) -> Dataset:
    """Return data with the grades that were changed by hand, for every run, and judges' notes.

    Rankings that are judged already keep their judgments, and so do data with some.
    """
    changed = {} if dataset.judged else changed_grades(dataset)
    qrels = cache.graded(dataset.qrels, changed) if changed else dataset.qrels
    if not dataset.is_judged:
        qrels = qrels.renamed(JUDGED_HERE)
    if notes := sheet.notes_of(said(dataset)):
        reasons = {query: {**qrels.reasons.get(query, {}), **of} for query, of in notes.items()}
        qrels = replace(qrels, reasons={**qrels.reasons, **reasons})
    if qrels is dataset.qrels:
        return dataset
    return replace(dataset, qrels=qrels, uploaded=dataset.qrels if changed else None)


def changed_grades(dataset: Dataset) -> dict[str, Grades]:
    """Return the grades of data that were changed by hand, by query; None: not judged any more."""
    return user_data.all_edits().log.changed(dataset.key, dataset.original)


def said(dataset: Dataset, anew: str | None = None) -> OfQuery:
    """Return what counts of all that was said of the documents of data.

    ``anew``: the name of a judge; then what that judge said anew.
    """
    log = user_data.all_edits().log
    if anew is None:
        return log.counting(dataset.key)
    return log.anew(dataset.key).get(sheet.own_word(anew), {})


def judges(dataset: Dataset) -> Mapping[str, OfQuery]:
    """Return the last word of each judge who gave grades that count or would, if no other did."""
    return user_data.all_edits().log.judges(dataset.key)


def names(dataset: Dataset) -> list[str]:
    """Return the names of the `judges` who gave a grade."""
    return sorted(filter(None, user_data.all_edits().log.names(dataset.key)))


def sheet_of(dataset: Dataset, query: str, anew: str | None = None) -> Sheet:
    """Return what is known of the documents of a query.

    ``anew``: the name of a judge who judges anew, and sees no other grade.
    """
    word = "" if anew is None else sheet.own_word(anew)
    loaded = {} if word else dataset.original.only(query).to_dict().get(query, {})
    me = signature(usual=anew or "").judge
    # Who has no name may be anybody who shares the workspace.
    known = me if me or workspace.folder() is None else None
    origin = Origin(dataset.key, word or SHEET, query)
    return Sheet.of(user_data.all_edits().log, origin, loaded, user_data.tab(), known)


def judge(
    dataset: Dataset, said: OfQuery, number: int | None = None, anew: str | None = None
) -> None:
    """Keep what a judge said, by query, each as a step that can be taken back.

    ``number``: the number of the event on the sheets. ``anew``: as for `sheet_of`.
    """
    word, writer = "" if anew is None else sheet.own_word(anew), user_data.writer()
    user_data.commit(user_data.all_edits().judging(dataset.key, said, writer, number, word))


def switch(switches: Mapping[Origin, Switch], number: int | None = None) -> None:
    """Keep that records of queries do not count any more, or again; ``number``: as for `judge`."""
    user_data.commit(user_data.all_edits().switching(switches, user_data.writer(), number))


def take_back_grades(dataset: Dataset) -> None:
    """Give all documents of data their loaded grades again, until `bring_back`."""
    queries, known = user_data.all_edits().log.queries(dataset.key), state.value(_RESET) or {}
    state.put({_RESET: {**known, dataset.key: _take_back(dataset, queries, lambda _: True)}})


def is_reset(dataset: Dataset) -> bool:
    """Return whether all grades of data were taken back, and none was given since."""
    return dataset.key in (state.value(_RESET) or {}) and not changed_grades(dataset)


def bring_back(dataset: Dataset) -> None:
    """Give the grades again that `take_back_grades` took back last."""
    known = dict(state.value(_RESET) or {})
    switch({origin: (again, off) for origin, (off, again) in known.pop(dataset.key, {}).items()})
    state.put({_RESET: known})


def _take_back(
    dataset: Dataset, queries: Iterable[str], those: Callable[[Record], bool]
) -> dict[Origin, Switch]:
    """Take back those records of queries that count; return what was switched."""
    log, key, found = user_data.all_edits().log, dataset.key, dict[Origin, Switch]()
    for query in queries:
        names = tuple(each.name for each in log.counted(key, query) if those(each))
        found[Origin(key, SHEET, query)] = names, ()
    switch(found)
    return found


def given_anew(dataset: Dataset) -> dict[str, OfQuery]:
    """Return what each judge said who judged anew, by query; it does not count until adopted."""
    found = user_data.all_edits().log.anew(dataset.key).values()
    return {next(iter(next(iter(of.values())).values())).signed.judge: of for of in found}


def adopted(dataset: Dataset) -> dict[str, bool]:
    """Return whether each judge who gave grades anew gave only grades that count."""
    given = given_anew(dataset).items()
    return {name: not changes.unlike(dataset.qrels, sheet.grades_of(of)) for name, of in given}


def adopt(dataset: Dataset, judge_name: str) -> None:
    """Count the grades that a judge gave anew, each query's as a step that can be taken back."""
    judge(dataset, given_anew(dataset).get(judge_name, {}))


def take_over(dataset: Dataset, changed: Mapping[str, Grades], giver: str) -> None:
    """Give documents the grades that somebody else gave by hand, each query's as a step.

    ``giver``: who is said to have given them.
    """
    # A grade that is there already keeps who gave it.
    new, by = changes.unlike(graded(dataset).qrels, changed), Signature.now(giver)
    judge(dataset, {q: {name: Said(x, by) for name, x in of.items()} for q, of in new.items()})


def leave_out(dataset: Dataset, giver: str) -> None:
    """Give documents the grades again that they had before those of a giver."""
    _take_back(dataset, taken_over(dataset, giver), partial(_is_by, giver))


def taken_over(dataset: Dataset, giver: str) -> list[str]:
    """Return the queries in which a grade of a giver still counts."""
    found = said(dataset).items()
    return [query for query, of in found if any(x.signed.judge == giver for x in of.values())]


def _is_by(giver: str, record: Record) -> bool:
    return all(each.signed.judge == giver for each in record.said.values())
