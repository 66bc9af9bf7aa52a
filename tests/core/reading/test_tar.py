"""Tar archives, plain and packed: read as zip archives are, and refused by the same rules."""

import bz2
import gzip
import io
import lzma
import tarfile

import pytest

from metrics.auditing.intake import Given, add_files, members
from metrics.reading import ReadError, read_qrels, read_run
from tests.cases import cases
from tests.fuzzing.invariants import refusal

RUNS = {
    "runs/a.run": b"q1 Q0 d1 1 2.5 a\nq1 Q0 d2 2 1.5 a\n",
    "runs/b.run": b"q1 Q0 d2 1 2.5 b\n",
    "qrels.txt": b"q1 0 d1 1\n",
}


def tar_of(files, kinds=None):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.type = len(data), (kinds or {}).get(name, tarfile.REGTYPE)
            archive.addfile(entry, io.BytesIO(data))
    return stream.getvalue()


@cases(
    ("ending", "pack"),
    [
        ("tar", bytes),
        ("tar.gz", gzip.compress),
        ("tgz", gzip.compress),
        ("tar.bz2", bz2.compress),
        ("tar.xz", lzma.compress),
    ],
)
def test_the_files_of_an_archive_are_read_as_if_they_were_given_one_by_one(ending, pack):
    given = Given(f"runs.{ending}", pack(tar_of({"./": b""} | RUNS, {"./": tarfile.DIRTYPE})))
    assert [(each.name, each.data) for each in members(given)] == [*RUNS.items()]
    taken, alone = (
        add_files(files) for files in (members(given), [Given(*each) for each in RUNS.items()])
    )
    assert not taken.problems
    assert [run.name for run in taken.dataset.runs] == ["a", "b"]
    of_data = (
        [each.to_dict() for each in (at.dataset.qrels, *at.dataset.runs)] for at in (taken, alone)
    )
    assert next(of_data) == next(of_data)


def test_a_single_file_is_read_under_any_name_with_a_note_on_a_wrong_one():
    data = gzip.compress(tar_of({"a.run": RUNS["runs/a.run"]}))
    assert read_run(data, "a.tgz").notes == read_run(data, "a.tar.gz").notes == ()
    assert read_run(data, "a.tgz").to_dict() == read_run(RUNS["runs/a.run"], "a.run").to_dict()
    assert [note.code for note in read_run(data, "a.zip").notes] == ["N-ENDING"]
    assert "a tar archive" in read_run(gzip.decompress(data), "a.zip").notes[0].text


@pytest.mark.parametrize(
    ("files", "kind", "found"),
    [
        ({"../up.run": b"q 0 d 1"}, tarfile.REGTYPE, "the name '../up.run'"),
        ({"/etc/up.run": b"q 0 d 1"}, tarfile.REGTYPE, "the name '/etc/up.run'"),
        ({"a.run": b""}, tarfile.SYMTYPE, "a link or another thing"),
        ({"a.run": b""}, tarfile.LNKTYPE, "a link or another thing"),
        ({"a.run": b""}, tarfile.FIFOTYPE, "a link or another thing"),
        ({f"{number}.run": b"" for number in range(60)}, tarfile.REGTYPE, "60 members"),
        ({f"{number}": b"" for number in range(600)}, tarfile.DIRTYPE, "very many"),
        ({"a.tar": tar_of(RUNS)}, tarfile.REGTYPE, "nested in the archive"),
    ],
)
def test_what_is_refused_in_a_zip_archive_is_refused_here(files, kind, found):
    with pytest.raises(ReadError, match=found):
        read_qrels(gzip.compress(tar_of(files, dict.fromkeys(files, kind))), "a.tar.gz")


def test_a_name_that_comes_again_is_refused():
    data = tar_of({"a.run": RUNS["runs/a.run"], "./a.run": RUNS["runs/b.run"]})
    with pytest.raises(ReadError, match=r"'a\.run' twice in the archive"):
        read_run(data, "a.tar")


def test_a_damaged_archive_is_read_or_refused():
    whole = tar_of(RUNS)
    for at in range(0, len(whole) - 1024, 61):
        for data in (whole[:at], whole[:at] + b"\xff" + whole[at + 1 :]):
            try:
                read_run(data, "a.tar")
            except ReadError as error:
                refusal(error)
