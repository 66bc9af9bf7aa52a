"""What a ranking loses against the ideal one, in words."""

import pytest

from metrics.editing.edits import best_first, move
from metrics.editing.hand_ranking import HandRanking
from metrics.rendering.ledger_text import lost
from tests.cases import cases

GRADES = {"a": 3, "b": 2, "c": 0, "d": 1, "e": 2}
RANKING = HandRanking.of("q", GRADES, ["a", "b", "c", "d", "e"])


def words(ranking, name="nDCG@5"):
    return lost(ranking.ledger(name), "q")


def test_the_document_that_loses_most_is_named_with_both_ranks():
    ledger = RANKING.ledger("nDCG@5")
    total = float(ledger.ideal.scores[0] - ledger.parts[0].scores[0])
    assert words(RANKING) == f"{total:.4f} lost: e at 5, best at 3"
    # Also where its rank is below the cutoff, or it has none.
    assert words(move(RANKING, "a", 5), "nDCG@3").endswith("lost: a at 5, best at 1")
    assert words(move(RANKING, "a", None)).endswith("lost: a not retrieved, best at 1")


@cases("name", ["nDCG@5", "nDCG@2", "nERR@5"])
def test_the_best_order_loses_nothing(name):
    assert words(best_first(RANKING), name) == "nothing lost: no order is better"


@pytest.mark.parametrize("name", ["P@5", "AP", "RR", "DCG@5"])
def test_without_an_ideal_ranking_nothing_is_said(name):
    assert words(RANKING, name) == ""
