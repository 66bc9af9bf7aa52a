"""``rankscope compare``: compare two runs, from the means down to one query's documents."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from ..comparing.comparison import Comparison, align
from ..comparing.evidence import PairedTest, evidence
from ..comparing.significance import TESTS, TIE
from ..errors import DataError, NoOverlapError
from ..scoring.evaluate import score
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
from . import inputs, options

N = TypeVar("N", int, float)
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
        "compare two runs",
        "Every delta is B − A, over the queries that both runs have; a win is a query on which "
        "B is better.",
    )
    options.add_files(parser, "run_a", "run_b")
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
    parser.add_argument("--tie", type=_from_0(float), default=TIE, metavar="D", help=tie)
    parser.add_argument(
        "--seed", type=_from_0(int), default=0, help="seed for p and the interval (default: 0)"
    )
    options.add_convention(parser)
    options.add_output(parser)
    options.add_quiet(parser)


def _from_0(kind: Callable[[str], N]) -> Callable[[str], N]:
    """Return a parser of numbers from 0 up; argparse reports what it refuses."""

    def read(text: str) -> N:
        try:
            number = kind(text)
        except ValueError:
            number = kind("-1")
        if not 0 <= number < math.inf:
            raise argparse.ArgumentTypeError(f"found {text!r}; expected a number, 0 or more")
        return number

    return read


def run(args: argparse.Namespace) -> str:
    """Return the means and wins, each query's delta, or one query's documents."""
    paths = (args.run_a, args.run_b)
    inputs.only_one_stdin([args.qrels, *paths])
    convention = options.convention(args)
    measures = options.parse_measures(args.measures, USUAL).values()
    qrels, titles = inputs.qrels_of(args.qrels), inputs.titles(paths)
    if args.query is not None:
        options.require_query(args.query, qrels.queries)
    a, b = (
        score(inputs.judged(qrels, path, convention, inputs.bar(title, args.quiet)), measures)
        for title, path in zip(titles, paths, strict=True)
    )
    compared = align(a, b)
    runs_notes = [*inputs.notes(titles[0], a), *inputs.notes(titles[1], b)]
    options.notes([*inputs.reading_notes(args.qrels, qrels), *runs_notes], args)
    if not compared.queries:
        raise NoOverlapError(f"{titles[0]} and {titles[1]} have no judged query in common.")
    judgments = {"name": args.qrels, "digest": qrels.digest}
    read = {"qrels": judgments, "run_a": {"name": titles[0]}, "run_b": {"name": titles[1]}}
    return options.formatted(from_inputs(_table(compared, args), read), args)


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
