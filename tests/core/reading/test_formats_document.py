"""Every whole example in the first table of ``docs/formats.md`` is what its column says."""

import re
from pathlib import Path

from metrics import read_qrels, read_run
from tests.cases import cases

DOCUMENT = Path(__file__).parents[3] / "docs/formats.md"
COLUMNS = ("query", "document", "rank", "score", "tag", "grade")
LINES = [
    dict(zip(COLUMNS, line.split(), strict=True)) for line in ("q1 d1 1 9.5 t 3", "q1 d2 2 8 t 1")
]
READ = {"run": read_run, "qrels": read_qrels}


def examples(column):
    """The whole examples of a column: JSON, and lines of columns by their names."""
    table = DOCUMENT.read_text("utf-8").partition("\n\n- ")[0]
    head, _, *rows = (line.strip("| ").split(" | ") for line in table.splitlines() if "|" in line)
    found = []
    for row in rows:
        for example in re.findall("`([^`]+)`", dict(zip(head, row, strict=False)).get(column, "")):
            words = example.split(" ")
            if "…" not in example and example.startswith(("{", "[[")):
                found.append(example)
            elif len(words) > 1 and {*words} <= {*COLUMNS, "Q0", "0"}:
                found.append("\n".join(" ".join(of.get(w, w) for w in words) for of in LINES))
    return found


@cases("column", READ)
def test_every_whole_example_is_read(column):
    found = examples(column)
    assert len(found) >= 5
    for example in found:
        assert "d1" in READ[column](example.encode(), "example").to_dict()["q1"], example
