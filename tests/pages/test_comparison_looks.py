"""The tabs of Compare show the core's numbers, and links open them."""

import json
import re
from functools import partial

import numpy as np
import pytest

from metrics import TREC_EVAL, Convention, Dataset, Pairing, Qrels, Run, compare, evaluate, trace
from metrics.comparing import slices
from metrics.comparing.evidence import PairedTest, by_group, holm_corrected, uncorrected
from metrics.comparing.leaderboard import leaderboard
from metrics.comparing.one_query import one_query
from metrics.comparing.reversal import reversal
from metrics.comparing.robustness import Setting
from metrics.comparing.similarity import overlaps
from metrics.rendering import (
    comparison_charts,
    comparison_tables,
    comparison_text,
    query_charts,
    run_charts,
    tables,
    text,
)
from metrics.rendering import (
    report as comparison_files,
)
from metrics.teaching.samples import catalogue
from tests.cases import cases
from tests.pages.conftest import drawn, drop, opened, pressed, scores, tables_of, texts

FILES = ("qrels.json", "a.json", "b.json")

looked = partial(opened, "compare_runs", data="shop", measure="nDCG", k=10)
MEASURE = "nDCG@10"


@pytest.fixture(scope="module")
def shop():
    return catalogue()["shop"].load()


@pytest.fixture(scope="module")
def compared(shop):
    return compare(shop.qrels, *shop.runs, [MEASURE, "Unjudged@10"])


def frame_of(at, name, *columns):
    frames = tables_of(at)
    return next(f for f in frames if f.index.name == name and {*columns} <= {*f.columns})


@cases("shown", ["all", *slices.OUTCOMES])
def test_the_chosen_queries_are_listed_in_order(shown, shop, compared):
    at = looked(look="Queries", shown=shown)
    assert not at.exception
    frame = frame_of(at, "query", "A", "delta")
    every = compared.per_query(MEASURE)
    delta = every["delta"]
    holes = compared.per_query("Unjudged@10")
    expected = {
        "all": delta,
        "B better": delta[delta > 1e-9],
        "A better": delta[delta < -1e-9],
        "ties": delta[delta.abs() <= 1e-9],
    }.get(shown, delta)
    assert set(frame.index) == set(expected.index)
    assert frame["delta"].to_dict() == expected.to_dict()
    assert frame["unjudged A"].tolist() == (10 * holes["A"][frame.index]).round().tolist()
    order = {
        "all": -frame["delta"],
        "B better": -frame["delta"],
        "A better": frame["delta"],
        "ties": 0 * frame["delta"],
    }
    assert order[shown].is_monotonic_increasing
    common = overlaps(*shop.runs, 10)
    assert frame["in common"].to_dict() == common[frame.index].to_dict()


@cases("by", ["in common", "-unjudged B"])
def test_a_link_sorts_the_queries_by_a_column(by):
    at = looked(look="Queries", queries_by=by)
    assert not at.exception
    values = frame_of(at, "query", "A", "delta")[by.removeprefix("-")]
    assert values.nunique() > 2
    assert values.is_monotonic_decreasing if by.startswith("-") else values.is_monotonic_increasing
    assert at.query_params["queries_by"] in (by, [by])
    unknown = looked(look="Queries", queries_by="rank")
    assert any("queries_by = `rank`" in each.value for each in unknown.warning)


def test_groups_of_queries_have_their_own_evidence(shop, compared):
    frame = frame_of(looked(look="Queries"), "group")
    groups = {
        group: [q for q in compared.queries if shop.query_attributes["group"][q] == group]
        for group in set(shop.query_attributes["group"].values())
    }
    found = holm_corrected(
        {name: uncorrected(compared.only(qs), MEASURE) for name, qs in groups.items()}
    )
    assert by_group(compared, MEASURE, shop.query_attributes["group"]) == found
    assert frame["delta B − A"].to_dict() == {name: row.delta for name, row in found.items()}
    assert frame["B better"].to_dict() == {name: row.wins for name, row in found.items()}
    assert frame.index.size == 3


def test_groups_are_of_one_attribute_of_several_and_two_attributes_cross():
    queries = range(8)
    qrels = "".join(f"q{n} 0 x 1\n" for n in queries)
    a, b = (
        "".join(f"q{n} Q0 x 1 {9 - place} t\nq{n} Q0 y 2 5 t\n" for n in queries)
        for place in (0, 9)
    )
    device, hour = ("mobile", "desktop"), ("noon", "night", "noon", "noon")
    lines = (f"q{n},{device[n % 2]},{hour[n // 2]},{3 * n + 1}\n" for n in queries)
    attributes = f"query,device,hour,hits\n{''.join(lines)}".encode()
    at = opened("data")
    drop(at, ("q.txt", qrels.encode()), ("a.run", a.encode()), ("b.run", b.encode()))
    drop(at, ("attributes.csv", attributes))
    at.query_params["look"] = "Queries"
    at.switch_page("pages/compare_runs.py").run()
    assert not at.exception
    # A number that does not repeat is a weight, which the verdict names.
    assert "Weighted by `hits`" in " ".join(each.value for each in at.markdown)
    assert sorted(frame_of(at, "group").index) == ["desktop", "mobile"]
    choice = at.selectbox(key="attribute")
    assert choice.options == ["device", "hour"]
    choice.set_value("hour").run()
    assert sorted(frame_of(at, "group").index) == ["night", "noon"]
    at.multiselect(key="group").set_value(["device: mobile", "hour: noon"]).run()
    assert not at.exception
    assert sorted(frame_of(at, "query").index) == ["q0", "q4", "q6"]
    said = "3 of 8 queries (`device` `mobile`; `hour` `noon`)"
    assert any(said in each for each in texts(at))


@cases("key", ["shop", "reranking", "two-retrievers"])
def test_both_charts_show_every_data_set(key):
    at = opened("compare_runs", data=key, look="Scores")
    assert not at.exception
    assert not at.warning


@cases("tie", [1e-9, 0.05])
def test_the_distribution_counts_every_query_once(compared, tie):
    delta = compared.per_query(MEASURE)["delta"].to_numpy()
    drawn = query_charts.distribution(delta, MEASURE, "trec_eval", tie)
    bars, ties = drawn.figure.data
    assert ties.y[0] == (np.abs(delta) <= tie).sum()
    assert sum(bars.y) + ties.y[0] == len(delta)
    sides = {True: 0, False: 0}
    for middle, count in zip(bars.x, bars.y, strict=True):
        sides[middle > 0] += count
    assert sides == {True: (delta > tie).sum(), False: (delta < -tie).sum()}


def test_document_totals_sum_to_the_delta_of_the_mean(shop, compared):
    at = looked(look="Documents")
    frame = frame_of(at, "document", "queries")
    totals = compared.document_totals(MEASURE)
    assert frame["delta"].to_dict() == totals["delta"][frame.index].to_dict()
    assert frame["delta"].sum() == pytest.approx(compared.summary(MEASURE).delta)
    said = " ".join(element.value for element in at.markdown)
    assert f"together {text.signed(totals['delta'].sum())}, the delta of the mean" in said


def test_a_pressed_document_opens_its_queries_in_any_order(compared, shop):
    at = looked(look="Documents")
    every = compared.documents(MEASURE)

    def opened(at, name):
        assert not at.exception
        lines = every[(every["document"] == name) & (every["delta"] != 0)]
        queries = sorted(map(shop.query_texts.get, lines["query"]))
        return sorted(frame_of(at, "query", "rank A").index) == queries

    names = frame_of(at, "document", "queries").index.tolist()
    at = pressed(at, "queries", row=1)
    assert opened(at, names[1])
    drawn = [json.loads(each.proto.json) for each in at.get("bidi_component")]
    grades = [each for each in drawn if each.get("columns", [])[:3] == ["query", "delta", "grade"]]
    assert grades
    assert all(grade.isdigit() for each in grades for _, _, grade, *_ in each["rows"]), grades
    # The row that was pressed stays picked where the table is sorted.
    at = pressed(at, "queries", by=[0, True])
    assert frame_of(at, "document", "queries").index.tolist() == sorted(names, reverse=True)
    assert opened(at, names[1])
    assert opened(pressed(at, "queries", row=3), sorted(names)[-4])


@cases("query", ["q12", "q20", "q22", "q29"])
def test_both_tables_have_the_lines_that_sum_to_the_scores(query, shop):
    at = looked(q=query, look="Query tables")
    for side, run in zip("AB", shop.runs, strict=True):
        (sheet,) = drawn(at, f"ledger_of_{side}")["tables"]
        ledger = trace(shop.qrels, run, MEASURE, query).parts[0]
        assert sheet["score"] == text.number(ledger.scores[0])
        assert [row["id"] for row in sheet["rows"]] == ledger.hits.document.to_pylist()[:10]
    moved = frame_of(at, "document", "rank A", "rank B")
    delta = one_query(shop.qrels, *shop.runs, MEASURE, query).delta
    assert moved["delta"].sum() == pytest.approx(delta.sum())


def test_the_effect_of_unjudged_documents_is_reported(shop):
    for query in ("q12", "q20", "q03"):
        found = reversal(one_query(shop.qrels, *shop.runs, MEASURE, query))
        at = looked(q=query, look="Unjudged")
        said = " ".join(texts(at))
        assert comparison_text.reversal(found, "either top 10") in said
        assert "condensed lists" in said


def test_a_verdict_that_could_reverse_names_the_documents():
    qrels = Qrels.from_dict({"q": {"x": 1, "w": 2}})
    a = Run.from_dict({"q": {"x": 3, "u": 2, "v": 1}})
    b = Run.from_dict({"q": {"u": 3, "v": 2, "x": 1}})
    found = reversal(one_query(qrels, a, b, "DCG@3", "q"))
    assert found.can_reverse
    said = comparison_text.reversal(found, "either top 3")
    assert (
        "**On this query the other run could be ahead**: for example with the grades `u` 2" in said
    )


def test_the_ideal_ranking_is_compared_like_any_other(shop):
    at = looked(a="bm25", b="ideal")
    assert not at.exception
    shown = {metric.label: metric.value for metric in scores(at)}
    expected = evaluate(shop.qrels, shop.qrels.to_dict(), MEASURE).mean[MEASURE]
    assert shown[f"mean {MEASURE}, B"] == text.number(expected)
    labels = {button.label for button in at.button}
    assert "Open A in Inspect" in labels
    assert "Open B in Inspect" not in labels


def test_what_no_query_lacks_has_no_column_and_what_cancels_out_made_nothing():
    at = opened("compare_runs", data="reranking", look="Queries")
    frame = frame_of(at, "query", "largest part")
    assert not {"unjudged A", "unjudged B"} & {*frame}
    assert "No query has documents in the top 10 without a grade" in " ".join(texts(at))
    tied = frame["delta"].abs() < 1e-9
    assert tied.any()
    assert (frame["largest part"] == "").equals(tied)


@cases("tab", ["Queries", "Documents"])
def test_a_delta_has_its_sign_in_every_table(shop, tab):
    at = looked(look=tab)
    seen = 0
    for each in at.get("bidi_component"):
        drawn = json.loads(each.proto.json)
        for place, name in enumerate(drawn.get("columns", []) if "rows" in drawn else []):
            if tables.is_delta(str(name)):
                deltas = [row[place] for row in drawn["rows"]]
                assert all(
                    re.fullmatch(r"[+−]\d+\.\d(\d{3})?|0\.0(000)?|–", each) for each in deltas
                )
                seen += len({each[0] for each in deltas} & {*"+−"})
    assert seen >= 2


def test_all_runs_are_ranked_by_their_mean(shop):
    at = looked(look="All runs", runs="bm25|ideal|char_ngrams")
    assert not at.exception
    frame, pairs = frame_of(at, "run", MEASURE), frame_of(at, "run", "minus")
    assert frame.index.tolist() == ["Ideal", "char_ngrams", "bm25"]
    assert frame[MEASURE].is_monotonic_decreasing
    assert frame.loc["Ideal", MEASURE].endswith(" ² ³"), "ahead of both runs"
    assert {"AP", "RR"} <= {*frame}
    assert len(pairs) == 3
    assert "`Ideal` has the highest mean" in " ".join(each.value for each in at.markdown)
    assert "runs = `gone`" in looked(look="All runs", runs="gone").warning[0].value


def test_the_matrix_holds_every_pair_twice_with_opposite_signs(shop):
    scores = {run.name: evaluate(shop.qrels, run, MEASURE) for run in shop.runs}
    scores["Ideal"] = evaluate(shop.qrels, shop.qrels.to_dict(), MEASURE)
    board = leaderboard(scores, MEASURE)
    (squares,) = run_charts.matrix(board, TREC_EVAL.label).figure.data
    cells = dict(zip(squares.customdata, squares.text, strict=True))
    assert len(cells) == 6
    for cell, said in cells.items():
        row, column = cell.split()
        mirrored = cells[f"{column} {row}"]
        assert {said[0], mirrored[0]} == {"+", "−"}
        assert said[1:] == mirrored[1:]


def test_a_rank_test_may_favour_the_run_with_the_lower_mean():
    deltas = [-0.01 - i / 1000 for i in range(19)] + [0.9]
    pair = pair_of({f"q{i}": (0.05, 0.05 + d) for i, d in enumerate(deltas)})
    found = uncorrected(pair, "nDCG", PairedTest("wilcoxon"))
    assert found.delta > 0 > found.towards
    assert found.p < 0.05
    assert not found.sure
    assert uncorrected(pair, "nDCG", PairedTest("randomisation")).towards > 0


def pair_of(scores):
    """Return a comparison in which each query has these two scores."""
    qrels, sides = {}, ({}, {})
    for query, pair in scores.items():
        qrels[query] = {"ideal": 1.0, "a": round(pair[0], 6), "b": round(pair[1], 6)}
        for side, name in zip(sides, "ab", strict=True):
            side[query] = {name: 1.0}
    runs = map(Run.from_dict, sides)
    return compare(Qrels.from_dict(qrels), *runs, "nDCG", Convention(ideal_cut="k"))


@cases(
    ("link", "words"),
    [
        ({"tie": 1}, "do not differ in nDCG@10: no difference of more than 1 on any of 29 queries"),
        (
            {"measure": "IDCG", "ideal": "doubled"},
            ":orange[`char_ngrams`] leads :blue[`bm25`], which may be chance: IDCG@10",
        ),
        (
            {"measure": "IERR", "ideal": "doubled"},
            ":orange[`char_ngrams`] leads :blue[`bm25`], which may be chance: IERR@10",
        ),
    ],
)
def test_sentences_in_edge_cases(link, words):
    at = opened("compare_runs", **({"data": "shop", "k": 10} | link))
    assert not at.exception
    assert words in " ".join(texts(at))


@cases("runs", ["bm25|bm25", "bm25|rrf", "x"])
def test_a_link_to_unknown_runs_is_reported(runs):
    at = looked(look="All runs", runs=runs)
    assert not at.exception
    assert "runs = " in at.warning[0].value


def test_a_possible_tie_is_named(shop):
    found = reversal(one_query(shop.qrels, *shop.runs, "P@10", "q12"))
    assert (found.can_reverse, round(found.low, 9)) == (False, 0.0)
    assert "but the two could tie" in comparison_text.reversal(found, "either top 10")
    apart = reversal(one_query(shop.qrels, *shop.runs, MEASURE, "q12"))
    assert "the same run stays ahead" in comparison_text.reversal(apart, "either top 10")


def test_a_document_named_like_the_bar_of_the_ideals_is_kept_apart(shop):
    """Differing ideals are a row of the sum, and a document may have the same name."""
    convention = Convention(ideal="retrieved")
    name = "(the ideals differ)"
    qrels = Qrels.from_dict({"q1": {name: 2, "y": 1, "z": 3}, "q2": {"a": 1}})
    a = Run.from_dict({"q1": {"y": 2, name: 1}, "q2": {"a": 1}})
    b = Run.from_dict({"q1": {"z": 2, name: 1}, "q2": {"b": 2, "a": 1}})
    totals = compare(qrels, a, b, MEASURE, convention).document_totals(MEASURE)
    assert totals.loc[[name], "ranked"].sort_values().tolist() == [False, True]
    assert totals["delta"].sum() == pytest.approx(
        compare(qrels, a, b, MEASURE, convention).summary(MEASURE).delta, abs=1e-12
    )


def test_a_comparison_without_any_score_is_reported():
    at = opened("data")
    runs = [(f"{name}.run", b"q1 Q0 d1 1 1 t") for name in ("x", "y")]
    drop(at, ("q.txt", b"q1 0 d1 0"), *runs)
    at.query_params["undefined"] = "skip"
    at.switch_page("pages/compare_runs.py").run()
    assert not at.exception
    assert "no query has a score" in at.error[0].value


def test_query_groups_uploaded_beside_pasted_data_are_kept():
    at = opened("data")
    drop(at, ("groups.tsv", b"q1\tshort"))
    at.text_area(key="qrels_text").set_value("q1 0 d1 1")
    at.text_area(key="run_text").set_value("q1 Q0 d1 1 1 t")
    next(button for button in at.button if button.label == "Read the pasted text").click().run()
    assert at.session_state["_upload"].query_attributes == {"group": {"q1": "short"}}
    assert "With attributes `group`." in " ".join(each.value for each in at.caption)


def test_the_report_names_runs_without_a_common_query():
    qrels = Qrels.from_dict({f"q{i}": {"x": 1} for i in range(3)})
    both = [{"q0", "q1"}, {"q1", "q2"}, {"q0", "q2"}]
    runs = tuple(Run.from_dict({q: {"x": 1} for q in sorted(each)}, str(each)) for each in both)
    pairing = Pairing.of(qrels, runs, "AP")
    (table,) = comparison_files.all_runs(pairing, Dataset("", qrels, runs)).values()
    assert "no query for which all" in str(table.rows)
    assert comparison_files.all_runs(pairing, Dataset("", qrels, runs[:2])) == {}


def many_queries(number):
    """Return this many queries: every third is a gain of B, every fifth a loss."""
    qrels = Qrels.from_dict({f"q{i:04d}": {"x": 1} for i in range(number)})
    good, bad = {"x": 2, "y": 1}, {"y": 2, "x": 1}
    a = Run.from_dict({q: bad if i % 3 == 0 else good for i, q in enumerate(qrels.queries)}, "a")
    b = Run.from_dict({q: bad if i % 5 == 0 else good for i, q in enumerate(qrels.queries)}, "b")
    return Dataset("Your data", qrels, (a, b))


def test_any_of_many_queries_can_be_typed_or_linked():
    at = opened("data", q="q0200")
    at.session_state["_upload"] = many_queries(450)
    at.session_state["data"] = "yours"
    at.switch_page("pages/compare_runs.py").run()
    assert not at.exception
    picker = at.selectbox(key="q")
    assert picker.value == "q0200"
    assert len(picker.options) == 200
    other = opened("data")
    other.session_state["_upload"] = many_queries(450)
    other.session_state["data"] = "yours"
    other.session_state["q"] = "q9999"
    other.switch_page("pages/compare_runs.py").run()
    assert "`q9999` is not among the 450 ids" in other.warning[0].value
    assert other.selectbox(key="q").value in other.selectbox(key="q").options


def test_the_scatter_of_many_queries_counts_each_once():
    data = many_queries(2_000)
    frame = comparison_tables.queries(compare(data.qrels, *data.runs, "RR"), "RR", {})
    drawn = comparison_charts.agreement(frame, "RR", frame.index[0], "trec_eval").figure
    squares = drawn.data[-1]
    counts = np.nan_to_num(np.array(squares.text, float))
    assert counts.sum() == 2_000
    # Above the diagonal, where B is ahead: RR 0.5 under A and 1 under B.
    above = counts[np.asarray(squares.y)[:, None] > np.asarray(squares.x)[None, :] + 0.1]
    assert above.sum() == (frame["delta"] > 0).sum()


def test_runs_beyond_ten_and_queries_left_out_are_reported():
    scores = {"q": {"x": 1.0}, "r": {"x": 1.0}}
    runs = [Run.from_dict(scores, f"run{i}") for i in range(12)]
    runs[1] = runs[1].only("q")
    many = Dataset("many", Qrels.from_dict(scores), tuple(runs))
    at = opened("data", look="All runs")
    at.session_state["_upload"], at.session_state["data"] = many, "yours"
    at.switch_page("pages/compare_runs.py").run()
    assert not at.exception
    said = " ".join(texts(at))
    assert "10 of 12 runs are compared; choose others under Runs." in said
    assert "Left out: 1 judged query only in run A (`r`)." in said
    assert "over the 1 query that all these runs have" in said
    pairing = Pairing.of(many.qrels, many.runs[:2], "RR")
    for table in comparison_files.all_runs(pairing, many).values():
        assert table.labels["runs"] == "the first 10 of 12 runs"


def test_labels_of_choices_are_not_cut_off():
    names = [
        "ties: by document id, ascending",
        "ideal ranking: retrieved documents only",
        "ideal ranking: top k plus all judged documents, so some count twice",
    ]
    drawn = comparison_charts.sign_map([Setting(n, 10, 0.1, 0.01, 1.0) for n in names], "").figure
    shown = drawn.layout.yaxis.ticktext
    assert [label.replace("<br>", " ") for label in shown] == names
    assert all(len(line) <= 26 for label in shown for line in label.split("<br>"))
    # Four lines of 12 pixels fit a row.
    assert (drawn.layout.height - 120) / len(names) >= 12 * 4


def test_a_relative_change_from_a_mean_of_0_is_a_dash():
    qrels = Qrels.from_dict({q: {"x": 1, "y": 0} for q in "qr"})
    bad, good = (Run.from_dict({q: {d: 1.0} for q in "qr"}, f"run {d}") for d in "yx")
    at = opened("data")
    at.session_state["_upload"] = Dataset("", qrels, (bad, good))
    at.session_state["data"] = "yours"
    at.switch_page("pages/compare_runs.py").run()
    assert not at.exception
    assert {metric.label: metric.value for metric in scores(at)}["relative change"] == "–"
