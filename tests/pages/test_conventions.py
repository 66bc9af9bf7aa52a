"""Conventions: one ranking under every preset, and the convention behind a number."""

from functools import partial

from metrics import REGISTRY
from metrics.editing.edits import move
from metrics.editing.hand_ranking import HandRanking
from metrics.editing.ranking_link import pack
from metrics.teaching.samples import catalogue
from tests.cases import cases
from tests.pages.conftest import drawn, opened, tables_of, with_choices

RERANKING = "“How to Evaluate Reranking Quality with NDCG”"
page = partial(opened, "conventions")
line = partial(drawn, key="number_line")


def said(at):
    return " ".join(element.value for element in [*at.markdown, *at.info, *at.error])


def captions(at):
    return " ".join(element.value for element in at.caption)


def table(at, first):
    """Return the table on the page whose index has this name."""
    return next(frame for frame in tables_of(at) if frame.index.name == first)


@cases("symbol", REGISTRY)
def test_every_measure(symbol):
    assert not page(example="wikipedia", measure=symbol, k=3, printed="0.5").exception


@cases("key", catalogue)
def test_every_sample(key):
    assert not page(example=key).exception


def test_wikipedia_s_example_under_every_preset():
    at = page(example="wikipedia", k=6)
    assert "Grades in rank order: **3, 2, 3, 0, 1, 2**" in said(at)
    assert "judged, not retrieved: **3, 2**" in said(at)
    values = {", ".join(each["tools"]): each["value"] for each in line(at)["scores"]}
    assert values == {
        f"trec_eval, trec_eval 9, ir_measures, ranx, {RERANKING}": "0.7850",
        "scikit-learn, torchmetrics": "0.9608",
        "LightGBM, XGBoost": "0.9488",
        "LlamaIndex": "0.7900",
        "MLflow, AutoRAG, Spark MLlib": "0.8697",
        "OpenSearch": "0.7511",
        "“NDCG and MRR From Scratch” (batch code)": "0.7179",
    }
    # Each has its reason, and its ledger, which sums to it.
    for names, value in values.items():
        assert f"**{names}**" in said(at)
        opened_there = page(example="wikipedia", k=6, presets=names.split(", ")[0])
        assert not opened_there.exception
        assert f"**nDCG@6 = {value}** under: {names.split(', ')[0]}" in said(opened_there)
    assert {0.7562, 0.7691, 0.7511, 0.9608, 0.8697} <= set(table(at, "choice")["value"].round(4))


def test_each_tool_s_score_has_a_reason_that_names_the_documents():
    told = said(page(example="wikipedia", k=6))
    assert "**0.7850** as chosen" in told
    assert "**0.9608** +0.1758" in told
    assert (
        "**scikit-learn, torchmetrics**  \nThey never see `D7` (grade 3) and `D8` (grade 2), "
        "judged but not retrieved, so the ideal is easier (IDCG\xa08.740\xa0→\xa07.141)."
    ) in told
    # A document that the other ideal lacks is part of the reason.
    told = said(page(example="wikipedia", k=6, ideal="retrieved"))
    assert (
        "It counts `D1` (grade 3) and `D3` (grade 3) twice in the ideal, and also `D7` (grade 3), "
        "so the ideal is harder (IDCG\xa07.141\xa0→\xa09.558)."
    ) in told
    told = said(page(example="wikipedia", measure="AP", k=0))
    assert "so `D7` (grade 3) and `D8` (grade 2) cost nothing, though not retrieved" in told


def test_a_convention_is_used_on_every_page():
    at = page(example="wikipedia", k=6)
    at.button(key="use_LightGBM, XGBoost").click().run()
    assert "**0.9488** as chosen" in said(at)
    assert "under LightGBM, with gain: 2^grade − 1; ideal ranking: " in said(at)
    for other in ("inspect_query", "compare_runs"):
        with_choices(at.switch_page(f"pages/{other}.py").run())
        assert not at.exception
        chosen = {name: at.selectbox(key=name).value for name in ("gain", "ideal", "ties")}
        assert chosen == {"gain": "exponential", "ideal": "retrieved", "ties": "input"}


def test_a_published_number_leads_to_its_convention():
    at = page(example="wikipedia", k=6, printed="0.7377")
    assert "combinations of choices give it" in said(at)
    assert "No tool above gives this number" in said(at)
    assert table(at, "no.")["differs in"].iloc[0] == (
        "gain: 2^grade − 1; cutoff of the ideal: none"
    )
    at = page(example="four-items", printed="0.795")
    assert "**None** of" in said(at)
    assert "is not a number" in said(page(printed="high"))
    at = page(example="wikipedia", k=6, printed="0.9608")
    assert "these give it: **scikit-learn, torchmetrics**." in said(at)


def test_the_ranking_edited_on_inspect_is_the_one_shown():
    laptop = catalogue()["laptop"].load()
    ranking = HandRanking.from_run(laptop.qrels, laptop.runs[0], laptop.qrels.queries[0])
    edited = move(ranking, ranking.retrieved[-1].document, 3)
    at = page(example="laptop", ranking=pack(edited))
    assert "**nDCG@5 = 0.9923** under trec_eval" in said(at)
    # What was computed of the ranking before its edit is not shown.
    assert "**0.9602** as chosen" in said(page(example="laptop"))
    assert "**0.9923** as chosen" in said(page(example="laptop", ranking=pack(edited)))


def test_every_recorded_disagreement_can_be_read():
    at = page()
    picker = next(box for box in at.selectbox if box.label == "Recorded case")
    assert len(picker.options) == 31
    for case in picker.options:
        picker.select_index(picker.options.index(case))
        at.run()
        assert not at.exception
        assert not at.code
        results = " ".join(table(at, "tool")["result"])
        assert not set('{}"') & set(
            results.replace("{NumRel(rel=2)}", "").replace("{RBP}", "")
        ) or ("gains={" in results)
        picker = next(box for box in at.selectbox if box.label == "Recorded case")


def of_choices(**parameters):
    """Return why the score changes, by the choice that changes."""
    frame = table(page(example="wikipedia", **parameters), "choice")
    return dict(zip(frame["differs in"], frame["because"], strict=True))


def test_a_value_that_differs_has_a_reason():
    because = of_choices(measure="nDCG", k=6)
    assert because["discount: ln(rank + 1)"] == ""
    assert because["ideal ranking: retrieved documents only"] == "IDCG 8.740 → 7.141"
    assert because["gain: 2^grade − 1"] == "DCG 6.861 → 13.848, IDCG 8.740 → 18.438"
    # Five relevant documents are retrieved, two are not: each line grows by 7/5.
    vectors = of_choices(measure="AP", k=0)["AP divided by: relevant documents in the top k"]
    assert vectors.count("+") == 4
    assert "2 others" in vectors


def test_an_unknown_case_is_reported_at_once():
    at = page(case="nope")
    assert "case = `nope`" in at.warning[0].value


def test_every_tool_is_a_dot_at_its_score_on_the_line():
    at = page(example="wikipedia", k=6)
    assert [each["text"] for each in line(at)["ticks"]] == ["0.7", "0.8", "0.9", "1.0"]
    scores = line(at)["scores"]
    values = [float(each["value"]) for each in scores]
    assert values == sorted(set(values))
    assert [each["value"] for each in scores if each["now"]] == ["0.7850"]
    places = [each["at"] for each in scores]
    assert places == sorted(places)
    assert all(0 < place < 1 for place in places)


def test_the_chosen_convention_is_first_and_the_pressed_score_follows_it():
    at = page(example="wikipedia", k=6)

    def rows():
        return [each.value[2:8] for each in at.markdown if each.value.startswith("**0.")]

    # The line has the name of its measure.
    assert "nDCG@6 by tool" in captions(at)
    scores = rows()
    far = [abs(float(each) - float(scores[0])) for each in scores]
    assert scores[0] == "0.7850"
    assert far[1:] == sorted(far[1:], reverse=True)
    at = page(example="wikipedia", k=6, score="0.9488")
    assert rows() == ["0.7850", "0.9488", *(each for each in scores[1:] if each != "0.9488")]


def test_where_all_tools_agree_a_sentence_leads_to_a_measure_on_which_they_do_not():
    at = page(example="wikipedia", measure="R", k=6)
    assert drawn(at, "number_line") is None
    assert "All 10 tools agree on R@6: **0.7143**." in said(at)
    assert "Presets without R, not in this list: scikit-learn, LightGBM, XGBoost" in captions(at)
    next(each for each in at.button if each.label == "See nDCG").click().run()
    assert "**nDCG@6 = 0.7850**" in said(at)
    assert drawn(at, "number_line")


def test_a_link_opens_the_ledger_of_a_tool_which_says_its_division():
    at = opened("conventions", presets="LightGBM")
    assert not at.exception
    assert drawn(at, "browser")["sought"] == "picked_presets"
    labels = [each.label for each in at.button if "edger" in each.label]
    assert labels == [*["Ledger"] * 2, "Close the ledger", *["Ledger"] * 4]
    division = "nDCG@6 (normalised discounted cumulative gain) = DCG@6 ÷ IDCG@6 (ideal DCG) = "
    assert f"{division}13.8483 ÷ 14.5954" in said(at)
    next(each for each in at.button if each.label == "Close the ledger").click().run()
    assert division not in said(at)
    assert "presets" not in at.query_params
    unknown = opened("conventions", choices="none")
    assert any("choices = `none`" in each.value for each in unknown.warning)
