"""The session's state of pages, widgets and links; the user's data are in ``user_data``."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

import streamlit as st

from metrics import RankscopeError
from metrics.teaching.lesson import ALLOWED, SCORE, Lesson

START = "pages/start.py"
INSPECT, COMPARE, DATA_PAGE = "pages/inspect_query.py", "pages/compare_runs.py", "pages/data.py"
CONVENTIONS, LEARN = "pages/conventions.py", "pages/learn.py"
PRACTICE, HISTORY = "pages/practice.py", "pages/history.py"
JUDGE = "pages/judge.py"

# The name of the user's own data in links.
YOURS = "yours"

# Widgets whose values are in the address; the key is the parameter's name.
EXAMPLE, RUN, QUERY = "example", "run", "query"
DATA, A, B, PICKED, DOCUMENT = "data", "a", "b", "q", "document"
MEASURE, K, LEVEL = "measure", "k", "level"
RANKING, EDITOR, VIEW, AT, HIDE = "ranking", "editor", "view", "at", "hide"
PRINTED, CASE, LESSON, ROOM, GRADES = "printed", "case", "lesson", "room", "grades"
KIND, DIFFICULTY, NUMBER = "kind", "difficulty", "no"
PITFALL, WORD, CHOICE, TALLY = "pitfall", "word", "choice", "tally"
AGAINST, FAMILY = "against", "family"
SCENE, TYPED = "scene", "typed"
TASK, SAID, REVEALED, PRESENT = "task", "said", "revealed", "present"
TEST, TIE, SEED, TAB, SHOWN = "test", "tie", "seed", "look", "shown"
BESIDE, RUNS, BACK = "beside", "runs", "back"
STEPS = "steps"
JUDGING, DEPTH, JUDGE_NAME, GUIDELINE, BLIND = "judging", "depth", "judge", "guideline", "blind"
DRAWN = "drawn"
"""How many queries are drawn to be judged; 0: all are."""
JUDGE_A, JUDGE_B, CHANGED = "judge_a", "judge_b", "changed"
COUNTS, SCALE = "counts", "scale"
TAGS, BASELINE, NEW, DROP = "tags", "baseline", "new", "drop"
FIND, GROUP, OUTCOME = "find", "group", "outcome"
ATTRIBUTE = "attribute"
LEAST_UNJUDGED, MOST_UNJUDGED = "unjudged_min", "unjudged_max"
# The filter of queries on Compare.
OF_FILTER = FIND, GROUP, OUTCOME, LEAST_UNJUDGED, MOST_UNJUDGED
# The tab of Learn that explains words.
GLOSSARY = "Glossary"
# What is typed on Data instead of the page.
ONE_LIST, TWO_LISTS = "one", "two"
# The tabs of Judge: where one judges, and where judges are compared.
ONE_JUDGE, TWO_JUDGES = "Judge", "Two judges"
# In links to the front page; all others are links to Inspect, which was the front page once.
OF_START = (SCENE,)
# The parameter that names the data of a page.
OF_DATA = {COMPARE: DATA} | dict.fromkeys((INSPECT, JUDGE, CONVENTIONS), EXAMPLE)
# Reset when another data set is opened on Inspect or on Compare.
OF_RANKING = RUN, QUERY, MEASURE, K, COUNTS
OF_COMPARISON = A, B, PICKED, DOCUMENT, MEASURE, K, RUNS, ATTRIBUTE, COUNTS, *OF_FILTER

# Widgets of the Data page.
FILES, ROLE = "files", "role"
QRELS_TEXT, RUN_TEXT, RUN_TEXT_2 = "qrels_text", "run_text", "run_text_2"

# Keys that are not widgets begin with _, so that no link and no saved session can set them.
_SHELL, _ARRIVED, _DESTINATION, _VISIT = "_shell", "_arrived", "_destination", "_visit"
WHOLE, PRESET, CHOICES = "_whole", "_preset", "_choices"
NEXT_UP, PAPER, FINISHED, SOUGHT = "_next_up", "_paper", "_finished", "_sought"
EDITED = "_edited"
_UNKNOWN, _KEPT, _ONCE, _TAUGHT, _SAVED = "_unknown", "_kept", "_once", "_taught", "_saved"
_USUAL = "_usual"
"""What shows the default of its page, which nobody has chosen."""
_LOOKED, _ADDRESS, _STEPPED, _TABLES, _TOLD = "_looked", "_address", "_stepped", "_tables", "_told"

# Messages: why the last edit was refused, why the last upload was refused, notes about it, and
# what is missing before a lesson's score is revealed.
NOTICE, PROBLEMS, NOTES, UNSAID = "_notice", "_problems", "_notes", "_unsaid"
# How many judgments of a file were added.
ADDED = "_added"
# What the workspace could not keep.
NOT_KEPT = "_not_kept"
# Which versions of its files this session has seen.
STAMPS = "_stamps"
# The lesson that a teacher makes, and what the dialog for it shows; a student's prediction, which
# stays once a part of the score is revealed.
DRAFT, MAKING, LOCKED = "_draft", "_making", "_locked"
# What a prediction was compared with at first; and that a lesson begins with the run's own order.
MARKED, FRESH = "_marked", "_fresh"
# What another page asks of Inspect: to open that dialog.
ASKED = "asked"


def enter_shell() -> None:
    """Record that ``app.py`` runs this session's pages."""
    st.session_state.setdefault(_SHELL, "")


def enter_page(script: str) -> None:
    """Record which page is shown, and whether the previous one was different."""
    before = st.session_state[_SHELL]
    st.session_state[_TABLES] = 0
    st.session_state[_ARRIVED] = before != script
    if before != script:
        st.session_state[_ADDRESS] = {}
    if before and before != script:
        st.session_state[_VISIT] = visit() + 1
    st.session_state[_SHELL] = script
    if script not in (INSPECT, JUDGE):
        # Only who comes from a comparison is offered the way back to it.
        forget(BACK)


def visit() -> int:
    """Return how often this session went from one page to another."""
    return int(st.session_state.get(_VISIT, 0))


def next_table() -> int:
    """Return the number of the next table on the page, from 1."""
    st.session_state[_TABLES] += 1
    return int(st.session_state[_TABLES])


def arrived() -> bool:
    """Return whether the previous run showed another page."""
    return bool(st.session_state[_ARRIVED])


def in_address(key: str) -> str:
    """Return the value of a parameter that only the address holds; else an empty text."""
    return st.query_params.get(key, "")


def turn(key: str, text: str) -> None:
    """Set such a parameter, or clear it, and show the page from its top."""
    # Each address is a step of the browser's own Back.
    st.query_params.from_dict({key: text} if text else {})
    st.session_state[_VISIT] = visit() + 1


def open_room(room: str, values: Mapping[str, Any]) -> None:
    """Show a room of Learn from its top, with these values of widgets."""
    from_top({ROOM: room, **values})


def from_top(values: Mapping[str, Any]) -> None:
    """Set widgets' values from a callback, and show the page from its top."""
    put(values)
    st.session_state[_VISIT] = visit() + 1


def in_shell() -> bool:
    """Return whether ``app.py`` has run in this session."""
    return _SHELL in st.session_state


def go_to(script: str, parameters: Mapping[str, list[str]] | None = None) -> None:
    """Have the shell show another page, under this address, on its next run."""
    st.session_state[_DESTINATION] = (script, dict(parameters or {}))


def type_lists(many: str) -> None:
    """Go to Data, to type one list, or two and compare them."""
    go_to(DATA_PAGE, {TYPED: [many]})


def take_destination() -> tuple[str, dict[str, list[str]]] | None:
    """Return the page to go to and the parameters of its address, once."""
    destination: tuple[str, dict[str, list[str]]] | None = st.session_state.pop(_DESTINATION, None)
    return destination


def value(key: str) -> Any:
    """Return a widget's value; None before it is shown."""
    return st.session_state.get(key)


def last(key: str) -> Any:
    """Return a widget's value, or the value it had when it was last shown."""
    kept: dict[str, Any] = st.session_state.get(_KEPT, {})
    return kept.get(key) if value(key) is None else value(key)


def put(values: Mapping[str, Any]) -> None:
    """Set widgets' values from a callback, before they are drawn again."""
    for key, new in values.items():
        st.session_state[key] = new
        st.session_state.get(_USUAL, {}).pop(key, None)
        _look_at(key, new)


def _look_at(key: str, value: object) -> None:
    """Remember which data a page shows, whichever page it is."""
    if key in (DATA, EXAMPLE):
        st.session_state[_LOOKED] = value


def looked_at() -> str:
    """Return which data were looked at last; else an empty text."""
    return str(st.session_state.get(_LOOKED, ""))


def follow_data(key: str) -> None:
    """Who arrives without data in the address gets those that were looked at last."""
    if arrived() and key not in st.query_params and _LOOKED in st.session_state:
        put({key: st.session_state[_LOOKED]})


def recall(key: str, read: Callable[[str], Any]) -> None:
    """Before a widget is drawn, set it from the link, else to what was chosen on another page.

    The settings of an opened session count as a link. ``read`` turns the link's text into a value,
    or raises RankscopeError: unreadable values are reported instead of applied, with the error's
    message, if it has one, as the reason.
    """
    # A page that Back shows again has the address that it had, until its widgets are drawn: a
    # fragment is drawn again without its page.
    again = arrived() and key in st.query_params and key not in st.session_state[_ADDRESS]
    usual = st.session_state.get(_USUAL, {})
    if arrived() and key in usual and value(key) == usual.pop(key):
        st.session_state.pop(key, None)
    if key in st.session_state and not again:
        if arrived():
            # To Streamlit the same key on another page is a new widget, which keeps a value only
            # if the value is set again.
            st.session_state[key] = st.session_state[key]
        return
    kept: dict[str, Any] = st.session_state.get(_KEPT, {})
    saved: dict[str, str] = st.session_state.get(_SAVED, {})
    if key not in st.query_params and key not in saved:
        if key in (known := usual | kept):
            st.session_state[key] = known[key]
        return
    first, *others = st.query_params.get_all(key) or [saved.pop(key)]
    if others:
        set_unknown(key, ", ".join([first, *others]), "Name it only once.")
        return
    try:
        st.session_state[key] = read(first)
    except RankscopeError as error:
        set_unknown(key, first, str(error))


def among(*known: Collection[str]) -> Callable[[str], str]:
    """Return a reader for `recall` that accepts only the texts in these collections."""

    def read(link: str) -> str:
        if not any(link in texts for texts in known):
            raise RankscopeError
        return link

    return read


def keep(key: str, value: object, default: object) -> None:
    """After a widget is drawn, keep what was chosen for other pages and write it into the address.

    The address leaves out the default; it separates the parts of a list with ``|``.
    """
    kept = st.session_state.setdefault(_KEPT, {})
    usual = st.session_state.setdefault(_USUAL, {})
    chosen = value != default or key in kept
    usual.pop(key, None)
    (kept if chosen else usual)[key] = value
    _look_at(key, value)
    # The value of an opened session applies once, whatever has set the widget since.
    st.session_state.get(_SAVED, {}).pop(key, None)
    st.session_state[_ADDRESS][key] = _text(value) if value != default else ""
    if value != default:
        st.query_params[key] = _text(value)
    elif key in st.query_params and not (arrived() and st.query_params[key] == _text(value)):
        # A page that is just opened has no script yet, without which this is a step of Back.
        del st.query_params[key]


def in_link(key: str, known: Collection[str]) -> str:
    """Return which of these texts is chosen, in the link too; empty for none."""
    recall(key, among(known))
    chosen = value(key)
    found = str(chosen) if chosen in known else ""
    keep(key, found, "")
    return found


def follow(address: Mapping[str, list[str]]) -> None:
    """Set this page's widgets from an address that it had before."""
    shown: dict[str, str] = st.session_state.get(_ADDRESS, {})
    changed = {key for key in {*shown, *address} if address.get(key, [""]) != [shown.get(key, "")]}
    # A default may be another one there.
    forget(*changed, *(shown.keys() - address.keys()))
    st.query_params.from_dict(address)
    st.session_state[_STEPPED] = changed
    st.session_state[_ONCE] = st.session_state.get(_ONCE, set()) - changed


def stepped(key: str) -> bool:
    """Return whether Back or Forward has just changed this parameter, once."""
    changed: set[str] = st.session_state.get(_STEPPED, set())
    st.session_state[_STEPPED] = changed - {key}
    return key in changed


def settings() -> dict[str, str]:
    """Return the pages' settings: link texts, by parameter name."""
    kept: dict[str, Any] = st.session_state.get(_KEPT, {})
    shown = {key: _text(value) for key, value in kept.items() if value is not None}
    # Settings of an opened session for pages that have not been shown since.
    saved: dict[str, str] = st.session_state.get(_SAVED, {})
    return saved | shown


def settings_changed() -> bool:
    """Return whether the settings differ from those at the last call."""
    before, now = st.session_state.get(_TOLD), settings()
    st.session_state[_TOLD] = now
    return before is not None and before != now


def set_settings(settings: Mapping[str, str]) -> None:
    """Replace the pages' settings, as a link would; settings not named get their defaults."""
    settings = {key: text for key, text in settings.items() if not key.startswith("_")}
    forget(*st.session_state.get(_KEPT, {}), *st.session_state.get(_USUAL, ()), *settings)
    st.session_state[_KEPT] = {}
    st.session_state[_SAVED] = dict(settings)


def parts(text: str) -> list[str]:
    """Return the parts of a list in a link."""
    return [part.replace("%7C", "|").replace("%25", "%") for part in text.split("|")]


def _text(value: object) -> str:
    """Return a value's text in a link."""
    if not isinstance(value, list):
        return str(value)
    return "|".join(part.replace("%", "%25").replace("|", "%7C") for part in value)


def set_unknown(key: str, text: str, why: str = "") -> None:
    """Record a value in the link that is not available, and the reason."""
    st.session_state.setdefault(_UNKNOWN, {})[key] = text, why


def take_unknown() -> dict[str, tuple[str, str]]:
    """Return the link's values that are not available, with the reasons, once."""
    unknown: dict[str, tuple[str, str]] = st.session_state.pop(_UNKNOWN, {})
    return unknown


def forget(*keys: str) -> None:
    """Reset widgets to their defaults, in the address too."""
    for key in keys:
        st.session_state.pop(key, None)
        for known in (_KEPT, _SAVED, _USUAL):
            st.session_state.get(known, {}).pop(key, None)
        if key in st.query_params:
            del st.query_params[key]


def filter_queries(groups: list[str] | None = None) -> None:
    """Compare the queries of these groups; None: all queries, without any filter.

    A query that nobody chose gives way to what is opened first among those.
    """
    if groups is None:
        forget(*OF_FILTER)
    else:
        put({GROUP: groups})
    if PICKED in st.session_state.get(_USUAL, {}):
        forget(PICKED, DOCUMENT)


def pick_query(query: str) -> None:
    """Show this query of the comparison, with its first document."""
    put({PICKED: query})
    forget(DOCUMENT)


def pick_in(component: str) -> None:
    """Mark the document that was picked in a component; one that is picked again is not."""
    st.session_state[AT] = value(component)["picked"] or ""


def lay_out(query: str, document: str, **look: str) -> None:
    """Lay a document of a query on the desk of Judge, to be judged next.

    ``look``: what the desk hides, if it is to change.
    """
    *_, number = value(PAPER) or (0,)
    put({JUDGING: ONE_JUDGE, QUERY: query, PAPER: (query, document, number + 1), **look})


def seek(**values: str) -> None:
    """Set these values of widgets, and show the page at its part with the key ``sought``."""
    from_top({SOUGHT: visit() + 1, **values})


def open_page(page: str, values: Mapping[str, Any], *fresh: str) -> None:
    """Go to a page with these values of widgets; the widgets in ``fresh`` get their defaults.

    All others keep what they show, default or not: what is opened is what was in view.
    """
    forget(*fresh)
    st.session_state[_KEPT] = st.session_state.pop(_USUAL, {}) | st.session_state.get(_KEPT, {})
    put(values)
    go_to(page)


def open_on_inspect(data: str) -> None:
    """Go to Inspect with these data, at their first query and in their own measure."""
    open_page(INSPECT, {EXAMPLE: data}, *OF_RANKING)


def arrived_with(key: str) -> str:
    """Return the value in the link that opened this session, once; else an empty text."""
    read: set[str] = st.session_state.get(_ONCE, set())
    st.session_state[_ONCE] = read | {key}
    return "" if key in read else st.query_params.get(key, "")


def teach(lesson: Lesson) -> None:
    """Make this the lesson of the current page."""
    st.session_state[_TAUGHT] = st.session_state[_SHELL], lesson


def asks(key: str) -> str:
    """Return the link's value of a widget that has no value yet; else an empty text."""
    return "" if key in st.session_state else st.query_params.get(key, "")


def presented() -> str:
    """Return the panel in the address of a page that is presented; else an empty text."""
    return in_address(PRESENT)


def present(panel: str) -> None:
    """Present this panel of the page; an empty text: show the page again."""
    if panel:
        st.query_params[PRESENT] = panel
    else:
        st.query_params.pop(PRESENT, None)


def lesson() -> Lesson:
    """Return the lesson of this page; on other pages one that hides nothing.

    Students who may reveal the score, and did, see every part.
    """
    taught: Lesson
    page, taught = st.session_state.get(_TAUGHT, ("", Lesson()))
    if page != st.session_state[_SHELL]:
        return Lesson()
    return taught.revealed() if taught.steps and value(REVEALED) == SCORE else taught


def hidden() -> frozenset[str]:
    """Return the parts of this page that are hidden: by a lesson, or while it is presented."""
    return lesson().hidden | (ALLOWED.keys() if presented() else frozenset())


def message(key: str) -> str:
    """Return a message, such as ``NOTICE``, that is kept until the next one; empty for none."""
    return str(st.session_state.get(key, ""))
