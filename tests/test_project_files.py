"""The files around the code agree with the code and with each other."""

import ast
import json
import re
import tomllib
from pathlib import Path

import metrics
from tests.cases import cases
from tests.test_import_order import ORDER

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
README, CONTRIBUTING, CORE, CI, WORKFLOW, PRE_COMMIT = (
    (ROOT / name).read_text("utf-8")
    for name in (
        *("README.md", ".github/CONTRIBUTING.md", "metrics/README.md", ".ci/run"),
        *(".github/workflows/ci.yml", ".pre-commit-config.yaml"),
    )
)
DOCS = "\n".join(path.read_text("utf-8") for path in sorted((ROOT / "docs").glob("*.md")))
TOOLS = "python3 -m venv .venv && .venv/bin/pip install -q -c constraints.txt -e '.[test,dev]'"
"""What makes the environment of `.ci/quick`."""
LOWEST = {
    *("numpy==2.0.*", "openpyxl==3.1.*", "pandas==2.2.2", "plotly==6.0.*", "pyarrow==18.0.*"),
    *("scipy==1.13.*", "starlette==0.46.*", "streamlit==1.62.*"),
}
"""The lowest version of each dependency."""
ON_LOWEST = (
    "python3 -m venv lowest && lowest/bin/pip install -q -e '.[test]' "
    f"{' '.join(map(repr, sorted(LOWEST)))} && lowest/bin/pytest -n auto tests/pages "
    "tests/core/scoring tests/core/agreement tests/core/writing"
)
"""The command that runs tests on these."""


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


def test_the_citation_names_the_version():
    assert re.findall(r"version\s*= \{(.*)\}", README) == [metrics.__version__]


def test_the_commands_are_those_of_the_readme():
    commands = re.findall("^    python3 -m venv .*$", README, re.MULTILINE)
    assert len(commands) == 2
    assert re.findall("^    python3 -m venv .*$", CONTRIBUTING, re.MULTILINE) == [
        f"    {TOOLS}",
        *commands,
        f"    {ON_LOWEST}",
    ]
    # .ci/run takes the first line that ends so.
    first = next(line for line in README.splitlines() if line.endswith("pytest -n auto"))
    assert first == commands[1]


def test_the_core_s_readme_has_every_folder_in_the_order_of_imports():
    named = re.findall(r"^\| `([a-z_/]+)/` \|", CORE, re.MULTILINE)
    folders = {path.parent for path in (ROOT / "metrics").rglob("*.py")} - {ROOT / "metrics"}
    assert sorted(named) == sorted(f.relative_to(ROOT / "metrics").as_posix() for f in folders)
    lines = {name: line for line, names in enumerate(ORDER) for name in names}
    tops = [f"metrics/{name}" for name in named if "/" not in name]
    assert tops == sorted(tops, key=lines.__getitem__)
    for file in (ROOT / "metrics").glob("*.py"):
        assert f"`{file.name}`" in CORE


def test_the_readme_s_layout_names_what_lies_in_the_checkout():
    layout = README[README.index("## Layout") : README.index("## Citing")]
    named = set(re.findall(r"`([\w./]+)`", layout))
    made = ("build", "dist")
    folders = {
        f"{path.name}/"
        for path in ROOT.iterdir()
        if not path.name.startswith(".") and path.name not in made and any(path.rglob("*.py"))
    }
    assert folders | {"app.py", ".github/", ".ci/"} <= named
    assert [name for name in named if not (ROOT / name).exists()] == []


@cases(
    ("text", "folder"),
    [(CONTRIBUTING, ".github"), (CORE, "metrics"), (README, "."), (DOCS, "docs")],
    ids=["CONTRIBUTING", "the core's README", "README", "docs"],
)
def test_every_file_that_is_named_exists(text, folder):
    links = re.findall(r"\]\((?!http|#)([^)#]+)(?:#[^)]*)?\)", text)
    named = re.findall(r"`([a-z_]+/[\w/]+\.\w+)`", text)
    assert len(links + named) > 2
    bases = {ROOT, ROOT / folder}
    assert [link for link in links if not (ROOT / folder / link).exists()] == []
    assert [name for name in named if not any((base / name).exists() for base in bases)] == []


def test_the_workflow_runs_all_checks_on_every_supported_python():
    (matrix,) = re.findall(r"^ +python: (\[.*\])$", WORKFLOW, re.MULTILINE)
    promised = [
        text.rpartition(" ")[2]
        for text in PROJECT["classifiers"]
        if re.fullmatch(r"Programming Language :: Python :: 3\.\d+", text)
    ]
    assert json.loads(matrix) == promised
    assert PROJECT["requires-python"] == f">={promised[0]}"
    assert re.findall("run: (.*)", WORKFLOW) == [".ci/run", ON_LOWEST]


def test_the_workflow_runs_tests_on_the_lowest_version_of_each_dependency():
    lowest = {each.replace(">=", "==") for each in PROJECT["dependencies"]}
    assert lowest == {each.removesuffix(".*") for each in LOWEST}


def test_the_hooks_are_the_checks_of_ci():
    checks = re.findall("^\\.venv/bin/((?!pip |python ).*)$", CI, re.MULTILINE)
    assert re.findall("entry: (.*)", PRE_COMMIT) == checks
    dev = {re.split("[<>=]", each)[0] for each in PROJECT["optional-dependencies"]["dev"]}
    assert {check.split()[0] for check in checks} <= dev


def test_ci_looks_for_the_browsers_of_the_tests():
    from tests.browser.conftest import NAMES

    assert f"command -v {' '.join(NAMES)} >" in CI


def test_ci_requires_the_tests_that_are_skipped_elsewhere():
    asked = {
        name
        for path in (ROOT / "tests").rglob("*.py")
        for name in re.findall(r'environ\.get\("(REQUIRE_\w+)"\)', path.read_text("utf-8"))
    }
    assert len(asked) == 2
    assert set(re.findall(r"\b(REQUIRE_\w+)=1 ", CI)) == asked


def test_what_can_be_installed_is_pinned():
    pinned = re.findall("^([^=#]+)==", (ROOT / "constraints.txt").read_text("utf-8"), re.MULTILINE)
    known = {name.lower().replace("_", "-") for name in pinned}
    extras = PROJECT["optional-dependencies"]
    asked = [*PROJECT["dependencies"], *extras["test"], *extras["dev"]]
    assert {re.split("[<>=]", each)[0] for each in asked} <= known


def test_no_constant_of_a_module_is_bound_twice():
    # The first value is lost without a word, or whatever used it shares that of the second.
    for folder in ("metrics", "pages", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            bound = [
                name.id
                for node in ast.parse(path.read_text("utf-8")).body
                for target in (node.targets if isinstance(node, ast.Assign) else [])
                for name in ast.walk(target)
                if isinstance(name, ast.Name) and name.id.isupper()
            ]
            assert len(bound) == len(set(bound)), path
