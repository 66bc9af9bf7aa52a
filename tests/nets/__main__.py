"""Compare what the program gives today with the masters, or write the masters again.

    python -m tests.nets compare [NET ...]      exit code 1 with the differences, if there are any
    python -m tests.nets write [NET ...]        after a change that was intended
    python -m tests.nets full FOLDER [NET ...]  the texts with no line left out, to compare by diff

A net is a function that yields names and texts in a fixed order. `screens` and `papers` open pages
without a browser; `app.py` says how their addresses are written. Compare on the versions of
`constraints.txt`, and write `screens` at the start of a change of structure: other changes of pages
need not keep it.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.nets import commands, kept, papers, readings, screens
from tests.nets.master import Entries, compared, path_of, shortened, written

MASTERS = Path(__file__).parents[1] / "data" / "nets"
NETS: dict[str, Callable[[], Entries]] = {
    "readings": readings.entries,
    "commands": commands.entries,
    "kept": kept.entries,
    "papers": papers.entries,
    "screens": screens.entries,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Compare or write the nets, and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.nets",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    does = parser.add_subparsers(dest="does", required=True)
    for name in ("compare", "write", "full"):
        command = does.add_parser(name)
        if name == "full":
            command.add_argument("folder", type=Path)
        command.add_argument("nets", nargs="*", metavar="NET", help=", ".join(NETS))
    args = parser.parse_args(argv)
    if unknown := set(args.nets) - NETS.keys():
        parser.error(f"There is no net {min(unknown)!r}. Known: {', '.join(NETS)}.")
    # A warning would be printed once for each process, wherever it comes first.
    warnings.simplefilter("error")
    # Streamlit's runner of pages leaves its folder to the end of the process.
    warnings.filterwarnings("ignore", "Implicitly cleaning up", ResourceWarning)
    return sum([_one(name, args) for name in args.nets or NETS]) and 1


def _one(net: str, args: argparse.Namespace) -> bool:
    """Compare or write one net; return whether it differs from its master."""
    began = time.process_time()
    entries = list(NETS[net]())
    folder = MASTERS
    if args.does == "full":
        folder = args.folder
        folder.mkdir(parents=True, exist_ok=True)
    else:
        entries = [(name, shortened(text)) for name, text in entries]
    now, path = written(entries), path_of(folder, net)
    took = f"{len(entries):,} entries, {time.process_time() - began:.1f} CPU seconds"
    if args.does != "compare":
        path.write_bytes(now)
        print(f"{net}: written to {path}: {took}")
        return False
    report = list(compared(path.read_bytes(), now))
    print(f"{net}: {took}, {'differs from' if report else 'as in'} its master")
    if report:
        print(*report, "Every line: python -m tests.nets full FOLDER, now and before.", sep="\n")
    return bool(report)


if __name__ == "__main__":
    sys.exit(main())
