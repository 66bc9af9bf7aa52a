"""A dropped file of several judges: the first gives the qrels, the others are further judges."""

import pytest

from metrics import ReadError, read_qrels
from metrics.auditing.contents import Given
from metrics.auditing.intake import take
from metrics.teaching.samples import FOLDER, catalogue

SAMPLE = FOLDER / "two_judges"
RUN = Given("a.run", b"q1 Q0 d1 1 2 a\nq1 Q0 d2 2 1 a")
BOTH = b"judge,query,document,grade\nAda,q1,d1,2\nBob,q1,d1,0\nBob,q1,d2,1\n"
APART = b"judge,query,document,grade\nAda,q1,d1,2\nBob,q1,d2,1\n"


def judges(taken):
    assert not taken.problems
    every = (taken.dataset.qrels, *taken.dataset.judges)
    return {each.name: each.to_dict() for each in every}


@pytest.mark.parametrize("table", [BOTH, APART])
def test_the_first_judge_is_the_qrels(table):
    taken = take([RUN, Given("both.csv", table)])
    assert judges(taken).keys() == {"Ada", "Bob"}
    assert judges(taken)["Ada"] == {"q1": {"d1": 2}}
    assert taken.seen[1].role == "qrels"
    assert taken.seen[1].holds.startswith("2 judges, 1 query")


def test_beside_qrels_all_are_further_judges_and_none_comes_twice():
    qrels = Given("gold.txt", b"q1 0 d1 1\nq1 0 d2 1")
    taken = take([Given("both.csv", BOTH), qrels, RUN])
    assert [*judges(taken)] == ["gold", "Ada", "Bob"]
    again = take([Given("both.csv", BOTH)], taken.dataset)
    assert [*judges(again)] == ["gold", "Ada", "Bob"]


def test_the_sample_s_files_are_the_sample():
    files = [*SAMPLE.glob("*.run"), *SAMPLE.glob("*.tsv")]
    taken = take([Given(path.name, path.read_bytes()) for path in files])
    sample = catalogue()["two-judges"].load()
    assert taken.dataset.qrels.to_dict() == sample.qrels.to_dict()
    assert [each.to_dict() for each in taken.dataset.judges] == [
        each.to_dict() for each in sample.judges
    ]
    assert taken.dataset.judges[0].reasons == sample.judges[0].reasons


def test_one_judge_s_reader_still_refuses_two():
    with pytest.raises(ReadError, match="E-JUDGES"):
        read_qrels(BOTH, "both.csv")


def test_other_mistakes_are_still_refused():
    wrong = BOTH.replace(b"Bob,q1,d2,1", b"Bob,q1,d2,high")
    (problem,) = take([RUN, Given("both.csv", wrong)]).problems
    assert "high" in str(problem)
    twice = BOTH + b"Bob,q1,d2,0\n"
    (problem,) = take([RUN, Given("both.csv", twice)]).problems
    assert "E-DUP-DOC" in str(problem)
