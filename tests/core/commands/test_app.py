"""``rankscope app``: files and a folder are checked and named; streamlit's own options pass."""

import json
import os
import runpy
import sys
from pathlib import Path

import pytest

from metrics import RankscopeError
from metrics.auditing import opened

VARIABLE, FILES, WATCH = "RANKSCOPE_HISTORY", "RANKSCOPE_OPEN", "RANKSCOPE_WATCH"
WORKSPACE = "RANKSCOPE_WORKSPACE"
SHOP = Path(__file__).parents[3] / "sample_data" / "shop_search"


@pytest.fixture
def started(monkeypatch):
    """The words and the folder that streamlit would be started with."""
    found = []
    monkeypatch.setattr(sys, "argv", list(sys.argv))
    for name in (VARIABLE, FILES, WATCH, WORKSPACE):
        # Set and deleted, so that what the command sets is taken back after the test.
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)

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


def test_files_are_read_and_named_and_options_pass(rankscope, started, monkeypatch):
    monkeypatch.chdir(SHOP)
    words = ("qrels.txt", "bm25.run", "--server.port", "8600", "char_ngrams.run", "--watch")
    texts = ("--queries", "queries.tsv", "--texts=documents.tsv", "--groups", "groups.tsv")
    code, _, err = rankscope("app", *words, *texts, "--server.headless=true")
    assert (code, err) == (0, "")
    assert started == [("streamlit", ["--server.port", "8600", "--server.headless=true"], None)]
    assert json.loads(os.environ[FILES]) == {
        "qrels": [str(SHOP / "qrels.txt")],
        "run": [str(SHOP / "bm25.run"), str(SHOP / "char_ngrams.run")],
        "query_texts": [str(SHOP / "queries.tsv")],
        "document_texts": [str(SHOP / "documents.tsv")],
        "query_attributes": [str(SHOP / "groups.tsv")],
    }
    assert os.environ[WATCH] == "1"
    dataset = opened.read(opened.files(), opened.stamps(opened.files())).dataset
    assert [run.name for run in dataset.runs] == ["bm25", "char_ngrams"]
    assert dataset.query_texts
    assert dataset.document_texts
    assert dataset.query_attributes


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["none.txt", "bm25.run"], 2, "none.txt: No such file or directory. Name an existing file"),
        (["qrels.txt"], 2, "qrels with at least one run"),
        (["--port", "8502"], 2, "--port: no option of rankscope app"),
        (["--port=8502"], 2, "such as --server.port=8600"),
        (["--queries", "queries.tsv"], 2, "qrels with at least one run"),
        (["qrels.txt", "bm25.run", "groups.tsv"], 4, "groups"),
        (["qrels.txt", "qrels.txt"], 2, "2 files contain judgments"),
    ],
)
def test_files_that_cannot_be_opened_are_refused(
    rankscope, started, monkeypatch, words, code, said
):
    monkeypatch.chdir(SHOP)
    found, _, err = rankscope("app", *words)
    assert (found, started) == (code, [])
    assert said in err


def test_a_file_is_read_again_only_when_it_has_changed(tmp_path, monkeypatch):
    qrels, run = tmp_path / "qrels.txt", tmp_path / "a.run"
    qrels.write_text("q1 0 d1 1\n")
    run.write_text("q1 Q0 d1 1 2 a\n")
    monkeypatch.setenv(FILES, opened.named({"qrels": [str(qrels)], "run": [str(run)]}))
    at = opened.stamps(opened.files())
    first = opened.read(opened.files(), at)
    assert opened.read(opened.files(), at) is first
    run.write_text("q1 Q0 d1 1 2 a\nq1 Q0 d2 2 1 a\n")
    again = opened.read(opened.files(), opened.stamps(opened.files()))
    assert len(again.dataset.runs[0]) == 2
    run.unlink()
    gone = opened.read(opened.files(), opened.stamps(opened.files()))
    assert gone.dataset is None
    assert "a.run" in str(gone.problems[0])


@pytest.mark.parametrize("value", ["x", "[]", '{"judge": ["a"]}', '{"qrels": 1}', '{"run": [1]}'])
def test_a_variable_that_is_not_what_the_command_sets_is_refused(monkeypatch, value):
    monkeypatch.setenv(FILES, value)
    with pytest.raises(RankscopeError, match="write JSON"):
        opened.files()


def test_a_workspace_is_made_and_named(rankscope, started, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert rankscope("app", "--workspace", "kept")[0] == 0
    assert (tmp_path / "kept").is_dir()
    assert os.environ[WORKSPACE] == str(tmp_path / "kept")


def test_a_workspace_that_cannot_be_is_refused(rankscope, started, tmp_path):
    (tmp_path / "file").write_text("no folder")
    for path in (tmp_path / "file", tmp_path / "none" / "kept"):
        code, _, err = rankscope("app", "--workspace", path)
        assert (code, started) == (4, [])
        assert str(path) in err
