"""Numbers that stand in the address, and how any widget does.

Such a widget gets its value twice, from the session and as its default: in the browser one that is
shown late, as in a popover, begins at its default, and the next run would take that for a choice.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Literal, TypeVar

import streamlit as st

from metrics import RankscopeError

from . import state

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
