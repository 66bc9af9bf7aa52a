"""A session's uploads are limited as they arrive, counting files held and bytes arriving."""

import asyncio
import errno
import os
from collections import Counter
from types import SimpleNamespace

import pytest
from starlette import formparsers
from starlette.applications import Starlette
from starlette.middleware import Middleware
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.web.server.starlette import starlette_routes

from pages.ui import streamlit_internals
from pages.ui.data import upload_limit
from pages.ui.serving.middleware import BoundedUploads
from tests.pages.test_server import run

MOST = 10_000
FRAME = b'--x\r\nContent-Disposition: form-data; name="f"; filename="%s"\r\n\r\n%s\r\n--x--\r\n'


class Server:
    """Streamlit's upload routes behind the limit."""

    def __init__(self, monkeypatch):
        self.files = MemoryUploadedFileManager("/_stcore/upload_file")
        self.active = {"one", "two"}
        here = SimpleNamespace(
            uploaded_file_mgr=self.files, is_active_session=lambda each: each in self.active
        )
        monkeypatch.setattr(runtime, "exists", lambda: True)
        monkeypatch.setattr(runtime, "get_instance", lambda: here)
        monkeypatch.setattr(starlette_routes, "is_xsrf_enabled", lambda: False)
        monkeypatch.setattr(upload_limit, "refusals", Counter())
        routes = starlette_routes.create_upload_routes(here, self.files, None)
        self.app = Starlette(routes=routes, middleware=[Middleware(BoundedUploads)])

    async def put(self, session, file, size, **how):
        """Send a file of this many bytes; return the response's status and text."""
        return await self.ask("PUT", session, file, FRAME % (b"a.txt", b"a" * size), **how)

    async def ask(self, method, session, file, body=b"", said=None, step=1000, between=None):
        """``said``: the header's length, empty for none; ``between``: called after each part."""
        sent, at = [], 0

        async def receive():
            nonlocal at
            part, at = body[at : at + step], at + step
            if at > step:
                await asyncio.sleep(0)
                if between:
                    between()
            return {"type": "http.request", "body": part, "more_body": at < len(body)}

        async def send(message):
            sent.append(message)

        length = b"%d" % len(body) if said is None else said
        headers = [(b"content-type", b"multipart/form-data; boundary=x")]
        headers += [(b"content-length", length)] if length else []
        path = f"/_stcore/upload_file/{session}/{file}"
        scope = {"type": "http", "method": method, "path": path, "headers": headers}
        await self.app({**scope, "query_string": b"", "root_path": ""}, receive, send)
        return sent[0]["status"], sent[-1].get("body", b"").decode()


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("RANKSCOPE_LIMITS", f"session={MOST}")
    return Server(monkeypatch)


def statuses(*answers):
    return [status for status, _ in answers]


@pytest.mark.parametrize("said", [None, b"", b"1", b"-5"])
def test_uploads_above_the_limit_are_refused_with_a_sentence(server, said):
    async def several():
        return [await server.put("one", each, 4000, said=said) for each in "abc"]

    answers = run(several())
    assert statuses(*answers) == [204, 204, 413]
    assert f"at most {MOST:,} are allowed (limit session)" in answers[2][1]
    assert "one" not in answers[2][1]
    assert set(server.files.file_storage["one"]) == {"a", "b"}
    assert statuses(run(server.put("two", "c", 4000))) == [204]


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_temporary_folder_is_reported_and_earlier_uploads_stay(
    server, monkeypatch, caplog, error
):
    def full(*_):
        raise OSError(error, os.strerror(error))

    answers = [run(server.put("one", "a", 4000))]
    monkeypatch.setattr(formparsers.SpooledTemporaryFile, "write", full)
    answers.append(run(server.put("one", "b", 4000)))
    assert statuses(*answers) == [204, 507]
    assert answers[1][1] == "The server has no room left for uploads."
    assert set(server.files.file_storage["one"]) == {"a"}
    assert "No room for an upload in the temporary folder" in caplog.text


def test_another_failure_of_an_upload_is_not_taken_for_a_full_folder(server, monkeypatch):
    def broken(*_):
        raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(formparsers.SpooledTemporaryFile, "write", broken)
    with pytest.raises(OSError, match="broken"):
        run(server.put("one", "a", 4000))


def test_uploads_at_once_are_counted_together(server):
    async def several():
        return await asyncio.gather(*(server.put("one", f"f{n}", 3000) for n in range(20)))

    assert sorted(statuses(*run(several()))) == [204] * 3 + [413] * 17
    assert len(server.files.file_storage["one"]) == 3


def test_an_upload_without_a_length_is_counted_as_it_arrives(server):
    async def several():
        sent = (server.put("one", f"f{n}", 9000, said=b"", step=500) for n in range(3))
        return await asyncio.gather(*sent)

    assert statuses(*run(several())).count(204) <= 1


def test_space_is_freed_after_a_removal_a_replacement_and_the_end(server):
    async def story():
        yield await server.put("one", "a", 4000)
        yield await server.put("one", "a", 4000)
        yield await server.put("one", "b", 4000)
        yield await server.put("one", "c", 4000)
        yield await server.ask("DELETE", "one", "b")
        yield await server.put("one", "c", 4000)
        server.files.remove_session_files("one")
        yield await server.put("one", "d", 9000)

    async def told():
        return [answer async for answer in story()]

    assert statuses(*run(told())) == [204, 204, 204, 413, 204, 204, 204]


def test_a_long_name_is_counted_like_content(server):
    body = FRAME % (b"n" * 3000, b"")
    answers = [run(server.ask("PUT", "one", each, body)) for each in "abcd"]
    assert statuses(*answers) == [204, 204, 204, 413]


def test_an_interrupted_request_leaves_nothing_counted(server):
    def gone():
        raise ConnectionError

    with pytest.raises(ConnectionError):
        run(server.put("one", "a", 9000, between=gone))
    assert statuses(run(server.put("nobody", "a", 9000))) == [400]
    assert statuses(run(server.put("one", "a", 9000))) == [204]
    assert not upload_limit.refusals


def test_a_file_that_arrives_after_the_end_of_its_session_is_not_held(server):
    run(server.put("one", "a", 4000, between=server.active.clear))
    assert not server.files.file_storage["one"]


def test_a_refused_upload_is_reported_once(server, monkeypatch):
    context = SimpleNamespace(session_id="one")
    monkeypatch.setattr(streamlit_internals, "get_script_run_ctx", lambda: context)
    assert upload_limit.refused() == []
    for session in ("two", "one", "one"):
        run(server.put(session, "a", 2 * MOST))
    message = "2 files were not accepted: all uploads together may have at most 10,000"
    assert message in upload_limit.refused()[0]
    assert upload_limit.refused() == []
    server.active.remove("two")
    run(server.put("one", "a", 2 * MOST))
    assert dict(upload_limit.refusals) == {"one": 1}
