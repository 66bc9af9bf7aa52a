"""What is computed of one query of two runs; each depends on nothing else, and is made once."""

from metrics import OneQuery, RankscopeError
from metrics.comparing import reversal as reversing
from metrics.defaults import DEPTH

DEEPEST = 30
"""At most this many ranks of both rankings are shown."""


def depth(one: OneQuery) -> int:
    """Return how many ranks of both rankings are shown."""
    return min(one.measure.cutoff or DEPTH, DEEPEST)


def reversal(one: OneQuery) -> reversing.Reversal | str:
    """Return the deltas over all grades of unjudged documents; a text: why they are not known."""
    try:
        return reversing.reversal(one)
    except RankscopeError as error:
        return str(error)
