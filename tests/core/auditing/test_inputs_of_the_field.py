"""Files as people of the field bring them: read with the value that they expect, or called by name.

A case is a folder with its files and `case.json`: where it comes from, what a careful user expects,
what to run, and the least of it that a machine can see in what is said. `run` is a list of
`["cli", arguments]`, `["upload", [[file, role]]]`, with an empty role where the content decides,
and `["lib", code]`.
"""

import json
import re
import shutil
from pathlib import Path

import pytest

from metrics.__main__ import main
from metrics.auditing import audit
from metrics.auditing.intake import Given, add_files

HERE = Path(__file__).parents[2] / "data" / "field"
OPEN: dict[str, str] = {}
"""What does not hold yet, and why."""


def said_of_upload(files, capsys):
    taken = add_files(Given(name, Path(name).read_bytes(), role) for name, role in files)
    yield from (f"{each.name}: {each.role} {each.fits} {each.holds}" for each in taken.seen)
    yield from (f"refused: {each}" for each in taken.problems)
    yield from map(str, taken.notes)
    for each in taken.read:
        yield f"{each.document.to_pylist()} {each.value.tolist()}"
        yield from map(str, each.notes)
    if taken.dataset:
        yield from map(str, audit.findings(taken.dataset))


def said_by_command(arguments, capsys):
    main(arguments)
    yield from capsys.readouterr()


def said_by_library(code, capsys):
    exec(code, {})
    yield from capsys.readouterr()


def outcome(file):
    """What a person sees of a file: what it is read as, the question, or the refusal."""
    (seen,) = add_files([Given(file["file"], file["content"].encode())]).seen
    if seen.refusal:
        problem = seen.refusal.problems[0]
        return f"refused [{problem.code}]: {problem.found}"
    return f"{seen.role}: {seen.holds}" if seen.role else f"one of {', '.join(seen.fits)}"


def test_files_of_other_programs_are_recognised_asked_about_or_called_by_name(subtests):
    for file in json.loads((HERE.parent / "files_of_the_field.json").read_text("utf-8")):
        with subtests.test(file["file"]):
            assert outcome(file) == file["expected"]


SAID = {"cli": said_by_command, "upload": said_of_upload, "lib": said_by_library}
CASES = [
    pytest.param(
        folder,
        id=folder.name,
        marks=[pytest.mark.xfail(reason=OPEN[each], strict=True)] if each in OPEN else [],
    )
    for folder in sorted(HERE.iterdir())
    for each in [folder.name.partition("_")[0]]
]


@pytest.mark.parametrize("folder", CASES)
def test_a_file_of_the_field_is_read_or_called_by_its_name(folder, tmp_path, monkeypatch, capsys):
    case = json.loads((folder / "case.json").read_text("utf-8"))
    # Copied, so that a case that writes leaves the others as they are.
    monkeypatch.chdir(shutil.copytree(folder, tmp_path / folder.name))
    said = "\n".join(each for kind, how in case["run"] for each in SAID[kind](how, capsys))
    assert re.search(case["check"]["must_match"], said, re.IGNORECASE), case["expected"]
    assert not re.search(case["check"]["must_not_match"], said), said
