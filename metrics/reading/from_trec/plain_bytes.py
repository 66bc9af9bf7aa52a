"""What is proved of the bytes of a TREC file before they are parsed, most of it in one pass."""

import re
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from ...words import is_hidden
from ..decode import BOM
from .blocks import NotPlainError

_BLOCK = 1 << 18
"""Bytes tested at a time: few enough for the processor's cache."""


@dataclass(frozen=True)
class Survey:
    """What some bytes contain.

    Attributes
    ----------
    odd
        Control characters other than line feeds.
    ascii
        Nothing but ASCII.
    tidy
        Something, no two adjacent spaces or line ends, and none at the start or end except for one
        last line feed.
    """

    odd: bool
    ascii: bool
    tidy: bool


def survey(data: bytes) -> Survey:
    """Look at all bytes once, by reductions of a block at a time.

    Examples
    --------
    >>> survey(b"q1 Q0 d1 1 2.5 run\\n")
    Survey(odd=False, ascii=True, tidy=True)
    >>> survey(b"q1\\tQ0\\td1\\t1\\t2.5\\tr\\xc3\\xbcn\\t\\n")
    Survey(odd=True, ascii=False, tidy=False)
    """
    codes = np.frombuffer(data, np.uint8)
    odd, ascii_, tidy = False, True, len(data) > 0 and data[0] > 32 and data[-1] != 32
    for at in range(0, len(codes), _BLOCK):
        block = codes[at : at + _BLOCK + 1]
        if block.max() > 126:
            odd |= bool((block == 127).any())
            ascii_ &= bool(block.max() < 128)
            block = np.minimum(block, 126)
        # Modulo 256 a line feed becomes 255; lower codes 245 to 254, other control characters 0
        # to 20, everything else 21 to 115.
        shifted = block - np.uint8(11)
        odd |= bool(shifted.min() <= 20 or shifted.view(np.int8).min() < -1)
        tidy &= bool(np.maximum(block[1:], block[:-1]).min(initial=255) > 32)
    return Survey(odd, ascii_, tidy)


def tidied(data: bytes) -> tuple[bytes, bool]:
    """Return the lines with one space between fields and one line feed between lines.

    Also returns whether all bytes are ASCII. Blank lines are left out; there may be no others.

    Raises
    ------
    NotPlainError
        When the careful reader would read the bytes in another way than parsing them at the spaces.

    Examples
    --------
    >>> tidied(b"\\n q1  Q0 d1 1 2.5 run \\n\\n")
    (b'q1 Q0 d1 1 2.5 run', True)
    """
    found = survey(data)
    if found.odd:
        data = _untabbed(data.replace(b"\r\n", b"\n"))
        found = survey(data)
        require(not found.odd)
    if not found.tidy:
        data = re.sub(rb" ?\n[ \n]*", b"\n", re.sub(rb"  +", b" ", data)).strip(b" \n")
    # Arrow would treat these bytes as a byte order mark; here they belong to an id.
    require(not data.startswith(BOM))
    # Most files have no # at all, and the search for one character is fast.
    require(b"#" not in data or (data[:1] != b"#" and b"\n#" not in data))
    if not found.ascii:
        _require_utf8(data)
        require(not any(map(is_hidden, set(data.decode()) - {"\n"})))
    return data, found.ascii


def lines_end_within(size: int, data: bytes) -> bool:
    """Return whether no line is longer than ``size``, from the line ends at about every ``size``.

    Examples
    --------
    >>> lines_end_within(3, b"abc\\nab\\n\\nabc"), lines_end_within(3, b"abc\\nabcd\\n")
    (True, False)
    """
    start = 0
    while len(data) - start > size:
        end = data.rfind(b"\n", start, start + size + 1)
        if end < 0:
            return False
        start = end + 1
    return True


def require(proved: bool) -> None:
    """Leave the file to the careful reader unless something is proved.

    Raises
    ------
    NotPlainError
        When it is not.
    """
    if not proved:
        raise NotPlainError


def _untabbed(data: bytes) -> bytes:
    """Return the data with spaces for tabs; between tabs, a space would belong to a cell."""
    if b"\t" not in data:
        return data
    require(b" " not in data)
    return data.replace(b"\t", b" ")


def _require_utf8(data: bytes) -> None:
    ends = pa.py_buffer(np.array([0, len(data)], np.int64))
    text = pa.LargeStringArray.from_buffers(1, ends, pa.py_buffer(data))
    try:
        text.validate(full=True)
    except pa.ArrowInvalid as error:
        raise NotPlainError from error
