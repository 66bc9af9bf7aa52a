"""The part of every page that runs in the browser: its top, and the steps of Back and Forward."""

from __future__ import annotations

from urllib.parse import parse_qs

from . import state
from .inline import component

_KEY = "browser"
_browser = component(_KEY, __file__, isolate_styles=False)


def follow() -> None:
    """Open a page at its top, make each choice one step of Back, and take the steps."""
    _browser(key=_KEY, data={"visit": state.visit()}, on_address_change=_step)


def _step() -> None:
    """Set the page's widgets from the address that Back or Forward has shown."""
    search = state.value(_KEY)["address"].removeprefix("?")
    state.follow(parse_qs(search, keep_blank_values=True))
