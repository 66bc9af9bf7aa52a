"""Write a table as JSON, and as Parquet with the same facts."""

import io
import json
from collections.abc import Iterable
from typing import Any

from ..arrays import pd
from .table import Table

VERSION = 1
"""The version of every schema; a key that changes its name or its meaning makes a new one."""


def as_json(table: Table) -> str:
    """Return one JSON object: schema, heading, facts, ``rows`` (one object each), formulas, parts.

    The schema is the table's name with a version, which changes when a key does. Numbers keep all
    their digits; a missing value is ``null``.

    Examples
    --------
    >>> table = Table(("run", "AP"), (("a", None),), "scores", labels={"cut": "no"})
    >>> print(as_json(table), end="")
    {
     "schema": "rankscope/scores/1",
     "cut": "no",
     "rows": [
      {"run": "a", "AP": null}
     ]
    }
    """
    return _object(table, "") + "\n"


def described(table: Table) -> dict[str, Any]:
    """Return the schema of a table with a name, its heading, and its facts."""
    schema = {"schema": f"rankscope/{table.name}/{VERSION}"} if table.name else {}
    return {**schema, **table.heading, **(table.facts or table.labels)}


def _object(table: Table, indent: str) -> str:
    """Write each row on its own line, for readers and for tools that work on lines."""
    fields = {name: _text(value) for name, value in described(table).items()}
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


def parquet(table: Table) -> bytes:
    """Return the rows of a table without parts; the metadata hold the facts of its JSON."""
    frame, stream = pd.DataFrame(table.rows, columns=list(table.columns)), io.BytesIO()
    # pandas keeps these in the file, and `read_parquet` returns them.
    frame.attrs.update(described(table))
    frame.to_parquet(stream, index=False)
    return stream.getvalue()
