"""A team on one workspace: each sees the others' grades, and no word is lost."""

import errno
import json
import math
from contextlib import contextmanager
from dataclasses import replace

import pytest
import streamlit as st

from metrics.commands.app import WORKSPACE_VARIABLE
from metrics.editing import SHEET, Change, Edits, Origin, Record, Said, Signature
from metrics.sessions import Session, Workspace
from metrics.sessions.log_files import LogFiles
from metrics.teaching.samples import catalogue
from pages.ui import by_hand, streamlit_internals, user_data, workspace
from pages.ui.data import opened_files
from tests.pages.conftest import drawn, list_of, opened, scores, sent, texts

SHOP = catalogue()["shop"].load()


class Team:
    """The pages of several people, on one workspace."""

    def __init__(self, monkeypatch, folder):
        monkeypatch.setenv(WORKSPACE_VARIABLE, str(folder))
        self.monkeypatch, self.folder = monkeypatch, folder

    def open(self, judge, page="judge", **address):
        """Open a page of somebody with a name; empty for somebody without one."""
        self.as_(judge or "nobody")
        named = {"judge": judge} if judge else {}
        return opened(page, example="shop", query="q01", **named, **address)

    def as_(self, judge):
        self.monkeypatch.setattr(streamlit_internals, "session", lambda: f"session of {judge}")

    def say(self, at, judge, document, grade):
        self.as_(judge)
        event = {"do": "judge", "id": document, "grade": grade, "note": ""}
        return again(sent(at, event, by="desk"))

    def see(self, at, judge):
        """What somebody's page shows on its next run."""
        self.as_(judge)
        return papers(again(at))

    def told(self, at, judge):
        """What the desk says of the last grade, on the page's next run."""
        self.as_(judge)
        return json.loads(list_of(again(at), "desk").json)["score"]["done"]


def again(at):
    """Run a page as a server does, through the app: a test runs the page alone from then on."""
    del at.session_state["_shell"]
    return at.run()


@pytest.fixture
def team(monkeypatch, tmp_path):
    workspace._opened.cache_clear()
    yield Team(monkeypatch, tmp_path / "workspace")
    workspace._opened.cache_clear()


def papers(at):
    assert not at.exception
    return {each["id"]: each for each in json.loads(list_of(at, "desk").json)["papers"]}


def test_each_sees_the_others_grades_and_who_differs(team):
    ada, bob = team.open("Ada"), team.open("Bob")
    first, second, *_ = papers(ada)
    team.say(ada, "Ada", first, 3)
    assert (team.see(bob, "Bob")[first]["grade"], papers(bob)[first]["judge"]) == (3, "Ada")
    # Different documents of one query, one after the other, without a look between.
    team.say(bob, "Bob", second, 1)
    team.say(ada, "Ada", second, 2)
    team.say(bob, "Bob", first, 0)
    for at, name in ((ada, "Ada"), (bob, "Bob")):
        seen = team.see(at, name)
        assert [(seen[each]["grade"], seen[each]["judge"]) for each in (first, second)] == [
            (0, "Bob"),
            (2, "Ada"),
        ]
        assert (seen[first]["others"], seen[second]["others"]) == (["Ada: 3"], ["Bob: 1"])
    assert "another judge's later grade counts" not in team.told(bob, "Bob")
    # Who takes back a word leaves the other's.
    team.as_("Bob")
    sent(bob, {"do": "undo"}, by="desk")
    assert team.see(ada, "Ada")[first]["grade"] == 3
    team.as_("Bob")
    sent(bob, {"do": "undo"}, by="desk")
    seen = team.see(ada, "Ada")
    assert (seen[second]["grade"], seen[second]["others"]) == (2, [])
    team.say(bob, "Bob", second, 1)
    team.see(ada, "Ada")
    team.say(ada, "Ada", second, 2)
    assert "another judge's later grade counts" in team.told(bob, "Bob")
    sent(bob, {"do": "undo"}, by="desk")
    # Nothing of Bob's is left to be taken back, and Ada's is not his.
    assert not json.loads(list_of(bob, "desk").json)["undo"]


def test_compare_counts_with_what_another_has_said(team):
    ada = team.open("Ada")
    bob = team.open("Bob", "compare_runs", data="shop")
    before = [each.value for each in scores(bob)]
    first = next(name for name, paper in papers(ada).items() if paper["grade"] == 0)
    team.say(ada, "Ada", first, 3)
    team.as_("Bob")
    again(bob)
    assert [each.value for each in scores(bob)] != before
    assert "**Changed by hand**: 1 grade of 1 query." in " ".join(texts(bob))


def test_who_has_no_name_takes_back_their_own_words_only(team):
    one = team.open("")
    first, *_ = papers(one)
    team.say(one, "nobody", first, 3)
    other = team.open("")
    team.as_("another")
    assert team.see(other, "another")[first]["grade"] == 3
    assert not json.loads(list_of(other, "desk").json)["undo"]
    team.as_("nobody")
    assert json.loads(list_of(again(one), "desk").json)["undo"]


@contextmanager
def full(monkeypatch, of, *methods):
    """No room for what these methods write."""

    def refuse(*_):
        raise OSError(errno.ENOSPC, "No space left on device", "folder")

    with monkeypatch.context() as patch:
        for each in methods:
            patch.setattr(of, each, refuse)
        yield


def test_a_grade_that_could_not_be_kept_is_said_and_kept_once_there_is_room(team, monkeypatch):
    ada = team.open("Ada")
    first, second, *_ = papers(ada)
    with full(monkeypatch, LogFiles, "append"):
        team.say(ada, "Ada", first, 3)
        team.say(ada, "Ada", second, 1)
    assert "No space left on device" in ada.error[0].value
    assert papers(ada)[first]["grade"] == 3
    assert LogFiles(team.folder).read().records == []
    # Nothing is done on the page: it looks for room by itself.
    assert not again(ada).error
    bob = team.open("Bob")
    assert [papers(bob)[each]["grade"] for each in (first, second)] == [3, 1]
    said = [name for each in LogFiles(team.folder).read().records for name in each.said]
    assert said == [first, second]


def test_lists_settings_and_data_that_could_not_be_kept_are_kept_once_there_is_room(
    team, monkeypatch
):
    at = team.open("", "inspect_query", run="bm25")
    order = [row["id"] for row in drawn(at, "ledger_shown")["tables"][0]["rows"]]
    other = replace(SHOP, title="mine", runs=SHOP.runs[:1])
    with full(monkeypatch, Workspace, "_write"):
        again(sent(at, {"do": "move", "id": order[1], "value": 1}))
        at.session_state["_upload"] = other
        no_room = workspace.Problem("no room", True, -math.inf)
        at.session_state["_not_kept"] = {**at.session_state["_not_kept"], "data": no_room}
        again(at)
    monkeypatch.setattr(user_data, "PAUSE", 0)
    assert "No space left on device" in at.error[0].value
    assert not again(at).error
    kept, _ = Workspace(team.folder).session()
    assert kept.dataset.title == "mine"
    assert "ranking" in kept.settings
    [history] = kept.edits.values()
    assert [each.document for each in history.present.entries][:2] == [order[1], order[0]]


def test_two_judges_begin_with_two_who_judged_a_document_both(team):
    """The qrels have no grade for it."""
    ada, bob = team.open("Ada"), team.open("Bob")
    new = next(name for name, paper in papers(ada).items() if not paper["seen"])
    team.say(ada, "Ada", new, 3)
    team.see(bob, "Bob")
    team.say(bob, "Bob", new, 1)
    at = team.open("Bob", judging="Two judges")
    assert not at.exception
    assert [at.selectbox(key=key).value for key in ("judge_a", "judge_b")] == ["Ada", "Bob"]
    assert any("The judges agree on 0 of 1 document" in each.value for each in at.subheader)


def test_what_can_never_be_kept_is_said_and_stops_nothing_else(team):
    """As a query without an id, which no file has."""
    ada = team.open("Ada")
    first, *_ = papers(ada)
    never = Said(1, Signature("Ada", "2026-11-25T09:30:00Z"))
    record = Record(1, "0a1b2c3d4e5f6071", 1, Origin(SHOP.key, SHEET, ""), {"x": never})
    ada.session_state["_edits"] = Edits(unkept=Change(records=(record,)))
    team.say(ada, "Ada", first, 3)
    assert "an id or a name that is empty" in ada.error[0].value
    assert [list(each.said) for each in LogFiles(team.folder).read().records] == [[first]]
    assert ada.session_state["_edits"].unkept == Change()
    # Another kind of change does not take the message away; the next grade does.
    ada.session_state["k"] = 5
    assert again(ada).error
    team.say(ada, "Ada", first, 2)
    assert not ada.error


@pytest.mark.parametrize(
    ("setting", "peer", "name"),
    [
        ("X-User from 127.0.0.1", None, "Zoë Ada"),
        ("X-User from 10.0.0.5", "10.0.0.5", "Zoë Ada"),
        ("X-User from 10.0.0.5", "10.0.0.6", "typed"),
        ("X-User from 10.0.0.5", None, "typed"),
        ("X-User", None, "typed"),
        ("X-Other from 127.0.0.1", None, "typed"),
        ("", None, "typed"),
    ],
)
def test_a_name_of_a_header_counts_only_from_the_proxy_that_sets_it(
    team, monkeypatch, setting, peer, name
):
    headers = {"X-User": " Zoë  Ada".encode().decode("latin-1")}
    monkeypatch.setenv(by_hand.USER_HEADER, setting)
    monkeypatch.setattr(type(st.context), "ip_address", peer)
    monkeypatch.setattr(type(st.context), "headers", headers)
    at = team.open("typed")
    assert bool(at.text_input(key="judge").value if at.text_input else "") == (name == "typed")
    team.say(at, "typed", next(iter(papers(at))), 3)
    [record] = LogFiles(team.folder).read().records
    assert {each.signed.judge for each in record.said.values()} == {name}


def test_what_is_tried_again_replaces_nothing_that_another_has_kept_meanwhile(team, monkeypatch):
    at = team.open("", "inspect_query", run="bm25")
    order = [row["id"] for row in drawn(at, "ledger_shown")["tables"][0]["rows"]]
    with full(monkeypatch, Workspace, "_write"):
        at = again(sent(at, {"do": "move", "id": order[1], "value": 1}))
        no_room = workspace.Problem("no room", True, -math.inf)
        at.session_state["_not_kept"] = {**at.session_state["_not_kept"], "data": no_room}
    [(origin, mine)] = at.session_state["_edits"].histories.items()
    theirs, data = mine.bare().to(mine.original), replace(SHOP, title="theirs")
    folder = Workspace(team.folder)
    folder.keep_edit(origin, theirs, {})
    folder.keep(data)
    assert not again(at).error
    kept, _ = folder.session()
    assert (kept.dataset.title, len(kept.edits[origin].past)) == ("theirs", len(theirs.past))
    # What is edited now comes after it.
    again(sent(at, {"do": "move", "id": order[2], "value": 1}))
    assert folder.session()[0].edits[origin].present != kept.edits[origin].present


def test_a_session_that_began_without_the_workspace_has_its_data_once_it_is_back(team, monkeypatch):
    folder = Workspace(team.folder)
    folder.keep(replace(SHOP, title="mine"))
    with full(monkeypatch, Workspace, "session", "stamps"), full(monkeypatch, LogFiles, "read"):
        at = team.open("", "data")
        assert "No space left on device" in at.error[0].value
        assert not again(at).session_state["_begun"]
    assert not again(at).error
    assert at.session_state["_upload"].title == "mine"


def test_a_reloaded_tab_keeps_the_order_that_was_refused_before(team, monkeypatch):
    at = team.open("", "inspect_query", run="bm25")
    order = [row["id"] for row in drawn(at, "ledger_shown")["tables"][0]["rows"]]
    with full(monkeypatch, Workspace, "_write"):
        at = again(sent(at, {"do": "move", "id": order[1], "value": 1}))
    held = Session(None, at.session_state["_edits"].histories)
    monkeypatch.setattr(opened_files, "_of_tab", lambda: held)
    again(team.open("", "inspect_query", run="bm25"))
    assert Workspace(team.folder).session()[0].edits.keys() == held.edits.keys()


def test_an_order_changed_while_the_folder_is_away_replaces_the_one_before(team):
    at = team.open("", "inspect_query", run="bm25")
    order = [row["id"] for row in drawn(at, "ledger_shown")["tables"][0]["rows"]]
    at = again(sent(at, {"do": "move", "id": order[1], "value": 1}))
    [first] = Workspace(team.folder).session()[0].edits.values()
    away = team.folder.rename(team.folder.with_name("away"))
    at = again(sent(at, {"do": "move", "id": order[2], "value": 1}))
    assert at.error
    away.rename(team.folder)
    assert not again(at).error
    [now] = Workspace(team.folder).session()[0].edits.values()
    assert now.present.retrieved != first.present.retrieved
    assert now.present.retrieved[0].document == order[2]
