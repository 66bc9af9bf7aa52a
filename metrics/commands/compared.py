"""What ``rankscope compare`` prints: the verdict and the evidence, queries, documents, runs."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from ..auditing.audit import not_kept
from ..auditing.id_mismatch import for_documents
from ..comparing.comparison import Comparison, align
from ..comparing.evidence import Evidence, PairedTest, evidence
from ..comparing.leaderboard import MOST, leaderboard
from ..data import Qrels, Run
from ..dataset import Dataset
from ..deciding import Verdict, verdict
from ..deciding.trend import PastRun, apart_from
from ..errors import DataError, NoOverlapError, RankscopeError
from ..judging.judged import Rankings, judge
from ..scoring.evaluate import Scores, score
from ..scoring.naming import USUAL
from ..writing import Table
from ..writing.comparison import (
    DIRECTION,
    TITLES,
    counted,
    evidence_table,
    facts,
    from_inputs,
    queries_table,
)
from ..writing.convention_labels import exception_label
from ..writing.leaderboard import leaderboard_table, pairs_table
from ..writing.reproduce import Again
from ..writing.table import whole
from ..writing.verdict import verdict_facts, verdict_markdown, verdict_text
from . import inputs, notes, options

PROSE = 100
"""The width of the verdict where the output is no terminal."""
_DOCUMENTS = {
    "document": "document",
    "grade": "grade",
    "rank_a": "rank A",
    "rank_b": "rank B",
    "a": "A",
    "b": "B",
    "delta": "delta",
}
"""The column of `Comparison.documents` that each column shows."""


def printed(args: argparse.Namespace) -> str:
    """Return the verdict and the evidence, one depth of the deltas, or the leaderboard."""
    paths = _paths(args)
    convention = options.convention(args)
    named = options.parse_measures(args.measures, USUAL)
    measures = named.values()
    qrels, titles = inputs.qrels_of(args.qrels), inputs.titles(paths)
    if args.query is not None:
        options.require_query(args.query, qrels.queries)
    runs: list[Rankings] = []
    for title, path in zip(titles, paths, strict=True):
        run = inputs.run_or_judged(path, qrels, convention, fix=args.fix_ids)
        runs.append(replace(run, name=title))
        if isinstance(run, Run):
            inputs.require_matched(qrels, run.renamed(title))
    scores = {run.name: score(judge(qrels, run, convention), measures) for run in runs}
    of_runs = _notes(qrels, runs, scores, notes.depth(measures))
    of_files = notes.of_reading(args.qrels, qrels)
    options.notes([*notes.of_names(named), *of_files, *of_runs], args)
    asked = PairedTest(args.test, args.tie, args.seed)
    if len(runs) > 2:
        return options.formatted(_standings(scores, asked), args)
    compared = align(*scores.values())
    if not compared.queries:
        raise NoOverlapError(f"{titles[0]} and {titles[1]} have no judged query in common.")
    inputs_named = partial(from_inputs, qrels=qrels, a=runs[0], b=runs[1])
    deeper = args.per_query or args.query is not None
    rows = evidence(compared, **vars(asked)) if args.report or not deeper else {}
    # Both the output and the report need it, and neither does where one query is printed.
    decided = cache(partial(verdict, qrels, runs[0], runs[1], compared, rows, asked))
    if args.query is not None:
        shown = options.formatted(inputs_named(_documents(compared, args.query)), args)
    elif args.per_query:
        shown = options.formatted(inputs_named(queries_table(compared)), args)
    else:
        table = inputs_named(evidence_table(rows, compared, asked))
        options.notes(not_kept(*runs), args)
        shown = with_verdict(decided(), table, args)
    if args.report:
        names = list(compared.a.ledgers)
        again = Again((args.qrels, *paths), names, convention, asked, args.fix_ids)
        dataset = Dataset(qrels.name, qrels, ()).of(*runs)
        _report(dataset, (runs[0], runs[1]), compared, rows, decided(), again, args)
    return shown


def of_past(a: PastRun, b: PastRun, names: Sequence[str], args: argparse.Namespace) -> str:
    """Return the verdict and the evidence on two judged runs, or each query's delta.

    Raises
    ------
    NoOverlapError
        When they were judged differently, with the differences.
    """
    sides = score(a.file.judged, names), score(b.file.judged, names)
    if apart := apart_from(*sides):
        reasons = " ".join(each.text() for each in apart)
        raise NoOverlapError(f"{a.path.name} and {b.path.name} cannot be compared. {reasons}")
    one, two = a.file.judged, b.file.judged
    compared = align(*sides)
    if args.per_query:
        return options.formatted(from_inputs(queries_table(compared), one.qrels, one, two), args)
    rows = evidence(compared)
    options.notes(not_kept(one, two), args)
    table = from_inputs(evidence_table(rows, compared), one.qrels, one, two)
    return with_verdict(verdict(one.qrels, one, two, compared, rows), table, args)


def _paths(args: argparse.Namespace) -> list[str]:
    """Return the paths of two to ten runs.

    Raises
    ------
    RankscopeError
        When there are more, or when an option needs two runs.
    """
    paths = [args.run, *args.runs]
    inputs.only_one_stdin([args.qrels, *paths])
    if len(paths) > MOST:
        raise RankscopeError(f"{len(paths)} runs are named; compare takes at most {MOST}.")
    if len(paths) > 2 and (args.per_query or args.query is not None or args.report):
        raise RankscopeError("-q, -Q and --report compare two runs; name two.")
    return paths


def _notes(
    qrels: Qrels, runs: Iterable[Rankings], scores: Mapping[str, Scores], k: int
) -> Iterator[str]:
    """Yield the notes on each run; only a whole run shows a change of document ids."""
    for run in runs:
        ids = partial(for_documents, run, qrels) if isinstance(run, Run) else None
        yield from notes.of_run(run.name, scores[run.name], k, ids)


def _standings(scores: Mapping[str, Scores], asked: PairedTest) -> Table:
    """Return the leaderboard, with every pair of runs by the first measure as its part."""
    board = leaderboard(scores, next(iter(scores.values())).ledgers, asked)
    table = leaderboard_table(board)
    measures = [ledger.measure for ledger in next(iter(scores.values())).ledgers.values()]
    unlike = exception_label([each.judged for each in scores.values()], measures)
    return table.saying(
        name="leaderboard",
        labels={**table.labels, **unlike},
        facts={**table.facts, **unlike},
        parts=(pairs_table(board),),
    )


def with_verdict(decided: Verdict, table: Table, args: argparse.Namespace) -> str:
    """Return the verdict, then the table; CSV and LaTeX have the table only."""
    with_facts = table.saying(facts={"verdict": verdict_facts(decided), **table.facts})
    text = options.formatted(with_facts, args)
    if args.format == "markdown":
        return f"{verdict_markdown(decided)}\n{text}"
    if args.format == "table":
        return f"{verdict_text(decided, options.width() or PROSE)}\n{text}"
    return text


def _report(
    dataset: Dataset,
    runs: tuple[Rankings, Rankings],
    compared: Comparison,
    rows: Mapping[str, Evidence],
    decided: Verdict,
    again: Again,
    args: argparse.Namespace,
) -> None:
    """Write the report with the chosen query, or the one on which B loses most."""
    # Imported here, because it imports plotly, which takes longer than to compare the runs.
    from ..rendering import comparison_files

    a, b = runs
    deltas = compared.per_query(again.measures[0])["delta"]
    query = args.query if args.query is not None else str(deltas.idxmin())
    page = comparison_files.report(dataset, (a, b), again, rows, decided, query)
    Path(args.report).write_text(page, "utf-8")
    options.notes([f"the report is in {args.report}."], args)


def _documents(compared: Comparison, query: str) -> Table:
    """Return the documents that sum to the query's delta in each measure.

    Raises
    ------
    DataError
        When a run lacks the query.
    """
    if query not in compared.queries:
        raise DataError(f"Query {query!r} is not in both runs, so it has no delta.")
    lacking = counted(compared.only([query]))
    missing = {"not in a run": "; ".join(lacking)} if lacking else {}
    return Table.of(["measure", *_DOCUMENTS], _rows(compared, query)).saying(
        name="comparison-documents",
        labels={"direction": DIRECTION, **missing},
        facts=facts(compared) | {"query": query},
        titles=TITLES,
    )


def _rows(compared: Comparison, query: str) -> Iterator[list[Any]]:
    """Return the documents by the size of their share in the delta, then the query's scores."""
    for measure in compared.a.ledgers:
        frame = compared.documents(measure)
        frame = frame[frame["query"] == query].sort_values(
            "delta", key=abs, ascending=False, kind="stable"
        )
        for document, grade, *row in frame[list(_DOCUMENTS.values())].itertuples(index=False):
            yield [measure, document, whole(grade), *row]
        a, b = (scores.value(measure, query) for scores in (compared.a, compared.b))
        delta = compared.per_query(measure)["delta"].get(query, math.nan)
        yield [measure, "all", None, None, None, a, b, delta]
