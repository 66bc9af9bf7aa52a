"""Grades changed by hand: a layer over qrels, the same for every ranking of a query."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pyarrow as pa

from ..data import Qrels
from .history import History, differences
from .origin import Origin
from .sheet import SHEET, begun, counts, given_or_undone, merged
from .signature import Signature

Grades = Mapping[str, float | None]
"""The grade of each document, None where it is no longer judged."""


def unlike(qrels: Qrels, grades: Mapping[str, Grades]) -> dict[str, dict[str, float | None]]:
    """Return the grades that differ from those of qrels, by query.

    Examples
    --------
    >>> unlike(Qrels.from_dict({"q": {"a": 1}}), {"q": {"a": 1, "b": 2, "c": None}, "p": {}})
    {'q': {'b': 2}}
    """
    now = qrels.only(*grades).to_dict()
    found = {}
    for query, of_query in grades.items():
        known = now.get(query, {})
        found[query] = {name: x for name, x in of_query.items() if x != known.get(name)}
    return {query: of_query for query, of_query in found.items() if of_query}


def with_grades(qrels: Qrels, changed: Mapping[str, Grades]) -> Qrels:
    """Return the qrels with these grades, by query; the same object where none differs.

    The rows that are left keep their order, new ones follow. A judge's reason for a grade that was
    changed is left out.

    Examples
    --------
    >>> qrels = Qrels.from_dict({"q": {"a": 1, "b": 2}, "p": {"a": 0}})
    >>> with_grades(qrels, {"q": {"a": 3, "b": None, "c": 1}, "new": {"x": 1}}).to_dict()
    {'q': {'a': 3.0, 'c': 1.0}, 'p': {'a': 0.0}, 'new': {'x': 1.0}}
    """
    changed = unlike(qrels, changed)
    if not changed:
        return qrels
    old = qrels.only(*changed).to_dict()
    queries = tuple(dict.fromkeys((*qrels.queries, *changed)))
    number = {query: place for place, query in enumerate(queries)}
    of_changed = np.zeros(len(queries), bool)
    of_changed[[number[query] for query in changed]] = True
    value, kept = qrels.value.copy(), np.ones(len(qrels), bool)
    for row in np.flatnonzero(of_changed[qrels.query]).tolist():
        query, document = qrels.queries[qrels.query[row]], qrels.document[row].as_py()
        if document in changed[query]:
            grade = changed[query][document]
            kept[row] = grade is not None
            value[row] = np.nan if grade is None else grade
    codes, documents, new = list[int](), list[str](), list[float]()
    for query, grades in changed.items():
        before = old.get(query, {})
        more = {name: x for name, x in grades.items() if x is not None and name not in before}
        codes += [number[query]] * len(more)
        documents += more
        new += more.values()
    rows = qrels.rows(kept)
    return replace(
        qrels,
        queries=queries,
        query=np.append(rows.query, np.array(codes, np.int64)),
        document=pa.concat_arrays([rows.document, pa.array(documents, rows.document.type)]),
        value=np.append(value[kept], np.array(new, float)),
        reasons={
            query: {name: why for name, why in of.items() if name not in changed.get(query, {})}
            for query, of in qrels.reasons.items()
        },
    )


def changed_in(
    histories: Mapping[Origin, History], qrels: str
) -> dict[str, dict[str, float | None]]:
    """Return the grades changed in any ranking of some qrels, by query.

    ``qrels`` is the digest of the qrels.

    Examples
    --------
    >>> from metrics.editing.hand_ranking import HandRanking
    >>> ranking = HandRanking.of("q", {"a": 1}, ["a", "b"])
    >>> origin, history = Origin("x", "bm25", "q"), History(ranking, ranking)
    >>> changed_in({origin: history.then(ranking.with_grades({"b": 2}))}, "x")
    {'q': {'b': 2}}
    """
    found: dict[str, dict[str, float | None]] = {}
    for origin, history in histories.items():
        if origin.qrels == qrels and counts(origin) and history.changed_grades:
            found.setdefault(origin.query, {}).update(history.changed_grades)
    return found


def agreed(
    histories: Mapping[Origin, History],
    origin: Origin,
    history: History,
    by: Signature | None = None,
) -> dict[Origin, History]:
    """Return those histories that a change of one ranking's history changes, itself among them.

    A grade is the query's, whoever retrieves the document: the other rankings of the query get it,
    too. The order is the ranking's own.

    ``by`` gave the grades in a list: they are signed on the query's sheet, which is begun if there
    is none.
    """
    if not counts(origin):
        return {origin: history}
    others = {
        each: known
        for each, known in histories.items()
        if (each.qrels, each.query) == (origin.qrels, origin.query) and counts(each)
    }
    # They agree, so that any of them has the grades before.
    before = next(iter(others.values()), None)
    known = history.original.grades if before is None else before.of_query.grades
    changed = differences(known, history.of_query.grades)
    if not changed:
        return {origin: history}
    result = {each: past.with_grades(changed) for each, past in others.items()}
    if by and origin.run != SHEET:
        at = replace(origin, run=SHEET)
        result[at] = given_or_undone(others.get(at) or begun(history, known), changed, by)
    return result | {origin: history}


def with_others(
    histories: Mapping[Origin, History],
    changed: Mapping[Origin, History],
    theirs: Mapping[Origin, History],
) -> dict[Origin, History]:
    """Return changed histories, and those that get the grades which others gave meanwhile.

    ``histories`` are those before the change, ``theirs`` the sheets as others have left them.
    """
    result = dict(changed)
    for origin in changed.keys() & theirs.keys():
        ours = changed[origin]
        before = histories[origin].present if origin in histories else ours.original
        result[origin] = both = merged(ours, before, theirs[origin].present)
        new = differences(ours.present.grades, both.present.grades)
        for each, history in {**histories, **changed}.items():
            of_query = (each.qrels, each.query) == (origin.qrels, origin.query)
            if new and of_query and each != origin and counts(origin) and counts(each):
                result[each] = result.get(each, history).with_grades(new)
    return result


def all_agreed(histories: Mapping[Origin, History]) -> dict[Origin, History]:
    """Return histories that were made apart with the same grades for each query, the last one's."""
    result = dict(histories)
    for qrels in {origin.qrels for origin in histories}:
        for query, changed in changed_in(histories, qrels).items():
            for origin, history in histories.items():
                same = (origin.qrels, origin.query) == (qrels, query) and counts(origin)
                if same and history.changed_grades != changed:
                    result[origin] = history.with_grades(changed)
    return result


def with_loaded_grades(histories: Mapping[Origin, History], qrels: str) -> dict[Origin, History]:
    """Return histories of some qrels with the loaded grades again, as a step that can be undone."""
    result = {}
    for origin, history in histories.items():
        of_query = history.of_query
        back = differences(of_query.grades, history.original.grades)
        if origin.qrels == qrels and counts(origin) and back:
            result[origin] = history.then(of_query.with_grades(back))
    return result
