"""Components whose script and style are files beside the module that draws them."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer


def component(name: str, module: str, isolate_styles: bool = True) -> ComponentRenderer:
    """Return the function that draws a component.

    ``module``: the path of a module, ``__file__``; its script and its style, if any, have the same
    name.
    ``isolate_styles``: whether the style is for the component alone, not for the whole page.
    """
    file = Path(module)
    style = file.with_suffix(".css")
    return st.components.v2.component(
        name,
        css=style.read_text("utf-8") if style.exists() else None,
        js=file.with_suffix(".js").read_text("utf-8"),
        isolate_styles=isolate_styles,
    )
