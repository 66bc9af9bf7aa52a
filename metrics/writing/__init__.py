"""Results -> text: for a terminal, CSV, JSON, Markdown, LaTeX, and as trec_eval prints them."""

from .as_json import as_json
from .delimited import altered, delimited
from .latex import latex
from .markdown import markdown
from .table import Cell, Table
from .terminal import text
from .trec import trec

FORMATS = {
    "table": text,
    "csv": delimited,
    "json": as_json,
    "latex": latex,
    "markdown": markdown,
}
"""Each format's name and what writes a table in it."""

__all__ = ["FORMATS", "Cell", "Table", "altered", "trec"]
