"""Comparisons of two or more runs: deltas, their uncertainty, and the documents behind them."""

from .evidence import PairedTest
from .one_query import Side

__all__ = ["PairedTest", "Side", "comparison", "evidence", "leaderboard", "reversal"]
__all__ += ["significance", "similarity", "slices"]
