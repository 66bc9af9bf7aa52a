"""The pages report each case of the catalogue of bad edits, settings, comparisons and links.

A refused parameter of a link is reported in a warning, and the page shows the default instead: no
other state of the page could be kept.
"""

import re
from functools import cache

import pytest
from streamlit.runtime.pages_manager import PagesManager

from metrics import Dataset, Qrels, Run
from metrics.editing.edits import move
from metrics.editing.hand_ranking import HandRanking
from metrics.editing.history import History
from metrics.editing.origin import Origin
from metrics.editing.ranking_link import pack
from metrics.editing.store import Edits
from metrics.teaching.samples import catalogue
from tests.cases import cases
from tests.catalogue.hand_edits import BASE, CASES, unmentioned
from tests.core.editing.test_hand_edit_catalogue import LINKS, MADE, REFUSED
from tests.pages.conftest import drawn, opened, scores

ARGUED = {
    "h20": "Edits are kept with the data they were made on: back with those, nothing is lost.",
    "h21": "In the field for k, 0 stands for the whole ranking, and its help says so.",
}
LAPTOP = catalogue()["laptop"].load()
QUERY = LAPTOP.qrels.queries[0]


def inspected(ranking=BASE, **parameters):
    """Return Inspect with this ranking as the user's data."""
    return opened(example="yours", ranking=pack(ranking), **parameters)


def compared(qrels, a, b):
    """Return Compare with two runs of the user."""
    at = opened()
    runs = Run.from_dict(a, "first"), Run.from_dict(b, "second")
    at.session_state["_upload"] = Dataset("mine", Qrels.from_dict(qrels), runs)
    at.session_state["data"] = "yours"
    return at.switch_page("pages/compare_runs.py").run()


def press(at, label):
    return next(button for button in at.button if button.label == label).click().run()


def pasted(text):
    at = inspected()
    next(area for area in at.text_area if "One title per line" in area.label).set_value(text)
    return press(at, "Use this list")


def graded_but_unnamed():
    at = inspected()
    next(field for field in at.number_input if field.label == "Grade").set_value(2.0)
    return press(at, "Add at the end")


def emptied():
    at = inspected()
    for _ in BASE.entries:
        press(at, "Remove")
    return at


def judged(grades):
    return HandRanking.of("q", grades, ["d1", "d2", "d3"])


def unjudged():
    return opened(ranking=pack(HandRanking.of(QUERY, {}, ["d1", "d2"])))


ONE = {"q": {"d1": 3, "d2": 0, "d3": 1}}
TWO = ONE | {"p": {"d1": 1}}
X, Y = {"d1": 3, "d2": 2, "d3": 1}, {"d1": 1, "d2": 2, "d3": 3}
FINE = {"q": X, "p": X}, {"q": Y, "p": X}
TOLD = {
    "h01": lambda: pasted("d1\t3\n\t0\nd3\t1"),
    "h02": lambda: pasted("d1\t3\nd1\t0\nd3\t1"),
    "h04": lambda: inspected(judged({"d2": 0, "d3": 1}), editor="table"),
    "h11": emptied,
    "h13": graded_but_unnamed,
    "h14": lambda: pasted("".join(f"d{i}\t1\n" for i in range(10_000))),
    "h19": lambda: pasted("x" * 1_000_000 + "\t1"),
    "h23": lambda: opened(k=2.5),
    "h24": lambda: inspected(k=1000),
    "h25": lambda: opened(k=10**12),
    "h26": lambda: opened(k=""),
    "h29": lambda: opened(measure="RBP", p=1.2),
    "h30": lambda: inspected(measure="AP", level=4),
    "h32": lambda: inspected(measure="ERR", max=1),
    "h35": unjudged,
    "h36": lambda: inspected(judged({"d1": 0})),
    "h37": lambda: compared(ONE, {"q": X}, {"q": {"x1": 2, "x2": 1}}),
    "h38": lambda: compared(TWO, {"q": X, "p": X}, {"q": X, "p": X}),
    "h39": lambda: compared(ONE, {"q": X}, {"q": Y}),
    "u01": lambda: opened(k="abc"),
    "u02": lambda: opened(k=["-1", "5"]),
    "u03": lambda: opened(metric="<script>alert(1)</script>"),
    **{case: lambda made=made: opened(ranking=made()[0]) for case, made in LINKS.items()},
}


@cache
def page_of(case):
    """Return the page that reports a case, which no test may change."""
    return TOLD[case]()


def documents(at):
    """Return the documents of the first ledger, in order."""
    return [row["id"] for row in drawn(at, "ledger_shown")["tables"][0]["rows"]]


def said(at):
    """Return all messages of the page, by line."""
    told = [*at.error, *at.warning, *at.info, *at.caption, *at.markdown]
    return "\n".join(element.value for element in told)


@pytest.fixture(scope="module")
def always():
    """Return the lines of pages without a problem."""
    pages = opened(), inspected(), inspected(editor="table"), compared(TWO, *FINE)
    return {line for at in pages for line in said(at).splitlines()}


@cases("case", TOLD)
def test_problems_are_reported_in_these_words(case, always):
    assert CASES[case]["expected"] != "accept"
    at = page_of(case)
    assert not at.exception
    alarms = "\n".join(element.value for element in [*at.error, *at.warning])
    lines = [line for line in (alarms or said(at)).splitlines() if line not in always]
    # The repeated value of a link does not count as a message.
    told = [re.sub(r"= `[^`]*`", "", line) for line in lines]
    assert any(not unmentioned(case, line) for line in told), told


def test_every_case_is_tested():
    assert len(CASES) == 50
    assert not TOLD.keys() & ARGUED.keys()
    here = TOLD.keys() | ARGUED.keys() | {"u09"}
    assert here | REFUSED.keys() | MADE.keys() | LINKS.keys() == CASES.keys()


@cases("case", ["h23", "h25", "h26", "u01", "u02", "u03", *LINKS])
def test_a_refused_link_leaves_the_page_at_its_default(case):
    at = page_of(case)
    assert len(at.warning) == 1
    assert (scores(at)[0].label, scores(at)[0].value) == ("nDCG@5", "0.9602")
    assert "<script>" not in re.sub("`[^`]*`", "", said(at))


@cases("case", ["h01", "h02", "h13", "h14", "h19"])
def test_a_refused_edit_leaves_the_ranking_unchanged(case):
    at = page_of(case)
    assert len(at.error) == 1
    assert len(at.error[0].value) < 300
    assert at.query_params["ranking"] == pack(BASE)


@cases(
    ("setting", "told", "shown"),
    [
        ({"k": -5}, "k = `-5`", "nDCG@5"),
        ({"measure": "RBP", "p": 1.0}, "p = `1.0`", "RBP@5"),
        ({"measure": "RBP", "p": 1.2}, "p = `1.2`", "RBP@5"),
        ({"measure": "AP", "level": 0}, "level = `0`", "AP@5"),
    ],
)
def test_a_setting_out_of_its_range_is_reported_and_left_at_its_default(setting, told, shown):
    at = opened(**setting)
    assert told in at.warning[0].value
    assert "Expected a " in at.warning[0].value
    assert scores(at)[0].label == shown


def test_k_0_is_the_whole_ranking():
    at = opened(k=0)
    assert not at.warning
    assert scores(at)[0].label == "nDCG"
    (whole,) = at.checkbox
    assert (whole.label, whole.value) == ("Whole ranking", True)
    assert next(field for field in at.number_input if field.label == "Cutoff k").disabled
    whole.uncheck().run()
    assert scores(at)[0].label == "nDCG@5"
    assert at.number_input(key="k").min == 1
    at.checkbox[0].check().run()
    assert scores(at)[0].label == "nDCG"
    assert at.query_params["k"] == "0"


def test_a_cutoff_within_the_list_has_no_warning():
    assert "The list ends before" not in said(inspected(k=3))
    assert "The list ends before k = 4: it has 3 documents." in said(inspected(k=4))


def test_an_emptied_k_keeps_its_value():
    at = opened(k=3)
    at.number_input(key="k").set_value(None).run()
    assert not at.exception
    assert scores(at)[0].label == "nDCG@3"


@cases(
    ("undefined", "shown"),
    [("zero", "set to 0.0000"), ("one", "set to 1.0000"), ("skip", "left out of the mean")],
)
@cases("measure", ["nDCG", "AP"])
def test_an_undefined_score_names_the_choice_of_the_convention(measure, undefined, shown):
    at = inspected(judged({"d1": 0}), measure=measure, undefined=undefined)
    assert f"so {scores(at)[0].label} is undefined (0/0) and by convention {shown}." in said(at)


def test_a_measure_that_is_0_without_relevant_documents_is_not_undefined():
    told = said(inspected(judged({"d1": 0}), measure="RR"))
    assert "There is no relevant document." in told
    assert "undefined" not in told


def test_an_empty_ranking_of_judged_documents_scores_0():
    ranking = HandRanking.of(QUERY, {"d1": 3.0}, [])
    at = opened(ranking=pack(ranking))
    assert not at.exception
    assert scores(at)[0].value == "0.0000"
    assert "The ranking is empty" in said(at)


@cases("case", ["h16", "h17"])
@cases("editor", ["list", "table"])
def test_an_id_is_shown_literally_and_never_as_markdown(case, editor):
    name = CASES[case]["edit"]["docid"]
    ranking = HandRanking.of("q", {name: 3.0, "d2": 0.0, "d3": 1.0}, ["d2", name, "d3"])
    at = inspected(ranking, editor=editor)
    assert not at.exception
    assert not at.error
    assert [name, "d2", "d3"] == sorted(documents(at))
    assert name not in re.sub("`+[^`]*`+", "", said(at))


def test_edits_are_kept_but_never_applied_to_other_data():
    at = opened()
    old, new = (
        Dataset("mine", Qrels.from_dict(ONE), (Run.from_dict({"q": scores}, "mine"),))
        for scores in (X, {"d1": 1, "d2": 3, "d3": 2})
    )
    begun = HandRanking.from_run(old.qrels, old.runs[0], "q")
    swapped = move(move(begun, "d3", 1), "d1", 3)
    origin = Origin.of(old.qrels, old.runs[0], "q")
    at.session_state["_edits"] = Edits({origin: History(begun, begun).then(swapped).bare()})
    shown = {}
    for name, data in (("edited", old), ("replaced", new), ("back", old)):
        at.switch_page("pages/data.py").run()
        at.session_state["_upload"], at.session_state["example"] = data, "yours"
        shown[name] = documents(at.switch_page("pages/inspect_query.py").run())
    assert shown == {
        "edited": ["d3", "d2", "d1"],
        "replaced": ["d2", "d3", "d1"],
        "back": ["d3", "d2", "d1"],
    }


def test_runs_that_differ_in_one_score_are_not_called_identical():
    assert "identical" not in said(compared(ONE, {"q": X}, {"q": X | {"d1": 4}}))


def test_one_differing_query_of_three_is_compared_without_a_warning():
    assert CASES["h40"]["expected"] == "accept"
    qrels = {f"q{i}": ONE["q"] for i in range(3)}
    same = dict.fromkeys(qrels, X)
    at = compared(qrels, same, same | {"q1": Y})
    assert not at.exception
    assert not at.warning
    assert "1 of 3 queries" in said(at)


def test_an_unknown_page_is_reported_by_streamlit_and_the_first_page_shown(monkeypatch):
    assert CASES["u09"]["must_mention"] == ["page"]
    told = []
    monkeypatch.setattr("streamlit.commands.navigation.send_page_not_found", told.append)
    assert not opened().exception
    assert not told
    intend = PagesManager.set_script_intent
    monkeypatch.setattr(
        PagesManager, "set_script_intent", lambda pages, *_: intend(pages, "", "nope")
    )
    at = opened("start")
    assert told
    assert not at.exception
    assert at.title[0].value == "Why is this ranking 96 % perfect?"


@cases("name", ["cutoff", "threshold", "qid", "s"])
def test_a_parameter_by_another_name_is_reported(name):
    at = opened(**{name: "1"})
    assert f"{name} = `1`" in at.warning[0].value
    assert "Here it is called" in at.warning[0].value
    assert not at.run().warning
