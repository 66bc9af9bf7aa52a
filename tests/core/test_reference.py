"""Two ways to every score: the ledgers, and the plain Python of reference.py."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics import REGISTRY, MeasureError, Qrels, Run, evaluate
from tests.core import reference, strategies

QUERIES = ["q1", "q2", "q3"]


def test_every_measure_has_a_second_way():
    assert set(reference.MEASURES) == set(REGISTRY)
    assert {name for name, kind in REGISTRY.items() if kind.normalised} == reference.SHARES


@pytest.mark.parametrize("symbol", REGISTRY)
@settings(max_examples=60)
@given(st.data())
def test_two_ways_agree(symbol, data):
    measure = data.draw(strategies.measures(symbol))
    convention = data.draw(strategies.conventions())
    averaged = convention.ties == "mean"
    rankings = strategies.few if averaged else strategies.rankings
    qrels = data.draw(st.dictionaries(st.sampled_from(QUERIES), strategies.grades, min_size=1))
    run = data.draw(st.dictionaries(st.sampled_from(QUERIES), rankings, min_size=1))

    def evaluated():
        return evaluate(Qrels.from_dict(qrels), Run.from_dict(run), measure, convention)

    if averaged and not measure.linear:
        with pytest.raises(MeasureError, match="not linear"):
            evaluated()
        return
    wanted = reference.scores(qrels, run, measure, convention)
    found = evaluated().per_query[str(measure)].to_dict()
    assert found == pytest.approx(wanted, rel=1e-9, abs=1e-12, nan_ok=True)
