"""The parameters that a measure can have in brackets: ``P(rel=2)@5``, ``RBP(p=0.8)``."""

from __future__ import annotations

from dataclasses import dataclass

from ..checks import LARGEST_GRADE


@dataclass(frozen=True)
class Parameter:
    """What may stand for one parameter.

    Attributes
    ----------
    meaning
        What it is, in a few words.
    choice
        The field of the convention that it stands in for; empty when it is the measure's own.
    low, high
        The lowest and highest value of a number; both None when it is a text.
    """

    meaning: str
    choice: str = ""
    low: float | None = None
    high: float | None = None

    @property
    def range(self) -> str:
        """Which values it may have, in words."""
        return "a text" if self.low is None else f"a number from {self.low:g} to {self.high:g}"

    def allows(self, value: object) -> bool:
        """Whether a number is in the range; what a text says is checked by the convention."""
        if self.low is None or self.high is None:
            return isinstance(value, str)
        return isinstance(value, int | float) and self.low <= value <= self.high


PARAMETERS: dict[str, Parameter] = {
    "rel": Parameter("the lowest relevant grade", "level", 0.001, LARGEST_GRADE),
    "gain": Parameter("how a grade becomes a gain: linear, exponential or {1:0.5,2:0.9}", "gain"),
    "worth": Parameter("what a document counts: scaled, relevant or grade", "rbp"),
    "beta": Parameter("the weight of recall against precision", low=0.001, high=1000),
    "p": Parameter("how likely a reader goes on to the next document", low=0.001, high=0.999),
    "max": Parameter("the highest grade of the scale", low=0.001, high=LARGEST_GRADE),
    "times": Parameter("the cutoff as a multiple of R", low=0.001, high=1000),
    "recall": Parameter("the recall point", low=0, high=1),
}
