"""The command line: score runs, explain a score, compare runs, open the app."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from .commands import app, compare, conventions, explain, measures, options, score
from .errors import DataError, NoOverlapError, RankscopeError
from .reading import ReadError
from .version import __version__

DONE, BAD_DATA, BAD_USAGE, NOTHING_SHARED, INTERRUPTED = 0, 1, 2, 3, 130
"""What a command exits with; `options.EXIT_CODES` says it in the help."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command, print what it returns, and say how it went by the exit code."""
    try:
        return _run(argv)
    except BrokenPipeError:
        # Who reads has seen enough; Python must not find the pipe closed once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        return INTERRUPTED
    except NoOverlapError as error:
        return _said(error, NOTHING_SHARED)
    except (ReadError, DataError) as error:
        return _said(error, BAD_DATA)
    except RankscopeError as error:
        return _said(error, BAD_USAGE)
    except OSError as error:
        return _said(f"{error.filename or 'the output'}: {error.strerror}.", BAD_DATA)


def _run(argv: Sequence[str] | None) -> int:
    parser = _parser()
    given, unknown = parser.parse_known_args(argv)
    if unknown and given.call is not app.run:
        parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    given.unknown = unknown
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    sys.stdout.write(given.call(given))
    sys.stdout.flush()
    return DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rankscope",
        description="Ranking measures with their working: a score is the sum of its ledger.",
        epilog=options.EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"rankscope {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for module in (score, explain, compare, measures, conventions, app):
        module.add(commands)
    return parser


def _said(error: object, code: int) -> int:
    print(f"rankscope: {error}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
