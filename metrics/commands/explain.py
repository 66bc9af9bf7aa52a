"""``rankscope explain``: show the lines that sum to one query's score."""

import argparse

from ..auditing.audit import unlisted
from ..data import Run
from ..defaults import MEASURE
from ..matching import JudgedRankings
from ..measures import Measure
from ..scoring.evaluate import trace, trace_judged
from ..scoring.naming import parse
from ..writing import Table
from ..writing.ledger_lines import explained
from . import files, notes, options


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
    options.add(parser, *options.CONVENTION, "--format", "--quiet")


def run(args: argparse.Namespace) -> str:
    """Return the lines of the measure, then those of its parts."""
    convention, measure = options.convention(args), parse(args.measure)
    qrels = files.qrels_of(args)
    ranking = files.run_or_judged(args.run, qrels, convention)
    options.require_query(args.query, qrels.queries)
    of_files = notes.of_reading(args.qrels, qrels) + notes.of_reading(args.run, ranking)
    if isinstance(ranking, JudgedRankings):
        found = unlisted(ranking.only(args.query))
        of_files += [f"{files.name_of(args.run)}: {found}"] if found else []
    options.notes([*notes.of_names([args.measure]), *of_files], args)
    title = ranking.name or files.titles([args.run])[0]

    def table(measure: Measure) -> Table:
        ledger = (
            trace(qrels, ranking, measure, args.query, convention)
            if isinstance(ranking, Run)
            else trace_judged(ranking, measure, args.query)
        )
        return explained(ledger, args.query, title)

    return options.formatted(table(measure).saying(parts=tuple(map(table, measure.parts))), args)
