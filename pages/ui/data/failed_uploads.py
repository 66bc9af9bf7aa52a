"""What to do about an upload that failed, in words; Streamlit shows only a status code."""

from __future__ import annotations

from ..inline import component

_KEY = "failed_uploads"
_failed = component(_KEY, __file__)


def explained() -> None:
    """Show a sentence for each file of the page that could not be uploaded, while it is listed.

    The browser makes the sentences, because without a connection nothing else can.
    """
    _failed(key=_KEY)
