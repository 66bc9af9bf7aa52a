"""Every measure by what it is for."""

from __future__ import annotations

TASKS: dict[str, tuple[str, ...]] = {
    "Graded documents, the best first": ("nDCG", "DCG", "IDCG", "nDCGrel", "RnDCG", "G", "binG"),
    "Relevant documents, the higher the better": ("AP", "Rprec", "RBP", "IPrec", "AvgIPrec"),
    "The first relevant document": ("RR", "Success", "ERR", "nERR", "IERR"),
    "Every aspect of a query, or everything that is needed": (
        *("alpha_nDCG", "alpha_DCG", "alpha_IDCG", "ERR_IA", "nERR_IA", "IERR_IA"),
        *("NRBP", "nNRBP", "INRBP", "AP_IA", "P_IA", "StRecall", "AllAspects", "AllRel"),
    ),
    "Share of relevant documents in the top k": ("P", "R", "RCap", "F1", "F", "SetAP"),
    "Many unjudged documents": ("Judged", "Unjudged", "Bpref", "infAP", "RBPres"),
    "Order against other documents or rankings": ("Accuracy", "Compat"),
    "Hard queries": ("LogAP", "LogBpref"),
    "Counts and costs": ("NumRet", "NumRel", "NumRelRet", "NumNonrelRet", "Utility"),
}
"""The symbols of the measures, by task; the usual one first."""
