"""Limit a session's uploads while they arrive."""

from __future__ import annotations

import errno
import logging
import re
from collections import Counter
from tempfile import gettempdir

from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from metrics.limits import current

from ..data import upload_limit
from ..streamlit_internals import UPLOAD, forget_upload, is_open, uploaded_bytes

_FULL = {errno.ENOSPC, errno.EDQUOT}
_LOG = logging.getLogger(__name__)
_LENGTH = re.compile(rb"[0-9]{1,18}")


class BoundedUploads:
    """ASGI middleware that refuses a session's uploads above the limit ``session``.

    Streamlit counts the files it holds and drops them with the session. Bytes that are still
    arriving are counted here, so that many uploads at once are limited too.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
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
