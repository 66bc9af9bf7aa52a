"""The edited rankings of a saved session as tables; a document in many steps has one row."""

import math
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrays import column, repeat
from ..editing.hand_ranking import Entry, HandRanking
from ..editing.history import LONGEST, History
from ..editing.origin import Origin
from ..editing.signature import Signature
from ..reading.from_json.saved_parts import DamagedError, object_at
from ..reading.problems import OVERHEAD
from .dataset_tables import (
    INTEGER,
    NUMBER,
    TEXT,
    Archive,
    aspects_in,
    columns,
    integers,
    parts,
    put,
)

_PER_STEP, _PER_PLACE = 500, 8
"""About how many bytes a step takes, and a document's place in it."""
_ORIGIN = {"qrels": TEXT, "run": TEXT, "query": TEXT}
_STEPS = {"documents": INTEGER, "ranked": INTEGER, "title": TEXT, **_ORIGIN}
_ENTRIES = {"grade": NUMBER, "tied": INTEGER, "document": TEXT}
_PLACES = {"entry": INTEGER}
_SIGNED = {"entry": INTEGER, "judge": TEXT, "time": TEXT, "note": TEXT}
_ASPECTS = {"step": INTEGER, "document": TEXT, "aspect": TEXT, "grade": NUMBER}
"""The aspects from a step on, in the rows of that step; one without a document where none are."""


def tables(edits: Mapping[Origin, History]) -> dict[str, dict[str, pa.Array]]:
    """Return the steps of all rankings, the documents' places in them, and the documents.

    A row of ``steps`` has the number of ``documents`` that it takes from ``places``, in order, how
    many of them are ``ranked`` (the first ones), its ``title``, and the origin of its ranking.
    The first step of an origin is the ranking before the first edit. The grade of an unjudged
    document is NaN. ``signed`` has who gave a grade, by the number of its entry.
    """
    steps = [(origin, each) for origin, history in edits.items() for each in _steps(history)]
    listed = list(chain.from_iterable(each.entries for _, each in steps))
    # Steps share most of their entries: comparing the identity of objects first is faster.
    same = np.fromiter(map(id, listed), np.int64, len(listed))
    _, first, place = np.unique(same, return_index=True, return_inverse=True)
    entries: dict[Entry, int] = {}
    code, order = np.empty_like(place, shape=len(first)), np.argsort(first)
    code[order] = [entries.setdefault(listed[at], len(entries)) for at in first[order].tolist()]
    of_entries = (
        (math.nan if each.grade is None else float(each.grade), int(each.tied), each.document)
        for each in entries
    )
    signed = (
        (number, each.signed.judge, each.signed.time, each.signed.note)
        for number, each in enumerate(entries)
        if each.signed
    )
    of_steps = (
        (len(each.entries), len(each.retrieved), each.title, of.qrels, of.run, of.query)
        for of, each in steps
    )
    return {
        "steps": columns(of_steps, _STEPS),
        "entries": columns(of_entries, _ENTRIES),
        "places": {"entry": column(code[place].astype(np.int64))},
        "signed": columns(signed, _SIGNED),
        "aspects": _aspects(steps),
    }


def _aspects(steps: Iterable[tuple[Origin, HandRanking]]) -> dict[str, pa.Array]:
    """Return the rows of each step whose aspects differ from those of the step before it."""
    rows: list[tuple[int, str, str, float]] = []
    held: dict[Origin, Mapping[str, Mapping[str, float]]] = {}
    for step, (origin, ranking) in enumerate(steps):
        if ranking.aspects == held.get(origin, {}):
            continue
        held[origin] = ranking.aspects
        rows += [
            (step, document, name, grade)
            for document, grades in (ranking.aspects or {"": {"": 0.0}}).items()
            for name, grade in grades.items()
        ]
    return columns(rows, _ASPECTS)


def weight(edits: Mapping[Origin, History]) -> int:
    """Return about how many bytes of memory edited rankings take once they are read."""
    held = tables(edits)
    return (
        _held_of_steps(held["steps"][part] for part in ("title", *_ORIGIN))
        + _held(held["entries"]["document"], OVERHEAD)
        + _PER_PLACE * len(held["places"]["entry"])
        + sum(_held(held["signed"][part], OVERHEAD) for part in ("judge", "time", "note"))
    )


def places(edits: Mapping[Origin, History]) -> int:
    """Return the number of documents in all steps together."""
    return sum(len(step.entries) for history in edits.values() for step in _steps(history))


def put_edits(edits: Mapping[Origin, History], files: dict[str, bytes]) -> dict[str, Any]:
    """Add the tables to the files of an archive; return the description that `get_edits` reads."""
    return {name: put(files, name, table) for name, table in tables(edits).items()}


def get_edits(about: Mapping[str, Any], archive: Archive) -> dict[Origin, History]:
    """Return the edited rankings that `put_edits` wrote.

    Raises
    ------
    DamagedError, EditError
        When the tables were changed.
    ReadError
        When they are larger than the budget of the file allows.
    """
    of_steps, of_places = object_at(about, "steps"), object_at(about, "places")
    file = archive.file
    documents, ranked, title, *parts_of = archive.get(of_steps, _STEPS, _PER_STEP)
    file.keep(_held_of_steps((title, *parts_of)))
    if any(pc.any(pc.equal(part, "")).as_py() for part in parts_of):
        raise DamagedError("a step without a query, a run or qrels")
    place = integers(*archive.get(of_places, _PLACES, _PER_PLACE))
    file.keep(_PER_PLACE * len(place))
    entry, *said = archive.get(object_at(about, "signed"), _SIGNED)
    file.keep(sum(_held(part, OVERHEAD) for part in said[:-1]))
    signatures = map(Signature, *(part.to_pylist() for part in said))
    # Who gave the grades, by the number of the entry.
    signed = dict(zip(entry.to_pylist(), signatures, strict=True))
    entries = _entries(object_at(about, "entries"), signed, archive)
    sizes = documents.to_pylist()
    if min(sizes, default=0) < 0 or sum(sizes) != len(place):
        raise DamagedError("steps with another number of documents than are listed")
    if len(place) and not 0 <= place.min() <= place.max() < len(entries):
        raise DamagedError("a step with a document that is not listed")
    graded = list(archive.rows(about, "aspects", _ASPECTS))
    # What begins at a step, by its number: nothing where the only row names no document.
    aspects = {step: dict[str, Any]() for step, *_ in graded}
    aspects |= aspects_in((row for row in graded if row[1]), file)
    held: dict[Origin, Any] = {}
    rows = parts(repeat(np.arange(len(sizes)), sizes), len(sizes))
    origins = map(Origin, *(part.to_pylist() for part in parts_of))
    steps: dict[Origin, list[HandRanking]] = {}
    each_step = zip(origins, ranked.to_pylist(), title.to_pylist(), rows, strict=True)
    for step, (origin, many, named, of_step) in enumerate(each_step):
        held[origin] = aspects.get(step, held.get(origin, {}))
        listed = tuple(entries[at] for at in place[of_step].tolist())
        if not 0 <= many <= len(listed):
            raise DamagedError("a step that ranks more documents than it has")
        ranking = HandRanking(origin.query, listed[:many], listed[many:], named, held[origin])
        steps.setdefault(origin, []).append(ranking)
    return {origin: _history(rankings) for origin, rankings in steps.items()}


def _history(rankings: Iterable[HandRanking]) -> History:
    """Return the history of the original ranking and those after each step."""
    original, *others = rankings
    if len(others) > LONGEST + 1:
        raise DamagedError("more steps than can be undone")
    # A history can begin with another ranking than the original: with grades given elsewhere.
    first, *later = others or [original]
    steps = History(original, first)
    for ranking in later:
        steps = steps.then(ranking)
    return steps


def _steps(history: History) -> tuple[HandRanking, ...]:
    return history.original, *history.past, history.present


def _entries(
    about: Mapping[str, Any], signed: Mapping[int, Signature], archive: Archive
) -> list[Entry]:
    grades, tied, documents = archive.get(about, _ENTRIES)
    archive.file.keep(_held(documents, OVERHEAD))
    if not {*pc.unique(tied).to_pylist()} <= {0, 1} or pc.any(pc.equal(documents, "")).as_py():
        raise DamagedError("a document without an id, or with an unknown kind of tie")
    values = (None if math.isnan(grade) else grade for grade in grades.to_pylist())
    if not signed.keys() <= set(range(len(documents))):
        raise DamagedError("who judged a document that is not listed")
    ties = map(bool, tied.to_pylist())
    return [
        Entry(*each, signed.get(number))
        for number, each in enumerate(zip(documents.to_pylist(), values, ties, strict=True))
    ]


def _held_of_steps(texts: Iterable[pa.Array | pa.ChunkedArray]) -> int:
    """Return about how many bytes of memory the steps take besides their documents."""
    *others, query = texts
    return sum(_held(each, 0) for each in others) + _held(query, _PER_STEP)


def _held(texts: pa.Array | pa.ChunkedArray, per_row: int) -> int:
    return per_row * len(texts) + int(pc.sum(pc.binary_length(texts)).as_py() or 0)
