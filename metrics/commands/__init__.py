"""The commands of ``rankscope``, one file each; each command returns the text to print."""

from .app import HISTORY_VARIABLE, WATCH_VARIABLE, WORKSPACE_VARIABLE

__all__ = ["HISTORY_VARIABLE", "WATCH_VARIABLE", "WORKSPACE_VARIABLE"]
