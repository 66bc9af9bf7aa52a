"""One query of a comparison is kept between reruns, and never shown for another one."""

from dataclasses import replace
from functools import cache

from streamlit.testing.v1 import AppTest

from metrics import TREC_EVAL, OneQuery, Pairing, Qrels, Run, parse
from metrics.conventions.choices import CHOICES
from metrics.data.notes import Note
from metrics.dataset import Dataset
from metrics.rendering import joined_lists
from pages.ui.compare.one_query import reversal
from tests.cases import cases
from tests.pages.conftest import ROOT, opened, tables_of

QRELS = Qrels.from_dict({q: {"w": 0, "x": 3, "y": 1, "z": 2} for q in ("q1", "q2")})
A = Run.from_dict({"q1": {"x": 3, "u": 2, "y": 2, "w": 1}, "q2": {"x": 2, "y": 1}}, "alpha")
B = Run.from_dict({"q1": {"y": 4, "z": 3, "u": 2, "x": 1}, "q2": {"y": 2, "z": 1}}, "beta")
INPUTS = {
    "qrels": QRELS,
    "a": A,
    "b": B,
    "measure": parse("nDCG@3"),
    "query": "q1",
    "convention": TREC_EVAL,
}
MADE = (reversal, OneQuery.condensed)
NOTE = Note("A note.", "N-TEST")
ORDER = Run.from_dict({"q1": {"u": 2, "x": 3, "y": 2, "w": 1}, "q2": {"x": 2, "y": 1}}, "alpha")
CHANGED = [
    {"qrels": Qrels.from_dict(QRELS.to_dict() | {"q1": {"w": 0, "x": 2, "y": 1, "z": 2}})},
    {"qrels": Qrels.from_dict(QRELS.to_dict() | {"q2": {"x": 9}})},
    {"qrels": replace(QRELS, name="other")},
    {"qrels": replace(QRELS, notes=(NOTE,))},
    {"qrels": replace(QRELS, reasons={"q1": {"x": "because"}})},
    {"qrels": replace(QRELS, aspects={"q1": {"x": {"1": 3.0}}})},
    {"a": B},
    {"b": A},
    {"a": ORDER},
    *({side: replace(INPUTS[side], name="other")} for side in "ab"),
    *({side: replace(INPUTS[side], tag="other")} for side in "ab"),
    *({side: replace(INPUTS[side], notes=(NOTE,))} for side in "ab"),
    *({"measure": parse(name)} for name in ("nDCG@2", "nDCG(gain=exponential)@3", "RBP(p=0.5)")),
    {"query": "q2"},
    {"convention": replace(TREC_EVAL, level=2.0)},
    *(
        {"convention": replace(TREC_EVAL, **{name: value})}
        for name, choice in CHOICES.items()
        for value in choice.values
        if value != getattr(TREC_EVAL, name)
    ),
]


def pairing(qrels, a, b, measure, query, convention):
    """Return the pairing of some inputs, and the query."""
    return Pairing(qrels, (a, b), (measure,), convention), query


def described(of, query):
    """Return everything that a page can show of a drawn query."""
    one = of.one(query)
    sides = [
        (of.run.name, of.run.tag, of.run.notes, of.run.to_dict(), of.lines.to_csv(), of.score)
        for of in one.sides
    ]
    drawn = {make: of.of_query(make, query) for make in MADE}
    lists = joined_lists.shown(one, DATA, joined_lists.depth(one), "")
    qrels = one.qrels.to_dict(), one.qrels.name, one.qrels.notes, one.qrels.reasons
    numbers = (
        joined_lists.depth(one),
        one.movement(3).to_csv(),
        drawn[reversal],
        drawn[OneQuery.condensed],
    )
    asked = one.query, str(one.measure), one.convention, one.grades.tolist(), one.documents
    return repr((sides, lists, qrels, one.qrels.aspects, numbers, asked, one.waterfall.to_csv()))


def asked():
    """Draw queries as a page does, all in one session."""
    from dataclasses import replace

    import streamlit as st

    from pages.ui import cache

    found = [(replace(of, memory=cache.remember), query) for of, query in st.session_state["asked"]]
    make = st.session_state["described"]
    st.session_state["found"] = [(of.one(query), make(of, query)) for of, query in found]


@cache
def described_anew():
    """Return what is shown of the unchanged inputs, drawn without a session."""
    return described(*pairing(**INPUTS))


@cases("changed", CHANGED, ids=lambda of: str(of)[:60])
def test_each_changed_input_draws_its_own_query(changed):
    at = AppTest.from_function(asked)
    inputs = INPUTS | changed
    at.session_state["asked"] = [pairing(**each) for each in (INPUTS, inputs, INPUTS)]
    at.session_state["described"] = described
    (first, of_first), (other, of_other), (again, of_again) = at.run().session_state["found"]
    assert again is first
    assert other is not first
    assert of_first == of_again == described_anew()
    assert of_other == described(*pairing(**inputs))


def shown(at, *kinds):
    """Return all that a page shows, in order; with kinds, only elements of these."""
    found, nodes = [], [at._tree]
    while nodes:
        node = nodes.pop()
        nodes += reversed(getattr(node, "children", {}).values())
        if hasattr(getattr(node, "proto", None), "SerializeToString"):
            found.append(node.proto)
    found = [proto for proto in found if not kinds or type(proto).__name__ in kinds]
    for proto in found:
        if hasattr(proto, "deferred_file_id"):
            # A file that is made on request has a name by chance.
            proto.deferred_file_id = ""
        styled = getattr(getattr(proto, "arrow_data", None), "styler", None)
        if styled and styled.uuid:
            # Pandas names each styled table by chance.
            styled.styles = styled.styles.replace(styled.uuid, "")
            styled.uuid = ""
    return [proto.SerializeToString(deterministic=True) for proto in found]


TEXTS = {name: f"text of {name}" for name in "uwxyz"}
DATA = Dataset("mine", QRELS, (A, B), {"q1": "first", "q2": "second"}, TEXTS)
OTHERS = {
    "document texts": replace(DATA, document_texts=TEXTS | {"x": "another text"}),
    "titles": replace(DATA, document_fields={"title": {"x": "a title"}}),
    "query texts": replace(DATA, query_texts={"q1": "one", "q2": "two"}),
    "reasons": replace(DATA, qrels=replace(QRELS, reasons={"q1": {"x": "because"}})),
}


@cases("other", OTHERS.values(), ids=OTHERS)
def test_other_data_with_the_same_numbers_are_shown_as_in_a_new_session(other):
    at, new = (AppTest.from_file(str(ROOT / "app.py"), default_timeout=120) for _ in range(2))
    for page, data in ((at, DATA), (new, other)):
        page.session_state["_upload"] = data
        page.session_state["data"] = "yours"
        page.session_state["look"] = "Query tables"
        page.switch_page("pages/compare_runs.py").run()
    before = shown(at)
    at.session_state["_upload"] = other
    at.run()
    new.run()
    assert before != shown(at) == shown(new)


def remembered():
    """Ask what keeps reasons for the data of two uploads, in one session."""
    import streamlit as st

    from pages.ui import cache

    st.session_state["found"] = [
        (
            cache.graded(data.qrels, {"q2": {"x": 1.0}}).reasons,
            cache.cut(data, ("q1",), "").qrels.reasons,
            cache.of_both(data.qrels, st.session_state["judge"]).listed["reason A"].tolist(),
        )
        for data in st.session_state["asked"]
    ]


def test_uploads_that_differ_in_the_words_of_a_reason_show_their_own():
    at = AppTest.from_function(remembered)
    reasons = [{"q1": {"x": words}} for words in ("near", "nice")]
    at.session_state["asked"] = [replace(DATA, qrels=replace(QRELS, reasons=of)) for of in reasons]
    at.session_state["judge"] = Qrels.from_dict({"q1": {"x": 0}})
    expected = [(of, of, [of["q1"]["x"]]) for of in reasons]
    assert at.run().session_state["found"] == expected


CHOICES_ON_THE_PAGE = {
    "q": "q02",
    "k": 3,
    "measure": "AP",
    "level": 2.0,
    "tie": 0.3,
    "outcome": "B better",
    "ties": "input",
    "unjudged": "removed",
    "ideal": "retrieved",
    "scores": "single",
    "a": "ideal",
    "b": "ideal",
}


def test_each_choice_on_the_page_shows_what_a_new_session_does():
    at = opened("compare_runs", q="q01")
    kinds = "PlotlyChart", "Markdown", "Alert"
    for key, value in CHOICES_ON_THE_PAGE.items():
        default = at.session_state[key]
        at.session_state[key] = value
        at.run()
        # A session keeps its query and document as long as they can be chosen.
        kept = {
            name: at.session_state[name] for name in ("q", "document") if name in at.session_state
        }
        new = opened("compare_runs", **kept | {key: value})
        assert shown(at, *kinds) == shown(new, *kinds), key
        # A table that was cached has other bytes than a new one with the same rows.
        both = ([each.to_csv() for each in tables_of(page)] for page in (at, new))
        assert next(both) == next(both), key
        # The next run has the next choice alone.
        at.session_state[key] = default
