"""The content of charts and texts, read from the figures."""

import math

import numpy as np
import pandas as pd
import pytest

from metrics import Convention, compare
from metrics.colours import EARNED, NEUTRAL
from metrics.comparing.one_query import one_query
from metrics.rendering import (
    charts,
    comparison_tables,
    one_query_charts,
    ranking_charts,
    text,
)
from metrics.teaching.samples import catalogue
from tests.cases import cases

MEASURES = ("nDCG@10", "AP", "RR", "P@5", "R@10", "F1@3")


@cases("key", ["shop", "reranking"])
@cases("measure", MEASURES)
def test_the_shown_mean_delta_is_the_sum_of_all_shown_bars(key, measure):
    dataset = catalogue()[key].load()
    comparison = compare(dataset.qrels, *dataset.runs, [measure])
    documents = comparison.documents(measure)
    shown = []
    for query in comparison.queries:
        drawn = one_query_charts.waterfall(
            documents[documents["query"] == query], measure, "trec_eval"
        )
        (trace,) = drawn.figure.data
        *bars, total = trace.x
        assert sum(bars) == pytest.approx(total, abs=1e-12)
        assert len(bars) <= one_query_charts.DOCUMENTS + 1
        shown += bars
    mean = math.fsum(shown) / len(comparison.queries)
    assert mean == pytest.approx(comparison.summary(measure).delta, abs=1e-12, rel=0)


@cases("measure", ["nDCG", "nDCG@10", "AP@3", "RR"])
def test_the_table_of_both_rankings_has_the_true_ranks_and_sums_to_the_delta(measure):
    dataset = catalogue()["reranking"].load()
    comparison = compare(dataset.qrels, *dataset.runs, [measure])
    for query in comparison.queries[:10]:
        one = one_query(dataset.qrels, *dataset.runs, measure, query)
        frame = comparison_tables.movement(one, 10, {})
        delta = comparison.per_query(measure).at[query, "delta"]
        assert frame["delta"].sum() == pytest.approx(delta, abs=1e-12)
        for run, column in zip(dataset.runs, ("rank A", "rank B"), strict=True):
            ranking = list(run.only(query).to_dict()[query])
            assert frame[column].to_dict() == {d: ranking.index(d) + 1 for d in frame.index}


def test_a_swap_s_effect_is_written_large_enough_to_be_read():
    few, many = (ranking_charts.swap_lens(np.zeros((n, n)), "nDCG").figure.data[0] for n in (5, 12))
    uneven = ranking_charts.swap_lens(np.array([[0, 0.1], [-0.4, 0]]), "nDCG").figure.data[0]
    # No change is white, the best swap has the whole colour however small it is.
    for drawn in (few, uneven):
        assert drawn.colorscale[1][0] * (drawn.zmax - drawn.zmin) + drawn.zmin == pytest.approx(0)
    assert (uneven.zmin, uneven.zmax) == (-0.4, 0.1)
    assert few.textfont.size == many.textfont.size == 13
    assert (few.text[0][1], many.text[0][1]) == ("0.000", "0.00")


def test_a_total_without_an_ideal_lacks_nothing_to_shade():
    (alone,) = charts.running_totals(
        {"this ranking": pd.Series([1.0], index=[1])}, "RR"
    ).figure.data
    assert alone.fill == "none"


def test_of_the_scores_by_cutoff_the_measure_of_the_page_alone_has_a_colour():
    frame = pd.DataFrame({"nDCG": [0.5, 0.9], "P": [1.0, 0.9], "RR": [1.0, 1.0]}, index=[1, 2])
    drawn = ranking_charts.by_cutoff(frame, "P").figure
    coloured = [line.name for line in drawn.data if line.line.color == EARNED]
    assert coloured == ["P"]
    assert {line.line.color for line in drawn.data} == {EARNED, NEUTRAL}
    labels = {label.text: label.y for label in drawn.layout.annotations}
    assert {*labels} == {"nDCG", "<b>P</b>", "RR"}
    places = sorted(labels.values())
    assert min(np.diff(places)) > 0.06
    assert places[-1] <= 1.04


def test_the_running_totals_name_measure_and_cutoff():
    total = pd.Series([1.0, 1.5], index=[1, 2])
    drawn = charts.running_totals({"ideal": total[:1], "this ranking": total}, "DCG@2")
    assert drawn.figure.layout.yaxis.title.text == "total DCG@2"
    assert drawn.figure.layout.xaxis.title.text == "rank"
    assert "this ranking 1.500" in drawn.alt
    ideal, _ = drawn.figure.data
    assert list(ideal.y) == [1.0, 1.0], "a ranking that ended keeps its total"


@cases(
    ("given", "shown"),
    [
        ("plain", "`plain`"),
        ("![x](http://a/b)", "`![x](http://a/b)`"),
        ("a`b``c", "``` a`b``c ```"),
        ("\u202eevil\n", "`⟨U+202E⟩evil⟨U+000A⟩`"),
        ("", "` `"),
    ],
)
def test_ids_are_shown_literally_in_markdown(given, shown):
    assert text.code(given) == shown


def test_ids_are_shown_literally_in_plotly():
    assert text.for_plotly("<b>%{x}</b>&") == "&lt;b&gt;%{x}&lt;/b&gt;&amp;"
    assert text.for_plotly("5\" 'or' 7\"") == "5\" 'or' 7\""
    assert text.for_plotly("a" * 50 + "z" * 50, 10) == "aaaaa…zzzz"


def test_labels_that_are_cut_are_told_apart():
    names = [f"sklearn.{a}{'x' * 30}{b}.{'score' * 9}" for a in "ab" for b in "cd"]
    names += ["sklearn", "sklearn.metrics.ndcg_score", "sklearn.metrics.pairwise.ndcg_score", "<b>"]
    for longest in (8, 16, 22):
        labels = text.labels([*names, names[0]], longest)
        assert len({*labels}) == len(names)
        assert labels[0] == labels[-1]
        assert labels[-2] == "&lt;b&gt;"
        assert max(map(len, labels[:-2])) <= longest


def test_missing_numbers_are_dashes():
    assert text.number(math.nan) == text.signed(math.nan) == "–"
    assert text.signed(-0.5, 2) == "−0.50"
    assert (text.grade(None), text.grade(math.nan), text.grade(2.5)) == ("?", "?", "2.5")


def test_a_long_convention_fits_under_a_chart_on_a_phone():
    said = Convention(ties="ascending", queries="qrels", gain="exponential").label
    under = charts.blank(300, "rank", "", said).layout.xaxis.title.text.split("<br>")
    assert " ".join(under) == f"rank convention: {said}"
    assert max(map(len, under)) <= 38
