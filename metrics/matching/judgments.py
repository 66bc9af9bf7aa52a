"""Whether two sets of judgments are the same, and how they differ."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrays import column, numbers, take
from ..data import Qrels, exclusions
from ..words import count, listed

Pair = tuple[str, str]
"""A query and a document."""


def digest(qrels: Qrels) -> str:
    """Return a hash of the judgments: equal whatever the order of rows and the name.

    Examples
    --------
    >>> a = Qrels.from_dict({"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 2}})
    >>> b = Qrels.from_dict({"q2": {"d1": 2}, "q1": {"d2": 0, "d1": 1}, "q3": {}})
    >>> digest(a) == digest(b), digest(a) == digest(a.only("q1"))
    (True, False)
    """
    query = take(pa.array(qrels.queries, pa.string()), qrels.query)
    names = ["query", "document", "grade"]
    rows = pa.RecordBatch.from_arrays([query, qrels.document, column(qrels.value)], names)
    order = pc.sort_indices(rows, [("query", "ascending"), ("document", "ascending")])
    content = hashlib.sha256()
    for name in names[:2]:
        add_texts(content, [rows[name].take(order)])
    # 0.0 and -0.0 are the same grade.
    content.update((numbers(rows["grade"].take(order)) + 0.0).tobytes())
    if qrels.aspects:
        by_aspect = sorted((*pair, sorted(of.items())) for pair, of in _aspects(qrels).items())
        content.update(repr(by_aspect).encode())
    content.update(exclusions.written(qrels.excluded))
    return content.hexdigest()


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


@dataclass(frozen=True)
class Differences:
    """How the judgments A and B differ, as (query, document) pairs in the order of their rows.

    Attributes
    ----------
    only_a, only_b
        Judged in A only, and in B only.
    changed
        Judged in both, with another grade, of the query or of one of its aspects.
    excluded
        Documents that one of them leaves out of rankings, and the other does not.
    """

    only_a: tuple[Pair, ...] = ()
    only_b: tuple[Pair, ...] = ()
    changed: tuple[Pair, ...] = ()
    excluded: tuple[Pair, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.only_a or self.only_b or self.changed or self.excluded)

    def kinds(self, a: str, b: str) -> dict[str, tuple[Pair, ...]]:
        """Return the pairs of each kind of difference that there is, by their number in words."""
        kinds = (
            ("judgment", f"only in {a}", self.only_a),
            ("judgment", f"only in {b}", self.only_b),
            ("judgment", "with another grade", self.changed),
            ("document", f"excluded by {a} or {b} only", self.excluded),
        )
        return {f"{count(len(pairs), of)} {what}": pairs for of, what, pairs in kinds if pairs}

    def texts(self, a: str = "A", b: str = "B") -> list[str]:
        """Return each kind of difference in a clause, with the first document.

        Examples
        --------
        >>> Differences(only_b=(("q1", "d2"),)).texts("old", "new")
        ["1 judgment only in new (query 'q1', document 'd2')"]
        """
        return [
            f"{what} (query {listed([pairs[0][0]])}, document {listed([pairs[0][1]])})"
            for what, pairs in self.kinds(a, b).items()
        ]


def differences(a: Qrels, b: Qrels) -> Differences:
    """Return how the judgments of A and B differ; it is false when they are the same.

    Examples
    --------
    >>> old = Qrels.from_dict({"q1": {"d1": 1, "d2": 0}})
    >>> new = Qrels.from_dict({"q1": {"d2": 0, "d1": 2, "d3": 1}})
    >>> differences(old, new)
    Differences(only_a=(), only_b=(('q1', 'd3'),), changed=(('q1', 'd1'),), excluded=())
    >>> bool(differences(old, old))
    False
    """
    if digest(a) == digest(b):
        return Differences()
    of_a, of_b = _grades(a), _grades(b)
    by_a, by_b = _aspects(a), _aspects(b)
    return Differences(
        only_a=tuple(pair for pair in of_a if pair not in of_b),
        only_b=tuple(pair for pair in of_b if pair not in of_a),
        changed=tuple(
            pair
            for pair, grade in of_a.items()
            if pair in of_b and (of_b[pair] != grade or by_a.get(pair) != by_b.get(pair))
        ),
        excluded=tuple(
            sorted({*exclusions.in_rows(a.excluded)} ^ {*exclusions.in_rows(b.excluded)})
        ),
    )


def _grades(qrels: Qrels) -> dict[Pair, float]:
    return {
        (query, document): grade
        for query, of_query in qrels.to_dict().items()
        for document, grade in of_query.items()
    }


def _aspects(qrels: Qrels) -> dict[Pair, Mapping[str, float]]:
    """Return the grades by aspect of each judged document that has them."""
    return {
        (query, document): qrels.aspects[query][document]
        for query, of_query in (qrels.to_dict().items() if qrels.aspects else ())
        for document in of_query
        if document in qrels.aspects.get(query, {})
    }
