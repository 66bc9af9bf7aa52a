"""Options that several commands share: files, measures, a convention, a format."""

import argparse
import math
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, replace
from typing import Any, NamedTuple, TypeVar

from ..auditing.id_mismatch import Mend
from ..conventions.choices import CHOICES
from ..conventions.convention import PRESETS, TREC_EVAL, Convention, named
from ..defaults import MEASURES
from ..errors import MeasureError, RankscopeError
from ..measures import Measure
from ..scoring.known_differences import EXCEPTIONS
from ..scoring.naming import parse
from ..scoring.trec_names import SETS, is_of_trec_eval, measures_named
from ..words import count, suggestion, visible
from ..writing import FORMATS, Table, altered, terminal
from ..writing.reproduce import FLAGS, PARTS, SURE

N = TypeVar("N", int, float)
EXIT_CODES = """\
exit codes:
  0    done; check: the new run holds
  1    check: a regression
  2    wrong usage: an unknown option, measure, convention or query
  3    nothing matches: no document of a run is judged, or two runs share no query;
       check: other judgments, another convention or other queries
  4    a file cannot be used; the message names the file, the line and the fix
  5    check: cannot tell, because documents without a grade decide
  70   a bug in Rankscope; the traceback shows where
  130  interrupted
"""


class Output(NamedTuple):
    """The output of a command whose exit code says more than that it is done."""

    text: str
    code: int


STDIN = "-"
"""The name of the standard input in the place of a file."""

Commands = Any
"""argparse's own type for a parser's commands is private."""


def use_fix(mend: Mend | None) -> str:
    """Return the advice on a change of ids; empty where no option makes it."""
    option = (mend.is_sure and SURE) or (mend.is_of_parts and PARTS) if mend else ""
    return f"Use {FLAGS[option]} to make this change." if option else ""


def command(commands: Commands, name: str, call: Any, about: str, more: str = "") -> Any:
    """Add a command; ``call`` takes its options and returns the text to print, or an `Output`."""
    parser = commands.add_parser(
        name,
        help=about,
        description=f"{about[0].upper()}{about[1:]}. {more}".strip(),
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(call=call)
    return parser


def add_files(
    parser: argparse.ArgumentParser, *, run: str = "", runs: str = "", judged: bool = False
) -> None:
    """Add the qrels, a run and several runs; one of the files can be ``-``, the standard input.

    ``run``, ``runs``: their help; empty for none. ``judged``: they can be judged rankings, too.
    """
    formats = "TREC, CSV, TSV or JSON, plain or gzipped; - is the standard input"
    parser.add_argument("qrels", help=f"the judgments: {formats}")
    also = "in the same formats"
    if judged:
        also += ", or judged rankings, written by rankscope match"
    if run:
        parser.add_argument("run", help=f"{run}, {also}")
    if runs:
        parser.add_argument("runs", nargs="+", metavar="run", help=f"{runs}, {also}")
    for option, of, about in (
        ("--columns", str, "the files' own names of columns: query=search_term,document=uid"),
        ("--labels", float, "the grade of each label in the qrels: E=3,S=2,C=1,I=0"),
    ):
        parser.add_argument(option, type=_pairs(of), default={}, metavar="NAME=…", help=about)
    exclude = (
        "documents to leave out of each query's ranking and of its ideal: rows of a query and "
    )
    parser.add_argument(
        "--counts",
        metavar="RULE",
        help="whose grades count where several judged: majority, mean, 'only NAME', 'first NAME' "
        "(that judge's, and where there is none the majority of the others)",
    )
    judges = "another judge's qrels, named by its file; can be repeated"
    parser.add_argument("--judges", action="append", default=[], metavar="FILE", help=judges)
    add_file(parser, "--exclude", f"{exclude}a document, or JSON: {{query: [document]}}")


def add_measures(
    parser: argparse.ArgumentParser, default: Iterable[str] = MEASURES, more: str = ""
) -> None:
    parser.add_argument(
        "-m",
        "--measure",
        dest="measures",
        nargs="+",
        action="extend",
        metavar="MEASURE",
        help="one or more measures, such as nDCG@10, P(rel=2)@5 or trec_eval's ndcg_cut_10, before "
        f"or after the files; can be repeated; {', '.join(SETS)}: trec_eval's sets "
        f"(default: {' '.join(default)}{more})",
    )


_SHARED: dict[str, dict[str, Any]] = {
    "--fix-ids": {
        "action": "store_const",
        "const": SURE,
        "default": "",
        "help": "change ids of the runs to those of the qrels where the reason is certain "
        "(a prefix, case, a file ending …); a note names each change",
    },
    "--join-parts": {
        "dest": "fix_ids",
        "action": "store_const",
        "const": PARTS,
        "help": "do so, and match parts of documents: the best chunk (doc#chunk-3, doc_12) stands "
        "for its judged document, a span (doc:100-250) for a judged one that it overlaps",
    },
    "--convention": {
        "default": "trec_eval",
        "metavar": "NAME",
        "help": "follow this tool's convention (default: trec_eval); list: rankscope conventions",
    },
    "--set": {
        "dest": "changes",
        "action": "append",
        "default": [],
        "metavar": "FIELD=VALUE",
        "help": "change one choice of the convention, such as gain=exponential; can be repeated",
    },
    "--tag": {"dest": "tags", "action": "append", "default": [], "metavar": "TAG"},
    "--format": {
        "choices": [*FORMATS],
        "default": "table",
        "help": "default: table, with 4 decimals; csv and json keep all digits",
    },
    "--quiet": {"action": "store_true", "help": "print no notes on stderr"},
}
"""Options that are the same in every command that has them."""
FIX, CONVENTION = ("--fix-ids", "--join-parts"), ("--convention", "--set")


def add(parser: argparse.ArgumentParser, *names: str, **other: Any) -> None:
    """Add options that commands share; ``other``: what is different in this command."""
    for name in names:
        parser.add_argument(name, **_SHARED[name] | other)


def _pairs(of: Callable[[str], Any]) -> Callable[[str], dict[str, Any]]:
    """Return a parser of names and values such as ``a=1,b=2``; argparse reports what it refuses."""

    def read(text: str) -> dict[str, Any]:
        parts = [part.rpartition("=") for part in text.split(",")]
        try:
            found = {name.strip(): of(value.strip()) for name, _, value in parts}
        except ValueError:
            found = {}
        if not found or not all(found):
            raise argparse.ArgumentTypeError(f"found {text!r}; expected NAME=VALUE,NAME=VALUE")
        return found

    return read


def add_per_query(parser: Any, about: str) -> None:
    parser.add_argument("-q", "--per-query", action="store_true", help=about)


def add_file(parser: argparse.ArgumentParser, option: str, about: str) -> None:
    parser.add_argument(option, metavar="FILE", help=about)


def add_attributes(parser: argparse.ArgumentParser, about: str) -> None:
    """Add the option for the attributes of queries; its first name was that of one group."""
    about += "; a table with a column of queries, or lines of an id and a group"
    parser.add_argument("--attributes", "--groups", dest="attributes", metavar="FILE", help=about)


def number(kind: Callable[[str], N], least: int) -> Callable[[str], N]:
    """Return a parser of numbers from ``least`` up; argparse reports what it refuses."""

    def read(text: str) -> N:
        try:
            found = kind(text)
        except ValueError:
            found = kind(str(least - 1))
        if not least <= found < math.inf:
            raise argparse.ArgumentTypeError(f"found {text!r}; expected a number, {least} or more")
        return found

    return read


def add_number(
    parser: Any, option: str, kind: type[N], default: N, about: str, name: str = "", least: int = 0
) -> None:
    """Add an option for a number; ``about`` says ``{}`` where it names the default."""
    about = about.format(f"(default: {default:g})")
    read, shown = number(kind, least), name or None
    parser.add_argument(option, type=read, default=default, metavar=shown, help=about)


def parse_measures(
    texts: Sequence[str] | None, default: Iterable[str] = MEASURES
) -> dict[str, Measure]:
    """Return the measures by their names; the name of a set is replaced by its measures.

    As in trec_eval, several cutoffs can follow a name and a point: ``ndcg_cut.5,10``. What is a
    name of ours is not a family of trec_eval's: P is the precision of all that was retrieved.

    Raises MeasureError when a name is unknown; the message suggests the nearest known name.

    Examples
    --------
    >>> [str(measure) for measure in parse_measures(["map", "P.5,10"]).values()]
    ['AP', 'P@5', 'P@10']
    """
    found: dict[str, Measure] = {}
    for text in texts or default:
        try:
            found[text] = parse(text)
        except MeasureError:
            if not is_of_trec_eval(text):
                raise
            found |= dict(measures_named([text]).measures)
    return found


def version(args: argparse.Namespace) -> int:
    """Return the version of trec_eval that the named convention follows."""
    return 9 if named(args.convention) == PRESETS["trec_eval 9"] else 10


def convention(args: argparse.Namespace) -> Convention:
    """Return the preset of ``--convention`` with the changes of ``--set``.

    Raises RankscopeError when a preset, field or value is unknown; the message suggests the nearest
    known one.
    """
    preset = named(args.convention)
    for change in args.changes:
        preset = replace(preset, **_change(change))
    return preset


def require_query(query: str, known: Sequence[str]) -> None:
    """Refuse a query that is not in the qrels, and suggest the nearest id that is.

    Raises RankscopeError when the query is not in the qrels.
    """
    if query not in known:
        hint = suggestion(query, known, repr)
        raise RankscopeError(f"There is no query {query!r} in the qrels. {hint}".rstrip())


def formatted(table: Table, args: argparse.Namespace) -> str:
    """Return the table in the format of ``--format``; report on stderr what CSV cannot hold."""
    if counts := getattr(args, "counts", None):
        of_whom = {"grades": f"judged by {counts}"}
        facts = {**table.facts, **of_whom} if table.facts else {}
        table = table.saying(labels={**table.labels, **of_whom}, facts=facts)
    convention = table.labels.get("convention", TREC_EVAL.label)
    if args.format == "csv" and convention != TREC_EVAL.label:
        notes([f"convention: {convention}"], args)
    if args.format == "csv" and EXCEPTIONS in table.labels:
        notes([f"{EXCEPTIONS}: {table.labels[EXCEPTIONS]}"], args)
    if args.format == "csv" and (number := altered(table)):
        changed = (
            f"an apostrophe was added before {count(number, 'text')} that could start a formula "
            "in a spreadsheet; --format json leaves ids unchanged."
        )
        notes([changed], args)
    return terminal.text(table, width()) if args.format == "table" else FORMATS[args.format](table)


def width() -> int:
    """Return the width of the terminal; 0 where the output goes elsewhere."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 0


def notes(texts: Iterable[str], args: argparse.Namespace) -> None:
    """Print notes on stderr, unless ``--quiet`` is set."""
    for text in [] if args.quiet else texts:
        print(f"rankscope: {visible(text)}", file=sys.stderr)


def _change(text: str) -> dict[str, Any]:
    name, equals, value = (part.strip() for part in text.partition("="))
    known = [field.name for field in fields(Convention)]
    if not equals:
        raise RankscopeError(f"--set {text}: write FIELD=VALUE, such as gain=exponential.")
    if name not in known:
        hint = suggestion(name, known)
        raise RankscopeError(
            f"There is no convention field {name!r}. {hint}Known: {', '.join(known)}."
        )
    if name in CHOICES:
        return {name: value}
    try:
        return {name: float(value)}
    except ValueError as error:
        raise RankscopeError(f"--set {text}: {name} must be a number, such as 2.") from error
