"""Statement: a sentence with its numbers as values, and the users' names kept apart.

leaves_open: what can change which of two runs is better, other than chance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..comparing.significance import TIE
from ..words import visible

if TYPE_CHECKING:
    from .pairing import Pairing

UNEVEN = 0.05
"""If the unjudged shares of two runs differ by more than this, grades would favour one of them."""
VANISHED = 0.1
"""A lead of which less than this share is left has about vanished."""
LEAVES_OPEN = {
    "unjudged": "unjudged documents",
    "queries": "missing queries",
    "ties": "equal scores",
    "level": "the relevance level",
}
"""The kinds of threats that can change which run is better, each as the subject of a sentence.

Other choices, other measures and chance qualify the answer and do not change it.
"""


@dataclass(frozen=True)
class Statement:
    """One sentence of a verdict.

    Attributes
    ----------
    kind
        What it is about: ``"result"``, or a key of `THREATS`.
    template
        The sentence, or what a heading shows of it, with ``{}`` for each of the names.
    names
        Names from the user's files, which each medium escapes in its own way.
    facts
        The numbers and names behind the sentence, by key.
    reverses
        Whether it makes the other run the winner.
    rest
        How the sentence ends after a heading: a template of the same names.
    """

    kind: str
    template: str
    names: tuple[str, ...] = ()
    facts: Mapping[str, str | int | float] = field(default_factory=dict)
    reverses: bool = False
    rest: str = ""

    @property
    def can_turn(self) -> bool:
        """Whether the other run leads in its circumstances or its range, or the lead vanishes."""
        lowest, left = self.facts.get("lead_low", 0.0), self.facts.get("lead_left", 1.0)
        low = isinstance(lowest, float) and lowest < -TIE
        return self.reverses or low or (isinstance(left, float) and left < VANISHED)

    def text(self, named: Callable[[str], str] = visible) -> str:
        """Return the sentence; ``named`` makes a name safe for where it is shown.

        Parameters
        ----------
        named
            Makes a name safe for where it is shown.

        Examples
        --------
        >>> Statement("result", "{} leads.", ("bm25",)).text(lambda name: f"`{name}`")
        '`bm25` leads.'
        """
        return (self.template + self.rest).format(*map(named, self.names))

    def heading(self, named: Callable[[str], str] = visible) -> str:
        """Return what a heading shows of the sentence.

        Parameters
        ----------
        named
            Makes a name safe for where it is shown.
        """
        return self.template.format(*map(named, self.names))


def words(text: str) -> str:
    """Return words of ours for a template, in which braces would mark a name."""
    return text.replace("{", "{{").replace("}", "}}")


def leaves_open(of: Pairing, threat: Statement) -> bool:
    """Return whether a threat leaves open which run is better, where the test is sure.

    It does where the other run leads in its circumstances. Unjudged documents do, too, where the
    runs have them in uneven shares and grades for them could turn the lead: the range over all
    grades reaches over 0, or is not known, as that of judged rankings.
    """
    if threat.kind != "unjudged" or threat.reverses:
        return threat.kind in LEAVES_OPEN and threat.reverses
    a, b = of.unjudged
    over = of.over_grades
    can_turn = over is None or of.towards_leader(over.low, over.high)[0] < -TIE
    return can_turn and abs(a - b) > UNEVEN + TIE
