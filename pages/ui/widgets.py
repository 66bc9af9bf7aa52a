"""Widgets whose values stand in the address.

Such a widget gets its value twice, from the session and as its default: in the browser one that is
shown late, as in a popover, begins at its default, and the next run would take that for a choice.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Literal, TypeVar

import streamlit as st

from metrics import RankscopeError

from . import state
from .render import text

T = TypeVar("T")

LARGEST = 1_000_000


def settled(
    key: str,
    default: T,
    read: Callable[[str], T],
    draw: Callable[[], T],
    part: str,
    fits: Callable[[T], bool] = lambda _: True,
) -> T:
    """The value of a widget that stands in the address; drawn unless a lesson hides it.

    ``fits``: whether a value can be chosen still, since what was chosen before may be gone.
    """
    state.recall(key, read)
    if state.value(key) is not None and not fits(state.value(key)):
        state.forget(key)
    if part in state.hidden():
        known = state.value(key)
        value: T = default if known is None else known
    else:
        if state.value(key) is None:
            # A default alone would leave in the browser what the widget showed before.
            state.put({key: default})
        value = draw()
    state.keep(key, value, default)
    return value


def whole_number(
    label: str,
    key: str,
    default: int,
    low: int,
    said: str | None = None,
    part: str = "",
    most: int = LARGEST,
) -> int:
    """Choose a whole number; it stands in the address."""

    def draw() -> int:
        return int(
            st.number_input(
                label,
                min_value=low,
                max_value=most,
                value=state.value(key),
                step=1,
                key=key,
                width=130,
                help=said,
            )
        )

    def read(text: str) -> int:
        return int(in_range(text, int, low, most))

    return settled(key, default, read, draw, part, lambda known: known <= most)


def real_number(
    label: str,
    key: str,
    default: float,
    limits: tuple[float, float],
    step: float,
    said: str | None = None,
    part: str = "",
    width: int | Literal["stretch"] = "stretch",
) -> float:
    """Choose a number within limits; it stands in the address."""
    low, high = map(float, limits)

    def draw() -> float:
        return float(
            st.number_input(
                label,
                min_value=low,
                max_value=high,
                value=state.value(key),
                step=step,
                format="%g",
                key=key,
                width=width,
                help=said,
            )
        )

    read = partial(in_range, kind=float, low=low, high=high)
    return settled(key, default, read, draw, part)


def in_range(text: str, kind: type[int] | type[float], low: float, high: float) -> float:
    """The number that a link's text stands for.

    Raises
    ------
    RankscopeError
        When it is none between these, which the message names.
    """
    try:
        number = kind(text)
    except ValueError:
        number = math.nan
    if not low <= number <= high:
        whole = "whole " if kind is int else ""
        raise RankscopeError(f"It is a {whole}number from {low:,.10g} to {high:,.10g}.")
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
) -> str:
    """Choose one id by what stands for it on screen; the id itself goes into the address.

    ``part``: the part of the page that a lesson may hide. ``flat``: all options beside each other.
    ``typed``: ids that are not listed, but may be typed.
    """
    start = default if default is not None and default in options else next(iter(options))
    names = list(options)

    def fits(asked: str) -> bool:
        here = asked in options or asked in typed
        if not here and typed:
            st.warning(f"{label} {text.code(asked)} is not among {len(typed):,}; ids are exact.")
        return here

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
            width=width,
        )
        return str(chosen)

    return settled(key, start, state.among(options, typed), draw, part, fits)


def one_of(
    label: str, order: Sequence[str], texts: Mapping[str, str], key: str, part: str = ""
) -> str:
    """Choose one of many ids; of very many both ends are listed, and any other is typed."""
    if len(order) <= LISTED:
        return option(label, with_texts(order, texts), key, part=part)
    ends = [*order[: LISTED // 4], *order[-LISTED // 4 :]]
    listed, label = with_texts(ends, texts), f"{label} (type any id of {len(order):,})"
    return option(label, listed, key, part=part, typed=frozenset(order))


LISTED = 400
"""A list with many more names takes a second to open."""


def with_texts(ids: Iterable[str], texts: Mapping[str, str]) -> dict[str, str]:
    """What stands for each id in a list of choices: the id, and its text where there is one."""
    return {name: f"{name}: {texts[name]}" if texts.get(name) else name for name in ids}
