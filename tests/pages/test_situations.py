"""The situations on Compare: the words of the core, and red where a threat turns the sign."""

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
    sentence, threats = comparison_text.answer(found), comparison_text.threats(found)
    if case.outcome == "none":
        assert alarms == [sentence]
    else:
        assert alarms == []
        assert f"## {sentence}" in shown
    lines = [line for value in shown for line in value.splitlines()]
    # The page tests other measures beside the chosen one, so it may have more to say of them.
    assert [each for each in threats if "Other measures" not in each] == [
        line for line in lines if line.startswith("- ") and "Other measures" not in line
    ]
    assert [line for line in lines if ":red[" in line] == [
        each for each in threats if ":red[" in each
    ]
    assert len([each for each in threats if ":red[" in each]) == len(case.reverses)
