"""Components whose script and style are files beside the module that draws them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


def component(name: str, module: str, isolate_styles: bool = True) -> Callable[..., Any]:
    """Return the function that draws a component.

    ``module``: the path of a module, ``__file__``; its script and its style, if any, have the same
    name.
    ``isolate_styles``: whether the style is for the component alone, not for the whole page.
    """
    file = Path(module)
    style = file.with_suffix(".css")
    css = style.read_text("utf-8") if style.exists() else None
    js = file.with_suffix(".js").read_text("utf-8")

    def draw(**arguments: Any) -> Any:
        # Registered with each draw: a server imports this module before it can register anything,
        # and only from Streamlit 1.66 on is that made up for.
        drawn = st.components.v2.component(name, css=css, js=js, isolate_styles=isolate_styles)
        return drawn(**arguments)

    return draw


_REPLACEABLE = Path(__file__).with_name("replaceable.css")


@contextmanager
def replaceable(key: str) -> Iterator[DeltaGenerator]:
    """Draw a component in the block, and in the container that is yielded what can replace it.

    Python is not told that a browser could not load a component, so both are sent, and a style
    shows the replacement only where Streamlit reports an error in the component's place.
    """
    # A style sheet of the page: one of a component would be missing together with it.
    st.html(_REPLACEABLE)
    with st.container(key=f"replaceable_{key}"):
        instead = st.container(key=f"instead_of_{key}")
        yield instead
