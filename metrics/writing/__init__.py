"""Write results as text: for a terminal, CSV, JSON, Markdown, LaTeX, and trec_eval's lines."""

from collections.abc import Callable

from .as_json import as_json
from .delimited import altered, delimited
from .latex import latex
from .markdown import markdown
from .table import Cell, Table
from .terminal import text
from .trec import trec

FORMATS: dict[str, Callable[[Table], str]] = {
    "table": text,
    "csv": delimited,
    "json": as_json,
    "latex": latex,
    "markdown": markdown,
}
"""The function that writes a table in each format, by the format's name."""

__all__ = ["FORMATS", "Cell", "Table", "altered", "trec"]
