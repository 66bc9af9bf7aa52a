"""Write a table as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from .table import Table


def as_json(table: Table) -> str:
    """Return one JSON object: heading, labels, ``rows`` (one object each), formulas, parts.

    Numbers keep all their digits; a missing value is ``null``.

    Examples
    --------
    >>> print(as_json(Table(("run", "AP"), (("a", None),), labels={"cut": "no"})), end="")
    {
     "cut": "no",
     "rows": [
      {"run": "a", "AP": null}
     ]
    }
    """
    return _object(table, "") + "\n"


def _object(table: Table, indent: str) -> str:
    """Write each row on its own line, for readers and for tools that work on lines."""
    fields = {name: _text(value) for name, value in {**table.heading, **table.labels}.items()}
    rows = [_text(dict(zip(table.columns, row, strict=True))) for row in table.rows]
    fields["rows"] = _list(rows, indent)
    if table.formulas:
        fields["formulas"] = _list(map(_text, table.formulas), indent)
    if table.parts:
        fields["parts"] = _list((_object(part, indent + "  ") for part in table.parts), indent)
    lines = [f"{indent} {_text(name)}: {value}" for name, value in fields.items()]
    return "{\n" + ",\n".join(lines) + f"\n{indent}}}"


def _list(items: Iterable[str], indent: str) -> str:
    lines = [f"{indent}  {item}" for item in items]
    return "[\n" + ",\n".join(lines) + f"\n{indent} ]" if lines else "[]"


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
