"""In the order of judge_next, verdicts are settled with fewer judgments than by pooling."""

from itertools import pairwise

import pytest

from metrics.teaching.samples import catalogue
from tests.benchmarks.judging import Task, generated, rows


@pytest.fixture(scope="module")
def shop():
    sample = catalogue()["shop"].load()
    return Task.of(sample.qrels, *sample.runs[:2], "P@5")


def test_pooling_takes_the_next_best_document_of_each_query_in_turn(shop):
    pooled = shop.pooled()
    assert sorted(pooled) == sorted(shop.truth) == sorted(shop.shuffled(1))
    rank = {(each.query, each.document): each.rank for each in shop.start.order}
    queries = [query for query, _ in pooled]
    assert len(set(queries[:29])) == 29
    for query in set(queries):
        ranks = [rank[pair] for pair in pooled if pair[0] == query]
        assert all(one <= two for one, two in pairwise(ranks))


def test_judge_next_settles_a_verdict_with_fewer_judgments(shop):
    of_generated = Task.of(*generated(1, 12, 1.0), "P@5")
    for task in (shop, of_generated):
        found = rows(task, 1)
        assert found["judge_next"][0] < 0.6 * found["pooling"][0]
        assert all(winner <= settled <= len(task.truth) for settled, winner in found.values())
