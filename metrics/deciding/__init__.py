"""Decide between two runs: the verdict, and what threatens it."""

from .statement import Statement
from .verdict import Verdict, verdict

__all__ = ["Statement", "Verdict", "verdict"]
