"""leaves_open: what can change which of two runs is better, other than chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..comparing.significance import TIE
from .statement import Statement

if TYPE_CHECKING:
    from .pairing import Pairing

UNEVEN = 0.05
"""If the unjudged shares of two runs differ by more than this, grades would favour one of them."""
LEAVES_OPEN = {
    "unjudged": "unjudged documents",
    "queries": "missing queries",
    "ties": "equal scores",
    "level": "the relevance level",
}
"""The kinds of threats that can change which run is better, each as the subject of a sentence.

Other choices, other measures and chance qualify the answer and do not change it.
"""


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
