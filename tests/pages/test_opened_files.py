"""The files that the app was started with: everyone's data, until they load others."""

import json
import os

import pytest
from streamlit.testing.v1 import AppTest

from metrics.auditing import opened as files
from tests.pages.conftest import ROOT, opened

QRELS = "q1 0 d1 1\nq2 0 d1 1\n"
RUNS = {
    "a.run": "q1 Q0 d1 1 2 a\nq2 Q0 d1 1 2 a\n",
    "b.run": "q1 Q0 d2 1 2 b\nq1 Q0 d1 2 1 b\nq2 Q0 d1 1 2 b\n",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in {"qrels.txt": QRELS, **RUNS}.items():
        (tmp_path / name).write_text(text)
    named = {"qrels": [str(tmp_path / "qrels.txt")], "run": [str(tmp_path / r) for r in RUNS]}
    monkeypatch.setenv(files.VARIABLE, files.named(named))
    return tmp_path


def test_a_new_session_has_the_files(folder):
    at = opened("compare_runs")
    assert not at.exception
    assert {at.selectbox(key=key).value for key in ("a", "b")} == {"a", "b"}
    assert at.selectbox(key="data").value == "yours"
    inspected = opened("inspect_query")
    assert inspected.selectbox(key="example").value == "yours"


@pytest.mark.parametrize("value", ['["a.run"', '{"runs": ["a.run"]}', "a.run", '{"run": [1]}'])
def test_a_variable_that_names_no_files_is_an_error_with_the_fix(monkeypatch, value):
    monkeypatch.setenv(files.VARIABLE, value)
    at = front_page()
    assert not at.exception
    (error,) = at.error
    assert f"{files.VARIABLE} is " in error.value
    assert '{"qrels": ["/a/qrels.txt"], "run": ["/a/bm25.run"]}' in error.value


def front_page():
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).run()


def test_the_front_page_opens_the_comparison(folder):
    at = front_page()
    assert at.selectbox(key="data").value == "yours"


def test_one_run_opens_inspect(folder, monkeypatch):
    named = {"qrels": [str(folder / "qrels.txt")], "run": [str(folder / "a.run")]}
    monkeypatch.setenv(files.VARIABLE, files.named(named))
    assert front_page().selectbox(key="example").value == "yours"


def test_the_address_decides_what_is_shown(folder):
    assert opened("compare_runs", data="shop").selectbox(key="data").value == "shop"
    assert opened("inspect_query", example="laptop").selectbox(key="example").value == "laptop"


def test_a_file_that_became_unreadable_is_reported(folder):
    (folder / "a.run").write_text("no run\n")
    at = front_page()
    assert not at.exception
    assert at.title[0].value == "Data"
    assert "a.run" in at.error[0].value


def session():
    import streamlit as st

    from pages.ui import state, user_data
    from pages.ui.data import opened_files

    state.enter_shell()
    opened_files.receive()
    st.json({run.name: run.digest for run in user_data.upload().runs})
    st.text(state.message(state.PROBLEMS))


def runs(at):
    assert not at.exception
    return json.loads(at.json[0].value)


def test_changes_are_read_only_if_they_are_watched(folder, monkeypatch):
    at = AppTest.from_function(session, default_timeout=120).run()
    first = runs(at)
    (folder / "a.run").write_text(RUNS["b.run"])
    assert runs(at.run()) == first
    monkeypatch.setenv("RANKSCOPE_WATCH", "1")
    changed = runs(at.run())
    assert changed == dict.fromkeys(first, first["b"])
    assert [each.value for each in at.toast] == ["Changed, and read again: `a.run`."]
    # What cannot be read leaves the data as they are.
    (folder / "a.run").write_text("no run\n")
    assert runs(at.run()) == changed
    assert "Changed, but not read: `a.run`." in at.toast[0].value
    assert "a.run" in at.text[0].value
    os.utime(folder / "b.run", (1, 1))
    (folder / "a.run").write_text(RUNS["a.run"])
    assert runs(at.run()) == first
    assert [each.value for each in at.toast] == ["Changed, and read again: `a.run, b.run`."]
    assert not at.run().toast


def test_who_has_other_data_keeps_them(folder, monkeypatch):
    monkeypatch.setenv("RANKSCOPE_WATCH", "1")
    at = AppTest.from_function(replaced, default_timeout=120).run()
    (folder / "a.run").write_text(RUNS["b.run"])
    assert at.run().text[0].value == "None"
    assert not at.toast


def replaced():
    import streamlit as st

    from pages.ui import state, user_data
    from pages.ui.data import opened_files

    state.enter_shell()
    opened_files.receive()
    user_data.set_upload(None)
    st.text(user_data.upload())
