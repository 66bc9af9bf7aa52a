"""Refuse requests that name another host than the app's, or that another site's page sends."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""The names of this computer for itself."""
_HOST = re.compile(r"([^][:@/?#\s]+?|\[[0-9a-f:.]+\])\.?(:[0-9]+)?")
_ORIGINS = "server.corsAllowedOrigins"


class OwnAddress:
    """ASGI middleware that answers 403 to other hosts and origins, over HTTP and websockets.

    A site can have its name lead to 127.0.0.1 (DNS rebinding). Then the browser lets its page read
    the app, but still sends the site's name as Host. Streamlit accepts every Host unless
    ``server.allowedHosts`` has names, checks websockets alone, and lets a page of any local port
    connect.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond through the app, or refuse and say which option allows the request."""
        why = None if scope["type"] == "lifespan" else _refused(Headers(scope=scope))
        await (PlainTextResponse(why, 403) if why else self.app)(scope, receive, send)


def _refused(headers: Headers) -> str | None:
    """Return why a request is refused; None if it is not."""
    host = headers.get("host", "").lower()
    allowed: list[str] = st.get_option("server.allowedHosts")
    if allowed or st.get_option("server.address") in LOOPBACK:
        # No other site has these names; health checks use them.
        allowed = [*allowed, *LOOPBACK]
    name = parts[1].strip("[]") if (parts := _HOST.fullmatch(host)) else ""
    if allowed and not any(fnmatchcase(name, each.strip().lower()) for each in allowed):
        return (
            f"The request names the host {host[:80]!r}; expected one of {', '.join(allowed)}. "
            "If the app has this name, start it with --server.allowedHosts=NAME."
        )
    origin = headers.get("origin", f"//{host}")
    if origin.lower().partition("//")[2] == host or origin in st.get_option(_ORIGINS):
        return None
    return (
        f"A page of {origin[:80]!r} sent the request; expected the host {host[:80]!r} with its "
        f"port. A proxy must pass on Host unchanged; --{_ORIGINS}=ORIGIN allows other pages."
    )
