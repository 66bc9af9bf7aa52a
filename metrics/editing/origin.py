"""The query and the data that an edited ranking belongs to."""

from dataclasses import dataclass
from typing import Self

from ..data import Qrels, Run


@dataclass(frozen=True)
class Origin:
    """The query and the data that an edited ranking belongs to: the key of its edits.

    Attributes
    ----------
    qrels, run
        The digests of the qrels and of the run; for data without judgments, see `Dataset.key`.
    query
        The query's id.
    """

    qrels: str
    run: str
    query: str

    def __str__(self) -> str:
        """Return one text per origin: digests contain no slash, so no two origins share one."""
        return f"{self.qrels}/{self.run}/{self.query}"

    @classmethod
    def of(cls, qrels: Qrels, run: Run, query: str) -> Self:
        """Return the origin of one query's ranking.

        Examples
        --------
        >>> run = Run.from_dict({"q": {"d": 2}})
        >>> Origin.of(Qrels.from_dict({"q": {"d": 1}}), run, "q").query
        'q'
        """
        return cls(qrels.digest, run.digest, query)
