"""The confusion of two judges and their disagreements, against loops over dicts."""

from dataclasses import replace

import pytest

from metrics import DataError, Qrels
from metrics.agreement.side_by_side import MOST_GRADES, confusion, disagreements
from tests.cases import cases
from tests.core.agreement.judges import both, drawn, judges_of


@cases("seed", range(20))
def test_the_confusion_is_scikit_learn_s(seed):
    from sklearn.metrics import confusion_matrix

    a, b = drawn(seed)
    table = confusion(*judges_of([a, b]))
    pairs = both(a, b)
    grades = sorted({grade for pair in pairs for grade in pair})
    codes = [[grades.index(grade) for grade in side] for side in zip(*pairs, strict=True)]
    assert table.to_numpy().tolist() == confusion_matrix(*codes).tolist()
    assert table.index.tolist() == table.columns.tolist() == grades
    assert (table.index.name, table.columns.name) == ("A", "B")


def test_the_confusion_of_judges_who_share_nothing_is_empty():
    a, b = Qrels.from_dict({"q": {"x": 1}}), Qrels.from_dict({"q": {"y": 1}})
    assert confusion(a, b).shape == (0, 0)
    assert disagreements(a, b).empty
    assert disagreements(a, Qrels.from_dict({})).columns.tolist()[-1] == "reason B"


def test_too_many_grades_for_a_table_are_refused():
    grades = {f"d{place}": place / 8 for place in range(MOST_GRADES + 1)}
    qrels = Qrels.from_dict({"q": grades})
    with pytest.raises(DataError, match="1,001 different grades"):
        confusion(qrels, qrels)
    del grades["d0"]
    fewer = Qrels.from_dict({"q": grades})
    assert confusion(qrels, fewer).shape == (MOST_GRADES, MOST_GRADES)


@cases("seed", range(20))
def test_every_disagreement_is_listed_largest_first(seed):
    judges = judges_of(drawn(seed))
    of_a, of_b = (each.to_dict() for each in judges)
    expected = [
        (query, document, grade, of_b[query][document], of_b[query][document] - grade)
        for query, grades in of_a.items()
        for document, grade in grades.items()
        if of_b.get(query, {}).get(document, grade) != grade
    ]
    expected.sort(key=lambda row: -abs(row[-1]))
    frame = disagreements(*judges)
    assert list(frame.iloc[:, :5].itertuples(index=False, name=None)) == expected
    assert (frame["reason A"] == "").all()


def test_both_reasons_stand_beside_a_disagreement():
    a = Qrels.from_dict({"q": {"x": 0, "y": 1}, "p": {"x": 2}})
    b = Qrels.from_dict({"q": {"x": 3, "y": 0}, "p": {"x": 2}})
    a = replace(a, reasons={"q": {"x": "no answer", "y": "half"}})
    b = replace(b, reasons={"q": {"x": "answers it"}})
    frame = disagreements(a, b)
    assert frame[["reason A", "reason B"]].to_numpy().tolist() == [
        ["no answer", "answers it"],
        ["half", ""],
    ]
