"""Fused, ideal and tied runs against their definitions, written out over dictionaries."""

import math
from functools import partial
from itertools import product
from random import Random

import numpy as np
import pytest

from metrics import TREC_EVAL, Convention, DataError, Qrels, Run, evaluate, read_run
from metrics.comparing.fusion import VIRTUAL, Fusion, all_ties, comb, ideal, rrf
from metrics.data.trec_file import best_first, fits_trec, trec_file
from metrics.teaching.samples import catalogue
from tests.cases import cases

SCALES = ("minmax", "zscore", "sum")


def normalised(scores, scale):
    """One query's scores in one run on a common scale, from the definitions."""
    low, high, n = min(scores.values()), max(scores.values()), len(scores)
    if low == high:
        return dict.fromkeys(scores, {"minmax": 1.0, "zscore": 0.0, "sum": 1 / n}[scale])
    mean = math.fsum(scores.values()) / n
    deviation = math.sqrt(math.fsum((s - mean) ** 2 for s in scores.values()) / n)
    total = math.fsum(s - low for s in scores.values())
    scales = {"minmax": (low, high - low), "zscore": (mean, deviation), "sum": (low, total)}
    shift, width = scales[scale]
    return {document: (s - shift) / width for document, s in scores.items()}


def reciprocal(scores, k=60):
    """The RRF scores of one query's ranking, with ties by document id, descending."""
    best_first = sorted(scores, key=lambda document: (scores[document], document), reverse=True)
    return {document: 1 / (k + rank) for rank, document in enumerate(best_first, 1)}


def slowly(runs, value, mnz=False, weights=None):
    """The fusion, one query and document at a time."""
    fused, weighted = {}, list(zip(runs, weights or [1] * len(runs), strict=True))
    for query in {query for run in runs for query in run}:
        lists = [(w, value(run[query])) for run, w in weighted if run.get(query)]
        fused[query] = {}
        for document in {document for _, scores in lists for document in scores}:
            found = [w * scores[document] for w, scores in lists if document in scores]
            total = math.fsum(found) * (len(found) if mnz else 1)
            fused[query][document] = pytest.approx(total, abs=1e-9)
    return fused


def drawn(seed):
    """Two to four runs with ties, missing and empty queries, and single documents."""
    draw = Random(seed)
    pool = [f"d{i}" for i in range(14)]
    score = draw.choice([lambda: draw.randint(-2, 3), lambda: draw.gauss(0, 5), lambda: 0.1])
    queries = [f"q{i}" for i in range(6)]
    return [
        {
            query: {document: float(score()) for document in draw.sample(pool, draw.choice(sizes))}
            for query in draw.sample(queries, draw.randint(1, 6))
        }
        for sizes in draw.choices([(0, 1), (1, 3, 9), (5, 14)], k=draw.randint(2, 4))
    ]


@cases("seed", range(40))
def test_fusion_is_its_definition(seed):
    plain = drawn(seed)
    runs = [Run.from_dict(scores) for scores in plain]
    assert rrf(runs).to_dict() == slowly(plain, reciprocal)
    for scale, mnz in product(SCALES, (False, True)):
        expected = slowly(plain, partial(normalised, scale=scale), mnz)
        assert comb(runs, scale, mnz).to_dict() == expected
    assert all_ties(runs).to_dict() == {
        q: dict.fromkeys(found, 1.0) for q, found in slowly(plain, reciprocal).items()
    }


@cases("seed", range(20))
def test_weights_and_k_are_those_of_the_definition(seed):
    plain = drawn(seed)
    draw, runs = Random(seed), [Run.from_dict(scores) for scores in plain]
    k, weights = draw.choice([0, 1, 12.5, 1000]), [draw.choice([0.25, 1, 3]) for _ in runs]
    assert rrf(runs, k=k, weights=weights).to_dict() == slowly(
        plain, partial(reciprocal, k=k), weights=weights
    )
    for scale, mnz in product(SCALES, (False, True)):
        expected = slowly(plain, partial(normalised, scale=scale), mnz, weights)
        assert comb(runs, scale, mnz, weights).to_dict() == expected
    same = [1.0] * len(runs)
    assert rrf(runs, TREC_EVAL, 60, same).digest == rrf(runs).digest
    assert comb(runs, "zscore", weights=same).digest == comb(runs, "zscore").digest


@cases(
    ("asked", "message"),
    [
        ({"k": -1}, "k of RRF is a number from 0 to 1,000,000, not -1"),
        ({"k": math.nan}, "not nan"),
        ({"weights": [1]}, "2 runs cannot have 1 weight; give one for each run"),
        ({"weights": [1, 0]}, "The weight of run 'b' is 0; it must be above 0"),
        ({"weights": [math.inf, 1]}, "The weight of run 'a' is inf"),
        ({"weights": [1, math.nan]}, "The weight of run 'b' is nan"),
    ],
)
def test_settings_of_a_fusion_are_checked(asked, message):
    runs = [Run.from_dict({"q": {"x": 1.0}}, name) for name in "ab"]
    with pytest.raises(DataError, match=message):
        rrf(runs, **asked)
    if "weights" in asked:
        with pytest.raises(DataError, match=message):
            comb(runs, **asked)


def test_an_unknown_normalisation_is_named():
    with pytest.raises(DataError, match="no normalisation 'max'; choose one of minmax"):
        comb([Run.from_dict({"q": {"x": 1.0}})], "max")


def test_a_virtual_fusion_takes_the_named_runs_and_says_so():
    a, b, c = (Run.from_dict({"q": {"x": 1.0, name: 2.0}}, name) for name in "abc")
    only = Fusion({"c": 2, "a": 0.5}, 10)
    made = VIRTUAL["rrf"].make(Qrels.from_dict({}), [a, b, c], TREC_EVAL, only)
    assert made.to_dict() == rrf([a, c], k=10, weights=[0.5, 2]).to_dict()
    assert VIRTUAL["rrf"].sentence([a, b, c], only) == (
        "RRF of a (weight 0.5) and c (weight 2): the sum of weight/(10 + rank)."
    )
    said = VIRTUAL["combmnz-minmax"].sentence([a, b, c], only)
    assert said.startswith(
        "CombMNZ (min-max) of a (weight 0.5) and c (weight 2): the sum of weight"
    )
    assert "a, b and c: the sum of the scores" in VIRTUAL["combsum-sum"].sentence([a, b, c])
    with pytest.raises(DataError, match="no run 'd' to fuse; the runs are 'a', 'b', 'c'"):
        VIRTUAL["rrf"].make(Qrels.from_dict({}), [a, b, c], TREC_EVAL, Fusion({"d": 1}))


@cases("seed", range(5))
def test_a_fusion_written_as_trec_reads_back_the_same(seed):
    runs = [Run.from_dict(scores) for scores in drawn(seed)]
    for made in (rrf(runs, k=7, weights=[1 / 3] * len(runs)), comb(runs, "zscore")):
        best = best_first(made.renamed("CombSUM (z-score)"))
        content = trec_file(best)
        reread = read_run(content, "fused.txt")
        assert reread.tag == "CombSUM-(z-score)"
        filled = {query: scores for query, scores in made.to_dict().items() if scores}
        assert reread.to_dict() == filled
        # Input order decides between equal scores under one convention.
        assert [list(of) for of in reread.to_dict().values()] == [
            sorted(of, key=of.get, reverse=True) for of in filled.values()
        ]
        ranks = [int(line.split(b" ")[3]) for line in content.splitlines()]
        assert ranks == [rank for of in filled.values() for rank in range(1, len(of) + 1)]


def test_an_id_that_trec_cannot_hold_is_named():
    spaced = rrf([Run.from_dict({"q": {"x": 1.0, "doc 7": 2.0}})])
    assert not fits_trec(spaced)
    with pytest.raises(DataError, match=r"id 'doc 7' contains a space.*use JSON or Parquet"):
        trec_file(spaced)


def test_rrf_by_hand():
    a = Run.from_dict({"q": {"x": 9.0, "y": 7.0, "z": 7.0}, "only a": {"x": 1.0}})
    b = Run.from_dict({"q": {"w": 0.5, "z": 0.25}, "only b": {}})
    descending = {"x": 1 / 61, "z": 1 / 62 + 1 / 62, "y": 1 / 63, "w": 1 / 61}
    assert rrf([a, b]).to_dict() == {"q": descending, "only a": {"x": 1 / 61}, "only b": {}}
    ascending = {"x": 1 / 61, "y": 1 / 62, "z": 1 / 62 + 1 / 63, "w": 1 / 61}
    assert rrf([a, b], Convention(ties="ascending")).to_dict()["q"] == pytest.approx(ascending)


def test_rrf_ranks_close_scores_as_the_convention_compares_them():
    run = Run.from_dict({"q": {"a": 1.0 + 1e-9, "b": 1.0, "huge": 1e300}})
    assert rrf([run]).to_dict()["q"] == {"huge": 1 / 61, "a": 1 / 62, "b": 1 / 63}
    single = rrf([run], Convention(scores="single")).to_dict()["q"]
    assert single == {"huge": 1 / 61, "b": 1 / 62, "a": 1 / 63}


@cases("key", VIRTUAL)
@cases("seed", range(5))
def test_the_order_of_rows_and_of_runs_does_not_matter(key, seed):
    """Not even in the last digit, which would break ties."""
    runs = [Run.from_dict(scores) for scores in drawn(seed)]
    qrels, rng = Qrels.from_dict({"q1": {"d1": 1, "d2": 0}}), np.random.default_rng(seed)
    shuffled = [run.rows(rng.permutation(len(run))) for run in runs[::-1]]
    one, other = (VIRTUAL[key].make(qrels, given).to_dict() for given in (runs, shuffled))
    assert one == other
    assert all(list(one[query]) == list(other[query]) for query in one)


@cases("scale", SCALES)
def test_the_largest_scores_stay_finite(scale):
    run = Run.from_dict({"q": {"a": 1.7e308, "b": 0.0, "c": -1.7e308}, "r": {"a": 1e-300}})
    fused = comb([run], scale).to_dict()["q"]
    assert fused == pytest.approx(normalised({"a": 1.0, "b": 0.0, "c": -1.0}, scale))


@pytest.mark.parametrize("sample", ["shop", "reranking"])
def test_ideal_is_best_wherever_something_is_relevant(sample):
    qrels = catalogue()[sample].load().qrels
    scores = evaluate(qrels, ideal(qrels), ["nDCG", "nDCG@3", "AP", "R"]).per_query
    assert list(scores.index) == list(qrels.queries)
    relevant = {q for q, grades in qrels.to_dict().items() if max(grades.values()) >= 1}
    assert len(relevant) > 3
    assert scores.loc[sorted(relevant)].to_numpy() == pytest.approx(1.0)


def test_ideal_ranks_queries_without_anything_relevant_and_grades_below_0():
    qrels = Qrels.from_dict({"q": {"a": -1, "b": 0, "c": 2, "d": 2, "e": 1}, "none": {"x": 0}})
    scores = evaluate(qrels, ideal(qrels), ["nDCG", "AP", "NumRet"]).per_query
    assert scores.T.to_dict("list") == {"q": [1.0, 1.0, 5.0], "none": [0.0, 0.0, 1.0]}


@cases("key", VIRTUAL)
def test_every_virtual_run_can_be_scored(key):
    data, virtual = catalogue()["shop"].load(), VIRTUAL[key]
    before = [pairs.to_dict() for pairs in (data.qrels, *data.runs)]
    run = virtual.make(data.qrels, data.runs, TREC_EVAL)
    assert isinstance(run, Run)
    assert run.name == virtual.title
    assert virtual.sentence(data.runs).startswith(virtual.title)
    assert run.queries == data.qrels.queries
    assert 0 < evaluate(data.qrels, run, "nDCG@10").value("nDCG@10") <= 1 + 1e-12
    assert [pairs.to_dict() for pairs in (data.qrels, *data.runs)] == before


def test_nothing_cannot_be_fused():
    with pytest.raises(DataError, match="no run"):
        rrf([])
    assert rrf([Run.from_dict({}), Run.from_dict({"q": {}})]).to_dict() == {"q": {}}
