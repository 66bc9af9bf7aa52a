"""The parameters that a measure can have in brackets: ``P(rel=2)@5``, ``RBP(p=0.8)``."""

from dataclasses import dataclass

from ..data.checks import LARGEST_GRADE


@dataclass(frozen=True)
class Parameter:
    """A parameter of a measure and its allowed values.

    Attributes
    ----------
    meaning
        The meaning in a few words.
    choice
        The field of the convention that it replaces; empty when it is the measure's own.
    limits
        The lowest and highest value of a number; None when the value is a text.
    """

    meaning: str
    choice: str = ""
    limits: tuple[float, float] | None = None

    @property
    def range(self) -> str:
        """The allowed values, in words."""
        return "a number from {:g} to {:g}".format(*self.limits) if self.limits else "a text"

    def allows(self, value: object) -> bool:
        """Return whether a number is in the range; texts are checked by the convention."""
        if self.limits is None:
            return isinstance(value, str)
        low, high = self.limits
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        return low <= value <= high


PARAMETERS: dict[str, Parameter] = {
    "rel": Parameter("the lowest relevant grade", "level", (0.001, LARGEST_GRADE)),
    "gain": Parameter("how a grade becomes a gain: linear, exponential or {1:0.5,2:0.9}", "gain"),
    "worth": Parameter("the gain of a document: scaled, relevant or grade", "rbp"),
    "beta": Parameter("the weight of recall against precision", limits=(0.001, 1000)),
    "alpha": Parameter("how much an aspect loses each time it is covered", limits=(0, 1)),
    "p": Parameter("the probability of reading the next document", limits=(0, 0.999)),
    "max": Parameter("the highest grade of the scale", limits=(0.001, LARGEST_GRADE)),
    "times": Parameter("the cutoff as a multiple of R", limits=(0.001, 1000)),
    "hit": Parameter("the worth of a relevant document retrieved", limits=(-1000, 1000)),
    "other": Parameter("the worth of any other document retrieved", limits=(-1000, 1000)),
    "missed": Parameter("the worth of a relevant document missed", limits=(-1000, 1000)),
    "points": Parameter("the recall points, like {0.25,0.5,0.75}"),
    "recall": Parameter("the recall point", limits=(0, 1)),
}
OWN_NUMBERS = {name: each for name, each in PARAMETERS.items() if each.limits and not each.choice}
"""Those that are numbers and the measure's own, as beta and p: pages offer these."""
