"""The columns of a table that has one for each judge, by the names in its header."""

import re
from collections.abc import Sequence

from ...data.column_names import CONFIDENCES, JUDGES, REASONS, SYNONYMS, first_of, normalised
from .cells import HARMLESS

IDS = ("query", "document")
_GRADES = {word for name in SYNONYMS["grade"] for word in name.split("_")} - {"is", "llm"}
_OTHERS = {word for name in (*REASONS, *CONFIDENCES) for word in name.split("_")}
# A model may be the judge of a grade, but a column of a model may be its scores.
_PERSONS = {word for name in JUDGES for word in name.split("_")} - {"id", "model"}
_OF_SYSTEMS = {
    *("score", "scores", "sim", "similarity", "prob", "probability", "dist", "distance"),
    *("rank", "ranks", "ranking", "rankings", "position", "positions", "pos", "top"),
    *("run", "runs", "system", "systems", "model", "models", "engine", "result", "results"),
    *("retriever", "reranker", "bm", "tfidf", "tf", "idf", "dense", "sparse", "feature"),
    *("click", "clicks", "view", "views", "order", "orders", "count", "number", "id", "year"),
}
"""Words in the name of a column whose numbers come from a system or a log rather than a judge."""
_PARTS = re.compile(r"[^\w]+|_|(?<=[^\W\d])(?=\d)")


def judge_columns(names: Sequence[str]) -> list[int]:
    """Return the columns of the judges' grades; none where there is one column of grades.

    Where names say grade or label, those with such a name; where none does, or only that of a
    model, as llm_label, also all without a known name.

    Examples
    --------
    >>> judge_columns(["query", "document", "title", "ann", "bob"])
    [3, 4]
    >>> judge_columns(["query", "document", "ann", "bob", "score"])
    []
    """
    known = list(map(normalised, names))
    parts = {name for part in IDS for name in SYNONYMS[part]}
    if any(first_of(SYNONYMS[part], names) is None for part in IDS):
        return []
    others = [at for at, name in enumerate(known) if name not in parts and name != "score"]
    graded = [at for at in others if _says(_GRADES, names[at])]
    if len(graded) > 1:
        return graded
    if "score" in known or any("llm" not in _words(names[at]) for at in graded):
        return []
    found = [
        at
        for at in others
        if at in graded
        or (known[at] and known[at] not in HARMLESS and not _words(names[at]) & _OTHERS)
    ]
    return found if len(found) > 1 else []


def name_judges(names: Sequence[str]) -> bool:
    """Return whether each of these names says that a column has grades, or whose they are.

    Examples
    --------
    >>> name_judges(["grade_ann", "Rater 2"]), name_judges(["ann", "bob"])
    (True, False)
    """
    return all(_says(_GRADES | _PERSONS, name) for name in names)


def name_systems(names: Sequence[str]) -> bool:
    """Return whether one of these names says that a column's numbers are not a judge's.

    Examples
    --------
    >>> name_systems(["Frank", "Simon"]), name_systems(["label_1", "rank_1"])
    (False, True)
    """
    return any(_words(name) & _OF_SYSTEMS for name in names)


def beside(names: Sequence[str], at: int) -> dict[int, str]:
    """Return the columns of the reasons and the confidence of the judge in a column.

    Examples
    --------
    >>> beside(["query", "document", "label_1", "label_2", "reason_2"], 3)
    {4: 'reason'}
    """
    return {
        place: "confidence" if _words(name) & {*CONFIDENCES} else "reason"
        for place, name in enumerate(names)
        if _words(name) & _OTHERS and _whose(name) == _whose(names[at])
    }


def _says(words: set[str], name: str) -> bool:
    found = _words(name)
    return bool(found & words) and not found & _OTHERS


def _words(name: str) -> set[str]:
    return {word for word in _PARTS.split(normalised(name)) if word}


def _whose(name: str) -> frozenset[str]:
    """Return the words of a name that say whose grade or reason it is."""
    return frozenset(_words(name) - _GRADES - _OTHERS)
