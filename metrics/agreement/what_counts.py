"""Which grades of several judges count: one judge's, or those that a rule makes of all."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..data import Note, Qrels, Severity
from ..dataset import Dataset
from ..errors import DataError
from ..matching.batches import Given
from ..words import quote
from .side_by_side import ASPECTS, majority, side_by_side

Judges = Mapping[str, Qrels]
"""The qrels of each judge, by name."""
RULED = "N-JUDGES"
"""The grades were made of those of several judges."""
_NAMED = 5
"""At most this many judges are named in a note."""


@dataclass(frozen=True)
class Rule:
    """A rule by which grades count.

    Attributes
    ----------
    said
        Returns it in words, for the names of the judges and one of them.
    counted
        Returns the grades that count.
    of_one
        Whether it is about one of the judges.
    """

    said: Callable[[Collection[str], str], str]
    counted: Callable[[Judges, str], Qrels]
    of_one: bool = False


def mean(judges: Judges) -> Qrels:
    """Return the mean grade of each document, over those who judged it.

    Examples
    --------
    >>> mean({"a": Qrels.from_dict({"q": {"x": 2, "y": 1}}), "b": Qrels.from_dict({"q": {"x": 3}})})
    Qrels('mean': 1 queries, 2 rows)
    """
    table = side_by_side([*judges.values()])
    grades = np.nanmean(table.grades, axis=1)
    return Qrels(table.queries, table.query, table.document, grades, "mean")


def _first(judges: Judges, judge: str) -> Qrels:
    mine, others = judges[judge], [of for name, of in judges.items() if name != judge]
    if not others:
        return mine
    table = side_by_side([mine, of_others := majority(others)])
    first, then = table.grades.T
    grades = np.where(np.isnan(first), then, first)
    made = Qrels(table.queries, table.query, table.document, grades, judge)
    return replace(made, reasons=mine.reasons, notes=of_others.notes)


def _else(judges: Collection[str], judge: str) -> str:
    others = [name for name in judges if name != judge]
    return f"{judge}, else {others[0] if len(others) == 1 else 'the most frequent grade'}"


def _most(judges: Collection[str], _: str) -> str:
    return "the lower of both grades" if len(judges) == 2 else "the most frequent grade"


RULES: Mapping[str, Rule] = {
    "only": Rule(lambda _, judge: judge, lambda judges, judge: judges[judge], of_one=True),
    "first": Rule(_else, _first, of_one=True),
    "majority": Rule(_most, lambda judges, _: majority([*judges.values()])),
    "mean": Rule(lambda *_: "the mean grade", lambda judges, _: mean(judges)),
}
"""The rules by name; one of a judge is named with the judge, as in ``first Ada``."""


def rules(judges: Collection[str]) -> dict[str, str]:
    """Return the rules for judges with these names, and each in words.

    Examples
    --------
    >>> for name, said in rules(["Ada", "model"]).items():
    ...     print(f"{name}: {said}")
    only Ada: Ada
    only model: model
    first Ada: Ada, else model
    first model: model, else Ada
    majority: the lower of both grades
    mean: the mean grade
    """
    return {
        f"{name} {judge}" if rule.of_one else name: rule.said(judges, judge)
        for name, rule in RULES.items()
        for judge in (judges if rule.of_one else ("",))
    }


def what_counts(judges: Mapping[str, Given], rule: str) -> Qrels:
    """Return the grades that count by a rule, as one qrels that is named after it.

    Parameters
    ----------
    judges
        The qrels of each judge by name, as `read_judges` returns them, or dicts or frames.
    rule
        ``majority``, the most frequent grade of each document, as `majority` finds it; ``mean``,
        the mean of its grades; ``only Ada``, the grades of one judge; ``first Ada``, those of one
        judge, and for the documents that this judge lacks the majority of the others, as of a
        person before a model.

    Raises
    ------
    DataError
        When there is no such rule or judge, or one's grades are no qrels.

    Examples
    --------
    >>> person = Qrels.from_dict({"q": {"x": 3}}, "Ada")
    >>> model = Qrels.from_dict({"q": {"x": 1, "y": 2}}, "model")
    >>> found = what_counts({"Ada": person, "model": model}, "first Ada")
    >>> found.name, found.to_dict()
    ('Ada, else model', {'q': {'x': 3.0, 'y': 2.0}})
    """
    said = rules(judges)
    if rule not in said:
        listed = ", ".join(map(quote, said))
        raise DataError(f"Found {quote(rule)} as what counts; expected one of {listed}.")
    name, _, judge = rule.partition(" ")
    known = {each: Qrels.of(grades) for each, grades in judges.items()}
    found = RULES[name].counted(known, judge)
    if name == "only":
        return found
    some = [*judges][:_NAMED]
    more = f" and {len(judges) - _NAMED} more" if len(judges) > _NAMED else ""
    note = Note(
        f"Judged by a rule: {said[rule]}. Judges: {', '.join(some)}{more}.", RULED, Severity.REMARK
    )
    # The rule was chosen, so nothing is assumed where it decides.
    decided = (each for each in found.notes if each.code != ASPECTS)
    notes = [note, *(replace(each, kind=Severity.REMARK) for each in decided)]
    if any(each.aspects for each in known.values()):
        notes.append(Note("They are those of whole documents, without those for aspects.", ASPECTS))
    return found.renamed(said[rule]).noted(notes)


def stretched(judge: Qrels, top: float) -> Qrels:
    """Return a judge's grades brought to the scale of others, whose highest grade is ``top``.

    Each is multiplied by ``top`` ÷ the judge's own highest grade, which the name says.

    Examples
    --------
    >>> found = stretched(Qrels.from_dict({"q": {"x": 1, "y": 0}}, "model"), 3)
    >>> found.name, found.to_dict()
    ('model × 3', {'q': {'x': 3.0, 'y': 0.0}})
    """
    factor = top / judge.value.max()
    return replace(judge, value=judge.value * factor).renamed(f"{judge.name} × {factor:.4g}")


def key_under(key: str, rule: str) -> str:
    """Return what edits of data belong to while a rule counts; they stay while judges go on.

    ``key``: that of the data, as `Dataset.key` returns it.
    """
    return hashlib.sha256(f"{key} {rule}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def counted(dataset: Dataset, rule: str, found: Qrels) -> Dataset:
    """Return data with ``found``, the grades that count by a rule, in the place of their own."""
    qrels = replace(found, excluded=dataset.original.excluded)
    return replace(dataset, qrels=qrels, uploaded=None, under=key_under(dataset.key, rule))
