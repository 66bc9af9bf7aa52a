"""Grades changed by hand: a layer over qrels, the same for every ranking of a query."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pyarrow as pa

from ..data import Qrels
from .log import Grades


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
