"""The app at an address, without a browser: what a page shows, and the files that it saves."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock
from urllib.parse import parse_qsl

from google.protobuf.json_format import MessageToDict
from streamlit.elements.widgets.button import ButtonMixin
from streamlit.testing.v1 import AppTest

from tests.nets.kept import FOLDER as KEPT
from tests.pages.conftest import drop

ROOT = Path(__file__).parents[2]
FOLDERS = (KEPT, ROOT / "sample_data", ROOT / "tests" / "data" / "bad_inputs")
"""Where files are that an address names."""

# Today, and the ends of what a field of a date offers.
_DAYS = "|".join(f"{date.today().year + more}{date.today():-%m-%d}" for more in (-10, 0, 10))
_UNSTEADY = {
    # What Streamlit hashes into the id of an element, before its key.
    r"\$\$ID-[0-9a-f]{32}-": "",
    # When a text was made, and with what.
    rf"({_DAYS})(T[\d:]+Z)?": "TODAY",
    r"(Rankscope \S+, Python) [^<\"]*?(?=\.(<|\"))": r"\1 …",
}
"""Patterns of what is another text on another day, and what is written instead."""
_APART = {
    # The code of a component, a thing of the browser.
    *("jsContent", "cssContent", "htmlContent"),
    # The address of a file, and the word by which a list knows its session.
    *("url", "deferredFileId", "session"),
}
"""The fields that are left out."""
_IN_FIELDS = "json", "spec", "columns"
"""The fields that hold JSON as a text."""


class Shown(NamedTuple):
    """What a page shows, a line for each element, and the files that it saves, by their names."""

    lines: list[str]
    files: list[tuple[str, Any]]


def shown(address: str) -> Shown:
    """Take the steps of an address, joined by ``>``, and return what is shown after the last one.

    A step is the address of a page, ``page?parameters#part`` with the key of a part of it that is
    closed until it is asked for; names of files to drop on Data; or ``[label]``, a button to press.
    """
    saved: list[tuple[str, Any]] = []

    def button(place: Any, label: str, data: Any, file_name: str, **look: Any) -> bool:
        saved.append((f"{label}, {file_name}", data))
        return original(place, label, data, file_name, **look)

    original = ButtonMixin._download_button
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    with mock.patch.object(ButtonMixin, "_download_button", button):
        for step in address.split(" > "):
            saved.clear()
            _take(at, step)
    if at.exception:
        raise RuntimeError("The page has an error.")
    address_now = json.dumps(at.query_params, ensure_ascii=False, sort_keys=True)
    lines = [f"address {address_now}", *_tree(at._tree)]
    return Shown([steady(line) for line in lines], saved)


def _take(at: AppTest, step: str) -> None:
    if step.startswith("["):
        next(each for each in at.button if f"[{each.label}]" == step).click().run()
        return
    where, _, part = step.partition("#")
    page, _, parameters = where.partition("?")
    files = [_path(name) for name in page.split() if "." in name]
    at.query_params = dict(parse_qsl(parameters, keep_blank_values=True))
    if part:
        at.session_state[part] = True
    at.switch_page(f"pages/{'data' if files else page}.py").run()
    if files:
        drop(at, *((path.name, path.read_bytes()) for path in files))


def _path(name: str) -> Path:
    return next(folder / name for folder in FOLDERS if (folder / name).exists())


def steady(text: str) -> str:
    """Return a text without what differs between days and sessions."""
    for pattern, instead in _UNSTEADY.items():
        text = re.sub(pattern, instead, text)
    return text.replace(os.environ.get("RANKSCOPE_HISTORY") or "\0", "FOLDER")


def _tree(block: Any, depth: int = 0) -> Iterator[str]:
    """Yield a line for each element, below the one that holds it."""
    for each in block.children.values():
        fields = _plain(MessageToDict(each.proto)) if getattr(each, "proto", None) else {}
        if "arrowData" in fields:
            fields["arrowData"] = each.value.to_csv()
        if fields.get("body", "").startswith("<style>"):
            # The look of every page, which is no element of one.
            fields["body"] = "<style>"
        yield f"{' ' * depth}{each.type} {json.dumps(fields, ensure_ascii=False)}"
        if getattr(each, "children", None):
            yield from _tree(each, depth + 1)


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if not isinstance(value, dict):
        return value
    inner = {key: json.loads(value[key]) for key in _IN_FIELDS if isinstance(value.get(key), str)}
    return {key: _plain(each) for key, each in (value | inner).items() if key not in _APART}
