"""one_query: two runs compared on one query."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow.compute as pc

from ..arrays import Floats, pd
from ..conventions.convention import TREC_EVAL, Convention, named
from ..data import Qrels, Run
from ..matching import Rankings
from ..matching.batches import Given, built, remaining
from ..matching.judged import listed
from ..measures import Measure
from ..measures.ledger import Ledger
from ..scoring.evaluate import Scores, trace
from ..scoring.naming import parse
from .comparison import Comparison, ranked


@dataclass(frozen=True, eq=False, repr=False)
class Side:
    """One of the two runs at one query.

    Attributes
    ----------
    name
        ``"A"`` or ``"B"``.
    run
        The run's ranking of this query; empty if the run lacks the query.
    ledger
        The lines that sum to the score, one for every retrieved document down to the cutoff.
    """

    name: str
    run: Rankings
    ledger: Ledger

    @property
    def whole(self) -> bool:
        """Whether every retrieved document has a line."""
        return isinstance(self.run, Run) or not self.run.unlisted

    def is_listed(self, depth: int) -> bool:
        """Whether every document down to a rank has a line."""
        retrieved = int(self.ledger.judged.retrieved.sum())
        return int((self.ledger.judged.hits.rank <= depth).sum()) >= min(depth, retrieved)

    @property
    def score(self) -> float:
        """The score of the query; NaN: no score, or no judgment."""
        return float(self.ledger.scores[0]) if len(self.ledger.judged.qrels) else math.nan

    @property
    def documents(self) -> list[str]:
        """The ranking, rank 1 first; only what is kept of it where it is not whole."""
        documents: list[str] = self.ledger.judged.hits.document.to_pylist()
        return documents

    @cached_property
    def lines(self) -> pd.DataFrame:
        """Rank, grade and contribution of every retrieved document.

        The index is ``document``; the grade of an unjudged document and the contribution of one
        without a line are NaN.
        """
        judged = self.ledger.judged
        frame = pd.DataFrame(
            {"rank": judged.hits.rank, "grade": judged.hits.grade},
            index=pd.Index(self.documents, name="document", dtype=str),
        )
        # A document may have two lines: in a doubled ideal it appears twice.
        of_lines = self.ledger.table(judged.queries[0]).groupby("document")["contribution"].sum()
        frame = frame[~frame.index.duplicated()]
        return frame.assign(contribution=of_lines.reindex(frame.index))


@dataclass(frozen=True, eq=False, repr=False)
class OneQuery:
    """One query of two runs, with every retrieved document as a line. Every delta is B − A.

    Attributes
    ----------
    query, measure, convention
        The query, the measure and the convention of the comparison.
    qrels
        The judgments of this query.
    grades
        ``(g,)`` all grades in the qrels of all queries, ascending.
    a, b
        The two runs.
    """

    query: str
    measure: Measure
    convention: Convention
    qrels: Qrels
    grades: Floats
    a: Side
    b: Side

    @property
    def sides(self) -> tuple[Side, Side]:
        """Run A and run B."""
        return self.a, self.b

    @cached_property
    def comparison(self) -> Comparison:
        """The comparison of both runs on this query."""
        a, b = (Scores(side.ledger.judged, {str(self.measure): side.ledger}) for side in self.sides)
        return Comparison(a, b, (self.query,))

    @cached_property
    def waterfall(self) -> pd.DataFrame:
        """The contribution of each document to the delta: see `Comparison.documents`."""
        return self.comparison.documents(str(self.measure))

    @property
    def delta(self) -> pd.Series[float]:
        """Each bar by the name of its document."""
        return self.waterfall.set_index("document")["delta"]

    @cached_property
    def decisive(self) -> str:
        """The document that made most of the delta; empty if none changes the score.

        See `Comparison.decisive`.
        """
        return str(next(iter(self.comparison.decisive(str(self.measure))["document"]), ""))

    @cached_property
    def documents(self) -> list[str]:
        """The documents that change the score or are judged, largest change first; then others."""
        bars = self.waterfall[ranked(self.waterfall)]
        bars = bars[bars["grade"].notna() | (bars["delta"] != 0)]
        largest = bars["delta"].abs().sort_values(ascending=False, kind="stable").index
        moved = bars.loc[largest, "document"].tolist()
        return list(dict.fromkeys([*moved, *self.a.documents, *self.b.documents]))

    def movement(self, depth: int) -> pd.DataFrame:
        """Return the documents in either run's top ``depth``, and others that change the score.

        Parameters
        ----------
        depth
            The last rank of a top, from 1.

        Returns
        -------
        DataFrame
            Index ``document``, in the order of B's ranking; columns ``grade``, NaN where unjudged,
            ``rank A``, ``rank B``, missing where a run does not retrieve the document,
            ``contribution A``, ``contribution B`` and ``delta``, the document's bar.
        """
        a, b = (side.lines.add_suffix(f" {side.name}") for side in self.sides)
        both = a.join(b, how="outer")
        bars = self.waterfall[ranked(self.waterfall)].set_index("document")["delta"]
        frame = pd.DataFrame(
            {
                "grade": both["grade A"].combine_first(both["grade B"]),
                "rank A": both["rank A"].astype("Int64"),
                "rank B": both["rank B"].astype("Int64"),
                "contribution A": both["contribution A"].fillna(0.0),
                "contribution B": both["contribution B"].fillna(0.0),
                "delta": bars.reindex(both.index, fill_value=0.0),
            }
        )
        near = (frame[["rank A", "rank B"]].min(axis=1) <= depth).fillna(False)
        return frame[near | (frame["delta"] != 0)].sort_values(["rank B", "rank A"])

    def with_grade(self, document: str, grade: float) -> OneQuery:
        """Return the query with another grade of a judged document.

        Parameters
        ----------
        document
            The id of a document of ``qrels``.
        grade
            Its other grade.

        Raises
        ------
        DataError
            When a run is not known as a whole: what was judged stays as it was.
        """
        is_it = pc.equal(self.qrels.document, document).to_numpy(zero_copy_only=False)
        qrels = replace(self.qrels, value=np.where(is_it, grade, self.qrels.value))
        of = self.a.run, self.b.run, self.measure, self.query, self.convention
        return replace(one_query(qrels, *of), grades=self.grades)

    def condensed(self) -> tuple[float, float]:
        """Return A's and B's score with the unjudged documents removed from the rankings.

        References
        ----------
        Sakai, SIGIR (2007): condensed lists.
        """
        a, b = (self.measure.ledger(side.ledger.judged.condensed()) for side in self.sides)
        return float(a.scores[0]), float(b.scores[0])


def one_query(
    qrels: Given,
    a: Rankings | Given,
    b: Rankings | Given,
    measure: str | Measure,
    query: str,
    convention: Convention | str = TREC_EVAL,
) -> OneQuery:
    """Return the comparison of two runs on one query; each run is searched for it only once.

    Qrels without any judgment give both rankings without a score.

    Parameters
    ----------
    qrels
        `Qrels`, ``{query: {document: grade}}``, or a frame: see `match`.
    a, b
        Run A and run B, as in `trace`.
    measure
        A name, such as ``"nDCG@10"`` or that of another tool, or a value, such as ``nDCG @ 10``.
    query
        The id of the query.
    convention
        A `Convention`, or the name of a preset, such as ``"ranx"``.

    Raises
    ------
    DataError, MeasureError
        As `trace` does.
    RankscopeError
        When no preset has the convention's name.

    Examples
    --------
    >>> qrels = Qrels.from_dict({"q": {"x": 1}})
    >>> a, b = Run.from_dict({"q": {"x": 2, "y": 1}}), Run.from_dict({"q": {"z": 2, "x": 1}})
    >>> one = one_query(qrels, a, b, "RR", "q")
    >>> one.a.score, one.b.score, one.delta.to_dict()
    (1.0, 0.5, {'x': -0.5, 'y': 0.0, 'z': 0.0})
    """
    measure, convention, whole = parse(measure), named(convention), built(Qrels, qrels)
    sides, judged = [], whole.only(query)
    for name, run in (("A", a), ("B", b)):
        ranking = remaining(whole, run).only(query)
        ledger = (
            measure.ledger(listed(judged, ranking, convention))
            if isinstance(ranking, Run) and not len(whole)
            else trace(judged, ranking, measure, query, convention)
        )
        sides.append(Side(name, ranking, ledger))
    return OneQuery(query, measure, convention, judged, np.unique(whole.value), *sides)
