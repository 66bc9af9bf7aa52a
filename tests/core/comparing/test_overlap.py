"""The overlap of two runs at the top, and the influence of single queries on a mean."""

import random
from itertools import combinations

import numpy as np

from metrics import TREC_EVAL, Convention, Run
from metrics.comparing.evidence import queries_to_flip
from metrics.comparing.similarity import overlaps, top
from tests.cases import cases


def drawn(draw, queries):
    documents = [f"d{number}" for number in range(30)]
    return {
        query: {
            document: float(draw.randrange(6))
            for document in draw.sample(documents, draw.randrange(1, 20))
        }
        for query in queries
    }


def ordered(ranking, rule):
    """Documents by score, ties by document id."""
    by_id = sorted(ranking, reverse=rule == "descending")
    return sorted(by_id, key=lambda document: -ranking[document])


@cases("seed", range(20))
@cases("rule", ["descending", "ascending"])
def test_the_top_and_what_is_common(seed, rule):
    draw = random.Random(seed)
    a, b = drawn(draw, ["q1", "q2", "q3", "q5"]), drawn(draw, ["q3", "q4", "q2", "q1"])
    depth, convention = draw.randrange(1, 8), Convention(ties=rule)
    tops = [{q: ordered(docs, rule)[:depth] for q, docs in run.items()} for run in (a, b)]
    ranks = {q: {d: float(r) for r, d in enumerate(docs, 1)} for q, docs in tops[0].items()}
    assert top(Run.from_dict(a), depth, convention).to_dict() == ranks
    expected = {q: len({*tops[0][q]} & {*tops[1][q]}) for q in ("q1", "q2", "q3")}
    assert overlaps(Run.from_dict(a), Run.from_dict(b), depth, convention).to_dict() == expected


def test_unjudged_documents_count_in_the_overlap_under_every_convention():
    run = Run.from_dict({"q": {"x": 2.0, "y": 1.0}})
    for unjudged in ("zero", "removed"):
        assert overlaps(run, run, 2, Convention(unjudged=unjudged)).to_dict() == {"q": 2}
    assert overlaps(run, run, 1, TREC_EVAL).to_dict() == {"q": 1}


@cases("seed", range(30))
def test_influence_is_that_of_leaving_out(seed):
    draw = np.random.default_rng(seed)
    deltas = draw.integers(-8, 9, draw.integers(2, 9)) / 8
    total = deltas.sum()
    fewest = next(
        (
            size
            for size in range(len(deltas) + 1)
            for gone in combinations(range(len(deltas)), size)
            if np.delete(deltas, gone).sum() * np.sign(total) <= 0
        ),
        0,
    )
    assert queries_to_flip(deltas) == fewest


def test_a_single_query_has_no_others():
    assert [queries_to_flip(each) for each in (np.array([0.5]), np.zeros(3), np.zeros(0))] == [
        1,
        0,
        0,
    ]
