"""Why printed results differ from their data: the sentences, and the search behind them."""

import math
from itertools import permutations

import pytest

from metrics import PRESETS, parse
from metrics.editing.hand_ranking import HandRanking
from metrics.teaching.samples import catalogue, recomputed
from metrics.teaching.worked_steps import deviating, not_retrieved, rankings, steps
from metrics.words import number
from tests.cases import cases
from tests.core.teaching.diagnosis import FILE, build, reachable, reason


def dcg(grades):
    return math.fsum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))


def results(key):
    return [printed for printed in catalogue()[key].printed if not printed.column]


def why(key, measure, run="A"):
    (found,) = (each.why for each in results(key) if (each.measure, each.run) == (measure, run))
    return found


def why_instead(key, measure, printed):
    """Return the reason that is found if the source prints another number."""
    row = recomputed(catalogue()[key]).set_index("measure", drop=False).loc[measure].copy()
    row["printed"], row["verdict"] = printed, "differs"
    return reason(catalogue()[key], row)


def test_the_sentences_are_those_that_are_found():
    message = "if they are meant to change: python -m tests.core.teaching.diagnosis"
    assert FILE.read_text("utf-8").splitlines() == build().splitlines(), message


def test_each_result_that_does_not_agree_has_a_sentence_and_no_other():
    for sample in catalogue().values():
        disagree = recomputed(sample).query("verdict != 'agrees'")
        assert sorted((each.measure, each.run) for each in sample.printed if each.why) == sorted(
            zip(disagree["measure"], disagree["run"], strict=True)
        )


def test_a_value_of_another_cutoff_is_named():
    assert why("recall-seven", "R@3") == (
        "In the top 3 only doc_1 is relevant: 1/4 = 0.2500. The printed 0.50 is R@5."
    )
    assert why("two-retrievers", "P@3").endswith("The printed 0.6667 is P@1.")
    assert why("two-retrievers", "R@3", "B").endswith("The printed 0.4444 is P@3.")


def test_a_mean_at_another_cutoff_is_named():
    assert why("two-retrievers", "R@1") == (
        "Query by query the data give 1/3, 0/2 and 1/3; the mean is 0.2222. "
        "The printed 0.3889 is R@2."
    )


def test_one_other_grade_that_gives_several_printed_numbers_is_named():
    """With grade 1, d3 is a third relevant document of q2, above the one with grade 3."""
    assert why("report", "nDCG@1").endswith(
        "The printed 0.7778 would be right if d3 had grade 1 in query q2 (it is unjudged). This "
        "also gives the printed R@1 and R@3, but the printed RR, P@1, Success@1, P@3 and P@10 "
        "would then be wrong."
    )
    for measure in ("R@1", "R@3"):
        assert "if d3 had grade 1 in query q2" in why("report", measure)
    assert f"{(1 + 1 / 3 + 1) / 3:.4f}" == "0.7778"
    assert f"{(1 / 4 + 1 / 3 + 1 / 3) / 3:.4f}" == "0.3056"
    assert f"{(1 / 4 + 2 / 3 + 2 / 3) / 3:.4f}" == "0.5278"


def test_one_other_rank_is_named():
    assert why("report", "P@5").endswith(
        "The printed 0.4000 would be right if d2 were at rank 6 in query q1 (it is at rank 4)."
    )
    assert f"{(1 / 5 + 2 / 5 + 3 / 5) / 3:.4f}" == "0.4000"


def test_one_other_choice_of_the_convention_is_named():
    assert (
        "The printed 0.9683 would be right under the convention “unjudged documents: removed, "
        in (why_instead("report", "nDCG@3", "0.9683"))
    )


def test_changes_that_were_tried_are_counted_where_none_gives_the_number():
    """Three rankings of ten documents; the grades are 0 to 3, and q2 has two of its own."""
    assert why("report", "nDCG@3").endswith(
        f"No single change gives 0.7649; tried were {len(PRESETS)} presets, 9 other cutoffs, 27 "
        f"other choices, {3 * 10 * 3} other grades and {3 * 10 * 9} other ranks."
    )


def test_a_value_that_no_order_gives():
    assert "No order of the documents gives 0.795. No single change" in why("four-items", "nDCG@4")
    ideal = dcg([3, 2, 1, 0])
    values = [dcg(order) / ideal for order in permutations([3, 1, 0, 2])]
    assert "0.795" not in {f"{value:.3f}" for value in values}
    # Each query has at most three relevant documents: 1/rank of the first is one of these.
    ranks = [0, 1, 1 / 2, 1 / 3, 1 / 4, 1 / 5]
    sums = {f"{(a + b + c) / 3:.4f}" for a in ranks for b in ranks for c in ranks}
    assert "0.7222" not in sums
    assert "No order of the documents gives 0.7222." in why("two-retrievers", "RR")


def test_a_wrong_ideal_is_named_where_the_printed_dcg_agrees():
    earned, best = dcg([1, 3, 0, 2, 1]), dcg([3, 2, 1, 1, 0])
    assert why("graded-five", "nDCG@5").startswith(
        f"DCG@5 = {number(earned)} and IDCG@5 = {number(best)} give nDCG@5 = "
        f"{number(earned / best)}. The printed DCG@5 agrees, so the ideal ranking differs: 0.76 "
        f"needs IDCG@5 = {earned / 0.76:.2f}, and the data give {best:.2f}."
    )


def test_counts_that_would_be_right_are_given_where_several_queries_differ():
    assert "0.6389 needs, for example, 1/4, 2/2 and 2/3." in why("report", "R@5")
    assert f"{(1 / 4 + 2 / 2 + 2 / 3) / 3:.4f}" == "0.6389"


def test_a_convention_that_gives_the_number_is_named():
    assert "comes from" in why_instead("wikipedia", "nDCG@6", "0.949")


@cases("measure", ["P@2", "R@3", "RR", "nDCG@3", "AP"])
def test_every_order_is_tried(measure):
    grades = {"a": 2, "b": 0, "c": 1, "d": 1, "e": 3}
    measure = parse(measure)
    expected = {
        round(HandRanking.of("q", grades, list(order)).ledger(measure).scores[0], 9)
        for order in permutations("abcd")
    }
    found = reachable(HandRanking.of("q", grades, list("abcd")), measure)
    assert found == pytest.approx(sorted(expected))


def test_the_steps_have_every_printed_cell_beside_the_ledger():
    for sample in catalogue().values():
        cells = [printed for printed in sample.printed if printed.column]
        tables = steps(sample)
        assert sum(table.filter(like="printed ").size for table in tables.values()) == len(cells)
        for table in tables.values():
            assert not deviating(table).any(axis=None)
    table = steps(catalogue()["laptop"])["DCG@5"]
    table.loc[5, "printed contribution"] = "0.874"
    cells = deviating(table)
    assert cells.sum().to_dict()["printed contribution"] == 1
    assert cells.at[5, "our contribution"]


def test_rankings_are_shown_with_grades_and_what_is_missing():
    frame = rankings(catalogue()["two-retrievers"])
    assert list(frame["B, q2"]) == ["d4 (?)", "d3 (1)", "d1 (1)", "d5 (?)", "d2 (?)"]
    assert list(rankings(catalogue()["laptop"])["grade"]) == ["3", "2", "0", "1", "2"]
    assert not_retrieved(catalogue()["wikipedia"]) == {"q1": ["D7 (3)", "D8 (2)"]}
