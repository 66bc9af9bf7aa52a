"""Every value that trec_eval 9 computed: 80 measures by its own names, on 1,200 cases."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from metrics import PRESETS, parse
from metrics.scoring.naming import trec_name
from tests.core.measures.batch import close, judged_together, together

with gzip.open(Path(__file__).parents[2] / "data" / "oracle_trec_eval.json.gz") as file:
    CASES = json.load(file)
NAMES = sorted({name for case in CASES for name in case["values"]})
OPTIONS = sorted({(case["relevance_level"], case["judged_only"]) for case in CASES})


def disagreements(options, cases, preset, names):
    """Yield the values that differ from ours, of the cases with these options, judged at once."""
    level, judged_only = options
    convention = replace(
        PRESETS[preset], level=level, unjudged="removed" if judged_only else "zero"
    )
    of_options = {
        case["id"]: case
        for case in cases
        if (case["relevance_level"], case["judged_only"]) == options
    }
    judged = judged_together(of_options, convention)
    for name in names:
        values = {number: case["values"][name] for number, case in of_options.items()}
        expected = together(values)
        assert set(judged.queries) == set(expected), name
        # Where nothing is left to rank, trec_eval divides 0 by 0 and prints NaN.
        wanted = [expected[query] or 0.0 for query in judged.queries]
        ours = parse(name).ledger(judged).scores
        for wrong in np.flatnonzero(~close(ours, wanted, 1e-9, 1e-11)):
            yield name, judged.queries[wrong], wanted[wrong], ours[wrong]


def test_the_oracle_is_whole():
    assert len(CASES) == 1200
    assert len(NAMES) == 80
    assert sum(len(v) for case in CASES for v in case["values"].values()) == 127_040


@pytest.mark.parametrize("options", OPTIONS)
def test_equals_trec_eval_9(options):
    assert list(disagreements(options, CASES, "trec_eval 9", NAMES)) == []


@pytest.mark.parametrize("options", OPTIONS)
def test_equals_trec_eval_10_where_the_versions_agree(options):
    names = [name for name in NAMES if not name.startswith(("iprec", "11pt"))]
    cases = [case for case in CASES if "float32" not in case["tags"]]
    assert list(disagreements(options, cases, "trec_eval", names)) == []


@pytest.mark.parametrize("name", NAMES)
def test_trec_evals_names_come_back(name):
    # R-precision has two names there.
    expected = "Rprec" if name == "Rprec_mult_1.00" else name
    assert trec_name(parse(name)) == expected
    assert trec_name(parse(str(parse(name)))) == expected
