"""The picture of Compare: every query as a bar, and one query as two lists joined by slopes."""

import json
import math
from functools import partial

import pytest

from metrics import Dataset, Pairing, Qrels, Run, compare
from metrics.comparing.one_query import one_query
from metrics.deciding import Statement
from metrics.rendering import joined_lists
from metrics.teaching.samples import catalogue
from pages.ui.compare import query_bars
from tests.cases import cases
from tests.pages.conftest import drawn, opened, texts

shown = partial(opened, "compare_runs", data="shop", measure="nDCG", k=10)
SHOP = catalogue()["shop"].load()
COMPARED = compare(SHOP.qrels, *SHOP.runs, "nDCG@10")


def test_every_query_is_a_bar_of_the_band_of_its_winner():
    data = drawn(shown(), "query_bars")
    delta = COMPARED.per_query("nDCG@10")["delta"]
    sides = {band["side"]: band["rows"] for band in data["bands"]}
    for side, of in (("B", delta[delta > 1e-9]), ("A", delta[delta < -1e-9])):
        assert {row["id"]: row["delta"] for row in sides[side]} == of.to_dict()
        sizes = [abs(row["delta"]) for row in sides[side]]
        assert sizes == sorted(sizes, reverse=True)
    assert [band["title"] for band in data["bands"]] == [
        "B better on 16",
        "Equal on 7",
        "A better on 6",
    ]
    assert (data["least"], data["most"]) == (delta.min(), delta.max())
    row = sides["B"][0]
    assert row["name"] == SHOP.query_texts[row["id"]]
    assert data["why"] == {}


def test_of_thousands_of_queries_the_browser_gets_the_ends_and_the_picked_one():
    many = 3 * query_bars.SENT
    names = [f"q{at:04}" for at in range(many)]
    qrels = Qrels.from_dict({name: {"x": 1} for name in names})
    a = Run.from_dict({name: {f"n{i}": 99 - i for i in range(3)} | {"x": 1} for name in names}, "a")
    b = Run.from_dict({name: {"x": 2, "y": 1} for name in names}, "b")
    at = opened("data")
    at.session_state["_upload"] = Dataset("Your data", qrels, (a, b))
    at.session_state["data"], at.session_state["q"] = "yours", names[-1]
    at.switch_page("pages/compare_runs.py").run()
    assert not at.exception
    band = drawn(at, "query_bars")["bands"][0]
    # Without texts the first ones say which document made most of their delta.
    assert set(drawn(at, "query_bars")["why"].values()) == {"x: 4 → 1, +0.5693"}
    assert len(drawn(at, "query_bars")["why"]) == query_bars.EXPLAINED
    assert (band["size"], len(band["rows"])) == (many, query_bars.SENT + 1)
    assert band["rows"][-1]["id"] == names[-1] == drawn(at, "query_bars")["picked"]
    # So the browser knows how many are between.
    assert [row["place"] for row in band["rows"]] == [*range(query_bars.SENT), many - 1]


@cases("query", ["q12", "q20", "q21", "q29"])
@cases("measure", ["nDCG@10", "AP", "RR", "DCG@3"])
def test_two_lists_and_bars_are_the_numbers_of_the_query(query, measure):
    one = one_query(SHOP.qrels, *SHOP.runs, measure, query)
    data = joined_lists.shown(one, SHOP, 10, "")
    json.dumps(data, allow_nan=False)
    # It is read aloud, so it is no Markdown.
    assert "`" not in data["lists"]["alt"]
    for side, listed in zip(one.sides, data["lists"]["sides"], strict=True):
        assert [row["id"] for row in listed] == side.documents[:10]
        assert [row["rank"] for row in listed] == [*range(1, len(listed) + 1)]
    delta = one.delta.to_dict()
    for link in data["lists"]["links"]:
        assert math.copysign(1, link["weight"]) == math.copysign(
            1, delta.get(link["id"], 0.0)
        ) or not (delta.get(link["id"]) or link["weight"])
    linked = {link["id"] for link in data["lists"]["links"]}
    near = {row["id"] for side in data["lists"]["sides"] for row in side}
    assert linked == near
    if data["bars"] is None:
        assert not any(delta.values())
        return
    *bars, together = data["bars"]
    assert together["to"] == pytest.approx(one.b.score - one.a.score)
    assert bars[-1]["to"] == pytest.approx(together["to"])
    assert [bar["from"] for bar in bars] == [0.0, *(bar["to"] for bar in bars[:-1])]
    assert len(bars) <= joined_lists.BARS + 1


def test_a_presented_verdict_says_what_could_turn_it():
    at = shown(present="verdict")
    assert any("a grade (`bm25` 27, `char_ngrams` 39, both 7): " in each for each in texts(at))


def test_what_one_list_lacks_has_its_words():
    qrels = Qrels.from_dict({"q": {"x": 1, "y": 2}})
    a = Run.from_dict({"q": {"x": 3, "u": 2, "y": 1}})
    b = Run.from_dict({"q": {"y": 3, "v": 2}})
    one = one_query(qrels, a, b, "nDCG", "q")
    whole = joined_lists.shown(one, Dataset("", qrels, (a, b)), 10, "")["lists"]
    assert whole["below"] == ["not retrieved", "not retrieved"]
    assert {link["id"] for link in whole["links"]} == {"x", "y", "u", "v"}
    cut = joined_lists.shown(one, Dataset("", qrels, (a, b)), 2, "")["lists"]
    assert cut["below"] == ["rank 3 or not retrieved", "not retrieved"]
    assert cut["dots"] == 2
    halves = Qrels.from_dict({"q": {"x": 0.5}})
    of_halves = one_query(halves, a, b, "nDCG", "q")
    assert joined_lists.shown(of_halves, Dataset("", halves, (a, b)), 2, "")["lists"]["dots"] == 0


def test_one_document_alone_is_not_bundled():
    names = [f"d{at}" for at in range(joined_lists.BARS + 2)]
    for many in (joined_lists.BARS + 1, joined_lists.BARS + 2):
        # Each document moves: the first becomes the last.
        some = names[:many]
        runs = (Run.from_dict({"q": ranking}) for ranking in (some, [*some[1:], some[0]]))
        qrels = Qrels.from_dict({"q": {name: at + 1 for at, name in enumerate(some)}})
        one = one_query(qrels, *runs, "nDCG", "q")
        *bars, _ = joined_lists.shown(one, Dataset("", qrels, ()), 10, "")["bars"]
        alone = many == joined_lists.BARS + 1
        assert {bar["name"] for bar in bars} >= ({*some} if alone else {"2 others"})


@cases(
    ("a", "b", "words"),
    [
        ({"u": 2, "x": 1}, {"x": 2, "u": 1}, "A x is at rank 2 in {}, at rank 1 in {}: +0.5000."),
        ({"u": 2}, {"x": 2}, "{1} has A x at rank 1, {0} does not have it: +1.0000."),
        ({"x": 2}, {"u": 2}, "{} has A x at rank 1, {} does not have it: −1.0000."),
        ({"x": 2}, {"x": 2}, "No document changes the score of this query."),
    ],
)
def test_one_sentence_says_what_made_the_difference(a, b, words):
    # The name of a document or a run may have a letter of its own.
    a, b = ({{"x": "A x"}.get(each, each): at for each, at in side.items()} for side in (a, b))
    qrels = Qrels.from_dict({"q": {"A x": 1}})
    runs = [
        Run.from_dict({"q": ranking}, name=name) for ranking, name in ((a, "v B"), (b, "B → A"))
    ]
    one = one_query(qrels, *runs, "RR", "q")
    for large, names in ((False, "AB"), (True, ("v B", "B → A"))):
        drawn = joined_lists.shown(one, Dataset("", qrels, runs), 10, large=large)
        assert "".join(said for _, said in drawn["sentence"]) == words.format(*names)
        first, second = (f"{side.score:.4f}" for side in one.sides)
        said = "".join(each for _, each in drawn["scores"])
        assert said == f"RR {names[0]} {first}, {names[1]} {second}"


def test_only_what_can_turn_the_verdict_is_in_view():
    at = shown()
    verdict = Pairing.of(SHOP.qrels, SHOP.runs, ["nDCG@10"]).verdict
    lead = next(each for each in verdict.threats if each.kind == "grades").facts["lead_low"]
    assert lead < 0
    assert [each.kind for each in verdict.turning] == ["grades"]
    (popover,) = [each for each in at.get("popover") if each.proto.popover.label == "Method"]
    inside = " ".join(each.value for each in popover.markdown)
    assert "▲" not in inside
    assert "**Other measures**" in inside
    view = " ".join(texts(at)).replace(inside, "")
    assert "▲ **Missing grades**" in view
    # The line of evidence says it, once.
    assert "**Chance**" not in view + inside
    assert "**Unjudged**" in inside
    assert "better on 16 of 29 queries, worse on 6, equal on 7 · chance alone gives" in view


def test_a_threat_that_turns_nothing_is_a_remark():
    found = [
        Statement("few", "…"),
        Statement("ties", "…", (), {"lead_low": -0.1, "lead_high": 1.0}),
    ]
    assert [each.can_turn for each in found] == [False, True]
    assert Statement("choices", "…", reverses=True).can_turn


def test_one_query_alone_has_no_bars_and_its_tables_in_sight():
    qrels = Qrels.from_dict({"q": {"x": 2, "y": 1}})
    runs = (
        Run.from_dict({"q": r}, n) for n, r in (("a", {"x": 2, "y": 1}), ("b", {"y": 2, "x": 1}))
    )
    at = opened("data")
    at.session_state["_upload"] = Dataset("Your data", qrels, tuple(runs), {"q": "hello"})
    at.session_state["data"] = "yours"
    at.switch_page("pages/compare_runs.py").run()
    assert not at.exception
    assert drawn(at, "query_bars") is None
    assert drawn(at, "two_lists")["title"] == "hello"
    for side in "AB":
        (sheet,) = drawn(at, f"ledger_of_{side}")["tables"]
        names = [column["name"] for column in sheet["columns"]]
        assert {"rank", "document", "grade", "contribution"} <= {*names}
    assert "queries" not in " ".join(each.proto.popover.label for each in at.get("popover"))
    assert any("1 query is an example" in each for each in texts(at))


def test_closed_sections_are_not_drawn():
    at = shown()
    assert drawn(at, "result_cards") is drawn(at, "ledger_of_A") is None
    assert not [box for box in at.selectbox if box.label == "Document"]
    for look, keys in (("Results", ["result_cards"]), ("Query tables", ["ledger_of_A"])):
        at = shown(look=look)
        assert not at.exception
        assert None not in [drawn(at, key) for key in keys]
    assert any("condensed lists" in each for each in texts(shown(look="Unjudged")))
    linked = shown(q="q12", document="python-19")
    assert linked.selectbox(key="document").value == "python-19"


def test_the_size_of_a_tie_is_part_of_the_evidence():
    assert any("better by more than 0.05 on" in each for each in texts(shown(tie=0.05)))


def press(at, label):
    next(each for each in at.button if each.label == label).click()
    return at


def test_the_query_in_view_is_judged_if_it_lacks_grades():
    lacks = {
        one.query: one.movement(10)["grade"].isna().any()
        for one in (one_query(SHOP.qrels, *SHOP.runs, "nDCG@10", q) for q in SHOP.qrels.queries)
    }
    for is_opened in (True, False):
        query = next(name for name, some in lacks.items() if some == is_opened)
        at = press(shown(q=query), "Judge them").switch_page("pages/judge.py").run()
        assert not at.exception
        assert (at.session_state["query"] == query) == is_opened
        at = press(at, "Back to Compare").switch_page("pages/compare_runs.py").run()
        assert not at.exception
        assert at.session_state["q"] == query


def test_data_that_are_gone_leave_no_sentence_with_holes():
    at = opened("compare_runs", data="yours")
    assert at.warning[0].value.startswith("The data for this page were uploaded in a session")
    assert not any("against" in each.value for each in at.markdown)
    press(at, "Show a sample").run()
    assert drawn(at, "two_lists")


def test_what_counts_comes_before_what_is_done_with_it():
    at = shown(look="Query tables")
    order = [(each.type, getattr(each, "value", None)) for each in at.main]
    saving = [place for place, (kind, _) in enumerate(order) if kind == "download_button"]
    assert order.index(("markdown", "**Difference**")) < min(saving)
    words = [each.value for each in shown(look="Unjudged").main if each.type in TEXTS]
    (warning,) = (at for at, each in enumerate(words) if "condensed lists" in each)
    (alike,) = (at for at, each in enumerate(words) if "Kendall" in each)
    assert warning < alike


TEXTS = "markdown", "caption"
