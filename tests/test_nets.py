"""A net hears each change of what it holds, and names it."""

import re

import pytest

from pages.ui.practice import card
from tests.nets import __main__ as nets
from tests.nets import papers, screens
from tests.nets.master import LINES, path_of


@pytest.fixture
def masters(tmp_path, monkeypatch):
    """A folder of masters of its own."""
    monkeypatch.setattr(nets, "MASTERS", tmp_path)
    return tmp_path


@pytest.fixture
def one_net(masters, monkeypatch):
    """The entries of a net, which a test changes, behind its master."""
    found = {"one": "a\n\nb\0\n", "two": "x", "long": "line\n" * 5 * LINES}
    monkeypatch.setattr(nets, "NETS", {"small": found.items})
    assert nets.main(["write"]) == 0
    assert nets.main(["compare"]) == 0
    return found


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("one", "a\n\nc\0\n", "one\n@@ -1,4 +1,4 @@\n     a\n \n-    b␀\n+    c␀\n"),
        ("one", "a\n\nb\0", "one\n@@"),
        ("one", "a\n\nb \0\n", "+    b ␀"),
        ("three", "new", "three: new\n"),
        ("two", None, "two: gone\n"),
        ("long", "line\n" * (5 * LINES - 1) + "LINE\n", f"-    … of {5 * LINES + 1} lines"),
    ],
)
def test_a_change_is_reported_under_the_name_of_its_entry(one_net, capsys, name, text, told):
    one_net[name] = text
    if text is None:
        del one_net[name]
    capsys.readouterr()
    assert nets.main(["compare"]) == 1
    out = capsys.readouterr().out
    assert f"1 of {len(one_net.keys() | {name})} entries differ.\n" in out
    assert told in out
    assert nets.main(["write"]) == nets.main(["compare"]) == 0


def test_another_order_is_a_change(one_net, capsys):
    one_net["one"] = one_net.pop("one")
    assert nets.main(["compare"]) == 1
    assert "in another order" in capsys.readouterr().out


def test_the_full_texts_have_every_line(one_net, tmp_path):
    assert nets.main(["full", str(tmp_path / "all")]) == 0
    text = path_of(tmp_path / "all", "small").read_text("utf-8")
    assert text.count("    line\n") == 5 * LINES


def test_a_changed_line_in_the_master_of_what_people_keep_is_reported(masters, capsys):
    # The smallest of the nets: the others are compared by the checks of every change, once.
    content = path_of(nets.Path(nets.__file__).parents[1] / "data" / "nets", "kept").read_bytes()
    changed, times = re.subn(rb"(grades of the shop\n.*running-01.*)1\.0", rb"\g<1>2.0", content)
    assert times == 1
    path_of(masters, "kept").write_bytes(content)
    assert nets.main(["compare", "kept"]) == 0
    path_of(masters, "kept").write_bytes(changed)
    assert nets.main(["compare", "kept"]) == 1
    assert re.search(
        "^1 of .* entries differ.\ngrades of the shop\n", capsys.readouterr().out, re.M
    )


def test_a_changed_word_on_a_page_and_in_what_it_saves_is_reported(masters, monkeypatch, capsys):
    made = {
        "screens": lambda: screens.entries({"an address": "practice?kind=first"}),
        "papers": lambda: papers.saved(["practice?kind=first"]),
    }
    monkeypatch.setattr(nets, "NETS", made)
    assert nets.main(["write"]) == nets.main(["compare"]) == 0
    monkeypatch.setitem(card.NAMES, "first", "Another word")
    capsys.readouterr()
    assert nets.main(["compare"]) == 1
    out = capsys.readouterr().out
    assert "1 of 1 entries differ.\nan address\n" in out
    assert "practice?kind=first saves 0 Save as HTML" in out
    # Both change below the lines that a master shows.
    assert out.count("\n+    … of ") == 2


def test_an_error_of_a_page_is_no_screen(masters, monkeypatch):
    monkeypatch.setattr(card, "card", lambda request: 1 / 0)
    ((_, text),) = screens.entries({"an address": "practice"})
    assert text == "raised RuntimeError: The page has an error."
