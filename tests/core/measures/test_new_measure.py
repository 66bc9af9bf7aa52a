"""A new measure is one new file; a test names each row that it lacks elsewhere."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import metrics
from metrics import REGISTRY, Qrels, Run, trace
from metrics.scoring.trec_names import ORDER
from metrics.writing.ledger_lines import LABELS
from tests.cases import cases
from tests.core.measures.test_reference import NAMES

FILE = '''"""The share of the top k with the highest grade of all."""

import numpy as np

from .base import Lines, Measure


class Top(Measure):
    """Share of grade-3 documents."""

    symbol = "Top"
    full_name = "share of top grades"
    meaning = "The share of the top k that has grade 3."
    formula = r"\\\\sum_{i=1}^{k} \\\\frac{[grade_i = 3]}{k}"
    term = r"\\\\frac{<best>}{k}"
    source = "made up"
    use = "Only the very best documents count."
    avoid = "Other scales."
    graded = True

    def lines(self, hits, judged, convention):
        best = (hits.grade == 3).astype(np.int64)
        k = np.full(len(judged.queries), self.cutoff or 1)
        return Lines({"best": best}, best, k)
'''
SCRIPT = """
from metrics import Qrels, Run, evaluate, explain
from metrics.measures import Top
qrels = Qrels.from_dict({"q": {"a": 3, "b": 1}})
run = Run.from_dict({"q": {"b": 2, "a": 1}})
print(evaluate(qrels, run, "Top@4").mean["Top@4"])
print(explain(qrels, run, "top@2", "q")["best"].tolist())
print(evaluate(qrels, run, Top @ 4).value(Top @ 4))
"""


def test_a_new_measure_is_one_new_file(tmp_path):
    shutil.copytree(Path(metrics.__file__).parent, tmp_path / "metrics")
    (tmp_path / "metrics" / "measures" / "top.py").write_text(FILE, "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout == "0.25\n[0, 1]\n0.25\n", done.stderr


@cases("name", NAMES)
def test_every_column_of_a_ledger_is_in_words(name):
    qrels, run = Qrels.from_dict({"q": {"a": 1}}), Run.from_dict({"q": {"a": 1}})
    for column in trace(qrels, run, name, "q").working:
        words = LABELS.get(column, column)
        assert "_" not in words, f"`{name}`: {column!r} has no words in the labels of its class"


@cases("kind", REGISTRY.values())
def test_a_column_has_one_label(kind):
    for column, label in kind.labels.items():
        assert LABELS[column] == label, f"`{kind.symbol}`: another measure calls {column!r} this"


@cases("measure", REGISTRY.values())
def test_every_name_of_trec_eval_has_its_place_among_the_lines(measure):
    for template in measure.trec:
        name = re.sub(r"\{.*\}", "", template)
        placed = any(name == root or name.startswith(f"{root}_") for root in ORDER)
        assert placed, (
            f"`{measure.symbol}`: {template!r} has no place in scoring/trec_names.py's _ORDER"
        )
