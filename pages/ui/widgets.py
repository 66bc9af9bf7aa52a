"""Widgets whose values are kept in the link.

Each widget gets its value twice: through the session and as its default. A widget inside a popover
is created late, with its default; without the second value Streamlit would report that default as
the user's choice.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any, Literal, TypeVar

import streamlit as st

from metrics import RankscopeError
from metrics.rendering import text

from . import state
from .streamlit_internals import Container

T = TypeVar("T")
N = TypeVar("N", int, float)

LARGEST = 1_000_000

Tabs = Mapping[str, Callable[..., None]]
"""The function that draws each tab, by the tab's title, which is also its name in links."""


def settled(
    key: str,
    default: T,
    read: Callable[[str], T],
    draw: Callable[[], T],
    part: str,
    fits: Callable[[T], bool] = lambda _: True,
    drawn: bool = True,
    within: Callable[[T], Container] | None = None,
) -> T:
    """Draw a widget unless a lesson hides it, keep its value in the link, and return the value.

    ``fits`` returns whether a value can still be chosen; an earlier choice may be gone. ``drawn``:
    False for a widget in a part of the page that is closed. ``within``: what opens for a
    value, as a part of a sentence, and has the widget in it.
    """
    state.recall(key, read)
    if state.value(key) is not None and not fits(state.value(key)):
        state.forget(key)
    if not drawn or part in state.hidden():
        known = state.value(key)
        value: T = default if known is None else known
    else:
        if state.value(key) is None:
            # With only a default, the browser would keep the value that the widget showed before.
            state.put({key: default})
        with within(state.value(key)) if within else nullcontext():
            value = draw()
    state.keep(key, value, default)
    return value


@contextmanager
def refusals_shown() -> Iterator[None]:
    """Show what the core refuses in the place of what it is asked for; the page goes on."""
    try:
        yield
    except RankscopeError as error:
        st.info(text.code(str(error)))


def words(said: str, part: str = "") -> None:
    """Write the words of a sentence before a setting, unless a lesson hides its part."""
    if said and part not in state.hidden():
        # Markdown removes a plain space; page.css hides a comma that begins a line.
        written = said.replace(",", "*,*", 1) if said.startswith(",") else f"&#32;{said}"
        st.markdown(written, width="content")


def phrase(label: str, said: str) -> Container:
    """Return the words of a sentence that open a setting; what is the user's in them is literal."""
    return st.popover(said, type="tertiary", width="content", help=label, key=f"setting {label}")


def _within(label: str, said: Callable[[Any], str] | None) -> Callable[[Any], Container] | None:
    return (lambda value: phrase(label, said(value))) if said else None


def number_field(
    label: str,
    key: str,
    limits: tuple[Any, Any],
    step: Any,
    tooltip: str | None,
    width: int | Literal["stretch"] = 130,
    written: str | None = None,
) -> Any:
    """Draw the field of a number of the type of its limits."""
    low, high = limits
    return st.number_input(
        label,
        min_value=low,
        max_value=high,
        value=state.value(key),
        step=step,
        format=written,
        key=key,
        width=width,
        help=tooltip,
    )


def number(
    label: str,
    key: str,
    default: N,
    limits: tuple[N, N],
    step: N,
    tooltip: str | None = None,
    part: str = "",
    width: int | Literal["stretch"] = 130,
    said: Callable[[N], str] | None = None,
    drawn: bool = True,
) -> N:
    """Choose a number within limits, kept in the link; a whole one if the step is.

    ``said``, ``drawn``: as in `option`.
    """
    kind = type(step)
    low, high = map(kind, limits)
    written = None if kind is int else "%g"
    draw = partial(number_field, label, key, (low, high), step, tooltip, width, written)
    read = partial(in_range, kind=kind, low=low, high=high)
    within = _within(label, said)
    return settled(key, default, read, draw, part, lambda known: known <= high, drawn, within)


def in_range(text: str, kind: type[N], low: N, high: N) -> N:
    """Return the number in a link's text.

    Raises RankscopeError when the text is not a number from ``low`` to ``high``.
    """
    try:
        number = kind(text)
    except ValueError:
        number = None
    if number is None or not low <= number <= high:
        whole = "whole " if kind is int else ""
        raise RankscopeError(f"Expected a {whole}number from {low:,.10g} to {high:,.10g}.")
    return number


def option(
    label: str,
    options: Mapping[str, str],
    key: str,
    default: str | None = None,
    on_change: Callable[[], None] | None = None,
    width: int | Literal["stretch"] = "stretch",
    part: str = "",
    flat: bool = False,
    typed: Collection[str] = (),
    drawn: bool = True,
    said: Callable[[str], str] | None = None,
    below: Callable[[], object] = lambda: None,
) -> str:
    """Choose one id by its text on screen; the id itself is kept in the link.

    ``part``: the part of the page that a lesson can hide. ``flat``: show all options side by side.
    ``typed``: ids that are not listed but can be typed. ``drawn``: as in `settled`.
    ``said``: the words for an option, the user's literal; they open the list. ``below``: draws
    what is below the list.
    """
    start = default if default is not None and default in options else next(iter(options))
    names = list(options)

    def fits(wanted: str) -> bool:
        known = wanted in options or wanted in typed
        if not known and typed:
            st.warning(
                f"{label} {text.code(wanted)} is not among the {len(typed):,} ids; type the exact "
                "id."
            )
        return known

    def draw() -> str:
        if flat:
            chosen = st.segmented_control(
                label,
                names,
                format_func=options.__getitem__,
                default=state.value(key),
                key=key,
                on_change=on_change,
                label_visibility="collapsed",
                required=True,
            )
            return str(chosen)
        listed = names if state.value(key) in options else [*names, state.value(key)]
        chosen = st.selectbox(
            label,
            listed,
            format_func=lambda name: options.get(name, name),
            index=listed.index(state.value(key)),
            key=key,
            on_change=on_change,
            accept_new_options=bool(typed),
            filter_mode="contains",
            width=width,
        )
        below()
        return str(chosen)

    return settled(
        key, start, state.among(options, typed), draw, part, fits, drawn, _within(label, said)
    )


def several(
    label: str,
    options: Mapping[str, str],
    key: str,
    default: Iterable[str] = (),
    most: int | None = None,
    why: str = "",
    **look: Any,
) -> list[str]:
    """Choose several ids by their texts; the ids, each of them once, are kept in the link.

    ``most``: at most this many. ``why``: the reason why a link with others is not followed.
    """

    def fits(wanted: list[str]) -> bool:
        return set(wanted) <= options.keys()

    def read(link: str) -> list[str]:
        found = state.parts(link)
        if not fits(found) or len(set(found)) < len(found) or len(found) > (most or len(found)):
            raise RankscopeError(why)
        return found

    def draw() -> list[str]:
        return st.multiselect(
            label,
            list(options),
            format_func=lambda name: options.get(name, name),
            default=state.value(key),
            key=key,
            max_selections=most,
            **look,
        )

    return settled(key, list(default), read, draw, "", fits)


def one_of(
    label: str,
    order: Sequence[str],
    texts: Mapping[str, str],
    key: str,
    part: str = "",
    default: str | None = None,
    **look: Any,
) -> str:
    """Choose one of many ids; a long list shows only its two ends, and other ids are typed.

    ``look``: ``drawn``, ``said`` and ``below`` as in `option`.
    """
    if len(order) <= LISTED:
        return option(label, with_texts(order, texts), key, default, part=part, **look)
    ends = [*order[: LISTED // 4], *order[-LISTED // 4 :]]
    listed, label = with_texts(ends, texts), f"{label} (type any id of {len(order):,})"
    return option(label, listed, key, default, part=part, typed=frozenset(order), **look)


LISTED = 400
"""At most this many ids are listed; a list with many more takes a second to open."""


def with_texts(ids: Iterable[str], texts: Mapping[str, str]) -> dict[str, str]:
    """Return the text of each id in a list of choices: the id, and the beginning of its text."""
    return {
        name: f"{name}: {text.beginning(texts[name])}" if texts.get(name) else name for name in ids
    }


MORE = "More"
"""The tab that opens those that are not in the row, and the key of the one that is open in it."""


def recall_tab(key: str, tabs: Tabs, row: Collection[str] = ()) -> str | None:
    """Read the open tab from the link, before unknown values in the link are reported; return it.

    ``row``: as in `draw_tabs`. None: the first one.
    """
    state.recall(key, state.among(tabs))
    if row and (opened := state.value(key)) in tabs.keys() - row:
        state.put({key: MORE, MORE: opened})
    shown: str | None = state.value(MORE if state.value(key) == MORE else key)
    return shown


def draw_tabs(key: str, tabs: Tabs, *arguments: Any, row: Collection[str] = ()) -> None:
    """Draw the tabs, and the content of the open one alone, with these arguments, or its refusal.

    ``row``: the tabs in the row, if the others are in its last one.
    """
    names = [*(row or tabs)]
    further = [name for name in tabs if name not in names]

    def more(*arguments: Any) -> None:
        if state.value(MORE) is None:
            state.put({MORE: further[0]})
        st.segmented_control(MORE, further, key=MORE, label_visibility="collapsed", required=True)
        tabs[state.value(MORE)](*arguments)

    shown = {name: tabs[name] for name in names} | ({MORE: more} if further else {})
    opened = st.tabs(list(shown), key=key, on_change="rerun")
    for tab, content in zip(opened, shown.values(), strict=True):
        if tab.open:
            with tab, refusals_shown():
                content(*arguments)
    name = state.value(key) or names[0]
    state.keep(key, state.value(MORE) if name == MORE else name, names[0])
