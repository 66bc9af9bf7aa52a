"""Net of readings: each file of the catalogues and of the fuzzers, as it is read or refused.

Each file is uploaded without a role, and read as a run and as qrels. Files of the catalogue are
also uploaded in their role, with the file beside them, as the manifest says. Problems and notes
are in the order in which they are reported.
"""

from __future__ import annotations

import json
import tarfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from textwrap import indent
from typing import Any

from metrics import Qrels, Run, read_judged, read_judges, read_qrels, read_run
from metrics.auditing import audit
from metrics.auditing.intake import Given, Taken, add_files
from metrics.data import TEXTS
from metrics.editing.pasted import read_ranking
from metrics.editing.ranking_link import from_json, unpack
from metrics.reading import read_corpus
from metrics.reading.file_names import shown, uploaded
from metrics.sessions.session_file import load
from tests.catalogue import formats
from tests.core.reading import test_text_catalogue
from tests.fuzzing import valid
from tests.nets import content
from tests.nets.master import Entries

ROOT = Path(__file__).parents[2]
BAD, SAMPLES = ROOT / "tests" / "data" / "bad_inputs", ROOT / "sample_data"
FUZZED = ROOT / "tests" / "data" / "nets" / "fuzzed.tar.xz"
UNHEARD = {
    "ids with spaces": b'[{"query": "q1", "document": " d1", "score": 2.5}, '
    b'{"query": "q1", "document": "d2 ", "score": 1}]',
    "a judge twice": b"query,document,ann,ann\nq1,d1,2,1\n",
}
"""Files for faults that no other file would show."""
ROWS = [("q1", "d1", 2.0), ("q1", "d,2", 0.0), ("q2", "é", 1.0), ("q2", "d1", 3.0)]


def entries() -> Entries:
    """Yield each file's name and what is read of it."""
    yield from _names()
    yield from _catalogue()
    yield from _text_catalogue()
    yield from _formats()
    yield from _valid()
    yield from _unheard()
    yield from _samples()
    yield from _fuzzed()


def _names() -> Entries:
    for case in json.loads((BAD / "manifest.json").read_text("utf-8")):
        if case["format"] == "filename":
            name = case["upload_name"]
            yield f"name {case['file']}", _said(lambda name=name: _of_name(name))


def _of_name(name: str) -> Iterator[str]:
    yield f"shown as {shown(name)!r}"
    yield from map(content.note, uploaded(name))


def _catalogue() -> Entries:
    manifest = json.loads((BAD / "manifest.json").read_text("utf-8"))
    cases = {case["file"]: case for case in manifest}
    for path in sorted(BAD.rglob("*")):
        name = path.relative_to(BAD).as_posix()
        if path.is_dir() or path.parent in (BAD, BAD / "hand_edit"):
            continue
        data, case = path.read_bytes(), cases.get(name)
        parts = [_every_way(data, path.name)]
        if case:
            files = [Given(path.name, data, case["role"])]
            if beside := case.get("with"):
                other = "qrels" if case["role"] == "run" else "run"
                files.append(Given(Path(beside).name, (BAD / beside).read_bytes(), other))
            parts.append(f"as {' with '.join(each.role for each in files)}:\n{_upload(*files)}")
        yield f"bad_inputs/{name}", "\n".join(parts)


def _text_catalogue() -> Entries:
    for text, name, role, other, *_ in test_text_catalogue.CASES:
        files = [Given(name, text.encode(), role)]
        if other:
            files.append(Given(other[1], other[0], "qrels" if role == "run" else "run"))
        # A number for each place would change with every case that is added.
        key = zlib.crc32(repr((text, name, role, other)).encode())
        in_role = f"as {' with '.join(each.role for each in files)}:\n{_upload(*files)}"
        yield f"text {key:08x} {name}", f"{_every_way(text.encode(), name)}\n{in_role}"


def _formats() -> Entries:
    for form, write in (formats.TREC | formats.OTHERS).items():
        rows = [(q, d.replace(",", "_"), v) for q, d, v in ROWS] if form in formats.TREC else ROWS
        for kind in (Run, Qrels):
            yield f"format {form} {kind.__name__}", _every_way(write(kind, rows), "rows")


def _valid() -> Entries:
    groups = {
        "TREC": valid.TREC,
        "tables": valid.TABLES,
        "judges": valid.JUDGES,
        "JSON": valid.JSON,
        "search tools": valid.SEARCH_TOOLS,
        "lines": valid.LINES,
        "texts": valid.TEXTS,
        "pasted": valid.PASTED,
    }
    for group, files in groups.items():
        for name, data in files.items():
            parts = [_every_way(data, "given")]
            if read := _OTHERS.get(group):
                parts.append(f"as {group}:\n{_said(lambda read=read, data=data: read(data))}")
            yield f"valid {group}/{name}", "\n".join(parts)


def _unheard() -> Entries:
    for name, data in UNHEARD.items():
        judges = _said(lambda data=data: _judges(data))
        yield f"unheard {name}", f"{_every_way(data, 'given')}\njudges:\n{judges}"


def _samples() -> Entries:
    for path in sorted(SAMPLES.rglob("*")):
        if path.suffix in (".run", ".txt", ".tsv", ".json", ".ipynb"):
            name = path.relative_to(SAMPLES).as_posix()
            yield f"sample_data/{name}", _every_way(path.read_bytes(), path.name)
    for folder in sorted({path.parent for path in SAMPLES.rglob("*.run")}):
        files = [
            Given(path.name, path.read_bytes())
            for path in sorted(folder.iterdir())
            if path.suffix in (".run", ".txt", ".tsv")
        ]
        yield f"sample_data/{folder.name}: all", _upload(*files)


def _fuzzed() -> Entries:
    # Stored, because the bytes of a fuzzer's archives differ between versions of Python.
    with tarfile.open(FUZZED) as archive:
        files = {
            member.name: archive.extractfile(member).read()  # type: ignore[union-attr]
            for member in archive
        }
    for name, data in files.items():
        reader = name.partition("/")[0]
        if reader in _OTHERS:
            yield f"fuzzed {name}", _said(lambda d=data, r=reader: _OTHERS[r](d))
        else:
            yield f"fuzzed {name}", _every_way(data, "given")


def _every_way(data: bytes, name: str) -> str:
    """Return what an upload without a role, a run and qrels are made of."""
    run = _said(lambda: content.pairs(read_run(data, name)))
    qrels = _said(lambda: content.pairs(read_qrels(data, name)))
    same = "  as the run" if qrels == run else qrels
    return f"uploaded:\n{_upload(Given(name, data))}\nrun:\n{run}\nqrels:\n{same}"


def _upload(*files: Given) -> str:
    return _said(lambda: _of_taken(add_files(files)))


def _said(read: Callable[[], Iterable[str]]) -> str:
    """Return the lines on what was read, or why it was refused."""
    return indent(content.said(read), "  ")


def _of_taken(taken: Taken) -> Iterator[str]:
    for each in taken.seen:
        role = each.role or ("refused" if each.refusal else "open")
        fits = "" if each.fits in ((), (role,)) else f", fits {', '.join(each.fits)}"
        yield f"{each.name!r} is {role}{fits}: {each.holds}".rstrip(": ")
        if each.refusal:
            yield from (f"  {line}" for line in content.refusal(each.refusal))
    if taken.problems != tuple(each.refusal for each in taken.seen if each.refusal):
        for error in taken.problems:
            yield from content.refusal(error)
    yield from map(content.note, taken.notes)
    if taken.needs:
        yield f"needs {', '.join(taken.needs)}"
    if taken.apart:
        mends = (f"{run}: {mend}" for run, mend in taken.apart[1].items())
        yield f"apart: {'; '.join(mends)}"
    dataset = taken.dataset or taken.unjudged
    if dataset is None:
        for pairs in taken.read:
            yield from content.pairs(pairs)
        return
    yield "accepted" if taken.dataset else "without judgments"
    yield from content.dataset(dataset)
    for each in audit.findings(dataset) if taken.dataset else ():
        change = f" The {each.mend}." if each.mend else ""
        yield f"finding {each.kind} {each.about}: {each.text}{change}"


def _intake(data: bytes) -> Iterator[str]:
    """Return what several files are taken for, first without roles, then each in a role."""
    parts = data.split(b"\n~~~\n")
    yield from _of_taken(add_files([Given("r.txt", part) for part in parts]))
    roles = ("qrels", "run", "run", *TEXTS)
    yield "in roles:"
    yield from _of_taken(add_files(map(Given, ["r.txt"] * len(parts), parts, roles)))


def _judges(data: bytes) -> Iterator[str]:
    yield from _of_taken(add_files([Given("given", data)]))
    for judge in read_judges(data, "given").values():
        yield from content.pairs(judge)


def _corpus(data: bytes) -> Iterator[str]:
    corpus = read_corpus(data, "given")
    yield from content.texts("texts", corpus.texts)
    for name, texts in corpus.fields.items():
        yield from content.texts(f"field {name!r}", texts)


def _pasted(data: bytes) -> Iterator[str]:
    text = data.decode("utf-8", "replace")
    reads: dict[str, Callable[[str], Any]] = {
        "pasted": lambda given: read_ranking(given, "q"),
        "JSON": from_json,
        "link": unpack,
    }
    for name, read in reads.items():
        yield f"{name}:"
        yield _said(lambda read=read: content.ranking(read(text)))


_OTHERS: dict[str, Callable[[bytes], Iterator[str]]] = {
    "texts": _corpus,
    "pasted": _pasted,
    "intake": _intake,
    "judges": _judges,
    "session": lambda data: content.session(load(data, "s.zip")),
    "judged": lambda data: content.judged_file(read_judged(data, "given")),
}
