"""Tables without column names: read where the cells leave no doubt, else one question."""

import pytest

from metrics import Qrels, ReadError, Run, read_qrels, read_run
from metrics.reading.problems import OTHER_ROLE
from tests.cases import cases

SCORED = {"q1": {"d1": 9.5, "d2": 8}, "q2": {"d1": 1}}
GRADED = {"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}}


def lines(*rows, mark=","):
    return "\n".join(mark.join(row.split()) for row in rows).encode()


@cases("mark", [",", ";", "|", "\t", " ", "  "])
@cases(
    ("kind", "rows", "read"),
    [
        (read_run, ("q1 Q0 d1 1 9.5 t", "q1 Q0 d2 2 8 t", "q2 Q0 d1 1 1 t"), SCORED),
        (read_run, ("q1 Q0 d1 1 9.5", "q1 Q0 d2 2 8", "q2 Q0 d1 1 1"), SCORED),
        (read_run, ("q1 d1 1 9.5", "q1 d2 2 8", "q2 d1 1 1"), SCORED),
        (read_run, ("q1 d1 9.5", "q1 d2 8", "q2 d1 1"), SCORED),
        (read_run, ("q1 d1 1", "q1 d2 2", "q2 d1 1"), {"q1": {"d1": 2, "d2": 1}, "q2": {"d1": 1}}),
        (read_qrels, ("q1 0 d1 2", "q1 0 d2 0", "q2 0 d1 1"), GRADED),
        (read_qrels, ("q1 d1 2", "q1 d2 0", "q2 d1 1"), GRADED),
    ],
)
def test_a_form_is_read_whatever_separates_it(kind, rows, read, mark):
    assert kind(lines(*rows, mark=mark), "x.txt").to_dict() == read


def test_what_was_taken_for_what_is_said():
    (note,) = read_run(lines("q1 d1 9.5", "q1 d2 8"), "x.csv").notes
    assert str(note) == "No column names: read as query, document, score, separated by commas."


def test_quotes_spaces_comments_and_decimal_commas():
    data = b'# from a sheet\nq1;"d;1";9,5\r\nq1; d2 ;8\r\n'
    assert read_run(data, "x.csv").to_dict() == {"q1": {"d;1": 9.5, "d2": 8}}


@cases(
    ("kind", "rows"),
    [
        # Whole numbers that fall may be ranks from the last, or scores.
        (read_run, ("q1 d1 3", "q1 d2 2", "q2 d1 1")),
        (read_run, ("q1 d1 5", "q1 d2 2", "q2 d1 4")),
        # Ranks, or grades from 1 up.
        (read_qrels, ("q1 d1 1", "q1 d2 2", "q2 d1 1")),
        # Scores.
        (read_qrels, ("q1 d1 9.5", "q1 d2 8", "q2 d1 1")),
        (read_run, ("q1 d1 x 3 y", "q1 d2 x 2 y")),
        (read_run, ("shoes d1 high", "shoes d2 low")),
    ],
)
def test_a_doubt_is_one_problem_with_what_to_do(kind, rows):
    with pytest.raises(ReadError) as caught:
        kind(lines(*rows), "x.csv")
    (problem,) = caught.value.problems
    assert problem.code == "E-FIELDS"
    assert problem.found.endswith("columns separated by commas, without names")
    assert problem.fix == "Add a header line with the column names."


@cases(
    ("kind", "rows"),
    [
        (read_run, ("q1 0 d1 2", "q1 0 d2 0")),
        (read_qrels, ("q1 Q0 d1 1 9.5 t", "q1 Q0 d2 2 8 t")),
        (read_qrels, ("q1 d1 1 9.5", "q1 d2 2 8")),
    ],
)
def test_a_table_of_the_other_kind_says_which(kind, rows):
    with pytest.raises(ReadError) as caught:
        kind(lines(*rows), "x.csv")
    (problem,) = caught.value.problems
    assert problem.code == OTHER_ROLE
    assert f"looks like {'qrels' if kind is read_run else 'a run'}" in problem.fix


def test_single_wrong_lines_are_named():
    good = [f"q1 d{at} {at}.5" for at in range(40)]
    with pytest.raises(ReadError) as caught:
        read_run(lines(*good, "q1 d50", "q1 d51 x"), "x.csv")
    assert [each.line for each in caught.value.problems] == [41, 42]
    assert "as many as the other lines have" in caught.value.problems[0].expected


def test_trec_lines_with_commas_in_them_are_trec_lines():
    run = read_run(b"q,1 Q0 a,b 1 2.5 t,u,1\nq,1 Q0 c,d 2 1.5 t,u,2\n", "x.txt")
    assert run.to_dict() == {"q,1": {"a,b": 2.5, "c,d": 1.5}}
    assert read_qrels(b"q,1 0 a,b 1\n").to_dict() == {"q,1": {"a,b": 1}}


@pytest.mark.parametrize(("kind", "of"), [(read_run, Run), (read_qrels, Qrels)])
def test_many_lines(kind, of):
    rows = [f"q{at // 100} d{at} {9.5 if of is Run else at % 3}" for at in range(60_000)]
    assert len(kind(lines(*rows), "x.csv")) == 60_000
