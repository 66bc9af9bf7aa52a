"""``rankscope fuse``: one run made of several, as TREC lines."""

import argparse
import sys

from ..comparing.fusion import VIRTUAL, Fusion, K
from ..data import Qrels
from ..data.trec_file import best_first
from ..errors import RankscopeError
from ..words import count
from . import files, notes, options

METHODS = [name for name, virtual in VIRTUAL.items() if virtual.fuses]


def add(commands: options.Commands) -> None:
    parser = options.command(
        commands,
        "fuse",
        run,
        "make one run of several and print it",
        "The lines are TREC's, best document first.",
    )
    parser.add_argument("runs", nargs="+", metavar="run", help="two or more runs")
    parser.add_argument(
        "--method",
        choices=METHODS,
        default=METHODS[0],
        help=f"how scores are made (default: {METHODS[0]}); the words behind comb… say how each "
        "query's scores are scaled",
    )
    parser.add_argument(
        "--weights",
        nargs="+",
        type=float,
        metavar="WEIGHT",
        help="a number above 0 for each run, in their order (default: 1 each)",
    )
    options.add_number(parser, "--k", float, K, "k of rrf {}")
    parser.add_argument("--name", help="the tag of the fused run (default: the method)")
    parser.add_argument(
        "-o",
        "--output",
        default=options.STDIN,
        metavar="FILE",
        help="the file to write (default: -, the standard output)",
    )
    options.add(parser, *options.CONVENTION, "--quiet")


def run(args: argparse.Namespace) -> str:
    """Return the fused run as TREC lines; empty where it is written to a file.

    Raises
    ------
    RankscopeError
        When there are fewer than two runs, or not a weight for each.
    """
    titles = files.titles(args.runs)
    if len(titles) < 2:
        raise RankscopeError("A fusion needs two runs or more. Write rankscope fuse RUN RUN...")
    files.protect(args.runs, args.output)
    weights = args.weights or [1.0] * len(titles)
    if len(weights) != len(titles):
        raise RankscopeError(
            f"{count(len(titles), 'run')} cannot have {count(len(weights), 'weight')}. Write one "
            "weight for each run behind --weights, and the runs before it."
        )
    runs = [files.run_of(path).renamed(name) for path, name in zip(args.runs, titles, strict=True)]
    read = zip(args.runs, runs, strict=True)
    options.notes([note for path, each in read for note in notes.of_reading(path, each)], args)
    virtual = VIRTUAL[args.method]
    fusion = Fusion(dict(zip(titles, weights, strict=True)), args.k)
    made = virtual.make(Qrels.from_dict({}), runs, options.convention(args), fusion)
    if not args.quiet:
        print(virtual.sentence(runs, fusion), file=sys.stderr)
    files.write(args.output, best_first(made.renamed(args.name or args.method)).to_trec())
    return ""
