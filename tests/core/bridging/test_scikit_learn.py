"""scikit-learn's cross-validation and search score each fold as evaluate does.

scikit-learn is imported by each test, since the collection of the tests need not wait for it.
"""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from metrics import PRESETS, RankscopeError, evaluate, own_measure, sklearn_scorer
from tests.cases import cases


@pytest.fixture(scope="module")
def rows():
    """Features with a column of queries, and grades, of 20 queries whose rows are mixed."""
    rng = np.random.default_rng(5)
    qid = rng.permutation(np.repeat([f"q{i:02}" for i in range(20)], 12))
    frame = pd.DataFrame(rng.normal(size=(len(qid), 3)).round(1), columns=["a", "b", "c"])
    noisy = frame["a"] + rng.normal(size=len(qid))
    return frame.assign(qid=qid), np.clip(noisy.round(), 0, 3).astype(int)


def folds():
    from sklearn.model_selection import GroupKFold

    return GroupKFold(4)


def passed_on(estimator, queries="qid"):
    """The estimator, which does not see the column of queries."""
    from sklearn.compose import make_column_transformer
    from sklearn.pipeline import make_pipeline

    return make_pipeline(
        make_column_transformer(("drop", [queries]), remainder="passthrough"), estimator
    )


def model(**settings):
    from sklearn.tree import DecisionTreeRegressor

    tree = DecisionTreeRegressor(random_state=0, **{"max_depth": 3, **settings})
    return passed_on(tree)


def by_hand(estimator, table, grades, measure, convention):
    """The mean of each fold by `evaluate`, whose ids are those of the frame's rows."""
    for train, test in folds().split(table, grades, table["qid"]):
        fitted = estimator.fit(table.iloc[train], grades[train])
        judged, scored_as = {}, {}
        found = zip(table["qid"].iloc[test], test, fitted.predict(table.iloc[test]), strict=True)
        for query, row, score in found:
            judged.setdefault(query, {})[f"{row:04}"] = grades[row]
            scored_as.setdefault(query, {})[f"{row:04}"] = score
        yield evaluate(judged, scored_as, measure, convention).average(str(measure))


@cases("preset", PRESETS)
def test_both_ways_score_each_fold_as_evaluate_does(rows, preset):
    from sklearn import config_context
    from sklearn.model_selection import cross_val_score

    table, grades = rows
    name = "nDCG@5" if PRESETS[preset].ties != "mean" else "DCG@5"
    expected = list(by_hand(model(), table, grades, name, preset))
    assert len(set(expected)) > 1
    groups = table["qid"].to_numpy()
    scorer = sklearn_scorer(name, preset, queries="qid")
    found = cross_val_score(model(), table, grades, groups=groups, cv=folds(), scoring=scorer)
    assert found.tolist() == expected
    with config_context(enable_metadata_routing=True):
        scorer, params = sklearn_scorer(name, preset), {"groups": groups}
        found = cross_val_score(model(), table, grades, params=params, cv=folds(), scoring=scorer)
    assert found.tolist() == expected


def test_it_is_scikit_learns_own_score(rows):
    from sklearn.metrics import ndcg_score

    table, grades = rows
    fitted = model().fit(table, grades)
    scores = fitted.predict(table)
    assert len(np.unique(scores)) < 10  # many ties, whose mean it takes
    each = [
        ndcg_score([grades[table["qid"] == query]], [scores[table["qid"] == query]], k=5)
        for query in table["qid"].unique()
    ]
    found = sklearn_scorer("nDCG@5", "scikit-learn", queries="qid")(fitted, table, grades)
    assert found == pytest.approx(np.mean(each))


def test_a_search_finds_the_best_by_it(rows):
    from sklearn import config_context
    from sklearn.model_selection import GridSearchCV

    table, grades = rows
    depths = {"decisiontreeregressor__max_depth": [1, 4, 12]}
    groups = table["qid"].to_numpy()
    scorers = {
        "nDCG": sklearn_scorer("nDCG@5", "LightGBM", queries="qid"),
        "mine": sklearn_scorer(own_measure(lambda q: q.grades / q.ranks, "mine"), queries="qid"),
    }
    search = GridSearchCV(model(), depths, cv=folds(), scoring=scorers, refit="nDCG", n_jobs=2)
    search.fit(table, grades, groups=groups)
    means = [
        np.mean(list(by_hand(model(max_depth=depth), table, grades, "nDCG@5", "LightGBM")))
        for depth in (1, 4, 12)
    ]
    assert search.cv_results_["mean_test_nDCG"] == pytest.approx(means)
    assert search.best_index_ == np.argmax(means)
    assert np.ptp(search.cv_results_["mean_test_mine"]) > 0
    with config_context(enable_metadata_routing=True):
        routed = GridSearchCV(
            model(), depths, cv=folds(), scoring=sklearn_scorer("nDCG@5", "LightGBM")
        )
        routed.fit(table, grades, groups=groups)
    assert routed.cv_results_["mean_test_score"] == pytest.approx(means)


def test_an_array_has_its_queries_at_a_place(rows):
    from sklearn.linear_model import Ridge
    from sklearn.model_selection import GroupShuffleSplit, cross_val_score

    table, grades = rows
    numbers = table["qid"].str[1:].astype(int).to_numpy()
    array = np.column_stack([numbers, table[["a", "b", "c"]]])
    estimator = passed_on(Ridge(), 0)
    scorer = sklearn_scorer("nDCG@5", queries=0)
    cuts = GroupShuffleSplit(2, random_state=0)
    found = cross_val_score(estimator, array, grades, groups=numbers, cv=cuts, scoring=scorer)
    scorer = sklearn_scorer("nDCG@5", queries="qid")
    expected = cross_val_score(
        passed_on(Ridge()), table, grades, groups=numbers, cv=cuts, scoring=scorer
    )
    assert found == pytest.approx(expected)


def wide():
    """A model that predicts a column of shape (n, 1)."""
    from sklearn.base import BaseEstimator, RegressorMixin

    class Wide(RegressorMixin, BaseEstimator):
        def fit(self, rows, grades):
            return self

        def predict(self, rows):
            return np.ones((len(rows), 1))

    return Wide()


@cases(
    ("call", "said"),
    [
        (lambda table, grades: sklearn_scorer("nope", queries="qid"), "no measure 'nope'"),
        (
            lambda table, grades: sklearn_scorer("NumNonrelRet", queries=0),
            "rises where a model gets worse",
        ),
        (lambda table, grades: sklearn_scorer("AP", queries=table), "queries is a DataFrame; name"),
        (lambda table, grades: sklearn_scorer("AP"), "queries='qid'; or call sklearn.set_config"),
        (
            lambda table, grades: sklearn_scorer("AP", queries="nope")(
                model().fit(table, grades), table, grades
            ),
            "no column 'nope'",
        ),
        (
            lambda table, grades: sklearn_scorer("AP", queries="qid")(
                wide(), table.to_numpy(), grades
            ),
            "no column 'qid'",
        ),
        (
            lambda table, grades: sklearn_scorer("AP", queries="qid")(wide(), table, grades),
            r"shape \(240, 1\).*ravel",
        ),
    ],
)
def test_a_mistake_names_the_fix(rows, call, said):
    with pytest.raises(RankscopeError, match=said):
        call(*rows)


def test_queries_that_were_not_routed_are_missed(rows):
    from sklearn import config_context
    from sklearn.model_selection import KFold, cross_validate

    table, grades = rows
    with (
        config_context(enable_metadata_routing=True),
        pytest.raises(RankscopeError, match=r"pass params=\{'groups': queries\}"),
    ):
        cross_validate(
            model(),
            table,
            grades,
            cv=KFold(2),
            scoring=sklearn_scorer("AP"),
            error_score="raise",
        )


def test_a_place_of_the_queries_beyond_any_number_is_refused():
    with pytest.raises(RankscopeError, match="no column 2147483648"):
        sklearn_scorer("RR", queries=2**31)(None, pa.table({}), [])
