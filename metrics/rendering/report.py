"""A comparison as one HTML file to send or to print; without streamlit."""

import io
import platform
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import partial
from html import escape

import numpy
import pandas as pd
import scipy

from ..agreement.corrected import CorrectedPairing
from ..auditing import audit
from ..colours import A
from ..comparing.leaderboard import MOST
from ..comparing.robustness import that_change_a_delta
from ..comparing.slices import most_instructive
from ..data import Pairs, Qrels
from ..dataset import Dataset
from ..deciding import Pairing, Statement
from ..deciding.statement import words
from ..defaults import ALPHA
from ..errors import DataError
from ..matching.judged import JudgedRankings
from ..version import __version__
from ..writing import Table
from ..writing.as_json import as_json
from ..writing.comparison import (
    DIRECTION,
    TITLES,
    answer_table,
    by_cutoff,
    changed_most,
    every_query,
    from_inputs,
    leaderboard_table,
    of_attributes,
    pairs_table,
    queries_table,
    scores_as_json,
)
from ..writing.corrected import corrected_lead, corrected_table
from ..writing.html import STYLE as OF_TABLES
from ..writing.ledger_lines import LABELS, lines
from ..writing.reproduce import Recipe, as_input, input_name
from ..writing.section import Section, as_html, inline, place, said
from ..writing.svg import WIDTH
from ..writing.table import as_integer
from . import comparison_tables, comparison_text, joined_lists, pictures, text
from .comparison_charts import means_by_cutoff
from .snippets import snippet, terms


def recipe(pairing: Pairing) -> Recipe:
    """Return how to reproduce a comparison's numbers from the files of `inputs`."""
    qrels, a, b, *exclude = (input_name(*each) for each in _inputs(pairing).items())
    return Recipe((qrels, a, b), exclude="".join(exclude))


def inputs(pairing: Pairing) -> bytes:
    """Return the qrels, both runs and the exclusions, if there are some, as a zip archive."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
        for stem, pairs in _inputs(pairing).items():
            packed.writestr(input_name(stem, pairs), as_input(pairs))
    return stream.getvalue()


def _inputs(pairing: Pairing) -> dict[str, Pairs | JudgedRankings]:
    """Return each input by its file's name without extension."""
    found: dict[str, Pairs | JudgedRankings] = {"qrels": pairing.qrels}
    found |= zip(("a", "b"), pairing.runs[:2], strict=True)
    if excluded := pairing.qrels.excluded:
        found["exclude"] = Qrels.from_dict({query: sorted(of) for query, of in excluded.items()})
    return found


def from_dataset(table: Table, pairing: Pairing, dataset: Dataset) -> Table:
    """Return a comparison's table with the filter of its data, and how the inputs were read.

    The rules applied in reading are sentences, for readers and for programs.
    """
    rules = audit.assumed(pairing.qrels, pairing.a, pairing.b)
    labels = {
        "queries": dataset.part,
        "grades": dataset.judged_by,
        "rules applied in reading": " ".join(rules),
    }
    facts = {"filter": dataset.part, "rules_applied": rules}
    return table.saying(
        labels={**table.labels, **{name: words for name, words in labels.items() if words}},
        facts={**table.facts, **{name: value for name, value in facts.items() if value}},
    )


def file_name(pairing: Pairing, dataset: Dataset, what: str, extension: str) -> str:
    """Return a name that says what CSV, which has rows only, cannot: the runs and the filter.

    Examples
    --------
    >>> from metrics import Convention, Qrels, Run
    >>> a, b = (Run.from_dict({}, name) for name in ("bm25", "my <b>run"))
    >>> of = Dataset("", Qrels.from_dict({}), (a, b))
    >>> pairing = Pairing.of(of.qrels, of.runs, "AP", Convention(gain="exponential"))
    >>> file_name(pairing, of, "queries", "csv")
    'bm25-my_b_run-queries-gain_exponential.csv'
    """
    words = pairing.a.name, pairing.b.name, what, dataset.part
    return f"{text.file_stem(words, pairing.convention)}.{extension}"


def each_query(pairing: Pairing, dataset: Dataset) -> Table:
    """Return each query's scores: measure, query, A, B and delta."""
    table = from_inputs(queries_table(pairing.comparison, means=False), pairing)
    return from_dataset(table, pairing, dataset)


def means(pairing: Pairing, dataset: Dataset) -> Table:
    """Return the evidence of each measure, with the verdict and the inputs."""
    return from_dataset(answer_table(pairing), pairing, dataset)


def all_runs(pairing: Pairing, dataset: Dataset) -> dict[str, Table]:
    """Return the tables of all runs, by heading; empty for two runs."""
    if len(dataset.rankings) <= 2:
        return {}
    try:
        board = replace(pairing, runs=dataset.rankings[:MOST]).leaderboard
    except DataError as error:
        return {"All runs": Table.of(["not compared"], [[str(error)]])}
    every = text.count(len(dataset.rankings), "run")
    some = {"runs": f"the first {MOST} of {every}"} if len(dataset.rankings) > MOST else {}
    standings, pairs = leaderboard_table(board), pairs_table(board)
    return {
        f"All runs, mean {pairing.measure}": standings.saying(labels=dict(standings.labels) | some),
        "Every pair of runs": pairs.saying(labels={"delta": "run − minus", **pairs.labels} | some),
    }


_STYLE = """
body { font-size: 15px; line-height: 1.5; max-width: 78em; margin: 2em auto; padding: 0 1em;
  color: #111318; overflow-wrap: anywhere; } :is(h1, h2, .verdict) { line-height: 1.25; }
h1 { font-size: 1.1em; margin: 0; } h2 { font-size: 1.3em; margin: 1.6em 0 0.4em; }
p { margin: 0.3em 0; text-wrap: pretty; } .first ul { max-width: 60em; margin-block: 0.3em; }
.verdict { font-size: 1.9em; font-weight: 600; margin-top: 0.6em; } .verdict b { font-weight: 600; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
td { vertical-align: top; } td.text { overflow-wrap: anywhere; min-width: 13em; }
th, td { border-bottom: 1px solid #ddd; padding: 0.2em 0.7em; text-align: right; }
th { vertical-align: bottom; font-weight: 400; border-color: #111318; }
th:not(.A, .B) { color: #555; } .text, .id { text-align: left; } td.id { white-space: nowrap; }
:root { color-scheme: light; } th:first-child, td:first-child { padding-left: 0; }
figure { margin: 1em 0; } svg { display: block; max-width: 100%; height: auto; }
.by, .small { color: #555; } .small { font-size: 0.9em; } a { color: inherit; }
pre { background: #f4f4f4; border: 1px solid #ccc; padding: 0.8em; white-space: pre-wrap; }
figure + figure { display: none; } nav { margin: 0.6em 0; font-size: 0.9em; line-height: 1.9; }
ul:has(> li:only-child) { list-style: none; padding: 0; } @media screen and (min-width: 64em) {
  .first { display: grid; grid-template: repeat(10, auto) 1fr / 3fr 2fr; column-gap: 2.5em; }
  .first > * { grid-column: 2; } .first > :is(p, nav) { grid-column: 1 / -1; }
  .first > figure { grid-area: 5 / 1 / 12; margin-left: -1em; } .first h2 { margin-top: 1em; } }
@media screen and (max-width: 82em) { table, figure { display: block; } svg > rect { fill: none; } }
@media screen and (max-width: 40em) { figure + figure { display: block; }
  figure:has(+ figure) { display: none; } [id^=Every] + * td:nth-child(4) { padding-left: 0.5em; }
  :is([id^=Regressions], [id^=Gains]) + table td { &:not(.id, .text) { flex: none;
    & + :is(.id, .text) { flex: 1 0 100%; justify-content: start; font-weight: 600; } }
    &:is(.id, .text) + :nth-last-child(5) { flex: 1 0 100%; font-weight: 400; color: #555; } }
  .verdict { font-size: 1.4em; } [id^=By-cutoff] ~ table tr > td { flex: 1 0 29%;
    &:first-child { flex-basis: 40%; order: -2; } &:last-child { flex-basis: 40%; order: -1; } } }
@page { size: A4; margin: 12mm; @bottom-right { content: counter(page) " / " counter(pages);
  font: 8pt system-ui, sans-serif; color: #555; } }
@media print { .screen { display: none; } figure { margin: 0.3em 0; } h2 { margin-top: 1.1em; }
  body { font-size: 9.5pt; max-width: none; margin: 0; padding: 0; } .verdict { font-size: 1.6em; }
  table { font-size: 8pt; } th, td { padding: 0.15em 0.35em; } td.text { min-width: 15em; }
  svg { max-width: 80%; } .first svg { max-width: 95%; } pre { font-size: 8pt; padding: 0.5em; }
  tr, figure, li, pre, table:not(:has(tr:nth-child(9))) { break-inside: avoid; }
  section:has(> [id^=By-cutoff]) { display: grid; grid: auto / 310px 1fr; column-gap: 1em;
    break-inside: avoid; > :not(table, figure) { grid-column: 1 / -1; }
    > figure { display: block; } > figure:has(+ figure) { display: none; } svg { max-width: 100%; }
    > table { align-self: center; } }
  h2, h2 + ul:has(+ figure), thead, tr:nth-child(-n+2) { break-after: avoid; }
  .small, pre + pre, tr:nth-last-child(-n+2) { break-before: avoid; } }
"""
# The file runs no script and requests nothing from any server.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_PASSAGE = 48
"""At most this many characters of a document's text are in a table."""
_BARS = 10
"""At most this many queries of each band are on the first page."""
_ROOMS = WIDTH, 340.0
"""The pixels that a picture takes on a wide screen and on paper, and on a phone."""
_MISSING = {"–": "not retrieved, or without a grade"}
_FILES = "Ask its author for the three files: Rankscope saves them on Compare, More, Take away."
_DOCUMENTS = 15
"""At most this many documents are listed by what they change."""
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


def report(
    pairing: Pairing,
    dataset: Dataset,
    query: str,
    cover: Cover = NO_COVER,
    reproduced: Recipe | None = None,
    by_human: CorrectedPairing | None = None,
) -> str:
    """Return an HTML file with the charts and numbers of a comparison by the first measure.

    ``dataset`` has the texts and groups of queries, and all runs; ``query`` is shown document by
    document. ``reproduced`` are the files that reproduce the numbers, by default those of `inputs`.
    ``by_human``: the means as a person's grades correct them.
    """
    numbers = means(pairing, dataset)
    tables, again = _tables(pairing, dataset), reproduced or recipe(pairing)
    asked = pairing.measures, pairing.convention, pairing.test
    worse, better = _changes(pairing, dataset)
    parts = {
        "Regressions": [worse],
        "Gains": [better],
        "Means, intervals, tests": [Section(said("Means, intervals, tests"), tables=(numbers,))],
        **({_CORRECTED: [_corrected(by_human, pairing)]} if by_human else {}),
        "By cutoff": [*_by_cutoff(pairing)],
        f"Query {text.visible(query)}": [*_one_query(pairing, dataset, query)],
        **{title: [Section(said(title), tables=(each,))] for title, each in tables.items()},
        "Method": [Section(said("Method"), tuple(map(said, _method(pairing, dataset))))],
        "Caveats": [Section(said("Caveats"), tuple(map(said, _caveats(pairing, dataset))))],
        "Reproduce these numbers": [
            Section(
                said("Reproduce these numbers"),
                () if reproduced else (said(_FILES),),
                commands=(again.command(*asked),),
            ),
            Section(commands=(again.python(*asked),)),
        ],
    }
    first = {name: part[0].heading for name, part in parts.items() if part}
    links = [f'<a href="#{place(to)}">{escape(name)}</a>' for name, to in first.items() if to]
    sides = dict(zip(map(_escaped, pairing.names), "AB", strict=True))

    def coloured(name: str) -> str:
        return f'<b class="{sides[name]}">{name}</b>' if name in sides else name

    body = "\n".join(f"<section>{as_html(each, coloured)}</section>" for each in parts.values())
    names = Statement("sentence", "{} (A) against {} (B)", (pairing.a.name, pairing.b.name))
    title = _escaped(cover.title or default_title(pairing))
    author = f'\n<meta name="author" content="{_escaped(cover.author)}">'
    part = dataset.part and f"only {dataset.part}"
    by = [dataset.title, cover.title and default_title(pairing), part, cover.author, cover.date]
    digits = {"means": as_json(numbers), "queries": scores_as_json(pairing.comparison)}
    blocks = (
        f'<details><summary>{name.capitalize()} as JSON</summary><pre id="{name}">'
        f"{escape(content, quote=False)}</pre></details>"
        for name, content in digits.items()
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width">{author if cover.author else ""}
<title>{title}</title>
<style>.A:not(td), td.A::before {{ color: {A}; }} .B:not(td), td.B::before {{ color: #C25100; }}
{OF_TABLES}{_STYLE}</style>
<h1>{title if cover.title else inline(names, coloured)}</h1>
<p class="by">{" · ".join(_escaped(each) for each in by if each)}</p>
<section class="first">
<p class="verdict">{inline(replace(pairing.verdict.sentence, rest=""), coloured)}</p>
<p>{escape(comparison_text.evidence(pairing))}</p>
<p class="small">{escape(_counted(pairing))}</p>
<nav class="screen">{" · ".join(links)}</nav>
{as_html(_first(pairing, dataset), coloured)}
</section>
{body}
<section class="screen">
{as_html([Section(said("Numbers in full precision"))])}
{"".join(blocks)}
</section>
</html>
"""


_CORRECTED = "Corrected by a person"


def _corrected(found: CorrectedPairing, of: Pairing) -> Section:
    lead = replace(corrected_lead(found, of), kind="sentence")
    return Section(said(_CORRECTED), (lead,), (corrected_table(found),))


def _first(of: Pairing, dataset: Dataset) -> Iterator[Section]:
    """Return a chart, what turns the verdict, what is next, and the threats that cannot turn it."""
    measure, verdict, turning = str(of.measure), of.verdict, of.verdict.turning
    frame = comparison_tables.queries(of.comparison, measure, {})
    bands = pictures.bands(frame["delta"], dataset.query_texts, of.test.tie, _BARS)
    about = f"Delta in {measure}, B − A; {_convention(of)}"
    draw = partial(pictures.every_query, bands, "", about, verdict.sentence.text())
    steps = [_NEXT[each.kind] for each in turning if each.kind in _NEXT]
    use = f"{'Until then use' if steps else 'Use'} {of.leader(of.found.delta)}{_AND_READ}"
    steps.append(_THEN.get(verdict.outcome, use))
    yield Section(pictures=tuple(map(draw, _ROOMS)))
    # The same runs on more queries are the same.
    none = "More queries, judged." if verdict.outcome == "undecided" else "Nothing that was tried."
    yield Section(said("What could turn it"), turning or (said(none),))
    yield Section(said("What to do next"), tuple(map(said, dict.fromkeys(steps))))
    if others := tuple(each for each in verdict.threats if each not in turning):
        yield Section(said("Further remarks"), others)


def _changes(of: Pairing, dataset: Dataset) -> Iterator[Section]:
    """Return the queries on which B loses most, then those on which it gains most."""

    def passage(query: str, document: str) -> str:
        words = terms(dataset.query_texts.get(query, ""))
        found = snippet(dataset.document_texts.get(document, ""), words, _PASSAGE)
        return "".join(piece for piece, _ in found)

    shown = passage if dataset.document_texts else None
    sides = ("Regressions", "worse", -1, of.found.losses), ("Gains", "better", 1, of.found.wins)
    for heading, how, sign, number in sides:
        measure, queries = str(of.measure), text.count(number, "query", "queries")
        table = changed_most(of.comparison, measure, sign, dataset.query_texts, shown, of.test.tie)
        listed = f"the {len(table.rows)} largest of " if len(table.rows) < number else ""
        note = f"by {measure}; {listed}{queries}, largest first. Every query is in a table below"
        table = table.saying(labels={"listed": note, **_MISSING})
        title = f"{heading}: {{}} (B) is {how} on {queries if number else 'no query'}"
        of_b = Statement("sentence", title, (of.b.name,))
        yield Section(of_b, tables=(table,) if number else ())


def _by_cutoff(of: Pairing) -> Iterator[Section]:
    """Return the means by cutoff, also as numbers."""
    if of.measure.suffix == "cutoff":
        sides = means_by_cutoff(of.comparison, of.measure)
        about = f"Mean {of.measure.symbol} by cutoff k, in bands of 95 %; {_convention(of)}"
        note = "95 % interval of each run's mean (Student's t); they can overlap under a clear lead"
        table = by_cutoff(sides).saying(labels={"from, to": note})
        draw = partial(pictures.by_cutoff, sides, [run.name for run in of.runs[:2]], about)
        yield Section(said("By cutoff"), pictures=tuple(map(draw, _ROOMS)), tables=(table,))


def _one_query(of: Pairing, dataset: Dataset, query: str) -> Iterator[Section]:
    """Return both lists of a query, what each document changed, and the lines of both scores."""
    one, shown = of.one(query), str(of.measure)
    drawn = joined_lists.shown(one, dataset, joined_lists.depth(one))
    about = f"Dots: the grade, ? for none; bars: delta in {shown}, B − A; {_convention(of)}"
    documents = of.comparison.only([query]).documents(shown).drop(columns="query")
    documents.insert(1, "delta", documents.pop("delta"))
    largest = documents.sort_values("delta", key=abs, ascending=False, kind="stable")
    first = most_instructive(of.comparison, shown)
    why = comparison_text.why_first(first) if query == first.query else "the author chose it"
    draw = partial(pictures.one_query, drawn, about)
    reason = said(f"This query is shown because {why}.")
    yield Section(said(f"Query {query}: what each document changed"), (reason,))
    yield Section(pictures=tuple(map(draw, _ROOMS)), tables=(_of_documents(largest, shown),))
    for side, run in zip(one.sides, of.runs, strict=False):
        heading = f"Query {words(query)}: {shown} of {{}} ({side.name}), line by line"
        table = lines(side.ledger, query).saying(titles=LABELS, labels=_MISSING)
        yield Section(Statement("sentence", heading, (run.name,)), tables=(table,))


def _convention(of: Pairing) -> str:
    return f"convention: {of.measure.label(of.convention)}"


def _counted(of: Pairing) -> str:
    """Return what the verdict is about: the measure, its queries and the choices that affect it."""
    sentences = of.measure.under(of.convention).sentences()
    choices = "; ".join(sentences[name] for name in of.measure.choices if name != "negative")
    queries = text.count(len(of.comparison.queries), "query", "queries")
    return f"Mean {of.measure} of {queries}. {_convention(of).capitalize()} ({choices})."


def _tables(of: Pairing, dataset: Dataset) -> dict[str, Table]:
    """Return all other tables by heading: of queries, settings, groups, runs and documents."""
    compared, shown = of.comparison, str(of.measure)
    every = every_query(compared, shown, of.measure.cutoff, dataset.query_texts)
    tables = {f"Every query, {shown}": every}
    found, _ = that_change_a_delta(of.settings)
    settings = Table.of_frame(comparison_tables.settings(found).reset_index())
    labels = {
        "in short": comparison_text.settings(found, shown),
        "?": f"p ≥ {ALPHA:g}, not corrected, so the sign may be due to chance",
    }
    tables["Mean delta with other cutoffs and conventions"] = settings.saying(labels=labels)
    for each in of_attributes(of, dataset.groupings):
        name = text.visible(str(each.heading["attribute"]))
        tables[f"Queries by {name}, {shown}"] = each.saying(heading={})
    tables |= all_runs(of, dataset)
    totals = of.documents[of.documents["queries"] > 0].drop(columns="ranked").reset_index()
    listed = f"{min(len(totals), _DOCUMENTS)} of {text.count(len(totals), 'document')} that change"
    most = _of_documents(totals[:_DOCUMENTS], f"mean {shown}")
    tables["Documents that change the means most"] = most.saying(
        labels=dict(most.labels) | {"listed": f"{listed} a mean, the largest first"}
    )
    return tables


def _of_documents(frame: pd.DataFrame, of: str) -> Table:
    """Return documents, their shares ``of`` a score and their deltas; whole grades as integers."""
    if "grade" in frame:
        grades = pd.Series([as_integer(grade) for grade in frame["grade"]], frame.index, object)
        frame = frame.assign(grade=grades)
    titles = TITLES | {side: f"share of {of}, {side}" for side in "AB"}
    return Table.of_frame(frame).saying(labels={"direction": DIRECTION, **_MISSING}, titles=titles)


def _method(pairing: Pairing, dataset: Dataset) -> list[str]:
    """Return sentences on the convention, the inputs, the test and the versions."""
    sentences = pairing.convention.sentences()
    choices = "; ".join(sentences[field.name] for field in fields(pairing.convention))
    files = zip(("qrels", "run A", "run B"), (pairing.qrels, pairing.a, pairing.b), strict=True)
    return [
        f"Convention: {pairing.convention.label}: {choices}.",
        *(f"{what}: {pairs.name or 'no name'}, {_size(pairs)}." for what, pairs in files),
        *([f"Only {dataset.part}."] if dataset.part else []),
        f"Deltas up to {pairing.test.tie:g} are ties. Seed {pairing.test.seed}.",
        f"Rankscope {__version__}, Python {platform.python_version()}, "
        f"NumPy {numpy.__version__}, SciPy {scipy.__version__}.",
    ]


def _caveats(pairing: Pairing, dataset: Dataset) -> list[str]:
    """Return sentences on all that was left out, and on what is odd in the data."""
    compared, runs = pairing.comparison, pairing.runs[:2]
    found = [
        *comparison_text.aside(compared, text.visible),
        *audit.notes(dataset.of(*runs)),
        *audit.not_kept(*runs),
    ]
    return found or ["None found."]


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


def _escaped(words: str) -> str:
    """Return escaped text in which invisible and direction-changing characters are visible."""
    return escape(text.visible(words))
