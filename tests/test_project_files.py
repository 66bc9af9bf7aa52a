"""The files around the code agree with the code and with each other."""

import ast
import tomllib
from pathlib import Path

import metrics

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]


def test_the_version_has_one_source():
    assert "version" not in PROJECT
    attribute = PYPROJECT["tool"]["setuptools"]["dynamic"]["version"]["attr"]
    assert attribute == "rankscope.metrics.version.__version__"
    assigned = {
        path.relative_to(ROOT).as_posix(): node.value
        for folder in ("metrics", "pages", "tests", "sample_data")
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__version__"
    }
    assert assigned.keys() == {"metrics/version.py"}
    # A literal is read by setuptools without an import of what is not installed yet.
    assert ast.literal_eval(assigned["metrics/version.py"]) == metrics.__version__
