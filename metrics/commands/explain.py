"""``rankscope explain``: the lines that one query's score is the sum of."""

from __future__ import annotations

import argparse

from ..measures import Measure
from ..measures.ledger import Ledger
from ..scoring.evaluate import trace
from ..scoring.formula import substituted, symbols
from ..scoring.naming import parse
from ..writing import Table
from ..writing.ledger_lines import lines
from ..writing.table import cell
from . import inputs, options

DEFAULT = "nDCG@10"


def add(commands: options.Commands) -> None:
    parser = options.command(
        commands,
        "explain",
        run,
        "show the lines that one query's score is the sum of",
        "Unjudged documents stand there too, without a grade.",
    )
    options.add_files(parser, "run")
    parser.add_argument("-Q", "--query", required=True, metavar="ID", help="the query")
    parser.add_argument(
        "-m", "--measure", default=DEFAULT, help=f"one measure (default: {DEFAULT})"
    )
    options.add_convention(parser)
    options.add_output(parser)
    options.add_quiet(parser)


def run(given: argparse.Namespace) -> str:
    """The lines of the measure, and those of its parts."""
    inputs.only_one_stdin([given.qrels, given.run])
    convention, measure = options.convention(given), parse(given.measure)
    qrels, ranking = inputs.qrels_of(given.qrels), inputs.run_of(given.run)
    options.require_query(given.query, qrels.queries)
    said = inputs.reading_notes(given.qrels, qrels) + inputs.reading_notes(given.run, ranking)
    options.notes(said, given)

    def explained(measure: Measure) -> Table:
        ledger = trace(qrels, ranking, measure, given.query, convention)
        return _lines(ledger, given.query, ranking.name)

    parts = tuple(map(explained, measure.parts))
    return options.written(explained(measure).saying(parts=parts), given)


def _lines(ledger: Ledger, query: str, title: str) -> Table:
    """One measure's lines, and the formula in symbols and in numbers."""
    score = cell(ledger.scores[0])
    # What is left out of the mean has no numbers to put into the formula.
    worked = () if score is None else (substituted(ledger, query),)
    return lines(ledger, query).saying(
        heading={
            "measure": str(ledger.measure),
            "query": query,
            "run": title,
            "score": score,
        },
        labels={"convention": ledger.convention.label},
        formulas=(symbols(ledger.measure, ledger.convention), *worked),
    )
