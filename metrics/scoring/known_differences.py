"""Where a tool is known to give other numbers than its preset, and in how many queries."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Ints
from ..conventions.convention import PRESETS
from ..matching import JudgedRankings
from ..measures import Measure
from ..words import count

Mask = NDArray[np.bool_]
Where = Callable[[JudgedRankings, Measure], Mask]
"""The queries in which the tool may differ: ``(q,)``, in the order of the evaluated queries."""

_STABLE = 15
"""ranx sorts up to this many documents in input order, as numba's quicksort does."""
_PAIRS = 32
"""The default of XGBoost's lambdarank_num_pair_per_sample, which cuts its metrics, too."""


@dataclass(frozen=True)
class Difference:
    """One way in which a tool does not do what its preset does.

    Attributes
    ----------
    preset
        The preset of the tool.
    symbols
        The measures that it concerns, or measures at a cutoff; empty for all. ``F(beta)``: only
        where beta is given; ``RBP without p``: only where p is not.
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
        return not self.symbols or _is_among(self.symbols, measure)

    def queries(self, judged: JudgedRankings, measures: Iterable[Measure]) -> Mask:
        """Return the queries in which it may change the score of one of these measures."""
        found = np.zeros(len(judged.queries), bool)
        for measure in filter(self.concerns, measures):
            found |= self.where(judged, measure)
        return found


def exceptions(rankings: Iterable[JudgedRankings], measures: Iterable[Measure]) -> list[str]:
    """Return how tools may differ here in words, with their measures where several are asked for.

    A convention means a preset when it equals that preset in every choice.

    Examples
    --------
    >>> from metrics import PRESETS, Qrels, Run, match, parse
    >>> qrels = Qrels.from_dict({"q1": {"a": 1}, "q2": {"a": 1}})
    >>> judged = match(qrels, Run.from_dict({"q1": {"a": 1.0}}), PRESETS["MLflow"])
    >>> exceptions([judged], [parse("P@1"), parse("nDCG@1")])
    ['nDCG@1: MLflow cuts the ideal ranking at the number of documents retrieved (1 query)']
    """
    runs, asked = list(rankings), list(measures)
    texts = []
    for each in KNOWN:
        where = {
            query
            for judged in runs
            if judged.convention == PRESETS[each.preset]
            for query in compress(judged.queries, each.queries(judged, asked))
        }
        if where:
            named = asked if each.symbols and len(asked) > 1 else []
            of = [str(measure) for measure in named if each.concerns(measure)]
            several = {query for judged in runs for query in judged.queries}
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
    >>> from metrics import PRESETS, Qrels, Run, match, parse
    >>> qrels, run = Qrels.from_dict({"q1": {"a": 1}}), Run.from_dict({"q1": {"a": 1.0}})
    >>> exception_label([match(qrels, run, PRESETS["OpenSearch"])], [parse("P@1")])
    {'exceptions': 'OpenSearch rounds the score of each query to 2 digits'}
    >>> exception_label([match(qrels, run)], [parse("P@1")])
    {}
    """
    found = exceptions(rankings, measures)
    return {EXCEPTIONS: "; ".join(found)} if found else {}


def of_preset(name: str) -> list[str]:
    """Return all known differences of a preset's tool, as sentences.

    Examples
    --------
    >>> of_preset("trec_eval")
    ['trec_eval cuts fractional grades to whole numbers.']
    """
    return [
        f"{', '.join(each.symbols)}{': ' if each.symbols else ''}{each.preset} {each.says}."
        for each in KNOWN
        if each.preset == name
    ]


def _is_among(symbols: Iterable[str], measure: Measure) -> bool:
    """Return whether a measure is one of these, as `Difference.symbols` writes them."""
    given = measure.given()
    names = {measure.symbol, measure.short, *(f"{measure.symbol}({name})" for name in given)}
    names |= {f"{measure.symbol} without {name}" for name in vars(measure) if name not in given}
    return not names.isdisjoint(symbols)


def _always(judged: JudgedRankings, measure: Measure) -> Mask:
    return np.ones(len(judged.queries), bool)


def _tied(judged: JudgedRankings, measure: Measure) -> Mask:
    """A judged document has the score of another one."""
    hits = judged.hits
    tied = (hits.first < hits.last) & ~np.isnan(hits.grade)
    return np.asarray(judged.per_query(hits.query[tied]) > 0)


def _tied_in_long(judged: JudgedRankings, measure: Measure) -> Mask:
    return _tied(judged, measure) & (judged.retrieved > _STABLE)


def _by_grade(test: Callable[[Floats, float], Mask], lines: str = "judged") -> Where:
    """Return where a judged document, or a hit, has such a grade; beside it the measure's level."""

    def where(judged: JudgedRankings, measure: Measure) -> Mask:
        documents = getattr(judged, lines)
        found = test(np.nan_to_num(documents.grade), measure.under(judged.convention).level)
        return np.asarray(judged.per_query(documents.query[found]) > 0)

    return where


def _by_relevant(test: Callable[[Ints, Ints], Mask]) -> Where:
    """Return where the numbers of relevant documents and of those retrieved are such."""

    def where(judged: JudgedRankings, measure: Measure) -> Mask:
        level = measure.under(judged.convention).level
        found = judged.per_query(judged.hits.query[judged.hits.grade >= level])
        return np.asarray(test(judged.relevant(level), found))

    return where


def _no_label(highest: int) -> Where:
    """Return where a retrieved document has a grade other than 0, 1, … highest."""
    return _by_grade(lambda grade, _: ~np.isin(grade, range(highest + 1)), "hits")


_fractional = _by_grade(lambda grade, level: grade != np.trunc(grade))
_negative = _by_grade(lambda grade, level: grade < 0)
_between = _by_grade(lambda grade, level: (grade > 0) & (grade < level))
_not_relevant = _by_grade(lambda grade, level: grade < level)
_around_half = _by_grade(lambda grade, level: (grade > 0.5) != (grade >= level))
_several_relevant = _by_relevant(lambda relevant, found: relevant > 1)
_none_relevant = _by_relevant(lambda relevant, found: relevant == 0)
_no_hit = _by_relevant(lambda relevant, found: found == 0)
_not_all_found = _by_relevant(lambda relevant, found: found < relevant)


def _missing(judged: JudgedRankings, measure: Measure) -> Mask:
    return np.isin(judged.queries, judged.missing_from_run)


def _few_retrieved(judged: JudgedRankings, measure: Measure) -> Mask:
    return np.asarray(judged.retrieved < (measure.cutoff or 0))


def _nothing(judged: JudgedRankings, measure: Measure) -> Mask:
    return np.asarray((judged.retrieved == 0) & _none_relevant(judged, measure))


def _one_kind(judged: JudgedRankings, measure: Measure) -> Mask:
    """In any query, all judged documents are relevant, or none is: this reaches every query."""
    total = judged.per_query(judged.judged.query)
    relevant = judged.relevant(measure.under(judged.convention).level)
    return np.full(len(total), ((relevant == 0) | (relevant == total)).any())


def _other_queries(judged: JudgedRankings, measure: Measure) -> Mask:
    return np.full(len(judged.queries), len(judged.qrels.queries) > 1)


def _stopping(judged: JudgedRankings, measure: Measure) -> Mask:
    """pytrec_eval and gdeval, behind most measures of ir_measures, take whole grades only."""
    return _fractional(judged, measure) & (not _is_among((*_IN_ORDER, *_ASCENDING), measure))


_PYNDEVAL = (
    *("alpha_DCG", "alpha_nDCG", "ERR_IA", "nERR_IA", "NRBP", "nNRBP"),
    *("AP_IA", "P_IA", "StRecall"),
)
"""What ir_measures takes from pyndeval, for queries with aspects."""
_PYTREC_EVAL = "nDCG", "AP", "R", "P"
"""What BEIR takes from pytrec_eval."""
_IN_ORDER, _ASCENDING = ("RBP", "Accuracy"), ("RR(cutoff)", "Judged", "Compat", *_PYNDEVAL)
"""What ir_measures takes from tools of other orders, which also take fractional grades."""
_64_BITS = "compares scores in 64 bits"
_ABOVE_0, _STOPS = "takes every grade above 0 as relevant", "stops at fractional grades"
_CUTS = (), "cuts fractional grades to whole numbers", _fractional
_XGBOOST = "nDCG without cutoff", "AP without cutoff", "P without cutoff"
_AS_EVALUATE = "choose trec_eval 9 with own_document=removed"
_BY_TOOL: dict[str, tuple[tuple[tuple[str, ...], str, Where], ...]] = {
    **dict.fromkeys(("trec_eval", "trec_eval 9"), (_CUTS,)),
    "ranx": (
        ((), "has no fixed order of equal scores among 16 or more documents", _tied_in_long),
        _CUTS,
        (("Bpref",), "divides by 0 where nothing can be compared", _one_kind),
    ),
    "ir_measures": (
        (("F(beta)",), "takes SetF(beta=x) for F(beta=√x)", _always),
        (("RBP without p",), "has p = 0.8", _always),
        (_IN_ORDER, f"{_64_BITS} and keeps equal ones in input order", _tied),
        (_ASCENDING, f"{_64_BITS} and orders equal ones ascending by document id", _tied),
        (("ERR", "nDCG(gain)"), _64_BITS, _tied),
        ((), _STOPS, _stopping),
        (("alpha_DCG@1", "ERR_IA@1"), "does not divide", _always),
        (("nNRBP",), "has no score where nothing is relevant", _none_relevant),
        (("Judged",), "counts negative grades as judged", _negative),
        (("Accuracy",), "leaves out queries without a relevant document retrieved", _no_hit),
        (("NumRel",), "counts 0 for queries that the run lacks", _missing),
        (("Compat",), "gives the score 0 to documents that are not in the run", _always),
    ),
    "BEIR": (
        (_PYTREC_EVAL, f"orders equal scores as pytrec_eval does: {_AS_EVALUATE}", _tied),
        (_PYTREC_EVAL, f"leaves out queries that the run lacks: {_AS_EVALUATE}", _missing),
        (_PYTREC_EVAL, _STOPS, _fractional),
        (("RR", "RCap", "Success"), _ABOVE_0, _between),
        (("Unjudged",), "takes a document judged for any query as no hole", _other_queries),
        (("Unjudged",), "takes a negative grade as no hole", _negative),
    ),
    "LightGBM": (
        (("nDCG",), "stops at grades that are not whole numbers from 0 to 30", _no_label(30)),
        (("AP",), "takes every grade above 0.5 as relevant", _around_half),
    ),
    "XGBoost": (
        (("nDCG",), "stops at grades that are not whole numbers from 0 to 31", _no_label(31)),
        (("AP", "P"), "stops at grades other than the whole numbers 0 and 1", _no_label(1)),
        (_XGBOOST, f"cuts at rank {_PAIRS}", lambda judged, _: judged.retrieved > _PAIRS),
    ),
    "MS MARCO": (
        ((), "takes equal scores in the order of the file", _tied),
        ((), "takes every judged document as relevant, whatever its grade", _not_relevant),
    ),
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
        (("P", "R", "AP", "RR", "Success", "Rprec"), "has no fixed order of equal scores", _tied),
        (("R", "Rprec"), "knows only the documents passed to it", _not_all_found),
        (("P", "R", "AP", "RR"), "takes documents scored 0 or less as not relevant", _always),
    ),
    "OpenSearch": (
        (("P", "AP"), _ABOVE_0, _between),
        ((), "rounds the score of each query to 2 digits", _always),
    ),
}
KNOWN = tuple(Difference(preset, *each) for preset, known in _BY_TOOL.items() for each in known)
"""All of them, held by recorded runs of each tool: ``tests/data/record_tools.py``."""
