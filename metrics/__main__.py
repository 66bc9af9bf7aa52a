"""Command line: score runs, explain a score, compare and audit runs, open the app."""

import argparse
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper

from .commands import app, files, options
from .commands.parser import CommandParser
from .errors import DataError, NoOverlapError, RankscopeError
from .reading import ReadError
from .reading.told import telling
from .version import __version__

DONE, BAD_USAGE, NOTHING_SHARED, BAD_DATA, BUG, INTERRUPTED = 0, 2, 3, 4, 70, 130
"""Exit codes; `options.EXIT_CODES` lists them in the help. 1 is that of a regression, alone."""
_COMMANDS = "score trec_eval explain compare match check history audit measures conventions app"
"""The commands in the order of the help, each in the file of its name."""
_STREAMS = {"stdin": "r", "stdout": "w", "stderr": "w"}
"""The standard streams in the order of their numbers, and how each is opened."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command, print its result, and return the exit code."""
    for name, mode in _STREAMS.items():
        if getattr(sys, name) is None:
            # The caller has closed it. Opened in their order, they get their own numbers.
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
    try:
        if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        return _run(argv)
    except BrokenPipeError:
        return _without_reader(DONE)
    except KeyboardInterrupt:
        return INTERRUPTED
    except NoOverlapError as error:
        return _report(error, NOTHING_SHARED)
    except (ReadError, DataError) as error:
        return _report(error, BAD_DATA)
    except RankscopeError as error:
        return _report(error, BAD_USAGE)
    except OSError as error:
        return _report(f"{error.filename or 'the output'}: {error.strerror}.", BAD_DATA)
    except Exception:
        # Python itself would end with 1, which a job would take for a regression.
        traceback.print_exc()
        return BUG


def _run(argv: Sequence[str] | None) -> int:
    parser = _parser()
    args, unknown = parser.parse_known_args(argv)
    if unknown and args.call is not app.run:
        parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    args.unknown = unknown
    files.only_one_stdin(vars(args))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    with telling(getattr(args, "columns", None), getattr(args, "labels", None)):
        answer = args.call(args)
    text, code = answer if isinstance(answer, options.Output) else (answer, DONE)
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        return _without_reader(code)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rankscope",
        description="Compute ranking measures and show how each score adds up.",
        epilog=options.EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"rankscope {__version__}")
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", parser_class=CommandParser
    )
    for name in _COMMANDS.split():
        import_module(f"{app.__package__}.{name}").add(commands)
    return parser


def _without_reader(code: int) -> int:
    """Return the code after the reader closed the pipe, which is no error."""
    # Python would report it again at exit.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def _report(error: object, code: int) -> int:
    print(f"rankscope: {error}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
