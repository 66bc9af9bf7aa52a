"""The names of a ledger's columns for readers; files and scripts keep the short names."""

LABELS = {
    name: name
    for name in (
        *("A", "AP", "Bpref", "c", "divisor", "gain", "hits", "judged", "k", "log", "n"),
        *("N", "nonrelevant", "pairs", "penalty", "points", "R", "relevant", "weight", "worth"),
    )
} | {
    "above": "not relevant above",
    "aspects": "aspects covered",
    "behind": "behind the ideal by",
    "below": "not relevant below",
    "best": "ideal overlap",
    "chosen": "highest",
    "covered": "aspects so far",
    "covers": "covers the aspects",
    "discount": "1/log₂(r+1)",
    "discounted_gain": "gain × discount",
    "expected": "expected precision",
    "first": "first relevant",
    "idcg": "IDCG",
    "ideal": "ideal score",
    "ideal_rank": "rank in the ideal",
    "ideal_total": "ideal gain",
    "ierr": "IERR",
    "jarvelin": "max(1, log₂ r)",
    "last": "all are found",
    "ln": "ln(r+1)",
    "log2": "log₂(r+1)",
    "most": "most imaginable",
    "new": "new aspects",
    "nonrelevant_above": "not relevant above",
    "p": "P(satisfies)",
    "per_gain": "mean 1/IDCG below",
    "pooled_above": "pooled above",
    "precision": "precision at rank",
    "reached": "P(is reached)",
    "recall_step": "recall step",
    "running": "total",
    "seen": "relevant so far",
    "shares": "shares of aspects",
}
"""Every measure's working columns, and the running total."""
