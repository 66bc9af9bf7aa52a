"""The workspace: what was given to it is there, however the program ends."""

import errno
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from metrics import Dataset, Qrels, RankscopeError, Run, whole_file
from metrics.editing.edits import backwards, move
from metrics.editing.hand_ranking import HandRanking
from metrics.editing.history import History
from metrics.editing.log import SHEET, Record, Said
from metrics.editing.origin import Origin
from metrics.editing.signature import Signature
from metrics.editing.store import Edits, Sheet, Writer
from metrics.sessions.workspace import Workspace
from tests.cases import cases

ROOT = Path(__file__).parents[3]
QRELS = Qrels.from_dict({"q1": {"a": 1, "b": 2}, "q2": {"a": 1}})


def dataset(name, score=1.0):
    return Dataset(
        "Your data",
        QRELS,
        (Run.from_dict({query: {"a": 2.0, "b": score} for query in QRELS.queries}, name),),
    )


def edit(data, query, steps=1):
    (run,) = data.runs
    ranking = HandRanking.from_run(data.qrels, run, query)
    history = History(ranking, ranking)
    for _ in range(steps):
        history = history.then(move(history.present, history.present.retrieved[-1].document, 1))
    return Origin.of(data.qrels, run, query), history


def record(number, writer="a" * 16):
    said = {"d": Said(number % 4, Signature("Ada", "2026-11-25T09:30:00Z"))}
    return Record(number, writer, number, Origin(QRELS.digest, SHEET, "q1"), said)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "workspace"


def test_everything_is_there_for_the_next_program(folder):
    data = dataset("bm25")
    origin, history = edit(data, "q1")
    first = Workspace(folder)
    first.keep(data)
    first.keep_edit(origin, history)
    first.keep_settings({"k": "7"})
    first.log.append("a" * 16, [record(1), record(2)])
    session, problems = Workspace(folder).session()
    assert problems == []
    assert session.dataset.runs[0].digest == data.runs[0].digest
    assert session.edits == {origin: history}
    assert session.settings == {"k": "7"}
    assert session.log.records == [record(1), record(2)]


def test_an_edit_says_which_events_of_each_tab_it_has(folder):
    kept, (origin, history) = Workspace(folder), edit(dataset("bm25"), "q1")
    kept.keep_edit(origin, history, {"one": 3, "other": 1})
    assert kept.session()[0].applied == {origin: {"one": 3, "other": 1}}
    kept.keep_edit(origin, history)
    assert kept.session()[0].applied == {}


class Person:
    """A tab of a workspace: it appends what it is told to the log, as the pages do."""

    def __init__(self, folder, name, word):
        self.kept, self.name, self.writer = Workspace(folder), name, Writer(word * 16)
        self.edits = Edits()

    def receive(self):
        self.edits = replace(self.edits, log=self.edits.log.merged(self.kept.log.read()))

    def say(self, query, document, grade, minute):
        by = Signature(self.name, f"2026-11-25T09:{minute:02}:00Z")
        said = {query: {document: Said(grade, by)}}
        self.commit(self.edits.judging(QRELS.digest, said, self.writer))

    def undo(self, query):
        origin = Origin(QRELS.digest, SHEET, query)
        loaded = QRELS.to_dict()[query]
        sheet = Sheet.of(self.edits.log, origin, loaded, self.writer.tab, self.name)
        self.commit(self.edits.switching({origin: sheet.undo}, self.writer))

    def reverse(self, query):
        (origin, _), by = edit(dataset("bm25"), query), Signature(self.name, "2026-11-25T09:00:00Z")
        before = self.list_of(query)
        after = before.then(backwards(before.present))
        self.commit(self.edits.editing(origin, before, after, by, self.writer))

    def list_of(self, query):
        origin, history = edit(dataset("bm25"), query)
        return self.edits.history(origin, history.original)

    def commit(self, change):
        self.kept.log.append(self.writer.tab, change.records)
        for origin, history in change.histories.items():
            self.kept.keep_edit(origin, history)
        self.edits = self.edits.with_change(change, self.writer.tab)


def grades_in(folder, query):
    """The grades given by hand, and who gave them, that the next session finds."""
    session, problems = Workspace(folder).session()
    assert problems == []
    said = session.log.said(QRELS.digest, query)
    return {document: (each.grade, each.signed.judge) for document, each in said.items()}


def test_two_people_do_not_erase_each_other_s_grades(folder):
    ada, bob = Person(folder, "Ada", "a"), Person(folder, "Bob", "b")
    ada.reverse("q1")
    ada.say("q1", "a", 3, minute=1)
    bob.say("q1", "b", 0, minute=2)
    ada.say("q1", "c", 1, minute=3)
    said = {"a": (3, "Ada"), "b": (0, "Bob"), "c": (1, "Ada")}
    assert grades_in(folder, "q1") == said
    # A list of the query, too, has the grades of both.
    ada.receive()
    assert ada.list_of("q1").reordered
    assert ada.list_of("q1").present.grades == {"a": 3, "b": 0, "c": 1}
    # What somebody takes back stays so, and the others' grades stay, too.
    bob.receive()
    ada.say("q1", "b", 3, minute=10)
    assert grades_in(folder, "q1") == said | {"b": (3, "Ada")}
    ada.undo("q1")
    bob.say("q1", "d", 2, minute=11)
    assert grades_in(folder, "q1") == said | {"d": (2, "Bob")}


def test_of_two_grades_of_a_document_that_of_the_later_record_holds_whatever_the_clocks_say(folder):
    ada, bob = Person(folder, "Ada", "a"), Person(folder, "Bob", "b")
    # They do not know of each other: their records have the same counter.
    bob.say("q1", "d", 2, minute=1)
    ada.say("q1", "d", 3, minute=59)
    assert grades_in(folder, "q1") == {"d": (2, "Bob")}
    ada.receive()
    ada.say("q1", "d", 0, minute=0)
    assert grades_in(folder, "q1") == {"d": (0, "Ada")}


def test_data_stay_when_others_are_loaded_or_all_are_dropped(folder):
    kept = Workspace(folder)
    first = kept.keep(dataset("first"))
    second = kept.keep(dataset("second"))
    assert {each.name for each in kept.listed()} == {first, second}
    assert kept.session()[0].dataset.runs[0].name == "second"
    assert kept.keep(dataset("first")) == first
    assert kept.session()[0].dataset.runs[0].name == "first"
    kept.keep(None)
    assert kept.session()[0].dataset is None
    assert kept.open(second).runs[0].name == "second"
    kept.remove(second)
    assert [each.runs for each in kept.listed()] == [("first",)]
    with pytest.raises(RankscopeError, match="not in the workspace any more"):
        kept.open(second)


@pytest.mark.parametrize("name", ["../other.zip", "settings.zip", "data-x.zip", ""])
def test_only_its_own_data_are_opened_or_removed(folder, name):
    kept = Workspace(folder)
    kept.keep_settings({"k": "7"})
    (folder.parent / "other.zip").write_bytes(b"other")
    with pytest.raises(RankscopeError, match="not in the workspace"):
        kept.open(name)
    kept.remove(name)
    assert (folder.parent / "other.zip").exists()
    assert (folder / "settings.zip").exists()


def test_a_damaged_file_is_named_and_the_others_open(folder):
    kept = Workspace(folder)
    data = dataset("bm25")
    name = kept.keep(data)
    kept.keep_edit(*edit(data, "q1"))
    (folder / name).write_bytes((folder / name).read_bytes()[:-40])
    session, (problem,) = kept.session()
    assert session.dataset is None
    assert len(session.edits) == 1
    assert name in problem
    assert [each.runs for each in kept.listed()] == [()]


def other_than_a_file(path, kind):
    """Put something at a path that is no file with content."""
    path.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "unreadable":
        path.write_bytes(b"\xff\0")
    elif kind == "empty":
        path.touch()
    else:
        path.symlink_to(path.name if kind == "loop" else "nothing")


@cases("kind", ["pipe", "folder", "unreadable", "empty", "loop", "dangling link"])
def test_whatever_lies_in_the_folder_is_named_and_the_rest_opens(tmp_path, kind):
    kept = Workspace(folder := tmp_path / kind.replace(" ", "_"))
    data = dataset("bm25")
    name, edited = kept.keep(data), edit(data, "q1")
    kept.keep_edit(*edited)
    kept.log.append("a" * 16, [record(1)])
    log = f"log-{'0' * 16}.jsonl"
    for place in ("settings.zip", "edit-0.zip", f"data-{'0' * 32}.zip", log):
        other_than_a_file(folder / place, kind)
    session, problems = kept.session()
    assert session.dataset.runs[0].name == "bm25"
    assert len(session.edits) == 1
    assert session.log.records == [record(1)]
    # A file with the piece of a write that failed is a log without records.
    named = ["edit-0.zip", "settings.zip", *[log] * (kind not in ("unreadable", "empty"))]
    assert [problem.split(":")[0].split(",")[0] for problem in problems] == named
    assert {each.name: each.runs for each in kept.listed()} == {
        name: ("bm25",),
        f"data-{'0' * 32}.zip": (),
    }
    with pytest.raises(RankscopeError, match="data-0"):
        kept.open(f"data-{'0' * 32}.zip")
    other_than_a_file(folder / name, kind)
    other_than_a_file(folder / "current.txt", kind)
    other_than_a_file(folder / ".0.part", kind)
    os.utime(folder / ".0.part", (1, 1), follow_symlinks=False)
    session, problems = Workspace(folder).session()
    assert (session.dataset, session.edits) == (None, {edited[0]: edited[1]})
    assert any("current.txt" in problem for problem in problems) == (kind != "empty")
    if kind != "folder":
        assert kept.keep(data) == name
        assert kept.session()[0].dataset.runs[0].name == "bm25"


def test_flipped_bytes_are_listed_as_damaged_and_kept_anew(folder):
    kept = Workspace(folder)
    path = folder / kept.keep(data := dataset("bm25"))
    whole = path.read_bytes()
    damaged = 0
    for place in range(0, len(whole), 7):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        (listed,) = kept.listed()
        damaged += listed.runs == ()
        session, problems = kept.session()
        assert bool(problems) == (session.dataset is None)
    assert damaged > 20
    kept.keep(data)
    assert path.read_bytes() == whole


def test_a_full_disk_leaves_what_was_there(folder, monkeypatch):
    kept = Workspace(folder)
    name = kept.keep(dataset("first"))

    def full(_descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left") as raised:
            kept.keep(dataset("second"))
    assert Path(raised.value.filename).parent == folder
    assert [each.name for each in kept.listed()] == [name]
    assert kept.session()[0].dataset.runs[0].name == "first"
    assert not list(folder.glob(".*"))


def test_what_was_never_finished_is_removed_later(folder):
    Workspace(folder)
    old, new = (folder / f".{word}{whole_file.PART}" for word in ("old", "new"))
    for part in (old, new):
        part.write_bytes(b"part")
    os.utime(old, (1, 1))
    Workspace(folder)
    assert not old.exists()
    assert new.exists()


WRITER = """
import sys
from tests.core.sessions.test_workspace import Workspace, dataset, edit, record
kept, number = Workspace(sys.argv[1]), 0
print("ready", flush=True)
while True:
    number += 1
    data = dataset(sys.argv[2], 1 + number / 1000)
    kept.keep(data)
    kept.keep_edit(*edit(dataset(sys.argv[2]), "q1", number % 5 + 1))
    kept.log.append(sys.argv[2] * 16, [record(number, sys.argv[2] * 16)])
    print(number, flush=True)
"""


def test_two_killed_writers_leave_whole_files_only(folder):
    """Each has kept what it had told before it was killed."""
    command = [sys.executable, "-c", WRITER, str(folder)]
    writers = [
        subprocess.Popen([*command, name], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for name in ("a", "b")
    ]
    told = []
    for writer in writers:
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        # Both are at work when the first is killed.
        assert [int(writer.stdout.readline()) for _ in range(3)] == [1, 2, 3]
    for writer in writers:
        writer.send_signal(signal.SIGKILL)
        out, _ = writer.communicate(timeout=60)
        # The last line may have been cut off.
        told.append(int((out.rpartition("\n")[0].split() or [3])[-1]))
    session, problems = Workspace(folder).session()
    assert problems == []
    assert session.dataset is not None
    assert {origin.run for origin in session.edits} == {
        dataset(name).runs[0].digest for name in ("a", "b")
    }
    names = [each.runs[0] for each in Workspace(folder).listed()]
    for name, number in zip(("a", "b"), told, strict=True):
        assert names.count(name) >= number >= 3
        logged = [each for each in session.log.records if each.writer == name * 16]
        assert logged == [record(each, name * 16) for each in range(1, len(logged) + 1)]
        assert len(logged) >= number
