"""``rankscope trec_eval``: the command line and the lines of trec_eval."""

import argparse
from dataclasses import replace

from ..conventions.convention import PRESETS
from ..errors import RankscopeError
from ..scoring.evaluate import score
from ..scoring.trec_names import measures_named
from ..version import __version__
from ..writing.trec import trec
from . import files, notes, options

DEPARTURES = {
    "rbp": "where p is given, the program reads two variables that were never set",
    "rbp_resid": "the program prints 0 where all retrieved is judged or the run lacks the query",
    "num_rel": "with -c, the program's all counts every grade above 0, whatever -l says",
    "utility, relstring": "with -c, the program takes a missing query for one unjudged document",
}
"""Where the lines depart from the program's own, by the measure."""
_ABOUT = """\
Takes trec_eval's own options, in any order, so that a script only needs the name
of the program exchanged. Offered as in version 10, but for: other formats than qrels
and trec_results (-R, -T), preference measures, Z scores (-Z) and debug output (-D).
Where a measure appears twice with other parameters, both count.
Lines that depart from the program's own:
""" + "".join(f"  {name}: {says}\n" for name, says in DEPARTURES.items())


def add(commands: options.Commands) -> None:
    parser = options.command(
        commands, "trec_eval", run, "score a run as trec_eval does, by its own options", _ABOUT
    )
    parser.add_argument("qrels", help="the judgments")
    parser.add_argument("run", help="the run; - is the standard input")
    flag, number = {"action": "store_true"}, {"type": options.number(int, 1), "metavar": "N"}
    parser.add_argument(
        *("-q", "--query_eval_wanted"), dest="each", help="each query's values, too", **flag
    )
    parser.add_argument(
        *("-m", "--measure"),
        dest="asked",
        action="append",
        metavar="MEASURE",
        help="a measure or a set, with parameters behind a point: P.5,10 (default: official)",
    )
    parser.add_argument(
        *("-c", "--complete_rel_info_wanted"),
        dest="complete",
        help="the mean over all judged queries; one that the run lacks counts as 0",
        **flag,
    )
    parser.add_argument(
        *("-l", "--level_for_rel"), dest="level", default=1, help="relevant from grade N", **number
    )
    parser.add_argument("-n", "--nosummary", help="no values of all queries together", **flag)
    parser.add_argument(
        *("-J", "--Judged_docs_only"),
        dest="judged_only",
        help="remove unjudged documents; those below move up",
        **flag,
    )
    parser.add_argument(
        *("-M", "--Max_retrieved_per_topic"),
        dest="depth",
        help="at most N documents of each query",
        **number,
    )
    parser.add_argument(
        *("-N", "--Number_docs_in_coll"),
        dest="collection",
        help="taken, and of no effect: only a fourth weight of utility needs it",
        **number,
    )
    _add_refused(parser, "-R", "--Rel_info_format", "qrels")
    _add_refused(parser, "-T", "--Results_format", "trec_results")
    _add_refused(parser, "-D", "--Debug_level", "0")
    _add_refused(parser, "-Z", "--Zscore", None)
    parser.add_argument(
        "--convention",
        choices=[name for name in PRESETS if name.startswith("trec_eval")],
        default="trec_eval",
        help="the version: scores of 64 bits as in version 10, or of 32 as in 9 and pytrec_eval",
    )
    parser.add_argument(*("-v", "--version"), action="version", version=f"rankscope {__version__}")
    options.add(parser, "--quiet")


def _add_refused(parser: argparse.ArgumentParser, short: str, long: str, only: str | None) -> None:
    """Add an option of trec_eval's that is not offered, or with one value only."""
    choices = None if only is None else [only]
    about = "not offered" if only is None else f"only {only} is offered"
    parser.add_argument(short, long, dest=long[2:], choices=choices, default=only, help=about)


def run(args: argparse.Namespace) -> str:
    """Return trec_eval's lines; print notes on stderr.

    Raises RankscopeError when an option is not offered, or a measure is not known.
    """
    if args.Zscore is not None:
        raise RankscopeError("-Z is not offered: Rankscope prints no Z scores.")
    lines = measures_named(args.asked or ["official"], options.version(args))
    level, queries = float(args.level), "qrels" if args.complete else "both"
    convention = replace(PRESETS[args.convention], level=level, queries=queries)
    qrels = files.single_qrels(args.qrels)
    (title,) = files.titles([args.run])
    every = [measure for _, measure in lines.measures]
    judged = files.judged(qrels, args.run, convention, files.bar(title, args.quiet))
    if args.depth is not None:
        judged = judged.cut(args.depth)
    if args.judged_only:
        judged = judged.condensed()
    scored = score(judged, every)
    of_run = notes.of_run(title, scored, notes.depth(every))
    options.notes(notes.of_reading(args.qrels, qrels) + of_run, args)
    tag = scored.judged.tag or title
    # Version 9 prints no query that the run lacks.
    lacking = scored.judged.missing_from_run if args.convention != "trec_eval" else ()
    each = [query for query in scored.judged.queries if query not in lacking] if args.each else ()
    return trec(scored, lines, each=each, summary=not args.nosummary, tag=tag)
