"""A data set: qrels, runs, and the texts behind the ids."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from .run_and_qrels import PairsT, Qrels, Run

TEXTS = ("query_texts", "document_texts", "query_groups")
"""The fields of `Dataset` other than the qrels and runs, which are also the roles of files."""
NO_GROUP = "no group"
"""The group of the queries that have none."""


@dataclass(frozen=True, eq=False)
class Dataset:
    """Qrels, the runs to evaluate, the texts to show beside the ids, and groups of queries.

    ``part`` says which queries these are, if the data were cut to some of them.
    """

    title: str
    qrels: Qrels
    runs: tuple[Run, ...]
    query_texts: Mapping[str, str] = field(default_factory=dict)
    document_texts: Mapping[str, str] = field(default_factory=dict)
    query_groups: Mapping[str, str] = field(default_factory=dict)
    part: str = ""

    def only(self, queries: Collection[str], part: str = "") -> Dataset:
        """Return the same data with the qrels and runs cut to these queries.

        Every number of the cut data comes from the same code as for the whole. Notes on the files
        stay, because they say how the rows were read.

        Examples
        --------
        >>> pairs = {"q1": {"x": 1}, "q2": {"x": 1}}
        >>> data = Dataset("", Qrels.from_dict(pairs), (Run.from_dict(pairs),))
        >>> data.only(["q2", "q9"]).runs
        (Run('': 1 queries, 1 rows),)
        """

        def cut(pairs: PairsT) -> PairsT:
            return pairs.only(*queries).noted(pairs.notes)

        runs = tuple(map(cut, self.runs))
        return replace(self, qrels=cut(self.qrels), runs=runs, part=part)
