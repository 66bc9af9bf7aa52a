"""An edit whose callback the next request cuts off is made all the same, and once."""

from streamlit.runtime.scriptrunner import RerunData, RerunException, get_script_run_ctx
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner

from pages.ui.inspect import drag
from tests.pages.conftest import opened, sent
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
        of_list = drag._list
        monkeypatch.setattr(
            drag,
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
    """The grade in the list and on the sheet of its query, which are kept as one."""
    histories = at.session_state["_edits"].histories
    assert len(histories) == 2
    entries = [each for history in histories.values() for each in history.present.entries]
    (found,) = {each.grade for each in entries if each.document == PRESS["id"]}
    return found


def test_an_edit_is_made_once_wherever_its_callback_is_cut_off(monkeypatch):
    cut = Cut(monkeypatch)
    at = sent(opened(), PRESS)
    made = grade(at)
    whole, cut.seen = cut.seen, 0
    assert whole > 5
    for cut.at in range(1, whole + 1):
        at, cut.seen = sent(at, PRESS), 0
        made += 1
        assert grade(at) == made, f"cut at access {cut.at} of {whole}"
