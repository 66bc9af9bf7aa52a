"""``rankscope fuse``: the same runs as the library makes, as TREC lines."""

from itertools import pairwise
from pathlib import Path

import pytest

from metrics import comb, read_run, rrf
from metrics.commands.fuse import METHODS

from .test_audit_command import FILES

_, BM25, CHARS = map(str, FILES)


@pytest.fixture
def runs():
    return [read_run(BM25), read_run(CHARS)]


@pytest.mark.parametrize("method", METHODS)
def test_each_method_prints_lines_that_read_back_as_the_fused_run(rankscope, method):
    code, out, err = rankscope("fuse", BM25, CHARS, "--method", method)
    assert code == 0
    run = read_run(out.encode(), "a.run")
    assert run.tag == method
    assert "of bm25 and char_ngrams" in err
    rows = [line.split() for line in out.splitlines()]
    for (query, *_, rank, score, _), (other, *_, below, lower, _) in pairwise(rows):
        if query == other:
            assert int(below) == int(rank) + 1
            assert float(lower) <= float(score)


def test_weights_and_k_are_those_of_the_library(rankscope, runs, tmp_path):
    _, out, _ = rankscope("fuse", BM25, CHARS, "--weights", "2", "0.5", "--k", "10")
    assert read_run(out.encode()).to_dict() == rrf(runs, k=10, weights=[2, 0.5]).to_dict()
    method = ["--method", "combmnz-minmax", "--weights", "1", "3", "--name", "both"]
    file = tmp_path / "fused.run"
    code, out, err = rankscope("fuse", BM25, CHARS, *method, "-o", file, "--quiet")
    assert (code, out, err) == (0, "", "")
    fused = read_run(file)
    assert fused.to_dict() == comb(runs, mnz=True, weights=[1, 3]).to_dict()
    assert fused.tag == "both"


def test_equal_scores_are_ranked_as_the_convention_says(rankscope, write_files):
    write_files(one="q Q0 a 1 1 t\nq Q0 b 2 1 t\n", other="q Q0 b 1 2 t\n")
    _, down, _ = rankscope("fuse", "one", "other")
    _, up, _ = rankscope("fuse", "one", "other", "--set", "ties=ascending")
    assert read_run(down.encode()).to_dict()["q"]["a"] == 1 / 62
    assert read_run(up.encode()).to_dict()["q"]["a"] == 1 / 61


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        ([BM25], "two runs or more"),
        ([BM25, CHARS, "--weights", "1"], "2 runs cannot have 1 weight"),
        ([BM25, CHARS, "--weights", "1", "0"], "must be above 0"),
        ([BM25, CHARS, "--k", "2000000"], "k of RRF"),
        ([BM25, BM25], "appears twice"),
        ([BM25, CHARS, "-o", BM25], "would be written over"),
    ],
)
def test_wrong_usage_is_refused_and_nothing_is_written(rankscope, argv, words):
    before = Path(BM25).read_bytes()
    code, out, err = rankscope("fuse", *argv)
    assert code not in (0, 70)
    assert out == ""
    assert words in err
    assert Path(BM25).read_bytes() == before


@pytest.mark.parametrize(
    ("option", "words"),
    [(["--k", "-1"], "expected a number, 0 or more"), (["--method", "x"], "invalid choice")],
)
def test_an_option_of_the_wrong_form_is_refused(rankscope, capsys, option, words):
    with pytest.raises(SystemExit, match="2"):
        rankscope("fuse", BM25, CHARS, *option)
    assert words in capsys.readouterr().err
