"""trec_eval 10's doubles, bit for bit: 95 measures by its own names, on 400 cases."""

import gzip
import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from metrics import PRESETS, Qrels, Run, evaluate

with gzip.open(Path(__file__).parents[2] / "data" / "trec_eval_10_doubles.json.gz") as file:
    CASES = json.load(file)
NAMES = sorted(CASES[0]["values"])
ROUNDED = {
    "11pt_avg": "it adds the eleven precisions from the last; we add from the first rank",
    "set_F": "it rounds P and R first; 2·hits/(n + R) is rounded once",
    "Rndcg": "it adds point after point; we add rank after rank",
    "ndcg_rel": "it adds point after point; we add rank after rank",
    "rbp": "it multiplies by 1 - p at the end",
    "rbp_resid": "it multiplies by 1 - p at the end; and prints 0 when all retrieved is judged",
}
"""The measures whose last bits differ, and why: their sums are taken in another order."""


def ours(case):
    convention = replace(
        PRESETS["trec_eval"],
        level=2 if "-l" in case["options"] else 1,
        unjudged="removed" if "-J" in case["options"] else "zero",
    )
    qrels, run = Qrels.from_dict(case["qrels"]), Run.from_dict(case["run"])
    return evaluate(qrels, run, NAMES, convention)


def test_the_recorded_doubles_are_whole():
    assert len(CASES) == 400
    assert len(NAMES) == 95
    assert all(sorted(case["values"]) == NAMES for case in CASES)


@pytest.mark.parametrize("part", range(4))
def test_equals_trec_eval_10_bit_for_bit(part):
    for number, case in enumerate(CASES[part::4]):
        scores = ours(case)
        for name in NAMES:
            for query, theirs in case["values"][name].items():
                value = scores.value(name, query)
                if name not in ROUNDED:
                    assert value == theirs, (number, name, query)
                elif not (name == "rbp_resid" and theirs == 0):
                    assert math.isclose(value, theirs, rel_tol=1e-14, abs_tol=1e-15), (
                        number,
                        name,
                        query,
                    )


def test_each_exception_is_one():
    """A measure leaves the list when its bits agree everywhere."""
    differ = {
        name
        for case in CASES
        for scores in [ours(case)]
        for name in ROUNDED
        for query, theirs in case["values"][name].items()
        if scores.value(name, query) != theirs
    }
    assert differ == set(ROUNDED)


def test_nine_hits_in_ten_are_nine_tenths():
    qrels = Qrels.from_dict({"q": dict.fromkeys("abcdefghi", 1)})
    run = Run.from_dict({"q": {each: 10 - at for at, each in enumerate("abcdefghix")}})
    assert evaluate(qrels, run, "P@10").value("P@10") == 0.9
