"""All cases of the oracle as one run and one set of qrels, each query under its case."""

import gzip
import json
from pathlib import Path

import pytest

from metrics import Qrels, Run

ORACLE = Path(__file__).parents[2] / "data" / "oracle_trec_eval.json.gz"


@pytest.fixture(scope="session")
def oracle():
    """The qrels and the run of all 1,200 cases."""
    with gzip.open(ORACLE) as file:
        of_cases = json.load(file)
    assert len(of_cases) == 1200

    def whole(part):
        return {f"{case['id']}/{q}": of for case in of_cases for q, of in case[part].items()}

    return Qrels.from_dict(whole("qrels")), Run.from_dict(whole("run"))
