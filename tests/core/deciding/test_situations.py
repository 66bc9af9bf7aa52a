"""Each of ten situations gets the verdict and the threats that it must get."""

import pytest

from metrics import compare, evidence
from metrics.deciding import verdict
from tests.situations import cases


def decided(case):
    compared = compare(case.qrels, case.a, case.b, case.measures)
    return verdict(case.qrels, case.a, case.b, compared, evidence(compared))


@pytest.mark.parametrize("name", cases())
def test_each_situation_gets_its_verdict_and_its_threats(name):
    case = cases()[name]
    found = decided(case)
    assert found.outcome == case.outcome
    assert case.says in found.sentence.text()
    assert tuple(threat.kind for threat in found.threats) == case.threats
    assert tuple(threat.kind for threat in found.threats if threat.reverses) == case.reverses
