"""``rankscope app``: the app in the browser."""

from __future__ import annotations

import argparse
import runpy
import sys
from pathlib import Path

from . import options

APP = Path(__file__).parents[2] / "app.py"


def add(commands: options.Commands) -> None:
    options.command(
        commands, "app", run, "open the app in the browser", "Accepts streamlit's options."
    )


def run(args: argparse.Namespace) -> str:
    """Start streamlit with the options that follow; this does not return."""
    # Run by name, because the core never imports streamlit.
    sys.argv = ["streamlit", "run", str(APP), *args.unknown]
    runpy.run_module("streamlit", run_name="__main__")
    return ""
