"""What the app uses of Streamlit without a promise exists in the installed one, and none hides.

In Python all of it is in one file. Scripts and style sheets cannot import names, so they are
searched for what they select and replace, and Streamlit's own scripts for the same words.
"""

import ast
import importlib
import inspect
import re
from functools import cache
from pathlib import Path

import pytest
import streamlit as st

from pages.ui import streamlit_internals

ROOT = Path(__file__).parents[2]
HOME = Path(streamlit_internals.__file__)
PYTHON = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]
WEB = [path for kind in ("js", "css") for path in sorted((ROOT / "pages").rglob(f"*.{kind}"))]
DOCUMENTED = {"column_config", "components"}
"""The modules of `st` that its reference describes."""
OF_TUPLES = {"_asdict", "_replace"}
"""What Python documents although it begins with an underscore."""


@cache
def nodes(path):
    return list(ast.walk(ast.parse(path.read_text("utf-8"))))


def is_inside(node):
    """Whether a part of a program reaches what Streamlit does not document."""
    if isinstance(node, ast.ImportFrom):
        return not node.level and node.module.split(".")[0] == "streamlit"
    if isinstance(node, ast.Import):
        return any(each.name.startswith("streamlit.") for each in node.names)
    if not isinstance(node, ast.Attribute) or node.attr.startswith("__"):
        return False
    owner = ast.unparse(node.value)
    if owner == "st":
        is_module = inspect.ismodule(getattr(st, node.attr, None))
        return node.attr.startswith("_") or (is_module and node.attr not in DOCUMENTED)
    return node.attr.startswith("_") and owner not in {"self", "cls"} and node.attr not in OF_TUPLES


def test_only_one_file_reaches_inside_streamlit():
    inside = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}"
        for path in PYTHON
        for node in nodes(path)
        if path != HOME and is_inside(node)
    ]
    assert inside == []


def has(owner, name):
    """Whether a module or an instance of a class has a name."""
    if hasattr(owner, name) or owner is dict or not inspect.isclass(owner):
        return hasattr(owner, name)
    annotated = any(name in inspect.get_annotations(each) for each in owner.__mro__)
    return annotated or f"self.{name}:" in inspect.getsource(owner)


def test_the_installed_streamlit_has_every_name_of_that_file():
    known = {**vars(streamlit_internals)}
    for node in nodes(HOME):
        # Imports within functions, too: there a name that is gone would be found too late.
        if isinstance(node, ast.ImportFrom):
            module = importlib.import_module(node.module)
            known |= {each.asname or each.name: getattr(module, each.name) for each in node.names}
    classes = [each for each in known.values() if inspect.isclass(each)]
    assert len(classes) > 4
    gone = []
    for node in nodes(HOME):
        if isinstance(node, ast.Attribute):
            named = known.get(getattr(node.value, "id", None))
            owners = [*classes, dict] if named is None else [named]
            if not any(has(owner, node.attr) for owner in owners):
                gone.append(f"{HOME.name}:{node.lineno}: {ast.unparse(node)}")
    assert gone == []


def used(pattern):
    """Return what the scripts and style sheets of the pages have of a pattern, with its file."""
    matches = {}
    for path in WEB:
        code = re.sub(r"/\*.*?\*/|^\s*//.*?$", "", path.read_text("utf-8"), flags=re.S | re.M)
        matches |= dict.fromkeys(re.findall(pattern, code), path.relative_to(ROOT).as_posix())
    assert matches, pattern
    return matches


@pytest.fixture(scope="module")
def streamlit_has():
    """Return the function that tells whether a text is in Streamlit's own scripts."""
    scripts = (streamlit_internals.static() / "static" / "js").glob("*.js")
    return "\n".join(path.read_text("utf-8") for path in scripts).__contains__


def test_streamlit_s_page_has_every_element_that_ours_select(streamlit_has):
    gone = {
        name: file
        for name, file in used(r"\bst[A-Z]\w*").items()
        # The kind of an alert is put in behind the name.
        if not any(map(streamlit_has, (f"`{name}`", f'"{name}"', f"`{name[: -len('Error')]}${{")))
    }
    assert gone == {}


def test_streamlit_s_page_has_every_attribute_that_ours_select(streamlit_has):
    ours = used(r"\bdataset\.(\w+)")
    own = {re.sub("[A-Z]", lambda at: f"-{at[0].lower()}", name) for name in ours}
    gone = {
        name: file
        for name, file in used(r"\[data-([\w-]+)").items()
        if name not in own and not streamlit_has(f"data-{name}")
    }
    assert gone == {}


@pytest.mark.parametrize(
    ("pattern", "written"),
    [
        pytest.param(r"[^.\w](history\.\w+) = ", "window.{}(", id="replaced functions"),
        pytest.param(r"\.(_[a-z]\w+)", ".{}", id="private names of Plotly"),
        pytest.param(r"\.(js-plotly-\w+)", "{}", id="classes of Plotly"),
        pytest.param(r"\b(st-key-)", "{}", id="classes of keyed containers"),
    ],
)
def test_streamlit_s_scripts_have_what_ours_rely_on(pattern, written, streamlit_has):
    every = used(pattern).items()
    assert {name: file for name, file in every if not streamlit_has(written.format(name))} == {}


def test_the_globals_of_the_page_are_the_browser_s_or_our_own():
    of_browser = {"addEventListener", "removeEventListener", "dispatchEvent"}
    every = used(r"\b(?:window|globalThis)\.(\w+)").items()
    others = {name: file for name, file in every if not name.startswith("rankscope")}
    assert others.keys() <= of_browser


def test_no_style_of_the_page_asks_what_is_not_inside_an_element():
    # Chromium then styles the whole page at each change: an edit took 100 ms longer.
    page = (ROOT / "pages" / "ui" / "page.css").read_text("utf-8")
    assert ".st-key-" in page
    assert ":not(:has(" not in page


@pytest.mark.parametrize("name", ["page.css", "present.css"])
def test_no_style_of_the_page_asks_every_element_what_is_inside_it(name):
    # Each element then waits for a change anywhere inside it, the whole page too: of the time that
    # an edit took in the browser a quarter went into styling everything anew, nine times.
    style = (ROOT / "pages" / "ui" / name).read_text("utf-8")
    assert ":has(" in style
    assert re.findall(r"(?:^|[\s>+~,(])(?:div|\*)?:has\(", style) == []
