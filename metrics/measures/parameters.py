"""The parameters that a measure can have in brackets: ``P(rel=2)@5``, ``RBP(p=0.8)``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..checks import LARGEST_GRADE


@dataclass(frozen=True)
class Parameter:
    """What may stand for one parameter.

    Attributes
    ----------
    meaning
        What it is, in a few words.
    kind
        The type its text is read as.
    range
        Which values it may have, in words.
    allowed
        The same as a test.
    choice
        The field of the convention that it stands in for; empty when it is the measure's own.
    """

    meaning: str
    kind: type
    range: str = ""
    allowed: Callable[[float], bool] = lambda value: True
    choice: str = ""


PARAMETERS: dict[str, Parameter] = {
    "rel": Parameter("the lowest relevant grade", float, "above 0", choice="level"),
    "gain": Parameter(
        "how a grade becomes a gain", str, "linear, exponential, {1:0.5,2:0.9}", choice="gain"
    ),
    "worth": Parameter("what a document counts", str, "scaled, relevant or grade", choice="rbp"),
    "beta": Parameter(
        "the weight of recall against precision",
        float,
        "above 0, at most 1000",
        lambda value: 0 < value <= 1000,
    ),
    "p": Parameter(
        "how likely a reader goes on to the next document",
        float,
        "above 0 and below 1",
        lambda value: 0 < value < 1,
    ),
    "max": Parameter(
        "the highest grade of the scale",
        float,
        f"above 0, at most {LARGEST_GRADE}",
        lambda value: 0 < value <= LARGEST_GRADE,
    ),
    "times": Parameter(
        "the cutoff as a multiple of R",
        float,
        "above 0, at most 1000",
        lambda value: 0 < value <= 1000,
    ),
    "recall": Parameter("the recall point", float, "from 0 to 1", lambda value: 0 <= value <= 1),
}
