"""Names and parameters as other tools write them -> as we do, or why they are not measures here."""

from __future__ import annotations

import math
import re
from typing import Any

from ..errors import MeasureError

_SPELLINGS: tuple[tuple[str, str], ...] = (
    # sentence-transformers: cosine_ndcg@10; torchmetrics and AutoRAG: RetrievalMRR, retrieval_map.
    (r"(?:cosine|dot|manhattan|euclidean|retrieval)[_-]?([a-z].*)", r"\1"),
    # sentence-transformers, DPR and BEIR: accuracy@5 asks for a hit; Accuracy alone is of pairs.
    (r"acc(?:uracy)?(@[0-9]{1,12})", r"Success\1"),
    (r"top[_-]([0-9]{1,12})[_-]accuracy", r"Success@\1"),
    (r"mar((?:@[0-9]{1,12})?)", r"R\1"),
    # trec_eval: prefs_simp, all_prefs and others of preferences.
    (r"all_prefs|prefs_.*", "prefs"),
    # MTEB: ndcg_at_10.
    (r"([a-z][a-z_-]*)_at_([0-9]{1,12})", r"\1@\2"),
    # A cutoff in words: recall@k=10, nDCG@all.
    (r"([a-z][a-z_-]*)@k=([0-9]{1,12})", r"\1@\2"),
    (r"([a-z][a-z_-]*)@(?:all|full)", r"\1"),
    # ranx: map-l2 and precision@10-l2, relevant from grade 2.
    (r"([a-z][a-z0-9_-]*)-l([0-9]{1,9})", r"\1(rel=\2)"),
    (r"([a-z][a-z0-9_-]*)(@[0-9]{1,12})-l([0-9]{1,9})", r"\1(rel=\3)\2"),
    # ranx: rbp.95, with p = 0.95.
    (r"rbp(?:@0)?\.([0-9]{1,9})", r"RBP(p=0.\1)"),
    # ranx: Burges' gain, 2^grade − 1.
    (r"(n?dcg)_burges((?:@[0-9]{1,12})?)", r"\1(gain=exponential)\2"),
)
_PATTERNS = [(re.compile(form, re.ASCII | re.IGNORECASE), ours) for form, ours in _SPELLINGS]

_GAINS = {"log2": "linear", "exp-log2": "exponential"}
"""What ir_measures calls the formulation of DCG is a gain here."""
_PATIENT = "NRBP", "nNRBP"
"""Their papers call the probability of reading on beta; beta is the weight of recall here."""

_WHY = {
    "numq": "it is the number of queries, not a score of each; --format trec prints it as num_q",
    "hits": "it is Success@k, whether there is a hit, or NumRelRet@k, how many, as in ranx",
    "cg": "it is a sum of gains without a discount, and all measures of gains here have one",
    "fallout": "it is divided by all documents that are not relevant, of which few are judged",
    "fbeta": "the weight of recall is missing; write F(beta=2)@10, or F1@10",
    "gauc": "it is an AUC over all items, also those that nobody judged",
    "infndcg infndcgcut": "it needs qrels with the strata of their sample",
    "itemcoverage coverage novelty diversity gini serendipity": "it is computed without judgments",
    "rbo kendall spearman": "it compares two rankings; rankscope compare and the page Compare do",
    "ee awrf": "it is of the exposure of groups, which qrels do not name",
    "contextprecision": "under the preset ragas it is AP@k, or P@k of ids",
    "contextrecall": "under the preset ragas it is R@k",
    "yaap": "it is an experiment of 2008",
    "prefs": "it compares preferences",
    "qrelsjg mapavgjg pavgjg rprecmultavgjg": "it averages over several judges' qrels",
    "exactmatch": "it compares answers, not rankings",
}
NOT_OFFERED = {name: why for several, why in _WHY.items() for name in several.split()}
"""Names of other tools, in lower case and without separators, that are no measure here, and why."""


def respelled(text: str) -> str | None:
    """Return a measure's name as we write it; None where no other tool's spelling is known.

    Examples
    --------
    >>> [respelled(text) for text in ("ndcg_at_10", "precision@10-l2", "rbp.95", "nDCG@10")]
    ['ndcg@10', 'precision(rel=2)@10', 'RBP(p=0.95)', None]
    >>> respelled("cosine_accuracy@5")
    'Success@5'
    """
    for pattern, ours in _PATTERNS:
        if match := pattern.fullmatch(text):
            found = match.expand(ours)
            return respelled(found) or found
    return None


def parameter(symbol: str, name: str, value: str) -> tuple[str, str]:
    """Return a parameter of ir_measures' as we write it; any other parameter as it is.

    Raises
    ------
    MeasureError
        When it is a choice of the convention here.

    Examples
    --------
    >>> parameter("nDCG", "dcg", "'exp-log2'"), parameter("P", "rel", "2")
    (('gain', 'exponential'), ('rel', '2'))
    """
    plain = value.strip("'\"")
    if name == "dcg" and plain in _GAINS:
        return "gain", _GAINS[plain]
    if name == "gains":
        return "gain", value
    if symbol in _PATIENT and name == "beta":
        return "p", plain
    if name == "judged_only":
        raise MeasureError(
            f"{symbol}: judged_only is a choice of the convention here, so that every measure has "
            'the same ranking: --set unjudged=removed, or Convention(unjudged="removed").'
        )
    return name, plain


def text_of(measure: Any) -> object:
    """Return the name of a measure of ir_measures as we write it; anything else as it is."""
    if type(measure).__module__.partition(".")[0] != "ir_measures":
        return measure
    parameters = dict(measure.params)
    number = parameters.pop(measure.AT_PARAM, None)
    if measure.NAME == "RBP":
        parameters.setdefault("p", 0.8)
    if measure.NAME == "SetF":
        # It hands beta to trec_eval's set_F, which weighs recall by it: the square of the usual.
        parameters["beta"] = math.sqrt(parameters.get("beta", 1.0))
    inside = ",".join(f"{name}={value}" for name, value in parameters.items())
    return measure.NAME + (f"({inside})" if inside else "") + (f"@{number}" if number else "")
