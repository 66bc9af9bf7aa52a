"""``rankscope app``: streamlit's own options pass, and the folder of the history is checked."""

import os
import runpy
import sys

import pytest

VARIABLE = "RANKSCOPE_HISTORY"


@pytest.fixture
def started(monkeypatch):
    """The words and the folder that streamlit would be started with."""
    found = []
    monkeypatch.setattr(sys, "argv", list(sys.argv))
    # Set and deleted, so that what the command sets is taken back after the test.
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.delenv(VARIABLE)

    def run(name, run_name):
        found.append((name, sys.argv[3:], os.environ.get(VARIABLE)))

    monkeypatch.setattr(runpy, "run_module", run)
    return found


def test_a_folder_of_judged_runs_is_passed_on(rankscope, started, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    code, _, err = rankscope("app", "--history", "runs", "--server.port=8600")
    assert (code, err) == (0, "")
    assert started == [("streamlit", ["--server.port=8600"], str(tmp_path / "runs"))]


def test_without_the_option_no_folder_is_named(rankscope, started):
    assert rankscope("app", "--server.port=8600")[0] == 0
    assert started == [("streamlit", ["--server.port=8600"], None)]


def test_a_folder_that_does_not_exist_is_refused(rankscope, started, tmp_path):
    code, _, err = rankscope("app", "--history", tmp_path / "none")
    assert code == 2
    assert "none: not a folder" in err
    assert started == []
