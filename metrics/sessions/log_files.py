r"""The log of grades in the files of a folder that several programs share, without any lock.

Each writer has a file of its own, ``log-<writer>.jsonl``, to whose end it writes; its name is a
word of 16 hex digits. What one commit makes is one line, between two ends of a line: the CRC-32 of
the rest in 8 hex digits, a space, and JSON in ASCII::

    {"v":1,"records":[{"writer":"0a1b2c3d4e5f6071","number":3,"counter":8,"data":"…","run":"sheet",
     "query":"q1","said":[["d1",2,false,"Ada","2026-11-25T09:30:00Z","off topic"]],"off":[],
     "again":[],"event":["tab",5]}]}

``v`` is the version of the format. ``data``, ``run`` and ``query`` are the record's origin.
``said`` lists for each document: its id, its grade or null, whether it cannot be graded, the
judge, the time, and the note. ``off`` and ``again`` list names of records, ``<writer>-<number>``;
``event`` is null where the record applies none. A record names its writer, as a file can also hold
those of another writer. Nothing is left out.

A line with another sum is the piece of a write that failed: it was never confirmed, and nobody
reads it. A record that was written twice counts once. A file ``log-<word>.jsonl.old`` is one that
is being merged with others, and is read as they are.
"""

import errno
import json
import os
import re
import secrets
import stat
import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from .. import whole_file
from ..editing.log import Log, Record, Said
from ..editing.origin import Origin
from ..editing.signature import Signature
from ..errors import EditError, RankscopeError
from ..limits import current
from ..reading.from_json.parse import DamagedError, filled, list_at, object_in, valid_text
from ..reading.problems import File
from ..reading.unpack import shortened
from ..words import quote, visible

VERSION = 1
IDLE = 3_600
"""Seconds after which a file that nobody writes to is merged with others."""
LEAST = 8
"""Fewer files than this are not worth merging."""
_OLD = ".old"
_WRITER = re.compile("[0-9a-f]{16}")
_FILE = re.compile(rf"log-{_WRITER.pattern}\.jsonl({re.escape(_OLD)})?")
_LISTS = 100
"""The folder is listed at most so often for one reading."""
_LAST = 100
"""So many bytes before the place to read on from show that the file is still the same."""
_PLAIN = sum(getattr(os, flag, 0) for flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))
_signature = lru_cache(maxsize=1_000)(Signature)
"""What is said at once is signed alike, and a time takes longer to check than all the rest."""
_WRITING = Lock()
"""Held for writing alone: two threads could have the same writer, and mix pieces of lines."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """How far a file was read: its status, the place after its last whole line, and its problems.

    ``last``: the last bytes before that place; ``goes_on``: they had been read before the rest.
    """

    status: tuple[int, ...] = ()
    place: int = 0
    last: bytes = b""
    problems: tuple[str, ...] = ()
    goes_on: bool = False


class LogFiles:
    """The log of grades in the files of a folder.

    Any method raises OSError when the folder or a file in it cannot be read or written.

    Attributes
    ----------
    problems
        Why something was not read, as of the last reading.

    Examples
    --------
    >>> import tempfile
    >>> ada = Signature("Ada", "2026-11-25T09:30:00Z")
    >>> record = Record(1, "a", 1, Origin("data", "sheet", "q"), {"d": Said(3, ada)})
    >>> files = LogFiles(Path(tempfile.mkdtemp()))
    >>> files.append("0a1b2c3d4e5f6071", [record])
    >>> files.read().said("data", "q")["d"].grade
    3
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.problems: list[str] = []
        self._log, self._seen, self._reading = Log(), dict[str, _Seen](), Lock()

    def append(self, writer: str, records: Sequence[Record]) -> None:
        """Write records to the end of a writer's file: once this returns, the disk has them all.

        Raises OSError when it may not have them: the same records can be written again.
        Raises RankscopeError, and writes nothing, when they could not be read again as they are.
        """
        if not _WRITER.fullmatch(writer):
            raise RankscopeError(f"A writer is a word of 16 hex digits, not {quote(writer)}.")
        about = {"v": VERSION, "records": [*map(as_json, records)]}
        body = json.dumps(about, separators=(",", ":")).encode()
        path = self.folder / f"log-{writer}.jsonl"
        if _records(body, path.name) != [*records]:
            raise DamagedError("Records that would be others once they are read.")
        if path.is_symlink() or (path.exists() and not path.is_file()):
            # A pipe would keep the writer waiting, and links could lead to one place.
            path.unlink()
        # The first end of a line ends the piece that an earlier write may have left.
        line = b"\n%08x %b\n" % (zlib.crc32(body), body)
        while not _written(path, line):
            # The file was being merged, and the line may have come too late for that.
            pass

    def read(self) -> Log:
        """Return the log; the same one as before when there is nothing new."""
        with self._reading:
            # What is renamed while the folder is listed may be in no list, or gone afterwards.
            for _ in range(_LISTS):
                if self._read_new():
                    break
            return self._log

    def _read_new(self) -> bool:
        """Read what is new; return whether the files are the same as those of the last list."""
        listed, most = _listed(self.folder), current().session
        room, records, problems, seen = most, list[Record](), list[str](), dict[str, _Seen]()
        settled = listed.keys() == self._seen.keys()
        # Those that were read come first, so that new ones cannot take their room.
        for name, found in sorted(listed.items(), key=lambda each: each[0] not in self._seen):
            of = seen[name] = self._seen.get(name, _Seen())
            if found is None:
                settled = False
                continue
            if not stat.S_ISREG(found.st_mode):
                problems.append(f"{name}: a link, a folder, a pipe or a device, which is not read.")
                continue
            status, room = (found.st_ino, found.st_size, found.st_mtime_ns), room - found.st_size
            if of.status != status and room < 0:
                problems.append(f"{name}: not read, as all logs have over {most:,} bytes.")
            elif of.status != status:
                try:
                    seen[name] = _read_on(self.folder / name, of, status, records)
                    # A file that begins may have the name of one that is merged.
                    settled &= seen[name].goes_on
                except FileNotFoundError:
                    settled = False
                except OSError as error:
                    problems.append(f"{name}: {error.strerror}.")
            problems += seen[name].problems
        # Only once the log has the records do their places count as read.
        self._log = self._log.with_records(records)
        self._seen, self.problems = seen, problems
        return settled

    def compact(self) -> None:
        """Merge the files of writers that have been idle for long, if there are some.

        No line is lost, whoever writes, merges or is killed meanwhile: a file loses its name first,
        by which its writer knows that its line may have come too late; and it is removed only once
        the disk has the file with its lines.
        """
        now, room = time.time(), current().session
        idle = [
            (name, found.st_size)
            for name, found in _listed(self.folder).items()
            if found and stat.S_ISREG(found.st_mode)
            if name.endswith(_OLD) or now - found.st_mtime >= IDLE
        ]
        if len(idle) < LEAST:
            return
        lines, merged = dict[bytes, None](), list[Path]()
        for name, size in idle:
            if (room := room - size) < 0:
                break
            path = self.folder / name
            try:
                if not name.endswith(_OLD):
                    # A new word: no other file that is being merged can have the name.
                    path = path.rename(self.folder / f"{_fresh()}{_OLD}")
                with open(path, "rb", opener=_open) as stream:
                    # Lines of other versions, too, which only those can read.
                    lines |= dict.fromkeys(line for line in stream if _body(line) is not None)
            except (FileNotFoundError, PermissionError):
                # Another program merges it, or has it open where that forbids a new name.
                continue
            merged.append(path)
        whole_file.write(self.folder / _fresh(), b"".join(lines))
        whole_file.sync(self.folder)
        for path in merged:
            path.unlink(missing_ok=True)


def as_json(record: Record) -> dict[str, Any]:
    """Return a record as an object of JSON."""
    said = [
        [document, each.grade, each.unclear, each.signed.judge, each.signed.time, each.signed.note]
        for document, each in record.said.items()
    ]
    return {
        "writer": record.writer,
        "number": record.number,
        "counter": record.counter,
        "data": record.on.qrels,
        "run": record.on.run,
        "query": record.on.query,
        "said": said,
        "off": [*record.off],
        "again": [*record.again],
        "event": record.event and [*record.event],
    }


def from_json(value: Mapping[str, Any]) -> Record:
    """Return the record that `as_json` gave.

    Raises DamagedError when a part is missing or impossible.
    """
    keys = ("writer", "data", "run", "query")
    writer, data, run, query = (filled(value.get(key)) for key in keys)
    off, again = (tuple(map(filled, list_at(value, key, str))) for key in ("off", "again"))
    said = dict(map(_said, rows := list_at(value, "said", list)))
    if len(said) != len(rows):
        raise DamagedError("a document that is graded twice at once")
    match value.get("event", ()):
        case None:
            event = None
        case [tab, at]:
            event = filled(tab), whole(at)
        case _:
            raise DamagedError("an event without a tab and a number")
    counter, number = whole(value.get("counter")), whole(value.get("number"))
    return Record(counter, writer, number, Origin(data, run, query), said, off, again, event)


def _said(row: list[Any]) -> tuple[str, Said]:
    match row:
        case [document, grade, bool(unclear), str(judge), str(when), str(note)]:
            try:
                signed = _signature(valid_text(judge), when, valid_text(note))
                return filled(document), Said(grade, signed, unclear)
            except EditError as error:
                raise DamagedError(shortened(visible(str(error).rstrip(".")))) from error
    raise DamagedError("a grade in an unknown form")


def whole(value: Any) -> int:
    """Return a value that is a whole number which JSON keeps, from 0 on.

    Raises DamagedError when it is something else.
    """
    if type(value) is not int or not 0 <= value < 2**53:
        raise DamagedError("a number that is not whole, below 0 or above all that are given")
    return value


def _records(body: bytes, name: str) -> list[Record]:
    """Return the records of a line.

    Raises DamagedError when one is impossible, or the line is of another version. Raises ReadError
    when it is too large.
    """
    about = object_in(body, "line", File(name))
    if (version := whole(about.get("v"))) != VERSION:
        newer = "written by a newer version of Rankscope"
        raise DamagedError(newer if version else "a line without a version")
    return [from_json(each) for each in list_at(about, "records", dict)]


def _body(line: bytes) -> bytes | None:
    """Return the JSON of a line; None for a piece of one."""
    body = line[9:-1]
    return body if line == b"%08x %b\n" % (zlib.crc32(body), body) else None


def _read_on(path: Path, seen: _Seen, status: tuple[int, ...], records: list[Record]) -> _Seen:
    """Add the records of a file's new lines; return how far it was read then."""
    place, last, problems = seen.place, seen.last, dict.fromkeys(seen.problems)
    with open(path, "rb", opener=_open) as stream:
        stream.seek(place - len(last))
        same = seen.status[:1] == (os.fstat(stream.fileno()).st_ino,)
        # The number alone says little: that of a removed file is given to another one.
        if not (goes_on := same and place > 0 and stream.read(len(last)) == last):
            place, last, problems = stream.seek(0), b"", {}
        for line in stream:
            if not line.endswith(b"\n"):
                break
            place, last = place + len(line), (last + line)[-_LAST:]
            if (body := _body(line)) is not None:
                try:
                    records += _records(body, path.name)
                except DamagedError as error:
                    problems[f"{path.name}: {error}; such a line is not read."] = None
                except RankscopeError as error:
                    problems[str(error)] = None
    return _Seen(status, place, last, tuple(problems), goes_on)


def _written(path: Path, line: bytes) -> bool:
    """Write to the end of a file; return whether the file still had its name afterwards."""
    file = _open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        with _WRITING:
            rest = line
            while rest:
                rest = rest[os.write(file, rest) :]
        os.fsync(file)
        # Always: whoever made the file may have been killed before this.
        whole_file.sync(path.parent)
        return os.path.samestat(os.fstat(file), os.lstat(path))
    except FileNotFoundError:
        return False
    finally:
        os.close(file)


def _open(path: str | Path, flags: int) -> int:
    """Open a file and nothing else, without following a link or waiting for a pipe."""
    file = os.open(path, flags | _PLAIN, 0o666)
    if stat.S_ISREG(os.fstat(file).st_mode):
        return file
    os.close(file)
    raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(path))


def _listed(folder: Path) -> dict[str, os.stat_result | None]:
    """Return the status of each log file in a folder; None for one that has just gone."""
    with os.scandir(folder) as entries:
        names = [entry.name for entry in entries if _FILE.fullmatch(entry.name)]
    found = dict[str, os.stat_result | None].fromkeys(names)
    for name in names:
        try:
            found[name] = os.lstat(folder / name)
        except FileNotFoundError:
            continue
    return found


def _fresh() -> str:
    return f"log-{secrets.token_hex(8)}.jsonl"
