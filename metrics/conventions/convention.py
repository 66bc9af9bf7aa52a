"""Conventions: the choices on which evaluation tools disagree, as one value."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, fields, replace

from ..errors import RankscopeError
from .choices import CHOICES
from .gains import gain_function


@dataclass(frozen=True)
class Convention:
    """How a score is made, where tools differ. The defaults are those of trec_eval 10.

    Attributes
    ----------
    gain
        ``"linear"``: the grade itself; ``"exponential"``: 2^grade − 1; ``"binary"``: 1 for every
        grade above 0; or a map from grades to gains, ``"{1:0.5,2:0.9}"``.
    discount
        What a gain is divided by: ``"log2"``: log2(rank + 1); ``"jarvelin"``: log2(rank), ranks 1
        and 2 in full; ``"ln"``: the natural logarithm of rank + 1.
    level
        The lowest grade that counts as relevant.
    ideal
        Where the ideal ranking's documents come from: ``"judged"``, ``"retrieved"``, or
        ``"doubled"``: the top k and all judged ones, a retrieved document counting twice.
    ideal_cut
        The ideal ranking is cut at the measure's ``"k"``, or counts ``"whole"``.
    ties
        The order of equal scores: by document id ``"descending"`` or ``"ascending"`` (UTF-8
        bytes), as they came, ``"input"``, or the ``"mean"`` over all their orders, for measures
        that are linear in the gains.
    unjudged
        ``"zero"``: they hold their rank and earn nothing; ``"removed"``: ranks close up.
    negative
        Documents of a grade below 0 count as ``"unjudged"`` or as judged ``"nonrelevant"``, both
        with gain 0, or they ``"subtract"`` their gain.
    scores
        Scores are compared as ``"double"`` or as ``"single"`` precision numbers.
    queries
        ``"both"``: the queries of run and qrels; ``"qrels"``: all judged queries.
    undefined
        A query in which there is nothing to find scores ``"zero"``, ``"one"`` (where the measure
        is then 0/0), or is left out of the mean, ``"skip"``.
    precision
        P@k is divided by ``"k"`` or at most by the number of documents ``"returned"``.
    ap
        AP is divided by ``"R"``, by min(R, k), ``"capped"``, or by the relevant documents
        ``"retrieved"``, at most k.
    rbp
        A document counts in RBP by its grade ``"scaled"`` to 0–1, as ``"relevant"`` or not, or
        by its ``"grade"``.
    recall_points
        Recall p is reached at ``"nearest"``: round(p·R), or ``"up"``: int(p·R + 0.9) documents.

    Examples
    --------
    >>> Convention().label
    'trec_eval'
    >>> Convention(gain="exponential").label
    'trec_eval, but gain: 2^grade − 1'
    """

    gain: str = "linear"
    discount: str = "log2"
    level: float = 1.0
    ideal: str = "judged"
    ideal_cut: str = "k"
    ties: str = "descending"
    unjudged: str = "zero"
    negative: str = "unjudged"
    scores: str = "double"
    queries: str = "both"
    undefined: str = "zero"
    precision: str = "k"
    ap: str = "R"
    rbp: str = "scaled"
    recall_points: str = "nearest"

    def __post_init__(self) -> None:
        gain_function(self.gain)
        for name, choice in CHOICES.items():
            if name != "gain" and getattr(self, name) not in choice.values:
                raise RankscopeError(
                    f"Convention: {name} cannot be {getattr(self, name)!r}; "
                    f"choose one of {', '.join(map(repr, choice.values))}."
                )
        if not 0 < self.level < math.inf:
            raise RankscopeError(
                f"Convention: level, the threshold of relevance, must be a number above 0, not "
                f"{self.level}; documents of grade 0 or below are not relevant. Mostly it is 1."
            )

    def sentences(self) -> dict[str, str]:
        """Each choice in words, by field name."""
        said = {
            name: f"{choice.name}: {choice.values.get(value, value)}"
            for name, choice in CHOICES.items()
            for value in [getattr(self, name)]
        }
        return said | {"level": f"relevant: from grade {self.level:g}"}

    @property
    def label(self) -> str:
        """What differs from trec_eval, and the preset that differs in just this."""
        return self.label_in([field.name for field in fields(self)])

    def label_in(self, choices: Collection[str]) -> str:
        """What differs from trec_eval in these choices, and the preset that differs in just this.

        Examples
        --------
        >>> Convention(ideal="retrieved", ap="capped").label_in(["ap", "ties"])
        'trec_eval, but AP divided by: R or k, the smaller'
        >>> PRESETS["MS MARCO"].label_in(["ties", "unjudged"])
        'trec_eval, but equal scores: by document id, ascending'
        >>> PRESETS["LightGBM"].label_in(["gain", "ties"])
        'trec_eval, but gain: 2^grade − 1; equal scores: in input order; as LightGBM'
        """
        changed = self.differences(choices)
        said = [self.sentences()[name] for name in changed]
        # One difference says all by itself.
        if len(changed) > 1:
            same = (name for name, each in PRESETS.items() if not self.differences(choices, each))
            said += [f"as {name}" for name in same][:1]
        return f"trec_eval, but {'; '.join(said)}" if said else "trec_eval"

    def differences(
        self, choices: Collection[str] | None = None, other: Convention | None = None
    ) -> list[str]:
        """The fields, of these choices or of all, that differ from trec_eval or another."""
        names = [field.name for field in fields(self)] if choices is None else choices
        than = other or TREC_EVAL
        return [name for name in names if getattr(self, name) != getattr(than, name)]


TREC_EVAL = Convention()

_VECTORS = Convention(ideal="retrieved", ap="retrieved")
PRESETS: dict[str, Convention] = {
    "trec_eval": TREC_EVAL,
    "trec_eval 9": Convention(scores="single", recall_points="up"),
    "ir_measures": Convention(scores="single", recall_points="up", queries="qrels", rbp="relevant"),
    "ranx": Convention(
        ties="input", recall_points="up", queries="qrels", negative="nonrelevant", rbp="grade"
    ),
    "scikit-learn": replace(_VECTORS, ties="mean", negative="subtract"),
    "LightGBM": replace(_VECTORS, gain="exponential", ties="input", undefined="one"),
    "XGBoost": replace(
        _VECTORS, gain="exponential", ties="input", undefined="one", precision="returned"
    ),
    "MS MARCO": Convention(ties="ascending", queries="qrels"),
    "BEIR": Convention(ties="input", queries="qrels"),
    "article 2, batch code": Convention(ideal="doubled"),
    "article 3": Convention(undefined="one"),
}

PRESET_NOTES: dict[str, str] = {
    "trec_eval": "Version 10; the articles 1, 4 and 5 and article 2's single query score so too.",
    "trec_eval 9": "Also pytrec_eval: scores are C floats, so that close scores become ties.",
    "ir_measures": "What it takes from pytrec_eval; RR@k and Compat order equal scores ascending.",
    "ranx": "With make_comparable=True. It cuts fractions off grades; Rankscope does not.",
    "scikit-learn": "dcg_score and ndcg_score on the vector of a query's retrieved documents.",
    "LightGBM": "ndcg@k and map@k on the documents that it was given.",
    "XGBoost": "ndcg@k, map@k and pre@k on the documents that it was given.",
    "MS MARCO": "The official MRR@10.",
    "BEIR": "Its own MRR, R_cap, hole and accuracy; its nDCG, MAP, R and P are pytrec_eval's.",
    "article 2, batch code": "mean_ndcg sorts the top k and all judgments together.",
    "article 3": "It sets NDCG to 1.0 when all documents of a query are irrelevant.",
}
