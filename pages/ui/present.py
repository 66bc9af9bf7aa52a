"""One part of a page at a time, in large text, for a projector."""

from collections.abc import Callable, Collection, Mapping

import streamlit as st

from . import state
from .inline import component
from .streamlit_internals import Container

Panels = Mapping[str, tuple[str, Callable[[], None]]]
"""The title of each panel and the function that draws it, by the panel's name in links."""

COVERED = "covered"
"""The key of a container with widgets that set the page, which are not in the way meanwhile."""

_KEY = "present"
_keys = component(_KEY, __file__, isolate_styles=False)


def receive(known: Collection[str]) -> None:
    """Report a panel in the address that this page does not have, and show the page."""
    if state.presented() not in {"", *known}:
        state.set_unknown(state.PRESENT, state.presented())
        state.present("")


def button(first: str) -> None:
    """Show a button that presents the page, from this panel on."""
    st.button("Present", on_click=state.present, args=(first,))


def present(panels: Panels, bar: Container, counted: str) -> None:
    """Show one panel, and buttons below it; the arrow keys go on and back, and Escape leaves.

    A panel that is not there, because a lesson hides it, leaves its place to the first.
    ``counted``: the convention of its numbers, in words.
    """
    names = list(panels)
    name = state.presented() if state.presented() in panels else names[0]
    at = names.index(name)

    def go(step: int) -> None:
        state.present(names[min(max(at + step, 0), len(names) - 1)] if step else "")

    title, draw = panels[name]
    # At the lower edge, see the style.
    with bar, st.container(key="steps_of_panels", horizontal=True, vertical_alignment="center"):
        st.button("Previous", disabled=at == 0, on_click=go, args=(-1,))
        st.button("Next", disabled=at == len(names) - 1, on_click=go, args=(1,))
        st.button("Leave", on_click=go, args=(0,))
        st.caption(f"{title}, {at + 1} of {len(names)} · {counted}", width="content")
        with st.container(key="keys", width="content"):
            st.caption("Keys: ← → and Esc.")
        _keys(key=_KEY, data={}, on_step_change=lambda: go(int(state.value(_KEY)["step"])))
    draw()
