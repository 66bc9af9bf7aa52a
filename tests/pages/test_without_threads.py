"""The core and every page work where no thread can be started, and without the server's parts."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pages.ui.shell import PAGES
from tests.pages.without_threads import ROOT, numbers


@pytest.fixture(scope="module")
def found():
    """What a Python found that could not start a thread."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.pages.without_threads"]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_files_give_the_same_numbers_without_threads(found):
    assert found["numbers"] == numbers(ROOT / "sample_data" / "reranking")


def test_every_page_opens_without_threads(found):
    assert list(found["pages"]) == [page.title for page in PAGES] + ["Data, pasted"]
    for title, (elements, errors) in found["pages"].items():
        assert (elements > 1, errors) == (True, []), title


def test_the_app_as_a_script_imports_none_of_the_server_s_parts(found):
    of_the_app = [name for name in found["modules"] if name.startswith("pages.ui.")]
    assert len(of_the_app) > 40
    assert [name for name in of_the_app if name.startswith("pages.ui.serving")] == []
    with_starlette = {
        file.relative_to(ROOT).as_posix()
        for file in (ROOT / "pages").rglob("*.py")
        if "starlette" in file.read_text("utf-8")
    }
    assert {str(Path(name).parent) for name in with_starlette} == {"pages/ui/serving"}
