"""Every value that trec_eval 9 computed: 80 measures by its own names, on 1,200 cases."""

import gzip
import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from metrics import PRESETS, Qrels, Run, evaluate, parse
from metrics.scoring.naming import trec_name

with gzip.open(Path(__file__).parents[2] / "data" / "oracle_trec_eval.json.gz") as file:
    CASES = json.load(file)
NAMES = sorted({name for case in CASES for name in case["values"]})


def disagreements(case, preset, names):
    convention = replace(
        PRESETS[preset],
        level=case["relevance_level"],
        unjudged="removed" if case["judged_only"] else "zero",
    )
    qrels, run = Qrels.from_dict(case["qrels"]), Run.from_dict(case["run"])
    ours = evaluate(qrels, run, names, convention).per_query
    for name in names:
        expected = case["values"][name]
        assert set(ours.index) == set(expected), (case["id"], name)
        for query, value in expected.items():
            # Where nothing is left to rank, trec_eval divides 0 by 0 and prints NaN.
            wanted = 0.0 if value is None else value
            if not math.isclose(ours.at[query, name], wanted, rel_tol=1e-9, abs_tol=1e-11):
                yield case["id"], case["tags"], name, query, wanted, ours.at[query, name]


def test_the_oracle_is_whole():
    assert len(CASES) == 1200
    assert len(NAMES) == 80
    assert sum(len(v) for case in CASES for v in case["values"].values()) == 127_040


@pytest.mark.parametrize("part", range(10))
def test_equals_trec_eval_9(part):
    wrong = [d for case in CASES[part::10] for d in disagreements(case, "trec_eval 9", NAMES)]
    assert wrong == []


@pytest.mark.parametrize("part", range(10))
def test_equals_trec_eval_10_where_the_versions_agree(part):
    names = [name for name in NAMES if not name.startswith(("iprec", "11pt"))]
    cases = [case for case in CASES[part::10] if "float32" not in case["tags"]]
    wrong = [d for case in cases for d in disagreements(case, "trec_eval", names)]
    assert wrong == []


@pytest.mark.parametrize("name", NAMES)
def test_trec_evals_names_come_back(name):
    # R-precision has two names there.
    expected = "Rprec" if name == "Rprec_mult_1.00" else name
    assert trec_name(parse(name)) == expected
    assert trec_name(parse(str(parse(name)))) == expected
