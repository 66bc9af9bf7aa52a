"""A session in one file: the data, the edited rankings and what the pages were set to.

A zip archive of ``session.json`` and one Parquet file for the qrels and each run. It is checked
when it is opened: version, digests, sizes, ids and values. Nothing in it is code.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from .columns import column, numbers
from .data import Pairs, Qrels, Run
from .dataset import Dataset
from .errors import RankscopeError
from .history import History
from .packed import from_json, to_json
from .reading import names
from .reading.budget import PER_ROW
from .reading.parquet import read_columns
from .reading.parse_json import require_small
from .reading.problems import Aside, File, ReadError
from .reading.unpack import unpack
from .room import TEXTS, require_sound

VERSION = 1
ABOUT = "session.json"
_FORMAT = "rankscope session"
MOST_EDITS = 1_000
_BROKEN = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError)

P = TypeVar("P", bound=Pairs)


@dataclass(frozen=True, eq=False)
class Session:
    """What a user brought, made and set.

    Attributes
    ----------
    dataset
        The user's own data, if any.
    edits
        The edited rankings, by the name of what each began as.
    view
        What the pages were set to, by the name and as the text that stand in links.
    """

    dataset: Dataset | None = None
    edits: Mapping[str, History] = field(default_factory=dict)
    view: Mapping[str, str] = field(default_factory=dict)


def save(session: Session) -> bytes:
    """The session as a file; of an edited ranking every step that Undo can take back.

    Examples
    --------
    >>> data = Dataset("mine", Qrels.from_dict({"q": {"d": 1}}), (Run.from_dict({"q": {"d": 2}}),))
    >>> load(save(Session(data, view={"k": "3"})), "s.zip").view
    {'k': '3'}
    """
    about: dict[str, Any] = {
        _FORMAT: VERSION,
        "edits": [
            [origin, *map(to_json, (steps.original, *steps.past, steps.present))]
            for origin, steps in session.edits.items()
        ],
        "view": dict(session.view),
    }
    files: dict[str, bytes] = {}
    if given := session.dataset:
        about["title"] = given.title
        about["tables"] = [_about(pairs, files) for pairs in (given.qrels, *given.runs)]
        about |= {key: dict(getattr(given, key)) for key in TEXTS}
    files[ABOUT] = json.dumps(about, ensure_ascii=False).encode()
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
        for name, content in files.items():
            packed.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def load(data: bytes, name: str) -> Session:
    """What `save` wrote.

    Raises
    ------
    ReadError
        When it is something else, of a newer version, damaged, or too large.
    """
    file = File(names.shown(name))
    members = {member.name: member.data for member in unpack(data, file)}
    if ABOUT not in members:
        fix = "Give a run or qrels in the fields for them."
        raise file.error("E-SESSION", "no saved session", "a file of Save the session", fix)
    try:
        text = members[ABOUT].decode()
        require_small(text, file)
        about = json.loads(text)
        version = about[_FORMAT]
        if (type(version), version) != (int, VERSION):
            fix = "Open it with the version of Rankscope that saved it, or a newer one."
            found = f"a session of version {version!r}"
            raise file.error("E-SESSION", found, f"version {VERSION}", fix)
        json.dumps(about, ensure_ascii=False).encode()  # half characters cannot be shown
        if len(about["edits"]) > MOST_EDITS:
            found, fix = f"{len(about['edits']):,} edited rankings", "Save fewer."
            raise file.error("E-SIZE", found, f"at most {MOST_EDITS:,}", fix)
        edits = {_text(origin): _steps(origin, *each) for origin, *each in about["edits"]}
        view = {key: _text(value) for key, value in about["view"].items()}
        dataset = _dataset(about, members, file)
    except ReadError:
        raise
    except (*_BROKEN, RankscopeError, RecursionError, pa.ArrowException, OSError) as error:
        found = f"content that does not fit together ({type(error).__name__})"
        raise _changed(file, found) from error
    if dataset:
        require_sound(dataset)
    return Session(dataset, edits, view)


def _steps(origin: str, first: str, *others: str) -> History:
    """An edited ranking with its steps; the origin ends in the query that all of them rank."""
    begun = from_json(first)
    steps = History(begun, begun)
    for text in others:
        steps = steps.then(from_json(text))
    rankings = (begun, *steps.past, steps.present)
    if {each.query for each in rankings} != {origin.split("/", 2)[2]}:
        raise ValueError("rankings of another query")
    return steps


def _about(pairs: Pairs, files: dict[str, bytes]) -> dict[str, Any]:
    """What a Parquet file does not say of a run or of qrels; the file joins the others."""
    table = pa.table(
        {"query": column(pairs.query), "document": pairs.document, "value": column(pairs.value)}
    )
    stream = io.BytesIO()
    pq.write_table(table, stream, compression="zstd")
    name = f"{len(files)}-{'qrels' if isinstance(pairs, Qrels) else 'run'}.parquet"
    files[name] = stream.getvalue()
    return {
        "file": name,
        "sha256": hashlib.sha256(files[name]).hexdigest(),
        "name": pairs.name,
        "notes": [[str(note), isinstance(note, Aside)] for note in pairs.notes],
        "queries": list(pairs.queries),
    }


def _dataset(about: dict[str, Any], members: dict[str, bytes], file: File) -> Dataset | None:
    if "tables" not in about:
        return None
    first, *rest = about["tables"]
    listed = [each["file"] for each in about["tables"]]
    if len(set(listed)) < len(listed):
        raise _changed(file, "a table that is listed twice")
    texts = {key: {k: _text(v) for k, v in about[key].items()} for key in TEXTS}
    runs = tuple(_pairs(Run, each, members, file) for each in rest)
    return Dataset(_text(about["title"]), _pairs(Qrels, first, members, file), runs, **texts)


def _pairs(kind: type[P], about: dict[str, Any], members: dict[str, bytes], file: File) -> P:
    content = members[about["file"]]
    if hashlib.sha256(content).hexdigest() != about["sha256"]:
        raise _changed(file, f"a changed {about['file']}")
    table = read_columns(content, ["query", "document", "value"], "document", PER_ROW, file)
    query, document, value = (pa.concat_arrays(column.chunks) for column in table.columns)
    types = query.type, document.type, value.type
    if types != (pa.int64(), pa.string(), pa.float64()) or any(c.null_count for c in table.columns):
        raise _changed(file, "columns of other types, or with nothing in a row")
    index = numbers(query)
    queries = tuple(map(_text, about["queries"]))
    if len(index) and not 0 <= index.min() <= index.max() < len(queries):
        raise _changed(file, "rows of a query that is not listed")
    if len(set(queries)) < len(queries):
        raise _changed(file, "a query that is listed twice")
    pairs = kind.checked(queries, index, document, numbers(value), _text(about["name"]))
    notes = tuple(Aside(_text(said)) if aside else _text(said) for said, aside in about["notes"])
    return pairs.noted(notes)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{type(value).__name__} in the place of a text")
    return value


def _changed(file: File, found: str) -> ReadError:
    fix = "The file was changed or damaged after it was saved; take another copy."
    return file.error("E-SESSION", found, "a session as it was saved", fix)
