"""A saved session: data, edits and settings in one file that opens again."""

from .session_file import Session
from .workspace import KeptData, Workspace

__all__ = ["KeptData", "Session", "Workspace", "session_file"]
