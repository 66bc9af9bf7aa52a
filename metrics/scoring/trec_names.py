"""What trec_eval's ``-m`` names: families of cutoffs, parameters and sets -> measures."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..errors import MeasureError
from ..measures import Measure
from ..measures.counts import Utility
from ..measures.precision_recall import AvgIPrec, F
from .naming import parse, trec_name

_ORDER = (
    "num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank iprec_at_recall P relstring "
    "recall infAP gm_bpref Rprec_mult utility 11pt_avg binG G dcg ideal_dcg ndcg ndcg_rel Rndcg "
    "ndcg_cut map_cut relative_P success set_P set_relative_P set_recall set_map set_F "
    "num_nonrel_judged_ret rbp rbp_resid unj"
)
ORDER = _ORDER.split()
"""trec_eval prints in this order, whatever the order asked for."""

_CUTOFFS = dict.fromkeys(
    ("P", "recall", "ndcg_cut", "map_cut", "relative_P"), "5,10,15,20,30,100,200,500,1000"
) | {"success": "1,5,10", "unj": "5,10,20"}
_ELEVEN = "0.0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1.0"
_POINTS = {"iprec_at_recall": _ELEVEN, "Rprec_mult": "0.2,0.4,0.6,0.8,1.0,1.2,1.4,1.6,1.8,2.0"}
FAMILIES = _CUTOFFS | _POINTS
"""The names that stand for a measure at several cutoffs or points, with the usual ones."""

_GAINS = ("dcg", "ideal_dcg", "ndcg", "ndcg_rel", "Rndcg", "G")
_PERSISTENCE = ("rbp", "rbp_resid")
_OF_RUN = ("runid", "num_q")
"""Lines that are not of measures; they stand before all others."""

SETS = {
    "official": (*_OF_RUN, *ORDER[: ORDER.index("P") + 1]),
    "all_trec": (*_OF_RUN, *(root for root in ORDER if root not in ("dcg", "ideal_dcg"))),
    "set": (
        *(*_OF_RUN, "num_ret", "num_rel", "num_rel_ret", "utility"),
        *("set_P", "set_recall", "set_relative_P", "set_map", "set_F"),
    ),
}
"""trec_eval's own sets of measures."""
_SINCE = dict.fromkeys(("rbp", "rbp_resid", "unj"), 10)
"""The versions of trec_eval before which a measure is in no set."""


@dataclass(frozen=True)
class Asked:
    """What was asked for, under the names that trec_eval prints.

    Attributes
    ----------
    measures
        The measures with their names.
    of_run
        ``runid`` and ``num_q``, where they were asked for.
    strings
        The names of the relevance strings, with how many ranks each shows.
    """

    measures: tuple[tuple[str, Measure], ...]
    of_run: frozenset[str] = frozenset()
    strings: tuple[tuple[str, int], ...] = ()


def is_of_trec_eval(text: str) -> bool:
    """Return whether a text begins with a name of trec_eval's, before a first point.

    Examples
    --------
    >>> [is_of_trec_eval(text) for text in ("ndcg_cut", "P.5,10", "official", "nDCG@10")]
    [True, True, True, False]
    """
    return text.partition(".")[0] in (*ORDER, *_OF_RUN, *SETS)


def measures_named(texts: Iterable[str], version: int = 10) -> Asked:
    """Return what the texts name; those that trec_eval does not know are names of our measures.

    As in trec_eval, ``P`` is a family, P at nine cutoffs, and parameters follow a point:
    ``P.5,10``. They replace the family's usual ones. Where a name appears twice with other
    parameters, both count; trec_eval would leave the second out.

    ``version`` is the version of trec_eval whose sets are meant.

    Raises MeasureError when a name is not known or not offered, or a parameter is not allowed.

    Examples
    --------
    >>> [name for name, _ in measures_named(["set_F.0.5", "P.10,5", "map"]).measures]
    ['set_F_0.5', 'P_10', 'P_5', 'map']
    >>> measures_named(["ndcg.1=3,2=9"]).measures
    (('ndcg_1=3,2=9', nDCG(gain={1:3,2:9})),)
    >>> [len(measures_named(each).measures) for each in (["ndcg_cut"], ["all_trec", "P.7"])]
    [9, 89]
    >>> len(measures_named(["all_trec"], version=9).measures)
    92
    """
    given: dict[str, list[str]] = {}
    others = []
    for text in texts:
        root, _, parameters = text.partition(".")
        if not is_of_trec_eval(text):
            others.append(text)
        for name in SETS.get(root, (root,)) if is_of_trec_eval(text) else ():
            if root in SETS and version < _SINCE.get(name, version):
                continue
            given.setdefault(name, [])
            if parameters and name not in SETS:
                given[name].append(parameters)
    measures = [pair for root, several in given.items() for pair in _of(root, several)]
    measures += [(trec_name(each, text), each) for text in others for each in [parse(text)]]
    widths = (given["relstring"] or [""]) if "relstring" in given else []
    strings = (
        (f"relstring_{width}", int(_number("relstring", width))) if width else ("relstring", 10)
        for width in widths
    )
    of_run = frozenset(given).intersection(_OF_RUN)
    return Asked(tuple(dict.fromkeys(measures)), of_run, tuple(strings))


def _of(root: str, given: list[str]) -> Iterator[tuple[str, Measure]]:
    """Yield the measures of one name, with the names that trec_eval prints."""
    if root in FAMILIES:
        texts = ",".join(given or [FAMILIES[root]]).split(",")
        for value in dict.fromkeys(_number(root, text) for text in texts):
            point = f"{value:.2f}" if root in _POINTS else f"{int(value)}"
            exact = f"{value:.9g}" if root in _POINTS else point
            yield f"{root}_{point}", parse(f"{root}_{exact}")
    elif root not in (*_OF_RUN, "relstring"):
        for parameters in given or [""]:
            printed = f"{root}_{parameters}" if parameters else root
            yield printed, _with(root, parameters) if parameters else parse(root)


def _with(root: str, parameters: str) -> Measure:
    """Return a measure with the parameters behind its point.

    Raises MeasureError when it takes none, or not these.
    """
    if root == "set_F":
        # trec_eval weighs recall by x itself, which is the square of the usual beta.
        return F(beta=math.sqrt(_number(root, parameters)))
    pairs = [part.partition("=")[::2] for part in parameters.split(",")]
    if root in _GAINS:
        for _, gain in pairs:
            _number(root, gain)
        table = ",".join(f"{grade}:{gain}" for grade, gain in pairs)
        return parse(root)(gain=f"{{{table}}}")
    if root in _PERSISTENCE:
        if [name for name, _ in pairs] != ["p"]:
            raise MeasureError(f"{root}.{parameters}: of its parameters only p is offered.")
        return parse(root)(p=_number(root, pairs[0][1]))
    values = parameters.split(",")
    if root == "11pt_avg":
        points = sorted({_number(root, value) for value in values})
        return AvgIPrec(points=f"{{{','.join(f'{point:g}' for point in points)}}}")
    if root == "utility":
        return _utility([_number(root, value) for value in values])
    raise MeasureError(f"{root} takes no parameter; write {root}.")


def _utility(weights: list[float]) -> Measure:
    """Return utility with the weights of trec_eval.

    Raises MeasureError when they are not four, or one is of the documents that are neither
    retrieved nor relevant.
    """
    if len(weights) != 4 or weights[3] != 0:
        raise MeasureError(
            "utility takes four weights. The last, of documents neither retrieved nor relevant, "
            "must be 0, because their number is not known. Write one such as utility.2,-1,0,0."
        )
    hit, other, missed, _ = weights
    return Utility(hit=hit, other=other, missed=missed)


def _number(root: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise MeasureError(f"{root}: {text!r} is not a number; write one such as {root}.10.")
    return value
