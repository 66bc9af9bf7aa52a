"""Scores of measures by name, and each score explained by its ledger."""

__all__ = ["formula", "known_differences", "naming"]
