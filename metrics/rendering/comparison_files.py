"""The downloads of a comparison; without streamlit."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from ..auditing.audit import assumed
from ..comparing.comparison import Comparison, compare
from ..comparing.evidence import Evidence, PairedTest, by_group
from ..comparing.leaderboard import MOST, leaderboard
from ..comparing.one_query import one_query
from ..comparing.robustness import settings, that_change_a_delta
from ..conventions.convention import Convention
from ..dataset import Dataset
from ..deciding import Verdict
from ..errors import DataError
from ..judging.judged import Rankings
from ..scoring.evaluate import evaluate
from ..scoring.naming import parse
from ..words import visible
from ..writing import Table
from ..writing.as_json import as_json, described
from ..writing.comparison import DIRECTION, TITLES, evidence_table, from_inputs, queries_table
from ..writing.delimited import for_spreadsheets
from ..writing.leaderboard import leaderboard_table
from ..writing.ledger_lines import lines as ledger_lines
from ..writing.query_tables import by_cutoff
from ..writing.reproduce import Again, as_input, input_name
from ..writing.table import whole
from ..writing.verdict import verdict_facts
from . import (
    comparison_charts,
    comparison_tables,
    comparison_text,
    delta_charts,
    text,
    waterfall_chart,
)
from .charts import Chart
from .report import NO_COVER, Cover, Report

STEMS = ("qrels", "a", "b")
"""The names of the inputs, without their extensions."""


def reproduction(
    dataset: Dataset,
    two: tuple[Rankings, Rankings],
    measures: Sequence[str],
    convention: Convention,
    paired_test: PairedTest,
) -> Again:
    """Return how to reproduce a comparison's numbers from the files of `inputs`."""
    qrels, a, b = map(input_name, STEMS, (dataset.qrels, *two))
    return Again((qrels, a, b), measures, convention, paired_test)


def inputs(dataset: Dataset, two: tuple[Rankings, Rankings]) -> bytes:
    """Return the qrels and both runs as a zip archive."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
        for stem, pairs in zip(STEMS, (dataset.qrels, *two), strict=True):
            packed.writestr(input_name(stem, pairs), as_input(pairs))
    return stream.getvalue()


def from_dataset(table: Table, dataset: Dataset, two: tuple[Rankings, Rankings]) -> Table:
    """Return a comparison's table with its inputs: names, digests, filter, and how they were read.

    The rules applied in reading are sentences, for readers and for programs.
    """
    table, rules = from_inputs(table, dataset.qrels, *two), assumed(dataset.qrels, *two)
    labels = {"queries": dataset.part, "rules applied in reading": " ".join(rules)}
    facts = {"filter": dataset.part, "rules_applied": rules}
    return table.saying(
        labels={**table.labels, **{name: words for name, words in labels.items() if words}},
        facts={**table.facts, **{name: value for name, value in facts.items() if value}},
    )


def file_name(
    dataset: Dataset,
    two: tuple[Rankings, Rankings],
    convention: Convention,
    what: str,
    extension: str,
) -> str:
    """Return a name that says what CSV, which has rows only, cannot: the runs and the filter.

    Examples
    --------
    >>> from metrics import Qrels, Run
    >>> a, b = (Run.from_dict({}, name) for name in ("bm25", "my <b>run"))
    >>> of = Dataset("", Qrels.from_dict({}), (a, b))
    >>> file_name(of, (a, b), Convention(gain="exponential"), "queries", "csv")
    'bm25-my_b_run-queries-gain_exponential.csv'
    """
    return named((*(run.name for run in two), what, dataset.part), convention, extension)


def named(words: Iterable[str], convention: Convention, extension: str) -> str:
    """Return the name of a file: these words, then the convention.

    Examples
    --------
    >>> named(["q1", "AP@5"], Convention(), "tex")
    'q1-AP@5-trec_eval.tex'
    """
    return f"{_stem(words, convention)}.{extension}"


def _stem(words: Iterable[str], convention: Convention | None) -> str:
    if convention:
        changed = [f"{name}_{getattr(convention, name)}" for name in convention.differences()]
        words = (*words, "-".join(changed or ["trec_eval"]))
    parts = (re.sub(r"[^\w.@-]+", "_", word)[:_LONGEST] for word in words if word)
    return "-".join(parts).lstrip(".-")


_LONGEST = 40
"""At most this many characters of each part are in the name of a file."""


@dataclass(frozen=True)
class Source:
    """The numbers of a chart, which every file of it says.

    Attributes
    ----------
    names
        The data, the runs and the query; an empty text counts as none.
    measure
        The measure with its cutoff; none if the chart itself says all that it shows.
    convention
        None if the numbers do not depend on it, such as numbers of documents.
    """

    names: tuple[str, ...]
    measure: str = ""
    convention: Convention | None = None

    def file(self, chart: str) -> str:
        """Return the name of the chart's file, without its extension.

        Examples
        --------
        >>> Source(("my run", ""), "AP@5", Convention(ap="capped")).file("deltas")
        'my_run-AP@5-deltas-ap_capped'
        """
        return _stem((*self.names, self.measure, chart), self.convention)

    @property
    def sentence(self) -> str:
        """The line below the picture in the file; invisible characters are shown.

        Examples
        --------
        >>> Source(("my run", "q\u202e1"), "AP@5", Convention()).sentence
        'my run; q⟨U+202E⟩1; AP@5; convention: trec_eval'
        """
        names = (text.shortened(visible(name), _LONGEST) for name in self.names if name)
        label = f"convention: {self.convention.label}" if self.convention else ""
        return "; ".join(filter(None, [*names, self.measure, label]))


def csv(dataset: Dataset, two: tuple[Rankings, Rankings], again: Again) -> bytes:
    """Return each query's scores as CSV for a spreadsheet: measure, query, A, B and delta."""
    return for_spreadsheets(_each_query(dataset, two, again))


def json(dataset: Dataset, two: tuple[Rankings, Rankings], again: Again) -> str:
    """Return the rows of `csv` as JSON, with every id unchanged."""
    return as_json(_each_query(dataset, two, again))


def parquet(dataset: Dataset, two: tuple[Rankings, Rankings], again: Again) -> bytes:
    """Return the columns of `csv` as Parquet; its metadata hold the facts of the JSON tables."""
    table, stream = _each_query(dataset, two, again), io.BytesIO()
    frame = pd.DataFrame(table.rows, columns=list(table.columns))
    # pandas keeps these in the file, and `read_parquet` returns them.
    frame.attrs.update(described(table))
    frame.to_parquet(stream, index=False)
    return stream.getvalue()


def _each_query(dataset: Dataset, two: tuple[Rankings, Rankings], again: Again) -> Table:
    compared = compare(dataset.qrels, *two, again.measures, again.convention)
    return from_dataset(queries_table(compared, means=False), dataset, two)


def report(
    dataset: Dataset,
    two: tuple[Rankings, Rankings],
    again: Again,
    rows: Mapping[str, Evidence],
    found: Verdict,
    query: str,
    made: Sequence[str] = (),
    cover: Cover = NO_COVER,
) -> str:
    """Return an HTML file with the charts and numbers of a comparison by the first measure.

    Parameters
    ----------
    rows
        The evidence of each of ``again``'s measures.
    found
        The verdict by it, which takes seconds for thousands of queries.
    query
        The query to show document by document.
    made
        A sentence about each virtual run.
    """
    compared = compare(dataset.qrels, *two, again.measures, again.convention)
    drawn, twins = charts(dataset, two, again, compared, query)
    means = evidence_table(rows, compared, again.paired_test)
    means = means.saying(facts={"verdict": verdict_facts(found), **means.facts})
    return Report(
        dataset,
        two,
        found,
        compared,
        rows,
        from_dataset(means, dataset, two),
        again,
        drawn,
        twins | _tables(dataset, two, again, compared, query),
        made,
        cover,
    ).document()


def charts(
    dataset: Dataset, two: tuple[Rankings, Rankings], again: Again, compared: Comparison, query: str
) -> tuple[dict[str, Chart], dict[str, Table]]:
    """Return the report's charts, and the numbers that are in no other table, by heading."""
    measure, convention = parse(again.measures[0]), again.convention
    paired_test = again.paired_test
    shown, label = str(measure), measure.label(convention)
    frame = comparison_tables.queries(compared, shown, dataset.query_texts)
    drawn = {
        f"Delta of each query, {shown}": delta_charts.deltas(
            frame, shown, query, label, paired_test.tie
        ),
        "A against B": comparison_charts.agreement(frame, shown, query, label),
    }
    twins = {}
    if measure.suffix == "cutoff":
        sides = comparison_charts.means_by_cutoff(compared, measure)
        drawn["By cutoff"] = comparison_charts.curves(sides, measure.symbol, label)
        twins[f"Mean {measure.symbol} by cutoff, with 95 % intervals"] = by_cutoff(sides)
    found, _ = that_change_a_delta(
        settings(dataset.qrels, *two, measure, convention, paired_test.test, paired_test.seed)
    )
    summary = comparison_text.settings(found, shown)
    drawn["Other cutoffs and conventions"] = comparison_charts.sign_map(found, summary)
    each = Table.of_frame(comparison_tables.settings(found).reset_index())
    twins["Mean delta with other cutoffs and conventions"] = each.saying(
        labels={"?": "p ≥ 0.05, not corrected, so the sign may be due to chance"}
    )
    documents = compared.only([query]).documents(shown)
    drawn[f"Query {query}: what each document changed"] = waterfall_chart.waterfall(
        documents, shown, label
    )
    return drawn, twins


def _tables(
    dataset: Dataset, two: tuple[Rankings, Rankings], again: Again, compared: Comparison, query: str
) -> dict[str, Table]:
    """Return the tables that no chart shows, by heading."""
    shown = again.measures[0]
    tables = {}
    if dataset.query_groups:
        groups = by_group(compared, shown, dataset.query_groups, again.paired_test)
        table = evidence_table(groups, compared, again.paired_test, "group")
        tables[f"Groups of queries, {shown}"] = table
    tables |= all_runs(dataset, again)
    return tables | _documents(dataset, two, again, compared, query)


def _documents(
    dataset: Dataset, two: tuple[Rankings, Rankings], again: Again, compared: Comparison, query: str
) -> dict[str, Table]:
    """Return the report's tables of documents, by heading."""
    shown = again.measures[0]
    documents = compared.only([query]).documents(shown).drop(columns="query")
    totals = compared.document_totals(shown).drop(columns="ranked").reset_index()
    tables = {
        f"Query {query}: its documents": _of_documents(documents),
        "Documents that change the means most": _of_documents(totals[: comparison_tables.LISTED]),
    }
    for side in one_query(dataset.qrels, *two, shown, query, again.convention).sides:
        heading = f"Query {query}: the lines that sum to {side.name}'s {shown}"
        tables[heading] = ledger_lines(side.ledger, query)
    return tables


def _of_documents(frame: pd.DataFrame) -> Table:
    """Return documents and their deltas, with whole grades as integers."""
    if "grade" in frame:
        grades = pd.Series([whole(grade) for grade in frame["grade"]], frame.index, object)
        frame = frame.assign(grade=grades)
    return Table.of_frame(frame).saying(labels={"direction": DIRECTION}, titles=TITLES)


def all_runs(dataset: Dataset, again: Again) -> dict[str, Table]:
    """Return the tables of all runs, by heading; empty for two runs."""
    if len(dataset.rankings) <= 2:
        return {}
    runs = dataset.rankings[:MOST]
    scores = {
        run.name: evaluate(dataset.qrels, run, again.measures, again.convention) for run in runs
    }
    try:
        board = leaderboard(scores, again.measures, again.paired_test)
    except DataError as error:
        return {"All runs": Table.of(["not compared"], [[str(error)]])}
    every = text.count(len(dataset.rankings), "run")
    some = {"runs": f"the first {MOST} of {every}"} if len(dataset.rankings) > MOST else {}
    standings = leaderboard_table(board)
    pairs = Table.of_frame(comparison_tables.pairs(board).reset_index())
    return {
        f"All runs, mean {again.measures[0]}": standings.saying(
            labels=dict(standings.labels) | some
        ),
        "Every pair of runs": pairs.saying(
            labels={"delta": "run − minus", "family": comparison_text.family(board)} | some
        ),
    }
