"""Scores of measures by name, and each score explained by its ledger."""
