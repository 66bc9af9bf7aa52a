"""LightGBM and XGBoost train with our measures, and log in each round what they log themselves."""

import pickle
from importlib import import_module

import numpy as np
import pytest

from metrics import RankscopeError, evaluate, match
from metrics.bridging import evaluate_rows, lightgbm_metric, xgboost_metric
from metrics.conventions.convention import PRESETS
from metrics.scoring.known_differences import exceptions
from metrics.scoring.naming import parse
from tests.cases import cases

CUTOFFS = (1, 3, 5, 10)
ROUNDS = 12


@pytest.fixture(scope="module")
def lightgbm():
    # It takes seconds, and the collection of the tests need not wait for it.
    return import_module("lightgbm")


@pytest.fixture(scope="module")
def xgboost():
    return import_module("xgboost")


@pytest.fixture(scope="module")
def rows():
    """Features, grades and sizes of 40 queries, some without a relevant row, with many ties."""
    rng = np.random.default_rng(7)
    sizes = rng.integers(1, 30, 40)
    features = rng.normal(size=(sizes.sum(), 5)).round(1)
    features[:, 1:] = features[:, 1:].round()
    noisy = features[:, 0] + rng.normal(size=len(features))
    return features, np.clip(noisy.round(), 0, 4), sizes


def test_lightgbm_logs_the_same_in_every_round(rows, lightgbm):
    features, grades, sizes = rows
    first = sizes[:20].sum()
    train = lightgbm.Dataset(features[:first], grades[:first], group=sizes[:20])
    other = lightgbm.Dataset(features[first:], grades[first:], group=sizes[20:], reference=train)
    log = {}
    lightgbm.train(
        {
            "objective": "lambdarank",
            "metric": ["ndcg", "map"],
            "eval_at": CUTOFFS,
            "min_data_in_leaf": 5,
            "num_threads": 1,
            "verbose": -1,
        },
        train,
        ROUNDS,
        valid_sets=[train, other],
        valid_names=["train", "other"],
        feval=lightgbm_metric(
            [f"{name}@{k}" for name in ("nDCG", "AP") for k in CUTOFFS], "LightGBM"
        ),
        callbacks=[lightgbm.record_evaluation(log)],
    )
    for part in ("train", "other"):
        for theirs, ours in (("ndcg", "nDCG"), ("map", "AP")):
            for k in CUTOFFS:
                expected = log[part][f"{theirs}@{k}"]
                assert len(expected) == ROUNDS
                assert log[part][f"{ours}@{k}[LightGBM]"] == pytest.approx(expected, abs=1e-12)
        assert len(set(log[part]["nDCG@5[LightGBM]"])) > 2  # training moves it


def test_lightgbms_ranker_logs_the_same_and_stops_by_it(rows, lightgbm):
    features, grades, sizes = rows
    ranker = lightgbm.LGBMRanker(n_estimators=40, min_child_samples=5, n_jobs=1, verbose=-1)
    ranker.fit(
        features,
        grades,
        group=sizes,
        eval_X=features,
        eval_y=grades,
        eval_group=[sizes],
        eval_at=[5],
        eval_metric=lightgbm_metric("nDCG@5", "LightGBM"),
        callbacks=[lightgbm.early_stopping(2, verbose=False, min_delta=0.02)],
    )
    (log,) = ranker.evals_result_.values()
    assert log["nDCG@5[LightGBM]"] == pytest.approx(log["ndcg@5"], abs=1e-12)
    assert ranker.best_iteration_ < 40


@cases(
    ("theirs", "ours", "graded"),
    [("ndcg", "nDCG", True), ("ndcg", "nDCG", False), ("map", "AP", False), ("pre", "P", False)],
)
def test_xgboost_logs_the_same_in_every_round(rows, theirs, ours, graded, xgboost):
    features, grades, sizes = rows
    data = xgboost.DMatrix(features, grades if graded else grades > 1, group=sizes)
    metric = xgboost_metric([f"{ours}@{k}" for k in CUTOFFS], "XGBoost")
    exact, log = [], {}

    def kept(scores, of):
        # XGBoost keeps six digits of a metric that is not its own.
        exact.append(dict(metric(scores, of)))
        return metric(scores, of)

    xgboost.train(
        {
            "objective": "rank:pairwise",
            "eval_metric": [f"{theirs}@{k}" for k in CUTOFFS],
            "max_depth": 3,
            "nthread": 1,
        },
        data,
        ROUNDS,
        evals=[(data, "train")],
        custom_metric=kept,
        evals_result=log,
        verbose_eval=False,
    )
    for k in CUTOFFS:
        expected, name = log["train"][f"{theirs}@{k}"], f"{ours}@{k}[XGBoost]"
        assert len(expected) == ROUNDS
        assert [each[name] for each in exact] == pytest.approx(expected, abs=1e-12)
        assert log["train"][name] == pytest.approx(expected, abs=1e-6)


def test_xgboost_stops_by_it_and_keeps_names_with_colons(rows, xgboost):
    features, grades, sizes = rows
    data = xgboost.DMatrix(features, grades, group=sizes)
    name = "nDCG(gain={1=0.5,2=0.9})@5[trec_eval]"
    model = xgboost.train(
        {"objective": "rank:ndcg", "disable_default_eval_metric": 1, "nthread": 1},
        data,
        60,
        evals=[(data, "train")],
        custom_metric=xgboost_metric("nDCG(gain={1:0.5,2:0.9})@5"),
        callbacks=[
            xgboost.callback.EarlyStopping(
                rounds=2, metric_name=name, maximize=True, min_delta=0.01
            )
        ],
        verbose_eval=False,
    )
    assert 0 < model.best_iteration < 59


@cases("preset", PRESETS)
def test_the_values_are_those_of_evaluate(preset):
    rng = np.random.default_rng(3)
    sizes, ids = [4, 1, 7], np.repeat(["a", "b", "c"], [4, 1, 7])
    grades, scores = rng.integers(0, 3, 12), rng.integers(0, 4, 12)
    qrels, run = ({q: {} for q in "abc"} for _ in range(2))
    for row, (query, grade, score) in enumerate(zip(ids, grades, scores, strict=True)):
        qrels[query][f"{row:02}"], run[query][f"{row:02}"] = grade, score
    names = ["DCG@3", "nDCG"] if PRESETS[preset].ties == "mean" else ["nDCG@3", "RR", "R@2"]
    expected = evaluate(qrels, run, names, preset)
    found = lightgbm_metric(names, preset)(grades, scores, group=sizes)
    assert [value for _, value, _ in found] == [expected.average(name) for name in names]


@cases("preset", PRESETS)
def test_the_order_of_rows_does_not_matter_without_ties(preset):
    rng = np.random.default_rng(3)
    rows = rng.integers(0, 3, 12), rng.permutation(12), np.repeat(["a", "b", "c"], [4, 1, 7])
    measures, mixed = [parse("DCG@3"), parse("nDCG")], rng.permutation(12)
    straight = evaluate_rows(measures, PRESETS[preset], *rows)
    other = evaluate_rows(measures, PRESETS[preset], *(each[mixed] for each in rows))
    assert straight.per_query.equals(other.per_query.loc[straight.per_query.index])


@cases("metric", ["ndcg", "map", "pre", "ndcg@40", "map@40"])
@cases(
    "grades", [[1, 0], [2, 0, 1], [0.9, 0.1], [-1, 1], [30, 1], [31, 1], [32, 1], [0] * 34 + [1]]
)
def test_the_tools_stop_and_cut_where_their_presets_say_so(metric, grades, lightgbm, xgboost):
    run = {"q": {f"{row:02}": 99.0 - row for row in range(len(grades))}}
    qrels = {"q": dict(zip(run["q"], grades, strict=True))}
    empty, group, scores = np.zeros((len(grades), 1)), [len(grades)], list(run["q"].values())

    def of_xgboost():
        data = xgboost.DMatrix(empty, grades, base_margin=scores, group=group)
        # The objective does not look at the labels.
        wanted = {"eval_metric": metric, "objective": "reg:squarederror", "base_score": 0}
        logged = xgboost.train({**wanted, "nthread": 1}, data, 0).eval(data)
        return float(logged.rsplit(":", 1)[1])

    def of_lightgbm():
        data = lightgbm.Dataset(empty, grades, group=group, init_score=scores)
        log, wanted = {}, {"objective": "regression", "metric": name, "eval_at": k or 40}
        keep = [lightgbm.record_evaluation(log)]
        wanted |= {"verbose": -1, "num_threads": 1, "min_data_in_leaf": 1}
        lightgbm.train(wanted, data, 1, [data], ["of"], callbacks=keep)
        return log["of"][f"{name}@{k or 40}"][0]

    name, _, k = metric.partition("@")
    ours = {"ndcg": "nDCG", "map": "AP", "pre": "P"}[name] + (f"@{k}" if k else "")
    for tool, computed in (("XGBoost", of_xgboost), ("LightGBM", of_lightgbm)):
        if (tool, name) == ("LightGBM", "pre"):
            continue
        judged = match(qrels, run, tool)
        unlike = " ".join(exceptions([judged], [parse(ours)]))
        try:
            theirs = computed()
        except (xgboost.core.XGBoostError, lightgbm.basic.LightGBMError):
            theirs = None
        assert (theirs is None) == ("stops at" in unlike), (tool, unlike)
        if theirs is not None and not unlike:
            assert evaluate(qrels, run, ours, tool).value(ours) == pytest.approx(theirs, abs=1e-6)
        if "cuts at" in unlike:
            assert evaluate(qrels, run, f"{ours}@32", tool).value(f"{ours}@32") == theirs


def test_a_metric_can_be_pickled_for_another_process():
    metric = pickle.loads(pickle.dumps(lightgbm_metric("AP", "LightGBM")))
    assert metric([1, 0], [0.1, 0.2], group=[2])[0][1] == 0.5


@cases(
    ("call", "said"),
    [
        (lambda: lightgbm_metric("nope"), "no measure 'nope'"),
        (lambda: lightgbm_metric([]), "No measure is named"),
        (lambda: xgboost_metric("Unjudged@5"), "rises where a model gets worse"),
        (lambda: lightgbm_metric("AP", "LightGBN"), "Did you mean LightGBM"),
        (lambda: lightgbm_metric("AP")([1], [0.5]), r"pass group=\[rows of each query\]"),
        (
            lambda: lightgbm_metric("AP")([1, 0], [0.5, 1], group=[1]),
            "groups have 1 rows, and there are 2",
        ),
        (lambda: lightgbm_metric("AP")([1], [0.5, 1], group=[2]), "must be equally long"),
        (lambda: lightgbm_metric("AP")([1, 0], [0.5, np.nan], group=[2]), "is nan. Give a finite"),
        (lambda: lightgbm_metric("AP")([1, 0], [0.5, 1], group=["x"]), "are not whole numbers"),
        (lambda: lightgbm_metric("AP")([1, 0], [0.5, 1], group=[-2, 4]), "are not whole numbers"),
        (lambda: xgboost_metric("AP")([0.5], [1]), "not a DMatrix"),
    ],
)
def test_a_mistake_names_the_fix(call, said):
    with pytest.raises(RankscopeError, match=said):
        call()


def test_data_without_groups_are_refused_with_the_fix(lightgbm, xgboost):
    data = xgboost.DMatrix(np.ones((2, 1)), [1, 0])
    with pytest.raises(RankscopeError, match=r"no groups.*qid to the DMatrix"):
        xgboost_metric("AP")(np.array([0.1, 0.2]), data)
    data = lightgbm.Dataset(np.ones((2, 1)), [1, 0]).construct()
    with pytest.raises(RankscopeError, match=r"no groups.*to the Dataset"):
        lightgbm_metric("AP")(np.array([0.1, 0.2]), data)
