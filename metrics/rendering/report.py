"""A comparison as one HTML file to send or to print; without streamlit."""

import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from html import escape

import numpy
import scipy

from ..auditing import audit
from ..data import Pairs
from ..dataset import Dataset
from ..deciding import Pairing, Statement
from ..judging.judged import JudgedRankings
from ..version import __version__
from ..writing import FORMATS, Table
from ..writing.comparison import (
    changed_most,
    counted,
    every_query,
    left_out,
    other_measures,
    scores_as_json,
)
from ..writing.html import html
from ..writing.reproduce import Recipe
from ..writing.verdict import REVERSED, TITLES
from . import comparison_tables, pictures, text
from .snippets import snippet, terms

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 78em; margin: 2em auto; padding: 0 1em;
  color: #1f2128; background: #fff; overflow-wrap: anywhere; }
h1, h2, .verdict { font-family: "Source Serif 4", Georgia, serif; line-height: 1.25; }
h1 { font-size: 1.1em; margin: 0; } h2 { font-size: 1.3em; margin: 1.6em 0 0.4em; }
.by { color: #555; margin: 0.2em 0 1em; } .first ul { max-width: 60em; margin-block: 0.3em; }
.verdict { font-size: 1.7em; font-weight: 600; margin: 0 0 0.3em; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th { vertical-align: bottom; } td { vertical-align: top; } td.text { overflow-wrap: anywhere; }
th, td { border-bottom: 1px solid #ccc; padding: 0.2em 0.7em; text-align: right; }
.text, .id { text-align: left; } td.id { white-space: nowrap; } td.text { min-width: 13em; }
:root { color-scheme: light; } th:first-child, td:first-child { padding-left: 0; }
figure { margin: 1em 0; } svg { display: block; max-width: 100%; height: auto; }
.small { color: #555; font-size: 0.9em; }
pre { background: #f4f4f4; border: 1px solid #ccc; padding: 0.8em; white-space: pre-wrap; }
@media screen and (max-width: 82em) { table { display: block; overflow-x: auto; } }
@page { size: A4; margin: 14mm 12mm; } @page wide { size: A4 landscape; }
@media print {
  body { font-size: 9.5pt; max-width: none; margin: 0; padding: 0; }
  table { font-size: 8pt; width: 100%; } th, td { padding: 0.15em 0.35em; }
  .first { break-after: page; } .first svg { max-height: 145mm; }
  .wide { page: wide; } .wide table { font-size: 7pt; }
  thead { display: table-header-group; }
  tr, figure, li { break-inside: avoid; } h2, h2 + p, thead { break-after: avoid; }
}
"""
# The file runs no script and requests nothing from any server.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_WIDE = 16
"""A table with more columns is printed in landscape."""
_PASSAGE = 60
"""At most this many characters of a document's text are in a table."""
_BARS = 10
"""At most this many queries of each band are on the first page."""
_JUDGE = "Judge the documents without a grade, on the page Judge, and compare again."
_NEXT = {
    "unjudged": _JUDGE,
    "grades": _JUDGE,
    "queries": "Run both systems on every query, and compare again.",
    "ties": "Let the systems give different scores, or average over ties, and compare again.",
    "lengths": "Retrieve equally many documents with both systems, and compare again.",
    "level": "Agree from which grade on a document is relevant, and compare again.",
    "choices": "Agree on the convention, and compare again.",
}
"""What settles a threat, by its kind."""
_AND_READ = ", and read the queries on which it is worse: they are listed below."
_THEN = {
    "leads": "Choose neither before that is settled.",
    "undecided": "Judge more queries, or choose by other criteria, such as costs.",
    "equal": "Choose by other criteria, such as costs: these queries show no difference.",
    "none": "Check that the ids match, on the page Data or with rankscope audit.",
}
"""What to do last, by the outcome of the verdict; a winner is to be used."""


@dataclass(frozen=True)
class Cover:
    """What the head of a report says; an empty field is left out, an empty title names the runs."""

    title: str = ""
    author: str = ""
    date: str = ""


NO_COVER = Cover()


@dataclass(frozen=True)
class Report:
    """The content of a report.

    Attributes
    ----------
    means
        The evidence as a table.
    figures
        Pictures as SVG, by heading.
    tables
        Further tables, by heading.
    made
        A sentence about each virtual run.
    """

    pairing: Pairing
    dataset: Dataset
    means: Table
    recipe: Recipe
    figures: Mapping[str, str]
    tables: Mapping[str, Table]
    made: Sequence[str] = ()
    cover: Cover = NO_COVER

    def document(self) -> str:
        """Return the whole file."""
        title = _escaped(self.cover.title or default_title(self.pairing))
        author = f'\n<meta name="author" content="{_escaped(self.cover.author)}">'
        part = f"only {self.dataset.part}" if self.dataset.part else ""
        runs = default_title(self.pairing) if self.cover.title else ""
        by = [self.dataset.title, runs, part, self.cover.author, self.cover.date]
        return f"""<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width">{author if self.cover.author else ""}
<title>{title}</title>
<style>{_STYLE}</style>
<h1>{title}</h1>
<p class="by">{" · ".join(_escaped(each) for each in by if each)}</p>
{self._first()}
{self._changed()}
{_section("Means, intervals, tests", self.means)}
{"".join(map(_figure, self.figures.keys(), self.figures.values()))}
{self._made()}
{self._every_query()}
{"".join(map(_section, self.tables.keys(), self.tables.values()))}
{self._digits()}
</html>
"""

    def _first(self) -> str:
        """Return the page for those who decide: the answer, a chart, what turns it, what is next.

        Then the threats that cannot turn it.
        """
        of, measure = self.pairing, str(self.pairing.measure)
        verdict, turning = of.verdict, of.verdict.turning
        frame = comparison_tables.queries(of.comparison, measure, {})
        bands = pictures.bands(frame["delta"], self.dataset.query_texts, of.test.tie, _BARS)
        about = f"Delta in {measure}, B − A; convention: {of.measure.label(of.convention)}"
        chart = pictures.every_query(bands, "", about, verdict.sentence.text(), _BARS)
        steps = [_NEXT[each.kind] for each in turning if each.kind in _NEXT]
        use = f"{'Until then use' if steps else 'Use'} {of.leader(of.found.delta)}{_AND_READ}"
        steps.append(_THEN.get(verdict.outcome, use))
        others = [_threat(each) for each in verdict.threats if each not in turning]
        return f"""<section class="first">
<p class="verdict">{escape(verdict.sentence.text())}</p>
<figure>{chart}</figure>
<h2>What could turn it</h2>
{_list(map(_threat, turning), "Nothing that was tried.")}
<h2>What to do next</h2>
{_list(map(_escaped, dict.fromkeys(steps)))}
</section>
{f"<h2>Further remarks</h2>{_list(others)}" if others else ""}"""

    def _changed(self) -> str:
        """Return the queries on which B loses most, then those on which it gains most."""
        pairing, measure = self.pairing, str(self.pairing.measure)
        passage = self._passage if self.dataset.document_texts else None
        found, more = pairing.found, (self.dataset.query_texts, passage, pairing.test.tie)
        lost, won = (changed_most(pairing.comparison, measure, sign, *more) for sign in (-1, 1))
        return _changes("Regressions", "worse", lost, found.losses, measure) + _changes(
            "Gains", "better", won, found.wins, measure
        )

    def _passage(self, query: str, document: str) -> str:
        """Return the part of a document that has the words of a query."""
        words = terms(self.dataset.query_texts.get(query, ""))
        found = snippet(self.dataset.document_texts.get(document, ""), words, _PASSAGE)
        return "".join(piece for piece, _ in found)

    def _every_query(self) -> str:
        """Return the scores of each query by every measure."""
        compared, measure = self.pairing.comparison, str(self.pairing.measure)
        cutoff, texts = self.pairing.measure.cutoff, self.dataset.query_texts
        tables = {
            f"Every query, {measure}": every_query(compared, measure, cutoff, texts),
        }
        if len(self.pairing.measures) > 1:
            tables["Every query, the other measures"] = other_measures(compared, measure)
        return "".join(map(_section, tables.keys(), tables.values()))

    def _made(self) -> str:
        """Return the sections on method, caveats, and how to reproduce the numbers."""
        asked = self.pairing.measures, self.pairing.convention, self.pairing.test
        return f"""<h2>Method</h2>
{_list(map(_escaped, self.method()))}
<h2>Caveats</h2>
{_list(map(_escaped, self.caveats()))}
<h2>Reproduce these numbers</h2>
<pre>{escape(self.recipe.command(*asked))}</pre>
<pre>{escape(self.recipe.python(*asked))}</pre>"""

    def _digits(self) -> str:
        """Return the numbers in full precision, for programs; closed on screen and on paper."""
        content = {
            "means": FORMATS["json"](self.means),
            "queries": scores_as_json(self.pairing.comparison),
        }
        blocks = (
            f'<details><summary>{name.capitalize()} as JSON</summary><pre id="{name}">'
            f"{escape(numbers, quote=False)}</pre></details>"
            for name, numbers in content.items()
        )
        return "<h2>Numbers in full precision</h2>\n" + "\n".join(blocks)

    def method(self) -> list[str]:
        """Return sentences on the convention, the inputs, the test and the versions."""
        pairing, names = self.pairing, ("qrels", "run A", "run B")
        sentences = pairing.convention.sentences()
        choices = "; ".join(sentences[field.name] for field in fields(pairing.convention))
        files = zip(names, (pairing.qrels, pairing.a, pairing.b), strict=True)
        return [
            f"Convention: {pairing.convention.label}: {choices}.",
            *(f"{what}: {pairs.name or 'no name'}, {_size(pairs)}." for what, pairs in files),
            *([f"Only {self.dataset.part}."] if self.dataset.part else []),
            *self.made,
            f"Deltas up to {pairing.test.tie:g} are ties. Seed {pairing.test.seed}.",
            f"Rankscope {__version__}, Python {platform.python_version()}, "
            f"NumPy {numpy.__version__}, SciPy {scipy.__version__}.",
        ]

    def caveats(self) -> list[str]:
        """Return sentences on all that was left out, and on what is odd in the data."""
        compared, runs = self.pairing.comparison, self.pairing.runs[:2]
        return [
            *(f"Not in a run: {sentence}." for sentence in counted(compared)),
            *(f"Left out: {queries}." for queries in left_out(compared)),
            *audit.notes(self.dataset.of(*runs)),
            *audit.not_kept(*runs),
        ]


def _size(pairs: Pairs | JudgedRankings) -> str:
    """Return what a file holds, and its digest where it is known."""
    queries = text.count(len(pairs.queries), "query", "queries")
    if isinstance(pairs, Pairs):
        return f"{queries}, {text.count(len(pairs), 'row')}, digest {pairs.digest}"
    rows = text.count(int(pairs.retrieved.sum()), "row")
    digest = f", digest of the run {pairs.digest}" if pairs.digest else ""
    return f"judged rankings, {queries} evaluated, {rows}{digest}"


def default_title(pairing: Pairing) -> str:
    """Return the title of a report that names both runs."""
    return f"{pairing.a.name} (A) against {pairing.b.name} (B)"


def _list(items: Iterable[str], none: str = "None found.") -> str:
    """Return HTML as a list, or that there is none."""
    return f"<ul>{''.join(f'<li>{each}</li>' for each in items) or f'<li>{none}</li>'}</ul>"


def _threat(found: Statement) -> str:
    """Return a threat with its title, which says so where the other run leads."""
    title = f"{TITLES[found.kind]}{f' ({REVERSED})' if found.reverses else ''}"
    return f"<strong>{title}</strong>: {escape(found.text())}"


def _changes(heading: str, how: str, table: Table, number: int, measure: str) -> str:
    """Return the table of queries that changed most, and how many there are."""
    queries = text.count(number, "query", "queries")
    if not table.rows:
        return f"<h2>{heading}</h2>\n<p>B is {how} on no query.</p>\n"
    listed = f"the {len(table.rows)} largest of " if len(table.rows) < number else ""
    return (
        f"<h2>{heading}: B is {how} on {queries}</h2>\n"
        f'<p class="small">By {measure}; {listed}{queries}, largest first. Every query is in a '
        f"table below.</p>\n{html(table)}\n"
    )


def _section(heading: str, table: Table) -> str:
    labels = "; ".join(f"{name}: {value}" for name, value in table.labels.items())
    note = f'<p class="small">{_escaped(labels.rstrip(".;"))}.</p>' if labels else ""
    wide = ' class="wide"' if len(table.columns) > _WIDE else ""
    return f"<section{wide}><h2>{_escaped(heading)}</h2>\n{html(table)}{note}</section>\n"


def _figure(heading: str, drawn: str) -> str:
    return f"<figure><h2>{_escaped(heading)}</h2>\n{drawn}</figure>\n"


def _escaped(words: str) -> str:
    """Return escaped text in which invisible and direction-changing characters are visible."""
    return escape(text.visible(words))
