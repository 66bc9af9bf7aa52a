"""Write results as text: for a terminal, CSV, JSON, Markdown, LaTeX, and trec_eval's lines."""

from collections.abc import Callable

from .as_json import as_json, parquet
from .comparison import (
    EACH_ALIKE,
    evidence_rows,
    how_tested,
    leaderboard_table,
    of_attributes,
    pairs_table,
    trend_table,
)
from .delimited import altered, delimited, for_spreadsheets
from .latex import latex
from .markdown import markdown
from .table import Cell, Table, labelled
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
FILES: dict[str, tuple[str, Callable[[Table], str | bytes]]] = {
    "Markdown": ("md", markdown),
    "LaTeX": ("tex", latex),
    "CSV": ("csv", for_spreadsheets),
    "JSON": ("json", as_json),
    "Parquet": ("parquet", parquet),
}
"""The extension of each kind of file that holds a table, and what writes it, by its title."""

__all__ = ["EACH_ALIKE", "FILES", "FORMATS", "Cell", "Table", "altered", "labelled", "trec"]
__all__ += ["evidence_rows", "how_tested", "leaderboard_table", "of_attributes", "pairs_table"]
__all__ += ["trend_table"]
__all__ += ["check", "judgments", "ledger_lines", "reproduce", "svg"]
