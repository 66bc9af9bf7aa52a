"""A link as text, with a button that copies it."""

from __future__ import annotations

from ..inline import component

_link = component("copy_link", __file__)


def copy_link(label: str, link: str, key: str, primary: bool = False) -> None:
    """Show a button with this label, and the link that it copies beside it."""
    _link(key=f"copy_{key}", data={"label": label, "link": link, "primary": primary})
