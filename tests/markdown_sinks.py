"""Find the expressions that Streamlit renders as Markdown, and where their text comes from."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILES = [
    ROOT / "app.py",
    *sorted((ROOT / "pages").rglob("*.py")),
    # Their sentences are rendered on pages.
    *sorted((ROOT / "metrics/rendering").rglob("*.py")),
]
TEXT = "metrics/rendering/text.py"

# Functions that render Markdown, and how many of their first arguments.
SINKS = {
    **dict.fromkeys(("markdown", "caption", "title", "header", "subheader", "latex"), 1),
    **dict.fromkeys(("info", "warning", "error", "success", "toast", "exception"), 1),
    **dict.fromkeys(("button", "download_button", "form_submit_button", "page_link"), 1),
    **dict.fromkeys(("tabs", "expander", "popover", "dialog", "spinner", "status"), 1),
    **dict.fromkeys(("checkbox", "toggle", "selectbox", "multiselect", "file_uploader"), 1),
    **dict.fromkeys(("text_input", "text_area", "number_input", "date_input", "slider"), 1),
    **dict.fromkeys(("radio", "segmented_control", "pills"), 2),
    "table": 1,
    "html": 1,
    "metric": 3,
    "write": 99,
}
# Our functions that pass arguments on to one of them: the positions of these arguments.
FORWARDING = {
    ("pages/ui/widgets.py", "option"): (0,),
    ("pages/ui/widgets.py", "one_of"): (0,),
    ("pages/ui/widgets.py", "several"): (0,),
    ("pages/ui/widgets.py", "number_field"): (0, 4),
    ("pages/ui/widgets.py", "number"): (0, 5),
    ("pages/ui/widgets.py", "phrase"): (0, 1),
    ("pages/ui/links.py", "inspect_button"): (4,),
    ("pages/ui/show.py", "download"): (0,),
    ("pages/ui/show.py", "spinner"): (0,),
    ("pages/ui/learn/reading.py", "_prose"): (0,),
    ("pages/ui/start/front.py", "_door"): (0,),
}
RENDERED_KEYWORDS = {"label", "help", "tooltip", "body", "value", "delta", "captions", "said"}
# The initial value of a field is shown literally.
LITERAL_KEYWORDS = {("number_input", "value"), ("text_input", "value"), ("text_area", "value")}
# Functions that show text literally, or show none.
LITERAL = {
    *("App", "Page", "get_option", "logo", "navigation", "set_page_config", "switch_page"),
    *(
        "cache_data",
        "cache_resource",
        "rerun",
        "stop",
        "columns",
        "container",
        "empty",
        "form",
        "fragment",
    ),
    *("code", "data_editor", "dataframe", "plotly_chart", "text"),
}
SPACES = {"components", "session_state", "query_params", "column_config", "context"}
SAFE = {
    "code",
    "dots",
    "number",
    "signed",
    "near",
    "moved",
    "apart",
    "grade",
    "grades",
    "p_value",
    "gap",
    "extras",
    "refusal",
    "rows",
}
# Functions as safe as some of their arguments: the words beside a number, the function for an id.
CHECKED = {"count": lambda args: args[1:], "largest": lambda args: args[1:]}
NUMBERS = {"len", "int", "float", "sum", "round"}
METHODS = {"lower", "capitalize", "rstrip"}


class Source:
    """One file: its functions, what it imports of ours, and the function around each node."""

    def __init__(self, path, name=""):
        self.name = name or path.relative_to(ROOT).as_posix()
        self.tree = ast.parse(path.read_text("utf-8"))
        self.functions, self.scope = {}, {}
        self._walk(self.tree, self.tree)
        self.modules, self.imported = {}, {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom):
                folder = path.parents[node.level - 1] if node.level else ROOT
                self._import(folder.joinpath(*(node.module or "").split(".")), node.names)

    def _walk(self, node, scope):
        for child in ast.iter_child_nodes(node):
            self.scope[child] = scope
            if isinstance(child, ast.FunctionDef):
                self.functions[child.name] = child
                self._walk(child, child)
            else:
                self._walk(child, scope)

    def _import(self, base, names):
        for alias in names:
            here = alias.asname or alias.name
            if (module := base / f"{alias.name}.py").exists():
                self.modules[here] = module.relative_to(ROOT).as_posix()
            for module in (base.with_suffix(".py"), base / "__init__.py"):
                if module.exists() and here not in self.modules:
                    self.imported[here] = module.relative_to(ROOT).as_posix(), alias.name

    def called(self, function):
        """The file and the name of a function of ours; None when it is not one."""
        if isinstance(function, ast.Name):
            return self.imported.get(function.id, (self.name, function.id))
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            module = self.modules.get(function.value.id)
            return module and (module, function.attr)
        return None


@cache
def sources():
    """Each file by its name; parsed once, and not for the collection of the tests."""
    return {source.name: source for source in map(Source, FILES)}


def bound(scope, name):
    """Return every value that a name takes in a scope; None if one of them cannot be traced."""
    values = []
    for node in ast.walk(scope):
        match node:
            case ast.Assign(targets=[ast.Name(id=given)], value=value) if given == name:
                values.append(value)
            case (
                ast.AnnAssign(target=ast.Name(id=given), value=value)
                | ast.AugAssign(target=ast.Name(id=given), value=value)
                | ast.NamedExpr(target=ast.Name(id=given), value=value)
            ) if given == name:
                values += [value] if value else []
            case ast.Call(func=ast.Attribute(value=ast.Name(id=given)), args=[*_, value]) if (
                given == name and node.func.attr in {"append", "extend", "insert"}
            ):
                values.append(value)
            # Bound in another way: by a loop, as a parameter, as one of several, …
            case ast.arg(arg=given) | ast.Name(id=given, ctx=ast.Store()) if given == name:
                if isinstance(node, ast.arg) or not _is_assigned(scope, node):
                    return None
    return values or None


def _is_assigned(scope, target):
    """Return whether a name is the whole target of an assignment."""
    kinds = ast.Assign | ast.AnnAssign | ast.AugAssign | ast.NamedExpr
    given = (node for node in ast.walk(scope) if isinstance(node, kinds))
    return any(
        target in getattr(node, "targets", [getattr(node, "target", None)]) for node in given
    )


class Trace:
    """Follows an expression back to where it comes from; ``ends`` holds what is not known safe."""

    def __init__(self):
        self.ends, self.seen = set(), set()

    def __call__(self, source, node):
        if node is None or (source.name, node) in self.seen:
            return
        self.seen.add((source.name, node))
        parts = self.parts(source, node)
        if parts is None:
            scope = source.scope.get(node)
            where = getattr(scope, "name", "page")
            self.ends.add(f"{source.name}:{where}: {ast.unparse(node)}")
            return
        for part_source, part in parts:
            self(part_source, part)

    def parts(self, source, node):
        """Return the parts of an expression; None if a person has to review it."""
        inner = {
            ast.Constant: lambda n: [],
            ast.JoinedStr: lambda n: n.values,
            ast.BinOp: lambda n: [n.left, n.right],
            ast.BoolOp: lambda n: n.values,
            ast.IfExp: lambda n: [n.body, n.orelse],
            ast.NamedExpr: lambda n: [n.value],
            ast.List: lambda n: n.elts,
            ast.Tuple: lambda n: n.elts,
            ast.Dict: lambda n: n.values,
            ast.ListComp: lambda n: [n.elt],
            ast.GeneratorExp: lambda n: [n.elt],
            ast.DictComp: lambda n: [n.value],
        }
        if type(node) in inner:
            return [(source, part) for part in inner[type(node)](node)]
        if isinstance(node, ast.FormattedValue):
            spec = ast.unparse(node.format_spec)[2:-1] if node.format_spec else ""
            return [] if spec and spec[-1] in ",dfg%e" else [(source, node.value)]
        if isinstance(node, ast.Call):
            return self.of_call(source, node)
        if source.called(node) == (TEXT, "code"):
            return []
        root = part = node
        while isinstance(root, ast.Attribute | ast.Subscript):
            part, root = root, root.value
        if isinstance(root, ast.Name):
            # What is written in capitals is written in this repository, also in another module.
            name = getattr(part, "attr", "") if root.id in source.modules else root.id
            if name.strip("_").isupper():
                return []
        if isinstance(node, ast.Name):
            values = bound(source.scope[node], node.id)
            return values and [(source, value) for value in values]
        return None

    def of_call(self, source, node):
        unparsed = ast.unparse(node.func)
        owner, _, name = unparsed.rpartition(".")
        file, function = source.called(node.func) or ("", "")
        if unparsed in NUMBERS or owner.strip("_").isupper():
            return []
        if file == TEXT:
            checked = CHECKED.get(function, lambda args: [] if function in SAFE else None)
            args = checked(node.args)
            return None if args is None else [(source, arg) for arg in args]
        if name == "join" and isinstance(node.func.value, ast.Constant):
            return [(source, arg) for arg in node.args]
        if name in METHODS and isinstance(node.func, ast.Attribute):
            return [(source, node.func.value)]
        module = source if file == source.name else sources().get(file)
        if module and function in module.functions:
            function = module.functions[function]
            returns = [n for n in ast.walk(function) if isinstance(n, ast.Return)]
            return [(module, each.value) for each in returns if module.scope[each] is function]
        return None


def rendered(source, call):
    """The arguments of a call that are rendered as Markdown."""
    owner, _, name = ast.unparse(call.func).rpartition(".")
    if (places := FORWARDING.get(source.called(call.func))) is not None:
        yield from (call.args[place] for place in places if place < len(call.args))
        if any(each.arg == "flat" for each in call.keywords):
            yield call.args[1]
    elif (
        name in SINKS
        and owner
        and owner not in source.modules
        and (name != "table" or owner == "st")
    ):
        yield from call.args[: SINKS[name]]
        if name in {"radio", "segmented_control", "pills"}:
            yield from (each.value for each in call.keywords if each.arg == "format_func")
    elif owner.split(".")[0] != "st":
        return
    for keyword in call.keywords:
        if keyword.arg in RENDERED_KEYWORDS and (name, keyword.arg) not in LITERAL_KEYWORDS:
            yield keyword.value
