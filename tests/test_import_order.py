"""One total order of folders: a file imports only from earlier ones, or from its own."""

import ast
from collections import Counter
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILES = sorted(
    path.relative_to(ROOT)
    for path in [
        ROOT / "app.py",
        *(ROOT / "metrics").rglob("*.py"),
        *(ROOT / "pages").rglob("*.py"),
    ]
)
# Folders, and the files that lie beside folders; those of one line do not import each other.
ORDER = [
    {"metrics/errors.py"},
    {
        "metrics/words.py",
        "metrics/defaults.py",
        "metrics/colours.py",
        "metrics/limits.py",
        "metrics/arrays.py",
        "metrics/whole_file.py",
        "metrics/latex_slots.py",
        "metrics/notebook.py",
        "metrics/link_text.py",
        "metrics/version.py",
    },
    {"metrics/conventions"},
    {"metrics/data"},
    {"metrics/reading"},
    {"metrics/matching"},
    {"metrics/dataset.py", "metrics/memory.py"},
    {"metrics/measures"},
    {"metrics/scoring"},
    {"metrics/editing", "metrics/comparing", "metrics/auditing"},
    {"metrics/exploring", "metrics/sessions", "metrics/agreement"},
    {"metrics/deciding"},
    {"metrics/writing", "metrics/bridging.py"},
    {"metrics/teaching"},
    {"metrics/rendering"},
    {"metrics/commands", "metrics/charts.py"},
    {"metrics/__init__.py"},
    {"metrics/__main__.py"},
    {"pages/ui"},
    {"pages/ui/judge"},  # before the other pages, which ask it whose grades count
    {
        f"pages/ui/{page}"
        for page in (
            *("start", "inspect", "compare", "conventions"),
            *("history", "data", "learn", "practice"),
        )
    },
    {"pages"},
    {"pages/ui/serving"},  # after the pages: none imports what only a server needs
    {"app.py"},
]
CROWD = 20
"""A folder holds at most this many modules."""
PAST_FACES = 29
"""So many statements of the app import from inside a folder of the core; let it be fewer."""
LONGEST = 700
"""A file is as long as one idea, and has at most this many lines."""


def place(path):
    """The line of ORDER that a file belongs to, and the name it has there; the nearest wins."""
    for name in map(Path.as_posix, (path, *path.parents)):
        for line, names in enumerate(ORDER):
            if name in names:
                return line, name
    raise AssertionError(f"{path} has no place in ORDER: give its folder a line")


@cache
def nodes(path):
    """Every node of a file's syntax tree."""
    return list(ast.walk(ast.parse((ROOT / path).read_text("utf-8"))))


@cache
def imported(path):
    """The files of ours that a file imports, those for types only too, each with its line."""
    return list(_imported(path))


def _imported(path):
    for node in nodes(path):
        if isinstance(node, ast.Import):
            names = [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            folder = list(path.parent.parts)
            above = folder[: len(folder) - node.level + 1] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            names = [(base, alias.name) for alias in node.names]
        else:
            continue
        for base, name in names:
            module = Path(*base.split("."))
            for file in (module / f"{name}.py", module / name / "__init__.py"):
                if name and (ROOT / file).exists():
                    yield file, node.lineno
                    break
            else:
                for file in (module.with_suffix(".py"), module / "__init__.py"):
                    if (ROOT / file).exists():
                        yield file, node.lineno


def test_the_files_and_their_imports_are_found():
    assert len(FILES) > 200
    assert sum(len(imported(path)) for path in FILES) > 1000


def test_every_folder_has_its_line():
    assert len({name for names in ORDER for name in names}) == sum(map(len, ORDER))
    assert {place(path)[1] for path in FILES} == {name for names in ORDER for name in names}
    # A new folder beside these cannot hide below the line of the one above it.
    for top in ("metrics", "pages", "pages/ui"):
        for folder in {path.parent for path in FILES if path.parent.parent == Path(top)}:
            assert place(folder / "x.py")[1] == folder.as_posix(), folder


def test_imports_go_to_earlier_folders():
    against = []
    for path in FILES:
        here, name = place(path)
        for file, line in imported(path):
            there, other = place(file)
            if not (there < here or other == name):
                against.append(f"{path}:{line} imports {file}")
    assert against == []


def test_packages_import_each_other_in_no_circle():
    arrows = {(path.parent, file.parent) for path in FILES for file, _ in imported(path)}
    above = {folder: {b for a, b in arrows if a == folder != b} for folder, _ in arrows}
    # What lies in a folder hands on what its own folders hold: that is no circle.
    above = {a: {b for b in seen if a not in b.parents} for a, seen in above.items()}
    done = set()
    while free := {folder for folder in above if folder not in done and above[folder] <= done}:
        done |= free
    assert not above.keys() - done


def test_the_app_asks_the_core_at_its_faces():
    past, hidden = [], []
    for path in FILES:
        for node in nodes(path) if path.parts[0] != "metrics" else ():
            if not isinstance(node, ast.ImportFrom) or not f"{node.module}".startswith("metrics."):
                continue
            place = Path(*node.module.split("."))
            if (ROOT / place).is_dir():
                face = import_module(node.module).__all__
                hidden += [
                    f"{path}: {place}/{each.name}" for each in node.names if each.name not in face
                ]
            elif len(place.parts) > 2:
                past.append(f"{path}: {place}")
    assert hidden == [], "a name of __all__ in the folder's __init__.py, or a module there"
    assert len(past) <= PAST_FACES, past


def test_faces_name_what_there_is():
    for folder in sorted({path.parent for path in FILES if len(path.parts) > 2}):
        module = import_module(".".join(folder.parts))
        for name in getattr(module, "__all__", ()):
            assert hasattr(module, name) or find_spec(f"{module.__name__}.{name}"), (folder, name)


def for_types(path):
    """The lines of a file that only a type checker runs."""
    blocks = (node for node in nodes(path) if isinstance(node, ast.If))
    blocks = (node for node in blocks if ast.unparse(node.test) == "TYPE_CHECKING")
    return {line for node in blocks for line in range(node.lineno, node.end_lineno + 1)}


def test_files_import_each_other_in_no_circle():
    above = {
        path: {
            file
            for file, line in imported(path)
            # For its types alone, a file may name a neighbour that builds on it.
            if file != path and not (file.parent == path.parent and line in for_types(path))
        }
        for path in FILES
    }
    done = set()
    while free := {path for path in FILES if path not in done and above[path] <= done}:
        done |= free
    left = set(FILES) - done
    # What only builds on a circle is no part of it.
    while roof := {path for path in left if not any(path in above[other] for other in left)}:
        left -= roof
    assert sorted(map(str, left)) == []


def test_each_layer_knows_the_libraries_it_may():
    for path in FILES:
        names = set()
        for node in nodes(path):
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names.add(node.module.split(".")[0])
        if path.parts[0] == "metrics":
            # Relative imports only: installed, the package has another name.
            assert not {"streamlit", "pages", "app", "metrics"} & names, path
            assert "plotly" not in names or path.parent.name == "rendering", path


def test_no_folder_is_a_crowd():
    modules = Counter(path.parent for path in FILES if path.name != "__init__.py")
    crowds = {folder.as_posix(): n for folder, n in modules.items() if n > CROWD}
    assert crowds == {}, "make a folder of those of one idea: __init__.py, ORDER, pyproject.toml"


def test_files_are_as_long_as_one_idea():
    lines = {path: len((ROOT / path).read_text("utf-8").splitlines()) for path in FILES}
    assert {path.as_posix(): n for path, n in lines.items() if n > LONGEST} == {}


def test_every_folder_states_its_rule():
    for folder in {path.parent for path in FILES} - {Path(), Path("pages")}:
        text = (ROOT / folder / "__init__.py").read_text("utf-8")
        assert ast.get_docstring(ast.parse(text)), folder


def test_only_state_and_the_user_s_data_know_the_session_keys():
    users = {path for path in FILES if "session_state" in (ROOT / path).read_text("utf-8")}
    assert users == {Path("pages/ui/state.py"), Path("pages/ui/user_data.py")}


def test_the_app_is_a_shell():
    assert len((ROOT / "app.py").read_text("utf-8").splitlines()) <= 60


def test_untrusted_html_has_no_door():
    doors = []
    for path in FILES:
        text = (ROOT / path).read_text("utf-8")
        assert "unsafe_allow_html" not in text, path
        doors += [f"{path}: {line.strip()}" for line in text.splitlines() if "st.html" in line]
    # The style sheet of every page, which no text of the user reaches.
    assert doors == ["pages/ui/shell.py: st.html(STYLE)"]
    assert (
        'STYLE = Path(__file__).with_name("page.css")' in (ROOT / "pages/ui/shell.py").read_text()
    )


def test_the_session_s_state_is_kept_in_two_modules():
    """Pages ask these, so that keys are written once, and one place writes the user's data."""
    found = [
        path.as_posix()
        for path in FILES
        if path.parts[0] != "metrics" and "session_state" in (ROOT / path).read_text("utf-8")
    ]
    assert found == ["pages/ui/state.py", "pages/ui/user_data.py"]
