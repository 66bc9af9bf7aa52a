"""Conventions: the choices on which evaluation tools disagree, as one value."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields, replace

from ..arrays import is_finite
from ..errors import RankscopeError
from ..words import suggestion
from .choices import CHOICES
from .gains import gain_function


@dataclass(frozen=True)
class Convention:
    """One value for every choice on which tools disagree. The defaults are those of trec_eval 10.

    Attributes
    ----------
    gain
        ``"linear"``: the grade itself; ``"exponential"``: 2^grade − 1; ``"binary"``: 1 for every
        grade above 0; or a map from grades to gains, ``"{1:0.5,2:0.9}"``.
    discount
        The divisor of a gain: ``"log2"``: log2(rank + 1); ``"jarvelin"``: log2(rank), but 1 at
        rank 1; ``"ln"``: the natural logarithm of rank + 1.
    level
        The lowest grade that counts as relevant.
    ideal
        The documents of the ideal ranking: ``"judged"``: all judged ones; ``"retrieved"``: the
        retrieved ones only; ``"doubled"``: the top k plus all judged ones, so some count twice.
    ideal_cut
        The ideal ranking is cut at the measure's ``"k"``, or counts ``"whole"``.
    ties
        The order of equal scores: by document id ``"descending"`` or ``"ascending"`` (UTF-8
        bytes); ``"input"``: in input order; ``"mean"``: the mean over all orders, for measures
        that are linear in the gains.
    unjudged
        ``"zero"``: unjudged documents keep their rank with gain 0; ``"removed"``: they are
        removed, and lower ranks move up.
    own_document
        A retrieved document with the id of its query, where queries are documents too, is
        ``"kept"``; ``"removed"``: lower ranks move up.
    negative
        Documents with a negative grade count as ``"unjudged"`` or as judged ``"nonrelevant"``,
        both with gain 0; ``"subtract"``: they have a negative gain.
    scores
        Scores are compared in ``"double"`` or ``"single"`` precision.
    queries
        The mean is over ``"both"``: the queries in both run and qrels; ``"qrels"``: all judged
        queries.
    undefined
        A query with nothing to find scores 0, ``"zero"``; scores 1 where the measure is then 0/0,
        ``"one"``; or is left out of the mean, ``"skip"``.
    precision
        P@k is divided by ``"k"``; ``"returned"``: by min(k, documents retrieved).
    ap
        AP is divided by ``"R"``; ``"capped"``: by min(k, R); ``"retrieved"``: by min(k, relevant
        documents retrieved); ``"top"``: by the relevant documents in the top k.
    rbp
        The gain of a document in RBP is its grade divided by the query's highest, ``"scaled"``; 1
        if it is ``"relevant"``; or its ``"grade"``.
    recall_points
        Recall p is reached at round(p·R) documents, ``"nearest"``, or at int(p·R + 0.9), ``"up"``.

    Raises
    ------
    RankscopeError
        When a choice is not one of its values, or ``level`` is not above 0.

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
    own_document: str = "kept"
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
        if not is_finite(self.level) or self.level <= 0:
            raise RankscopeError(
                f"Convention: level, the threshold of relevance, must be a number above 0, not "
                f"{self.level!r}; documents of grade 0 or below are not relevant. Usually it is 1."
            )

    def sentences(self) -> dict[str, str]:
        """Return each choice in words, by field name."""
        sentences = {
            name: f"{choice.name}: {choice.values.get(value, value)}"
            for name, choice in CHOICES.items()
            for value in [getattr(self, name)]
        }
        return sentences | {"level": f"relevant: grade {self.level:g} or higher"}

    @property
    def label(self) -> str:
        """The preset with exactly these choices, and their differences from trec_eval."""
        return self.label_in([field.name for field in fields(self)])

    def label_in(self, choices: Collection[str]) -> str:
        """Return the preset that makes these choices, and how they differ from trec_eval.

        Parameters
        ----------
        choices
            Names of fields.

        Examples
        --------
        >>> Convention(ideal="retrieved", ap="capped").label_in(["ap", "ties"])
        'trec_eval, but AP divided by: min(k, R)'
        >>> Convention(ties="ascending").label_in(["ties", "unjudged"])
        'trec_eval, but ties: by document id, ascending'
        >>> PRESETS["MS MARCO"].label_in(["ties", "unjudged"])
        'MS MARCO, with ties: by document id, ascending'
        """
        changed = self.differences(choices)
        like = presets_like(self, choices)[:1]
        # A single difference needs no preset to name it, unless that is the one.
        if len(changed) == 1 and self not in PRESETS.values():
            like = []
        clauses = "; ".join(self.sentences()[name] for name in changed)
        named = f"{like[0]}, with" if like else "trec_eval, but"
        return f"{named} {clauses}" if changed else like[0]

    def brief(self, choices: Iterable[str]) -> list[str]:
        """Return the value of each of these choices in a few words.

        Parameters
        ----------
        choices
            Names of fields.

        Examples
        --------
        >>> Convention(level=2).brief(["gain", "ap", "level"])
        ['gain = grade', 'divided by all relevant', 'relevant from grade 2']
        """
        words = {
            name: choice.short.get(value, f"{choice.name} = {value}")
            for name, choice in CHOICES.items()
            for value in [getattr(self, name)]
        }
        words["level"] = f"relevant from grade {self.level:g}"
        return [words[name] for name in choices]

    def differences(
        self, choices: Collection[str] | None = None, other: Convention | None = None
    ) -> list[str]:
        """Return the fields that differ from another convention, by default trec_eval.

        Parameters
        ----------
        choices
            The names of the fields to compare; by default all.
        other
            The other convention; by default `TREC_EVAL`.
        """
        names = [field.name for field in fields(self)] if choices is None else choices
        return [name for name in names if getattr(self, name) != getattr(other or TREC_EVAL, name)]


TREC_EVAL = Convention()

_VECTORS = Convention(ideal="retrieved", ap="retrieved")
_LISTS = Convention(gain="binary", ties="input", queries="qrels", precision="returned")
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
    "BEIR": Convention(ties="input", own_document="removed", queries="qrels"),
    "LlamaIndex": replace(_LISTS, ideal_cut="whole"),
    "ragas": replace(_LISTS, gain="linear", ap="top"),
    "MLflow": _LISTS,
    "AutoRAG": replace(_LISTS, ap="top"),
    "torchmetrics": replace(_VECTORS, ties="input", ap="top"),
    "Spark MLlib": replace(_LISTS, precision="k", ap="capped"),
    "OpenSearch": replace(_LISTS, gain="exponential"),
    "“NDCG and MRR From Scratch” (batch code)": Convention(ideal="doubled"),
    "“How to Evaluate Reranking Quality with NDCG”": Convention(undefined="one"),
}


def presets_like(convention: Convention, choices: Collection[str]) -> list[str]:
    """Return the names of the presets that make these choices as a convention does.

    One that makes all others as well comes first.

    Examples
    --------
    >>> presets_like(Convention(gain="exponential", ideal="retrieved"), ["gain", "ideal"])
    ['LightGBM', 'XGBoost']
    >>> presets_like(PRESETS["XGBoost"], ["gain", "ideal"])
    ['XGBoost', 'LightGBM']
    """
    like = [name for name, each in PRESETS.items() if not convention.differences(choices, each)]
    return sorted(like, key=lambda name: PRESETS[name] != convention)


def named(convention: Convention | str) -> Convention:
    """Return the preset of a name, in any case and spelling; a convention as it is.

    Raises RankscopeError when no preset has the name; the message suggests the nearest.

    Examples
    --------
    >>> named("ms-marco") == PRESETS["MS MARCO"]
    True
    """
    if isinstance(convention, Convention):
        return convention
    if not isinstance(convention, str):
        raise RankscopeError(
            f"The convention is {convention!r}; pass the name of a preset, such as "
            f'"{next(iter(PRESETS))}", or a Convention, such as Convention(gain="exponential").'
        )
    known = {_plain(name): name for name in PRESETS}
    if (plain := _plain(convention)) in known:
        return PRESETS[known[plain]]
    hint = suggestion(plain, known, known.__getitem__)
    raise RankscopeError(
        f"There is no convention {convention!r}. {hint}Known: {', '.join(known.values())}."
    )


def _plain(name: str) -> str:
    """Return the letters and digits of a preset's name, in lower case."""
    return "".join(filter(str.isalnum, name.lower()))


PRESET_NOTES: dict[str, str] = {
    "trec_eval": "Version 10; the sources that Learn checks count so too, except two.",
    "trec_eval 9": "Also pytrec_eval. Scores are 32-bit floats, so close scores become ties. The "
    "git tag trec_eval-9.0.8 has 64 bits: trec_eval with recall_points=up.",
    "ir_measures": "Its default measures, most of them pytrec_eval's.",
    "ranx": "With make_comparable=True.",
    "scikit-learn": "dcg_score and ndcg_score on a query's retrieved documents.",
    "LightGBM": "ndcg@k and map@k on the documents passed to it.",
    "XGBoost": "ndcg@k, map@k and pre@k on the documents passed to it.",
    "MS MARCO": "The official MRR@10.",
    "BEIR": "Its MRR, R_cap, Hole and Accuracy (Success here), run after evaluate, whose own "
    "measures are trec_eval 9 with own_document=removed.",
    "LlamaIndex": "Its retrieval metrics: the expected ids are the relevant documents.",
    "ragas": "context_precision is AP@k, the id-based one P@k; context_recall is R@k.",
    "MLflow": "precision_at_k, recall_at_k and ndcg_at_k.",
    "AutoRAG": "Its retrieval metrics, where each relevant document is wanted.",
    "torchmetrics": "Its retrieval metrics on the documents passed to it.",
    "Spark MLlib": "RankingMetrics without grades.",
    "OpenSearch": "Precision@k, MAP@k and NDCG@k of its Search Relevance Workbench.",
    "“NDCG and MRR From Scratch” (batch code)": "mean_ndcg sorts the top k and all judgments.",
    "“How to Evaluate Reranking Quality with NDCG”": "NDCG is 1.0 where no document is relevant.",
}

PRESET_MEASURES: dict[str, tuple[str, ...]] = {
    "scikit-learn": ("DCG", "nDCG"),
    "LightGBM": ("nDCG", "AP"),
    "XGBoost": ("nDCG", "AP", "P"),
    "MS MARCO": ("RR",),
    "BEIR": ("RR", "RCap", "Unjudged", "Success"),
    "LlamaIndex": ("Success", "RR", "P", "R", "AP", "nDCG"),
    "ragas": ("AP", "P", "R"),
    "MLflow": ("P", "R", "nDCG"),
    "AutoRAG": ("P", "R", "F", "F1", "nDCG", "RR", "AP"),
    "torchmetrics": ("P", "R", "AP", "RR", "Success", "nDCG", "Rprec"),
    "Spark MLlib": ("P", "R", "AP", "nDCG"),
    "OpenSearch": ("P", "AP", "nDCG"),
    "“NDCG and MRR From Scratch” (batch code)": ("DCG", "IDCG", "nDCG"),
    "“How to Evaluate Reranking Quality with NDCG”": ("DCG", "IDCG", "nDCG"),
}
"""The symbols of the measures that a preset's tool has; all for a preset that is not named."""
