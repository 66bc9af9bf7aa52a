"""What a session has uploaded: bounded while it arrives, and let go of once it was read."""

from __future__ import annotations

import re
from collections import Counter
from sys import getsizeof

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from metrics.limits import current
from metrics.words import count

_ADDRESS = re.compile(r"/_stcore/upload_file/([^/]+)/([^/]+)$")
_LENGTH = re.compile(rb"[0-9]{1,18}")
_refused: Counter[str] = Counter()
"""How many uploads of each session were refused since that was told last."""


def let_go() -> None:
    """Drop the files of this session's fields, once they were read or their page was left.

    A browser that no longer shows a field does not say so: its files would stay, and count.
    """
    if context := get_script_run_ctx():
        context.uploaded_file_mgr.remove_session_files(context.session_id)


def refused() -> list[str]:
    """What to say, once, of files for which there was no room: their fields may be gone by now."""
    context = get_script_run_ctx()
    if not context or not (times := _refused.pop(context.session_id, 0)):
        return []
    return [
        f"{count(times, 'file was', 'files were')} not taken: all files together may have "
        f"{current().session:,} bytes (limit session). Give fewer at once, or cut rankings at a "
        "smaller depth."
    ]


def _held(session: str) -> int:
    """The bytes of the files that Streamlit holds for a session now, with what names them."""
    files = _files().file_storage.get(session, {})
    # Names are up to thousands of characters, also of files that are empty.
    return sum(
        getsizeof(part)
        for each in list(files.values())
        for part in (each.data, each.name, each.type)
    )


def _is_active(session: str) -> bool:
    return runtime.get_instance().is_active_session(session)


def _files() -> MemoryUploadedFileManager:
    manager = runtime.get_instance().uploaded_file_mgr
    if not isinstance(manager, MemoryUploadedFileManager):
        raise TypeError("Streamlit holds uploads elsewhere than in memory.")
    return manager


class BoundedUploads:
    """ASGI middleware that takes no more of a session's uploads than the limit ``session``.

    Streamlit knows what it holds, and forgets it with the session; what is still arriving is
    counted here, so that many uploads at once are bounded too.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._arriving: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer through the app; the body of an upload that is too large breaks off with 413."""
        put = scope["type"] == "http" and scope["method"] == "PUT"
        if not put or not (address := _ADDRESS.search(scope["path"])):
            await self.app(scope, receive, send)
            return
        session, file = address.groups()
        counted = came = 0

        def add_up_to(size: int) -> None:
            nonlocal counted
            self._add(session, more := max(size - counted, 0))
            counted += more

        async def counting() -> Message:
            nonlocal came
            # Its length is asked for when Streamlit has found that it may come, and not believed.
            add_up_to(_length(scope))
            message = await receive()
            came += len(message.get("body", b""))
            add_up_to(came)
            return message

        try:
            await self.app(scope, counting, send)
        finally:
            self._arriving[session] -= counted
            if not self._arriving[session]:
                del self._arriving[session]
            if counted and not _is_active(session):
                # Nothing else would ever drop what came after the session's end.
                _files().remove_file(session, file)

    def _add(self, session: str, size: int) -> None:
        """Count bytes that arrive, or refuse them."""
        would, most = _held(session) + self._arriving[session] + size, current().session
        if would > most:
            # A session that ended cannot be told any more.
            for ended in [each for each in list(_refused) if not _is_active(each)]:
                del _refused[ended]
            _refused[session] += 1
            raise HTTPException(
                413,
                f"The uploads of this session would have {would:,} bytes; a session holds at most "
                f"{most:,} (limit session). Remove files, or cut rankings at a smaller depth.",
            )
        self._arriving[session] += size


def _length(scope: Scope) -> int:
    """The length that a request says it has; 0 when it says none."""
    said = dict(scope["headers"]).get(b"content-length", b"")
    return int(said) if _LENGTH.fullmatch(said) else 0
