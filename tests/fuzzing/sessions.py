"""Saved sessions as JSON texts, so that their content can be changed and saved again."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import random
import zipfile
import zlib
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from metrics import Dataset, Qrels, Run
from metrics.editing.edits import backwards, set_grade
from metrics.editing.hand_ranking import HandRanking
from metrics.editing.history import History
from metrics.editing.log import SHEET, Log, Record, Said
from metrics.editing.origin import Origin
from metrics.editing.signature import Signature
from metrics.sessions.session_file import ABOUT, Session, load, save

_TYPES = {
    **dict.fromkeys(("query", "table", "field"), pa.int64()),
    **dict.fromkeys(("value", "grade"), pa.float64()),
    **dict.fromkeys(("document", "id", "text", "reason", "aspect"), pa.string()),
}
_LINES = ".jsonl"


def described() -> list[bytes]:
    """Sessions with data, with edits and grades, with all and with nothing."""
    qrels = Qrels.from_dict({"q1": {"d1": 2, "é": 0}, "q2": {"d1": 1}})
    qrels = replace(qrels, reasons={"q1": {"d1": "exact"}, "q2": {"d1": "partly"}})
    runs = (Run.from_dict({"q1": {"d1": 2, "x": 1}}, "a"), Run.from_dict({"q2": {"d1": 1}}, "b"))
    fields = {"title": {"d1": "o"}, "url": {"d1": "/one", "x": "/x"}}
    texts = {"q1": "text"}, {"d1": "o. ne"}, {"device": {"q1": "m"}, "hits": {"q1": "9"}}, fields
    data = Dataset("Your data", qrels, runs, *texts)
    begun = HandRanking.of("q1", {"d1": 2.0, "d2": 1.0}, ["d1", "x"])
    steps = History(begun, begun).then(backwards(begun)).then(set_grade(begun, "d1", 0.0))
    edits = {Origin("a", "b", "q1"): steps, Origin("a", "c", "q1"): History(begun, begun)}
    log = _log()
    given = (
        Session(),
        Session(data),
        Session(None, edits, log=log),
        Session(data, edits, {"k": "3"}, log=log),
    )
    return [_as_json(save(session)) for session in given]


def _log() -> Log:
    """A log with a record of each kind."""
    ada, bob = (Signature(name, "2026-11-25T09:30:00Z", "why") for name in ("Ada", ""))
    on, writer = Origin("a", SHEET, "q1"), "0a1b2c3d4e5f6071"
    said = {"d1": Said(2, ada), "é": Said(None, bob, unclear=True)}
    return Log.of(
        [
            Record(1, writer, 1, on, said, event=(writer, 3)),
            Record(2, writer, 2, Origin("a", "b", "q1"), {"d1": Said(0.5, bob)}, (f"{writer}-1",)),
            Record(3, "b", 1, on, again=(f"{writer}-1",)),
        ]
    )


def _as_json(saved: bytes) -> bytes:
    """A saved session as one line of JSON: its description and its files by their names.

    The log and the edited rankings are lists of their lines.
    """
    with zipfile.ZipFile(io.BytesIO(saved)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    about = json.loads(files.pop(ABOUT))
    found = {
        name: [*map(json.loads, of.splitlines())]
        if name.endswith(_LINES)
        else pq.read_table(io.BytesIO(of)).to_pydict()
        for name, of in files.items()
    }
    return json.dumps([about, found]).encode()


def packed(data: bytes) -> bytes:
    """The session that such a text describes, however changed; digests usually agree."""
    chance = random.Random(zlib.crc32(data))
    about, tables = _parts(data)
    files = {
        name: _changed(_written(columns, chance), chance)
        for name, columns in tables.items()
        if name and name != ABOUT
    }
    if chance.random() < 0.95:
        _agree(about, files)
    written = about if isinstance(about, bytes) else json.dumps(about).encode()
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(ABOUT, written)
        for name, content in files.items():
            # A member without a name cannot be written, and a name ends at a NUL.
            named = name.encode("utf-8", "replace").decode().partition("\0")[0]
            archive.writestr(named or "?", content)
    return stream.getvalue()


def _parts(data: bytes) -> tuple[Any, dict[str, Any]]:
    """The description and the tables; if the JSON is not both, the bytes as the description."""
    with suppress(ValueError, RecursionError):
        found = json.loads(data)
        if isinstance(found, list) and len(found) > 1 and isinstance(found[1], dict):
            return found[0], found[1]
    return data, {}


def _written(columns: Any, chance: random.Random) -> bytes:
    """A table with these columns if they form one, or these lines; otherwise bytes."""
    if isinstance(columns, list):
        return b"".join(json.dumps(each).encode() + b"\n" for each in columns)
    try:
        # The reasons and aspects name their query; the rows of a run give its number.
        named = {"reason", "aspect"} & {*columns}
        types = _TYPES | ({"query": pa.string()} if named else {})
        made = {
            name: pa.array(values, types.get(name) if chance.random() < 0.95 else None)
            for name, values in columns.items()
        }
        stream = io.BytesIO()
        pq.write_table(pa.table(made), stream, compression=chance.choice(("zstd", "none")))
        return stream.getvalue()
    except (pa.ArrowException, AttributeError, TypeError, ValueError, OverflowError):
        return base64.b64encode(repr(columns).encode("utf-8", "replace"))


def _changed(content: bytes, chance: random.Random) -> bytes:
    """The bytes of a file, a few of them perhaps changed."""
    if chance.random() < 0.85 or not content:
        return content
    changed = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 8))):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def _agree(about: Any, files: dict[str, bytes]) -> None:
    """Give every table in the description the digest of its file."""
    if isinstance(about, dict):
        if isinstance(name := about.get("file"), str) and name in files:
            about["sha256"] = hashlib.sha256(files[name]).hexdigest()
        for value in about.values():
            _agree(value, files)
    elif isinstance(about, list):
        for value in about:
            _agree(value, files)


def kept(session: Session) -> None:
    """Check that an opened session can be saved and opened again unchanged."""
    again = load(save(session), "s.zip")
    assert (again.edits, again.settings) == (session.edits, session.settings)
    assert (again.log, again.log.records) == (session.log, session.log.records)
    assert (again.dataset is None) == (session.dataset is None)
    if again.dataset and session.dataset:
        sides = [(of.qrels, *of.runs) for of in (again.dataset, session.dataset)]
        for one, other in zip(*sides, strict=True):
            assert (one.name, one.notes, one.digest) == (other.name, other.notes, other.digest)
            assert one.reasons == other.reasons
        assert list(again.dataset.texts()) == list(session.dataset.texts())
        assert [*again.dataset.document_fields] == [*session.dataset.document_fields]
