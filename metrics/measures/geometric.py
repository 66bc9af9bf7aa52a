"""Logarithms of other measures: their mean is the logarithm of the geometric mean."""

import math
from typing import ClassVar

import numpy as np

from ..arrays import Floats
from ..conventions.convention import Convention
from ..judging import Hits, JudgedRankings
from .arithmetic import before, divide, running
from .average_precision import AP
from .base import Binary, Lines
from .bpref_infap import Bpref

FLOOR = 0.00001
"""trec_eval's lowest value, so that a single 0 does not make the geometric mean 0."""


class _Log(Binary):
    """The logarithm of a measure: each line adds its increase of the running total's logarithm."""

    term = "<contribution:.4f>"
    use = "Hard queries matter most: halving a low score costs as much as halving a high one."
    avoid = "Single queries, and comparisons in which the floor of 0.00001 decides."
    value_range = "−11.5129 to 0"
    start_name = "log 0.00001, the floor"
    suffix = ""
    summary = "exp"
    of: ClassVar[type[Binary]]

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        inner = self.of(rel=self.rel).lines(hits, judged, convention)
        assert inner.divisor is not None  # both are shares of the relevant documents
        total = divide(running(np.add, inner.earned, hits.query), inner.divisor[hits.query])
        log = np.log(np.maximum(total, FLOOR))
        raised = log - before(log, hits.query, math.log(FLOOR))
        return Lines({self.of.symbol: total, "log": log}, raised)

    def to_find(self, judged: JudgedRankings, convention: Convention) -> Floats:
        return self.of(rel=self.rel).to_find(judged, convention)

    def start(self, judged: JudgedRankings, convention: Convention) -> Floats:
        return np.full(len(judged.queries), math.log(FLOOR))


class LogAP(_Log):
    """Logarithm of average precision."""

    symbol = "LogAP"
    full_name = "logarithm of average precision"
    mean_names = ("GMAP", "geometric mean average precision")
    trec = ("gm_map",)
    meaning = "The logarithm of AP, at least 0.00001; e to its mean is the geometric mean of AP."
    formula = r"\mathrm{LogAP} = \ln \max(\mathrm{AP}, 0.00001)"
    source = "trec_eval: gm_map; Robertson, CIKM 2006"
    choices = ("level", "ap")
    of = AP


class LogBpref(_Log):
    """Logarithm of Bpref."""

    symbol = "LogBpref"
    full_name = "logarithm of binary preference"
    mean_names = ("geometric mean Bpref",)
    trec = ("gm_bpref",)
    meaning = (
        "The logarithm of Bpref, at least 0.00001; e to its mean is the geometric mean of Bpref."
    )
    formula = r"\mathrm{LogBpref} = \ln \max(\mathrm{Bpref}, 0.00001)"
    source = "trec_eval: gm_bpref"
    choices = ("level", "negative")
    of = Bpref
