"""Every number and every right answer of the story, worked out again from the five grades."""

import re
from math import fsum, log2

import pytest

from metrics.editing.edits import move
from metrics.errors import RankscopeError
from metrics.teaching.exercises import Number
from metrics.teaching.story import K, Pick, Slide, ending, laptop, scenes
from tests.cases import cases

NAMES = ("Top Programming", "Developer", "Gaming", "Budget", "MacBook")
GRADES = (3, 2, 0, 1, 2)
THREE_DECIMALS = re.compile(r"\.\d{3}")
SCENES = {scene.title: scene for scene in scenes()}


def dcg(grades, k=5):
    return fsum(grade / log2(rank + 1) for rank, grade in enumerate(grades[:k], 1))


def ndcg(grades, k=5):
    return dcg(grades, k) / dcg(sorted(grades, reverse=True), k)


def average_precision(grades):
    relevant = [rank for rank, grade in enumerate(grades, 1) if grade]
    return fsum(place / rank for place, rank in enumerate(relevant, 1)) / len(relevant)


def moved(rank):
    """The grades in rank order after the last document has moved to a rank."""
    others = list(GRADES[:4])
    return [*others[: rank - 1], GRADES[4], *others[rank - 1 :]]


def way(before, after):
    change = round(after - before, 9)
    return "It rises" if change > 0 else "It falls" if change < 0 else "It stays"


def after_swap():
    first, second, third, fourth, fifth = GRADES
    return average_precision([first, second, fifth, fourth, third])


def in_order(rank):
    """The list after its last document has moved to a rank."""
    return move(laptop(), "MacBook Pro for Developers", rank)


def values(control):
    if isinstance(control, Slide):
        return range(1, control.last + 1)
    return list(control.options) if isinstance(control, Pick) else [in_order(3), laptop()]


def earned(view):
    """What the rows of a view show at their ends, in their order."""
    return [view.bars[entry.document].value for entry in view.ranking.retrieved]


RIGHT = {
    "Grade": str(GRADES[NAMES.index("Gaming")]),
    "Gain": str(2**3 - 1),
    "Discount": str(next(rank for rank in range(1, 21) if log2(rank + 1) == 3)),
    "Sum": str(3 / log2(3 + 1)),
    "Ideal": str(NAMES.index("MacBook") + 1),
    "Ratio": way(ndcg(GRADES), ndcg([2 * grade for grade in GRADES])),
    "Cutoff": way(ndcg(GRADES, 2), ndcg(GRADES, 3)),
    "Other measures": "AP@5" if after_swap() != average_precision(GRADES) else "",
}


@cases("title", SCENES)
def test_only_the_right_answer_is_right_and_each_answer_has_its_own_reason(title):
    scene = SCENES[title]
    options = (
        ["3", "1", "2", "0.75", "1.893", "1.292", "0", RIGHT[title]]
        if isinstance(scene.blank, Number)
        else scene.blank.replies
    )
    replies = {option: scene.check(option) for option in options}
    assert [option for option, reply in replies.items() if reply.right] == [RIGHT[title]]
    for option, reply in replies.items():
        assert len(reply.text) > len(option) + 10, option
        assert not re.fullmatch(r"\S+ is too (low|high)\.", reply.text), option
        assert reply.text.startswith("Right: ") == reply.right
    assert len({reply.text for reply in replies.values()}) > 1
    assert not THREE_DECIMALS.search(replies[RIGHT[title]].text)


def test_a_word_in_the_place_of_a_number_is_refused():
    with pytest.raises(RankscopeError):
        SCENES["Sum"].check("many")


@cases("title", SCENES)
def test_each_scene_is_short_and_each_position_of_its_control_has_a_picture(title):
    scene = SCENES[title]
    assert 2 <= scene.sentences.count(". ") + 1 <= 3
    assert scene.question.endswith("?")
    for value in values(scene.control):
        view = scene.view(value)
        assert view.sentence
        assert not THREE_DECIMALS.search(view.sentence)
        assert len(view.table) >= 1
        assert len(view.ranking.retrieved) == K
        assert view.ledger or 0 < sum(view.parts.values()) <= view.whole
        for bar in view.bars.values():
            assert 0 <= bar.earned <= bar.gain <= 1


@cases("rank", range(1, K + 1))
def test_a_document_that_moves_keeps_its_grade_and_changes_the_ratio(rank):
    view = SCENES["Grade"].view(in_order(rank))
    assert earned(view) == [f"{grade}" for grade in moved(rank)]
    assert view.sentence == f"In this order the grades are {', '.join(earned(view))}."
    assert list(view.parts.values()) == moved(rank)
    assert (view.whole, view.score) == (sum(GRADES), "sum of the grades, in any order")
    ledger = SCENES["Ratio"].view(in_order(rank)).ledger
    assert float(ledger.scores[0]) == pytest.approx(ndcg(moved(rank)))


def test_the_gains_follow_the_rule():
    view = SCENES["Gain"].view
    assert earned(view("linear")) == [f"{grade}" for grade in GRADES]
    assert earned(view("exponential")) == [f"{2**grade - 1}" for grade in GRADES]
    views = view("linear"), view("exponential")
    assert [(sum(each.parts.values()), each.whole) for each in views] == [(8, 14), (14, 14)]


@cases("rank", range(1, K + 1))
def test_the_discount_leaves_less_of_a_gain_at_each_rank(rank):
    view = SCENES["Discount"].view(rank)
    assert [bar.earned for bar in view.bars.values()] == pytest.approx(
        [1 / log2(place + 1) for place in range(1, K + 1)]
    )
    assert list(view.bars)[rank - 1] == view.marked
    assert f"{view.bars[view.marked].value} of it counts." in view.sentence
    assert list(view.parts.values()) == pytest.approx([100 / log2(rank + 1)])
    assert (view.whole, view.outlined) == (100, True)


def test_a_divisor_is_equal_to_its_digits_only_where_it_is():
    sentences = [SCENES["Discount"].view(rank).sentence for rank in (1, 2)]
    assert ["≈" in sentence for sentence in sentences] == [False, True]


@cases("k", range(1, K + 1))
def test_sums_and_cutoffs_end_where_they_are_told_to(k):
    view = SCENES["Sum"].view(k)
    assert view.score == f"DCG@{k}"
    assert float(view.ledger.scores[0]) == pytest.approx(dcg(GRADES, k))
    assert [bool(value) for value in earned(view)] == [True] * k + [False] * (K - k)
    assert f"The sum is {dcg(GRADES, k):.2f}." in view.sentence
    # The ideal is the next scene's.
    assert (view.outlined, SCENES["Ideal"].view("list").outlined) == (False, True)
    assert float(SCENES["Cutoff"].view(k).ledger.scores[0]) == pytest.approx(ndcg(GRADES, k))
    shown = SCENES["Other measures"].view(k).measures
    others = {name.split("@")[0]: score for name, (_, score) in shown.items()}
    found = sum(grade >= 1 for grade in GRADES[:k])
    assert others["nDCG"] == pytest.approx(ndcg(GRADES, k))
    assert others["P"] == pytest.approx(found / k)
    assert others["R"] == pytest.approx(found / 4)
    assert others["F1"] == pytest.approx(2 * found / (k + 4))
    assert others["RR"] == 1
    assert others["AP"] == pytest.approx(
        fsum(
            sum(g > 0 for g in GRADES[:rank]) / rank for rank in range(1, k + 1) if GRADES[rank - 1]
        )
        / 4
    )


def test_the_ideal_order_has_the_highest_grades_first():
    view = SCENES["Ideal"].view("ideal")
    assert view.table["grade"].tolist() == sorted(GRADES, reverse=True)
    assert float(view.ledger.scores[0]) == pytest.approx(dcg(sorted(GRADES, reverse=True)))
    own = SCENES["Ideal"].view("list")
    assert own.table["grade"].tolist() == list(GRADES)
    # Nothing in the first picture points at the answer.
    assert not own.marked


def test_the_ending_says_why():
    assert ending().endswith("so nDCG@5 is 5.47 ÷ 5.69 ≈ 0.96.")
    assert f"adds {2 / log2(6):.2f}" in ending()
    assert f"adds {2 / log2(4):.2f}" in ending()
