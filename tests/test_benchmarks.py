"""Every benchmark runs and prints its figures, on the same bytes each time; none is timed."""

import io
import multiprocessing
import os
import random
import re
import shutil
import tempfile
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from metrics import evaluate, read_qrels, read_run
from metrics.editing.edits import step
from metrics.reading.rank_column import order_of
from metrics.rendering import text
from tests.benchmarks import __main__ as benchmark
from tests.benchmarks import against, costs, edits, scale, spark
from tests.benchmarks.generate import SIZES, write
from tests.browser.conftest import NAMES
from tests.needs_spark import require_spark

FOLDER = Path(benchmark.__file__).parent
PARTS = {"floor", "generate", "score", "serving", "sessions"}
"""The files from which benchmarks are made; every other file is one."""
BENCHMARKS = sorted({path.stem for path in FOLDER.glob("*.py")} - PARTS)


def require_chromium():
    """Skip the test, or fail if the environment requires it, without Chromium."""
    if not any(map(shutil.which, NAMES)):
        reason = f"no Chromium on the PATH (looked for {', '.join(NAMES)})"
        (pytest.fail if os.environ.get("REQUIRE_BROWSER") == "1" else pytest.skip)(reason)


def require_own_spark():
    """Skip the test unless the environment asks for Spark: its session serves no other test."""
    if os.environ.get("REQUIRE_SPARK") != "1":
        pytest.skip("starts Java for itself; REQUIRE_SPARK=1 asks for it")
    require_spark()


NEEDS = {"comparing": require_chromium, "edits": require_chromium, "spark": require_own_spark}


def start(folder):
    """Prepare the process in which benchmarks run: all that they write goes into a folder."""
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    # So short a run of Spark ends before the compiler that these leave out has paid for itself.
    os.environ["JDK_JAVA_OPTIONS"] = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


def run(name):
    """Return what a benchmark prints in its smallest form."""
    module = import_module(f"tests.benchmarks.{name}")
    with redirect_stdout(io.StringIO()) as printed:
        module.main(module.SMALLEST)
    return printed.getvalue()


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """What a benchmark prints, by its name; each runs once, all in one process.

    They change what a process has once: its signals, its event loop, its tracing.
    """
    folder = str(tmp_path_factory.mktemp("benchmarks"))
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, context, initializer=start, initargs=(folder,)) as process:
        yield cache(lambda name: process.submit(run, name).result())


@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_benchmark_runs_and_prints_its_figures(printed, name):
    NEEDS.get(name, lambda: None)()
    *_, last = printed(name).splitlines()
    assert re.search(r"\d", last)
    assert "nan" not in printed(name)


@pytest.mark.parametrize("operation", against.OPERATIONS)
def test_an_operation_that_checkouts_are_compared_by_runs(tmp_path, operation):
    cpu, memory = against.measured(operation, against.written(tmp_path, "tiny"))
    assert cpu > 0
    assert memory > 0


def test_the_generator_is_deterministic(tmp_path):
    one, two = (write(tmp_path / folder, "tiny") for folder in ("one", "two"))
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]
    other = write(tmp_path / "other", "tiny", seed=2)
    assert other[1].read_bytes() != one[1].read_bytes()


def test_the_generated_files_have_the_requested_size(tmp_path):
    qrels, run = write(tmp_path, "tiny")
    size, read = SIZES["tiny"], read_run(run)
    assert len(read) == size.queries * size.depth
    assert [note.code for note in read.notes] == ["N-RANK-ORDER"]
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
    order = order_of(run, rank.astype(float))
    assert 0.4 < order.contradictions / tied.sum() < 0.6
    assert np.array_equal(np.diff(score.astype(np.float32))[same] == 0, tied)


def _scores_and_ranks(path):
    with path.open() as lines:
        for line in lines:
            *_, rank, score, _ = line.split()
            yield float(score), int(rank)


def test_the_contestants_agree(printed):
    table = [line.split("|") for line in printed("__main__").splitlines() if line.startswith("| ")]
    _, *rows = ([cell.strip() for cell in row[1:-1]] for row in table)
    contestants = {row[0] for row in rows}
    assert {*benchmark.OWN, f"rankscope in {benchmark.ROOT}"} <= contestants
    assert ("trec_eval" in contestants) == bool(shutil.which("trec_eval"))
    for *_, differs in rows:
        assert float(differs) <= 6e-5


def test_spark_and_this_process_agree_in_every_bit(printed):
    NEEDS["spark"]()
    wrong = re.findall(r"(\d+) of \d+ \|", printed("spark"))
    assert wrong == ["0"] * len(spark.CONTESTANTS)


def test_every_timed_edit_changes_the_score_on_screen():
    shown, draw = edits.ranking(), random.Random(2)

    def score() -> str:
        return text.number(float(shown.ledger(f"nDCG@{edits.DEPTH}").scores[0]))

    for _ in range(100):
        before, (place, key) = score(), edits.move(draw)
        shown = step(shown, shown.retrieved[place].document, 1 if key == "ArrowDown" else -1)
        assert score() != before


def test_a_repeated_run_has_other_queries_with_the_same_scores(tmp_path):
    once, repeated = (scale.routes(tmp_path, size)["Parquet"] for size in ("tiny", "tiny*3"))
    scores = [evaluate(read_qrels(q), read_run(run), scale.MEASURES) for q, run in (once, repeated)]
    assert [len(each.judged.queries) for each in scores] == [20, 60]
    for measure in scale.MEASURES:
        one, three = (each.value(measure) for each in scores)
        assert three == pytest.approx(one)


def test_costs_are_those_of_long_rankings_with_few_judgments():
    qrels, a, b = costs.sparse(1, 3, 2)
    assert [len(grades) for grades in qrels.to_dict().values()] == [2] * 3
    lists = [*a.to_dict().values(), *b.to_dict().values()]
    assert {len(documents) for documents in lists} == {100}
