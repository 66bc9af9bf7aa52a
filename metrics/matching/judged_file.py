"""Judged rankings as a file: hits, judgments and counts, which score under any measure.

A Parquet file with the rows of `judged_table` and a description in JSON, checked before a word of
it is used. Reading the file checks its version, its digest and every row; it contains no code.
Parquet is imported in the functions that need it: it takes a tenth of a second, and most commands
read no Parquet.
"""

import json
import os
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from .. import whole_file
from ..conventions.convention import Convention
from ..data import Qrels
from ..errors import DataError, RankscopeError
from ..reading import file_names
from ..reading.from_json.parse import (
    DamagedError,
    list_at,
    notes_at,
    object_at,
    object_in,
    text_at,
)
from ..reading.problems import File
from ..reading.sources import open_bytes, settled, starts_as_parquet
from ..version import __version__
from ..words import quote
from . import judgments
from .judged import JudgedRankings
from .judged_table import damaged, judged_of, table_of

VERSION, WITHOUT_EXCLUSIONS, WITHOUT_ASPECTS = 3, 2, 1
"""The version of the format, and those of files without a part; a newer one is refused."""
_MOST = 1_000_000
"""At most this many bytes describe a file; the notes on a run are the longest part."""
ENDING = ".judged.parquet"


def written(about: Mapping[str, Any]) -> bytes:
    """Return a description as JSON.

    Raises DataError when a text is no Unicode, or all are too long.
    """
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


def parsed(described: bytes, file: File) -> dict[str, Any]:
    """Return a description of this version.

    Raises DamagedError when it is too long, not JSON, or without a version. Raises ReadError when
    it is of a newer version.
    """
    if len(described) > _MOST:
        raise DamagedError(f"a description of {len(described):,} bytes")
    about = object_in(described, "description", file)
    version = about.get("format")
    if type(version) is not int or version < 1:
        raise DamagedError("a description without a version")
    if version > VERSION:
        raise file.error(
            "E-JUDGED-VERSION",
            f"judged rankings in version {version} of the format",
            f"version {VERSION}",
            "Update Rankscope, or match the run again with this version.",
        )
    return about


def time_at(of: Mapping[str, Any], key: str) -> datetime:
    """Return the time under a key, in UTC.

    Raises DamagedError when there is none, or it has no time zone.
    """
    text = text_at(of, key)
    try:
        time = datetime.fromisoformat(text)
        if time.utcoffset() is not None:
            return time.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise DamagedError(f"the time {quote(text)}") from error
    raise DamagedError(f"the time {quote(text)} without a time zone")


def convention_at(of: Mapping[str, Any], key: str) -> Convention:
    """Return the convention under a key, an object of all its choices.

    Raises DamagedError when a choice is missing, unknown or has an unknown value.
    """
    choices = object_at(of, key)
    types = {field.name: type(field.default) for field in fields(Convention)}
    if {name: type(value) for name, value in choices.items()} != types:
        raise DamagedError("a convention with other choices")
    try:
        return Convention(**choices)
    except RankscopeError as error:
        raise DamagedError(str(error).rstrip(".")) from error


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
    judged
        Rankings that `match` returned.
    path
        Where to write.
    name
        The name of the rankings; by default their own.
    tags, commit
        Words to find them by, and the commit of the code that made the run.
    time
        When the run was made, with a time zone; by default now.
    run_digest
        A hash of the run; by default that of the rankings.

    Raises
    ------
    DataError
        When a text cannot be written, or the time has no zone.
    OSError
        When the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from metrics import Qrels, Run, match
    >>> qrels, run = Qrels.from_dict({"q": {"a": 1}}), Run.from_dict({"q": {"a": 2.0}})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(match(qrels, run), f"{folder}/a.judged.parquet", name="bm25", tags=["nightly"])
    ...     found = read_judged(f"{folder}/a.judged.parquet")
    >>> found.name, found.tags, found.judged.hits.rank.tolist()
    ('bm25', ('nightly',), [1])
    """
    content = packed_file(
        judged, name=name, tags=tags, commit=commit, time=time, run_digest=run_digest
    )
    whole_file.write(Path(path), content)


def packed_file(
    judged: JudgedRankings,
    *,
    name: str = "",
    tags: Collection[str] = (),
    commit: str = "",
    time: datetime | None = None,
    run_digest: str = "",
) -> bytes:
    """Return the bytes of the file that `save` writes, of the same arguments.

    Raises DataError as `save` does.
    """
    from .judged_parquet import packed

    if not all(isinstance(text, str) for text in (name, *tags, commit, run_digest)):
        raise DataError("Pass the name, the tags, the commit and the digest as texts.")
    if isinstance(tags, str):
        raise DataError(f"The tags are the text {tags!r}; pass a list of texts.")
    time = time or datetime.now(UTC)
    if time.utcoffset() is None:
        raise DataError(f"The time {time} has no time zone; pass datetime.now(UTC).")
    about = {
        "format": _version(judged.qrels),
        "rankscope": __version__,
        "name": name or judged.name,
        "tags": list(tags),
        "commit": commit,
        "time": time.astimezone(UTC).isoformat(),
        "convention": asdict(judged.convention),
        "qrels": {"name": judged.qrels.name, "digest": judgments.digest(judged.qrels)},
        "run": {
            "digest": run_digest or judged.digest,
            "tag": judged.tag,
            "notes": [[note.text, note.code, note.kind] for note in judged.notes],
        },
    }
    return packed(table_of(judged), written(about))


def _version(qrels: Qrels) -> int:
    """Return the first version of the format that has all parts of these judgments."""
    if qrels.excluded:
        return VERSION
    return WITHOUT_EXCLUSIONS if qrels.aspects else WITHOUT_ASPECTS


def read_judged(source: str | Path | bytes, name: str = "") -> JudgedFile:
    """Return the judged rankings of a file that `save` wrote.

    Parameters
    ----------
    source, name
        A path or the bytes of the file, and the file's name for messages.

    Raises
    ------
    ReadError
        When the file cannot be opened, is not one of judged rankings, of a newer version,
        damaged, or too large.
    """
    return read_within(source, File(file_names.shown(file_names.name_of(source, name))))


def read_within(source: str | Path | bytes, file: File) -> JudgedFile:
    """Return what `read_judged` does, within the limits and the budget of a file.

    Raises ReadError as `read_judged` does.
    """
    from .judged_parquet import description_of, rows_of

    data = _content(source, file)
    described = description_of(data, file)
    try:
        # A newer version may have other columns, so that it is refused first.
        return _described(parsed(described, file), rows_of(data, described, file), file)
    except DamagedError as error:
        raise damaged(str(error), file) from error


def is_judged(source: str | Path | bytes) -> bool:
    """Return whether a source is a Parquet file that says it is one of judged rankings.

    Raises ReadError when the file cannot be opened.
    """
    if not isinstance(source, bytes) and not Path(source).is_file():
        return False
    if not starts_as_parquet(source):
        return False
    from .judged_parquet import says_judged

    with open_bytes(source) as stream:
        return says_judged(stream)


def _content(source: str | Path | bytes, file: File) -> bytes:
    """Return the bytes of a file.

    Raises ReadError when it is too large.
    """
    with open_bytes(settled(source)) as stream:
        if (size := stream.seek(0, os.SEEK_END)) > file.limits.expanded:
            expected = f"at most {file.limits.expanded:,} (limit expanded)"
            fix = "Match the run at a smaller depth."
            raise file.error("E-SIZE", f"{size:,} bytes", expected, fix)
        stream.seek(0)
        return stream.read()


def _described(about: Mapping[str, Any], table: pa.Table, file: File) -> JudgedFile:
    """Return the judged rankings with what the file says of them.

    Raises DamagedError when a part of the description is missing or has another type. Raises
    ReadError when a row is not possible.
    """
    qrels, run = object_at(about, "qrels"), object_at(about, "run")
    judged = judged_of(table, convention_at(about, "convention"), text_at(qrels, "name"), file)
    if judgments.digest(judged.qrels) != text_at(qrels, "digest"):
        raise damaged("judgments that do not match their digest", file)
    judged = replace(
        judged,
        notes=notes_at(run, "notes"),
        tag=text_at(run, "tag"),
        name=text_at(about, "name"),
        digest=text_at(run, "digest"),
    )
    return JudgedFile(
        judged=judged,
        name=judged.name,
        tags=tuple(list_at(about, "tags", str)),
        commit=text_at(about, "commit"),
        time=time_at(about, "time"),
        qrels_digest=text_at(qrels, "digest"),
        run_digest=judged.digest,
        rankscope=text_at(about, "rankscope"),
    )
