"""The built wheel, installed into a clean environment, starts the app and scores a run."""

import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import tomllib
import urllib.request
import venv
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from metrics import evaluate, read_judged, read_qrels, read_run, score
from metrics.version import __version__
from tests.needs_spark import require_spark

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.packaging


def folders_with_python():
    """The packages that the checkout holds, by the names under which they are installed."""
    for top in ("metrics", "pages"):
        for folder in {path.parent for path in (ROOT / top).rglob("*.py")}:
            yield ".".join(["rankscope", *folder.relative_to(ROOT).parts])


def test_the_packages_are_the_folders_that_hold_python():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    packages = settings["tool"]["setuptools"]["packages"]
    expected = {"rankscope", "rankscope.sample_data", *folders_with_python()}
    assert sorted(packages) == sorted(expected)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(out), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    home = tmp_path_factory.mktemp("clean")
    venv.create(home)
    python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    # The pip of these tests installs into it, and leaves it to Python to compile what is imported:
    # both take longer than what they are for.
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-compile"]
    subprocess.run([*pip, "-c", str(ROOT / "constraints.txt"), str(wheel)], check=True)
    return python


def test_the_wheel_holds_one_package_and_all_it_needs(wheel):
    assert wheel.name == f"rankscope-{__version__}-py3-none-any.whl"
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"rankscope"}
    for needed in (
        "rankscope/app.py",
        "rankscope/.streamlit/config.toml",
        "rankscope/metrics/py.typed",
        "rankscope/pages/ui/icon.svg",
        "rankscope/sample_data/two_rankers.ipynb",
        "rankscope/sample_data/worked_examples.json",
        "rankscope/sample_data/shop_search/documents.tsv",
        "rankscope/sample_data/reranking/reranked.run",
        "rankscope/sample_data/two_judges/judges.tsv",
    ):
        assert needed in names
    assert not [name for name in names if "/tests/" in name]


def test_the_library_works_where_it_is_installed(python, tmp_path):
    code = (
        "from rankscope import evaluate;"
        "from rankscope.metrics.teaching.samples import catalogue;"
        "d = catalogue()['laptop'].load();"
        "import rankscope, rankscope.metrics;"
        "assert rankscope.__all__ == rankscope.metrics.__all__;"
        "from rankscope import charts; charts.waterfall;"
        "print(round(evaluate(d.qrels, d.runs[0], ['nDCG@5']).mean['nDCG@5'], 4))"
    )
    done = subprocess.run([python, "-c", code], cwd=tmp_path, check=True, capture_output=True)
    assert done.stdout.decode().strip() == "0.9602"


THREADS = """
import os, sys
sys.argv = [{name!r}]
import rankscope
print(os.environ.get("OPENBLAS_NUM_THREADS"))
"""


@pytest.mark.parametrize(
    ("name", "threads"),
    [("/usr/bin/rankscope", "1"), ("rankscope.exe", "1"), ("/home/me/evaluate.py", "None")],
)
def test_only_the_command_limits_the_threads_of_numpy(light, monkeypatch, name, threads):
    # Set by app.py where a test before this one has opened the app.
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    done = light(THREADS.format(name=name))
    assert done.stdout.strip() == threads, done.stderr


INTERRUPTED = """
import os, signal, sys
sys.argv = ["rankscope"]

class Interrupts:
    def find_spec(self, name, *_):
        if name == "numpy":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupts())
import rankscope.metrics.__main__
"""
RESTORED = """
import signal, sys
sys.argv = ["rankscope"]
from rankscope.metrics.__main__ import main
main(["conventions"])
assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
"""


def test_the_command_is_interrupted_without_a_traceback(light):
    done = light(INTERRUPTED)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")
    done = light(RESTORED)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """A folder from which NumPy and pyarrow can be imported, and nothing else."""
    folder = tmp_path_factory.mktemp("packages")
    for name in ("numpy", "pyarrow"):
        home = Path(importlib.util.find_spec(name).origin).parent
        for part in (home, home.with_name(f"{name}.libs")):
            if part.exists():
                (folder / part.name).symlink_to(part, target_is_directory=True)
    return folder


@pytest.fixture(scope="module")
def light(wheel, packages):
    """Run a program where only NumPy, pyarrow and the zipped wheel can be imported."""
    path = os.pathsep.join([str(packages), str(wheel)])

    def run(program):
        # Without the module `site`, Python looks in its standard library and in this path only.
        return subprocess.run(
            [sys.executable, "-S", "-W", "error", "-c", program],
            cwd=packages,
            env={**os.environ, "PYTHONPATH": path},
            check=False,
            capture_output=True,
            text=True,
        )

    return run


IMPORTED = """
from importlib import import_module
from pkgutil import walk_packages
import rankscope.metrics as core

print(core.__file__)
for module in walk_packages(core.__path__, core.__name__ + "."):
    if not {"rendering", "charts", "__main__"} & set(module.name.split(".")):
        import_module(module.name)
import pandas
"""


def test_the_core_but_its_charts_imports_from_the_zipped_wheel(light, wheel):
    done = light(IMPORTED)
    assert done.stdout.splitlines() == [str(wheel / "rankscope/metrics/__init__.py")]
    # The last line of the program is the first that fails: pandas is not there.
    last = '"<string>", line 10, in <module>'
    assert f"{last}\nModuleNotFoundError: No module named 'pandas'" in done.stderr


SCORED = """
from {core} import PRESETS, MeasureError, match, read_qrels, read_run
from {core}.measures import MEASURES

files = {{
    "qrels.json": b'{{"q1": {{"a": 3, "b": 1, "c": 0, "d": 2}}, "q2": {{"a": 1}}}}',
    "run.csv": b"query,document,score\\nq1,x,3\\nq1,b,2\\nq1,c,2\\nq1,a,1\\nq2,y,2\\nq2,a,1",
    "run.txt": b"q1 Q0 x 1 3 t\\nq1 Q0 a 2 1 t",
}}
qrels = read_qrels(files.pop("qrels.json"), "qrels.json")
for name, content in files.items():
    run = read_run(content, name)
    for preset, convention in PRESETS.items():
        judged = match(qrels, run, convention)
        for measure in MEASURES.values():
            try:
                print(name, preset, measure, measure.ledger(judged).scores.tolist())
            except MeasureError as error:
                print(name, preset, measure, error)
"""


def test_the_zipped_wheel_reads_and_scores_as_the_checkout(light):
    done = light(SCORED.format(core="rankscope.metrics"))
    assert done.returncode == 0, done.stderr
    here = [sys.executable, "-c", SCORED.format(core="metrics")]
    expected = subprocess.run(here, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert done.stdout.splitlines() == expected.splitlines()
    assert expected.count("run.csv trec_eval nDCG ") == 1


def test_spark_submit_runs_the_script_of_the_docs_on_workers_with_only_these(
    wheel, packages, tmp_path
):
    """Workers get Rankscope as one file; Spark puts it on their path if it ends in .zip."""
    require_spark()
    zipped, worker = tmp_path / "rankscope.zip", tmp_path / "python"
    shutil.copyfile(wheel, zipped)
    worker.write_text(
        f'#!/bin/sh\ntouch "{tmp_path}/worked"\n'
        f'PYTHONPATH="{packages}:$PYTHONPATH" exec "{sys.executable}" -S "$@"\n'
    )
    worker.chmod(0o755)
    data = ROOT / "sample_data" / "reranking"
    qrels, run = read_qrels(data / "qrels.txt"), read_run(data / "baseline.run")
    query = pa.array(run.queries).take(pa.array(run.query))
    columns = {"query": query, "document": run.document, "score": pa.array(run.value)}
    pq.write_table(pa.table(columns), tmp_path / "run.parquet")
    (home,) = importlib.util.find_spec("pyspark").submodule_search_locations
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "spark.sql.shuffle.partitions": "2",
    }
    done = subprocess.run(
        [
            *(Path(home) / "bin" / "spark-submit", "--master", "local[2]"),
            *(part for each in settings.items() for part in ("--conf", "=".join(each))),
            *("--py-files", zipped, ROOT / "docs" / "match_on_spark.py"),
            *(data / "qrels.txt", "run.parquet", "out.judged.parquet", "-m", "nDCG@10", "RR"),
        ],
        cwd=tmp_path,
        env={
            **os.environ,
            "SPARK_LOCAL_IP": "127.0.0.1",
            "PYSPARK_DRIVER_PYTHON": sys.executable,
            "PYSPARK_PYTHON": str(worker),
        },
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "worked").exists()
    expected = evaluate(qrels, run, ["nDCG@10", "RR"])
    lines = [f"{name}\t{value:.4f}" for name, value in expected.mean.items()]
    assert done.stdout.splitlines()[-2:] == lines  # the lines above them are Spark's
    found = read_judged(tmp_path / "out.judged.parquet").judged
    assert score(found, ["AP"]).per_query.equals(evaluate(qrels, run, "AP").per_query)


PAGES = """
import sys
from pathlib import Path
import rankscope
from streamlit.testing.v1 import AppTest

home = Path(rankscope.__path__[0])
sys.path.insert(0, str(home))  # as `streamlit run` does
from pages.ui.shell import PAGES

at = AppTest.from_file(str(home / "app.py"), default_timeout=120).run()
for script, title, *_rest in PAGES:
    at.switch_page(script).run()
    assert not at.exception, (script, at.exception)
    assert at.main.children, script
    print(title)
"""


def test_every_page_opens_where_it_is_installed(python, tmp_path):
    from pages.ui import shell

    command = [python, "-W", "ignore", "-c", PAGES]
    done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [title for _script, title, *_rest in shell.PAGES]


def test_the_command_starts_the_app(python, tmp_path):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [python.parent / "rankscope", "app", "--server.headless=true"]
    process = subprocess.Popen([*command, f"--server.port={port}"], cwd=tmp_path)
    try:
        for _ in range(480):
            try:
                url = f"http://127.0.0.1:{port}/_stcore/health"
                with urllib.request.urlopen(url, timeout=2) as answer:
                    assert answer.read() == b"ok"
                    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
                return
            except OSError:
                assert process.poll() is None, "the app ended by itself"
                time.sleep(0.25)
        pytest.fail("the app did not become healthy within two minutes")
    finally:
        process.terminate()
        process.wait(60)
