"""Choices on which evaluation tools disagree: their values, and the words for them."""

from dataclasses import dataclass

from .gains import DISCOUNTS


@dataclass(frozen=True)
class Choice:
    """One choice of a convention.

    Attributes
    ----------
    name
        The name inside a sentence: ``gain``, ``AP divided by``.
    values
        The words for each value.
    short
        Each value in a few words that need no name before them.
    """

    name: str
    values: dict[str, str]
    short: dict[str, str]

    @property
    def label(self) -> str:
        """The name as the label of a field or a column."""
        return f"{self.name[0].upper()}{self.name[1:]}"


def _choice(name: str, /, **words: tuple[str, str]) -> Choice:
    """Return a choice; ``words`` of each value: after the name, and without it."""
    values, short = ({value: both[at] for value, both in words.items()} for at in (0, 1))
    return Choice(name, values, short)


CHOICES: dict[str, Choice] = {
    "gain": _choice(
        "gain",
        linear=("the grade", "gain = grade"),
        exponential=("2^grade − 1", "gain = 2^grade − 1"),
        binary=("1 for grades above 0", "gain = 1 for grades above 0"),
    ),
    "discount": _choice(
        "discount",
        **{name: (each.words, each.words.partition(",")[0]) for name, each in DISCOUNTS.items()},
    ),
    "ideal": _choice(
        "ideal ranking",
        judged=("all judged documents", "ideal of all judged"),
        retrieved=("retrieved documents only", "ideal of the retrieved only"),
        doubled=("top k plus all judged documents, so some count twice", "ideal counts some twice"),
    ),
    "ideal_cut": _choice(
        "cutoff of the ideal",
        k=("k", "ideal cut at k"),
        whole=("none", "ideal not cut"),
    ),
    "ties": _choice(
        "ties",
        descending=("by document id, descending", "ties by id, descending"),
        ascending=("by document id, ascending", "ties by id, ascending"),
        input=("in input order", "ties in input order"),
        mean=("mean over all orders", "ties averaged"),
    ),
    "unjudged": _choice(
        "unjudged documents",
        zero=("keep their rank, gain 0", "unjudged keep their rank"),
        removed=("removed, lower ranks move up", "unjudged removed"),
    ),
    "own_document": _choice(
        "document with the query's id",
        kept=("kept", "query's own document kept"),
        removed=("removed, lower ranks move up", "query's own document removed"),
    ),
    "negative": _choice(
        "negative grades",
        unjudged=("unjudged, gain 0", "negative grades unjudged"),
        nonrelevant=("judged not relevant, gain 0", "negative grades not relevant"),
        subtract=("judged not relevant, negative gain", "negative grades subtract"),
    ),
    "scores": _choice(
        "score precision",
        double=("64-bit floats", "64-bit scores"),
        single=("32-bit floats", "32-bit scores"),
    ),
    "queries": _choice(
        "mean over",
        both=("queries in both run and qrels", "mean over queries of both"),
        qrels=("all judged queries, 0 if not in the run", "mean over all judged queries"),
    ),
    "undefined": _choice(
        "queries with nothing to find",
        zero=("score 0", "0/0 is 0"),
        one=("score 1 where 0/0", "0/0 is 1"),
        skip=("left out of the mean", "0/0 left out"),
    ),
    "precision": _choice(
        "P@k divided by",
        k=("k", "divided by k"),
        returned=("min(k, documents retrieved)", "divided by min(k, retrieved)"),
    ),
    "ap": _choice(
        "AP divided by",
        R=("R, all relevant documents", "divided by all relevant"),
        capped=("min(k, R)", "divided by min(k, R)"),
        retrieved=("min(k, relevant documents retrieved)", "divided by the relevant retrieved"),
        top=("relevant documents in the top k", "divided by the relevant in the top k"),
    ),
    "rbp": _choice(
        "RBP gain",
        scaled=("the grade divided by the query's highest", "gain = grade / highest grade"),
        relevant=("1 for relevant documents", "gain = 1 if relevant"),
        grade=("the grade", "gain = grade"),
    ),
    "recall_points": _choice(
        "recall p reached at",
        nearest=("p·R documents, rounded", "recall points rounded"),
        up=("p·R + 0.9 documents, rounded down", "recall points rounded up"),
    ),
}

OF_EVERY_MEASURE = ("ties", "unjudged", "own_document", "scores", "queries", "undefined")
"""The choices that affect the ranking or the mean, and so every measure."""
