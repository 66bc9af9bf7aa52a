"""The situations on Compare: the words of the core, and in view what can turn the verdict."""

from metrics import Dataset, Pairing, parse
from metrics.rendering import comparison_text
from tests.cases import cases
from tests.pages.conftest import opened
from tests.situations import cases as situations


@cases("name", situations)
def test_compare_shows_the_verdict_and_its_threats(name):
    case = situations()[name]
    measure = parse(case.measures[0])
    at = opened(measure=measure.symbol, k=measure.cutoff or 0)
    at.session_state["_upload"] = Dataset("mine", case.qrels, (case.a, case.b))
    at.session_state["data"] = "yours"
    at.switch_page("pages/compare_runs.py").run()
    assert not at.exception
    found = Pairing.of(case.qrels, (case.a, case.b), case.measures).verdict
    alarms = [each.value for each in at.error]
    shown = [each.value for each in at.markdown]
    lines = [line for value in shown for line in value.split("\n\n")]
    # The page tests other measures beside the chosen one, so it may have more to say of them, and
    # of chance the line of evidence speaks.
    threats = [
        line
        for line in comparison_text.threats(found.threats)
        if not line.startswith(("**Other measures", "**Chance**"))
    ]
    assert {*threats} <= {*lines}
    if case.outcome == "none":
        assert alarms == [comparison_text.answer(found)]
        return
    assert alarms == []
    assert [each.value for each in at.header] == [comparison_text.heading(found)]
    remarks = [each for each in at.get("popover") if each.proto.popover.label == "Method"]
    behind = [each.value for of in remarks for each in of.markdown]
    behind = [line for value in behind for line in value.split("\n\n")]
    # What can turn the answer is in view; all else is behind "remarks".
    turning = comparison_text.threats(found.turning)
    assert not {*turning} & {*behind}
    assert {*threats} - {*turning} <= {*behind}
    assert {each.kind for each in found.turning} >= {*case.reverses, *case.open}
