"""Compare's overview: verdict, numbers and table agree, under the settings of the link."""

import math
import re
from functools import partial

import pandas as pd
import pytest

from metrics import Convention, compare, parse
from metrics.comparing.evidence import evidence
from metrics.comparing.robustness import settings, that_change_a_delta
from metrics.comparing.significance import TESTS
from metrics.rendering import text
from metrics.teaching.samples import catalogue
from pages.ui.compare import one_query
from pages.ui.compare.panels import ROW, TABS
from pages.ui.widgets import MORE
from tests.cases import cases
from tests.pages.conftest import drawn, faulty_tabs, opened, samples_of_two_runs, tables_of, texts

overview = partial(opened, "compare_runs")


def table(at):
    return next(f for f in tables_of(at) if f.index.name == "measure")


@cases("test", TESTS)
@cases("key", ["shop", "reranking", "two-retrievers"])
def test_the_table_holds_the_evidence(key, test):
    at = overview(data=key, test=test, tie=0.05, seed=3)
    assert not at.exception
    dataset = catalogue()[key].load()
    shown = table(at)
    compared = compare(dataset.qrels, *dataset.runs, list(shown.index))
    found = evidence(compared, test=test, tie=0.05, seed=3)
    for measure, each in found.items():
        # A column without any value is not shown.
        row = {"low": math.nan, "high": math.nan, "p": "–", "p Holm": "–"}
        row |= shown.loc[measure].to_dict()
        assert row["delta B − A"] == each.delta
        assert (row["low"], row["high"]) == pytest.approx((each.low, each.high), nan_ok=True)
        assert row["p"] == text.p_value(each.p)
        assert row["p Holm"] == text.p_value(each.corrected)
        assert (row["B better"], row["ties"], row["A better"]) == (
            each.wins,
            each.ties,
            each.losses,
        )
    said = " ".join(texts(at))
    first = found[shown.index[0]]
    n = text.count(first.queries, "query", "queries")
    better, worse = sorted((first.wins, first.losses), reverse=True)
    assert f"better by more than 0.05 on {better} of {n}, worse on {worse}, " in said
    assert ("is better than" in said) == first.sure
    assert "Ties: up to ±0.05." in said
    assert "; seed 3" in said


def test_an_unknown_test_is_reported():
    at = overview(data="shop", test="sign", seed=-1, tie="x")
    assert not at.exception
    asked = " ".join(warning.value for warning in at.warning)
    assert all(part in asked for part in ("test = `sign`", "seed = `-1`", "tie = `x`"))


@cases(("p", "said"), [(float("nan"), "–"), (0.0001, "< 0.001"), (0.0494, "0.049"), (1.0, "1.000")])
def test_no_p_value_is_0(p, said):
    assert text.p_value(p) == said


@cases("look", TABS)
def test_a_link_opens_a_tab_alone(look):
    at = overview(data="shop", look=look, measure="nDCG", k=5)
    assert not at.exception
    assert not at.warning
    # What only an auditor needs is under More.
    assert [tab.label for tab in at.tabs if tab.children] == [look if look in ROW else MORE]
    assert [tab.label for tab in at.tabs] == [*ROW, *one_query.ROW, MORE]
    assert look in ROW or at.session_state[MORE] == look


@cases("measure", ["nDCG", "AP", "Bpref", "RBP", "Compat"])
def test_every_tab_shows_every_kind_of_measure(measure, all_tabs_open):
    at = overview(data="shop", measure=measure, k=5)
    assert faulty_tabs(at) == {}
    assert not at.exception
    assert not at.warning
    assert {*TABS} < {tab.label for tab in at.tabs}


@cases("key", samples_of_two_runs)
def test_every_tab_shows_every_sample(key, all_tabs_open):
    at = overview(data=key)
    assert faulty_tabs(at) == {}
    assert not at.exception
    assert {*TABS} < {tab.label for tab in at.tabs}


def test_the_report_by_cutoff_is_that_of_the_source():
    """The page shows the source's table of two retrievers, with the values of its data."""
    at = overview(data="two-retrievers", look="By cutoff")
    report = next(f for f in tables_of(at) if list(f.index)[:1] == ["R@1"])
    dataset = catalogue()["two-retrievers"].load()
    for name, row in report.iterrows():
        found = compare(dataset.qrels, *dataset.runs, name).summary(name)
        assert (row["mean A"], row["mean B"]) == (found.mean_a, found.mean_b)
    assert report.loc["R@5", "mean A"] == pytest.approx(1.0)
    assert {f"{name}@{k}" for name in ("R", "P", "nDCG") for k in (1, 3, 5)} <= set(report.index)


def test_robustness_is_summed_up_in_one_line():
    at = overview(data="shop", look="Robustness", measure="AP", k=5)
    dataset = catalogue()["shop"].load()
    every = settings(dataset.qrels, *dataset.runs, parse("AP"))
    found, idle = that_change_a_delta(every)
    assert {each.choice for each in every} == {each.choice for each in found} | {*idle}
    assert len(idle) == 1
    said = " ".join(element.value for element in at.markdown)
    assert idle[0] in said
    table = next(f for f in tables_of(at) if f.index.name == "choice")
    assert table.size == len(found)
    marked = table.map(lambda cell: cell.endswith("?")).to_numpy().sum()
    assert marked == sum(each.doubtful for each in found)
    assert table.loc["as chosen above", "@1"].startswith(text.signed(found[0].delta))
    assert not any(each.delta < 0 and not each.doubtful for each in found)
    ahead = sum(not cell.startswith(("−", "0.0000")) for cell in table.to_numpy().ravel())
    assert f"AP@5: B leads in {ahead} of {len(found)} settings; A is significantly ahead" in said


def test_an_unknown_tab_of_compare_is_reported():
    assert "look = `Elsewhere`" in overview(look="Elsewhere").warning[0].value


def test_different_ideals_are_shown_and_named():
    at = overview(data="shop", ideal="retrieved", q="q12", k=10, look="Query tables")
    assert not at.exception
    captions = " ".join(caption.value for caption in at.caption)
    assert "(the ideals differ): A is divided by" in captions
    dataset = catalogue()["shop"].load()
    convention = Convention(ideal="retrieved")
    bars = compare(dataset.qrels, *dataset.runs, "nDCG@10", convention).documents("nDCG@10")
    bars = bars[bars["query"] == "q12"].set_index("document")["delta"]
    frames = tables_of(at)
    moved = next(f["delta"] for f in frames if f.index.name == "document" and "delta" in f)
    for document, delta in moved.items():
        assert delta == pytest.approx(bars.get(document, 0.0))
    assert "(the ideals differ)" not in " ".join(
        c.value for c in overview(data="shop", q="q12").caption
    )


def test_one_query_shows_the_similarity_and_the_documents_behind_the_delta():
    at = overview(data="shop", q="q12", k=10, look="Unjudged")
    dataset = catalogue()["shop"].load()
    a, b = (
        sorted(run.to_dict()["q12"].items(), key=lambda item: item[1], reverse=True)
        for run in dataset.runs
    )
    top = len({name for name, _ in a[:10]} & {name for name, _ in b[:10]})
    captions = " ".join(caption.value for caption in at.caption)
    assert f"Top 10: {top} in common. RBO (p = 0.9) 0." in captions
    assert "Kendall's τ" in captions
    bars = compare(dataset.qrels, *dataset.runs, "nDCG@10").documents("nDCG@10")
    bars = bars[bars["query"] == "q12"]
    first = bars.loc[bars["delta"].abs().idxmax()]
    bar = drawn(at, "two_lists")["bars"][0]
    assert (bar["id"], bar["to"]) == (first["document"], first["delta"])


@cases("chosen", ["all", "B better", "A better", "ties"])
def test_the_queries_are_listed_with_their_unjudged_documents(chosen):
    at = overview(data="shop", shown=chosen, k=10, measure="nDCG")
    assert not at.exception
    dataset = catalogue()["shop"].load()
    compared = compare(dataset.qrels, *dataset.runs, ["nDCG@10", "Unjudged@10"])
    found = compared.summary("nDCG@10")
    size = {
        "all": len(compared.queries),
        "B better": found.wins,
        "A better": found.losses,
        "ties": found.ties,
    }[chosen]
    frame = next(f for f in tables_of(at) if "unjudged A" in f.columns)
    assert len(frame) == size
    holes = compared.per_query("Unjudged@10")
    for query, row in frame.iterrows():
        assert row["unjudged A"] == round(10 * holes.at[query, "A"])
        assert row["unjudged B"] == round(10 * holes.at[query, "B"])
    most = compared.decisive("nDCG@10")
    # On a tie nothing made the delta.
    assert ("largest part" in frame) == (chosen != "ties")
    for query, said in frame.get("largest part", {}).items():
        # On a tie what cancels out made nothing.
        assert bool(said) == (abs(frame.at[query, "delta"]) > 1e-9)
        if said:
            document, *ranks, delta = re.fullmatch(r"(.*): (\d+|–) → (\d+|–), (.*)", said).groups()
            line = most.loc[query]
            assert (document, delta) == (line["document"], text.signed(line["delta"]))
            assert ranks == [
                "–" if pd.isna(line[f"rank {run}"]) else f"{line[f'rank {run}']:.0f}"
                for run in "AB"
            ]


def test_the_convention_of_every_number_in_the_table_is_named():
    at = overview(data="shop", measure="nDCG", k=10, ties="ascending", level=2)
    above = next(each.value for each in at.markdown if "mean over: " in each.value)
    alone = " nDCG@10 decides and is tested alone; p Holm corrects the others together."
    assert f"Deltas are B − A, over 29 queries.{alone}" in [each.value for each in at.caption]
    table = next(each.value for each in at.markdown if "Convention as above" in each.value)
    assert "trec_eval, but ties: by document id, ascending (gain: the grade" in above
    assert above.count("ties: ") == 1
    assert "mean over: queries in both run and qrels" in above
    assert "queries with nothing to find: score 0" in above
    for said in ("relevant: grade 2 or higher", "AP divided by: R, all relevant documents"):
        assert said in table
        assert said not in above
    cutoffs = overview(data="shop", look="By cutoff", level=2)
    said = next(each.value for each in cutoffs.caption if "Means over" in each.value)
    assert "trec_eval, but relevant: grade 2 or higher" in said
