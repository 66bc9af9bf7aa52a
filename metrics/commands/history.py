"""``rankscope history``: the judged runs of a folder over time, and what changed between two."""

import argparse

from ..errors import NoOverlapError
from ..words import count
from . import notes, options


def add(commands: options.Commands) -> None:
    parser = options.command(
        commands,
        "history",
        run,
        "show the judged runs of a folder over time",
        "FOLDER holds files of `rankscope match`.\nEach run has its means, their intervals and the "
        "change since the run before it.\nRuns that were judged differently are not compared; a "
        "note says how they differ.",
    )
    parser.add_argument("folder", metavar="FOLDER", help="the folder with the files")
    options.add_measures(parser)
    options.add(parser, "--tag", help="only runs with this tag; can be repeated")
    parser.add_argument(
        "--commit", default="", metavar="ID", help="only runs of this commit, or of its beginning"
    )
    parser.add_argument(
        "--between",
        nargs=2,
        metavar=("A", "B"),
        help="compare two runs instead, each named by file, commit, tag or name: the latest that "
        "has it",
    )
    options.add_per_query(parser, "with --between: each query's delta")
    options.add(parser, "--format", "--quiet")


def run(args: argparse.Namespace) -> str:
    """Return the trend, or the comparison of two runs; files that cannot be read are noted."""
    # Imported here, because scoring a file must not wait for what a verdict needs.
    from ..deciding.trend import having, named, past_runs, trend
    from ..writing.comparison import apart, trend_table
    from .compared import of_past

    measures = options.parse_measures(args.measures)
    every, refused = past_runs(args.folder)
    options.notes([*notes.of_names(measures), *map(str, refused)], args)
    runs = having(every, args.tags, args.commit)
    if not runs:
        raise NoOverlapError(f"None of {count(len(every), 'run')} has these tags and this commit.")
    if args.between:
        a, b = (named(runs, name) for name in args.between)
        return of_past(a, b, measures.values(), args)
    points = trend(runs, measures.values())
    for name, reasons in apart(points).items():
        options.notes([f"{name}: not compared with the run before. {' '.join(reasons)}"], args)
    return options.formatted(trend_table(points), args)
