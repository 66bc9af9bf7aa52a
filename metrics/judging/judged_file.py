"""Judged rankings as a file: hits, judgments and counts, which score under any measure.

A Parquet file with the rows of `judged_table` and a description in JSON. Reading it checks its
version, its digest and every row; the file contains no code.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import secrets
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ..conventions.convention import Convention
from ..data import Kind, Note
from ..errors import DataError, RankscopeError
from ..reading import file_names
from ..reading.budget import PER_ROW
from ..reading.decode import PARQUET, open_bytes, settled
from ..reading.from_json.parse import HALF, require_small
from ..reading.from_tables.parquet import read_columns
from ..reading.problems import File, ReadError
from ..version import __version__
from ..words import quote
from . import judgments
from .judged import JudgedRankings
from .judged_table import SCHEMA, damaged, digest, judged_of, table_of

VERSION = 1
"""The version of the format; a file of a newer one is refused."""
ENDING = ".judged.parquet"
_ABOUT, _DIGEST = b"rankscope.judged", b"rankscope.sha256"
_MOST = 1_000_000
"""At most this many characters describe a file; the notes on a run are the longest part."""
_UNREADABLE = (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError)
"""The exceptions of pyarrow for bytes that are not a whole Parquet file."""
_WANTED = "a file of judged rankings"


@dataclass(frozen=True, eq=False)
class JudgedFile:
    """Judged rankings from a file, and what the file says of them.

    Attributes
    ----------
    judged
        The rankings as they were saved, bit by bit, with all judgments.
    name
        The name of the run.
    tags
        Words to find the run by.
    commit
        The version of the ranker in its own source control.
    time
        When the run was judged, in UTC.
    qrels_digest
        A hash of all judgments, in any order of rows: see `judgments.digest`.
    run_digest
        A hash of the run, in the writer's own form; empty where it is not known.
    rankscope
        The version of Rankscope that wrote the file.
    """

    judged: JudgedRankings
    name: str
    tags: tuple[str, ...]
    commit: str
    time: datetime
    qrels_digest: str
    run_digest: str
    rankscope: str


def save(
    judged: JudgedRankings,
    path: str | Path,
    *,
    name: str = "",
    tags: Collection[str] = (),
    commit: str = "",
    time: datetime | None = None,
    run_digest: str = "",
) -> None:
    """Write judged rankings to a file, which `read_judged` reads.

    The file is complete or not there: it is written beside the path and then takes its place.

    Parameters
    ----------
    time
        With a time zone; by default now.

    Raises
    ------
    DataError
        When a text cannot be written, or the time has no zone.
    OSError
        When the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from metrics import Qrels, Run, judge
    >>> qrels, run = Qrels.from_dict({"q": {"a": 1}}), Run.from_dict({"q": {"a": 2.0}})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(judge(qrels, run), f"{folder}/a.judged.parquet", name="bm25", tags=["nightly"])
    ...     found = read_judged(f"{folder}/a.judged.parquet")
    >>> found.name, found.tags, found.judged.hits.rank.tolist()
    ('bm25', ('nightly',), [1])
    """
    if not all(isinstance(text, str) for text in (name, *tags, commit, run_digest)):
        raise DataError("Pass the name, the tags, the commit and the digest as texts.")
    if isinstance(tags, str):
        raise DataError(f"The tags are the text {tags!r}; pass a list of texts.")
    time = time or datetime.now(UTC)
    if time.utcoffset() is None:
        raise DataError(f"The time {time} has no time zone; pass datetime.now(UTC).")
    about = {
        "format": VERSION,
        "rankscope": __version__,
        "name": name,
        "tags": list(tags),
        "commit": commit,
        "time": time.astimezone(UTC).isoformat(),
        "convention": asdict(judged.convention),
        "qrels": {"name": judged.qrels.name, "digest": judgments.digest(judged.qrels)},
        "run": {
            "digest": run_digest,
            "tag": judged.tag,
            "notes": [[note.text, note.code, note.kind] for note in judged.notes],
        },
    }
    _write(Path(path), _parquet(table_of(judged), _json(about)))


def read_judged(source: str | Path | bytes, name: str = "") -> JudgedFile:
    """Return the judged rankings of a file that `save` wrote.

    Parameters
    ----------
    source, name
        A path or the bytes of the file, and the file's name for messages.

    Raises
    ------
    ReadError
        When the file is not one of judged rankings, of a newer version, damaged, or too large.
    OSError
        When the file cannot be read.
    """
    file = File(file_names.shown(file_names.name_of(source, name)))
    data = _content(source, file)
    try:
        opened = pq.ParquetFile(pa.BufferReader(data), page_checksum_verification=True)
        metadata, schema = opened.metadata.metadata or {}, opened.schema_arrow
        about, described = _about(metadata, file)
        if (schema.names, schema.types) != (SCHEMA.names, SCHEMA.types):
            raise damaged("columns with other names or other types", file)
        table = read_columns(data, SCHEMA.names, "document", PER_ROW, file)
        if table.num_rows != opened.metadata.num_rows:
            raise damaged("another number of rows than it says", file)
        if _digest(table, described) != metadata.get(_DIGEST):
            raise damaged("content that does not match its digest", file)
    except ReadError:
        raise
    except _UNREADABLE as error:
        raise damaged(f"a corrupt Parquet file ({quote(str(error))})", file) from error
    return _described(about, table, file)


def is_judged(source: str | Path | bytes) -> bool:
    """Return whether a source is a Parquet file that says it is one of judged rankings.

    Raises
    ------
    OSError
        When the file cannot be opened.
    """
    if not isinstance(source, bytes) and not Path(source).is_file():
        return False
    with open_bytes(source) as stream:
        if stream.read(len(PARQUET)) != PARQUET:
            return False
        stream.seek(0)
        try:
            return _ABOUT in (pq.read_metadata(stream).metadata or {})
        except _UNREADABLE:
            return False


def _content(source: str | Path | bytes, file: File) -> bytes:
    """Return the bytes of a whole Parquet file.

    Raises
    ------
    ReadError
        When it is too large, another kind of file, or lacks its end.
    """
    source = settled(source)
    size = len(source) if isinstance(source, bytes) else Path(source).stat().st_size
    if size > file.limits.expanded:
        expected = f"at most {file.limits.expanded:,} (limit expanded)"
        raise file.error("E-SIZE", f"{size:,} bytes", expected, "Judge the run at a smaller depth.")
    data = source if isinstance(source, bytes) else Path(source).read_bytes()
    if not data.startswith(PARQUET):
        raise _another("a file in another format", file)
    if data[-4:] != PARQUET or len(data) < 12:
        raise damaged("a Parquet file without its end: truncated", file)
    return data


def _about(metadata: Mapping[bytes, bytes], file: File) -> tuple[dict[str, Any], bytes]:
    """Return the description of a file of this version, parsed and as it is written.

    Raises
    ------
    ReadError
        When there is none, or it is too long, not JSON, or of another version.
    """
    if _ABOUT not in metadata:
        raise _another("a Parquet file of other data", file)
    described = metadata[_ABOUT]
    if len(described) > _MOST:
        raise damaged(f"a description of {len(described):,} bytes", file)
    try:
        text = described.decode()
        require_small(text, file)
        about = json.loads(text)
    except (ValueError, RecursionError) as error:
        # A number with very many digits is a ValueError, too.
        raise damaged("a description that is not JSON", file) from error
    version = about.get("format") if isinstance(about, dict) else None
    if type(version) is not int or version < 1:
        raise damaged("a description without a version", file)
    if version > VERSION:
        raise file.error(
            "E-JUDGED-VERSION",
            f"judged rankings in version {version} of the format",
            f"version {VERSION}",
            "Update Rankscope, or judge the run again with this version.",
        )
    return about, described


def _described(about: Mapping[str, Any], table: pa.Table, file: File) -> JudgedFile:
    """Return the judged rankings with what the file says of them.

    Raises
    ------
    ReadError
        When a part of the description is missing or has another type, or a row is not possible.
    """
    qrels, run = (_at(about, key, dict, file) for key in ("qrels", "run"))
    judged = judged_of(table, _convention(about, file), _text(qrels, "name", file), file)
    if judgments.digest(judged.qrels) != _text(qrels, "digest", file):
        raise damaged("judgments that do not match their digest", file)
    notes = tuple(_note(each, file) for each in _at(run, "notes", list, file))
    tags = _at(about, "tags", list, file)
    return JudgedFile(
        judged=replace(judged, notes=notes, tag=_text(run, "tag", file)),
        name=_text(about, "name", file),
        tags=tuple(_text({"tag": tag}, "tag", file) for tag in tags),
        commit=_text(about, "commit", file),
        time=_time(_text(about, "time", file), file),
        qrels_digest=_text(qrels, "digest", file),
        run_digest=_text(run, "digest", file),
        rankscope=_text(about, "rankscope", file),
    )


def _convention(about: Mapping[str, Any], file: File) -> Convention:
    choices = _at(about, "convention", dict, file)
    types = {field.name: type(field.default) for field in fields(Convention)}
    if {name: type(value) for name, value in choices.items()} != types:
        raise damaged("a convention with other choices", file)
    try:
        return Convention(**choices)
    except RankscopeError as error:
        raise damaged(str(error).rstrip("."), file) from error


def _note(saved: object, file: File) -> Note:
    if not isinstance(saved, list) or len(saved) != 3:
        raise damaged("a note in another form", file)
    text, code, kind = (_text({"note": part}, "note", file) for part in saved)
    if kind not in list(Kind):
        raise damaged("a note of an unknown kind", file)
    return Note(text, code, Kind(kind))


def _time(text: str, file: File) -> datetime:
    try:
        time = datetime.fromisoformat(text)
        if time.utcoffset() is not None:
            return time.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise damaged(f"the time {quote(text)}", file) from error
    raise damaged(f"the time {quote(text)} without a time zone", file)


def _text(of: Mapping[str, Any], key: str, file: File) -> str:
    found: str = _at(of, key, str, file)
    if HALF.search(found):
        raise damaged("a text with half a character", file)
    return found


def _at(of: Mapping[str, Any], key: str, kind: type, file: File) -> Any:
    if not isinstance(found := of.get(key), kind):
        raise damaged(f"a description in which {quote(key)} is missing or has another type", file)
    return found


def _another(found: str, file: File) -> ReadError:
    fix = "Judge a run with: rankscope judge QRELS RUN -o FILE."
    return file.error("E-JUDGED", found, _WANTED, fix)


def _json(about: Mapping[str, Any]) -> bytes:
    try:
        described = json.dumps(about, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise DataError(f"{error.object[error.start]!r} cannot be saved; pass Unicode.") from error
    if len(described) > _MOST:
        raise DataError(
            f"The name, tags and notes have {len(described):,} bytes; at most {_MOST:,} can be "
            "saved. Shorten them."
        )
    return described


def _digest(table: pa.Table, described: bytes) -> bytes:
    """Return the digest of the description and of all rows, in hexadecimal digits."""
    return hashlib.sha256(described + digest(table)).hexdigest().encode()


def _parquet(table: pa.Table, described: bytes) -> bytes:
    stream = io.BytesIO()
    with pq.ParquetWriter(
        stream,
        SCHEMA,
        compression="zstd",
        # A dictionary holds equal numbers once; a grade keeps its bits without one.
        use_dictionary=["kind", "query", "document"],
        write_page_checksum=True,
        store_schema=False,
    ) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata({_ABOUT: described, _DIGEST: _digest(table, described)})
    return stream.getvalue()


def _write(path: Path, content: bytes) -> None:
    """Write a file beside its place, then move it there: no reader meets a part of it."""
    # Each writer has a name of its own, so that two cannot mix their bytes.
    beside = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        with beside.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
