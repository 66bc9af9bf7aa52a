"""The majority of judges, against a loop with a counter."""

from collections import Counter
from itertools import permutations

import pytest

from metrics import DataError, Qrels
from metrics.agreement import side_by_side as module
from metrics.agreement.side_by_side import majority
from metrics.matching.judgments import digest
from tests.cases import cases
from tests.core.agreement.judges import drawn, judges_of


def by_counting(judges):
    """The lower median of the most frequent grades of each pair."""
    given = {}
    for each in judges:
        for query, grades in each.to_dict().items():
            for document, grade in grades.items():
                given.setdefault((query, document), []).append(grade)
    found, tied = {}, 0
    for pair, grades in given.items():
        counted = Counter(grades)
        most = sorted(g for g, times in counted.items() if times == max(counted.values()))
        found[pair] = most[(len(most) - 1) // 2]
        tied += len(most) > 1
    return found, tied


@cases("seed", range(30))
def test_the_majority_is_the_most_frequent_grade_or_the_lower_median_of_these(seed):
    judges = judges_of(drawn(seed, judges=1 + seed % 6, missing=0.3))
    qrels = majority(judges)
    expected, tied = by_counting(judges)
    found = {(q, d): grade for q, of in qrels.to_dict().items() for d, grade in of.items()}
    assert found == expected
    notes = [note.text for note in qrels.notes]
    told = [text.removeprefix("The two differ on ").split()[0] for text in notes]
    assert told == ([str(tied)] if tied else [])


def test_the_order_of_judges_changes_nothing():
    judges = judges_of(drawn(4, judges=3))
    digests = {digest(majority(each)) for each in permutations(judges)}
    assert len(digests) == 1


@cases(
    ("grades", "expected"),
    [((0, 1, 3), 1), ((1, 2), 1), ((0, 0, 3, 3), 0), ((0, 1, 2, 3), 1), ((-1, 0.5, 0.5), 0.5)],
)
def test_ties_of_grades(grades, expected):
    judges = [Qrels.from_dict({"q": {"x": grade}}) for grade in grades]
    assert majority(judges).to_dict() == {"q": {"x": expected}}


def test_one_judge_is_its_own_majority():
    (qrels,) = judges_of(drawn(2, judges=1))
    assert majority([qrels]).digest == qrels.digest
    assert majority([qrels], "panel").name == "panel"
    assert not majority([qrels]).notes
    with pytest.raises(DataError, match="no judge"):
        majority([])


def test_queries_without_judgments_stay():
    judges = [Qrels.from_dict({"p": {}}), Qrels.from_dict({"q": {"x": 1}})]
    assert majority(judges).queries == ("p", "q")
    assert len(majority(judges[:1])) == 0


def test_aspects_are_left_out_with_a_note():
    with_aspects = Qrels.from_aspects({"q": {"d": {"price": 0, "brand": 2}}})
    found = majority([with_aspects, Qrels.from_dict({"q": {"d": 2}})])
    assert found.to_dict() == {"q": {"d": 2.0}}
    assert not found.aspects
    assert [note.code for note in found.notes] == [module.ASPECTS]
