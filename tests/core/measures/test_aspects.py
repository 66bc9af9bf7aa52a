"""Measures of aspects equal ndeval and ir_measures, and a search over all rankings."""

import gzip
import json
import math
from functools import cache
from itertools import permutations
from pathlib import Path
from random import Random

import numpy as np
import pytest

from metrics import PRESETS, REGISTRY, TREC_EVAL, DataError, MeasureError, Qrels, Run, bounds, judge, parse
from metrics.exploring.unjudged import completions
from metrics.editing.hand_ranking import HandRanking

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
def cases(tool):
    with gzip.open(DATA / f"aspects_{tool}.json.gz") as file:
        return json.load(file)["cases"]


def our_name(name, options):
    own, _, k = name.partition("@")
    return OURS[own].format(**options) + (f"@{k}" if k else "")


def scores(tool, convention):
    """Yield each recorded value's place, itself and ours; cases with the same options at once."""
    together = {}
    for number, case in enumerate(cases(tool)):
        together.setdefault(json.dumps(case["options"]), []).append((number, case))
    for numbered in together.values():
        aspects, runs = (
            {f"{number} {q}": of for number, case in numbered for q, of in case[part].items()}
            for part in ("aspects", "run")
        )
        judged = judge(Qrels.from_aspects(aspects), Run.from_dict(runs), convention)
        options = numbered[0][1]["options"]
        for name in numbered[0][1]["values"]:
            measure = parse(our_name(name, options) if options else name)
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
    found = list(scores("ndeval", TREC_EVAL))
    wrong = [each for each in found if abs(each[1] - each[2]) > 5.1e-7]
    assert wrong == []
    assert len(found) > 20_000


def test_equals_ir_measures():
    found = list(scores("ir_measures", PRESETS["ir_measures"]))
    wrong = [each for each in found if not math.isclose(*each[1:], rel_tol=1e-9, abs_tol=1e-12)]
    assert wrong == []
    assert len(found) > 10_000
