"""What is on Compare, to take away: a report, tables, each query's scores, and how to repeat it."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from metrics import Comparison, DataError, Dataset, Run, compare, evaluate, trace
from metrics.auditing.audit import assumed
from metrics.comparing.evidence import by_group, intervals
from metrics.comparing.leaderboard import MOST, leaderboard
from metrics.comparing.robustness import settings, that_matter
from metrics.writing import FORMATS, Table
from metrics.writing.comparison import DIRECTION, TITLES, about, evidence_table, named
from metrics.writing.ledger_lines import lines as ledger_lines
from metrics.writing.recipe import Again, as_input, input_name
from metrics.writing.table import whole

from ..render import (
    comparison_charts,
    comparison_tables,
    comparison_text,
    delta_charts,
    document_charts,
    text,
)
from ..render.report import Report
from . import overview
from .context import Look
from .documents import LISTED

CURVE_CUTOFFS = (1, 2, 3, 5, 10, 20, 50, 100)
STEMS = ("qrels", "a", "b")


def take_away(look: Look) -> None:
    """Downloads, made when they are asked for, and the lines that give the same numbers."""
    asked, shown, measures = look.asked, str(look.measure), list(look.rows)
    # What is made later is made outside the session: it gets all it needs now.
    two = look.two
    of_qrels, *of_runs = map(input_name, STEMS, (look.dataset.qrels, *two))
    files = of_qrels, of_runs[0], of_runs[1]
    again = Again(files, measures, look.convention, asked.test, asked.tie, asked.seed)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Report**: one HTML file with its charts and numbers, to open anywhere")
        st.download_button(
            "Download the report",
            partial(_report, look, two, again),
            on_click="ignore",
            file_name="rankscope-report.html",
            mime="text/html",
            type="primary",
        )
        st.markdown("**The table above**")
        table = evidence_table(look.rows, look.comparison, asked.test, asked.seed)
        made = _made(look.dataset, two, look.comparison)
        table = table.saying(labels=made | dict(table.labels))
        with st.container(horizontal=True):
            for name, (title, end) in _FORMATS.items():
                st.download_button(
                    title,
                    FORMATS[name](table),
                    on_click="ignore",
                    file_name=f"comparison.{end}",
                    key=f"table_as_{name}",
                )
        st.markdown(f"**Each query's scores** in {', '.join(measures)}")
        with st.container(horizontal=True):
            for title, write in (("CSV", _csv), ("Parquet", _parquet)):
                st.download_button(
                    title,
                    partial(write, look.dataset, two, again),
                    on_click="ignore",
                    file_name=f"queries.{title.lower()}",
                    key=f"queries_as_{title}",
                )
        st.caption(
            "All have full precision but Markdown and LaTeX, which have four decimals. In CSV, an "
            "apostrophe stands before what a spreadsheet would run as a formula."
        )
    with right:
        st.markdown("**Get the same numbers again**, from these three files")
        st.download_button(
            "Download qrels and both runs",
            partial(_inputs, look.dataset, two),
            on_click="ignore",
            file_name="inputs.zip",
        )
        st.code(again.command(), language="bash", wrap_lines=True)
        st.caption(f"This query alone, document by document, in {shown}:")
        alone = replace(again, measures=[shown])
        st.code(alone.command(look.picked), language="bash", wrap_lines=True)
        st.code(again.python(), language="python", wrap_lines=True)


def _compared(dataset: Dataset, two: tuple[Run, Run], again: Again) -> Comparison:
    return compare(dataset.qrels, *two, again.measures, again.convention)


def _each(dataset: Dataset, two: tuple[Run, Run], again: Again) -> Table:
    """Measure, query, A, B, delta: a row for each query by each measure."""
    compared = _compared(dataset, two, again)
    every = {name: compared.per_query(name) for name in compared.a.ledgers}
    table = Table.of_frame(pd.concat(every, names=["measure", "query"]).reset_index())
    return table.saying(labels=_made(dataset, two, compared) | about(compared))


def _made(dataset: Dataset, two: tuple[Run, Run], compared: Comparison) -> dict[str, str]:
    """From which runs, under which convention and by which rules of reading a table was made."""
    rules = " ".join(assumed(dataset.qrels, *two))
    said = {"rules applied in reading": rules} if rules else {}
    return named(two[0].name, two[1].name, compared) | said


def _csv(dataset: Dataset, two: tuple[Run, Run], again: Again) -> str:
    return FORMATS["csv"](_each(dataset, two, again))


def _parquet(dataset: Dataset, two: tuple[Run, Run], again: Again) -> bytes:
    table, stream = _each(dataset, two, again), io.BytesIO()
    # The same columns as in CSV: labels hold for every row.
    frame = pd.DataFrame(table.rows, columns=list(table.columns)).assign(**table.labels)
    frame.to_parquet(stream, index=False)
    return stream.getvalue()


def _inputs(dataset: Dataset, two: tuple[Run, Run]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
        for stem, pairs in zip(STEMS, (dataset.qrels, *two), strict=True):
            packed.writestr(input_name(stem, pairs), as_input(pairs))
    return stream.getvalue()


def _report(look: Look, two: tuple[Run, Run], again: Again) -> str:
    """The report, with the charts of the measure and the query at hand."""
    dataset, convention, shown, label = look.dataset, look.convention, str(look.measure), look.label
    compared = _compared(dataset, two, again)
    drawn = {
        f"Delta of each query, {shown}": delta_charts.deltas(
            look.frame, shown, look.picked, label, again.tie
        ),
        "A against B": comparison_charts.agreement(look.frame, shown, look.picked, label),
    }
    if look.measure.suffix == "cutoff":
        names = {k: str(replace(look.measure, cutoff=k)) for k in CURVE_CUTOFFS}
        wide = compare(dataset.qrels, *two, names.values(), convention)
        sides = {
            side: frame.set_axis(list(names))
            for side, frame in intervals(wide, names.values(), again.seed).items()
        }
        drawn["By cutoff"] = comparison_charts.curves(sides, look.measure.symbol, label)
    found, _ = that_matter(
        settings(dataset.qrels, *two, look.measure, convention, again.test, again.seed)
    )
    said = comparison_text.settings(found, shown)
    drawn["Other cutoffs and conventions"] = comparison_charts.sign_map(found, said)
    documents = compared.documents(shown)
    documents = documents[documents["query"] == look.picked]
    drawn[f"Query {look.picked}: what each document changed"] = document_charts.waterfall(
        documents, shown, label
    )
    totals = compared.document_totals(shown).drop(columns="ranked").reset_index()[:LISTED]
    lines = {
        f"Query {look.picked}: its documents": _documents(documents.drop(columns="query")),
        "Documents that change the means most": _documents(totals),
    }
    for side, run in zip("AB", two, strict=True):
        entry = trace(dataset.qrels, run, look.measure, look.picked, convention)
        heading = f"Query {look.picked}: the lines that sum to {side}'s {shown}"
        lines[heading] = ledger_lines(entry, look.picked)
    if dataset.query_groups:
        asked = again.test, again.tie, again.seed
        groups = by_group(compared, shown, dataset.query_groups, *asked)
        table = evidence_table(groups, compared, again.test, again.seed)
        lines[f"Groups of queries, {shown}"] = replace(table, columns=("group", *table.columns[1:]))
    lines |= _all_runs(dataset, shown, again)
    rows = look.rows
    sentence = text.plain(overview.verdict(rows, shown, look.asked))
    made = look.contenders.explained(look.pair)
    return Report(dataset, two, sentence, compared, rows, again, drawn, lines, made).document()


def _documents(frame: pd.DataFrame) -> Table:
    """Documents and their deltas, with grades as whole numbers where they are."""
    if "grade" in frame:
        grades = pd.Series([whole(grade) for grade in frame["grade"]], frame.index, object)
        frame = frame.assign(grade=grades)
    return Table.of_frame(frame).saying(labels={"direction": DIRECTION}, titles=TITLES)


def _all_runs(dataset: Dataset, shown: str, again: Again) -> dict[str, Table]:
    """All runs side by side, where there are more than two."""
    if len(dataset.runs) <= 2:
        return {}
    runs = dataset.runs[:MOST]
    scores = {run.name: evaluate(dataset.qrels, run, shown, again.convention) for run in runs}
    try:
        board = leaderboard(scores, shown, again.test, again.tie, again.seed)
    except DataError as error:
        return {"All runs": Table.of(["not compared"], [[str(error)]])}
    given = text.count(len(dataset.runs), "run")
    some = {"runs": f"the first {MOST} of {given}"} if len(dataset.runs) > MOST else {}
    standings = Table.of_frame(comparison_tables.standings(board).reset_index())
    pairs = Table.of_frame(comparison_tables.pairs(board).reset_index())
    return {
        f"All runs, mean {shown}": standings.saying(labels=some),
        "Every pair of runs": pairs.saying(
            labels={"direction": "delta = first − second place"} | some
        ),
    }


_FORMATS = {
    "markdown": ("Markdown", "md"),
    "latex": ("LaTeX", "tex"),
    "csv": ("CSV", "csv"),
    "json": ("JSON", "json"),
}
"""The tables' formats, and how each is called and its files end."""
