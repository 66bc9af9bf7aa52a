"""Charts for a notebook: figures made of public values alone, with the numbers of these values."""

import subprocess
import sys

import numpy as np
import pytest

from metrics import RankscopeError, charts, compare, evaluate, own_measure, trace
from metrics.rendering.comparison_charts import CUTOFFS
from metrics.teaching.samples import catalogue
from tests.cases import cases


@pytest.fixture(scope="module")
def shop():
    return catalogue()["shop"].load()


@pytest.fixture(scope="module")
def both(shop):
    return compare(shop.qrels, *shop.runs, ["nDCG@10", "AP", "Rprec"], "LightGBM")


def described(figure, title):
    """Hold what every figure says: its title, its convention, and what is in it."""
    assert figure.layout.title.text == title
    assert "LightGBM, with" in figure.layout.xaxis.title.text.replace("<br>", " ")
    assert figure.layout.meta["alt"].endswith(".")
    return figure


def test_the_waterfall_sums_to_the_delta_of_the_query(both):
    frame = both.per_query("nDCG@10")
    query = frame["delta"].abs().idxmax()
    figure = charts.waterfall(both, "nDCG@10", query)
    described(figure, f"Query {query}: what each document changed")
    *bars, total = figure.data[0].x
    assert sum(bars) == pytest.approx(total) == frame.loc[query, "delta"]
    assert total != 0


def test_the_deltas_are_sorted(both):
    figure = described(charts.deltas(both, "AP"), "Delta of each query, AP")
    drawn = figure.data[0].y
    assert sorted(both.per_query("AP")["delta"], reverse=True) == list(drawn)


def test_the_curves_are_the_means_at_each_cutoff(shop, both):
    figure = described(charts.by_cutoff(both, "nDCG@10"), "Mean nDCG by cutoff")
    drawn = {trace.name: list(trace.y) for trace in figure.data if trace.name}
    for side, run in zip("AB", shop.runs, strict=True):
        names = [f"nDCG@{k}" for k in CUTOFFS]
        expected = evaluate(shop.qrels, run, names, "LightGBM").mean
        assert drawn[side] == pytest.approx(expected.tolist())


def test_the_curves_are_over_the_compared_queries(shop, both):
    some = both.queries[:3]
    drawn = charts.by_cutoff(both.only(some), "AP").data
    expected = evaluate(shop.qrels.only(*some), shop.runs[1].only(*some), "AP@100", "LightGBM")
    end = next(trace.y[-1] for trace in drawn if trace.name == "B")
    assert end == pytest.approx(expected.average("AP@100"))


def test_the_running_total_ends_at_the_parts_of_the_score(shop, both):
    query = both.queries[0]
    for ledger in (
        both.b.ledger("nDCG@10"),
        trace(shop.qrels, shop.runs[1], "nDCG@10", query, "LightGBM"),
    ):
        figure = charts.running_total(ledger, query)
        described(figure, f"Query {query}: running total")
        ideal, ranking = (each.y[-1] for each in figure.data)
        assert ranking / ideal == pytest.approx(ledger.score(query))


def test_an_own_measure_and_an_odd_id_are_drawn():
    own = own_measure(lambda query: 1 / query.ranks, "mine")
    grades, a, b = ({"<b>q": {"<i>d": 1, "e": value}} for value in (1, 0, 2))
    found = compare(grades, a, b, own)
    figure = charts.waterfall(found, own, "<b>q")
    assert figure.layout.title.text.startswith("Query &lt;b&gt;q")
    assert "<i>" not in str(figure.layout.yaxis.ticktext)
    assert np.isfinite(charts.by_cutoff(found, own).data[2].y).all()
    assert charts.deltas(found, own).data
    assert charts.running_total(found.a.ledger(own), "<b>q").data


@cases(
    ("call", "said"),
    [
        (lambda both: charts.waterfall(both, "nDCG@10", "nope"), "Query 'nope' is not compared"),
        (lambda both: charts.waterfall(both, "nDCG@5", both.queries[0]), "'nDCG@5' is not among"),
        (lambda both: charts.deltas(both, "nDCG@5"), "'nDCG@5' is not among these scores: nDCG"),
        (lambda both: charts.by_cutoff(both, "nDCG@5"), "'nDCG@5' is not among"),
        (lambda both: charts.by_cutoff(both, "Rprec"), "Rprec takes no cutoff"),
        (lambda both: charts.running_total(both.a.ledger("AP"), "x"), "'x' was not evaluated"),
    ],
)
def test_a_mistake_names_the_fix(both, call, said):
    with pytest.raises(RankscopeError, match=said):
        call(both)


def test_plotly_is_imported_with_the_charts_alone():
    code = "import sys, metrics; print('plotly' in sys.modules); from metrics import charts; "
    code += "print('plotly' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
