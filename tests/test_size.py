"""The size of the house has a budget: who needs more lines says in the commit what a user gets.

Who needs fewer lowers the number, in the same commit.
"""

import ast
import io
import json
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BUDGET = {"code": 41_700, "data": 4_599}
"""The lines of code, and of the data whose sentences would be code otherwise."""
SLACK = 50
"""A budget that is further above the lines than this holds nothing."""
IDLE = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    tokenize.ENDMARKER,
}
"""The tokens that are no code."""


def lines_of_python(text):
    """Return the number of lines without blank ones, comments and docstrings."""
    documented = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        for line in range(node.lineno, node.end_lineno + 1)
    }
    of_code = {
        line
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type not in IDLE
        for line in range(token.start[0], token.end[0] + 1)
    }
    return len(of_code - documented)


def lines_of_script(text):
    """Return the number of lines of JavaScript or CSS without blank ones and comments."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return sum(not re.fullmatch(r"\s*(//.*)?", line) for line in text.splitlines())


def lines_of_json(text):
    """Return the number of lines where each value has its own, however the file is written."""
    return json.dumps(json.loads(text), indent=0).count("\n") + 1


def lines_of_prose(text):
    """Return the number of lines that are not blank."""
    return sum(bool(line.strip()) for line in text.splitlines())


WAYS = {
    "code": (
        ("app.py", "metrics", "pages"),
        {".py": lines_of_python, ".js": lines_of_script, ".css": lines_of_script},
    ),
    "data": (
        ("metrics/teaching", "pages", "sample_data"),
        {".json": lines_of_json, ".md": lines_of_prose},
    ),
}
"""Where the lines of each kind are, and how those of a file are counted, by its ending."""


def size(kind, root=ROOT):
    """Return the number of lines of one kind."""
    places, ways = WAYS[kind]
    files = {file for place in places for file in [root / place, *(root / place).rglob("*")]}
    return sum(ways[file.suffix](file.read_text("utf-8")) for file in files if file.suffix in ways)


@pytest.mark.parametrize("kind", BUDGET)
def test_the_house_is_as_large_as_its_budget(kind):
    lines, budget = size(kind), BUDGET[kind]
    assert lines <= budget, f"{lines}: remove some, or say what a user gets for more"
    assert lines > budget - SLACK, f"the budget can be {lines}"


def test_comments_docstrings_and_blank_lines_are_free():
    python = '"""Two\nlines."""\n\nx = 1  # why\n# why\ny = """a\n\nb"""\n"""What y is."""\n'
    assert lines_of_python(python) == 4
    assert lines_of_script("/* what\n it is */\na { top: 0; }\n\n// why\nlet b; // why\n") == 2
    assert lines_of_prose("# One\n\nTwo\nlines.\n") == 3
    assert lines_of_json('{"a": [1, "two words"], "b": 3}') == 7
