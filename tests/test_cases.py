"""Cases in one test hold as much as parametrized ones: each runs, and each failure is named."""

import doctest
import math

import pytest

from tests.cases import cases

pytest_plugins = ["pytester"]


def failures(test, **fixtures):
    """The messages of a failing test's cases, with their notes."""
    with pytest.raises(BaseExceptionGroup) as caught:
        test(**fixtures)
    return [(str(error), error.__notes__) for error in caught.value.exceptions]


def raising(error):
    raise error


def test_the_example_is_right():
    found = doctest.DocTestFinder().find(cases, "cases", extraglobs={"math": math, "cases": cases})
    assert [doctest.DocTestRunner().run(each).failed for each in found] == [0]
    assert found[0].examples


def test_every_case_runs_once_in_order():
    seen = []

    @cases("a, b", [(1, 2), (3, 4)])
    @cases(["c"], iter([(5,), (6,)]))
    def test(a, b, c):
        seen.append((a, b, c))

    test()
    assert seen == [(1, 2, 5), (1, 2, 6), (3, 4, 5), (3, 4, 6)]


def test_each_failing_case_is_named_and_the_others_run():
    seen = []

    @cases("number", range(4))
    def test(number):
        seen.append(number)
        if number % 2:
            raise ValueError(f"odd {number}")

    assert failures(test) == [("odd 1", ["case number=1"]), ("odd 3", ["case number=3"])]
    assert seen == [0, 1, 2, 3]
    with pytest.raises(BaseExceptionGroup, match=r"^2 of 4 cases failed: number=1; number=3"):
        test()


def test_one_failing_case_is_named():
    test = cases("number", [1, 2])(lambda number: 1 / (number - 2))
    assert failures(test) == [("division by zero", ["case number=2"])]


def test_a_failure_in_words_is_a_failure():
    test = cases("number", [1, 2])(lambda number: pytest.fail(f"no {number}"))
    assert failures(test) == [("no 1", ["case number=1"]), ("no 2", ["case number=2"])]


@pytest.mark.parametrize(
    ("values", "ids", "named"),
    [
        ([1, 2], ["one", "two"], ["one", "two"]),
        ([1, 2], lambda value: f"<{value}>", ["<1>", "<2>"]),
        ([pytest.param(1, id="one"), 2], ["first", "second"], ["one", "second"]),
        (["x" * 200], None, [f"value='{'x' * 93}…"]),
    ],
)
def test_ids_name_the_cases(values, ids, named):
    test = cases("value", values, ids)(lambda value: None)
    assert [str(case) for case in test.cases()] == named


@pytest.mark.parametrize("values", [[], list])
def test_no_cases_is_a_failure(values):
    test = cases("value", values)(lambda value: None)
    with pytest.raises(pytest.fail.Exception, match="no cases"):
        test()


def test_a_skipped_case_is_reported_with_its_reason_after_the_others_ran():
    seen = []

    @cases("number", [1, 2, 3])
    def test(number):
        if number == 1:
            pytest.skip("no Java")
        seen.append(number)

    with pytest.raises(pytest.skip.Exception, match=r"^1 of 3 cases: number=1: no Java$"):
        test()
    assert seen == [2, 3]


def test_a_failure_is_worth_more_than_a_skip():
    errors = [pytest.skip.Exception("no Java"), ValueError("wrong")]
    test = cases("error", errors)(raising)
    assert failures(test) == [("wrong", ["case error=ValueError('wrong')"])]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), pytest.exit.Exception("enough")])
def test_an_interruption_is_not_a_failure_of_a_case(error):
    with pytest.raises(type(error)):
        cases("error", [error])(raising)()


def test_values_of_a_function_are_computed_with_the_test():
    def values():
        asked.append(1)
        return [1, 2]

    asked = []
    test = cases("value", values)(lambda value: None)
    assert not asked
    test()
    assert asked == [1]


@pytest.mark.parametrize(
    ("argnames", "values", "ids", "error"),
    [
        ("value", [pytest.param(1, marks=pytest.mark.browser)], None, TypeError),
        ("value", [1, 2], ["one"], ValueError),
        ("value, other", [(1, 2, 3)], None, ValueError),
        ("third", [1], None, TypeError),
    ],
)
def test_what_would_pass_unseen_is_refused(argnames, values, ids, error):
    with pytest.raises(error):
        cases(argnames, values, ids)(lambda value, other: None)(value=1)


def test_pytest_runs_cases_with_fixtures_marks_and_rewritten_asserts(pytester):
    pytester.makepyfile(
        """
        import pytest
        from tests.cases import cases
        from hypothesis import given, strategies as st

        @pytest.fixture
        def base():
            return 10

        @pytest.mark.parametrize("sign", [1, -1])
        @cases("number", [2, 3])
        def test_numbers(number, base, sign):
            assert sign * number + base == 12

        @cases("number", [2, 3])
        @given(other=st.integers(0, 3))
        def test_drawn(number, other):
            assert number + other < 6
        """
    )
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(
        [
            "*1 of 2 cases failed: number=3*",
            "*AssertionError: assert ((1 [*] 3) + 10) == 12",
            "*case number=3",
            "*2 of 2 cases failed: number=2; number=3*",
            "*assert (3 + 3) < 6",
            "*test_drawn(*",
        ]
    )
