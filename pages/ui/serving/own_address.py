"""Refuse requests that name another host than the app's, or that another site's page sends."""

from __future__ import annotations

from fnmatch import fnmatchcase
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""The names of this computer for itself."""


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
    if st.get_option("server.address") in LOOPBACK:
        allowed = [*allowed, *LOOPBACK]
    name = _name(host)
    if allowed and not any(fnmatchcase(name, each.strip().lower()) for each in allowed):
        return (
            f"The request names the host {host[:80]!r}; expected one of {', '.join(allowed)}. "
            "If the app has this name, start it with --server.allowedHosts=NAME."
        )
    origin = headers.get("origin")
    if origin is None or origin in st.get_option("server.corsAllowedOrigins"):
        return None
    if (netloc := origin.lower().partition("://")[2]) and netloc == host:
        return None
    return (
        f"A page of {origin[:80]!r} sent the request; expected the host {host[:80]!r} with its "
        "port. A proxy must pass on Host unchanged; --server.corsAllowedOrigins=ORIGIN allows "
        "pages of another origin."
    )


def _name(host: str) -> str:
    """Return the name in a Host header, without its port; empty if there is none."""
    try:
        parts = urlsplit(f"//{host}")
        return ((parts.netloc == host and "@" not in host and parts.hostname) or "").rstrip(".")
    except ValueError:
        return ""
