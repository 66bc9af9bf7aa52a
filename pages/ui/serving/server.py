"""Serve the app: security headers on every response, and the work before the first one."""

import asyncio
import base64
import ctypes
import gc
import hashlib
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from pkgutil import walk_packages

import pyarrow as pa
import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Message, Receive, Scope, Send

import metrics

from ... import ui
from .. import kept_tabs, streamlit_internals
from .middleware import Middleware


def _inline_scripts() -> str:
    """Return the hashes of the inline scripts in Streamlit's own page."""
    page = (streamlit_internals.static() / "index.html").read_text("utf-8")
    scripts = re.findall("<script>(.*?)</script>", page, re.DOTALL)
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts)
    return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)


POLICY = {
    "default-src": "'self'",
    # Streamlit loads the script of an inline component, such as the list to drag, from a blob: URL.
    "script-src": f"'self' blob: {_inline_scripts()}",
    # Streamlit, its tables and Plotly all use inline styles.
    "style-src": "'self' 'unsafe-inline'",
    # The logo and the icon are embedded in the page, a font for formulas in a style sheet.
    "img-src": "'self' data:",
    "font-src": "'self' data:",
    "connect-src": "'self'",
    "worker-src": "'none'",
    "frame-src": "'none'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
HEADERS = {
    "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in POLICY.items()),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class SecureHeaders(Middleware):
    """ASGI middleware that sets ``HEADERS`` on every HTTP response."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond through the app; websockets pass unchanged."""

        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self.app(scope, receive, secured)


def failed(_request: Request, _error: Exception) -> Response:
    """Return the response to a failed request; Starlette sends it outside of every middleware."""
    return PlainTextResponse("Internal Server Error", 500, HEADERS)


_OF_THE_COMMAND_LINE = "metrics.commands", "metrics.__main__"
SWITCH = 0.001
"""Seconds; with Python's 0.005 an edit's score is shown about a tenth later."""

EVERY = 20.0
"""Seconds between two looks at which tabs are open, and at what memory is free."""
_TRIM = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
"""Gives free memory back to the system, where C's library can."""


async def _sweep() -> None:
    """Drop what closed tabs held, once their time is over; this runs as long as the server."""
    with suppress(asyncio.CancelledError):
        while True:
            await asyncio.sleep(EVERY)
            kept_tabs.TABS.sweep()
            give_back()


def give_back() -> None:
    """Give memory back that large uploads took, of which each thread's allocator keeps some."""
    pa.default_memory_pool().release_unused()
    if _TRIM:
        _TRIM(0)


@asynccontextmanager
async def ready(_app: st.App) -> AsyncIterator[None]:
    """Import everything the pages need, and freeze it for the garbage collector.

    Streamlit collects garbage after every run of a page; without the freeze each collection walks
    through all of pandas, Plotly and SciPy. At this moment everything is imported and no user's
    data exist that would be frozen with it.
    """
    for package in (metrics, ui):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.startswith(_OF_THE_COMMAND_LINE):
                import_module(module.name)
    # While a page computes, the server's thread waits this long for its turn to send what is ready.
    sys.setswitchinterval(SWITCH)
    # The core imports this module only when it runs a significance test.
    import_module("scipy.stats")
    gc.collect()
    gc.freeze()
    streamlit_internals.begin_with_app()
    # `streamlit run` opens the browser only for scripts. The port is already listening here.
    if not st.get_option("server.headless"):
        streamlit_internals.open_browser()
    sweeping = asyncio.create_task(_sweep())
    yield
    sweeping.cancel()
