"""What `from metrics import …` gives is held here, so that a change to it is seen.

When a change is meant: `python -m tests.core.test_public_names` writes the names anew, and the
table of the measures in `docs/measures.md`, and in `docs/formats.md` the limits and the list of
forms.
"""

import ast
import inspect
import re
from dataclasses import fields, is_dataclass
from difflib import unified_diff
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import metrics
from metrics import charts
from metrics.limits import PRESETS, Limits
from metrics.reading import known, text_forms
from metrics.reading.from_json import tools
from metrics.teaching.measure_index import TASKS

ROOT = Path(__file__).parents[2]
HELD = ROOT / "tests/data/public_names.txt"
DOCUMENT = ROOT / "docs/measures.md"
FORMATS = ROOT / "docs/formats.md"
_LIMITS = re.compile(
    r"(?<=\| limit \| local \| classroom \| what \|\n\|:--\|--:\|--:\|:--\|\n)(\|.*\n)+"
)
_OWN = {"self", "cls"}
_TABLE = re.compile(r"(?<=\| measures \|\n\|---\|---\|\n)(\|.*\n)+")


def parameter(each):
    """A parameter with its type, and its default where that is a word or a number."""
    star = {each.VAR_POSITIONAL: "*", each.VAR_KEYWORD: "**"}.get(each.kind, "")
    typed = "" if each.annotation is each.empty else f": {each.annotation}"
    simple = isinstance(each.default, str | int | float | bool | None)
    default = "" if each.default is each.empty else f" = {each.default!r}" if simple else " = …"
    return f"{star}{each.name}{typed}{default}"


def signature(name, value):
    """A function or class as it is called; an exception by its base, any other value by type."""
    if inspect.isclass(value) and issubclass(value, Exception):
        return f"{name}({value.__base__.__name__})"
    if not callable(value):
        return f"{name}: {type(value).__name__}"
    found = inspect.signature(value)
    returned = "" if found.return_annotation is found.empty else f" -> {found.return_annotation}"
    bare = list(found.parameters.values())
    shown = [parameter(each) for each in bare]
    keyword = next((i for i, each in enumerate(bare) if each.kind == each.KEYWORD_ONLY), None)
    if keyword is not None and not any(each.kind == each.VAR_POSITIONAL for each in bare):
        shown.insert(keyword, "*")
    return f"{name}({', '.join(shown)}){returned}"


def values(kind):
    """The public methods and properties of a class of ours by name, those it inherits too."""
    for name in sorted(dir(kind)):
        if not (name.startswith("_") or hasattr(Exception, name)):
            value = inspect.getattr_static(kind, name)
            yield name, getattr(value, "__func__", value)


def members(kind):
    """What `values` gives, as lines."""
    for name, inner in values(kind):
        if inspect.isfunction(inner):
            yield f"    .{signature(name, inner)}"
        elif isinstance(inner, property | cached_property):
            yield f"    .{name}"


def face():
    """Every public name with its signature, a class with its members."""
    for name in sorted(metrics.__all__):
        value = getattr(metrics, name)
        yield signature(name, value)
        if inspect.isclass(value):
            yield from members(value)
    for name in charts.__all__:
        yield f"charts.{signature(name, getattr(charts, name))}"


def written():
    """Each file that is written from the code, with what it has to contain."""
    rows = (f"| {task} | {' '.join(map('`{}`'.format, of))} |\n" for task, of in TASKS.items())
    table = "".join(rows)
    document = _TABLE.sub(lambda _: table, DOCUMENT.read_text("utf-8"))
    assert table in document, "docs/measures.md has lost its table"
    return {HELD: "\n".join(face()) + "\n", DOCUMENT: document, FORMATS: formats()}


def formats():
    """The document of the formats, with the forms of other programs and their sources."""
    listed = "\n\n".join(
        f"{heading}:\n\n{sources(module)}"
        for heading, module in (
            ("Answers and files of tools, as JSON", tools),
            ("Lines and blocks of text", text_forms),
            ("Refused by their name, since they rank no documents", known),
        )
    )
    begin, mark, _ = FORMATS.read_text("utf-8").partition("## Forms of other programs\n")
    assert mark, "docs/formats.md has lost its list of forms"
    columns = [PRESETS["local"], PRESETS["classroom"]]
    rows = "".join(
        f"| `{each.name}` | {' | '.join(f'{getattr(of, each.name):,}' for of in columns)} "
        f"| {each.metadata['what']} |\n"
        for each in fields(Limits)
    )
    begin = _LIMITS.sub(lambda _: rows, begin)
    assert rows in begin, "docs/formats.md has lost its table of limits"
    return f"{begin}{mark}\n{listed}\n"


def sources(module):
    """The list of sources in a module's docstring."""
    return module.__doc__[module.__doc__.index("\n- ") :].strip().replace("``", "`")


def test_the_public_names_and_the_table_of_measures_are_as_they_were():
    for file, text in written().items():
        lines = file.read_text("utf-8").splitlines(), text.splitlines()
        change = "\n".join(unified_diff(*lines, "held", "now", n=0, lineterm=""))
        assert not change, f"If this is meant, see the top of this file.\n{change}"


def test_every_public_name_says_what_it_is():
    for name in metrics.__all__:
        value = getattr(metrics, name)
        if callable(value):
            assert inspect.getdoc(value), name


def sections(doc):
    """The lines below each heading of a docstring that begin an entry, by heading."""
    found, lines = {}, inspect.cleandoc(doc or "").split("\n")
    for line, below in pairwise([*lines, ""]):
        if below and not below.strip("-"):
            entries = found.setdefault(line, [])
        elif found and line[:1].strip("- "):
            entries.append(line)
    return found


def named(doc, heading):
    """The names that a section lists, without the stars of arguments."""
    lines = sections(doc).get(heading, [])
    return [name.strip("* ") for line in lines for name in line.split(",")]


def public():
    """The functions, methods and classes that `from metrics import …` gives, by name."""
    for name in sorted(metrics.__all__):
        value = getattr(metrics, name)
        if inspect.isclass(value):
            yield name, value
            yield from ((f"{name}.{part}", of) for part, of in values(value))
        elif inspect.isfunction(value):
            yield name, value
    yield from ((f"charts.{name}", getattr(charts, name)) for name in charts.__all__)


def test_public_names_describe_each_argument_and_each_column():
    for name, value in public():
        if inspect.isfunction(value):
            arguments = [each for each in inspect.signature(value).parameters if each not in _OWN]
            assert named(value.__doc__, "Parameters") == arguments, name
        elif inspect.isclass(value) and is_dataclass(value):
            columns = [each.name for each in fields(value)]
            assert named(value.__doc__, "Attributes") == columns, name


def test_internal_names_are_described_in_sentences():
    """Sections of arguments and errors are for callers who read them, which are those outside."""
    outside = {inspect.getsourcefile(of) + of.__qualname__ for _, of in public() if callable(of)}
    found = []
    for path in [
        ROOT / "app.py",
        *(ROOT / "metrics").rglob("*.py"),
        *(ROOT / "pages").rglob("*.py"),
    ]:
        for name, doc in docstrings(ast.parse(path.read_text("utf-8"))):
            # The operators of a measure have no page of their own, but are how it is written.
            if str(path) + name not in outside and not name.startswith("Measure.__"):
                forbidden = sections(doc).keys() & {"Parameters", "Raises", "Returns"}
                found += [f"{path}: {name}: {each}" for each in sorted(forbidden)]
    assert not found, "\n".join(found)


def docstrings(node, above=""):
    """The qualified name and the docstring of each function and class in a syntax tree."""
    for each in ast.iter_child_nodes(node):
        name = above
        if isinstance(each, ast.FunctionDef | ast.ClassDef):
            name = f"{above}{each.name}"
            yield name, ast.get_docstring(each)
            name += "." if isinstance(each, ast.ClassDef) else ".<locals>."
        yield from docstrings(each, name)


if __name__ == "__main__":
    for file, text in written().items():
        file.write_text(text, "utf-8", newline="\n")
