"""What the session remembers of pages, widgets and links; what the user owns is in ``own``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

import streamlit as st

from metrics import RankscopeError
from metrics.data import TEXTS

INSPECT, COMPARE, DATA_PAGE = "pages/inspect_query.py", "pages/compare_runs.py", "pages/data.py"
CONVENTIONS, LEARN = "pages/conventions.py", "pages/learn.py"
PRACTICE = "pages/practice.py"

# The name of the user's own data in links.
YOURS = "yours"

# Widgets that stand in the address; the key is the parameter's name.
EXAMPLE, RUN, QUERY = "example", "run", "query"
DATA, A, B, PICKED, DOCUMENT = "data", "a", "b", "q", "document"
MEASURE, K, LEVEL = "measure", "k", "level"
RANKING, EDITOR, VIEW, AT, HIDE = "ranking", "editor", "view", "at", "hide"
PRINTED, CASE, LESSON, ROOM, GRADES = "printed", "case", "lesson", "room", "grades"
KIND, DIFFICULTY, NUMBER = "kind", "difficulty", "no"
PITFALL, WORD = "pitfall", "word"
TEST, TIE, SEED, LOOK, SHOWN = "test", "tie", "seed", "look", "shown"
BESIDE, CHART, PAGE, RUNS = "beside", "chart", "page", "runs"
# What another data set chooses anew, on Inspect and on Compare.
OF_RANKING = RUN, QUERY, MEASURE, K
OF_COMPARISON = A, B, PICKED, DOCUMENT, MEASURE, K, RUNS

# Widgets of the Data page.
QRELS_FILE, RUN_FILES, SESSION_FILE = "qrels_file", "run_files", "session_file"
# The keys are the fields of a data set.
QUERY_TEXTS, DOCUMENT_TEXTS, QUERY_GROUPS = TEXTS
FILES = QRELS_FILE, RUN_FILES, *TEXTS, SESSION_FILE
PASTED = QRELS_TEXT, RUN_TEXT, RUN_TEXT_2 = "qrels_text", "run_text", "run_text_2"

# What is no widget begins with _, so that neither a link nor a saved session can name it.
_SHELL, _ARRIVED, _DESTINATION = "_shell", "_arrived", "_destination"
_UNKNOWN, _KEPT, _ONCE, _HIDDEN, _SAVED = "_unknown", "_kept", "_once", "_hidden", "_saved"

# Messages: why the last edit was not made; what was wrong with the data given last, and what was
# taken for something else than it was given as.
NOTICE, PROBLEMS, TAKEN = "_notice", "_problems", "_taken_for"


def enter_shell() -> None:
    """Note that ``app.py`` runs this session's pages."""
    st.session_state.setdefault(_SHELL, "")


def enter_page(script: str) -> None:
    """Note which page is shown, and whether it was another before."""
    st.session_state[_ARRIVED] = st.session_state[_SHELL] != script
    st.session_state[_SHELL] = script


def arrived() -> bool:
    """Whether another page was shown before."""
    return bool(st.session_state[_ARRIVED])


def in_shell() -> bool:
    """Whether ``app.py`` has run in this session."""
    return _SHELL in st.session_state


def go_to(script: str, parameters: Mapping[str, str] | None = None) -> None:
    """Have the shell show another page, under this address, on its next run."""
    st.session_state[_DESTINATION] = (script, dict(parameters or {}))


def take_destination() -> tuple[str, dict[str, str]] | None:
    """The page to go to and the parameters of its address, once."""
    destination: tuple[str, dict[str, str]] | None = st.session_state.pop(_DESTINATION, None)
    return destination


def value(key: str) -> Any:
    """What a widget holds; None before it was shown."""
    return st.session_state.get(key)


def last(key: str) -> Any:
    """What a widget holds, or held when it was shown last."""
    kept: dict[str, Any] = st.session_state.get(_KEPT, {})
    return kept.get(key) if value(key) is None else value(key)


def put(values: Mapping[str, Any]) -> None:
    """Set widgets from a callback, before they are shown again."""
    for key, new in values.items():
        st.session_state[key] = new


def recall(key: str, read: Callable[[str], Any]) -> None:
    """Before a widget is shown: give it the link's value, else the one it had on another page.

    What an opened session says counts as a link.

    ``read`` turns the link's text into a value, or raises RankscopeError: such a text is reported
    and not followed, with the error's message, if it has one, as the reason.
    """
    if key in st.session_state:
        if arrived():
            # The same key on another page is another widget: it takes a value only when set anew.
            st.session_state[key] = st.session_state[key]
        return
    kept: dict[str, Any] = st.session_state.get(_KEPT, {})
    saved: dict[str, str] = st.session_state.get(_SAVED, {})
    if key not in st.query_params and key not in saved:
        if key in kept:
            st.session_state[key] = kept[key]
        return
    first, *others = st.query_params.get_all(key) or [saved.pop(key)]
    if others:
        set_unknown(key, ", ".join([first, *others]), "Give it once.")
        return
    try:
        st.session_state[key] = read(first)
    except RankscopeError as error:
        set_unknown(key, first, str(error))


def among(*known: Collection[str]) -> Callable[[str], str]:
    """Return a reader for `recall` that takes the texts in any of these and no other."""

    def read(link: str) -> str:
        if not any(link in texts for texts in known):
            raise RankscopeError
        return link

    return read


def keep(key: str, value: object, default: object) -> None:
    """After a widget was shown: keep its value for other pages, and write it into the address.

    The default is left out of the address; the parts of a list stand there with | between.
    """
    st.session_state.setdefault(_KEPT, {})[key] = value
    # What an opened session said of it is done with, whatever has set it since.
    st.session_state.get(_SAVED, {}).pop(key, None)
    if value != default:
        st.query_params[key] = _text(value)
    elif key in st.query_params:
        del st.query_params[key]


def settings() -> dict[str, str]:
    """What the pages are set to, by the name and as the text that stand in links."""
    kept: dict[str, Any] = st.session_state.get(_KEPT, {})
    shown = {key: _text(value) for key, value in kept.items() if value is not None}
    # What an opened session says of pages that were not shown since.
    saved: dict[str, str] = st.session_state.get(_SAVED, {})
    return saved | shown


def set_settings(settings: Mapping[str, str]) -> None:
    """Set the pages anew, as a link would; what is not named falls back to its default."""
    settings = {key: text for key, text in settings.items() if not key.startswith("_")}
    forget(*{*st.session_state.get(_KEPT, {}), *settings})
    st.session_state[_KEPT] = {}
    st.session_state[_SAVED] = dict(settings)


def parts(text: str) -> list[str]:
    """The parts of a list that stands in a link."""
    return [part.replace("%7C", "|").replace("%25", "%") for part in text.split("|")]


def _text(value: object) -> str:
    """A value as it stands in a link."""
    return _joined(value) if isinstance(value, list) else str(value)


def _joined(texts: list[str]) -> str:
    return "|".join(part.replace("%", "%25").replace("|", "%7C") for part in texts)


def set_unknown(key: str, text: str, why: str = "") -> None:
    """Note that the link asks for something that is not here, and why it cannot be."""
    st.session_state.setdefault(_UNKNOWN, {})[key] = text, why


def take_unknown() -> dict[str, tuple[str, str]]:
    """What the link asked for that is not here, and why, once."""
    unknown: dict[str, tuple[str, str]] = st.session_state.pop(_UNKNOWN, {})
    return unknown


def forget(*keys: str) -> None:
    """Let widgets fall back to their defaults, in the address too."""
    for key in keys:
        st.session_state.pop(key, None)
        for known in (_KEPT, _SAVED):
            st.session_state.get(known, {}).pop(key, None)
        if key in st.query_params:
            del st.query_params[key]


def pick_query(query: str) -> None:
    """Show this query of the comparison; its first document with it."""
    st.session_state[PICKED] = query
    forget(DOCUMENT)


def pick_runs(a: str, b: str) -> None:
    """Compare these two runs."""
    st.session_state.update({A: a, B: b})


def pick_document(document: str) -> None:
    """Show this document of the compared query."""
    st.session_state[DOCUMENT] = document


def open_page(page: str, values: Mapping[str, Any], *fresh: str) -> None:
    """Go to a page with widgets set to these values, and others at their defaults."""
    forget(*fresh)
    put(values)
    go_to(page)


def arrived_with(key: str) -> str:
    """What the link that opened this session says, once; else an empty text."""
    taken: set[str] = st.session_state.get(_ONCE, set())
    st.session_state[_ONCE] = taken | {key}
    return "" if key in taken else st.query_params.get(key, "")


def hide(parts: frozenset[str]) -> None:
    """Hide these parts of the page that is shown, for a lesson."""
    st.session_state[_HIDDEN] = st.session_state[_SHELL], parts


def asks(key: str) -> str:
    """What the link asks of a widget that has no value yet; else an empty text."""
    return "" if key in st.session_state else st.query_params.get(key, "")


def keep_hidden() -> None:
    """Have the address say what is hidden here, after another page was shown too."""
    if (parts := hidden()) and HIDE not in st.query_params:
        st.query_params[HIDE] = "-".join(sorted(parts))


def hidden() -> frozenset[str]:
    """The parts of this page that a lesson's link hides; other pages are whole."""
    page, parts = st.session_state.get(_HIDDEN, ("", frozenset[str]()))
    return parts if page == st.session_state[_SHELL] else frozenset()


def tell(key: str, said: str) -> None:
    """Keep a message, such as ``NOTICE``, until the next one; an empty text clears it."""
    st.session_state[key] = said


def told(key: str) -> str:
    """The message that is kept; empty when there is none."""
    return str(st.session_state.get(key, ""))
