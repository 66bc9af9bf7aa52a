"""Everything that runs, qrels, data sets, edits and judged rankings hold, as lines of text."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from metrics import Dataset, MeasureError, RankscopeError, score
from metrics.data import GROUP, Note, Pairs
from metrics.editing.hand_ranking import Entry, HandRanking
from metrics.editing.history import History
from metrics.editing.log import Log
from metrics.matching.judged import JudgedRankings
from metrics.matching.judged_file import JudgedFile
from metrics.sessions.session_file import Session

MEASURES = ("nDCG@10", "AP", "RR", "P@2", "RBP", "Bpref", "ERR@5", "Judged@5")

_COMMA = re.compile(r"found [^;]+, column \d+(?=; expected JSON. There is one comma too many)")
"""Python's own words for such a comma, and the column, which are others from 3.13 on."""


def note(of: Note) -> str:
    """Return a note with its code and kind."""
    return f"note {of.code} {of.kind}: {of.text}"


def refusal(error: RankscopeError) -> Iterator[str]:
    """Yield the problems of a refusal in their order, each with its place and code."""
    problems = getattr(error, "problems", None)
    if problems is None:
        yield f"refused {type(error).__name__}: {error}"
        return
    yield from (f"refused {_COMMA.sub('found one', str(each))}" for each in problems)


def said(lines: Callable[[], Iterable[str]]) -> str:
    """Return lines, up to a refusal. Any other error is a line too, so that a net goes on."""
    found: list[str] = []
    try:
        found.extend(lines())
    except RankscopeError as error:
        found.extend(refusal(error))
    except Exception as error:
        found.append(f"raised {type(error).__name__}: {error}")
    return "\n".join(found)


def pairs(of: Pairs) -> Iterator[str]:
    """Yield the name, the size and the digests of a run or qrels, and its notes."""
    parts = of.to_dict(), of.reasons, of.aspects
    tag = f", tag {of.tag!r}" if of.tag else ""
    more = [f", {len(part)} with {name}" for part, name in ((of.reasons, "reasons"),) if part]
    more += [", by aspect"] if of.aspects else []
    # The second digest depends on the rows alone, and not on how the first one is computed.
    yield f"{of!r}{tag}{''.join(more)}, digest {of.digest}, rows {digest(parts)}"
    yield from map(note, of.notes)


def texts(name: str, of: Mapping[str, str]) -> Iterator[str]:
    """Yield the number of texts, the first one, and a digest; nothing where there are none."""
    if of:
        first = next(iter(of.items()))
        yield f"{name}: {len(of)}, first {json.dumps(first)[:200]}, digest {digest(of)}"


def dataset(of: Dataset) -> Iterator[str]:
    """Yield everything in a data set."""
    yield f"data {of.title!r}{of.part and f', part {of.part!r}'}, key {of.key}"
    for each in (of.qrels, *of.runs):
        yield from pairs(each)
    for each in of.judges:
        yield "a further judge:"
        yield from pairs(each)
    for each in of.judged:
        yield from judged(each)
    for name in ("query_texts", "document_texts"):
        yield from texts(name, getattr(of, name))
    for name, by_id in of.query_attributes.items():
        yield from texts("query_groups" if name == GROUP else f"attribute {name!r}", by_id)
    for name, by_id in of.document_fields.items():
        yield from texts(f"field {name!r}", by_id) if by_id else (f"field {name!r}: none",)


def judged(of: JudgedRankings) -> Iterator[str]:
    """Yield everything in judged rankings, and their means by some measures."""
    tag = f", tag {of.tag!r}" if of.tag else ""
    yield f"judged {of.name!r}{tag}, run {of.digest!r}, content {of.content}"
    yield f"  convention {of.convention.label}, {digest(asdict(of.convention))}"
    for name in ("hits", "judged", "top"):
        columns = {
            column: values.tolist() if hasattr(values, "tolist") else values.to_pylist()
            for column, values in vars(getattr(of, name)).items()
        }
        yield f"  {name}: {len(getattr(of, name))}, digest {digest(columns)}"
    sizes = dict(zip(of.queries, of.retrieved.tolist(), strict=True))
    yield f"  retrieved {digest(sizes)}: {json.dumps(sizes)[:200]}"
    for name in ("missing_from_run", "missing_from_qrels"):
        if queries := getattr(of, name):
            yield f"  {name}: {json.dumps(queries)[:200]}"
    yield from (f"  {note(each)}" for each in of.notes)
    for measure in MEASURES:
        try:
            yield f"  {measure} {score(of, [measure]).summary(measure)!r}"
        except MeasureError as error:
            yield f"  {measure} {error}"
    yield from (f"  by {line}" for line in pairs(of.qrels))


def judged_file(of: JudgedFile) -> Iterator[str]:
    """Yield what a file of judged rankings says, and everything in it; not who wrote it."""
    names = ("name", "tags", "commit", "time", "qrels_digest", "run_digest")
    yield ", ".join(f"{name} {getattr(of, name)}" for name in names)
    yield from judged(of.judged)


def ranking(of: HandRanking) -> Iterator[str]:
    """Yield the documents of an edited ranking, then the judged ones that are not ranked."""
    title = f", title {of.title!r}" if of.title else ""
    title += f", record {of.record!r}" if of.record else ""
    parts = (", ".join(map(_entry, entries)) for entries in (of.retrieved, of.unretrieved))
    yield f"query {of.query!r}{title}: {' | '.join(parts)}"
    if of.aspects:
        yield f"  aspects {json.dumps(of.aspects)}"


def _entry(of: Entry) -> str:
    return f"{'tied ' if of.tied else ''}{of.document!r} {of.grade!r}"


def history(of: History) -> Iterator[str]:
    """Yield each step of an edited ranking, from the one before the first edit."""
    arrived = [of.arrived] if of.arrived else []
    steps = zip(
        ("original", "past", "present", "future", "arrived"),
        ([of.original], of.past, [of.present], of.future, arrived),
        strict=True,
    )
    for name, rankings in steps:
        for each in rankings:
            yield from (f"{name}: {line}" for line in ranking(each))


def log(of: Log) -> Iterator[str]:
    """Yield each record of a log, in order, and what it says of each document."""
    for each in of.records:
        event = f", event {each.event}" if each.event else ""
        yield f"record {each.name} at {each.counter} on {each.on}{event}"
        for document, about in each.said.items():
            by = f"{about.signed.judge!r}, {about.signed.time}, {about.signed.note!r}"
            yield f"  {document!r} {'unclear' if about.unclear else repr(about.grade)} ({by})"
        for name in ("off", "again"):
            if names := getattr(each, name):
                yield f"  {name} {', '.join(names)}"


def session(of: Session) -> Iterator[str]:
    """Yield everything in a session."""
    if of.dataset:
        yield from dataset(of.dataset)
    for origin, steps in of.edits.items():
        yield f"edits of {origin}, events {json.dumps(of.applied.get(origin, {}))}"
        yield from (f"  {line}" for line in history(steps))
    yield from log(of.log)
    for name, setting in of.settings.items():
        yield f"setting {name}={setting!r}"


def digest(value: Any) -> str:
    """Return the beginning of a hash of a value of lists, dicts, texts and numbers, in order."""
    written = json.dumps(value, ensure_ascii=True).encode()
    return hashlib.sha256(written).hexdigest()[:16]
