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
        commands, "app", run, "open the app in the browser", "It takes streamlit's options."
    )


def run(given: argparse.Namespace) -> str:
    """Start streamlit with its own options; it does not come back."""
    # Run by name: the core itself never imports streamlit.
    sys.argv = ["streamlit", "run", str(APP), *given.unknown]
    runpy.run_module("streamlit", run_name="__main__")
    return ""
