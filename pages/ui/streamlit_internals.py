"""What Streamlit does not document and the pages use; only this file imports from inside it."""

import re
from pathlib import Path
from sys import getsizeof

import streamlit as st
from streamlit import cli_util, file_util, runtime
from streamlit.delta_generator import DeltaGenerator as Container
from streamlit.runtime import Runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import ScriptRunContext, get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

__all__ = ["Container"]

UPLOAD = re.compile(r"/_stcore/upload_file/([^/]+)/([^/]+)$")
"""The path of an upload: its session and its file."""


def session() -> str:
    """Return the id of the session that runs this page; empty outside of one."""
    context: ScriptRunContext | None = get_script_run_ctx()
    return context.session_id if context else ""


def is_open(session: str) -> bool:
    """Whether a session's tab is open."""
    server: Runtime | None = runtime.get_instance() if runtime.exists() else None
    return server is not None and server.is_active_session(session)


def forget_uploads() -> None:
    """Drop the files of this session's upload fields, after they were read or the page was left.

    A browser does not report that it no longer shows a field, so the files would stay in memory
    and count towards the limit.
    """
    if context := get_script_run_ctx():
        context.uploaded_file_mgr.remove_session_files(context.session_id)


def forget_upload(session: str, file: str) -> None:
    """Drop one uploaded file of a session."""
    _uploads().remove_file(session, file)


def uploaded_bytes(session: str) -> int:
    """Return the bytes that Streamlit holds for a session's files now, with names and types."""
    files: list[UploadedFileRec] = list(_uploads().file_storage.get(session, {}).values())
    # A name can have thousands of characters, even if its file is empty.
    return sum(getsizeof(part) for each in files for part in (each.data, each.name, each.type))


def _uploads() -> MemoryUploadedFileManager:
    manager = runtime.get_instance().uploaded_file_mgr
    if not isinstance(manager, MemoryUploadedFileManager):
        raise TypeError("Streamlit does not hold uploads in memory, so they cannot be counted.")
    return manager


def begin_with_app() -> None:
    """Run ``app.py`` on a server's first request, too.

    Until it has run once, Streamlit takes a folder named ``pages`` for its own kind of pages, and
    runs the one that the address names alone. Then that draws nothing but leads to ``app.py``,
    which empties a page that was open before a restart, keys and all.
    """
    PagesManager.uses_pages_directory = False


def static() -> Path:
    """Return the folder of Streamlit's own page and its scripts."""
    return Path(file_util.get_static_dir())


def open_browser() -> None:
    """Open the app in the browser of this computer."""
    # Imported only here: where the app runs without a server, its parts may not be installed.
    from streamlit.web.server import server_util

    cli_util.open_browser(server_util.get_url(st.get_option("browser.serverAddress")))
