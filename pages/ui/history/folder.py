"""The judged runs of the folder, and what is computed of them once for all sessions."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock

import streamlit as st

from metrics import JudgedFile, Pairing, ReadError, Statement, read_judged, score
from metrics.deciding.trend import PastRun, Point, apart_from, judged_files, past_runs, trend
from metrics.reading import sources
from metrics.rendering import text

from .. import state, widgets
from ..show import cache_spinner, spinner

Stamp = tuple[int, int, int]
"""The size of a file, its time of change and its inode: a rewritten file has another one."""
Key = tuple[tuple[bytes, Stamp], ...]
"""Names some files with their content; a path in bytes, because it need not be UTF-8."""
_REFUSED = 5
"""At most this many files that cannot be read are listed."""
_COMMIT = 8
"""This many characters of a commit are shown."""


@dataclass
class _Shelf:
    """The files that were read, each under the stamp that it had."""

    lock: Lock = field(default_factory=Lock)
    held: dict[Path, tuple[Stamp, JudgedFile | ReadError]] = field(default_factory=dict)

    def read(self, path: Path) -> JudgedFile:
        """Return the content of a file, or raise why it cannot be read."""
        # The stamp comes first: a file that changes while it is read is read again.
        stamp = _stamp(path)
        if path not in self.held or self.held[path][0] != stamp:
            self.held[path] = stamp, _outcome(path)
        _, found = self.held[path]
        if isinstance(found, ReadError):
            # Each raise adds to the traceback of an exception.
            raise ReadError(list(found.problems))
        return found


def _stamp(path: Path) -> Stamp:
    found = sources.status(path)
    return found.st_size, found.st_mtime_ns, found.st_ino


def _outcome(path: Path) -> JudgedFile | ReadError:
    try:
        return read_judged(path)
    except ReadError as error:
        return error


# For all sessions: the folder is the server's, and they all see the same files.
@st.cache_resource(show_spinner=False)
def _shelf(folder: bytes) -> _Shelf:
    return _Shelf()


@dataclass(frozen=True, eq=False)
class FolderHistory:
    """The runs of the folder, the oldest first, and the reasons why other files cannot be read."""

    runs: tuple[PastRun, ...]
    refused: tuple[ReadError, ...]
    stamps: dict[Path, Stamp]

    def key(self, *runs: PastRun) -> Key:
        """Return what names these runs and their content, for a cache."""
        return tuple((os.fsencode(run.path), self.stamps[run.path]) for run in runs)


def opened(folder: str) -> FolderHistory:
    """Return the folder's runs; end the page with what to do if there is none."""
    try:
        paths = judged_files(folder)
    except OSError as error:
        st.error(f"The folder of judged runs cannot be opened: {text.code(str(error.strerror))}.")
        st.stop()
    if not paths:
        st.info("The folder has no judged run yet. Write one into it:")
        st.code("rankscope match QRELS RUN -o FOLDER/ --tag nightly", language=None)
        st.stop()
    shelf = _shelf(os.fsencode(folder))
    with shelf.lock, spinner("Reading the judged runs …"):
        runs, refused = past_runs(folder, shelf.read)
        # Files that the folder has no more are let go.
        shelf.held = {path: shelf.held[path] for path in paths if path in shelf.held}
        stamps = {path: stamp for path, (stamp, _) in shelf.held.items()}
    return FolderHistory(tuple(run for run in runs if run.path in stamps), refused, stamps)


def unreadable(refused: Sequence[ReadError]) -> None:
    """List the files that cannot be read, each with its reason."""
    if not refused:
        return
    lines = [f"- {text.code(str(error))}" for error in refused[:_REFUSED]]
    more = len(refused) - _REFUSED
    if more > 0:
        lines.append(f"- and {more} more")
    lines.insert(0, f"{text.count(len(refused), 'file')} of the folder cannot be read:\n")
    st.warning("\n".join(lines))


def label(run: PastRun) -> str:
    """Return a run's name for a list: time, name, commit and tags."""
    file = run.file
    parts = [f"{file.time:%Y-%m-%d %H:%M}", title(run), file.commit[:_COMMIT], " ".join(file.tags)]
    return text.visible(" · ".join(filter(None, parts)))


def short(run: PastRun) -> str:
    """Return a run's name for a sentence: name, and commit or time."""
    file = run.file
    return f"{title(run)} {file.commit[:_COMMIT] or f'{file.time:%Y-%m-%d %H:%M}'}"


def title(run: PastRun) -> str:
    """Return the name of a run; that of its file if it has none."""
    return run.file.name or run.path.name


def with_tags(runs: Sequence[PastRun]) -> list[PastRun]:
    """Choose tags, and return the runs that have all of them."""
    present = sorted({tag for run in runs for tag in run.file.tags})
    if not present:
        return list(runs)

    tags = widgets.several(
        "Tags",
        {tag: tag for tag in present},
        state.TAGS,
        why="The folder has no run with these tags.",
        placeholder="all runs",
        help="Only runs with all of these tags.",
        width=330,
    )
    return [run for run in runs if set(tags) <= set(run.file.tags)]


def points(history: FolderHistory, runs: Sequence[PastRun], measure: str) -> list[Point]:
    """Return the means of the runs, and how each differs from the one before."""
    pairs = [tuple(runs[max(place - 1, 0) : place + 1]) for place in range(len(runs))]
    with spinner("Computing …"):
        return [_point(history.key(*pair), pair, measure) for pair in pairs]


def compared(
    history: FolderHistory, a: PastRun, b: PastRun, measure: str
) -> Pairing | tuple[Statement, ...]:
    """Return the comparison of two runs, or the differences that rule it out."""
    found: Pairing | tuple[Statement, ...] = _compared(history.key(a, b), a, b, measure)
    return found


# Not cache_data, which copies: a point holds the judged run. A new run costs one point.
@st.cache_resource(max_entries=1_000, show_spinner=False)
def _point(key: Key, _pair: tuple[PastRun, ...], measure: str) -> Point:
    return trend(_pair, [measure])[-1]


@st.cache_resource(max_entries=16, show_spinner=cache_spinner("Comparing …"))
def _compared(key: Key, _a: PastRun, _b: PastRun, measure: str) -> Pairing | tuple[Statement, ...]:
    # Runs of several nights have the same name.
    one, two = (replace(run.file.judged, name=short(run)) for run in (_a, _b))
    sides = score(one, [measure]), score(two, [measure])
    if apart := apart_from(*sides):
        return apart
    found = Pairing.of_scores(*sides)
    # Here, while the page says that it compares.
    _ = found.verdict
    return found
