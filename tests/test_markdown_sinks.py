"""Untrusted text is rendered as Markdown only after it went through ``metrics/rendering/text.py``.

Every argument that Streamlit renders as Markdown is traced back through its function, and through
the functions of ours that it calls, to constants, formatted numbers and ``text.*``. Whatever ends
elsewhere was reviewed by a person, and ``REVIEWED`` lists it with the reason why it is harmless.
"""

import ast

import pytest

from tests.cases import cases
from tests.markdown_sinks import (
    FILES,
    FORWARDING,
    LITERAL,
    SINKS,
    SPACES,
    TEXT,
    Source,
    Trace,
    rendered,
    sources,
)
from tests.reviewed_markdown_sinks import REVIEWED


def ends(*sources):
    """Where what is rendered comes from, as far as that is not known to be safe."""
    trace = Trace()
    for source in sources:
        for node in ast.walk(source.tree):
            if isinstance(node, ast.Call):
                for argument in rendered(source, node):
                    trace(source, argument)
    return trace.ends


def test_every_file_is_checked():
    assert len(sources()) == len(FILES) > 50
    for file, function in [*FORWARDING, (TEXT, "code")]:
        assert function in sources()[file].functions


def test_what_is_rendered_is_ours_or_made_safe():
    reviewed = {
        f"{place}: {expression}"
        for places in REVIEWED.values()
        for place, expressions in places.items()
        for expression in expressions
    }
    found = ends(*sources().values())
    new, gone = sorted(found - reviewed), sorted(reviewed - found)
    assert new == [], "give these through metrics/rendering/text.py, or list them as reviewed"
    assert gone == [], "these occur no more: take them out of tests/reviewed_markdown_sinks.py"


@cases("source", lambda: sources().values(), ids=lambda source: source.name)
def test_every_call_of_streamlit_is_known(source):
    called = {node.func for node in ast.walk(source.tree) if isinstance(node, ast.Call)}
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.Attribute) or ast.unparse(node.value) != "st":
            continue
        # A sink that is not called on the spot would pass by unseen.
        assert node.attr in LITERAL | SPACES or node in called, ast.unparse(node)
        assert node.attr in SINKS.keys() | LITERAL | SPACES, ast.unparse(node)


@pytest.mark.parametrize(
    "code",
    [
        "def f(run):\n    st.markdown(f'**{run.name}**')",
        "def f(run):\n    said = ['x']\n    said.append(run.name)\n    st.info(', '.join(said))",
        "def f(error):\n    st.error(str(error))",
        "def f(error):\n    st.error(error.TEXT)",
        "def f(run):\n    left.button(run.name)",
        "def f(run):\n    st.metric('a', 'b', run.name)",
        "def f(run):\n    st.radio('a', ['b'], format_func=lambda x: run.name)",
        "def f(run):\n    st.column_config.Column(help=run.name)",
        "def f(run):\n    st.caption(g(run))\ndef g(run):\n    return f'{run.name}'",
        "def f(names):\n    for name in names:\n        st.toast(name)",
        "from pages.ui import text\ndef f(d):\n    st.info(text.largest(d, str))",
        "from pages.ui import text\ndef f(d):\n    st.info(text.without_markdown(d))",
        "from pages.ui.widgets import option\ndef f(run):\n    option(run.name, {})",
    ],
)
def test_a_hole_is_found(code, tmp_path):
    (tmp_path / "hole.py").write_text(code, "utf-8")
    assert ends(Source(tmp_path / "hole.py", "hole.py"))
