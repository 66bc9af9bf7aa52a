"""A session in one file: the data, the edited rankings and the settings.

The file is a zip archive of ``session.json``, of JSON Lines for the edited rankings and the log of
grades, and of Parquet files for the data. Opening it checks its version, digests, sizes, ids and
values. The file contains no code.
"""

import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..auditing.audit import require_sound, size
from ..dataset import Dataset
from ..editing.history import History
from ..editing.log import Log
from ..editing.origin import Origin
from ..errors import RankscopeError
from ..limits import current
from ..reading import file_names
from ..reading.from_json.parse import DamagedError, object_at, object_in, text_at, valid_text
from ..reading.problems import Budget, File, ReadError
from ..reading.unpack import SMALL, is_zip, shortened, unpack
from . import edit_lines, log_files
from .tables import Archive, get_data, put_data

VERSION = 7
_MB = 1 << 20
ABOUT = "session.json"
_EDITS, _LOG = "edits.jsonl", "log.jsonl"
_PER_BYTE = 5
"""About how many bytes of memory a byte of the edited rankings or the log takes."""
_NAMED = 30
"""The place in a zip archive at which the name of its first file begins."""
_FORMAT = "rankscope session"
MOST_MEMBERS = 1_000
"""At most this many files in a saved session: one for each run, and a few more."""
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_BRACKETS = {ord(bracket): f"\\u{ord(bracket):04x}" for bracket in "[]{}"}


@dataclass(frozen=True, eq=False)
class Session:
    """A user's data, edits and settings.

    Attributes
    ----------
    dataset
        The user's own data, if any.
    edits
        The edited rankings, by the query and the data that each belongs to, as `History.bare`
        returns them.
    settings
        The settings by name, as texts; the program that saves them defines their meaning.
    applied
        The number of the last event that each edited ranking has, by the tab that sent it: a tab
        that does not know what became of an event sends it again.
    log
        All grades that were given by hand.
    """

    dataset: Dataset | None = None
    edits: Mapping[Origin, History] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    applied: Mapping[Origin, Mapping[str, int]] = field(default_factory=dict)
    log: Log = field(default_factory=Log)

    @property
    def edited(self) -> set[tuple[str, str]]:
        """The queries with edits: the qrels' digest and the query's id."""
        return {(origin.qrels, origin.query) for origin in self.edits} | self.log.of_query.keys()


def save(session: Session) -> bytes:
    """Return the session as a file, with every step of the edited rankings that can be undone.

    Examples
    --------
    >>> from metrics import Qrels, Run
    >>> data = Dataset("mine", Qrels.from_dict({"q": {"d": 1}}), (Run.from_dict({"q": {"d": 2}}),))
    >>> load(save(Session(data, settings={"k": "3"})), "s.zip").settings
    {'k': '3'}
    """
    files = _lines(session)
    about: dict[str, Any] = {_FORMAT: VERSION, "settings": dict(session.settings)}
    if session.dataset:
        about["data"] = put_data(session.dataset, files)
    # Opening counts brackets before it parses the JSON; those in texts, as in a name, are escaped.
    described = _QUOTED.sub(lambda quoted: quoted[0].translate(_BRACKETS), json.dumps(about))
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        packed.writestr(zipfile.ZipInfo(ABOUT), described, zipfile.ZIP_DEFLATED)
        for name, content in files.items():
            # Steps are much alike. Parquet is compressed already, and stored as it is, no file has
            # too large a ratio; half of what may have any leaves room for the description.
            small = name == _EDITS and len(content) < SMALL // 2
            kind = zipfile.ZIP_DEFLATED if small else zipfile.ZIP_STORED
            packed.writestr(zipfile.ZipInfo(name), content, kind)
    return stream.getvalue()


def _lines(session: Session) -> dict[str, bytes]:
    """Return the files of the edited rankings and of the log."""
    applied = (session.applied.get(origin, {}) for origin in session.edits)
    edits = map(edit_lines.as_json, session.edits, session.edits.values(), applied)
    of = {_EDITS: edits, _LOG: map(log_files.as_json, session.log.records)}
    return {
        name: b"".join(json.dumps(each, separators=(",", ":")).encode() + b"\n" for each in objects)
        for name, objects in of.items()
    }


def _objects(members: dict[str, bytes], name: str, file: File) -> Iterator[dict[str, Any]]:
    """Yield the objects in the lines of a file that `_lines` wrote, within its budget.

    Raises DamagedError where there is none, or a line is no object.
    """
    if (content := members.pop(name, None)) is None:
        raise DamagedError(f"no {name}")
    file.keep(_PER_BYTE * len(content))
    yield from (object_in(line, name, file) for line in content.splitlines())


def is_session(data: bytes | Path) -> bool:
    """Return whether a file begins as a saved session does, whole or damaged.

    Examples
    --------
    >>> is_session(save(Session())), is_session(b"q1 0 d1 1")
    (True, False)
    """
    if isinstance(data, Path):
        with data.open("rb") as stream:
            data = stream.read(_NAMED + len(ABOUT))
    return is_zip(data) and data[_NAMED : _NAMED + len(ABOUT)] == ABOUT.encode()


def refusal(session: Session, upload: int) -> str:
    """Return the reason why a session could not be opened again once saved; empty if it could.

    ``upload`` is the size in bytes of the largest file that can be uploaded.
    """
    lines = sum(map(len, _lines(session).values()))
    # Most sessions are smaller than this limit even in memory, and need not be saved to know it.
    bound = (size(session.dataset) if session.dataset else 0) + lines
    if bound > upload and (packed := len(save(session))) > upload:
        return (
            f"The file will have {packed / _MB:,.0f} MB, and at most {upload / _MB:,.0f} MB "
            "can be uploaded here. To open it here, drop a run first and save fewer runs at a "
            "time. It opens whole where larger uploads are allowed."
        )
    if (runs := len(session.dataset.rankings) if session.dataset else 0) > MOST_MEMBERS - 10:
        return f"At most {MOST_MEMBERS - 10:,} of {runs:,} runs can be opened again: drop some."
    if (held := _PER_BYTE * lines) > (most := current().session):
        return (
            f"The edits take {held:,} bytes, and at most {most:,} can be opened again "
            "(limit session). Save the rankings that you need one by one, each as a file."
        )
    return ""


def load(data: bytes, name: str) -> Session:
    """Return the session that `save` wrote.

    The limit of a session applies once to the data and once to the edited rankings. The limit of
    a single file's rows does not apply, so any session within its limit can be opened.

    Raises ReadError when the file is not a session, of another version, damaged, or too large.
    """
    file = File(file_names.shown(name))
    now, session = file.limits, file.limits.session
    # Tables are stored uncompressed: a large archive expands to its own size plus the JSON.
    expanded, most = max(now.expanded, len(data) + now.json), max(now.members, MOST_MEMBERS)
    packed = replace(file, limits=replace(now, expanded=expanded, members=most))
    members = {member.name: member.data for member in unpack(data, packed)}
    # The budgets count the rows and the memory that they take.
    within = File(file.name, replace(now, rows=session, expanded=3 * session), Budget(session))
    if ABOUT not in members:
        fix = "Upload runs and qrels as such, not as a session."
        raise file.error("E-SESSION", "no saved session", "a session that Rankscope saved", fix)
    try:
        about = _about(members.pop(ABOUT), file)
        # The budget counts the bytes of all lines before one is read.
        lined = File(file.name, replace(now, json=session, values=session), Budget(session))
        each = [*map(edit_lines.from_json, _objects(members, _EDITS, lined))]
        edits = {origin: history for origin, history, _ in each}
        applied = {origin: tabs for origin, _, tabs in each if tabs}
        if len(edits) != len(each):
            raise DamagedError("a ranking that is edited twice")
        log = Log.of(map(log_files.from_json, _objects(members, _LOG, lined)))
        archive = Archive(members, within)
        dataset = get_data(object_at(about, "data"), archive) if "data" in about else None
        given = object_at(about, "settings")
        settings = {valid_text(name): text_at(given, name) for name in given}
    except ReadError:
        raise
    except RankscopeError as error:
        fix = "The file was changed or damaged after it was saved; open another copy."
        found = shortened(str(error).rstrip("."))
        raise file.error("E-SESSION", found, "a session as it was saved", fix) from error
    if dataset:
        require_sound(dataset)
    return Session(dataset, edits, settings, applied, log)


def _about(content: bytes, file: File) -> dict[str, Any]:
    """Return the object in ``session.json``, when it is of this version.

    Raises DamagedError when the content is not JSON, not an object, or has no version. Raises
    ReadError when the content is too large, or of another version.
    """
    about = object_in(content, ABOUT, file)
    version = about.get(_FORMAT)
    if type(version) is not int:
        raise DamagedError("a version that is not a whole number")
    if version != VERSION:
        fix = "Open it with the version of Rankscope that saved it."
        found = f"a session of version {shortened(str(version))}"
        raise file.error("E-SESSION", found, f"version {VERSION}", fix)
    return about
