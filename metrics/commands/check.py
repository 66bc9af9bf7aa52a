"""``rankscope check``: refuse a new run that drops against a baseline, for continuous integration.

The baseline is only read: nothing here writes to it or moves it.
"""

import argparse
import os

from ..deciding.regression import IN_A_CHECK, MAX_DROP, Rule, Ruling
from ..deciding.regression import check as checked
from ..deciding.statement import LEAVES_OPEN, UNEVEN
from ..defaults import ALPHA, MEASURE
from ..errors import RankscopeError
from ..matching.judged_file import JudgedFile, read_judged
from ..reading.texts import read_queries
from ..words import visible
from ..writing.check import Source, junit, sections
from ..writing.section import as_markdown, as_text
from . import files, notes, options

CODES = {
    Ruling.HOLDS: 0,
    Ruling.REGRESSION: 1,
    Ruling.NOT_COMPARABLE: 3,
    Ruling.CANNOT_TELL: 5,
}
"""The exit code of each answer."""
_OPEN = "\n".join(f"  {LEAVES_OPEN[kind]}: {answer}" for kind, answer in IN_A_CHECK.items())
ABOUT = f"""\
A measure fails if its mean drops by more than
--max-drop and the paired randomisation test has p < --alpha. The p-value is two-sided, as in
compare, and only a drop fails: of two equally good runs at most half of alpha fails. Several
measures must all hold; their p-values are corrected together (Holm). A query of --must-hold fails
if it drops at all. Runs that were judged differently are not compared.
Means of LogAP and LogBpref are those of the logarithms.

What can change which run is better, and what a check answers:
{_OPEN}
With 5, cannot tell, the documents to judge are named.

BASE and NEW are files of `rankscope match`. They are only read; choose a new baseline by
replacing the file."""


def add(commands: options.Commands) -> None:
    parser = options.command(
        commands, "check", run, "check that a new run holds what a baseline reached", ABOUT
    )
    parser.add_argument("base", metavar="BASE", help="the judged file of the baseline")
    parser.add_argument("new", metavar="NEW", help="the judged file of the new run")
    options.add_measures(parser, [MEASURE])
    drop = "the largest drop of a mean that is allowed {}"
    options.add_number(parser, "--max-drop", float, MAX_DROP, drop, "D")
    alpha = (
        "a larger drop fails if p is below this {}; 1: nothing is tested, the drop alone decides"
    )
    options.add_number(parser, "--alpha", float, ALPHA, alpha, "P")
    gap = (
        "the largest difference of the unjudged shares near the top at which unjudged documents "
        "count as 0 {}; 1: they always do"
    )
    options.add_number(parser, "--max-gap", float, UNEVEN, gap, "G")
    must_hold = "queries that must not drop at all: one id a line, # begins a comment"
    options.add_file(parser, "--must-hold", must_hold)
    parser.add_argument(
        "--qrels",
        metavar="FILE",
        default=Source.qrels,
        help="the qrels, which the printed commands name; they are not read",
    )
    options.add_file(parser, "--summary", "also write the answer as Markdown, for a job's summary")
    options.add_file(parser, "--junit", "also write JUnit's XML: a case for each measure and query")
    options.add(parser, "--quiet")


def run(args: argparse.Namespace) -> options.Output:
    """Return the answer and its exit code, after writing it where the options say."""
    inputs = list(filter(None, (args.base, args.new, args.must_hold)))
    if os.path.samefile(args.base, args.new):
        raise RankscopeError(
            f"{visible(args.base)} and {visible(args.new)} are the same file, so the check would "
            "always hold. Name the file of the new run."
        )
    files.protect(inputs, args.summary, args.junit)
    must_hold = read_queries(args.must_hold) if args.must_hold else ()
    rule = Rule(args.max_drop, args.alpha, must_hold, args.max_gap)
    measures = options.parse_measures(args.measures, [MEASURE])
    base, new = read_judged(args.base), read_judged(args.new)
    read = notes.of_reading(args.base, base.judged) + notes.of_reading(args.new, new.judged)
    options.notes([*notes.of_names(measures), *read], args)
    found = checked(base.judged, new.judged, measures.values(), rule)
    source = Source(args.base, args.new, _about(base), _about(new), args.qrels)
    answer = list(sections(found, source))
    if args.summary:
        files.write(args.summary, as_markdown(answer))
    if args.junit:
        files.write(args.junit, junit(found))
    return options.Output(as_text(answer, options.width()), CODES[found.outcome])


def _about(file: JudgedFile) -> str:
    """Return a file's name, tags, commit and time in a few words."""
    commit, time = file.commit and f"commit {file.commit}", f"{file.time:%Y-%m-%d %H:%M} UTC"
    return ", ".join(filter(None, (file.name, *file.tags, commit, time)))
