"""A session in one file: the data, the edited rankings and the settings.

The file is a zip archive of ``session.json`` and of Parquet files for everything that can be large.
Opening it checks its version, digests, sizes, ids and values. The file contains no code.
"""

import io
import json
import re
import zipfile
from collections.abc import Iterable, Mapping
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
from ..reading.problems import OVERHEAD, Budget, File, ReadError
from ..reading.unpack import is_zip, shortened, unpack
from .log_files import as_json, from_json
from .tables import (
    Archive,
    get_data,
    get_edits,
    places,
    put_data,
    put_edits,
    weight_of_edits,
)

VERSION = 7
_MB = 1 << 20
ABOUT = "session.json"
_LOG = "log.jsonl"
_PER_BYTE = 5
"""About how many bytes of memory a byte of the log takes."""
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
    files: dict[str, bytes] = {}
    about: dict[str, Any] = {_FORMAT: VERSION, "settings": dict(session.settings)}
    about["edits"] = put_edits(session.edits, files)
    if any(session.applied.values()):
        about["applied"] = {str(origin): dict(tabs) for origin, tabs in session.applied.items()}
    files[_LOG] = _lines(session.log)
    if session.dataset:
        about["data"] = put_data(session.dataset, files)
    # Opening counts brackets before it parses the JSON; those in texts, as in a name, are escaped.
    described = _QUOTED.sub(lambda quoted: quoted[0].translate(_BRACKETS), json.dumps(about))
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        packed.writestr(zipfile.ZipInfo(ABOUT), described, zipfile.ZIP_DEFLATED)
        for name, content in files.items():
            # Parquet is compressed already; stored as it is, no file has too large a ratio.
            packed.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_STORED)
    return stream.getvalue()


def _lines(log: Log) -> bytes:
    return b"".join(json.dumps(as_json(each)).encode() + b"\n" for each in log.records)


def _log(content: bytes | None, file: File) -> Log:
    """Return the log of the lines that `_lines` wrote, within the budget of the file.

    Raises DamagedError where there are none, or one is no record.
    """
    if content is None:
        raise DamagedError("no log of grades")
    file.keep(_PER_BYTE * len(content))
    return Log.of(from_json(object_in(line, _LOG, file)) for line in content.splitlines())


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
    most = current().session
    # Most sessions are smaller than this limit even in memory, and need not be saved to know it.
    log = len(_lines(session.log))
    bound = (size(session.dataset) if session.dataset else 0) + 50 * places(session.edits) + log
    if bound > upload and (packed := len(save(session))) > upload:
        return (
            f"The file will have {packed / _MB:,.0f} MB, and at most {upload / _MB:,.0f} MB "
            "can be uploaded here. To open it here, drop a run first and save fewer runs at a "
            "time. It opens whole where larger uploads are allowed."
        )
    if (runs := len(session.dataset.rankings) if session.dataset else 0) > MOST_MEMBERS - 10:
        return f"At most {MOST_MEMBERS - 10:,} of {runs:,} runs can be opened again: drop some."
    longest = 8 + OVERHEAD + 4 * current().id
    held = _PER_BYTE * log
    if places(session.edits) * longest + held > most:
        held += weight_of_edits(session.edits)
    if held > most:
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
    limits = replace(now, rows=session, expanded=3 * session)
    within = replace(file, limits=limits, budget=Budget(session))
    if ABOUT not in members:
        fix = "Upload runs and qrels as such, not as a session."
        raise file.error("E-SESSION", "no saved session", "a session that Rankscope saved", fix)
    try:
        about = _about(members.pop(ABOUT), file)
        of_edits = Archive(members, replace(within, budget=Budget(session)))
        edits = get_edits(object_at(about, "edits"), of_edits)
        log = _log(members.pop(_LOG, None), of_edits.file)
        dataset = None
        if "data" in about:
            dataset = get_data(object_at(about, "data"), Archive(members, within))
        given = object_at(about, "settings")
        settings = {valid_text(name): text_at(given, name) for name in given}
        applied = _applied(about, edits)
    except ReadError:
        raise
    except RankscopeError as error:
        fix = "The file was changed or damaged after it was saved; open another copy."
        found = shortened(str(error).rstrip("."))
        raise file.error("E-SESSION", found, "a session as it was saved", fix) from error
    if dataset:
        require_sound(dataset)
    return Session(dataset, edits, settings, applied, log)


def _applied(about: Mapping[str, Any], edits: Iterable[Origin]) -> dict[Origin, dict[str, int]]:
    """Return the numbers of the last events that each edited ranking has.

    Raises DamagedError when one is not a whole number.
    """
    every = object_at(about, "applied") if "applied" in about else {}
    found = {origin: object_at(every, str(origin)) for origin in edits if str(origin) in every}
    if any(type(number) is not int for tabs in found.values() for number in tabs.values()):
        raise DamagedError("the number of an event that is not a whole number")
    return found


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
