"""Rules applied while reading data are named beside every result that they affect."""

import io
import json

import pandas as pd

from metrics import Dataset, Pairing, Run, read_qrels, read_run
from metrics.rendering import report as comparison_files
from metrics.writing.as_json import as_json, parquet
from tests.cases import cases
from tests.pages.conftest import drop, opened

QRELS = b"q1 0 d1 1\nq1 0 d2 0\nq1 0 d2 0\n"
BM25 = b"q1 Q0 d1 1 2 bm25\nq1 Q0 d2 2 1 other\n"
DENSE = b"q1 Q0 d2 1 2 dense\nq1 Q0 d1 2 1 dense\n"
SAID = ["qrels: 1 duplicate judgment with the same grade left out", "bm25: 2 run tags in one file"]


def page(script):
    at = opened("data")
    drop(at, ("q.txt", QRELS), ("bm25.run", BM25), ("dense.run", DENSE))
    at.switch_page(f"pages/{script}.py").run()
    assert not at.exception
    return at


@cases("script", ["inspect_query", "compare_runs", "conventions"])
def test_every_page_of_results_names_the_rules_applied(script):
    at = page(script)
    # Before 1.65, Streamlit's harness calls an expander with an icon a status.
    opened_by = [each.label for each in [*at.expander, *at.status]]
    assert "2 rules were applied to read these data" in opened_by
    for said in SAID:
        assert any(said in each.value for each in at.text), said


def test_every_download_names_the_rules_applied():
    qrels, bm25 = read_qrels(QRELS, "q.txt"), read_run(BM25, "bm25.run")
    two = bm25, read_run(DENSE, "dense.run")
    data = Dataset("", qrels, two)
    pairing = Pairing.of(qrels, two, "nDCG@10")
    for described in (
        json.loads(as_json(comparison_files.each_query(pairing, data))),
        pd.read_parquet(io.BytesIO(parquet(comparison_files.each_query(pairing, data)))).attrs,
    ):
        assert all(said in str(described) for said in SAID)
    sound = (Run(each.queries, each.query, each.document, each.value, "x") for each in two)
    plain = Dataset("", read_qrels(QRELS[:20], "q.txt"), tuple(sound))
    pairing = Pairing.of(plain.qrels, plain.runs, "nDCG@10")
    written = as_json(comparison_files.each_query(pairing, plain))
    assert not any(said in written for said in SAID)
