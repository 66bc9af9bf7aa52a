"""What a ranking loses against the ideal one, and what an edit changes, in words."""

import pytest

from metrics.editing.edits import best_first, move, set_grade, toggle_tie
from metrics.editing.hand_ranking import HandRanking
from metrics.rendering.ledger_text import last_edit, lost
from tests.cases import cases

GRADES = {"a": 3, "b": 2, "c": 0, "d": 1, "e": 2}
RANKING = HandRanking.of("q", GRADES, ["a", "b", "c", "d", "e"])


def words(ranking, name="nDCG@5"):
    return lost(ranking.ledger(name), "q")


def test_the_document_that_loses_most_is_named_with_both_ranks():
    ledger = RANKING.ledger("nDCG@5")
    ideal = float(ledger.ideal.scores[0])
    total = ideal - float(ledger.parts[0].scores[0])
    assert words(RANKING) == f"{total:.4f} of {ideal:.4f} lost: e at 5, best at 3"
    # Several lose; its rank can be below the cutoff, or it has none.
    assert words(move(RANKING, "e", 4)) == (
        f"≈ 0.1825 of {ideal:.4f} lost, 0.1386 by e (at 4, best at 3)"
    )
    # More than all together, where others earn what it leaves to them.
    second, gone = words(move(RANKING, "a", 2)), words(move(RANKING, "a", None))
    assert second.endswith(" lost: a (at 2, best at 1) costs 1.1072, the others win back 0.5118")
    assert gone.endswith(": a (not retrieved, best at 1) costs 3.0000, the others win back 0.6688")


@cases("name", ["nDCG@5", "nDCG@2", "nERR@5"])
def test_documents_of_one_grade_lose_nothing_to_each_other(name):
    ledger = move(best_first(RANKING), "e", 2).ledger(name)
    assert lost(ledger, "q") == "nothing lost: no order is better"
    # Also across a cutoff, where the ids would leave out the one that is listed.
    assert "".join(ledger.ideal.table("q")["document"]) == "aebdc"[: ledger.measure.cutoff]


def told(after, name="nDCG@5", edited=""):
    ledgers = [ranking.ledger(name) for ranking in (RANKING, after)]
    return "".join(part.text for part in last_edit(*ledgers, (RANKING, after), edited))


def test_an_edit_is_told_from_the_document_that_was_edited():
    up = move(RANKING, "e", 4)
    moved = "e, rank 5 → 4: +0.0876. ", "d, rank 4 → 5: −0.0438. "
    assert told(up) == "".join(moved) + "Together +0.0438 ÷ 5.6925 = +0.0077."
    assert told(up, edited="d").startswith("".join(reversed(moved)))
    # However little it changes.
    assert told(move(RANKING, "d", 1), edited="d").startswith(
        "d, rank 4 → 1: +0.5693. a, rank 1 → 2: −1.1072. "
    )
    assert told(up, "RR") == "No document earns more or less than before."


def test_an_edit_that_ties_names_the_rule_that_orders_equal_scores():
    rule = "Ties by id, descending."
    assert told(toggle_tie(RANKING, "e")).endswith(f"= +0.0077. {rule}")
    assert (
        told(toggle_tie(RANKING, "e"), "RR")
        == f"No document earns more or less than before. {rule}"
    )


def test_an_edit_that_changes_the_ideal_is_told_with_it():
    assert told(set_grade(RANKING, "d", 3)) == (
        "d at 4, grade 1 → 3: +0.8614. IDCG@5 5.6925 → 6.7541, nDCG@5 0.9602 → 0.9368: −0.0234."
    )


def test_rounded_changes_that_do_not_add_up_are_marked():
    assert "Together ≈ −0.3430 ÷ 5.6925" in told(move(RANKING, "d", None))


@cases("name", ["nDCG@5", "nDCG@2", "nERR@5"])
def test_the_best_order_loses_nothing(name):
    assert words(best_first(RANKING), name) == "nothing lost: no order is better"


@pytest.mark.parametrize("name", ["P@5", "AP", "RR", "DCG@5"])
def test_without_an_ideal_ranking_nothing_is_said(name):
    assert words(RANKING, name) == ""
