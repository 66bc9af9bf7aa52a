"""Where a tool is known to give other numbers than its preset, and in how many queries."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from ..arrays import Ints
from ..conventions.convention import PRESETS
from ..judging.judged import JudgedRankings
from ..measures import Measure
from ..words import count

Mask = NDArray[np.bool_]
Where = Callable[[JudgedRankings, Measure], Mask]
"""The queries in which the tool may differ: ``(q,)``, in the order of the evaluated queries."""

_STABLE = 15
"""ranx sorts up to this many documents in input order, as numba's quicksort does."""


@dataclass(frozen=True)
class Difference:
    """One way in which a tool does not do what its preset does.

    Attributes
    ----------
    preset
        The preset of the tool.
    symbols
        The measures that it concerns; empty for all.
    says
        What the tool does: the end of a sentence that begins with its name.
    where
        The queries in which it may change a score.
    """

    preset: str
    symbols: tuple[str, ...]
    says: str
    where: Where

    def concerns(self, measure: Measure) -> bool:
        """Return whether it may change this measure."""
        return not self.symbols or measure.symbol in self.symbols

    def queries(self, judged: JudgedRankings, measures: Iterable[Measure]) -> Mask:
        """Return the queries in which it may change the score of one of these measures."""
        found = np.zeros(len(judged.queries), bool)
        for measure in filter(self.concerns, measures):
            found |= self.where(judged, measure)
        return found


def differences(judged: JudgedRankings, measures: Iterable[Measure]) -> list[Difference]:
    """Return how the tool of the convention may differ here; empty where no preset is meant.

    A convention means a preset when it equals that preset in every choice.
    """
    asked = list(measures)
    return [
        each
        for each in KNOWN
        if PRESETS[each.preset] == judged.convention and each.queries(judged, asked).any()
    ]


def exceptions(rankings: Iterable[JudgedRankings], measures: Iterable[Measure]) -> list[str]:
    """Return the differences in words, each with its measures and the number of queries.

    Examples
    --------
    >>> from metrics import PRESETS, Qrels, Run, judge, parse
    >>> qrels = Qrels.from_dict({"q1": {"a": 1}, "q2": {"a": 1}})
    >>> judged = judge(qrels, Run.from_dict({"q1": {"a": 1.0}}), PRESETS["MLflow"])
    >>> exceptions([judged], [parse("P@1"), parse("nDCG@1")])
    ['nDCG@1: MLflow cuts the ideal ranking at the number of documents retrieved (1 query)']
    """
    runs, asked = list(rankings), list(measures)
    found = dict.fromkeys(each for judged in runs for each in differences(judged, asked))
    several = {query for judged in runs for query in judged.queries} if found else set()
    texts = []
    for each in found:
        of = [str(measure) for measure in asked if each.symbols and each.concerns(measure)]
        where = {
            query
            for judged in runs
            for query in compress(judged.queries, each.queries(judged, asked))
        }
        here = f" ({count(len(where), 'query', 'queries')})" if len(several) > 1 else ""
        texts.append(f"{', '.join(of)}{': ' if of else ''}{each.preset} {each.says}{here}")
    return texts


EXCEPTIONS = "exceptions"
"""The label of what a preset's tool does otherwise."""


def exception_label(
    rankings: Iterable[JudgedRankings], measures: Iterable[Measure]
) -> dict[str, str]:
    """Return the label of the exceptions; empty where there are none.

    Examples
    --------
    >>> from metrics import PRESETS, Qrels, Run, judge, parse
    >>> qrels, run = Qrels.from_dict({"q1": {"a": 1}}), Run.from_dict({"q1": {"a": 1.0}})
    >>> exception_label([judge(qrels, run, PRESETS["OpenSearch"])], [parse("P@1")])
    {'exceptions': 'OpenSearch rounds the score of each query to 2 digits'}
    >>> exception_label([judge(qrels, run)], [parse("P@1")])
    {}
    """
    found = exceptions(rankings, measures)
    return {EXCEPTIONS: "; ".join(found)} if found else {}


def of_preset(name: str) -> list[str]:
    """Return all known differences of a preset's tool, as sentences.

    Examples
    --------
    >>> of_preset("MS MARCO")
    ['MS MARCO takes equal scores in the order of the file.']
    """
    return [
        f"{', '.join(each.symbols)}{': ' if each.symbols else ''}{each.preset} {each.says}."
        for each in KNOWN
        if each.preset == name
    ]


def _always(judged: JudgedRankings, measure: Measure) -> Mask:
    return np.ones(len(judged.queries), bool)


def _tied(judged: JudgedRankings, measure: Measure) -> Mask:
    """A judged document has the score of another one."""
    hits = judged.hits
    tied = (hits.first < hits.last) & ~np.isnan(hits.grade)
    return np.asarray(judged.per_query(hits.query[tied]) > 0)


def _tied_in_long(judged: JudgedRankings, measure: Measure) -> Mask:
    return _tied(judged, measure) & (judged.retrieved > _STABLE)


def _fractional(judged: JudgedRankings, measure: Measure) -> Mask:
    grade = judged.judged.grade
    return np.asarray(judged.per_query(judged.judged.query[grade != np.trunc(grade)]) > 0)


def _between(judged: JudgedRankings, measure: Measure) -> Mask:
    """A grade is above 0 and below the level from which documents are relevant."""
    grade = judged.judged.grade
    between = (grade > 0) & (grade < judged.convention.level)
    return np.asarray(judged.per_query(judged.judged.query[between]) > 0)


def _missing(judged: JudgedRankings, measure: Measure) -> Mask:
    return np.isin(judged.queries, judged.missing_from_run)


def _negative(judged: JudgedRankings, measure: Measure) -> Mask:
    return np.asarray(judged.per_query(judged.judged.query[judged.judged.grade < 0]) > 0)


def _few_retrieved(judged: JudgedRankings, measure: Measure) -> Mask:
    return np.asarray(judged.retrieved < (measure.cutoff or 0))


def _several_relevant(judged: JudgedRankings, measure: Measure) -> Mask:
    return np.asarray(judged.relevant(judged.convention.level) > 1)


def _nothing(judged: JudgedRankings, measure: Measure) -> Mask:
    nothing = (judged.retrieved == 0) & (judged.relevant(judged.convention.level) == 0)
    return np.asarray(nothing)


def _no_hit(judged: JudgedRankings, measure: Measure) -> Mask:
    return np.asarray(_found(judged) == 0)


def _not_all_found(judged: JudgedRankings, measure: Measure) -> Mask:
    return np.asarray(_found(judged) < judged.relevant(judged.convention.level))


def _found(judged: JudgedRankings) -> Ints:
    """``(q,)`` how many relevant documents are retrieved."""
    relevant = judged.hits.grade >= judged.convention.level
    return judged.per_query(judged.hits.query[relevant])


def _one_kind(judged: JudgedRankings, measure: Measure) -> Mask:
    """In any query, all judged documents are relevant, or none is: this reaches every query."""
    total = judged.per_query(judged.judged.query)
    relevant = judged.relevant(judged.convention.level)
    return np.full(len(total), ((relevant == 0) | (relevant == total)).any())


def _other_queries(judged: JudgedRankings, measure: Measure) -> Mask:
    return np.full(len(judged.queries), len(judged.qrels.queries) > 1)


def _beta(judged: JudgedRankings, measure: Measure) -> Mask:
    return np.full(len(judged.queries), getattr(measure, "beta", 1.0) != 1.0)


def _default_p(judged: JudgedRankings, measure: Measure) -> Mask:
    return np.full(len(judged.queries), getattr(measure, "p", None) == type(measure)().p)  # type: ignore[attr-defined]


def _cut_at_1(judged: JudgedRankings, measure: Measure) -> Mask:
    return np.full(len(judged.queries), measure.cutoff == 1)


def _none_relevant(judged: JudgedRankings, measure: Measure) -> Mask:
    return np.asarray(judged.relevant(measure.under(judged.convention).level) == 0)


_PYNDEVAL = (
    *("alpha_DCG", "alpha_nDCG", "ERR_IA", "nERR_IA", "NRBP", "nNRBP"),
    *("AP_IA", "P_IA", "StRecall"),
)
"""What ir_measures takes from pyndeval, for queries with aspects."""
_PYTREC_EVAL = "nDCG", "AP", "R", "P"
"""What BEIR takes from pytrec_eval."""
_AS_EVALUATE = "choose trec_eval 9 with own_document=removed"
_BY_TOOL: dict[str, tuple[tuple[tuple[str, ...], str, Where], ...]] = {
    "ranx": (
        ((), "has no fixed order of equal scores among 16 or more documents", _tied_in_long),
        ((), "cuts fractional grades to whole numbers", _fractional),
        (("Bpref",), "divides by 0 where nothing can be compared", _one_kind),
    ),
    "ir_measures": (
        (("F",), "takes SetF(beta=x) for F(beta=√x)", _beta),
        (("RBP",), "has p = 0.8 where none is given", _default_p),
        (("RBP", "Accuracy"), "keeps equal scores in input order", _tied),
        (
            ("RR", "Judged", "Compat", *_PYNDEVAL),
            "orders equal scores ascending by document id",
            _tied,
        ),
        (("alpha_DCG", "ERR_IA"), "does not divide where the cutoff is 1", _cut_at_1),
        (("nNRBP",), "has no score where nothing is relevant", _none_relevant),
        (("Judged",), "counts negative grades as judged", _negative),
        (("Accuracy",), "leaves out queries without a relevant document retrieved", _no_hit),
        (("NumRel",), "counts 0 for queries that the run lacks", _missing),
        (("Compat",), "gives the score 0 to documents that are not in the run", _always),
    ),
    "BEIR": (
        (_PYTREC_EVAL, f"orders equal scores as pytrec_eval does: {_AS_EVALUATE}", _tied),
        (_PYTREC_EVAL, f"leaves out queries that the run lacks: {_AS_EVALUATE}", _missing),
        (("Unjudged",), "takes a document judged for any query as no hole", _other_queries),
        (("Unjudged",), "takes a negative grade as no hole", _negative),
    ),
    "MS MARCO": (((), "takes equal scores in the order of the file", _tied),),
    "MLflow": (
        (("nDCG",), "cuts the ideal ranking at the number of documents retrieved", _few_retrieved),
        (("nDCG", "R"), "gives 1 where nothing is relevant and nothing retrieved", _nothing),
    ),
    "AutoRAG": (
        (("nDCG",), "cuts the ideal ranking at the number of documents retrieved", _few_retrieved),
        (("RR", "AP"), "takes the mean over the relevant documents, each alone", _several_relevant),
    ),
    "torchmetrics": (
        (("nDCG",), "takes the mean over all orders of equal scores", _tied),
        (
            ("P", "R", "AP", "RR", "Success", "Rprec"),
            "has no fixed order of equal scores",
            _tied,
        ),
        (("R", "Rprec"), "knows only the documents passed to it", _not_all_found),
        (
            ("P", "R", "AP", "RR"),
            "takes a document with a score of 0 or less as not relevant",
            _always,
        ),
    ),
    "OpenSearch": (
        (("P", "AP"), "takes every grade above 0 as relevant", _between),
        ((), "rounds the score of each query to 2 digits", _always),
    ),
}
KNOWN = tuple(Difference(preset, *each) for preset, known in _BY_TOOL.items() for each in known)
"""All of them, held by recorded runs of each tool: ``tests/data/record_tools.py``."""
