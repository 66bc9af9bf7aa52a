"""The app opened through a link, without a browser."""

import json
import math
import re
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.testing.v1 import AppTest, local_script_runner

from metrics import RankscopeError
from metrics.rendering import tables, text
from metrics.teaching.samples import catalogue
from pages.ui import widgets

ROOT = Path(__file__).parents[2]
SCANNED_ONCE = cache(manifest_scanner.scan_component_manifests)


@contextmanager
def prepared():
    """Prepare Streamlit's runner of pages for many of them.

    The components that installed packages bring are read once, as the server does: each `AppTest`
    reads the metadata of every installed package anew, which takes longer than most pages. The end
    of a page's thread is awaited before Streamlit looks for it: it looks through all that the page
    has sent, every millisecond while the page computes. A parameter that occurs once in the
    address is a text, as Streamlit gives it from 1.65 on.
    """
    looking = local_script_runner.require_widgets_deltas

    def wait(runner, timeout=3):
        runner._script_thread.join(timeout)
        looking(runner, timeout)

    def put(at, parameters):
        vars(at)["query_params"] = {
            key: value[0] if isinstance(value, list) and len(value) == 1 else value
            for key, value in parameters.items()
        }

    one_form = property(lambda at: vars(at)["query_params"], put)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", SCANNED_ONCE)
        patch.setattr(local_script_runner, "require_widgets_deltas", wait)
        patch.setattr(AppTest, "query_params", one_form, raising=False)
        patch.setattr(tables, "printed", recorded(tables.printed))
        yield


@pytest.fixture(scope="module", autouse=True)
def runner_is_prepared():
    with prepared():
        yield


@pytest.fixture
def all_tabs_open(monkeypatch):
    """Draw every tab of a page in each run, as if each was the open one.

    A page draws the open tab alone, and takes longer than all of its tabs. An error stays in its
    tab, where `faulty_tabs` finds it.
    """

    def draw(_key, tabs, *arguments, row=()):
        for tab, content in zip(st.tabs(list(tabs)), tabs.values(), strict=True):
            with tab, widgets.refusals_shown():
                try:
                    content(*arguments)
                except RankscopeError:
                    raise
                except Exception as error:
                    st.exception(error)

    monkeypatch.setattr(widgets, "draw_tabs", draw)


def faulty_tabs(at):
    """Return the errors of each tab that raised one, and the tabs that are empty."""
    return {
        tab.label: [each.message for each in tab.exception] or "empty"
        for tab in at.tabs
        if tab.exception or not tab.children
    }


def opened(page="inspect_query", **parameters):
    """Return a page with these parameters in its address."""
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    for key, value in parameters.items():
        at.query_params[key] = value if isinstance(value, list) else str(value)
    return at.switch_page(f"pages/{page}.py").run()


def reopened(at, page, **parameters):
    """Return a page in a new session with the edits of another, as after a reload."""
    new = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    new.session_state["_edits"] = at.session_state["_edits"]
    new.query_params.update(parameters)
    return new.switch_page(f"pages/{page}.py").run()


def drop(at, *files):
    """Drop files on Data, each a name and its content."""
    (box,) = at.file_uploader
    return box.set_value([(name, data, "application/octet-stream") for name, data in files]).run()


def samples_of_two_runs():
    """Return the keys of the samples that Compare can show."""
    return [key for key, sample in catalogue().items() if len(sample.load().runs) > 1]


def texts(at):
    """Return the sentences of a page, large and small."""
    return [each.value for each in [*at.caption, *at.markdown, *at.header]]


def drawn(at, key):
    """Return the data of a component on a page, by its key; None where it is not drawn."""
    found = [each for each in at.get("bidi_component") if each.proto.id.endswith(f"-{key}")]
    return json.loads(found[0].proto.json) if found else None


def tables_of(at):
    """Return the tables of a page or of a part of it in their order, with all digits."""
    found = []
    for each in at.main if isinstance(at, AppTest) else at:
        if each.type == "bidi_component" and re.search("-table_[0-9]+$", each.proto.id):
            found.append(PRINTED[_key(json.loads(each.proto.json))])
    return found


PRINTED = {}
"""The tables that pages have printed, by what they print."""


def _key(drawn):
    return json.dumps([drawn["columns"], drawn["rows"]])


def recorded(printed):
    """Return ``tables.printed``, of which `PRINTED` remembers every table."""

    def also(frame, *arguments):
        drawn = printed(frame, *arguments)
        PRINTED[_key(drawn)] = frame
        return drawn

    return also


class Score(NamedTuple):
    """A number that a page shows large."""

    label: str
    value: str
    delta: str


def scores(at):
    """Return the numbers that a page shows large: a ranking's score, and the metrics."""
    shown = (drawn(at, "score") or {}).get("score")
    hidden = shown is None or "change" not in shown
    own = [] if hidden else [Score(shown["measure"], shown["value"], shown["change"])]
    return own + _means(at) + [Score(each.label, each.value, each.delta) for each in at.metric]


def _means(at):
    """Return the means of Compare's first measure, from its table of all measures."""
    frame = next(
        (each for each in tables_of(at) if each.index.name == "measure" and "mean A" in each), None
    )
    if frame is None:
        return []
    name, row = frame.index[0], frame.iloc[0]
    means = [Score(f"mean {name}, {side}", text.number(row[f"mean {side}"]), "") for side in "AB"]
    change = text.signed(row.get("relative %", math.nan), 1)
    return [
        *means,
        Score("delta B − A", text.signed(row["delta B − A"]), ""),
        Score("relative change", change if change == "–" else f"{change} %", ""),
    ]


def sentences(at):
    """Return the sentences beside the score: its parts or the last edit, and its terms."""
    return ["".join(part["text"] for part in line) for line in drawn(at, "score_lines")["lines"]]


def list_of(at, name="ranking_list"):
    """Return the component that draws the list of Inspect and its Undo; None if it is hidden.

    ``name``: that of another component with events, such as ``desk``.
    """
    components = (each.proto for each in at.get("bidi_component"))
    return next((each for each in components if each.component_name == name), None)


def signs(at):
    """Return the labels and keys of the widgets, charts and components on a page."""
    widgets = [*at.selectbox, *at.button, *scores(at), *at.tabs, *at.subheader]
    keyed = [*at.get("plotly_chart"), *at.get("bidi_component")]
    keys = {each.proto.id.rsplit("-", 1)[-1] for each in keyed}
    labels = {getattr(widget, "label", None) or widget.value for widget in widgets}
    return labels | keys | ({"Undo"} if can_edit(at) else set())


def can_edit(at):
    """Return whether the page's list can be changed."""
    listed = list_of(at)
    return listed is not None and "locked" not in json.loads(listed.json)


def sent(at, *events, by="ranking_list"):
    """Return the page after its list has sent these edits at once, as fast presses do."""
    listed = list_of(at, by)
    drawn = json.loads(listed.json)
    # A list that is locked names no session.
    to = drawn.get("session", "")
    first = drawn["applied"].get(to, 0) + 1
    states = at._tree.get_widget_states()
    made = {"to": to}
    numbered = [{"n": number, **made, **event} for number, event in enumerate(events, first)]
    states.widgets.add(id=listed.id, json_value=json.dumps({"events": numbered}))
    return at._run(states)


def removed(at, place):
    """Return Data after a press on Remove of a card."""
    (shown,) = (each.proto for each in at.get("bidi_component") if "cards" in each.proto.json)
    states = at._tree.get_widget_states()
    event = json.dumps([{"event": "removed", "value": place}])
    states.widgets.add(id=_make_trigger_id(shown.id, "events"), json_trigger_value=event)
    return at._run(states)


def pressed(at, column, **what):
    """Return the page after a press in the first table that has a column, on a row or a head."""
    found = (each.proto for each in at.get("bidi_component") if "-table_" in each.proto.id)
    shown = next(each for each in found if column in json.loads(each.json)["columns"])
    states = at._tree.get_widget_states()
    event = json.dumps([{"event": "pressed", "value": what}])
    states.widgets.add(id=_make_trigger_id(shown.id, "events"), json_trigger_value=event)
    return at._run(states)


def with_choices(at):
    """Return the page with its list of single choices open."""
    at.session_state["_choices"] = True
    return at.run()


def convention_line(at):
    """Return the convention's line, which its words in the sentence of settings open."""
    return next(each.value for each in at.markdown if each.value.startswith("Convention "))
