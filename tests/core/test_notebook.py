"""What a notebook shows: numbers of the values themselves, and ids as text."""

import re
from html import unescape

import pytest

from metrics import Qrels, Run, compare, evaluate
from metrics.notebook import MOST
from metrics.teaching.samples import catalogue

ID = "<img src=x onerror=alert(1)>&\"'"


@pytest.fixture(scope="module")
def shop():
    return catalogue()["shop"].load()


def cells(value):
    """Return the rows of the table that a notebook shows, as texts."""
    rows = re.findall("<tr>(.*?)</tr>", value._repr_html_())
    return [[unescape(each) for each in re.findall("<t[hd]>(.*?)</t[hd]>", row)] for row in rows]


def test_runs_and_qrels_show_their_first_rows(shop):
    header, *rows = cells(shop.runs[0])
    assert header == ["query", "document", "score"]
    assert len(rows) == MOST
    first = next(iter(shop.runs[0].to_dict().items()))
    assert rows[0] == [first[0], *next((d, f"{s:.4f}") for d, s in first[1].items())]
    # Whole grades have no digits.
    assert {row[2] for row in cells(shop.qrels)[1:]} <= set("0123")


def test_scores_and_comparisons_show_the_means(shop):
    scores = evaluate(shop.qrels, shop.runs[0], ["nDCG@10", "AP"])
    assert cells(scores)[1:] == [
        [name, f"{scores.mean[name]:.4f}", "29"] for name in ("nDCG@10", "AP")
    ]
    both = compare(shop.qrels, *shop.runs, ["nDCG@10"])
    found = both.summary("nDCG@10")
    assert cells(both)[1][:4] == [
        "nDCG@10",
        *(f"{value:.4f}" for value in (found.mean_a, found.mean_b, found.delta)),
    ]
    assert repr(both) == "Comparison(nDCG@10: 29 queries, convention trec_eval)"


def test_a_ledger_shows_the_lines_of_its_first_query(shop):
    ledger = evaluate(shop.qrels, shop.runs[0], ["nDCG@10"]).ledgers["nDCG@10"]
    header, *rows = cells(ledger)
    total = sum(float(row[header.index("contribution")]) for row in rows)
    assert total == pytest.approx(ledger.scores[0], abs=1e-3)
    assert f"{ledger.scores[0]:.4f}" in ledger._repr_html_()
    assert repr(ledger) == "Ledger(nDCG@10: 29 queries, 226 lines)"


def test_ids_are_text_everywhere():
    qrels, run = Qrels.from_dict({ID: {ID: 1}}, ID), Run.from_dict({ID: {ID: 2.5}}, ID)
    scores = evaluate(qrels, run, ["AP"])
    for value in (qrels, run, scores, scores.ledgers["AP"], compare(qrels, run, run, ["AP"])):
        assert "<img" not in value._repr_html_()
    assert ID in cells(run)[1]


def test_values_without_rows_are_shown():
    empty = Run.from_dict({})
    assert cells(empty) == [["query", "document", "score"]]
    none = evaluate(Qrels.from_dict({"q": {"d": 1}}), empty, ["AP"])
    assert cells(none)[1][0] == "AP"
    assert none.ledgers["AP"]._repr_html_()
