"""Decide between two runs: the verdict, and what threatens it."""

from .pairing import Pairing
from .statement import Statement
from .trend import PastRun
from .verdict import Verdict

__all__ = ["Pairing", "PastRun", "Statement", "Verdict", "dropped", "trend"]
