"""Expected reciprocal rank: a reader continues until a document satisfies."""

import numpy as np

from ..arrays import Floats
from ..conventions.convention import Convention
from ..errors import MeasureError
from ..judging import Hits, JudgedRankings
from .arithmetic import before, running
from .base import Lines, Measure, OfIdeal, OverIdeal

SOURCE = "Chapelle, Metzler, Zhang & Grinspan, CIKM 2009; gdeval"


class ERR(Measure):
    """Expected reciprocal rank."""

    max: float = 4.0

    symbol = "ERR"
    full_name = "expected reciprocal rank"
    meaning = "The expected 1/rank at which a reader is satisfied; good documents end the search."
    formula = (
        r"\mathrm{ERR@}k = \sum_{i=1}^{k} \frac{1}{i}\, p_i \prod_{j<i} (1 - p_j),"
        r"\quad p = \frac{2^{grade} - 1}{2^{max}}"
    )
    term = r"\frac{1}{<rank>}\cdot<p:.4g>\cdot<reached:.4g>"
    source = SOURCE
    use = "A second good document is worth less once the first has satisfied."
    avoid = "Scales of unknown maximum: the value depends on max."
    graded = True
    labels = {"p": "P(satisfies)", "reached": "P(is reached)"}

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        grade = np.maximum(np.nan_to_num(hits.grade), 0.0)
        if (grade > self.max).any():
            raise MeasureError(
                f"{self}: the qrels contain the grade {grade.max():g}, above the highest of the "
                f"scale, {self.max:g}. Set the scale: {self.symbol}(max={grade.max():g})."
            )
        p = (np.exp2(grade) - 1.0) / np.exp2(self.max)
        reached = before(running(np.multiply, 1.0 - p, hits.query), hits.query, 1.0)
        return Lines({"p": p, "reached": reached}, p * reached / hits.rank)

    def to_find(self, judged: JudgedRankings, convention: Convention) -> Floats:
        return judged.per_query(judged.judged.query[judged.judged.grade > 0]).astype(float)

    def sort_key(self, hits: Hits, convention: Convention) -> Floats:
        return np.nan_to_num(hits.grade)


class IERR(OfIdeal, ERR):
    """The ERR of the ideal ranking."""


class NERR(OverIdeal, ERR):
    """Normalised expected reciprocal rank."""

    also = ("normalized expected reciprocal rank", "normalised ERR", "normalized ERR")
    term = r"\frac{<p:.4g>\cdot<reached:.4g>}{<rank>\cdot<ierr:.4f>}"
    use = "ERR over queries whose best document differs in grade."
    avoid = "As ERR; and where few documents are judged."
    of = ERR, IERR
    ideal_column = "ierr"
    labels = {"ierr": "IERR"}
