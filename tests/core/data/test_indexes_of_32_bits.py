"""Counts and repetitions work with indexes of 32 bits, which Python in a browser has."""

import ast
from pathlib import Path

import numpy as np
import pytest

from metrics import arrays

ROOT = Path(__file__).parents[3]
# Their second argument is a number or a list, which NumPy converts by itself.
BY_ONE_NUMBER = {
    "metrics/comparing/reversal.py",
    "metrics/exploring/unjudged.py",
    "metrics/rendering/ranking_charts.py",
}


def test_numpy_counts_and_repeats_only_where_indexes_are_converted():
    users = {"bincount": set(), "repeat": set()}
    for path in (ROOT / "metrics").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "np":
                users.get(node.attr, set()).add(path.relative_to(ROOT).as_posix())
    assert users["bincount"] == {"metrics/arrays.py"}
    assert users["repeat"] == {"metrics/arrays.py"} | BY_ONE_NUMBER


@pytest.mark.parametrize("bits", [np.int32, np.int64])
def test_indexes_of_either_size_are_converted(bits, monkeypatch):
    # As on 32 bits, where NumPy refuses larger indexes than its own.
    monkeypatch.setattr(np, "intp", np.int32)
    monkeypatch.setattr(np, "bincount", only_small(np.bincount))
    monkeypatch.setattr(np, "repeat", only_small(np.repeat))
    codes = np.array([2, 0, 2], bits)
    assert arrays.bincount(codes, minlength=4).tolist() == [1, 0, 2, 0]
    assert arrays.bincount(codes, np.array([0.5, 1, 2])).tolist() == [1, 0, 2.5]
    assert arrays.repeat(np.array([5.0, 7.0, 9.0]), codes).tolist() == [5, 5, 9, 9]


def only_small(function):
    """Return the function, which refuses indexes of 64 bits as NumPy does on 32."""

    def refusing(values, *others, **named):
        indexes = values if function.__name__ == "bincount" else others[0]
        if indexes.dtype == np.int64:
            raise TypeError("Cannot cast array data from dtype('int64') to dtype('int32')")
        return function(values, *others, **named)

    return refusing
