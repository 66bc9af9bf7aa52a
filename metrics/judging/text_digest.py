"""Texts in a digest: the same bytes in whatever parts a column of texts is stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrays import numbers


class Digest(Protocol):
    """A hash to which bytes are added."""

    def update(self, content: bytes | memoryview, /) -> None:
        """Add bytes."""


def add_texts(content: Digest, parts: Sequence[pa.StringArray]) -> None:
    """Add a column of texts without nulls: all lengths, so that no two columns are alike, then all
    bytes.

    Examples
    --------
    >>> import hashlib
    >>> one, two = hashlib.sha256(), hashlib.sha256()
    >>> add_texts(one, [pa.array(["ab", "c"])])
    >>> add_texts(two, [pa.array(["ab"]), pa.array(["x", "c"])[1:]])
    >>> one.digest() == two.digest()
    True
    """
    for texts in parts:
        content.update(numbers(pc.binary_length(texts)).tobytes())
    for texts in parts:
        offsets = np.frombuffer(texts.buffers()[1], np.int32)[texts.offset :]
        if len(texts):
            start, end = int(offsets[0]), int(offsets[len(texts)])
            content.update(memoryview(texts.buffers()[2] or b"")[start:end])
