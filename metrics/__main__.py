"""The command line: ``rankscope app`` opens the app."""

from __future__ import annotations

import argparse
import runpy
import sys
from pathlib import Path

APP = Path(__file__).parent.parent / "app.py"


def main() -> None:
    """Run a command; what ``app`` does not know goes to ``streamlit run``."""
    parser = argparse.ArgumentParser(prog="rankscope", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("app", help="open the app in the browser (takes streamlit's options)")
    _, options = parser.parse_known_args()
    # Run by name: the core itself never imports streamlit.
    sys.argv = ["streamlit", "run", str(APP), *options]
    runpy.run_module("streamlit", run_name="__main__")


if __name__ == "__main__":
    main()
