"""The benchmark runs on the same bytes each time, and its contestants agree."""

import shutil
import sys

import pytest

from metrics import read_qrels, read_run
from tests.benchmarks import __main__ as benchmark
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
