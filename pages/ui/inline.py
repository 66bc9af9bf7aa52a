"""Components whose script and style are files beside the module that draws them."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from metrics.colours import INK, A, B

from . import state, user_data
from .streamlit_internals import Container

_COLOURS = f":root, :host {{ --run-a: {A}; --run-b: {B}; --ink: {INK}; }}\n"
_DOM = Path(__file__).with_name("dom")
_SCRIPT, _STYLE = (_DOM.with_suffix(end).read_text("utf-8") for end in (".js", ".css"))


def component(name: str, module: str, isolate_styles: bool = True) -> Callable[..., Any]:
    """Return the function that draws a component.

    ``name``: also that of its script and of its style, if any. ``module``: the path of a module
    beside them, ``__file__``.
    ``isolate_styles``: whether the style is for the component alone, not for the whole page.
    """
    file = Path(module).with_name(f"{name}.js")
    style = file.with_suffix(".css")
    shared = f"{_COLOURS}{_STYLE if isolate_styles else ''}"
    css = shared + style.read_text("utf-8") if style.exists() else None
    js = _SCRIPT + file.read_text("utf-8")

    def draw(**arguments: Any) -> Any:
        # Registered with each draw: a server imports this module before it can register anything,
        # and only from Streamlit 1.66 on is that made up for.
        drawn = st.components.v2.component(name, css=css, js=js, isolate_styles=isolate_styles)
        return drawn(**arguments)

    return draw


@dataclass(frozen=True)
class Events:
    """The numbered events of a component, each applied once and in order.

    Attributes
    ----------
    key
        The component's key; its state has the list ``events``, the newest last.
    applied
        Returns the number of the last one that was applied, by session.
    do
        Applies one event, and keeps its number.
    """

    key: str
    applied: Callable[[], Mapping[str, int]]
    do: Callable[[Mapping[str, Any]], None]

    @property
    def data(self) -> dict[str, Any]:
        """What the component is drawn with: the page sends each event until it is applied."""
        return {"key": self.key, "session": user_data.tab(), "applied": self.applied()}

    def apply(self) -> None:
        """Apply the events that are new."""
        for event in self._sent():
            if event["n"] > self._last():
                self.do(event)

    def settle(self) -> None:
        """After the component is drawn: apply what a callback that was cut off has not."""
        last = max((event["n"] for event in self._sent()), default=0)
        if last > self._last():
            # The next request came while the last one's events were applied, and cut that off.
            self.apply()
            st.rerun()

    def _last(self) -> int:
        return self.applied().get(user_data.tab(), 0)

    def _sent(self) -> list[dict[str, Any]]:
        """Return the events that were sent to this session.

        A page that is older than it brings those of the session before; which of them that one has
        not applied, only the page knows, and sends these again.
        """
        sent = (state.value(self.key) or {}).get("events") or []
        return [event for event in sent if event.get("to") == user_data.tab()]


def room(key: str, rows: int) -> None:
    """Show pale rows until the component beside them is drawn; `page.css` knows their height."""
    with st.container(key=f"room_of_{key}"):
        st.text("\n".join(rows * ["\u200b"]))


@contextmanager
def replaceable(key: str) -> Iterator[Container]:
    """Draw a component in the block, and in the container that is yielded what can replace it.

    Python is not told that a browser could not load a component, so both are sent, and the page's
    style shows the replacement only where Streamlit reports an error in the component's place.
    """
    with st.container(key=f"replaceable_{key}"):
        instead = st.container(key=f"instead_of_{key}")
        yield instead
