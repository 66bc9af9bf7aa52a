"""The workflow in docs/check.yml: its steps run, and end as they say."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
WORKFLOW = (ROOT / "docs" / "check.yml").read_text("utf-8")
SHOP = ROOT / "sample_data" / "shop_search"
REPLACED = {"Install", "Rank"}
"""The steps that the reader replaces."""


def steps():
    """The commands of the steps that run one, by name; lines that YAML folds are joined."""
    found = {}
    for step in re.split(r"(?m)^      - ", WORKFLOW)[1:]:
        name = re.match(r"name: (.*)\n", step)
        run = re.search(r"(?m)^        run: (>-\n(?:          .*\n)+|.*)", step)
        if name and run:
            found[name[1]] = " ".join(run[1].removeprefix(">-").partition(" # ")[0].split())
    return found


@pytest.fixture
def repository(tmp_path):
    """A repository as the workflow describes it, with a baseline made by its command."""
    shutil.copy(SHOP / "qrels.txt", tmp_path)
    (tmp_path / "must_hold.txt").write_text("# the front page\nq01\n", "utf-8")
    program = tmp_path / "bin" / "rankscope"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m metrics "$@"\n', "utf-8")
    program.chmod(0o755)
    (made,) = re.findall(r"made once: (rankscope match .*)", WORKFLOW)

    def run(command, expected=0):
        environment = {
            **os.environ,
            "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
            "GITHUB_HEAD_REF": "feature/$(touch broken)`touch broken`",
            "GITHUB_SHA": "0123abc",
        }
        # As GitHub runs a step.
        done = subprocess.run(
            ["bash", "-e", "-c", command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == expected, done.stderr
        return done.stdout

    def prepare(baseline):
        shutil.copy(SHOP / f"{baseline}.run", tmp_path / "baseline.run")
        run(made)
        (tmp_path / "baseline.run").unlink()
        return run

    return prepare


def test_the_steps_are_found():
    assert list(steps()) == ["Install", "Rank", "Match", "Check"]
    assert WORKFLOW.count(" run: ") == len(steps())


@pytest.mark.skipif(os.name == "nt", reason="the workflow runs on Linux")
@pytest.mark.parametrize(
    ("baseline", "new", "code", "says"),
    [
        ("bm25", "char_ngrams", 0, "**No regression: nDCG@10 holds.**"),
        (
            "char_ngrams",
            "bm25",
            1,
            "**Regression: nDCG@10 drops by 0.0946 and q01, a query that must hold, drops.**",
        ),
        (
            "bm25",
            "bm25 below junk",
            0,
            "**Cannot tell: documents without a grade decide whether nDCG@10 and q01 hold.**",
        ),
    ],
)
def test_the_steps_end_as_they_say(repository, tmp_path, baseline, new, code, says):
    run = repository(baseline)
    held = (tmp_path / "baseline.judged.parquet").read_bytes()
    name, _, below_junk = new.partition(" below ")
    rows = (SHOP / f"{name}.run").read_text("utf-8")
    if below_junk:
        queries = sorted({row.split()[0] for row in rows.splitlines()})
        rows += "".join(
            f"{q} Q0 {below_junk}{i} 1 {9999 - i} x\n" for q in queries for i in range(3)
        )
    (tmp_path / "new.run").write_text(rows, "utf-8")
    own = {name: command for name, command in steps().items() if name not in REPLACED}
    *others, last = own.values()
    for command in others:
        run(command)
    assert ("::warning::" in run(last, expected=code)) == bool(below_junk)
    summary = (tmp_path / "summary.md").read_text("utf-8")
    assert summary.startswith(says)
    assert "(feature/\\$(touch broken)\\`touch broken\\`, commit 0123abc, " in summary
    assert not (tmp_path / "broken").exists()
    assert (tmp_path / "baseline.judged.parquet").read_bytes() == held
    # What the last step uploads is there.
    uploaded = re.search(r"path: \|\n((?: {12}.*\n?)+)", WORKFLOW)[1].split()
    assert uploaded == ["new.judged.parquet", "check.xml"]
    assert all((tmp_path / name).exists() for name in uploaded)
