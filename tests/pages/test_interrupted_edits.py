"""An edit whose callback the next request cuts off, or whose session ends, is made once."""

import json

import pytest
from streamlit.runtime.scriptrunner import RerunData, RerunException, get_script_run_ctx
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner

from metrics.commands.app import WORKSPACE_VARIABLE
from metrics.sessions.log_files import LogFiles
from pages.ui import ranking_list, streamlit_internals
from tests.pages.conftest import list_of, opened, sent
from tests.pages.test_inspect import LAST

PRESS = {"do": "more", "id": LAST}


class Cut:
    """Ends the list's callback at one of its accesses to the session's state, as Streamlit does."""

    def __init__(self, monkeypatch):
        self.at, self.seen, self.inside = 0, 0, False
        usual = ScriptRunner._maybe_handle_execution_control_request

        def asked(runner):
            return self.asked() if self.inside else usual(runner)

        monkeypatch.setattr(ScriptRunner, "_maybe_handle_execution_control_request", asked)
        of_list = ranking_list._list
        monkeypatch.setattr(
            ranking_list,
            "_list",
            lambda on_events_change, **given: of_list(
                on_events_change=lambda: self.within(on_events_change), **given
            ),
        )

    def within(self, callback):
        self.inside = True
        try:
            callback()
        finally:
            self.inside = False

    def asked(self):
        self.seen += 1
        if self.seen == self.at:
            page = get_script_run_ctx().page_script_hash
            raise RerunException(RerunData(page_script_hash=page))


def grade(at):
    """The grade that holds of the document that is pressed; each press is a step and an entry."""
    edits = at.session_state["_edits"]
    ((origin, steps),) = edits.histories.items()
    assert len(steps.past) == len(edits.log.records)
    return edits.log.said(origin.qrels, origin.query)[PRESS["id"]].grade


@pytest.mark.parametrize("shared", [False, True])
def test_an_edit_is_made_once_wherever_its_callback_is_cut_off(monkeypatch, tmp_path, shared):
    if shared:
        monkeypatch.setenv(WORKSPACE_VARIABLE, str(tmp_path / "workspace"))
    cut = Cut(monkeypatch)
    at = sent(opened(), PRESS)
    made = first = grade(at)
    whole, cut.seen = cut.seen, 0
    assert whole > 5
    for cut.at in range(1, whole + 1):
        at, cut.seen = sent(at, PRESS), 0
        made += 1
        assert grade(at) == made, f"cut at access {cut.at} of {whole}"
        if shared:
            kept = LogFiles(tmp_path / "workspace").read()
            assert len(kept.records) == made - first + 1, f"cut at access {cut.at} of {whole}"


@pytest.fixture
def sessions(monkeypatch, tmp_path):
    """Return a function that begins a session of a workspace, on Judge."""
    monkeypatch.setenv(WORKSPACE_VARIABLE, str(tmp_path / "workspace"))

    def begin(name):
        monkeypatch.setattr(streamlit_internals, "session", lambda: name)
        return opened("judge", example="shop_search")

    return begin


def desk(at):
    """What the desk is drawn with, and the grades of the documents that are judged."""
    drawn = json.loads(list_of(at, "desk").json)
    return drawn, {paper["id"]: paper["grade"] for paper in drawn["papers"] if paper["seen"]}


def test_a_new_session_says_which_grades_it_has_and_takes_the_others(sessions):
    at = sessions("before")
    drawn, given = desk(at)
    first, second = [paper["id"] for paper in drawn["papers"] if given.get(paper["id"]) != 1][:2]
    at = sent(at, {"do": "judge", "id": first, "grade": 1, "note": ""}, by="desk")
    earlier, given = desk(at)
    assert given[first] == 1
    at = sessions("after")
    drawn, restored = desk(at)
    assert restored == given
    # By this the page knows which of its events the session before has applied.
    assert drawn["applied"] == {earlier["session"]: 1}
    assert drawn["session"] != earlier["session"]
    # The page still has what it sent to the session before: the page decides what is sent again.
    old = {"to": earlier["session"], "do": "undo"}
    at = sent(at, {"n": 1, **old}, {"n": 2, **old}, {"n": 3, "to": None, "do": "undo"}, by="desk")
    assert desk(at)[1] == given
    again = {"n": 3, "do": "judge", "id": second, "grade": 1, "note": ""}
    at = sent(at, again, by="desk")
    assert desk(at)[1] == {**given, second: 1}
    # Drawn again with the same events, each is applied once.
    at = sent(at, again, by="desk")
    assert desk(at)[1] == {**given, second: 1}
    assert desk(at)[0]["undo"]
