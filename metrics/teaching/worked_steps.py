"""The tables of a worked example: its rankings, and the steps as printed and as recomputed."""

from __future__ import annotations

from ..arrays import pd
from ..conventions.convention import TREC_EVAL
from ..editing.hand_ranking import Entry, HandRanking
from ..scoring.expressions import verdict
from ..writing.ledger_lines import LABELS
from .samples import Sample

PRINTED, RECOMPUTED = "printed", "our"
"""The first word of the names of a table's columns."""


def rankings(sample: Sample) -> pd.DataFrame:
    """Return the ranked documents with their grades, a column for each query and run.

    One query of one run has the columns document and grade.
    """
    dataset = sample.load()
    lists = {
        (run.name, query): HandRanking.from_run(dataset.qrels, run, query, TREC_EVAL)
        for query in dataset.qrels.queries
        for run in dataset.runs
    }
    if len(lists) == 1:
        (ranking,) = lists.values()
        columns = {
            "document": [entry.document for entry in ranking.retrieved],
            "grade": [_grade(entry) for entry in ranking.retrieved],
        }
    else:
        several = len(dataset.runs) > 1
        columns = {
            f"{run}, {query}" if several else query: [
                f"{entry.document} ({_grade(entry)})" for entry in ranking.retrieved
            ]
            for (run, query), ranking in lists.items()
        }
    frame = pd.DataFrame({name: pd.Series(cells) for name, cells in columns.items()}).fillna("")
    return frame.set_axis(range(1, len(frame) + 1)).rename_axis("rank")


def not_retrieved(sample: Sample) -> dict[str, list[str]]:
    """Return the judged documents that a ranking lacks, with their grades, by query.

    Examples
    --------
    >>> from metrics.teaching.samples import catalogue
    >>> not_retrieved(catalogue()["recall-seven"])
    {'q1': ['doc_6 (1)']}
    """
    dataset = sample.load()
    run, *_ = dataset.runs
    missing = {
        query: HandRanking.from_run(dataset.qrels, run, query, TREC_EVAL).unretrieved
        for query in dataset.qrels.queries
    }
    return {
        query: [f"{entry.document} ({_grade(entry)})" for entry in entries]
        for query, entries in missing.items()
        if entries
    }


def _grade(entry: Entry) -> str:
    return "?" if entry.grade is None else f"{entry.grade:g}"


def steps(sample: Sample) -> dict[str, pd.DataFrame]:
    """Return each table that the source works out, by measure: every cell printed and recomputed.

    Examples
    --------
    >>> from metrics.teaching.samples import catalogue
    >>> list(steps(catalogue()["laptop"])["IDCG@5"].columns[:4])
    ['document', 'printed gain', 'our gain', 'printed 1/log₂(r+1)']
    """

    dataset = sample.load()
    tables: dict[str, pd.DataFrame] = {}
    for cell in (printed for printed in sample.printed if printed.column):
        run = next(run for run in dataset.runs if run.name == cell.run)
        ranking = HandRanking.from_run(dataset.qrels, run, str(cell.query), TREC_EVAL)
        lines = ranking.ledger(cell.measure).table(str(cell.query))
        table = tables.setdefault(cell.measure, lines[["document"]].copy())
        label = LABELS.get(cell.column, cell.column)
        table.loc[cell.rank, f"{PRINTED} {label}"] = cell.value
        table[f"{RECOMPUTED} {label}"] = lines[cell.column].astype(float)
    return tables


def deviating(table: pd.DataFrame) -> pd.DataFrame:
    """Return which cells of a table of `steps` differ from the cell beside them."""
    differs = pd.DataFrame(False, table.index, table.columns)
    for name in table.columns:
        part, _, label = name.partition(" ")
        if part == PRINTED:
            pairs = zip(table[name], table[f"{RECOMPUTED} {label}"], strict=True)
            cells = [verdict(printed, value) == "differs" for printed, value in pairs]
            differs[name] = differs[f"{RECOMPUTED} {label}"] = cells
    return differs
