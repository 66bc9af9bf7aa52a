"""How much of a mean difference hangs on single queries."""

from __future__ import annotations

import numpy as np

from ..arrays import Floats


def without_each(deltas: Floats) -> Floats:
    """``(n,)`` the mean difference when one query after the other is left out; NaN for n = 1.

    Examples
    --------
    >>> without_each(np.array([0.5, 0.25, 0.0])).tolist()
    [0.125, 0.25, 0.375]
    """
    if len(deltas) < 2:
        return np.full(len(deltas), np.nan)
    others: Floats = (deltas.sum() - deltas) / (len(deltas) - 1)
    return others


def to_turn(deltas: Floats) -> int:
    """The fewest queries without which the other run would be ahead, or neither; 0 if neither is.

    The largest differences of the winner go first: no other choice of as many takes away more.

    Examples
    --------
    >>> to_turn(np.array([0.5, 0.25, -0.25, -0.125])), to_turn(np.array([0.5, 0.25]))
    (1, 2)
    """
    # Adding in another order may leave a last digit.
    total, noise = deltas.sum(), 1e-12 * np.abs(deltas).sum()
    if np.abs(total) <= noise:
        return 0
    towards = np.sort(deltas * np.sign(total))[::-1]
    left = np.abs(total) - np.cumsum(towards)
    return int(np.argmax(left <= noise)) + 1
