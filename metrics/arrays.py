"""Types of NumPy arrays, and conversions between NumPy and Arrow.

pyarrow's own conversions import pandas, which is slow; these do not. ``pd``, ``sparse`` and
``stats`` are pandas and parts of SciPy, which are imported when they are first used.
"""

import math
from collections.abc import Iterable
from importlib import import_module
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import ArrayLike, NDArray


class _Later:
    """A module that is imported when it is first used: scoring a file must not wait for it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._name), name)


if TYPE_CHECKING:
    import pandas
    from scipy import sparse as sparse
    from scipy import stats as stats

    pd = pandas
else:
    pd, sparse, stats = map(_Later, ("pandas", "scipy.sparse", "scipy.stats"))

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NOISE = 1e-12
"""Equal numbers differ by at most this much, absolutely or as a share of their size, when they are
sums of the same terms in different orders."""

_TYPES: dict[np.dtype[Any], pa.DataType] = {
    np.dtype(np.int32): pa.int32(),
    np.dtype(np.int64): pa.int64(),
    np.dtype(np.uint64): pa.uint64(),
    np.dtype(np.float64): pa.float64(),
}
_DTYPES: dict[pa.DataType, np.dtype[Any]] = {arrow: numpy for numpy, arrow in _TYPES.items()}


def is_finite(value: object) -> bool:
    """Return whether a value is a finite number, and neither a text nor None.

    Examples
    --------
    >>> is_finite(np.int64(1)), is_finite(math.nan), is_finite("1")
    (True, False, False)
    """
    return isinstance(value, Real) and math.isfinite(value)


def column(numbers: NDArray[Any]) -> pa.Array:
    """Return the numbers as an Arrow column, without copying them.

    Examples
    --------
    >>> column(np.array([3, 1])).to_pylist()
    [3, 1]
    """
    values = pa.py_buffer(np.ascontiguousarray(numbers))
    return pa.Array.from_buffers(_TYPES[numbers.dtype], len(numbers), [None, values], 0)


def numbers(column: pa.Array) -> NDArray[Any]:
    """Return the numbers of an Arrow column, without copying them; nulls are undefined.

    Examples
    --------
    >>> numbers(pa.array([5, 3, 1])[1:]).tolist()
    [3, 1]
    """
    dtype = _DTYPES[column.type]
    if not len(column):
        return np.zeros(0, dtype)
    return np.frombuffer(column.buffers()[1], dtype, len(column), column.offset * dtype.itemsize)


def take(texts: pa.StringArray, rows: NDArray[np.int64]) -> pa.StringArray:
    """Return the texts of the given rows.

    Examples
    --------
    >>> take(pa.array(["a", "b", "c"]), np.array([2, 0])).to_pylist()
    ['c', 'a']
    """
    return pc.take(texts, column(rows))


def places(names: Iterable[str], among: Iterable[str]) -> Ints:
    """``(n,)`` the place of each name among others, which are different; −1: none.

    Examples
    --------
    >>> places(["c", "a", "x"], ["a", "b", "c"]).tolist()
    [2, 0, -1]
    """
    place = {name: number for number, name in enumerate(among)}
    return np.array([place.get(name, -1) for name in names], np.int64)


def ranges(start: Ints, stop: Ints) -> Ints:
    """Return ``start[0] … stop[0] − 1``, then ``start[1] … stop[1] − 1``, and so on."""
    size = stop - start
    shift: Ints = repeat(start - np.cumsum(size) + size, size)
    return np.arange(len(shift)) + shift


def order_of_texts(group: NDArray[np.int64], texts: pa.StringArray, direction: str) -> Any:
    """Return the rows ordered by group, then by the bytes of their text in ``direction``.

    ``direction`` is ``"ascending"`` or ``"descending"``.

    Examples
    --------
    >>> order_of_texts(np.array([1, 0, 0]), pa.array(["a", "b", "c"]), "descending").tolist()
    [2, 1, 0]
    """
    table = pa.RecordBatch.from_arrays([column(group), texts], ["group", "text"])
    keys = [("group", "ascending"), ("text", direction)]
    return numbers(pc.sort_indices(table, keys)).astype(np.int64)


def bincount(
    codes: NDArray[Any], weights: NDArray[Any] | None = None, minlength: int = 0
) -> NDArray[Any]:
    """Return how often each code occurs, or the sum of its weights: ``np.bincount``.

    It takes indexes of the machine's own size only, and those of a browser have 32 bits.

    Examples
    --------
    >>> bincount(np.array([0, 2, 2]), minlength=4).tolist()
    [1, 0, 2, 0]
    """
    return np.bincount(np.asarray(codes, np.intp), weights, minlength)


def repeat(values: NDArray[Any], times: ArrayLike) -> NDArray[Any]:
    """Return each value as often as ``times`` says, on 32 bits too: ``np.repeat``.

    Examples
    --------
    >>> repeat(np.array([5, 7]), np.array([2, 1])).tolist()
    [5, 5, 7]
    """
    return np.repeat(values, np.asarray(times, np.intp))
