"""A comparison as one self-contained HTML file; without streamlit."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from html import escape

import numpy
import plotly
import scipy
from plotly.offline import get_plotlyjs

from ..auditing import audit
from ..comparing.comparison import Comparison
from ..comparing.evidence import Evidence
from ..conventions.convention import Convention
from ..data import Dataset, Run
from ..version import __version__
from ..writing import FORMATS, Table
from ..writing.comparison import counted, evidence_table, left_out, queries_table
from ..writing.html import html
from ..writing.reproduce import Again
from . import text
from .charts import Chart

_STYLE = """
:root { color-scheme: light; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 78em; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.5em; } h2 { font-size: 1.15em; margin: 2em 0 0.5em; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid #ccc; padding: 0.2em 0.8em; text-align: right; }
th:first-child, td:first-child { text-align: left; }
figure { margin: 1em 0; } .scroll { overflow: auto; max-height: 34em; }
pre { background: #f4f4f4; padding: 0.8em; overflow: auto; }
.small { color: #555; font-size: 0.9em; }
"""
# The file requests nothing from any server; all scripts are in it.
_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"


@dataclass(frozen=True)
class Report:
    """The content of a report.

    Attributes
    ----------
    conclusion
        The sentence that sums up the comparison, as plain text.
    rows
        The evidence of each measure, the chosen one first.
    charts
        The charts, by heading.
    tables
        Further tables, by heading.
    made
        A sentence about each virtual run.
    """

    dataset: Dataset
    runs: tuple[Run, Run]
    conclusion: str
    comparison: Comparison
    rows: Mapping[str, Evidence]
    again: Again
    charts: Mapping[str, Chart]
    tables: Mapping[str, Table]
    made: Sequence[str] = ()

    def document(self) -> str:
        """Return the whole file."""
        a, b = (_escaped(run.name) for run in self.runs)
        chosen = self.again.paired_test
        part = f"<p>Only {_escaped(self.dataset.part)}.</p>\n" if self.dataset.part else ""
        means = evidence_table(self.rows, self.comparison, chosen)
        queries = queries_table(self.comparison)
        figures = "\n".join(map(_figure, self.charts.keys(), self.charts.values()))
        more = "\n".join(map(_section, self.tables.keys(), self.tables.values()))
        return f"""<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<title>{a} against {b}</title>
<style>{_STYLE}</style>
<script>{get_plotlyjs()}</script>
<h1>{_escaped(self.dataset.title)}: {a} (A) against {b} (B)</h1>
<p><strong>{escape(self.conclusion)}</strong></p>
{part}{_section("Means, intervals, tests", means)}
{figures}
{_section("Every query", queries)}
{more}
{self._made()}
{_data("means", means)}
{_data("queries", queries)}
</html>
"""

    def _made(self) -> str:
        """Return the section on convention, inputs, what is left out, and how to reproduce it."""
        facts = "".join(f"<li>{_escaped(fact)}</li>" for fact in self.assumed())
        return f"""<h2>How these numbers were made</h2>
<ul class="small">{facts}</ul>
<h2>Reproduce these numbers</h2>
<pre>{escape(self.again.command())}</pre>
<pre>{escape(self.again.python())}</pre>"""

    def assumed(self) -> list[str]:
        """Return sentences on convention, inputs, versions, seed, and all that was left out."""
        a, b = self.runs
        names = ("qrels", "run A", "run B")
        files = zip(names, (self.dataset.qrels, a, b), strict=True)
        return [
            f"Convention: {self.again.convention.label}: "
            + "; ".join(_sentences(self.again.convention))
            + ".",
            *(
                f"{what}: {pairs.name or 'no name'}, "
                f"{text.count(len(pairs.queries), 'query', 'queries')}, "
                f"{text.count(len(pairs), 'row')}, digest {pairs.digest}."
                for what, pairs in files
            ),
            *([f"Only {self.dataset.part}."] if self.dataset.part else []),
            *self.made,
            f"Deltas up to {self.again.paired_test.tie:g} are ties. "
            f"Seed {self.again.paired_test.seed}.",
            *(f"Not in a run: {sentence}." for sentence in counted(self.comparison)),
            *(f"Left out: {queries}." for queries in left_out(self.comparison)),
            *audit.notes(replace(self.dataset, runs=self.runs)),
            f"Rankscope {__version__}, Python {platform.python_version()}, "
            f"NumPy {numpy.__version__}, SciPy {scipy.__version__}, "
            f"Plotly {plotly.__version__}.",
        ]


def _sentences(convention: Convention) -> list[str]:
    sentences = convention.sentences()
    return [sentences[field.name] for field in fields(convention)]


def _section(heading: str, table: Table) -> str:
    labels = "; ".join(f"{name}: {value}" for name, value in table.labels.items())
    note = f'<p class="small">{_escaped(labels)}.</p>' if labels else ""
    return f'<h2>{_escaped(heading)}</h2>\n<div class="scroll">{html(table)}</div>{note}'


def _figure(heading: str, chart: Chart) -> str:
    figure = type(chart.figure)(chart.figure)
    figure.update_layout(template="plotly_white")
    drawn = figure.to_html(
        full_html=False, include_plotlyjs=False, config={"displayModeBar": False}
    )
    return (
        f"<h2>{_escaped(heading)}</h2>\n"
        f'<figure role="img" aria-label="{_escaped(chart.alt)}">{drawn}'
        f'<figcaption class="small">{_escaped(chart.alt)}</figcaption></figure>'
    )


def _escaped(words: str) -> str:
    """Return escaped text in which invisible and direction-changing characters are visible."""
    return escape(text.visible(words))


def _data(name: str, table: Table) -> str:
    """Return the numbers in full precision, for programs; no ``<`` can end the script."""
    content = FORMATS["json"](table).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{content}</script>'
