"""Which grades count: each rule against plain Python over the judges' dictionaries."""

from collections import Counter
from random import Random

import pytest

from metrics import DataError, Dataset, Qrels, what_counts
from metrics.agreement.side_by_side import TIED
from metrics.agreement.what_counts import RULED, counted, rules

QRELS, OTHER = (Qrels.from_dict({"q": {"x": grade}}) for grade in (0, 2))


def drawn(seed):
    """Two to four judges of some of twelve documents of two queries, in grades of 0 to 3."""
    draw = Random(seed)
    pairs = [(query, f"d{number}") for query in "qp" for number in range(6)]
    judges = {}
    for name in ["Ada", "model", "the third", "Bob/2"][: draw.randint(2, 4)]:
        grades = {}
        for query, document in draw.sample(pairs, draw.randint(1, len(pairs))):
            grades.setdefault(query, {})[document] = draw.randint(0, 3)
        judges[name] = Qrels.from_dict(grades, name)
    return judges


def grades(qrels):
    return {(q, name): grade for q, of in qrels.to_dict().items() for name, grade in of.items()}


def most(given):
    times = Counter(given)
    frequent = sorted(grade for grade in times if times[grade] == max(times.values()))
    return frequent[(len(frequent) - 1) // 2]


@pytest.mark.parametrize("seed", range(60))
def test_each_rule_counts_as_it_says(seed):
    judges = drawn(seed)
    of = {name: grades(qrels) for name, qrels in judges.items()}
    pairs = {pair for each in of.values() for pair in each}

    def made(rule, among):
        given = {pair: [each[pair] for each in among if pair in each] for pair in pairs}
        return {pair: rule(listed) for pair, listed in given.items() if listed}

    every = [*of.values()]
    expected = {"majority": made(most, every), "mean": made(lambda of: sum(of) / len(of), every)}
    for name in judges:
        others = made(most, [each for other, each in of.items() if other != name])
        expected |= {f"only {name}": of[name], f"first {name}": others | of[name]}
    assert rules(judges).keys() == expected.keys()
    for rule, values in expected.items():
        assert grades(what_counts(judges, rule)) == pytest.approx(values), rule


def test_it_is_named_after_its_rule_and_says_of_which_judges():
    judges = drawn(1)
    found = what_counts(judges, "mean")
    assert found.name == "the mean grade"
    (note,) = [each for each in found.notes if each.code == RULED]
    assert all(name in str(note) for name in judges)
    # A rule that somebody chose is no assumption made in reading, also where grades tie.
    tied = what_counts({"a": QRELS, "b": OTHER}, "majority").notes
    assert TIED in {each.code for each in tied}
    assert not any(each.warns for each in (note, *tied))
    assert what_counts(judges, "only Ada") is judges["Ada"]


def test_a_person_s_reasons_stay():
    ada = Qrels.from_dict({"q": {"x": 3}}, "Ada")
    ada = type(ada)(
        ada.queries, ada.query, ada.document, ada.value, "Ada", reasons={"q": {"x": "!"}}
    )
    judges = {"Ada": ada, "model": Qrels.from_dict({"q": {"x": 1}}, "model")}
    assert what_counts(judges, "first Ada").reasons == {"q": {"x": "!"}}


@pytest.mark.parametrize("rule", ["", "median", "only", "only Eve", "majority Ada"])
def test_a_rule_that_there_is_not_is_refused_with_those_that_there_are(rule):
    with pytest.raises(DataError, match=r"expected one of .*only Ada.*mean"):
        what_counts(drawn(1), rule)


def test_edits_of_data_belong_to_a_rule_while_its_judges_go_on():
    judges = drawn(1)
    data = Dataset("mine", judges["Ada"], (), judges=tuple(judges.values())[1:])
    under = {rule: counted(data, rule, what_counts(judges, rule)) for rule in rules(judges)}
    assert len({data.key, *(each.key for each in under.values())}) == len(under) + 1
    more = {**judges, "model": Qrels.from_dict({"q": {"new": 1}}, "model")}
    assert counted(data, "mean", what_counts(more, "mean")).key == under["mean"].key
    assert under["mean"].judged_by == "judged by the mean grade"
    assert (data.judged_by, Dataset("mine", judges["Ada"], ()).judged_by) == ("judged by Ada", "")
