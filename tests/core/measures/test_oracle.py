"""Every value that trec_eval 9 computed: 80 measures by its own names, on 1,200 cases."""

import gzip
import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from metrics import PRESETS, parse
from metrics.scoring.naming import trec_name
from tests.cases import cases
from tests.core.measures.batch import close, judged_together, together


@cache
def recorded():
    with gzip.open(Path(__file__).parents[2] / "data" / "oracle_trec_eval.json.gz") as file:
        return json.load(file)


def names():
    return sorted({name for case in recorded() for name in case["values"]})


def options():
    return sorted({(case["relevance_level"], case["judged_only"]) for case in recorded()})


def disagreements(given, found, preset, names):
    """Yield the values that differ from ours, of the cases with these options, judged at once."""
    level, judged_only = given
    convention = replace(
        PRESETS[preset], level=level, unjudged="removed" if judged_only else "zero"
    )
    of_options = {
        case["id"]: case
        for case in found
        if (case["relevance_level"], case["judged_only"]) == given
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
    assert len(recorded()) == 1200
    assert len(names()) == 80
    assert sum(len(v) for case in recorded() for v in case["values"].values()) == 127_040


@cases("given", options)
def test_equals_trec_eval_9(given):
    assert list(disagreements(given, recorded(), "trec_eval 9", names())) == []


@cases("given", options)
def test_equals_trec_eval_10_where_the_versions_agree(given):
    same = [name for name in names() if not name.startswith(("iprec", "11pt"))]
    exact = [case for case in recorded() if "float32" not in case["tags"]]
    assert list(disagreements(given, exact, "trec_eval", same)) == []


@cases("name", names)
def test_trec_evals_names_come_back(name):
    # R-precision has two names there.
    expected = "Rprec" if name == "Rprec_mult_1.00" else name
    assert trec_name(parse(name)) == expected
    assert trec_name(parse(str(parse(name)))) == expected
