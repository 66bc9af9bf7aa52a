"""Every value that trec_eval computed for the measures we have, on 1,170 cases."""

import gzip
import json
from pathlib import Path

import pytest

from metrics import Convention, Qrels, Run, evaluate

CUTOFFS = (1, 2, 3, 5, 10, 20)
AT = {"P": "P", "recall": "R", "map_cut": "AP", "ndcg_cut": "nDCG", "success": "Success"}
NAMES = {
    "map": "AP",
    "ndcg": "nDCG",
    "recip_rank": "RR",
    "set_P": "P",
    "set_recall": "R",
    "set_F": "F1",
} | {f"{theirs}_{k}": f"{ours}@{k}" for theirs, ours in AT.items() for k in CUTOFFS}

with gzip.open(Path(__file__).parents[1] / "data" / "oracle_trec_eval.json.gz") as file:
    CASES = [case for case in json.load(file) if "float32" not in case["tags"]]


def scores(case):
    convention = Convention(
        level=case["relevance_level"], unjudged="removed" if case["judged_only"] else "zero"
    )
    qrels, run = Qrels.from_dict(case["qrels"]), Run.from_dict(case["run"])
    return evaluate(qrels, run, NAMES.values(), convention).per_query


def test_the_oracle_is_whole():
    assert len(CASES) == 1170


@pytest.mark.parametrize("part", range(10))
def test_equals_trec_eval(part):
    for case in CASES[part::10]:
        ours = scores(case)
        for theirs, measure in NAMES.items():
            expected = case["values"][theirs]
            assert set(ours.index) == set(expected), (case["id"], measure)
            assert ours[measure].to_dict() == pytest.approx(expected, rel=1e-9, abs=1e-11), (
                case["id"],
                measure,
            )
