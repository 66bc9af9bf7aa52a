"""``rankscope app``: the app in the browser."""

import argparse
import os
import runpy
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from ..auditing import opened
from ..errors import RankscopeError
from . import options

APP = Path(__file__).parents[2] / "app.py"
HISTORY_VARIABLE = "RANKSCOPE_HISTORY"
"""The environment variable that names the folder of the page History."""
WORKSPACE_VARIABLE = "RANKSCOPE_WORKSPACE"
"""The environment variable that names the folder of the workspace."""
WATCH_VARIABLE = "RANKSCOPE_WATCH"
"""The environment variable that has the opened files read again when they change."""


def add(commands: options.Commands) -> None:
    parser = options.command(
        commands,
        "app",
        run,
        "open the app in the browser",
        "Files open with it: rankscope app [QRELS RUN...].\nAccepts streamlit's options.",
    )
    for names, (role, about) in TEXT_OPTIONS.items():
        parser.add_argument(*names.split(), metavar="FILE", dest=role, help=about)
    parser.add_argument(
        "--watch", action="store_true", help="read a file again when it has changed"
    )
    parser.add_argument(
        "--workspace",
        metavar="FOLDER",
        help="keep what is loaded and edited in this folder, for everyone who can open the app",
    )
    parser.add_argument(
        "--history",
        metavar="FOLDER",
        help="show the judged runs of this folder on the page History, to everyone who can open "
        "the app",
    )


TEXT_OPTIONS = {
    "--queries": ("query_texts", "the texts of the queries"),
    "--texts": ("document_texts", "the texts of the documents"),
    "--attributes --groups": (
        *("query_attributes", "attributes of the queries, such as a group or a frequency"),
    ),
    "--exclude": ("excluded", "the documents to leave out of each query's ranking"),
}
"""The options for each kind of file beside qrels and runs, its role, and its help."""


def run(args: argparse.Namespace) -> str:
    """Start streamlit with the options that follow; this does not return.

    Raises RankscopeError when the folder of the history or a file does not exist, or data cannot be
    opened.
    """
    if args.history is not None:
        if not Path(args.history).is_dir():
            raise RankscopeError(f"--history {args.history}: not a folder. Name an existing one.")
        os.environ[HISTORY_VARIABLE] = str(Path(args.history).absolute())
    if args.workspace is not None:
        # Imported here, because it imports Parquet, which no other command waits for.
        from ..sessions.workspace import Workspace

        # Made now, so that a folder that cannot be is refused before the app starts.
        os.environ[WORKSPACE_VARIABLE] = str(Workspace(args.workspace).folder.absolute())
    names, of_streamlit = _apart(args.unknown)
    texts = {role: [path] for role, _ in TEXT_OPTIONS.values() if (path := getattr(args, role))}
    if names or texts:
        _open({"qrels": names[:1], "run": names[1:], **texts})
    if args.watch:
        os.environ[WATCH_VARIABLE] = "1"
    # Run by name, because the core never imports streamlit.
    sys.argv = ["streamlit", "run", str(APP), *of_streamlit]
    runpy.run_module("streamlit", run_name="__main__")
    return ""


def _apart(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the files and streamlit's options, each with the value behind it.

    Raises RankscopeError when an option is neither of this command nor of the form of streamlit's.
    """
    names, others = [], []
    rest = iter(words)
    for word in rest:
        if not word.startswith("-"):
            names.append(word)
            continue
        others.append(word)
        # Streamlit's options are --section.name VALUE or --section.name=VALUE.
        if "." not in word.partition("=")[0]:
            raise RankscopeError(
                f"{word}: no option of rankscope app. Those of streamlit have a section, such as "
                "--server.port=8600; rankscope app --help lists the others."
            )
        others += islice(rest, "=" not in word)
    return names, others


def _open(files: dict[str, list[str]]) -> None:
    """Read the files, which the pages then share, and refuse what cannot be opened.

    Raises RankscopeError when a file is missing or cannot be read, or the qrels or the runs are not
    named.
    """
    os.environ[opened.VARIABLE] = opened.named(files)
    pairs = opened.files()
    taken = opened.read(pairs, opened.stamps(pairs))
    for problem in taken.problems:
        raise problem
    if taken.dataset is None:
        raise RankscopeError(
            "The app opens qrels with at least one run, or judged rankings. Name them: rankscope "
            "app QRELS RUN..."
        )
