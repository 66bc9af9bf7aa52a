"""``rankscope compare``: compare two runs, from the means down to one query's documents."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from ..auditing.id_mismatch import for_documents
from ..comparing.comparison import Comparison, align
from ..comparing.evidence import PairedTest, evidence
from ..comparing.leaderboard import MOST, leaderboard
from ..comparing.significance import TESTS, TIE
from ..errors import DataError, NoOverlapError, RankscopeError
from ..judging.judged import judge
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
from ..writing.table import whole
from . import inputs, notes, options

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


def add(commands: options.Commands) -> None:
    parser = options.command(
        commands,
        "compare",
        run,
        "compare two runs, or up to ten",
        "Every delta is B − A, over the queries that both runs\nhave; a win is a query on which B "
        "is better. Three runs or more are ranked by the first\nmeasure, and every pair is tested.",
    )
    options.add_files(parser, "run", several=True)
    options.add_measures(parser, " ".join(USUAL))
    depth = parser.add_mutually_exclusive_group()
    depth.add_argument(
        "-q", "--per-query", action="store_true", help="each query's delta, B's best first"
    )
    depth.add_argument(
        "-Q", "--query", metavar="ID", help="the documents that sum to one query's delta"
    )
    parser.add_argument(
        "--test", choices=list(TESTS), default="randomisation", help="the paired test"
    )
    tie = f"count deltas up to D as ties (default: {TIE:g})"
    parser.add_argument("--tie", type=options.number(float, 0), default=TIE, metavar="D", help=tie)
    parser.add_argument(
        "--seed",
        type=options.number(int, 0),
        default=0,
        help="seed for p and the interval (default: 0)",
    )
    options.add_fix(parser)
    options.add_convention(parser)
    options.add_output(parser)
    options.add_quiet(parser)


def run(args: argparse.Namespace) -> str:
    """Return the means and wins, each query's delta, one query's documents, or the leaderboard."""
    paths = _paths(args)
    convention = options.convention(args)
    measures = options.parse_measures(args.measures, USUAL).values()
    qrels, titles = inputs.qrels_of(args.qrels), inputs.titles(paths)
    if args.query is not None:
        options.require_query(args.query, qrels.queries)
    runs = []
    for title, path in zip(titles, paths, strict=True):
        runs.append(inputs.run_of(path, qrels, fix=args.fix_ids).renamed(title))
        inputs.require_matched(qrels, runs[-1])
    scores = {run.name: score(judge(qrels, run, convention), measures) for run in runs}
    k = notes.depth(measures)
    of_runs = (
        text
        for run in runs
        for text in notes.of_run(run.name, scores[run.name], k, partial(for_documents, run, qrels))
    )
    options.notes([*notes.of_reading(args.qrels, qrels), *of_runs], args)
    if len(runs) > 2:
        return options.formatted(_standings(scores, args), args)
    compared = align(*scores.values())
    if not compared.queries:
        raise NoOverlapError(f"{titles[0]} and {titles[1]} have no judged query in common.")
    table = _table(compared, args)
    return options.formatted(from_inputs(table, qrels, runs[0], runs[1]), args)


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
    if len(paths) > 2 and (args.per_query or args.query is not None):
        raise RankscopeError("-q and -Q compare two runs; name two.")
    return paths


def _standings(scores: Mapping[str, Scores], args: argparse.Namespace) -> Table:
    """Return the leaderboard by the first measure, and every pair of runs."""
    # Imported here, because it imports pandas, which takes longer than to score a file.
    from ..rendering import comparison_tables

    first = next(iter(scores.values()))
    measure = next(iter(first.ledgers))
    asked = PairedTest(args.test, args.tie, args.seed)
    board = leaderboard(scores, measure, asked)
    labels = {
        "convention": first.convention.label,
        "interval": "95 % interval of the mean (Student's t)",
        "test": f"{TESTS[args.test].title}, two-sided; Holm over the pairs; seed {args.seed}",
    }
    pairs = Table.of_frame(comparison_tables.pairs(board).reset_index())
    standings = Table.of_frame(comparison_tables.standings(board).reset_index())
    return standings.saying(
        heading={"measure": measure, "queries": board.queries}, labels=labels, parts=(pairs,)
    )


def _table(compared: Comparison, args: argparse.Namespace) -> Table:
    if args.query is not None:
        table = Table.of(["measure", *_DOCUMENTS], _documents(compared, args.query))
        lacking = counted(compared.only([args.query]))
        missing = {"not in a run": "; ".join(lacking)} if lacking else {}
        return table.saying(
            name="comparison-documents",
            labels={"direction": DIRECTION} | missing,
            facts=facts(compared) | {"query": args.query},
            titles=TITLES,
        )
    if args.per_query:
        return queries_table(compared)
    asked = PairedTest(args.test, args.tie, args.seed)
    return evidence_table(evidence(compared, **vars(asked)), compared, asked)


def _documents(compared: Comparison, query: str) -> Iterator[list[Any]]:
    """Return the documents by the size of their share in the delta, then the query's scores."""
    if query not in compared.queries:
        raise DataError(f"Query {query!r} is not in both runs, so it has no delta.")
    for measure in compared.a.ledgers:
        frame = compared.documents(measure)
        frame = frame[frame["query"] == query].sort_values(
            "delta", key=abs, ascending=False, kind="stable"
        )
        for document, grade, *row in frame[list(_DOCUMENTS.values())].itertuples(index=False):
            yield [measure, document, whole(grade), *row]
        a, b = (scores.value(measure, query) for scores in (compared.a, compared.b))
        yield [measure, "all", None, None, None, a, b, b - a]
