"""Measures of aspects equal ndeval and ir_measures, and a search over all rankings."""

import gzip
import json
import math
from dataclasses import replace
from functools import cache
from itertools import permutations
from pathlib import Path
from random import Random

import numpy as np
import pytest

from metrics import REGISTRY, TREC_EVAL, Qrels, Run, bounds, match, parse
from tests.cases import cases

DATA = Path(__file__).parents[2] / "data"
OURS = {
    "ERR-IA": "ERR_IA(alpha={alpha})",
    "nERR-IA": "nERR_IA(alpha={alpha})",
    "alpha-DCG": "alpha_DCG(alpha={alpha})",
    "alpha-nDCG": "alpha_nDCG(alpha={alpha})",
    "NRBP": "NRBP(alpha={alpha},p={beta})",
    "nNRBP": "nNRBP(alpha={alpha},p={beta})",
    "MAP-IA": "AP_IA",
    "P-IA": "P_IA",
    "strec": "StRecall",
}
"""ndeval's names as ours, with its options."""


@cache
def recorded():
    with gzip.open(DATA / "aspects_ndeval.json.gz") as file:
        return json.load(file)["cases"]


def our_name(name, options):
    own, _, k = name.partition("@")
    return OURS[own].format(**options) + (f"@{k}" if k else "")


def scores(convention):
    """Yield each recorded value's place, itself and ours; cases with the same options at once."""
    together = {}
    for number, case in enumerate(recorded()):
        together.setdefault(json.dumps(case["options"]), []).append((number, case))
    for numbered in together.values():
        aspects, runs = (
            {f"{number} {q}": of for number, case in numbered for q, of in case[part].items()}
            for part in ("aspects", "run")
        )
        judged = match(Qrels.from_aspects(aspects), Run.from_dict(runs), convention)
        options = numbered[0][1]["options"]
        for name in numbered[0][1]["values"]:
            measure = parse(our_name(name, options))
            found = measure.ledger(judged).scores.tolist()
            ours = dict(zip(judged.queries, found, strict=True))
            for number, case in numbered:
                places = {query: f"{number} {query}" for query in case["aspects"]}
                of_case = {query: ours[at] for query, at in places.items() if at in ours}
                of_case["all"] = float(np.mean([*of_case.values()]))
                for query, value in case["values"].get(name, {}).items():
                    if not math.isnan(value):
                        yield (number, name, query), value, of_case[query]
                    else:
                        assert nothing(name, case, query), (number, name, query)


def nothing(name, case, query):
    """Whether the tool divides 0 by 0: no document is relevant in the query, or in one of all."""
    queries = case["run"] if query == "all" else [query]
    none = any(
        not any(grade > 0 for grades in case["aspects"][each].values() for grade in grades.values())
        for each in queries
    )
    return name == "nNRBP" and none


def test_equals_ndeval():
    found = list(scores(TREC_EVAL))
    wrong = [each for each in found if abs(each[1] - each[2]) > 5.1e-7]
    assert wrong == []
    assert len(found) > 20_000


def test_the_table_has_a_row_for_each_judgment_of_an_aspect():
    qrels = Qrels.from_aspects(
        {"q": {"a": {"2": 0, "10": 3}, "b": {"10": 1}}, "r": {"a": {"1": 1}}}
    )
    table = qrels.by_aspect
    assert table.names == (("2", "10"), ("1",))
    found = zip(
        table.query.tolist(), table.document.to_pylist(), table.aspect.tolist(), strict=True
    )
    assert list(found) == [(0, "a", 0), (0, "a", 1), (0, "b", 1), (1, "a", 0)]
    assert qrels.to_dict() == {"q": {"a": 3.0, "b": 1.0}, "r": {"a": 1.0}}


BY_ASPECT = [symbol for symbol, kind in REGISTRY.items() if kind.by_aspect]


@cases("symbol", BY_ASPECT)
def test_bounds_are_those_of_all_orders_of_ties(symbol):
    random, kind = Random(symbol), REGISTRY[symbol]
    for _ in range(12):
        names = [str(number) for number in range(random.randint(1, 3))]
        pool = "abcde"[: random.randint(2, 5)]
        judged = random.sample(pool, random.randint(1, len(pool)))
        grades = {d: {name: random.choice([0, 0, 1]) for name in names} for d in judged}
        scores = {d: random.choice([1.0, 2.0]) for d in random.sample(pool, len(pool) - 1)}
        measure = kind(cutoff=random.choice([None, 1, 2, 3])) if kind.suffix else kind()
        ends = bounds(Qrels.from_aspects({"q": grades}), {"q": scores}, measure).loc["q"]
        # Each order is a query of its own.
        orders = [sorted(order, key=lambda d: -scores[d]) for order in permutations(scores)]
        every = {f"{number}": order for number, order in enumerate(orders)}
        run = {query: {d: -place for place, d in enumerate(of)} for query, of in every.items()}
        of_all = match(Qrels.from_aspects(dict.fromkeys(every, grades)), Run.from_dict(run))
        found = measure.ledger(of_all).scores
        assert ends["lowest"] == pytest.approx(found.min(), abs=1e-12)
        assert ends["highest"] == pytest.approx(found.max(), abs=1e-12)


def test_a_grade_given_by_hand_holds_for_the_aspects_of_the_document():
    qrels = Qrels.from_aspects({"q": {"a": {"1": 1, "2": 0}, "b": {"1": 0, "2": 1}, "c": {"1": 0}}})

    def covers(document, grade):
        row = qrels.document.to_pylist().index(document)
        edited = replace(qrels, value=np.where(np.arange(3) == row, grade, qrels.value))
        table = edited.by_aspect
        return {
            table.names[0][aspect]
            for name, aspect, value in zip(
                table.document.to_pylist(), table.aspect.tolist(), table.grade.tolist(), strict=True
            )
            if name == document and value >= 1
        }

    assert covers("a", 2.0) == {"1"}
    assert covers("a", 0.0) == set()
    assert covers("c", 1.0) == {"1", "2"}
