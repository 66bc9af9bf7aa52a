"""Arrows go down only: app → pages → pages/ui → metrics; and files stay small."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = sorted(
    path.relative_to(ROOT)
    for folder in ("metrics", "pages")
    for path in (ROOT / folder).rglob("*.py")
)
PLAIN = {path for path in FILES if path.parts[:3] == ("pages", "ui", "render")}


def imports(path):
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def test_the_files_are_found():
    assert len(FILES) > 200
    # An empty set would let every assertion about it pass.
    assert len(PLAIN) >= 13


@pytest.mark.parametrize("path", FILES, ids=str)
def test_imports_go_down(path):
    for name in imports(path):
        top = name.split(".")[0]
        if path.parts[0] == "metrics":
            assert top not in {"streamlit", "plotly", "pages", "app", "metrics"}, name
        elif path.parts[:2] == ("pages", "ui"):
            assert top not in {"pages", "app"}, name
            assert path not in PLAIN or top != "streamlit", name
        else:
            assert top != "app", name
            assert top != "pages" or name.startswith("pages.ui"), name


def test_only_the_entry_knows_the_commands():
    users = {path for path in FILES if any("commands" in name for name in imports(path))}
    assert {path for path in users if "commands" not in path.parts} == {Path("metrics/__main__.py")}


@pytest.mark.parametrize("path", FILES, ids=str)
def test_files_are_one_room(path):
    assert len((ROOT / path).read_text("utf-8").splitlines()) <= 260


def test_only_state_and_user_data_know_the_session_keys():
    users = {path for path in FILES if "session_state" in (ROOT / path).read_text("utf-8")}
    assert users == {Path("pages/ui/state.py"), Path("pages/ui/user_data.py")}


def test_the_app_is_a_shell():
    assert len((ROOT / "app.py").read_text("utf-8").splitlines()) <= 60


def test_untrusted_html_has_no_door():
    for path in FILES:
        text = (ROOT / path).read_text("utf-8")
        assert "unsafe_allow_html" not in text, path
        assert "st.html" not in text, path
