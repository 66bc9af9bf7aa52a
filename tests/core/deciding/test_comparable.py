"""Runs that were judged differently are not compared, and the difference is named."""

from metrics import Convention, Qrels, Run, match
from metrics.deciding.comparable import differences
from metrics.deciding.regression import Rule, Ruling, check
from tests.cases import cases
from tests.situations import good, judged, ranked

N = 10
QRELS = judged(N)
RUN = ranked("run", N, good)


def changed(grades):
    rows = {query: dict(of_query) for query, of_query in QRELS.to_dict().items()}
    for query, of_query in grades.items():
        rows.setdefault(query, {}).update(of_query)
    return Qrels.from_dict(rows)


def kinds(one, two):
    return [each.kind for each in differences(one, two)]


@cases(
    ("two", "expected", "names"),
    [
        (match(QRELS, RUN), [], ()),
        # Judgments of a query that neither run has, and another order of rows, change no score.
        (match(changed({"new": {"x": 1}}), RUN), [], ()),
        (match(Qrels.from_dict(dict(reversed(QRELS.to_dict().items()))), RUN), [], ()),
        (match(changed({"q003": {"r1": 2}}), RUN), ["judgments"], ("r1", "q003")),
        (match(changed({"q003": {"new": 0}}), RUN), ["judgments"], ("new", "q003")),
        (match(QRELS, RUN.only(*QRELS.queries[1:])), ["queries"], ("q000",)),
        (match(QRELS, RUN, Convention(ap="capped")), ["convention"], ()),
        (match(QRELS, RUN, Convention(level=2)), ["convention"], ()),
        (
            match(changed({"q003": {"r1": 2}}), RUN.only("q001", "q003"), Convention(ties="input")),
            ["convention", "queries", "judgments"],
            ("q000", "q002", "q004", "r1", "q003"),
        ),
    ],
)
def test_the_difference_is_named(two, expected, names):
    one = match(QRELS, RUN)
    for a, b in ((one, two), (two, one)):
        assert kinds(a, b) == expected
        assert sum((each.names for each in differences(a, b)), ()) == names
        found = check(a, b, ["RR"], Rule())
        assert (found.outcome is Ruling.NOT_COMPARABLE) == bool(expected)
        assert bool(found.measures) != bool(expected)


def test_the_convention_is_named_with_the_option_that_makes_it_the_same():
    one = match(QRELS, RUN, Convention(gain="{1:0.5}"))
    two = match(QRELS, RUN, Convention(level=2))
    (found,) = differences(one, two)
    assert found.text() == (
        "The conventions differ: gain: {1:0.5} in the baseline, the grade in the new run; "
        "relevant: grade 1 or higher in the baseline, grade 2 or higher in the new run. "
        "Match both runs under one convention, such as that of the baseline: "
        "--set gain={1:0.5} --set level=1.0."
    )


def test_a_query_that_the_new_run_lacks_is_compared_where_it_counts_as_0():
    convention = Convention(queries="qrels")
    one, two = (match(QRELS, run, convention) for run in (RUN, RUN.only(*QRELS.queries[3:])))
    assert kinds(one, two) == []
    found = check(one, two, ["RR"], Rule(must_hold=("q000",)))
    assert found.outcome is Ruling.REGRESSION
    assert found.causes[0].query == "q000"


def test_a_query_that_loses_its_score_is_a_difference():
    """With an ideal of the retrieved documents, a run that finds nothing has no score to lose."""
    convention = Convention(ideal="retrieved", undefined="skip")
    worse = ranked("worse", N, lambda q: good(q) if q else ["n0", "n1"])
    found = check(match(QRELS, RUN, convention), match(QRELS, worse, convention), ["nDCG@10"])
    assert found.outcome is Ruling.NOT_COMPARABLE
    (statement,) = found.differences
    assert (statement.kind, statement.names) == ("queries", ("q000",))
    assert "only the baseline scores 1 query ({})" in statement.template


def test_runs_without_a_query_are_not_comparable():
    one = match(QRELS, Run.from_dict({"other": {"x": 1}}))
    assert kinds(one, one) == ["queries"]
    assert check(one, one, ["RR"]).outcome is Ruling.NOT_COMPARABLE


def test_a_measure_without_a_score_is_not_comparable():
    qrels = Qrels.from_dict({query: {"n0": 0} for query in QRELS.queries})
    side = match(qrels, RUN, Convention(undefined="skip"))
    found = check(side, side, ["RR"], Rule(alpha=1))
    assert found.outcome is Ruling.NOT_COMPARABLE
    assert [each.text() for each in found.differences] == [
        "No query has a score in RR, so there is no mean."
    ]


def test_one_query_is_enough_without_a_test():
    one, two = (match(QRELS.only("q000"), run) for run in (RUN, ranked("b", 1, lambda q: ["n0"])))
    assert check(one, two, ["RR"], Rule(alpha=1)).outcome is Ruling.REGRESSION
    assert check(two, one, ["RR"], Rule(alpha=1)).outcome is Ruling.HOLDS
