"""Each situation gets the verdict and the threats that it must get."""

from dataclasses import replace

from metrics import Pairing, Run, match
from tests.cases import cases
from tests.situations import cases as situations


def decided(case):
    return Pairing.of(case.qrels, (case.a, case.b), case.measures).verdict


@cases("name", situations)
def test_each_situation_gets_its_verdict_and_its_threats(name):
    case = situations()[name]
    found = decided(case)
    assert found.outcome == case.outcome
    assert case.says in found.sentence.text()
    assert tuple(threat.kind for threat in found.threats) == case.threats
    assert tuple(threat.kind for threat in found.threats if threat.reverses) == case.reverses
    assert found.open == case.open


@cases("sides", ["a", "b", "ab"])
@cases("name", situations)
def test_judged_rankings_get_the_same_verdict_without_what_only_whole_runs_show(name, sides):
    case = situations()[name]
    a, b = (
        replace(match(case.qrels, run), name=run.name, digest=run.digest) if side in sides else run
        for side, run in (("a", case.a), ("b", case.b))
    )
    found, whole = Pairing.of(case.qrels, (a, b), case.measures).verdict, decided(case)
    if case.needs_whole_runs:
        assert (found.outcome, found.open) == ("leads", ("unjudged",))
        return
    assert (found.outcome, found.sentence, found.names) == (
        whole.outcome,
        whole.sentence,
        whole.names,
    )
    partial = {run.name for run in (a, b) if not isinstance(run, Run)}
    kept = [
        each
        for each in whole.threats
        if each.kind != "grades"
        and not (
            each.kind == "ids" and each.facts["part"] == "document" and partial & {*each.names}
        )
    ]
    assert [each.kind for each in found.threats] == [each.kind for each in kept]
    for one, other in zip(found.threats, kept, strict=True):
        assert (one.facts, one.names, one.reverses) == (other.facts, other.names, other.reverses)
        # Too many to try is not the same as not known.
        assert "too many to try" not in one.text()
