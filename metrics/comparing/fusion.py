"""Runs to compare against, made from several runs or from the qrels."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrays import Floats, Ints, bincount, numbers, order_of_texts, repeat, take
from ..conventions.convention import TREC_EVAL, Convention
from ..data import Qrels, Run
from ..errors import DataError
from ..matching.batches import Given
from ..matching.hits import ranking
from ..matching.judged import compared_scores
from ..words import count, joined, listed, visible

K = 60
"""The k of reciprocal rank fusion in the paper that introduced it."""
MOST_K, MOST_WEIGHT = 1_000_000, 1_000_000


def rrf(
    runs: Sequence[Given],
    convention: Convention = TREC_EVAL,
    k: float = K,
    weights: Sequence[float] | None = None,
) -> Run:
    """Reciprocal rank fusion: the sum of weight/(k + rank) over the runs that retrieve a document.

    Ranks are those of evaluation, by the convention's ``ties`` and ``scores``; ``"mean"`` orders
    ties by document id, descending. Source: Cormack, Clarke & Büttcher, SIGIR (2009).

    Parameters
    ----------
    k
        From 0 to 1,000,000: the higher, the less the first ranks count.
    weights
        A number above 0 for each run; by default all are 1.

    Raises
    ------
    DataError
        When there is no run, or a weight or k is outside these limits.

    Examples
    --------
    >>> a, b = Run.from_dict({"q": {"x": 9.0, "y": 8.0}}), Run.from_dict({"q": {"y": 0.5}})
    >>> rrf([a, b]).to_dict() == {"q": {"x": 1 / 61, "y": 1 / 62 + 1 / 61}}
    True
    """
    if not 0 <= k <= MOST_K:
        raise DataError(f"k of RRF is a number from 0 to {MOST_K:,}, not {k!r}.")
    weighted = _weighted(runs, weights)
    return _added([_reciprocal(run, convention, k, weight) for run, weight in weighted])


def comb(
    runs: Sequence[Given],
    normalisation: str = "minmax",
    mnz: bool = False,
    weights: Sequence[float] | None = None,
) -> Run:
    """CombSUM: the sum of weight × normalised score over the runs that retrieve a document.

    CombMNZ (``mnz``): the same times the number of these runs. It does not suit z-scores, whose
    negative sums fall further with every run. Source: Fox & Shaw, TREC-2 (1994).
    ``normalisation`` scales each query's scores in a run: ``"minmax"``: to 0–1, all 1 if they are
    equal; ``"zscore"``: to mean 0 and standard deviation 1, all 0 if equal; ``"sum"``: to lowest 0
    and sum 1, all 1/n if equal.

    Parameters
    ----------
    weights
        A number above 0 for each run; by default all are 1.

    Raises
    ------
    DataError
        When there is no run, the normalisation is not known, or a weight is not above 0.

    Examples
    --------
    >>> a = Run.from_dict({"q": {"x": 9.0, "y": 8.0, "z": 5.0}})
    >>> b = Run.from_dict({"q": {"y": 0.5, "x": 0.25}})
    >>> comb([a, b]).to_dict(), comb([a, b], mnz=True).to_dict()
    ({'q': {'x': 1.0, 'y': 1.75, 'z': 0.0}}, {'q': {'x': 2.0, 'y': 3.5, 'z': 0.0}})
    """
    if normalisation not in _SCALES:
        known = ", ".join(_SCALES)
        raise DataError(f"There is no normalisation {normalisation!r}; choose one of {known}.")
    weighted = _weighted(runs, weights)
    return _added([_normalised(run, normalisation, weight) for run, weight in weighted], mnz)


def _weighted(given: Sequence[Given], weights: Sequence[float] | None) -> list[tuple[Run, float]]:
    """Return each run with its weight.

    Raises
    ------
    DataError
        When there are more or fewer weights than runs, or one is not above 0.
    """
    runs = [*map(Run.of, given)]
    if weights is None:
        return [(run, 1.0) for run in runs]
    if len(weights) != len(runs):
        raise DataError(
            f"{count(len(runs), 'run')} cannot have {count(len(weights), 'weight')}; give one for "
            "each run."
        )
    for run, weight in zip(runs, weights, strict=True):
        if not 0 < weight <= MOST_WEIGHT:
            raise DataError(
                f"The weight of run {run.name!r} is {weight!r}; it must be above 0 and at most "
                f"{MOST_WEIGHT:,}. Leave out a run that must not count."
            )
    return list(zip(runs, map(float, weights), strict=True))


def ideal(qrels: Qrels) -> Run:
    """The ideal ranking (Järvelin & Kekäläinen 2002): judged documents, the grade as score.

    Documents with grade 0 or below come last; without them the run would lack some queries.

    Examples
    --------
    >>> ideal(Qrels.from_dict({"q": {"x": 0, "y": 3}, "nothing": {"x": 0}})).to_dict()
    {'q': {'x': 0.0, 'y': 3.0}, 'nothing': {'x': 0.0}}
    """
    return Run(qrels.queries, qrels.query, qrels.document, qrels.value)


def all_ties(runs: Sequence[Run]) -> Run:
    """All documents that any run retrieves, with the same score: an uninformative ranker.

    They are ordered by document id, so that no run's order remains where ties keep input order.
    On the effect of the order of ties: Cabanac et al., CLEF (2010).

    Examples
    --------
    >>> a, b = Run.from_dict({"q": {"y": 9.0, "x": 8.0}}), Run.from_dict({"q": {"z": 0.5}})
    >>> all_ties([a, b]).to_dict()
    {'q': {'x': 1.0, 'y': 1.0, 'z': 1.0}}
    """
    return _pooled(runs)[0]


def _pooled(runs: Sequence[Run]) -> tuple[Run, Ints]:
    """Return each retrieved pair once, by query and document id, and its row for each input row."""
    if not runs:
        raise DataError("There is no run to build this run from; choose one or more.")
    names = [pa.array(run.queries, pa.string()) for run in runs]
    queries = pc.unique(pa.chunked_array(names))
    codes = [numbers(pc.index_in(name, queries)) for name in names]
    of_rows = [code[run.query] for code, run in zip(codes, runs, strict=True)]
    query = np.concatenate(of_rows, dtype=np.int64)
    coded = pa.chunked_array([run.document for run in runs]).dictionary_encode().combine_chunks()
    order = order_of_texts(np.zeros(len(coded.dictionary), int), coded.dictionary, "ascending")
    number = np.argsort(order)[numbers(coded.indices)]  # the position of each document in the order
    pairs, row = np.unique(query * len(order) + number, return_inverse=True)
    query, at = np.divmod(pairs, len(order))
    document = take(coded.dictionary, order[at])
    return Run(tuple(queries.to_pylist()), query, document, np.ones(len(pairs))), row


def _added(parts: Sequence[Run], mnz: bool = False) -> Run:
    """Return the sum of each pair's scores over the runs."""
    pool, row = _pooled(parts)
    part = np.concatenate([run.value for run in parts])
    # Scores are added from the lowest up, so that equal scores have equal sums in any run order.
    order = np.argsort(part)
    score = bincount(row[order], part[order]).astype(float)
    return replace(pool, value=score * bincount(row) if mnz else score)


def _reciprocal(run: Run, convention: Convention, k: float, weight: float) -> Run:
    """Return the run in rank order, with the weighted RRF score of each rank."""
    scores = compared_scores(run, convention)
    hits = ranking(run.query, run.document, scores, run.value, convention.ties)
    return Run(run.queries, hits.query, hits.document, weight / (k + hits.rank.astype(float)))


def _normalised(run: Run, normalisation: str, weight: float) -> Run:
    # Sorted, so that sums do not depend on the order of rows; halved, so that nothing overflows.
    order = np.lexsort((run.value, run.query))
    query, score = run.query[order], run.value[order] / 2
    start = np.flatnonzero(np.diff(query, prepend=-1))
    size = np.diff(start, append=len(query))
    above = score - repeat(score[start], size)
    width = repeat(above[start + size - 1], size)
    # Equal scores all become 1, because 0 is the score of a document that is not retrieved.
    unit = np.divide(above, width, np.ones(len(score)), where=width > 0)
    value = _SCALES[normalisation](unit, start, size)
    value *= weight
    return Run(run.queries, query, take(run.document, order), value)


def _z_score(unit: Floats, start: Ints, size: Ints) -> Floats:
    away = unit - repeat(np.add.reduceat(unit, start) / size, size)
    deviation = repeat(np.sqrt(np.add.reduceat(away**2, start) / size), size)
    return np.asarray(np.divide(away, deviation, np.zeros(len(unit)), where=deviation > 0))


# Each function scales scores that run from 0 to 1, by the start and the size of each query.
_SCALES: dict[str, Callable[[Floats, Ints, Ints], Floats]] = {
    "minmax": lambda unit, start, size: unit,  # Lee, SIGIR (1997)
    "zscore": _z_score,  # this and the next: Montague & Aslam, CIKM (2001)
    "sum": lambda unit, start, size: unit / repeat(np.add.reduceat(unit, start), size),
}


@dataclass(frozen=True)
class Fusion:
    """The runs to fuse, and how.

    Attributes
    ----------
    weights
        The weight of each run to fuse, by its name; None: all runs, each with weight 1.
    k
        The k of reciprocal rank fusion.
    """

    weights: Mapping[str, float] | None = None
    k: float = K

    def chosen(self, runs: Sequence[Run]) -> tuple[list[Run], list[float]]:
        """Return the runs to fuse, in their order, and their weights.

        Raises
        ------
        DataError
            When a run to fuse is not among the runs.
        """
        if self.weights is None:
            return list(runs), [1.0] * len(runs)
        named = {run.name: run for run in runs}
        if unknown := [name for name in self.weights if name not in named]:
            raise DataError(
                f"There is no run {listed(unknown)} to fuse; the runs are {listed(named)}."
            )
        fused = [run for name, run in named.items() if name in self.weights]
        return fused, [self.weights[run.name] for run in fused]


PLAIN = Fusion()


@dataclass(frozen=True)
class Virtual:
    """A run built from others or from the qrels.

    Attributes
    ----------
    title
        Its name.
    says
        How its scores are made, with slots for the settings of a fusion.
    build
        Makes it from the qrels, the runs, the convention and the fusion's settings.
    fuses
        Whether it fuses runs, so that these settings apply.
    of_runs
        Whether it is made of runs, of which there must be one.
    """

    title: str
    says: str
    build: Callable[[Qrels, Sequence[Run], Convention, Fusion], Run]
    fuses: bool = True
    of_runs: bool = True

    def make(
        self,
        qrels: Qrels,
        runs: Sequence[Run],
        convention: Convention = TREC_EVAL,
        fusion: Fusion = PLAIN,
    ) -> Run:
        """Return the run, named by its title.

        Raises
        ------
        DataError
            When it needs runs and there are none, or the settings do not suit the runs.
        """
        return self.build(qrels, runs, convention, fusion).renamed(self.title)

    def sentence(
        self, runs: Sequence[Run], fusion: Fusion = PLAIN, named: Callable[[str], str] = visible
    ) -> str:
        """Return a sentence about the run; ``named`` writes the name of a run.

        Examples
        --------
        >>> runs = [Run.from_dict({}, "bm25"), Run.from_dict({}, "dense")]
        >>> VIRTUAL["rrf"].sentence(runs, Fusion({"bm25": 2, "dense": 1}))
        'RRF of bm25 (weight 2) and dense: the sum of weight/(60 + rank).'
        """
        if not self.fuses:
            return f"{self.title}: {self.says}."
        fused, weights = fusion.chosen(runs)
        equal = set(weights) == {1}
        parts = [
            named(run.name) + (f" (weight {weight:g})" if weight != 1 else "")
            for run, weight in zip(fused, weights, strict=True)
        ]
        names = joined(parts or ["no run"])
        says = self.says.format(
            k=f"{fusion.k:g}",
            share="1" if equal else "weight",
            scores="the scores" if equal else "weight × score",
        )
        return f"{self.title} of {names}: {says}."


def _comb(title: str, normalisation: str, to: str, mnz: bool = False) -> Virtual:
    def build(_: Qrels, runs: Sequence[Run], __: Convention, fusion: Fusion) -> Run:
        fused, weights = fusion.chosen(runs)
        return comb(fused, normalisation, mnz, weights)

    times = ", times the number of runs that retrieve the document" if mnz else ""
    return Virtual(title, f"the sum of {{scores}}, scaled in each query to {to}{times}", build)


def _rrf(_: Qrels, runs: Sequence[Run], convention: Convention, fusion: Fusion) -> Run:
    fused, weights = fusion.chosen(runs)
    return rrf(fused, convention, fusion.k, weights)


_TIES = "all documents of the runs with the same score, the effect of tie order alone"
_IDEAL = "all judged documents, highest grade first, the highest possible score of each query"
VIRTUAL = {
    "ideal": Virtual("Ideal", _IDEAL, lambda qrels, *_: ideal(qrels), False, False),
    "ties": Virtual("All tied", _TIES, lambda _, runs, *__: all_ties(runs), fuses=False),
    "rrf": Virtual("RRF", "the sum of {share}/({k} + rank)", _rrf),
    "combsum-minmax": _comb("CombSUM (min-max)", "minmax", "0–1"),
    "combsum-zscore": _comb("CombSUM (z-score)", "zscore", "mean 0 and standard deviation 1"),
    "combsum-sum": _comb("CombSUM (sum)", "sum", "lowest 0 and sum 1"),
    "combmnz-minmax": _comb("CombMNZ (min-max)", "minmax", "0–1", mnz=True),
}
"""The virtual runs by their names in links."""
