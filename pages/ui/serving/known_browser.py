"""Give each browser a random word, by which its next session is known as its own."""

from __future__ import annotations

import secrets

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from metrics.limits import current

from .. import kept_tabs


class KnownBrowser:
    """ASGI middleware that sets the cookie with a page, unless reloads keep nothing.

    Scripts cannot read the cookie, no other site can have it sent, and it ends with the browser.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

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


def _is_page(message: Message) -> bool:
    return Headers(raw=message["headers"]).get("content-type", "").startswith("text/html")
