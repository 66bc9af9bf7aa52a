"""Tables as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from .table import Table


def as_json(table: Table) -> str:
    """One object: heading and labels, then ``rows``, each an object; then formulas and parts.

    Numbers have all their digits; a missing value is ``null``.

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
    """One line for each row: to be read by people and by line-wise tools too."""
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
