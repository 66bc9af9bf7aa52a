"""The log in files: what was confirmed is there, whoever writes, merges or is killed meanwhile."""

import errno
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
import zlib
from collections import Counter
from contextlib import suppress
from functools import cache, partial
from itertools import count
from pathlib import Path

import pytest

from metrics import RankscopeError
from metrics.editing.log import SHEET, Log, Record, Said
from metrics.editing.origin import Origin
from metrics.editing.signature import Signature
from metrics.reading.from_json.parse import DamagedError
from metrics.sessions import log_files
from metrics.sessions.log_files import LogFiles, as_json, from_json
from tests.cases import cases

ROOT = Path(__file__).parents[3]
ADA, BOB = "a" * 16, "b" * 16
ODD = "\u0100 \u00ff \x00\n\r\u2028 é😀 \"'\\ [{]},"
BY = Signature("Ada", "2026-11-25T09:30:00Z")
FULL = Record(
    *(7, ODD, 4, Origin(f"data{ODD}", f"run{ODD}", f"query{ODD}")),
    {
        ODD: Said(2.5, Signature(f"Ada{ODD[:3]}", "2026-11-25T09:30:00Z", ODD)),
        "none": Said(None, BY),
        "unclear": Said(None, Signature("", "2026-11-25T09:30:01Z"), unclear=True),
        "least": Said(-1000, BY),
    },
    *((f"{ODD}-1", "x-2"), (f"{ODD}-3",), (ODD, 12)),
)
FEW = 3
"""So many files are merged where each step of it is tried."""
ROUNDS = int(os.environ.get("RANKSCOPE_ROUNDS", "12"))


def record(number, writer=ADA, query="q", note=""):
    said = {"d": Said(number % 4, Signature("Ada", "2026-11-25T09:30:00Z", note))}
    return Record(number, writer, number, Origin("data", SHEET, query), said)


def names(folder):
    """The names of all records that a new program reads; none is there twice."""
    found = [each.name for each in LogFiles(folder).read().records]
    assert max(Counter(found).values(), default=1) == 1
    return set(found)


def line(about):
    body = json.dumps(about, separators=(",", ":")).encode()
    return b"%08x %b\n" % (zlib.crc32(body), body)


def path_of(folder, writer=ADA):
    return folder / f"log-{writer}.jsonl"


def test_every_field_is_read_as_it_was_written(tmp_path):
    plain = Record(1, "w", 0, Origin("data", SHEET, "q"))
    LogFiles(tmp_path).append(ADA, [FULL, plain])
    assert LogFiles(tmp_path).read().records == [plain, FULL]
    content = path_of(tmp_path).read_bytes()
    assert content.isascii()
    assert content == b"\n" + line({"v": 1, "records": [as_json(FULL), as_json(plain)]})
    assert from_json(json.loads(json.dumps(as_json(FULL)))) == FULL


@cases("key", as_json(FULL))
@cases("value", [..., "", 1.5, -1, True, [], [[]], [1], {}, [["d", 1, False, "", "", ""]], ["", 1]])
def test_what_no_record_can_be_is_refused(key, value):
    changed = as_json(FULL) | {key: value}
    if value is ...:
        del changed[key]
    if value == [] and key in ("said", "off", "again"):
        assert from_json(changed) != FULL
        return
    with pytest.raises(DamagedError):
        from_json(changed)


@cases(
    "said",
    [
        *(["d", grade, False, "Ada", BY.time, ""] for grade in ("1", True, 1001, float("nan"))),
        *(["d", 1, unclear, "Ada", BY.time, ""] for unclear in (None, 0)),
        *(["d", 1, False, judge, BY.time, ""] for judge in (None, "x" * 101, "a\nb", [])),
        *(["d", 1, False, "Ada", when, ""] for when in (None, "now", "\ud800" * 999)),
        *(["d", 1, False, "Ada", BY.time, note] for note in (None, "x" * 2001, [])),
        *(["d", 1, False, "Ada", BY.time], ["d", 1, False, "Ada", BY.time, "", ""], {}, "d1fatn"),
    ],
)
def test_what_no_judge_can_have_said_is_refused(said):
    good = ["e", 1, False, "Ada", BY.time, ""]
    assert from_json(as_json(FULL) | {"said": [good]}).said.keys() == {"e"}
    with pytest.raises(DamagedError) as raised:
        from_json(as_json(FULL) | {"said": [good, said]})
    # It can be shown.
    assert len(str(raised.value).encode()) < 300
    with pytest.raises(DamagedError, match="twice"):
        from_json(as_json(FULL) | {"said": [good, good]})


@cases("writer", ["", "a" * 15, "A" * 16, "../" + "a" * 13, "a" * 16 + "\n", "a" * 15 + "/", ODD])
def test_only_a_word_of_hex_digits_names_a_file(tmp_path, writer):
    with pytest.raises(RankscopeError, match="16 hex digits"):
        LogFiles(tmp_path).append(writer, [record(1)])
    assert not list(tmp_path.rglob("*"))


@cases("query", ["", "\ud83d\ude00"], ids=["empty", "two halves, which JSON reads as one"])
def test_what_would_not_be_read_as_it_is_is_not_confirmed(tmp_path, query):
    with pytest.raises(RankscopeError):
        LogFiles(tmp_path).append(ADA, [record(1), record(2, query=query)])
    assert not list(tmp_path.iterdir())


def test_what_is_too_large_to_be_read_is_not_confirmed(tmp_path, monkeypatch):
    monkeypatch.setenv("RANKSCOPE_LIMITS", "json=300")
    files = LogFiles(tmp_path)
    files.append(ADA, [record(1)])
    with pytest.raises(RankscopeError, match="limit json"):
        files.append(ADA, [record(2), record(3)])
    assert names(tmp_path) == {f"{ADA}-1"}


def test_the_log_is_the_same_object_until_something_is_new(tmp_path, monkeypatch):
    files, other = LogFiles(tmp_path), LogFiles(tmp_path)
    assert files.read() is files.read()
    other.append(ADA, [record(1), record(2, query="r")])
    first = files.read()
    assert [each.name for each in first.records] == [f"{ADA}-1", f"{ADA}-2"]
    with monkeypatch.context() as patch:
        # Nothing is opened when nothing is new, and the folder is listed once.
        patch.setattr(os, "open", None)
        listed = []
        patch.setattr(
            os, "scandir", lambda path, real=os.scandir: listed.append(path) or real(path)
        )
        assert files.read() is first
        assert listed == [tmp_path]
    # The same again, also by another writer, is nothing new.
    other.append(ADA, [record(1)])
    other.append(BOB, [record(2, query="r")])
    assert files.read() is first
    other.append(BOB, [record(3)])
    read = []
    with monkeypatch.context() as patch:
        real = log_files._records
        patch.setattr(log_files, "_records", lambda *given: read.append(given) or real(*given))
        assert len(files.read().records) == 3
    assert len(read) == 1


def test_many_threads_read_and_write_at_once(tmp_path, monkeypatch):
    """Also where several have one writer, and every write is a short one."""
    real = os.write
    monkeypatch.setattr(os, "write", lambda file, data: time.sleep(0) or real(file, data[:50]))
    files, failed = LogFiles(tmp_path), []

    def work(start):
        try:
            for number in range(start, start + 10):
                files.append(ADA, [record(number)])
                assert f"{ADA}-{number}" in {each.name for each in files.read().records}
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=[start]) for start in range(0, 60, 10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert names(tmp_path) == {f"{ADA}-{number}" for number in range(60)}


def test_a_torn_line_never_damages_the_next_one(tmp_path):
    LogFiles(tmp_path).append(ADA, [record(1)])
    whole = path_of(tmp_path).read_bytes()
    for length in range(len(whole) + 1):
        folder = tmp_path / str(length)
        folder.mkdir()
        path_of(folder).write_bytes(whole[:length])
        files = LogFiles(folder)
        # Without its last byte, the end of the line, it may still be going on.
        torn = set() if length < len(whole) else {f"{ADA}-1"}
        assert {each.name for each in files.read().records} == torn
        files.append(ADA, [record(2)])
        torn = set() if length < len(whole) - 1 else {f"{ADA}-1"}
        assert {each.name for each in files.read().records} == torn | {f"{ADA}-2"}
        files.append(ADA, [record(1)])
        assert {each.name for each in files.read().records} == {f"{ADA}-1", f"{ADA}-2"}
        assert files.problems == []


@pytest.mark.parametrize("call", ["write", "fsync"])
def test_what_fails_is_raised_and_can_be_written_again(tmp_path, monkeypatch, call):
    files = LogFiles(tmp_path)
    files.append(ADA, [record(1)])
    write = os.write

    def full(file, data=b""):
        if data:
            write(file, data[: len(data) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for _ in range(3):
        with monkeypatch.context() as patch:
            patch.setattr(os, call, full)
            with pytest.raises(OSError, match="No space left"):
                files.append(ADA, [record(2), record(3, query="r")])
        assert f"{ADA}-1" in names(tmp_path)
        assert call == "fsync" or names(tmp_path) == {f"{ADA}-1"}
    files.append(ADA, [record(2), record(3, query="r")])
    assert {each.name for each in files.read().records} == names(tmp_path)
    assert names(tmp_path) == {f"{ADA}-1", f"{ADA}-2", f"{ADA}-3"}


def test_the_disk_has_the_line_and_the_name_before_it_is_confirmed(tmp_path, monkeypatch):
    done = []
    write, fsync = os.write, os.fsync
    monkeypatch.setattr(os, "write", lambda *given: done.append("write") or write(*given))

    def synced(file):
        done.append(Path(f"/proc/self/fd/{file}").resolve())
        fsync(file)

    monkeypatch.setattr(os, "fsync", synced)
    LogFiles(tmp_path).append(ADA, [record(1)])
    assert done == ["write", path_of(tmp_path).resolve(), tmp_path.resolve()]


def test_what_cannot_be_understood_is_named_and_the_rest_is_read(tmp_path):
    files, good = LogFiles(tmp_path), {"v": 1, "records": [as_json(record(1))]}
    with path_of(tmp_path).open("wb") as stream:
        newer, bad = line(good | {"v": 2}), line({"v": 1, "records": [{"writer": ""}]})
        stream.write(newer + b"\xff\x00torn\n" + newer + line(good) + bad)
        stream.write(line(good | {"v": 0}) + line([]) + line(good)[:30])
    log = files.read()
    assert log == Log.of([record(1)])
    problems = files.problems
    start = f"{path_of(tmp_path).name}: "
    assert (
        problems[0] == f"{start}written by a newer version of Rankscope; such a line is not read."
    )
    assert len(problems) == 4
    assert all(problem.startswith(start) for problem in problems)
    # They are named for as long as they are there.
    assert files.read() is log
    files.append(BOB, [record(2)])
    assert len(files.read().records) == 2
    assert files.problems == problems
    path_of(tmp_path).unlink()
    files.read()
    assert files.problems == []


@cases("kind", ["link", "dangling link", "loop", "pipe", "folder"])
def test_what_is_no_file_is_neither_read_nor_written_to(tmp_path, kind):
    folder, target = tmp_path / kind.replace(" ", "_"), tmp_path / f"target-{kind}"
    folder.mkdir()
    place = path_of(folder)
    LogFiles(folder).append(BOB, [record(2, BOB)])
    if kind == "link":
        target.write_bytes(line({"v": 1, "records": [as_json(record(9))]}))
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "folder":
        place.mkdir()
    else:
        place.symlink_to(place.name if kind == "loop" else target)
    files, content = LogFiles(folder), target.exists() and target.read_bytes()
    assert {each.name for each in files.read().records} == {f"{BOB}-2"}
    assert [problem.split(":")[0] for problem in files.problems] == [place.name]
    # Nor where it gets there after it was looked at.
    with pytest.raises(OSError, match=r"Invalid|Too many"):
        os.close(log_files._open(place, os.O_RDONLY))
    if kind == "folder":
        with pytest.raises(OSError, match=r"directory|permitted"):
            files.append(ADA, [record(1)])
    else:
        files.append(ADA, [record(1)])
        assert {each.name for each in files.read().records} == {f"{ADA}-1", f"{BOB}-2"}
        assert files.problems == []
    assert (target.exists() and target.read_bytes()) == content


def test_no_more_is_read_than_the_limit_allows(tmp_path, monkeypatch):
    files = LogFiles(tmp_path)
    files.append(BOB, [record(1, BOB)])
    size = path_of(tmp_path, BOB).stat().st_size
    monkeypatch.setenv("RANKSCOPE_LIMITS", f"session={2 * size - 1}")
    assert len(files.read().records) == 1
    # Its name comes first, but it does not take the room of what was read before.
    files.append(ADA, [record(1)])
    log = files.read()
    assert [each.writer for each in log.records] == [BOB]
    (problem,) = files.problems
    assert problem == f"log-{ADA}.jsonl: not read, as all logs have over {2 * size - 1:,} bytes."
    assert files.read() is log
    assert files.problems == [problem]
    monkeypatch.setenv("RANKSCOPE_LIMITS", f"session={2 * size}")
    assert len(files.read().records) == 2
    assert files.problems == []


@cases("way", ["in place", "another", "same end", "shorter", "same size"])
def test_a_file_that_was_replaced_is_read_from_its_start(tmp_path, way):
    folder = tmp_path / way.replace(" ", "_")
    folder.mkdir()
    files, path = LogFiles(folder), path_of(folder)
    for number in (1, 2):
        files.append(ADA, [record(number)])
    files.read()
    other = line({"v": 1, "records": [as_json(record(3))]})
    if way == "in place":
        # As when the number of a removed file is given to another one.
        inode = path.stat().st_ino
        path.write_bytes(other + line({"v": 1, "records": [as_json(record(4, note="x" * 999))]}))
        assert path.stat().st_ino == inode
    elif way == "another":
        (folder / "new").write_bytes(other + b"\n" * 9999)
        os.replace(folder / "new", path)
    elif way == "same end":
        (folder / "new").write_bytes(b"\n" + other + path.read_bytes()[len(other) + 1 :] + b"\n")
        os.replace(folder / "new", path)
    elif way == "shorter":
        path.write_bytes(other)
    else:
        path.write_bytes(other + b"\n" * (path.stat().st_size - len(other)))
        os.utime(path, (1, 1))
    found = {each.name for each in files.read().records}
    assert found >= {f"{ADA}-1", f"{ADA}-2", f"{ADA}-3"}
    assert found >= names(folder)


def test_a_line_that_is_not_whole_yet_is_read_once_it_is(tmp_path):
    files, whole = LogFiles(tmp_path), b"\n" + line({"v": 1, "records": [as_json(record(1))]})
    for place in range(len(whole)):
        with path_of(tmp_path).open("ab") as stream:
            stream.write(whole[place : place + 1])
        assert len(files.read().records) == (place == len(whole) - 1)


def filled(folder, many=FEW):
    """Make a folder with a file of each of some writers; return the names of their records."""
    folder.mkdir()
    for number in range(many):
        LogFiles(folder).append(f"{number:016x}", [record(number), record(100 + number, query="r")])
    return {f"{ADA}-{number + more}" for number in range(many) for more in (0, 100)}


def test_files_that_are_idle_become_one(tmp_path, monkeypatch):
    said = filled(tmp_path / "few", log_files.LEAST - 1)
    folder = tmp_path / "few"
    newer = line({"v": 2, "records": []})
    path_of(folder, ADA).write_bytes(b"torn\n" + newer + b"torn")
    files = LogFiles(folder)
    before = sorted(folder.iterdir())
    files.compact()
    assert sorted(folder.iterdir()) == before
    for path in before[1:]:
        os.utime(path, (1, 1))
    files.compact()
    assert sorted(folder.iterdir()) == before
    log = files.read()
    os.utime(before[0], (1, 1))
    files.compact()
    (merged,) = folder.iterdir()
    assert merged not in before
    assert log_files._FILE.fullmatch(merged.name)
    # What only a newer version can read stays, what nobody can read does not.
    content = merged.read_bytes()
    assert newer in content
    assert b"torn" not in content
    assert files.read() is log
    assert names(folder) == said
    # The writers go on.
    files.append("0" * 16, [record(200)])
    assert len(files.read().records) == len(names(folder)) == len(said) + 1
    monkeypatch.setattr(log_files, "LEAST", 1)
    monkeypatch.setattr(log_files, "IDLE", -1)
    files.compact()
    assert len(list(folder.iterdir())) == 1
    assert names(folder) == said | {f"{ADA}-200"}


CALLS = ("open", "write", "fsync", "rename", "replace", "unlink", "lstat", "scandir")


class KilledError(BaseException):
    """Stands for the end of a program."""


def each_step(monkeypatch, tmp_path, prepare, work, meanwhile):
    """Do some work in one folder after another, and something else before one more of its steps.

    Yields each folder, what `prepare` made of it, and what the work returned there.
    """
    monkeypatch.setattr(log_files, "IDLE", -1)
    monkeypatch.setattr(log_files, "LEAST", FEW)
    for step in count():
        folder, calls, result = tmp_path / str(step), count(), None
        given = prepare(folder)

        def call(real, *arguments, step=step, folder=folder, calls=calls, **more):
            if next(calls) == step:
                meanwhile(folder)
            return real(*arguments, **more)

        with monkeypatch.context() as patch, suppress(KilledError):
            for name in CALLS:
                patch.setattr(os, name, partial(call, getattr(os, name)))
            result = work(folder, given)
        yield folder, given, result
        # Its number is that of the steps that there are.
        if next(calls) <= step:
            return


def kill(_folder):
    raise KilledError


def compact(folder, _given=None):
    LogFiles(folder).compact()


def go_on(folder, _given=None):
    for number in range(FEW):
        LogFiles(folder).append(f"{number:016x}", [record(1000 + number)])


MORE = {f"{ADA}-{1000 + number}" for number in range(FEW)}


@pytest.mark.parametrize("meanwhile", [kill, compact, go_on, names])
def test_merging_loses_nothing_whatever_happens_at_any_step(tmp_path, monkeypatch, meanwhile):
    folders = each_step(monkeypatch, tmp_path, filled, compact, meanwhile)
    for step, (folder, said, _) in enumerate(folders):
        assert names(folder) - MORE == said, step
        # The writers go on, also where files are left that were being merged.
        go_on(folder)
        with monkeypatch.context() as patch:
            patch.setattr(log_files, "LEAST", 1)
            compact(folder)
        (left,) = (path for path in folder.iterdir() if not path.name.startswith("."))
        assert left.suffix == ".jsonl"
        assert names(folder) == said | MORE
    assert step > 15


def test_a_line_is_not_lost_that_is_written_while_its_file_is_merged(tmp_path, monkeypatch):
    folders = each_step(monkeypatch, tmp_path, filled, go_on, compact)
    for step, (folder, said, _) in enumerate(folders):
        assert names(folder) == said | MORE, step
    assert step > 15


def known(folder):
    """Return a reader that has read a folder whose files have grown since."""
    filled(folder)
    files = LogFiles(folder)
    files.read()
    go_on(folder)
    return files


def begin_again(folder):
    """Merge all files; their writers begin new ones of the same names."""
    compact(folder)
    for number in range(FEW):
        LogFiles(folder).append(f"{number:016x}", [record(2000 + number)])


@pytest.mark.parametrize("meanwhile", [compact, begin_again])
@pytest.mark.parametrize("prepare", [filled, known])
def test_a_reader_misses_nothing_that_is_merged(tmp_path, monkeypatch, prepare, meanwhile):
    def read(folder, given):
        return (given if prepare is known else LogFiles(folder)).read()

    folders = each_step(monkeypatch, tmp_path, prepare, read, meanwhile)
    for step, (folder, _, log) in enumerate(folders):
        found = {each.name for each in log.records if each.number < 2000}
        assert found == {name for name in names(folder) if "-200" not in name}, step
        assert len(found) == (3 * FEW if prepare is known else 2 * FEW)
    assert step > 6


# The race: it runs in a program of its own, which forks the writers and those who merge.

WRITERS = [[f"{number:016x}" for number in group] for group in ((0, 1, 2, 3), (4, 5, 6), (7, 8, 9))]


@cache
def commit(writer, number):
    """The records of a writer's commit: always the same, so that it can be written again."""
    chance = random.Random(f"{writer} {number}")
    each = range(3 * number, 3 * number + chance.randint(1, 3))
    return [record(n, writer, f"q{n % 7}", "x" * chance.choice([0, 9, 1999])) for n in each]


def confirmed(notes):
    """The numbers of the commits that each writer has noted, whole lines only."""
    found = {path.name: path.read_bytes().rpartition(b"\n")[0].split() for path in notes.iterdir()}
    return {writer: [*map(int, numbers)] for writer, numbers in found.items()}


def write(folder, notes, writers, end):
    """Append commits from a thread for each writer, and note each one that is confirmed."""
    real, done = os.write, confirmed(notes)

    def in_two(file, data):
        if len(data) > 100 and random.random() < 0.3:
            written = real(file, data[: random.randrange(len(data))])
            time.sleep(random.random() / 300)
            return written
        return real(file, data)

    os.write, files = in_two, LogFiles(folder)

    def work(writer):
        number = max(done.get(writer, [-1])) + 1
        note = os.open(notes / writer, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        while time.monotonic() < end:
            files.append(writer, commit(writer, number))
            real(note, b"%d\n" % number)
            number += 1
            time.sleep(random.random() / 30)

    threads = [threading.Thread(target=work, args=[writer]) for writer in writers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def merge(folder, end):
    log_files.IDLE, log_files.LEAST = 0, 2
    while time.monotonic() < end:
        LogFiles(folder).compact()
        time.sleep(random.random() / 100)


def forked(work, *given):
    """Return the process that does some work; it ends with 1 if that failed."""
    if process := os.fork():
        return process
    failed = 1
    try:
        random.seed()
        work(*given)
        failed = 0
    except BaseException as error:
        print(repr(error), file=sys.stderr, flush=True)
    finally:
        os._exit(failed)


def read_simply(folder):
    """The log of all whole lines in a folder where nobody writes."""
    found = []
    for path in folder.iterdir():
        for each in path.read_bytes().split(b"\n"):
            if path.name.startswith("log-") and each[:8] == b"%08x" % zlib.crc32(each[9:]):
                found += map(from_json, json.loads(each[9:])["records"])
    return Log.of(found)


def require_all(log, done, whole=False):
    """Require that a log has each confirmed record once, and each commit whole or not at all."""
    found = Counter(each.name for each in log.records)
    assert max(found.values(), default=1) == 1
    for writer, numbers in done.items():
        for number in numbers:
            missing = [each.name for each in commit(writer, number) if each.name not in found]
            assert not missing, (missing, "was confirmed")
    for writer, number in (
        {(each.writer, each.number // 3) for each in log.records} if whole else ()
    ):
        assert all(found[each.name] for each in commit(writer, number)), (writer, number)


def watch(folder, notes, end):
    """Read with a new reader and with one that goes on, and miss nothing that was confirmed."""
    known = LogFiles(folder)
    while time.monotonic() < end:
        for files in (known, LogFiles(folder)):
            done = confirmed(notes)
            require_all(files.read(), done)
            assert files.problems == []


def race(place, rounds):
    """Run rounds of writers and those who merge, most of them killed; print what happened."""
    total = killed = 0
    for number in range(rounds):
        if number % 4 == 0:
            # Anew at times, as each round reads all files.
            folder, notes = place / f"logs-{number}", place / f"notes-{number}"
            folder.mkdir()
            notes.mkdir()
            known, before = LogFiles(folder), 0
        end = time.monotonic() + 0.3
        running = [forked(write, folder, notes, writers, end) for writers in WRITERS]
        running += [forked(merge, folder, end) for _ in range(2)]
        watching = forked(watch, folder, notes, end)
        for process in random.sample(running, 4):
            time.sleep(random.random() / 8)
            os.kill(process, signal.SIGKILL)
        ends = {process: os.waitpid(process, 0)[1] for process in (*running, watching)}
        assert set(ends.values()) <= {0, signal.SIGKILL}, ends
        assert ends[watching] == 0
        killed += sum(each == signal.SIGKILL for each in ends.values())
        done, log = confirmed(notes), LogFiles(folder).read()
        require_all(log, done, whole=True)
        assert known.read() == log == read_simply(folder) == Log.of(log.records)
        total += -before + (before := sum(map(len, done.values())))
    print(total, killed)


def test_writers_mergers_and_kills_lose_nothing_that_was_confirmed(tmp_path):
    code = (
        "import pathlib, sys; from tests.core.sessions.test_log_files import race; "
        "race(pathlib.Path(sys.argv[1]), int(sys.argv[2]))"
    )
    command = [sys.executable, "-c", code, str(tmp_path), str(ROUNDS)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    total, killed = map(int, done.stdout.split())
    print(f"{ROUNDS} rounds: {total} commits were confirmed, {killed} processes killed")
    assert total > 10 * ROUNDS
    assert killed >= ROUNDS


def test_the_entry_in_the_document_of_the_format_is_one():
    """docs/log.md shows what is written, with every part."""
    text = (Path(__file__).parents[3] / "docs" / "log.md").read_text("utf-8")
    entry = json.loads(text.partition("## An entry\n\n")[2].partition("\n\n|")[0])
    record = from_json(entry)
    assert as_json(record) == entry
    assert f"`{record.name}`" in text
