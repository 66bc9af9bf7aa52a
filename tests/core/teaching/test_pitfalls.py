"""The rankings of each pitfall show the mistake that its text describes."""

import pytest

from metrics.teaching.pitfalls import CHAPTERS, PITFALLS, link_name
from tests.cases import cases


def ahead(title, reading):
    """Return 1 if the first ranking has the higher value, -1 if the second has it, 0 if equal."""
    first, second, *_ = PITFALLS[title].values()[reading]
    return (first > second) - (first < second)


def test_one_measure_prefers_a_and_the_others_b():
    verdicts = [ahead("Only one measure", m) for m in ("RR", "P@5", "AP", "nDCG@5")]
    assert verdicts == [1, -1, -1, -1]


def test_the_better_ranker_depends_on_k():
    verdicts = [ahead("The wrong k", f"nDCG@{k}") for k in (1, 3, 5, 10)]
    assert verdicts == [1, 1, 1, -1]


def test_one_ranking_has_other_values_at_other_cutoffs():
    values = PITFALLS["Different k side by side"].values()
    assert len({round(value, 4) for (value,) in values.values()}) >= 6


def test_the_order_of_ties_decides_the_score():
    down, up, mean = (value for (value,) in PITFALLS["Equal scores"].values().values())
    assert down > mean > up
    assert mean == pytest.approx((down + up) / 2)


def test_missing_labels_make_the_new_ranker_lose():
    values = PITFALLS["Missing labels"].values()
    assert ahead("Missing labels", "nDCG@5") == 1
    assert values["Judged@5"] == [1.0, 0.4]
    assert values["nDCG@5, unjudged removed"][1] > values["nDCG@5"][1]


def test_ids_that_do_not_match_score_0():
    for values in PITFALLS["Ids that do not match"].values().values():
        assert values == [pytest.approx(1), 0.0]


def test_binary_grades_make_the_rankings_equal():
    title = "Grades made yes or no"
    assert [ahead(title, r) for r in PITFALLS[title].values()] == [1, 0, 0, 1]


def test_the_better_ranker_depends_on_the_judge():
    pitfall = PITFALLS["Judges who disagree"]
    for a1, b1, a2, b2 in pitfall.values().values():
        assert a1 > b1
        assert a2 < b2
    orders = {
        name: [e.document for e in ranking.retrieved] for name, ranking in pitfall.rankings.items()
    }
    assert orders["A, judge 1"] == orders["A, judge 2"] == orders["B, judge 1"][::-1]


def test_rr_ignores_everything_after_the_first_hit():
    title = "Reciprocal rank sees one document"
    assert [ahead(title, r) for r in PITFALLS[title].values()] == [0, 1, 1, 1]


def test_recall_is_capped_by_the_cutoff():
    values = PITFALLS["Recall where very many are relevant"].values()
    assert values["R@10"] == [pytest.approx(10 / 200)]
    assert values["RCap@10"] == values["P@10"] == [pytest.approx(1)]


def test_the_wording_for_average_precision_gives_another_number():
    values = PITFALLS["Average precision in words"].values()
    assert values["AP"] == [pytest.approx((1 / 1 + 2 / 4) / 3)]
    assert values["mean of P@1 to P@5"] == [pytest.approx((1 + 1 / 2 + 1 / 3 + 2 / 4 + 2 / 5) / 5)]


@cases("title", PITFALLS)
def test_compared_rankings_have_the_same_relevant_documents(title):
    rankings = PITFALLS[title].rankings.values()
    positive = [sorted(grade for grade in r.grades.values() if grade > 0) for r in rankings]
    if title != "Judges who disagree":
        assert all(other == positive[0] for other in positive)


def test_every_pitfall_has_one_place_in_the_guide_and_a_link():
    titles = [title for chapter in CHAPTERS.values() for title in chapter]
    assert sorted(titles) == sorted(PITFALLS)
    assert len({link_name(title) for title in titles}) == len(titles)
