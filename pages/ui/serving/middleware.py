"""Middleware: the app's own address alone, a browser that is known again, uploads up to a limit."""

import errno
import logging
import re
import secrets
from collections import Counter
from dataclasses import dataclass
from fnmatch import fnmatchcase
from tempfile import gettempdir

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from metrics.limits import current

from .. import kept_tabs
from ..data import upload_limit
from ..shell import STYLE, STYLED
from ..streamlit_internals import UPLOAD, forget_upload, is_open, uploaded_bytes

LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""The names of this computer for itself."""
_HOST = re.compile(r"([^][:@/?#\s]+?|\[[0-9a-f:.]+\])\.?(:[0-9]+)?")
_ORIGINS = "server.corsAllowedOrigins"


@dataclass
class Middleware:
    """A part of the server in front of the app: what it lets pass goes on to ``app``."""

    app: ASGIApp


class OwnAddress(Middleware):
    """ASGI middleware that answers 403 to other hosts and origins, over HTTP and websockets.

    A site can have its name lead to 127.0.0.1 (DNS rebinding). Then the browser lets its page read
    the app, but still sends the site's name as Host. Streamlit accepts every Host unless
    ``server.allowedHosts`` has names, checks websockets alone, and lets a page of any local port
    connect.
    """

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


ALIASES = {
    "inspect": "inspect_query?",
    "compare": "compare_runs?",
    "agreement": "judge?judging=Two+judges&",
    "two-judges": "judge?judging=Two+judges&",
}
"""Other addresses of pages, and those to which they lead, with parameters."""


class Aliases(Middleware):
    """ASGI middleware that redirects the other addresses of pages; their parameters stay."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond through the app, or say which address to ask for."""
        respond = self.app
        # The server may be below a path of its own, which a relative address keeps.
        if scope["type"] == "http" and (to := ALIASES.get(scope["path"].rpartition("/")[2])):
            respond = RedirectResponse((to + scope["query_string"].decode("latin-1")).rstrip("?&"))
        await respond(scope, receive, send)


_FULL = {errno.ENOSPC, errno.EDQUOT}
_LOG = logging.getLogger(__name__)
_LENGTH = re.compile(rb"[0-9]{1,18}")


class BoundedUploads(Middleware):
    """ASGI middleware that refuses a session's uploads above the limit ``session``.

    Streamlit counts the files it holds and drops them with the session. Bytes that are still
    arriving are counted here, so that many uploads at once are limited too.
    """

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(app)
        self._arriving: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond through the app; 413 if an upload is too large, 507 if the disk is full."""
        put = scope["type"] == "http" and scope["method"] == "PUT"
        if not put or not (address := UPLOAD.search(scope["path"])):
            await self.app(scope, receive, send)
            return
        session, file = address.groups()
        counted = received = 0

        def add_up_to(size: int) -> None:
            nonlocal counted
            self._add(session, more := max(size - counted, 0))
            counted += more

        async def counting() -> Message:
            nonlocal received
            # The announced length is counted only after Streamlit has accepted the request; the
            # bytes are counted too, because the announcement may be wrong.
            add_up_to(_length(scope))
            message = await receive()
            received += len(message.get("body", b""))
            add_up_to(received)
            return message

        try:
            await self.app(scope, counting, send)
        except OSError as error:
            # While a file arrives, Streamlit's server keeps it in the temporary folder.
            if error.errno not in _FULL:
                raise
            _LOG.exception("No room for an upload in the temporary folder %s.", gettempdir())
            full = PlainTextResponse("The server has no room left for uploads.", 507)
            await full(scope, receive, send)
        finally:
            self._arriving[session] -= counted
            if not self._arriving[session]:
                del self._arriving[session]
            if counted and not is_open(session):
                # Nothing else would drop a file that arrived after the session's end.
                forget_upload(session, file)

    def _add(self, session: str, size: int) -> None:
        """Count arriving bytes, or refuse them."""
        would, most = uploaded_bytes(session) + self._arriving[session] + size, current().session
        if would > most:
            # A session that has ended never reads its count.
            for ended in [each for each in list(upload_limit.refusals) if not is_open(each)]:
                del upload_limit.refusals[ended]
            upload_limit.refusals[session] += 1
            raise HTTPException(
                413,
                f"The uploads of this session would have {would:,} bytes; at most {most:,} are "
                "allowed (limit session). Remove files, or cut rankings at a smaller depth.",
            )
        self._arriving[session] += size


def _length(scope: Scope) -> int:
    """Return the length that a request announces; 0 if it announces none."""
    length = dict(scope["headers"]).get(b"content-length", b"")
    return int(length) if _LENGTH.fullmatch(length) else 0


class KnownBrowser(Middleware):
    """ASGI middleware that sets the cookie with a page, unless reloads keep nothing.

    Scripts cannot read the cookie, no other site can have it sent, and it ends with the browser.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond through the app; only a page that a browser shows sets the cookie."""
        if (
            scope["type"] != "http"
            or not current().reload
            or kept_tabs.COOKIE in Request(scope).cookies
        ):
            await self.app(scope, receive, send)
            return

        async def known(message: Message) -> None:
            if message["type"] == "http.response.start" and _is_page(message):
                secure = "; Secure" if scope.get("scheme") == "https" else ""
                MutableHeaders(scope=message).append(
                    "Set-Cookie",
                    f"{kept_tabs.COOKIE}={secrets.token_urlsafe(32)}; Path=/; HttpOnly; "
                    f"SameSite=Lax{secure}",
                )
            await send(message)

        await self.app(scope, receive, known)


class Styled(Middleware):
    """ASGI middleware that ends Streamlit's own page with the app's style.

    From the app's script it comes after the first elements, which would then move.
    """

    def __init__(self, app: ASGIApp) -> None:
        """Tell the app's script that it need not send the style."""
        super().__init__(app)
        STYLED.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond through the app; what a browser shows as a page is not compressed."""
        is_page = scope["type"] == "http" and "text/html" in Headers(scope=scope).get("accept", "")
        if not is_page:
            await self.app(scope, receive, send)
            return

        async def styled(message: Message) -> None:
            nonlocal is_page
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                is_page = _is_page(message) and "content-length" in headers
                if is_page:
                    headers["content-length"] = str(int(headers["content-length"]) + len(_STYLE))
                    # They are those of the file, which a new style does not change.
                    del headers["etag"], headers["last-modified"]
            elif is_page and not message.get("more_body"):
                message = {**message, "body": message["body"] + _STYLE}
            await send(message)

        plain = [each for each in scope["headers"] if each[0] != b"accept-encoding"]
        await self.app({**scope, "headers": plain}, receive, styled)


_STYLE = f"<style>{STYLE.read_text('utf-8')}</style>".encode()


def _is_page(message: Message) -> bool:
    return Headers(raw=message["headers"]).get("content-type", "").startswith("text/html")
