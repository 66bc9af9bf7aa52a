"""``rankscope match``: match runs with judgments, and keep the result as files."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from ..errors import RankscopeError
from ..matching.judged_file import ENDING, save
from ..scoring.evaluate import Scores
from . import files, notes, options


def add(commands: options.Commands) -> None:
    parser = options.command(
        commands,
        "match",
        run,
        "match runs with judgments once and keep the results as files",
        f"A file NAME{ENDING} holds the judgments and each\njudged document at its rank: it takes "
        "the place of the run in score, explain, compare, audit\nand in the app, under every "
        "measure. Unjudged documents are kept near the top only.\nPrints the path of each file.",
    )
    options.add_files(parser, runs="one or more runs")
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE",
        help=f"the file to write, which ends in {ENDING}; or a folder, for files named after the "
        "runs",
    )
    parser.add_argument("--name", default="", help="a name for the run (default: its file's name)")
    options.add(parser, "--tag", help="a word to find the run by; can be repeated")
    parser.add_argument(
        "--commit", default="", metavar="ID", help="the version of the ranker, such as a git commit"
    )
    depth = "keep unjudged documents down to this rank, for explain {}"
    options.add_number(parser, "--depth", int, files.DEPTH, depth, "RANK")
    options.add(parser, *options.FIX, *options.CONVENTION, "--quiet")


def run(args: argparse.Namespace) -> str:
    """Write the files once every run is judged; return their paths, one on each line."""
    titles = files.titles(args.runs)
    if args.name and len(titles) > 1:
        raise RankscopeError(
            "--name names one run; without it, runs have the names of their files."
        )
    paths = _paths(args.output, titles)
    inputs = filter(None, [args.qrels, args.exclude, *args.judges, *args.runs])
    files.protect(inputs, *map(str, paths))
    convention = options.convention(args)
    qrels = files.qrels_of(args)
    every, found = [], notes.of_reading(args.qrels, qrels)
    for title, path in zip(titles, args.runs, strict=True):
        bar = files.bar(title, args.quiet)
        fix, depth = args.fix_ids, args.depth
        every.append(files.judged(qrels, path, convention, bar, fix=fix, depth=depth))
        found += notes.of_run(title, Scores(every[-1], {}))
    options.notes(found, args)
    for title, path, judged in zip(titles, paths, every, strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        save(judged, path, name=args.name or title, tags=args.tags, commit=args.commit)
    return "".join(f"{path}\n" for path in paths)


def _paths(output: str, titles: Sequence[str]) -> list[Path]:
    """Return the file of each run.

    Raises RankscopeError when several runs would share a file, or the file's name has another
    ending.
    """
    if output.endswith(ENDING) and not Path(output).is_dir():
        if len(titles) > 1:
            raise RankscopeError(
                f"{len(titles)} runs do not fit in one file; name a folder: -o DIR."
            )
        return [Path(output)]
    if output.endswith(("/", "\\")) or Path(output).is_dir() or len(titles) > 1:
        stems = [Path(title).name for title in titles]
        if len(set(stems)) < len(stems):
            raise RankscopeError("Two runs have files of the same name; match them one by one.")
        return [Path(output) / f"{stem}{ENDING}" for stem in stems]
    raise RankscopeError(f"-o {output}: name a file that ends in {ENDING}, or a folder: {output}/.")
