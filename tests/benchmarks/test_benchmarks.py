"""The benchmarks run on the same bytes each time, contestants agree, and every edit shows."""

import random
import shutil
import sys

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from metrics import read_qrels, read_run
from metrics.editing.edits import step
from metrics.reading.note_codes import RANK_ORDER
from metrics.reading.rank_column import order_of
from metrics.rendering import text
from tests.benchmarks import __main__ as benchmark
from tests.benchmarks import edits, scale
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
    assert [note.code for note in read.notes] == [RANK_ORDER]
    assert set(read_qrels(qrels).queries) == set(read.queries)


def test_the_generated_scores_are_those_of_a_real_run(tmp_path):
    _, path = write(tmp_path, "1e5")
    score, rank = (np.array(column) for column in zip(*_scores_and_ranks(path), strict=True))
    run = read_run(path)
    same = run.query[1:] == run.query[:-1]
    assert (rank[1:][same] == rank[:-1][same] + 1).all()
    steps = np.diff(score)[same]
    assert (steps <= 0).all()
    assert len(np.unique(steps)) > 0.9 * len(steps)
    tied = steps == 0
    assert 0.015 < tied.mean() < 0.025
    # Of two equal scores the tool evaluates the greater id first, in whatever order they stand.
    order = order_of(run.queries, run.query, run.document, score, rank.astype(float))
    assert 0.4 < order.contradictions / tied.sum() < 0.6
    assert np.array_equal(np.diff(score.astype(np.float32))[same] == 0, tied)


def _scores_and_ranks(path):
    with path.open() as lines:
        for line in lines:
            *_, rank, score, _ = line.split()
            yield float(score), int(rank)


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


def test_every_route_of_a_run_gives_the_same_means(tmp_path):
    files = scale.routes(tmp_path, "tiny")
    assert list(files) == ["text", "Parquet", "Parquet, unsorted (DuckDB)"]
    qrels, repeated = scale.routes(tmp_path, "tiny*3")["Parquet"]
    assert len(read_run(repeated).queries) == 3 * SIZES["tiny"].queries
    paths = [*files.values(), (qrels, repeated)]
    first, *others, more = [scale.trial(*map(str, each)).printed.split(",") for each in paths]
    assert others == [first, first]
    # Each repetition has other queries with the same scores.
    queries, *means = map(float, more)
    assert (queries, means) == (60, pytest.approx(list(map(float, first[1:]))))
