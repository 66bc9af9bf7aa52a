"""Scoring a file imports neither pandas nor the app: importing them takes longer than scoring."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

CODE = """
import sys
from metrics import match, match_file, parse, read_qrels, read_run
folder = "sample_data/reranking/"
qrels = read_qrels(folder + "qrels.txt")
for judged in (
    match_file(qrels, folder + "baseline.run"),
    match(qrels, read_run(folder + "baseline.run")),
):
    assert parse("nDCG@10").ledger(judged).scores.mean() > 0
import metrics.__main__
print(*sys.modules.keys() & {"pandas", "scipy", "streamlit", "plotly", "pyarrow.parquet"})
"""


def test_scoring_imports_little():
    done = subprocess.run(
        [sys.executable, "-c", CODE], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
