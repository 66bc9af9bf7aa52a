"""The benchmarks run on the same bytes each time, contestants agree, and every edit shows."""

import random
import shutil
import sys

import pytest
from streamlit.testing.v1 import AppTest

from metrics import read_qrels, read_run
from metrics.editing.edits import step
from metrics.rendering import text
from tests.benchmarks import __main__ as benchmark
from tests.benchmarks import edits
from tests.benchmarks.generate import SIZES, write


def test_the_generator_is_deterministic(tmp_path):
    one, two = (write(tmp_path / folder, "tiny") for folder in ("one", "two"))
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]
    other = write(tmp_path / "other", "tiny", seed=2)
    assert other[1].read_bytes() != one[1].read_bytes()


def test_the_generated_files_have_the_requested_size(tmp_path):
    qrels, run = write(tmp_path, "tiny")
    size, read = SIZES["tiny"], read_run(run)
    assert len(read) == size.queries * size.depth
    assert read.notes == ()
    assert set(read_qrels(qrels).queries) == set(read.queries)


def test_the_contestants_agree(tmp_path):
    contestants = benchmark.available(sys.executable)
    assert set(benchmark.OWN) <= contestants.keys()
    assert ("trec_eval" in contestants) == bool(shutil.which("trec_eval"))
    measures = benchmark.MEASURES
    done = benchmark.trials(tmp_path, "tiny", contestants, measures, rounds=1)
    ours = done["rankscope"][0].means
    assert ours.keys() == set(measures)
    for (trial,) in done.values():
        assert trial.means == pytest.approx(ours, abs=6e-5)
        assert trial.seconds > 0
    assert len(list(benchmark.table(done))) >= 2 + len(done)


def test_every_timed_edit_changes_the_score_on_screen():
    shown, draw = edits.ranking(), random.Random(2)

    def score() -> str:
        return text.number(float(shown.ledger(f"nDCG@{edits.DEPTH}").scores[0]))

    for _ in range(100):
        before, (place, key) = score(), edits.move(draw)
        shown = step(shown, shown.retrieved[place].document, 1 if key == "ArrowDown" else -1)
        assert score() != before


def test_the_smallest_app_runs():
    app = AppTest.from_file("floor.py").run()
    assert not app.exception
    assert [metric.value for metric in app.metric] == ["0"]
