"""Net of what people keep: links, sessions, workspaces and judged files, opened by this program.

The files in the folder were written once, by `tests.nets.record`, and stand for what people have.
Each must open to the same content, and be written as it was.
"""

from __future__ import annotations

import io
import json
import shutil
import tempfile
import zipfile
import zlib
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from metrics import read_judged
from metrics.auditing.intake import Given, add_files
from metrics.editing import grades_link, ranking_link
from metrics.matching.judged_file import packed_file
from metrics.sessions.session_file import ABOUT, is_session, load, save
from metrics.sessions.workspace import Workspace
from metrics.teaching import lesson
from tests.nets import content
from tests.nets.master import Entries

FOLDER = Path(__file__).parents[1] / "data" / "nets" / "kept"
WORKSPACE, LINKS = FOLDER / "workspace", FOLDER / "links.json"
WRITER = "rankscope", "time"
"""The keys in a judged file that say by which version and when it was written."""


def entries() -> Entries:
    """Yield what each link and each file opens to, and how it is written again."""
    for kind, links in json.loads(LINKS.read_text("utf-8")).items():
        for name, link in links.items():
            yield f"{kind} {name}", content.said(partial(_OPENED[kind], **link))
    for path in sorted(FOLDER.glob("*.zip")):
        data = path.read_bytes()
        yield f"session {path.stem}", content.said(partial(_of_session, data))
        yield f"session {path.stem}, as a file", content.said(partial(_session_again, data))
    for path in sorted(FOLDER.glob("*.judged.parquet")):
        data = path.read_bytes()
        yield path.name, content.said(partial(_of_judged, data))
        yield f"{path.name}, as a file", content.said(partial(_judged_again, data))
        yield f"{path.name}, uploaded", content.said(partial(_uploaded, data, path.name))
    with tempfile.TemporaryDirectory() as folder:
        # A copy, because a workspace may change its folder.
        workspace = Workspace(shutil.copytree(WORKSPACE, Path(folder, "workspace")))
        yield "workspace", content.said(partial(_of_workspace, workspace))


def _of_ranking(text: str) -> Iterator[str]:
    ranking = ranking_link.unpack(text)
    yield from content.ranking(ranking)
    yield from _of_link(text, ranking_link.pack(ranking))


def _of_grades(text: str, key: str) -> Iterator[str]:
    grades = grades_link.unpack(text, key)
    yield json.dumps(grades)
    yield from _of_link(text, grades_link.pack(key, grades))


def _of_lesson(text: str) -> Iterator[str]:
    found = lesson.unpack(text)
    yield f"{found.title!r}, {found.prompt!r}, {found.question!r}"
    yield from _of_link(text, lesson.pack(found))


_OPENED: dict[str, Callable[..., Iterator[str]]] = {
    "ranking": _of_ranking,
    "grades": _of_grades,
    "lesson": _of_lesson,
}


def _of_session(data: bytes) -> Iterator[str]:
    yield from content.session(load(data, "s.zip"))


def _session_again(data: bytes) -> Iterator[str]:
    yield from _twice(of_archive(data), of_archive(save(load(data, "s.zip"))))


def _of_judged(data: bytes) -> Iterator[str]:
    yield from content.judged_file(read_judged(data))


def _judged_again(data: bytes) -> Iterator[str]:
    file = read_judged(data)
    again = packed_file(
        file.judged, name=file.name, tags=file.tags, commit=file.commit, time=file.time
    )
    yield from _twice(of_table(data), of_table(again))


def _uploaded(data: bytes, name: str) -> Iterator[str]:
    taken = add_files([Given(name, data)])
    for error in taken.problems:
        yield from content.refusal(error)
    yield from map(content.note, taken.notes)
    if taken.dataset:
        yield from content.dataset(taken.dataset)


def _of_workspace(workspace: Workspace) -> Iterator[str]:
    session, problems = workspace.session()
    yield from content.session(session)
    yield from problems
    for each in sorted(workspace.listed(), key=lambda each: each.name):
        yield f"{each.name}: {', '.join(each.runs)}"
        yield from content.dataset(workspace.open(each.name))


def _of_link(before: str, again: str) -> Iterator[str]:
    """Yield the content of a link and of the same link written again."""
    sides = [_inside(text) for text in (before, again)]
    yield sides[0]
    if sides[0] != sides[1]:
        yield f"written again: {sides[1]}"


def _inside(link: str) -> str:
    version, _, body = link.partition(".")
    packed = urlsafe_b64decode(body + "=" * (-len(body) % 4))
    # The packed bytes depend on the version of zlib, their content does not.
    plain = zlib.decompress(packed) if packed[:1] == b"x" else packed
    return f"version {version}: {plain.decode()}"


def _twice(before: Iterable[str], again: Iterable[str]) -> Iterator[str]:
    """Yield lines, and how they are once what they say is written again."""
    lines, others = list(before), list(again)
    yield from lines
    if lines != others:
        yield "written again:"
        yield from others


def of_archive(data: bytes) -> Iterator[str]:
    """Yield the description in a session, and its tables."""
    yield f"a session: {is_session(data)}"
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        about = json.loads(archive.read(ABOUT))
        for name, value in (about | about.pop("data", {})).items():
            yield f"{name}: {json.dumps(_without_digests(value))}"
        for name in archive.namelist():
            if name != ABOUT:
                lines = _lines if name.endswith(".jsonl") else of_table
                yield from (f"{name}: {line}" for line in lines(archive.read(name)))


def _lines(log: bytes) -> Iterable[str]:
    return log.decode().splitlines()


def _without_digests(value: Any) -> Any:
    """Return a description without the digests of files, whose bytes depend on Arrow's version."""
    if isinstance(value, dict):
        return {key: _without_digests(of) for key, of in value.items() if key != "sha256"}
    return [_without_digests(each) for each in value] if isinstance(value, list) else value


def of_table(data: bytes) -> Iterator[str]:
    """Yield the columns of a Parquet file, with digests of their values, and its description."""
    table = pq.read_table(io.BytesIO(data))
    columns = (
        f"{field.name} {field.type} {content.digest(table.column(field.name).to_pylist())}"
        for field in table.schema
    )
    yield f"{len(table)} rows, {', '.join(columns)}"
    if described := (table.schema.metadata or {}).get(b"rankscope.judged"):
        about = json.loads(described)
        yield json.dumps({key: of for key, of in about.items() if key not in WRITER})
