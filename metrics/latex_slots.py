"""LaTeX with slots: ``\\frac{<relevant:.4g>}{<k>}``. Braces are LaTeX's own."""

import re
from collections.abc import Mapping
from typing import Any

_POWER = re.compile(r"(?<=\d)e\+?(-?)0*(\d+)")
_SLOT = re.compile(r"<([A-Za-z_]\w*)(?::([^<>]*))?>")


def filled(template: str, values: Mapping[str, Any]) -> str:
    """Return the LaTeX with a value in each slot: ``<name>``, or ``<name:format>`` as in `format`.

    A ``<`` that does not start a slot is LaTeX's own. A very small or large number is written
    with its power of 10.

    Raises KeyError when a slot has no value.

    Examples
    --------
    >>> print(filled(r"\\sum_{j<i} \\frac{<relevant:.2g>}{<k>}", {"relevant": 0.5, "k": 10}))
    \\sum_{j<i} \\frac{0.5}{10}
    >>> print(filled("<x:.4g>", {"x": 2**-14}))
    6.104\\cdot10^{-5}
    """
    written = _SLOT.sub(lambda slot: format(values[slot[1]], slot[2] or ""), template)
    return _POWER.sub(r"\\cdot10^{\1\2}", written)
