"""The names of a ledger's columns for readers; files and scripts keep the short names."""

from ..measures import REGISTRY

LABELS = {
    "covers": "covers the aspects",
    "jarvelin": "max(1, log₂ r)",
    "ln": "ln(r+1)",
    "log2": "log₂(r+1)",
    "running": "total",
} | {column: label for kind in REGISTRY.values() for column, label in kind.labels.items()}
"""The columns whose names are not the words for them: every measure's, the divisors of the
discounts, and the running total."""
