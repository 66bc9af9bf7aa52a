"""``rankscope compare``: compare two runs or several, from the verdict to one query's documents."""

import argparse

from ..comparing.significance import TESTS, TIE
from ..defaults import SEED, TEST
from . import options

TEXTS = {
    "queries": "the texts of the queries, for -q and the report: JSON Lines, CSV or TSV of ids",
    "texts": "the texts of the documents, for the report, in the same formats",
}
"""The files that tell more of queries and documents, by the option."""


def add(commands: options.Commands) -> None:
    parser = options.command(
        commands,
        "compare",
        run,
        "compare two runs, or up to ten",
        "Every delta is B − A, over the queries that both runs\nhave; a win is a query on which B "
        "is better. Three runs or more are ranked by the first\nmeasure, and every pair is tested. "
        "Means of LogAP and LogBpref are those of the logarithms,\nwhich are tested; score prints "
        "the geometric means.",
    )
    options.add_files(parser, run="run A", runs="run B, or up to nine other runs", judged=True)
    options.add_measures(parser)
    depth = parser.add_mutually_exclusive_group()
    options.add_per_query(depth, "each query's delta, B's best first")
    depth.add_argument(
        "-Q", "--query", metavar="ID", help="the documents that sum to one query's delta"
    )
    options.add_file(
        parser,
        "--human",
        "a person's qrels of some queries, drawn at random: the means by QRELS, a model's, are "
        "corrected by them",
    )
    parser.add_argument("--test", choices=list(TESTS), default=TEST, help="the paired test")
    options.add_number(parser, "--tie", float, TIE, "count deltas up to D as ties {}", "D")
    options.add_number(parser, "--seed", int, SEED, "seed for p and the interval {}")
    options.add_file(parser, "--report", "also write all charts and tables as one HTML file")
    for name, what in TEXTS.items():
        options.add_file(parser, f"--{name}", what)
    options.add_attributes(
        parser, "attributes of the queries: each group is compared, each weight gives a mean"
    )
    options.add(parser, *options.FIX, *options.CONVENTION, "--format", "--quiet")


def run(args: argparse.Namespace) -> str:
    """Return what `compared` prints."""
    # Imported here, because scoring a file must not wait for what a verdict needs.
    from . import compared

    return compared.printed(args)
