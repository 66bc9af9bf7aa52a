"""A folder that keeps data, edited rankings and settings, however the program ends.

Each file is written whole or not at all, and has its own place: a data set under the hash of its
content, an edited ranking under that of its origin. So two programs that share the folder can at
most replace an order by a later one. Grades are in a log, to which each session appends in a file
of its own.
"""

import hashlib
import json
import os
import re
import time
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .. import whole_file
from ..dataset import Dataset
from ..editing.history import History
from ..editing.origin import Origin
from ..errors import RankscopeError
from ..reading.sources import open_bytes, status
from ..reading.unpack import DAMAGE
from ..words import quote
from .log_files import LogFiles
from .session_file import ABOUT, Session, load, save

_DATA, _EDIT, _SETTINGS, CURRENT = "data-", "edit-", "settings.zip", "current.txt"
_NAME = re.compile(r"data-[0-9a-f]{32}\.zip")
_ABANDONED = 3_600
"""Seconds after which a file that was never finished is removed."""
_DESCRIBED = 1_000_000
"""At most this many bytes of a description are read for the list."""

Stamp = tuple[int, int] | None
"""What tells a version of a file from another; None: there is no such file."""


@dataclass(frozen=True)
class KeptData:
    """A data set in a workspace: its file, the names of its runs, its time and size in bytes."""

    name: str
    runs: tuple[str, ...]
    time: datetime
    size: int


class Workspace:
    """A folder, which is made if it does not exist; ``log`` is the log of grades in it.

    Raises OSError when the folder cannot be made, read or written; every method may raise it.

    Examples
    --------
    >>> import tempfile
    >>> from metrics import Qrels, Run
    >>> folder = Workspace(tempfile.mkdtemp())
    >>> runs = (Run.from_dict({"q": {"d": 2}}, "bm25"),)
    >>> name = folder.keep(Dataset("mine", Qrels.from_dict({"q": {"d": 1}}), runs))
    >>> [kept.runs for kept in folder.listed()], folder.session()[0].dataset.runs
    ([('bm25',)], (Run('bm25': 1 queries, 1 rows),))
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.folder.mkdir(exist_ok=True)
        self.log = LogFiles(self.folder)
        self.log.compact()
        for part in self.folder.glob(f".*{whole_file.PART}"):
            # Another program may just finish it.
            with suppress(FileNotFoundError):
                if time.time() - part.lstat().st_mtime > _ABANDONED and not part.is_dir():
                    part.unlink()

    def keep(self, dataset: Dataset | None) -> str:
        """Keep data, which the next session begins with; None: it begins with none.

        Returns the name of their file; empty for None.
        """
        name = ""
        if dataset is not None:
            content = save(Session(dataset))
            name = f"{_DATA}{hashlib.sha256(content).hexdigest()[:32]}.zip"
            path = self.folder / name
            if not path.is_file() or path.read_bytes() != content:
                self._write(name, content)
        self._write(CURRENT, name.encode())
        return name

    def keep_edit(
        self, origin: Origin, history: History, applied: Mapping[str, int] | None = None
    ) -> None:
        """Keep an edited ranking, with all steps that can be undone, and the events that it has.

        ``applied``: as in `Session`, for this ranking.
        """
        kept = Session(edits={origin: history}, applied={origin: applied or {}})
        self._write(edit_name(origin), save(kept))

    def keep_settings(self, settings: Mapping[str, str]) -> None:
        """Keep the settings of the pages."""
        self._write(_SETTINGS, save(Session(settings=settings)))

    def stamp(self, name: str) -> Stamp:
        """Return what tells a version of a file from another; None where there is no such file."""
        # Without the folder it is not known whether there is one.
        self.folder.stat()
        try:
            found = (self.folder / name).lstat()
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_mtime_ns

    def stamps(self) -> dict[str, Stamp]:
        """Return the stamp of each file that others can replace."""
        self.folder.stat()
        names = [CURRENT, *(path.name for path in self.folder.glob(f"{_EDIT}*.zip"))]
        return {name: found for name in names if (found := self.stamp(name))}

    def session(self) -> tuple[Session, list[str]]:
        """Return what a new session begins with, and why a file could not be opened."""
        problems: list[str] = []
        name = (self._read(CURRENT, problems) or b"").decode("utf-8", "replace")
        dataset = None
        if _NAME.fullmatch(name):
            dataset = self._load(name, problems).dataset
        elif name:
            problems.append(f"{CURRENT}: found {quote(name)}; expected the name of data.")
        paths = sorted(self.folder.glob(f"{_EDIT}*.zip"))
        found = [self._load(path.name, problems) for path in paths]
        edits = {origin: history for each in found for origin, history in each.edits.items()}
        applied = {origin: of for each in found for origin, of in each.applied.items()}
        settings, log = self._load(_SETTINGS, problems).settings, self.log.read()
        problems += self.log.problems
        return Session(dataset, edits, settings, applied, log), problems

    def open(self, name: str) -> Dataset:
        """Return the data of one of `listed`.

        Raises RankscopeError when the file is gone or damaged.
        """
        problems: list[str] = []
        found = self._load(name, problems).dataset if _NAME.fullmatch(name) else None
        if found is None:
            raise RankscopeError("".join(problems) or f"{name} is not in the workspace any more.")
        return found

    def remove(self, name: str) -> None:
        """Remove the data of one of `listed`, for good; edited rankings stay."""
        if _NAME.fullmatch(name):
            (self.folder / name).unlink(missing_ok=True)

    def listed(self) -> list[KeptData]:
        """Return all data sets, the latest first."""
        return sorted(self._kept(), key=lambda kept: kept.time, reverse=True)

    def _kept(self) -> Iterator[KeptData]:
        for path in self.folder.glob(f"{_DATA}*.zip"):
            if not _NAME.fullmatch(path.name):
                continue
            try:
                found = path.lstat()
            except FileNotFoundError:
                # Another program has just removed it.
                continue
            at = datetime.fromtimestamp(found.st_mtime, UTC)
            yield KeptData(path.name, _runs(path), at, found.st_size)

    def _read(self, name: str, problems: list[str]) -> bytes | None:
        """Return the content of a file; None if there is none, or it cannot be read."""
        path = self.folder / name
        if not os.path.lexists(path):
            return None
        try:
            status(path)
            with open_bytes(path) as stream:
                return stream.read()
        except RankscopeError as error:
            problems.append(str(error))
            return None

    def _load(self, name: str, problems: list[str]) -> Session:
        try:
            content = self._read(name, problems)
            return Session() if content is None else load(content, name)
        except RankscopeError as error:
            problems.append(str(error))
            return Session()

    def _write(self, name: str, content: bytes) -> None:
        path = self.folder / name
        if path.is_symlink() or (path.exists() and not path.is_file()):
            # A pipe would keep the writer waiting, and links could lead to one place.
            path.unlink()
        whole_file.write(path, content)
        whole_file.sync(self.folder)


def edit_name(origin: Origin) -> str:
    """Return the name of a ranking's file."""
    return f"{_EDIT}{hashlib.sha256(str(origin).encode()).hexdigest()[:32]}.zip"


def _runs(path: Path) -> tuple[str, ...]:
    """Return the names of the runs in a file, without reading their rows; empty if damaged."""
    try:
        status(path)
        with zipfile.ZipFile(path) as packed, packed.open(ABOUT) as member:
            about: Any = json.loads(member.read(_DESCRIBED))
        data = about["data"]
        judged = [f"judged rankings {place}" for place, _ in enumerate(data["judged"], 1)]
        return (*(str(each["name"]) for each in data["tables"][1:]), *judged)
    except (RankscopeError, *DAMAGE, TypeError):
        return ()
