"""The part of every page that runs in the browser: its top, and the steps of Back and Forward."""

from urllib.parse import parse_qs

from metrics.limits import current

from . import state, streamlit_internals
from .inline import component

_KEY = "browser"
_RENEWED = "The connection was away for too long, so the server began a new session. {}"
_KEPT = (
    "Your data and edits are here again, with the edits made since. The last choice in a list or a "
    "field may be missing: check it, and make it again if it is."
)
_LACKING = "A part of this page did not arrive. Load the page again{}."
_STAYS, _GOES = (
    ": your data and edits stay",
    "; what you loaded and edited goes with it, so save the session first",
)
_PARTS = {
    "presets": "picked_presets",
    "choices": "picked_choices",
    state.DOCUMENT: "two_lists",
    state.PICKED: "",
    state.TAB: "looks",
}
"""The part for which a link with a parameter is opened; the first that it has counts."""
_GONE = "What you loaded and edited before is gone: load it again."
_browser = component(_KEY, __file__, isolate_styles=False)


def follow() -> None:
    """Open a page at its top, make each choice one step of Back, and take the steps.

    A page that was without a connection for too long says that its session is a new one, and one
    whose parts did not all arrive says that, too.
    """
    keeps = current().reload
    data = {
        "visit": state.visit(),
        "sought": _sought(),
        "session": streamlit_internals.session(),
        "renewed": _RENEWED.format(_KEPT if keeps else _GONE),
        "lacking": _LACKING.format(_STAYS if keeps else _GOES),
    }
    _browser(key=_KEY, data=data, on_address_change=_step)


def _sought() -> str:
    """Return the key of the part for which the page is opened; empty for its top."""
    if state.value(state.SOUGHT) == state.visit():
        return "sought"
    # With a query in the link, that is what is meant.
    parts = (part for key, part in _PARTS.items() if state.in_address(key))
    return next(parts, "") if state.arrived() else ""


def _step() -> None:
    """Set the page's widgets from the address that Back or Forward has shown."""
    search = state.value(_KEY)["address"].removeprefix("?")
    state.follow(parse_qs(search, keep_blank_values=True))
