"""Comparisons of two or more runs: deltas, their uncertainty, and the documents behind them."""
