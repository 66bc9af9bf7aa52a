"""A comparison as one HTML file that needs nothing else; no streamlit here."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from html import escape

import numpy
import plotly
import scipy
from plotly.offline import get_plotlyjs

import metrics
from metrics import Comparison, Convention, Dataset, Run
from metrics.auditing import audit
from metrics.comparing.evidence import Evidence
from metrics.writing import FORMATS, Table
from metrics.writing.comparison import counted, evidence_table, left_out, queries_table
from metrics.writing.html import html
from metrics.writing.reproduce import Again

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
# Nothing is asked of any server; what runs is in the file.
_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"


@dataclass(frozen=True)
class Report:
    """What a report is of.

    Attributes
    ----------
    said
        The sentence that sums it up, as plain text.
    rows
        The evidence of each measure, the chosen one first.
    charts
        By the heading above each.
    tables
        Further tables, by heading.
    made
        What the runs are that are in no file, a sentence each.
    """

    dataset: Dataset
    runs: tuple[Run, Run]
    said: str
    comparison: Comparison
    rows: Mapping[str, Evidence]
    again: Again
    charts: Mapping[str, Chart]
    tables: Mapping[str, Table]
    made: Sequence[str] = ()

    def document(self) -> str:
        """The whole file."""
        a, b = (_said(run.name) for run in self.runs)
        means = evidence_table(self.rows, self.comparison, self.again.test, self.again.seed)
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
<h1>{_said(self.dataset.title)}: {a} (A) against {b} (B)</h1>
<p><strong>{escape(self.said)}</strong></p>
{_section("Means, intervals, tests", means)}
{figures}
{_section("Every query", queries)}
{more}
{self._made()}
{_data("means", means)}
{_data("queries", queries)}
</html>
"""

    def _made(self) -> str:
        """Under which convention, from which inputs, with what left out, and how to do it again."""
        facts = "".join(f"<li>{_said(fact)}</li>" for fact in self.assumed())
        return f"""<h2>How these numbers were made</h2>
<ul class="small">{facts}</ul>
<h2>How to get them again</h2>
<pre>{escape(self.again.command())}</pre>
<pre>{escape(self.again.python())}</pre>"""

    def assumed(self) -> list[str]:
        """Convention, inputs, versions, seed, and everything unmatched or assumed, in sentences."""
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
            *self.made,
            f"Deltas up to {self.again.tie:g} are ties. Seed {self.again.seed}.",
            *(f"Not in a run: {said}." for said in counted(self.comparison)),
            *(f"Left out: {gone}." for gone in left_out(self.comparison)),
            *audit.notes(replace(self.dataset, runs=self.runs)),
            f"Rankscope {metrics.__version__}, Python {platform.python_version()}, "
            f"NumPy {numpy.__version__}, SciPy {scipy.__version__}, "
            f"Plotly {plotly.__version__}.",
        ]


def _sentences(convention: Convention) -> list[str]:
    sentences = convention.sentences()
    return [sentences[field.name] for field in fields(convention)]


def _section(heading: str, table: Table) -> str:
    said = "; ".join(f"{name}: {value}" for name, value in table.labels.items())
    note = f'<p class="small">{_said(said)}.</p>' if said else ""
    return f'<h2>{_said(heading)}</h2>\n<div class="scroll">{html(table)}</div>{note}'


def _figure(heading: str, chart: Chart) -> str:
    figure = type(chart.figure)(chart.figure)
    figure.update_layout(template="plotly_white")
    drawn = figure.to_html(
        full_html=False, include_plotlyjs=False, config={"displayModeBar": False}
    )
    return (
        f"<h2>{_said(heading)}</h2>\n"
        f'<figure role="img" aria-label="{_said(chart.alt)}">{drawn}'
        f'<figcaption class="small">{_said(chart.alt)}</figcaption></figure>'
    )


def _said(words: str) -> str:
    """Words with ids in them, of which nothing is hidden and none turns what follows around."""
    return escape(text.visible(words))


def _data(name: str, table: Table) -> str:
    """The numbers with all their digits, for other programs; ``<`` cannot end the script."""
    content = FORMATS["json"](table).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{content}</script>'
