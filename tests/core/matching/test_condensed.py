"""Condensed rankings are the rankings without their unjudged documents."""

from dataclasses import replace

import numpy as np

from metrics import Convention, Qrels, Run, match, parse
from metrics.scoring.evaluate import score
from tests.cases import cases


def drawn(seed):
    """Random judgments and a random run with ties, unjudged documents and grades below 0."""
    rng = np.random.default_rng(seed)
    ids = [f"d{i}" for i in range(12)]
    qrels = {
        f"q{q}": {d: int(rng.integers(-1, 4)) for d in ids if rng.random() < 0.6} | {"d0": 1}
        for q in range(4)
    }
    run = {
        q: {d: int(rng.integers(0, 5)) for d in ids if rng.random() < 0.8} | {"d1": 1}
        for q in qrels
    }
    return Qrels.from_dict(qrels), Run.from_dict(run)


@cases("ties", ["descending", "ascending", "input", "mean"])
@cases("negative", ["unjudged", "nonrelevant", "subtract"])
def test_condensed_rankings_are_those_without_unjudged_documents(ties, negative):
    convention = Convention(ties=ties, negative=negative)
    for seed in range(20):
        qrels, run = drawn(seed)
        ours = match(qrels, run, convention).condensed()
        theirs = match(qrels, run, replace(convention, unjudged="removed"))
        for column in ("query", "rank", "first", "last"):
            assert getattr(ours.hits, column).tolist() == getattr(theirs.hits, column).tolist()
        assert ours.hits.document == theirs.hits.document
        assert ours.convention == theirs.convention
        measures = [parse(name) for name in ("DCG@5", "P@3", "RBP")]
        for a, b in zip(
            score(ours, measures).ledgers.values(),
            score(theirs, measures).ledgers.values(),
            strict=True,
        ):
            assert a.scores.tolist() == b.scores.tolist()


def test_ranks_and_ties_begin_anew_with_each_query():
    grades = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"a": 1, "b": 1}, "q3": {"a": 1}}
    # The last group of q1 and the first of q2 have the same first rank, 1.
    run = Run.from_dict(
        {
            "q1": {"a": 2.0, "b": 2.0, "c": 2.0},
            "q2": {"u": 2.0, "a": 2.0, "v": 1.0, "b": 0.5},
            "q3": {"u": 3.0, "v": 2.0, "a": 1.0},
        }
    )
    found = match(Qrels.from_dict(grades), run, Convention(ties="mean"), every=True).condensed()
    assert found.hits.document.to_pylist() == ["c", "b", "a", "a", "b", "a"]
    assert found.hits.query.tolist() == [0, 0, 0, 1, 1, 2]
    assert found.hits.rank.tolist() == [1, 2, 3, 1, 2, 1]
    assert found.hits.first.tolist() == [1, 1, 1, 1, 2, 1]
    assert found.hits.last.tolist() == [3, 3, 3, 1, 2, 1]
    assert found.retrieved.tolist() == [3, 2, 1]
