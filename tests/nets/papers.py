"""Net of papers: reports, every file that the pages save, and what a notebook shows of a value."""

from __future__ import annotations

import contextlib
import io
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from metrics import charts, compare
from metrics.sessions.session_file import is_session
from metrics.teaching.exercises import KINDS, LEVELS
from metrics.teaching.samples import catalogue
from tests.nets import commands, content
from tests.nets.app import shown, steady
from tests.nets.kept import of_archive, of_table
from tests.nets.master import Entries
from tests.nets.screens import ready

TEXTS = {"--queries": "queries.tsv", "--texts": "documents.tsv", "--groups": "groups.tsv"}
SHOP_RUNS = "shop_search/qrels.txt shop_search/bm25.run shop_search/char_ngrams.run"
PAST = "shop_search/past/bm250.judged.parquet shop_search/past/char_ngrams1.judged.parquet"
SETTINGS = f"""\
{SHOP_RUNS} -m AP RR P@5 --convention ranx
{SHOP_RUNS} --test t --tie 0.05 --seed 7 --set gain=exponential
{SHOP_RUNS} -m Bpref --test none
shop_search/qrels.txt shop_search/bm25.run shop_search/bm25.run
shop_search/qrels.txt {PAST}
off/qrels.json off/a.json off/b.json --join-parts
printed/two-retrievers/qrels.json printed/two-retrievers/a.json printed/two-retrievers/b.json
"""
"""What more reports are asked of."""
SAVING = """\
compare_runs?data=shop
compare_runs?q=q12&k=5&gain=exponential&test=t
compare_runs?group=a question&measure=AP&k=0
compare_runs?b=ideal&runs=bm25|ideal|char_ngrams
compare_runs?a=ideal&measure=RR&beside=RR|ERR@10
compare_runs?data=ambiguous
compare_runs?data=two-judges
compare_runs?data=reranking
compare_runs?data=two-retrievers
judged.zip > compare_runs?data=yours
hostile.zip > compare_runs?data=yours
markup.zip > compare_runs?data=yours
unjudged.zip > compare_runs?data=yours
everything.zip > compare_runs?data=yours
edits.zip > compare_runs?data=shop
"""
"""Comparisons, each with its report and with all that its tabs save."""
OTHERS = """\
inspect_query
inspect_query?example=shop&query=q20&k=7&gain=exponential
inspect_query?example=shop&query=q22&measure=AP&k=0
inspect_query?example=ambiguous&query=java
inspect_query?example=two-judges&measure=RBP&p=0.9
inspect_query?example=shop&measure=infAP&query=q01
inspect_query?measure=Bpref
inspect_query?measure=ERR
hostile.zip > inspect_query?example=yours
edits.zip > inspect_query?example=shop&query=q01
judge?example=shop
judge?example=ambiguous
judge?example=two-judges&judging=Two judges
edits.zip > judge?example=shop&query=q02
markup.zip > inspect_query?example=yours
markup.zip > judge?example=yours
hostile.zip > judge?example=yours
everything.zip > judge?example=yours&judging=Two judges
data
hostile.zip
markup.zip
everything.zip
edits.zip
edits_of_aspects.zip
"""
"""Other pages that save files."""
_TABS = "Results", "Queries", "By cutoff", "All runs", "Take away"
_OPENED = {"compare_runs": "share_comparison", "inspect_query": "export_ledgers"}
"""What is closed on a page until it is asked for, and has files."""


def entries() -> Entries:
    """Yield each file, the texts of packed ones and the columns of Parquet files."""
    yield from _reports()
    yield from saved(_addresses())
    yield from _notebook()


def _reports() -> Entries:
    """Yield the reports that the command line writes."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        commands.write_files()
        for words in _asked():
            Path("report.html").unlink(missing_ok=True)
            printed = commands.printed(["compare", *words, "--report", "report.html"])
            written = Path("report.html").exists()
            text = steady(Path("report.html").read_text("utf-8")) if written else printed
            yield f"report {' '.join(words)}", text


def _asked() -> Iterator[list[str]]:
    """Yield the words of each report: samples with texts and without, settings, situations."""
    for name, files in commands.SAMPLES.items():
        words = [f"{name}/{file}" for file in files]
        found = {option: f"{name}/{file}" for option, file in TEXTS.items()}
        texts = [(option, path) for option, path in found.items() if Path(path).exists()]
        yield words
        yield [*words, *(word for pair in texts for word in pair)]
    yield from map(str.split, SETTINGS.splitlines())
    for name, case in commands.cases().items():
        files = (f"situations/{name}/{file}.json" for file in ("qrels", "a", "b"))
        yield [*files, "-m", *case.measures]


def saved(addresses: Iterable[str]) -> Entries:
    """Yield the files that the page at each address saves; the same file once."""
    known: set[tuple[str, str]] = set()
    with ready():
        for address in addresses:
            for number, (name, data) in enumerate(shown(address).files):
                text = content.said(lambda data=data: _lines(data))
                if (name, text) not in known:
                    known.add((name, text))
                    yield f"{address} saves {number} {name}", text


def _addresses() -> Iterator[str]:
    for each in SAVING.splitlines():
        yield f"{each}#{_OPENED['compare_runs']}"
        yield from (f"{each}&look={tab}" for tab in _TABS)
    for each in OTHERS.splitlines():
        page = each.split(" > ")[-1].split("?")[0]
        yield f"{each}#{_OPENED[page]}" if page in _OPENED else each
    for kind in KINDS:
        yield from (f"practice?kind={kind}&difficulty={level}&no=4" for level in LEVELS)


def _lines(data: Any) -> Iterator[str]:
    """Yield what a file holds; a function makes it when it is saved."""
    data = data() if callable(data) else data
    if isinstance(data, str):
        yield steady(data)
    elif data.startswith(b"PAR1"):
        yield from of_table(data)
        yield f"described {pd.read_parquet(io.BytesIO(data)).attrs}"
    elif is_session(data):
        yield from map(steady, of_archive(data))
    elif data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                yield f"{name}:"
                yield from _lines(archive.read(name))
    else:
        yield steady(data.decode("utf-8", "backslashreplace"))


def _notebook() -> Entries:
    """Yield the cells and the charts of values."""
    for key in ("shop", "ambiguous"):
        data = catalogue()[key].load()
        measures = ["nDCG@5", "AP", "RR"]
        compared = compare(data.qrels, *data.runs, measures)
        ledger = compared.a.ledger(measures[0])
        query = compared.queries[1]
        for value in (data.qrels, data.runs[0], compared, compared.a, ledger):
            yield f"{key}, a cell of {type(value).__name__}", value._repr_html_()
        drawn = {
            "waterfall": charts.waterfall(compared, measures[0], query),
            "deltas": charts.deltas(compared, measures[1]),
            "by_cutoff": charts.by_cutoff(compared, measures[0]),
            "running_total": charts.running_total(ledger, query),
        }
        yield from ((f"{key}, chart {name}", each.to_json()) for name, each in drawn.items())
