"""What a command writes: to what the path is, and never over what it reads."""

import os
import stat
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest

from metrics import Run
from tests.cases import cases

from .test_audit_command import FILES

ROOT = Path(__file__).parents[3]
LINES = "q Q0 d 1 2 t\n"
REPORT = "compare", "q", "a", "b", "--quiet", "--report"


@pytest.fixture
def files(write_files):
    write_files(q="q 0 d 1\nq 0 e 0\n", a=LINES, b="q Q0 e 1 2 t\nq Q0 d 2 1 t\n")
    os.link("a", "link")
    Path("symlink").symlink_to("b")


def held():
    return {path.name: path.read_bytes() for path in Path().iterdir() if path.is_file()}


@cases(
    "argv",
    [["compare", "q", "a", "b", "--report", name] for name in ("q", "./a", "link", "symlink")],
)
def test_no_output_is_written_over_an_input(rankscope, files, argv):
    before = held()
    code, out, err = rankscope(*argv)
    assert (code, out) == (2, "")
    assert f"{argv[-1]} would be written over" in err
    assert held() == before


def test_a_file_of_a_folder_that_is_read_is_an_input(rankscope, files, tmp_path):
    Path("parts").mkdir()
    Path("parts/one.parquet").write_text("not read")
    code, _, err = rankscope("compare", "q", "parts", "b", "--report", "parts/one.parquet")
    assert (code, Path("parts/one.parquet").read_text()) == (2, "not read")
    assert "would be written over" in err


def test_a_replaced_file_keeps_its_permissions_and_a_link_its_target(rankscope, files):
    Path("out").write_text("before")
    Path("out").chmod(0o600)
    Path("to_out").symlink_to("out")
    Path("dangling").symlink_to("new")
    rankscope(*REPORT, "expected")
    expected = Path("expected").read_text()
    for path in ("out", "to_out", "dangling"):
        assert rankscope(*REPORT, path)[0] == 0
        assert Path(path).read_text() == expected
    assert stat.S_IMODE(Path("out").stat().st_mode) == 0o600
    assert Path("to_out").is_symlink()
    assert Path("new").is_file()


def test_a_pipe_is_written_to_and_stays(rankscope, files):
    rankscope(*REPORT, "expected")
    expected = Path("expected").read_text()
    os.mkfifo("fifo")
    read = []
    reader = Thread(target=lambda: read.append(Path("fifo").read_text()), daemon=True)
    reader.start()
    assert rankscope(*REPORT, "fifo")[0] == 0
    reader.join(10)
    assert read == [expected]
    assert Path("fifo").is_fifo()
    Run.from_dict({"q": {"d": 2.0}}, "t").save("/dev/null")
    assert Path("/dev/null").is_char_device()


def test_a_dash_is_the_standard_output(rankscope, files):
    assert rankscope("compare", "q", "a", "b", "--report", "-")[1].startswith("<!DOCTYPE html>")
    assert not Path("-").exists()


def test_what_is_printed_later_is_not_lost(files):
    command = [sys.executable, "-m", "metrics", "compare", *FILES, "--report", "/dev/stdout"]
    with Path("out").open("wb") as out:
        subprocess.run(command, stdout=out, check=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    text = Path("out").read_text()
    assert text.startswith("<!DOCTYPE html>")
    assert "measure" in text.split("</html>")[1]
