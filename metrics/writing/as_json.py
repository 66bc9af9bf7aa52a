"""Write a table as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from .table import Table


def as_json(table: Table, before: Mapping[str, Any] | None = None) -> str:
    """Return one JSON object: heading, labels, ``rows`` (one object each), formulas, parts.

    Numbers keep all their digits; a missing value is ``null``. ``before``: further values by key,
    which come first.

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
    first = [f" {_text(name)}: {_text(value)}" for name, value in (before or {}).items()]
    return "{\n" + ",\n".join([*first, *_fields(table, "")]) + "\n}\n"


def _object(table: Table, indent: str) -> str:
    return "{\n" + ",\n".join(_fields(table, indent)) + f"\n{indent}}}"


def _fields(table: Table, indent: str) -> list[str]:
    """Write each row on its own line, for readers and for tools that work on lines."""
    fields = {name: _text(value) for name, value in {**table.heading, **table.labels}.items()}
    rows = [_text(dict(zip(table.columns, row, strict=True))) for row in table.rows]
    fields["rows"] = _list(rows, indent)
    if table.formulas:
        fields["formulas"] = _list(map(_text, table.formulas), indent)
    if table.parts:
        fields["parts"] = _list((_object(part, indent + "  ") for part in table.parts), indent)
    return [f"{indent} {_text(name)}: {value}" for name, value in fields.items()]


def _list(items: Iterable[str], indent: str) -> str:
    lines = [f"{indent}  {item}" for item in items]
    return "[\n" + ",\n".join(lines) + f"\n{indent} ]" if lines else "[]"


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
