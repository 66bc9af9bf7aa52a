"""A stranger adds a measure by adding one file."""

import shutil
import subprocess
import sys
from pathlib import Path

import metrics

FILE = '''"""The share of the top k with the highest grade of all."""

from dataclasses import dataclass

import numpy as np

from .base import Lines, Measure


@dataclass(frozen=True)
class Top(Measure):
    """Share of grade-3 documents."""

    symbol = "Top"
    meaning = "The share of the top k that has grade 3."
    formula = r"\\\\sum_{i=1}^{k} \\\\frac{[grade_i = 3]}{k}"
    term = r"\\\\frac{{{best}}}{{k}}"
    source = "made up"
    use = "Only the very best documents count."
    avoid = "Other scales."
    graded = True

    def lines(self, hits, judged, convention):
        best = (hits.grade == 3).astype(np.int64)
        return Lines({"best": best}, contribution=best / (self.cutoff or 1))
'''
SCRIPT = """
from metrics import Qrels, Run, evaluate, explain
qrels = Qrels.from_dict({"q": {"a": 3, "b": 1}})
run = Run.from_dict({"q": {"b": 2, "a": 1}})
print(evaluate(qrels, run, "Top@4").mean["Top@4"])
print(explain(qrels, run, "top@2", "q")["best"].tolist())
"""


def test_a_new_measure_is_one_new_file(tmp_path):
    shutil.copytree(Path(metrics.__file__).parent, tmp_path / "metrics")
    (tmp_path / "metrics" / "measures" / "top.py").write_text(FILE, "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout == "0.25\n[0, 1]\n", done.stderr
