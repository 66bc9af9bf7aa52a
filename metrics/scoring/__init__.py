"""Names of measures to scores, and each score explained by its ledger."""
