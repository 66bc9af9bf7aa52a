"""``rankscope explain``: show the lines that sum to one query's score."""

import argparse

from ..data import Run
from ..defaults import MEASURE
from ..matching import JudgedRankings
from ..measures import Measure
from ..scoring.evaluate import trace, trace_judged
from ..scoring.naming import parse
from ..writing import Table
from ..writing.ledger_lines import explained
from . import inputs, notes, options


def add(commands: options.Commands) -> None:
    parser = options.command(
        commands,
        "explain",
        run,
        "show the lines that sum to one query's score",
        "Unjudged documents are listed too, without a grade.",
    )
    options.add_files(parser, run="a run", judged=True)
    parser.add_argument("-Q", "--query", required=True, metavar="ID", help="the query")
    parser.add_argument(
        "-m", "--measure", default=MEASURE, help=f"one measure (default: {MEASURE})"
    )
    options.add_convention(parser)
    options.add_output(parser)
    options.add_quiet(parser)


def run(args: argparse.Namespace) -> str:
    """Return the lines of the measure, then those of its parts."""
    inputs.only_one_stdin([args.qrels, args.run])
    convention, measure = options.convention(args), parse(args.measure)
    qrels = inputs.qrels_of(args.qrels)
    ranking = inputs.run_or_judged(args.run, qrels, convention)
    options.require_query(args.query, qrels.queries)
    of_files = notes.of_reading(args.qrels, qrels) + notes.of_reading(args.run, ranking)
    if isinstance(ranking, JudgedRankings):
        of_files += notes.of_unlisted(inputs.name_of(args.run), ranking.only(args.query))
    options.notes([*notes.of_names([args.measure]), *of_files], args)
    title = ranking.name or inputs.titles([args.run])[0]

    def table(measure: Measure) -> Table:
        ledger = (
            trace(qrels, ranking, measure, args.query, convention)
            if isinstance(ranking, Run)
            else trace_judged(ranking, measure, args.query)
        )
        return explained(ledger, args.query, title)

    return options.formatted(table(measure).saying(parts=tuple(map(table, measure.parts))), args)
