"""``rankscope app``: the app in the browser."""

from __future__ import annotations

import argparse
import os
import runpy
import sys
from pathlib import Path

from ..errors import RankscopeError
from . import options

APP = Path(__file__).parents[2] / "app.py"
HISTORY_VARIABLE = "RANKSCOPE_HISTORY"
"""The environment variable that names the folder of the page History."""


def add(commands: options.Commands) -> None:
    parser = options.command(
        commands, "app", run, "open the app in the browser", "Accepts streamlit's options."
    )
    parser.add_argument(
        "--history",
        metavar="FOLDER",
        help="show the judged runs of this folder on the page History, to everyone who can open "
        "the app",
    )


def run(args: argparse.Namespace) -> str:
    """Start streamlit with the options that follow; this does not return.

    Raises
    ------
    RankscopeError
        When the folder of the history does not exist.
    """
    if args.history is not None:
        if not Path(args.history).is_dir():
            raise RankscopeError(f"--history {args.history}: not a folder. Name an existing one.")
        os.environ[HISTORY_VARIABLE] = str(Path(args.history).absolute())
    # Run by name, because the core never imports streamlit.
    sys.argv = ["streamlit", "run", str(APP), *args.unknown]
    runpy.run_module("streamlit", run_name="__main__")
    return ""
