"""The example notebook runs, and its stored outputs are those of its code.

When a change is meant: `python -m tests.core.test_example_notebook` stores the outputs again.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

FILE = Path(__file__).parents[2] / "sample_data" / "two_rankers.ipynb"
RUN = '''
import ast, contextlib, html, io, json, sys
from itertools import accumulate, pairwise
from rankscope.metrics.rendering.text import signed
from rankscope.metrics.writing.svg import Bar, bars, picture

def static(figure, alt):
    """The bars of a chart, for where nothing runs Plotly."""
    trace = figure.data[0]
    if trace.type == "waterfall":
        values, names = list(trace.x), map(html.unescape, figure.layout.yaxis.ticktext)
        ends = [*pairwise([0.0, *accumulate(values[:-1])]), (0.0, values[-1])]
    else:
        values = list(map(float, trace.y))
        names = map(html.unescape, figure.layout.xaxis.ticktext)
        ends = [(0.0, value) for value in values]
    rows = [Bar(n, *end, signed(v, 3)) for n, end, v in zip(names, ends, values)]
    if trace.type == "waterfall":
        rows[-1] = rows[-1]._replace(is_sum=True)
    return picture(html.unescape(figure.layout.title.text), [bars(rows)], alt, alt)

def shown(value):
    if value is None:
        return {}
    if type(value).__module__.startswith("plotly."):
        alt = value.layout.meta["alt"]
        return {"image/svg+xml": static(value, alt), "text/plain": alt}
    html = getattr(value, "_repr_html_", lambda: None)()
    return {"text/plain": repr(value)} | ({"text/html": html} if html else {})

names, outputs = {"__name__": "__main__"}, []
for source in json.load(sys.stdin):
    tree, value = ast.parse(source), None
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, "<cell>", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    outputs.append([printed.getvalue(), shown(value)])
print(json.dumps(outputs))
'''
"""Runs cells one after the other, as Jupyter does, and prints what each prints and shows."""


def run(notebook, folder):
    """Return the outputs of each cell with code, in the form of a notebook's file."""
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    sources = json.dumps(["".join(cell["source"]) for cell in cells])
    command = [sys.executable, "-W", "error", "-c", RUN]
    done = subprocess.run(
        command, input=sources, cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    for number, (printed, shown) in enumerate(json.loads(done.stdout), start=1):
        outputs = []
        if printed:
            text = printed.splitlines(keepends=True)
            outputs.append({"name": "stdout", "output_type": "stream", "text": text})
        if shown:
            data = {kind: text.splitlines(keepends=True) for kind, text in shown.items()}
            result = {"data": data, "execution_count": number, "metadata": {}}
            outputs.append(result | {"output_type": "execute_result"})
        yield outputs


@pytest.fixture(scope="module")
def notebook():
    return json.loads(FILE.read_text("utf-8"))


def test_the_stored_outputs_are_what_the_code_gives(notebook, tmp_path):
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    found = list(run(notebook, tmp_path))
    assert len(found) == len(cells) >= 8
    for cell, outputs in zip(cells, found, strict=True):
        assert cell["outputs"] == outputs, "".join(cell["source"])


def test_every_number_in_the_sentences_is_in_an_output(notebook):
    sentences, given = [], ""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            sentences += cell["source"]
        given += json.dumps(cell.get("outputs", []), ensure_ascii=False)
    numbers = re.findall(r"\d+\.\d+", "".join(sentences))
    assert len(numbers) >= 5
    assert [number for number in numbers if number not in given] == []


def test_it_is_a_notebook_that_others_read(notebook):
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    for cell in notebook["cells"]:
        own = {"outputs", "execution_count"} if cell["cell_type"] == "code" else set()
        assert cell.keys() == {"cell_type", "id", "metadata", "source"} | own


if __name__ == "__main__":
    stored = json.loads(FILE.read_text("utf-8"))
    with_code = [cell for cell in stored["cells"] if cell["cell_type"] == "code"]
    for number, (cell, outputs) in enumerate(zip(with_code, run(stored, "/"), strict=True), 1):
        cell |= {"outputs": outputs, "execution_count": number}
    FILE.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", "utf-8")
