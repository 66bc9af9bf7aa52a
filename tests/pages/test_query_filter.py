"""Compare's filter of queries: the numbers, the link, and the words beside the numbers."""

import json
from functools import partial

import pytest

from metrics import Dataset, Pairing, Qrels, Run, compare
from metrics.comparing.evidence import evidence
from metrics.comparing.leaderboard import leaderboard
from metrics.comparing.slices import most_instructive
from metrics.rendering import report as comparison_files
from metrics.rendering import text
from metrics.rendering.report import report
from metrics.scoring.evaluate import evaluate
from metrics.teaching.samples import catalogue
from metrics.writing.as_json import as_json
from metrics.writing.delimited import for_spreadsheets
from tests.pages.conftest import drawn, opened, pressed, tables_of, texts, with_choices

filtered = partial(opened, "compare_runs", data="shop", measure="nDCG", k=10)
MEASURE = "nDCG@10"


@pytest.fixture(scope="module")
def shop():
    return catalogue()["shop"].load()


def cut(dataset, queries):
    """The data of these queries alone, made without the app's own cutting."""

    def part(kind, pairs):
        rows = pairs.to_dict()
        return kind.from_dict({q: rows[q] for q in pairs.queries if q in queries}, pairs.name)

    runs = tuple(part(Run, run) for run in dataset.runs)
    return Dataset("", part(Qrels, dataset.qrels), runs)


# A column that no other table with the same index has.
OWN = {"query": "unjudged A", "run": MEASURE, "pair": "minus"}


def table(at, name, index=""):
    frames = [f for f in tables_of(at) if f.index.name == (index or name)]
    return next(f for f in frames if name not in OWN or OWN[name] in f)


def said(at, *kinds):
    return " ".join(each.value for kind in kinds for each in getattr(at, kind))


def test_every_number_is_that_of_a_comparison_of_the_queries_alone(shop):
    of_query = shop.query_attributes["group"]
    group = next(iter(of_query.values()))
    queries = {q for q, name in of_query.items() if name == group}
    at = filtered(group=group)
    assert not at.exception
    assert not at.warning
    part = cut(shop, queries)
    shown = table(at, "measure")
    found = evidence(compare(part.qrels, *part.runs, list(shown.index)))
    for name, row in found.items():
        line = shown.loc[name]
        assert (line["mean A"], line["mean B"], line["delta B − A"]) == (
            row.mean_a,
            row.mean_b,
            row.delta,
        )
        assert (line["low"], line["high"]) == pytest.approx((row.low, row.high), nan_ok=True)
        assert (line["p"], line["p Holm"]) == (text.p_value(row.p), text.p_value(row.corrected))
        assert (line["B better"], line["A better"]) == (row.wins, row.losses)
    board = leaderboard(
        {run.name: evaluate(part.qrels, run, MEASURE) for run in part.runs}, MEASURE
    )
    # Wherever there are numbers, the filter is named: beside the verdict, and in each tab.
    over = f"{len(queries)} of {len(shop.qrels.queries)} queries (group `{group}`)"
    captions = texts(at)
    assert sum(over in each for each in captions) == 2, captions
    runs = filtered(group=group, look="All runs")
    for told, row in zip(table(runs, "run")[MEASURE], board.standings, strict=True):
        digits = told if isinstance(told, str) else text.number(told)
        assert digits.rstrip("ᵃᵇ") == text.number(row.means[MEASURE])
    assert sum(over in each for each in texts(runs)) == 2
    assert [each.label for each in at.button if each.label == "All queries"]


def test_the_files_name_the_filter_and_hold_only_its_queries(shop):
    queries = ["q12", "q20"]
    part = shop.only(queries, "2 of 29 queries (id contains “x”)")
    pairing = Pairing.of(part.qrels, part.runs, MEASURE)
    assert len(for_spreadsheets(comparison_files.each_query(pairing, part)).splitlines()) == 3
    name = comparison_files.file_name(pairing, part, "queries", "csv")
    assert name == "bm25-char_ngrams-queries-2_of_29_queries_id_contains_x_-trec_eval.csv"
    described = json.loads(as_json(comparison_files.each_query(pairing, part)))
    assert described["filter"] == "2 of 29 queries (id contains “x”)"
    assert len(described["rows"]) == 2
    page = report(pairing, part, "q12")
    assert "Only 2 of 29 queries (id contains “x”)." in page
    assert ">q20<" in page
    assert ">q01<" not in page


def test_a_link_holds_the_filter_until_one_click_removes_it(shop):
    link = {"find": "S", "outcome": "B better", "unjudged_min": 10, "unjudged_max": 60}
    at = filtered(**link, look="Queries")
    assert not at.exception
    assert not at.warning
    for key, value in link.items():
        assert at.query_params[key] in (str(value), [str(value)])
    frame = table(at, "query")
    assert 0 < len(frame) < len(shop.qrels.queries)
    for query, row in frame.iterrows():
        assert "s" in f"{query} {shop.query_texts[query]}".casefold()
        assert row["delta"] > 1e-9
        assert 1 <= max(row["unjudged A"], row["unjudged B"]) <= 6
    # Another page, and back: the filter stays.
    at.switch_page("pages/learn.py").run()
    at.switch_page("pages/compare_runs.py").run()
    assert table(at, "query").index.tolist() == frame.index.tolist()
    next(each for each in at.button if each.label == "All queries").click().run()
    assert not at.exception
    assert len(table(at, "query")) == len(shop.qrels.queries)
    assert not {*link} & {*at.query_params}
    # The query that was first among those is not that of all.
    assert drawn(at, "two_lists")["query"] == drawn(filtered(), "two_lists")["query"]
    # One that was chosen stays.
    chosen = frame.index[-1]
    at = filtered(**link, q=chosen)
    next(each for each in at.button if each.label == "All queries").click().run()
    assert drawn(at, "two_lists")["query"] == chosen


def test_queries_chosen_by_their_outcome_are_not_tested():
    measures = table(filtered(outcome="A better"), "measure")
    # A column without any value is left out.
    assert not {"p", "p Holm"} & {*measures.columns}
    at = filtered(outcome="A better", look="Robustness")
    assert not at.exception
    assert "chosen by their outcome" in said(at, "info")
    assert "significant" not in said(at, "markdown", "caption")
    assert "due to chance" not in said(at, "markdown", "caption")
    at.session_state["look"] = "All runs"
    # Of two runs alone, which are compared above, there is no table of pairs.
    at.session_state["runs"] = ["bm25", "char_ngrams", "ideal"]
    at.run()
    assert "significant" not in said(at, "markdown")
    assert "significant" not in said(at, "caption")
    assert {*table(at, "pair", "run")["p Holm"]} == {"–"}


def test_a_filter_that_leaves_nothing_says_so_and_offers_all_queries(shop):
    at = filtered(find="`[x](y)", unjudged_max=0, group="nobody's", outcome="won")
    assert not at.exception
    assert "No query fits the filter: id or text contains" in said(at, "info")
    assert all(key in said(at, "warning") for key in ("group = `nobody's`", "outcome = `won`"))
    next(each for each in at.button if each.label == "Show all queries").click().run()
    assert not at.exception
    assert (
        drawn(at, "query_bars")["most"]
        == compare(shop.qrels, *shop.runs, MEASURE).deltas(MEASURE).max()
    )


def test_the_first_query_is_the_most_instructive_and_a_link_can_name_another(shop):
    compared = compare(shop.qrels, *shop.runs, MEASURE)
    first = most_instructive(compared, MEASURE).query
    assert filtered().selectbox(key="q").value == first
    assert filtered(q="q07").selectbox(key="q").value == "q07"
    # What gains when the runs are swapped is what lost.
    assert filtered(a="char_ngrams", b="bm25").selectbox(key="q").value == first


def test_a_link_to_inspect_can_lead_back_to_a_comparison():
    at = opened(back="shop|ideal|bm25|q07", k=3, gain="exponential")
    next(each for each in at.button if each.label == "Back to Compare").click().run()
    with_choices(at.switch_page("pages/compare_runs.py").run())
    assert not at.exception
    shown = [at.selectbox(key=key).value for key in ("data", "a", "b", "q", "gain")]
    assert shown == ["shop", "ideal", "bm25", "q07", "exponential"]
    assert at.number_input(key="k").value == 3
    # Opened by itself, Inspect knows no way back.
    at.switch_page("pages/inspect_query.py").run()
    assert "Back to Compare" not in [each.label for each in at.button]
    broken = opened(back="shop|x|bm25|q07")
    assert "back = `shop|x|bm25|q07`" in said(broken, "warning")


def test_a_second_press_on_a_group_takes_it_back():
    at = opened("compare_runs", data="shop", look="Queries")
    for chosen in (1, 0):
        at = pressed(at, "effect", row=0)
        assert not at.exception
        assert len(at.session_state["group"] or ()) == chosen
