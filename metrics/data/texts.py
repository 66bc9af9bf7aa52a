"""The texts behind ids: a document of a corpus, and the roles of the files they come from."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from .column_names import normalised

TEXTS = ("query_texts", "document_texts", "query_attributes")
"""The roles of files other than the qrels and runs, which are also fields of `Dataset`."""
GROUP = "group"
"""The name of an attribute of queries whose file does not name it."""
NO_GROUP = "no group"
"""The group of the queries that have none."""
TITLE = "title"
"""The name of the titles among the fields of a corpus."""
JOINT = ". "
"""The characters between the title and the text of a document."""


@dataclass(frozen=True)
class Document:
    """A document of a corpus: its title, its text, and its other fields by name."""

    title: str
    text: str
    fields: Mapping[str, str]


_WEIGHTS = {
    *("frequency", "freq", "weight", "volume", "traffic", "searches", "impressions", "hits"),
    *("count", "popularity", "demand"),
}
"""Words for how often a query is asked, or for how much it counts."""


def is_weight(name: str) -> bool:
    """Return whether the name of an attribute says how often a query is asked.

    Examples
    --------
    >>> [is_weight(name) for name in ("Monthly searches", "count", "word_count", "year")]
    [True, True, False, False]
    """
    plain = normalised(name)
    return plain in _WEIGHTS or not {*plain.split("_")}.isdisjoint(_WEIGHTS - {"count"})


def weight(text: str) -> float:
    """Return a finite number, 0 or more; NaN for any other text.

    Examples
    --------
    >>> weight("9000"), weight("-1"), weight("1_000"), weight("many")
    (9000.0, nan, nan, nan)
    """
    try:
        found = float(text) if text.isascii() and "_" not in text else math.nan
    except ValueError:
        return math.nan
    return found if 0 <= found < math.inf else math.nan


def weights(values: Mapping[str, str]) -> dict[str, float]:
    """Return an attribute's values as weights; empty if one is no `weight`, or all are equal.

    Examples
    --------
    >>> weights({"q1": "90", "q2": "10"}), weights({"q1": "mobile", "q2": "10"})
    ({'q1': 90.0, 'q2': 10.0}, {})
    """
    found = {key: weight(text) for key, text in values.items()}
    able = len({*found.values()}) > 1 and not any(map(math.isnan, found.values()))
    return found if able else {}


def repeats(values: Mapping[str, str]) -> bool:
    """Return whether each value stands for two keys or more, on average, as a group does."""
    return 2 * len({*values.values()}) <= len(values)
