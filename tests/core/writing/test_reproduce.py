"""The printed command line and lines of Python reproduce the numbers of a comparison."""

import contextlib
import io
import json
import subprocess
import zipfile
from pathlib import Path

import numpy as np
import pytest

from metrics import (
    PRESETS,
    TREC_EVAL,
    Convention,
    Pairing,
    Qrels,
    RankscopeError,
    Run,
    compare,
    read_qrels,
    read_run,
)
from metrics.__main__ import main
from metrics.comparing.evidence import PairedTest, evidence
from metrics.rendering.report import inputs, recipe
from metrics.teaching.samples import catalogue
from metrics.words import is_hidden
from metrics.writing import reproduce
from metrics.writing.reproduce import PARTS, SURE, Recipe, as_input, input_name
from tests.cases import cases

FILES = ("qrels.json", "a.json", "b.json")
CONVENTIONS = {
    **PRESETS,
    "changed": Convention(gain="{1:0.5,2:0.9,3:1}", ties="input", level=2),
    "near another": Convention(ideal="retrieved", ap="capped", unjudged="removed"),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    dataset = catalogue()["shop"].load()
    for name, pairs in zip(FILES, (dataset.qrels, *dataset.runs), strict=True):
        (tmp_path / name).write_bytes(as_input(pairs))
    monkeypatch.chdir(tmp_path)
    return dataset


def words_of(command):
    """Return the words that a shell finds in a command."""
    script = rf"printf '%s\0' {command}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, check=True)
    return done.stdout.decode().split("\0")[:-1]


def printed(command):
    program, *words = words_of(command)
    assert program == "rankscope"
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main([*words, "--format", "json", "--quiet"]) == 0
    return json.loads(out.getvalue())["rows"]


@pytest.mark.parametrize("name", CONVENTIONS)
def test_command_and_python_give_the_same_evidence(folder, name):
    convention, measures = CONVENTIONS[name], ["nDCG@10", "P(rel=2)@5", "R@10"]
    recipe, asked = Recipe(FILES), (measures, convention, PairedTest("wilcoxon", 0.01, 7))
    expected = evidence(
        compare(folder.qrels, *folder.runs, measures, convention), None, "wilcoxon", 0.01, 7
    )
    for row in printed(recipe.command(*asked)):
        wanted = expected[row["measure"]]
        assert row["delta"] == wanted.delta
        assert (row["p"], row["p_holm"], row["low"]) == (wanted.p, wanted.corrected, wanted.low)
        assert row["ties"] == wanted.ties
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(recipe.python(*asked), {})
    assert out.getvalue() == f"{expected}\n"


@pytest.mark.parametrize(("other", "fixes"), [("{}.txt", SURE), ("{}#c1", PARTS)])
def test_command_and_python_match_the_same_ids(folder, other, fixes):
    for name, run in zip(FILES[1:], folder.runs, strict=True):
        ids = {q: {other.format(d): x for d, x in of.items()} for q, of in run.to_dict().items()}
        Path(name).write_bytes(as_input(Run.from_dict(ids)))
    recipe = Recipe(FILES, fixes)
    expected = evidence(compare(folder.qrels, *folder.runs, "AP"))["AP"]
    assert printed(recipe.command(["AP"]))[0]["delta"] == pytest.approx(expected.delta)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(recipe.python(["AP"]), {})
    assert f"delta={expected.delta}" in out.getvalue()


def test_more_rows_than_other_formats_accept_are_written_as_trec(monkeypatch):
    draw = np.random.default_rng(3)
    ids = [f"d\u00e9{at}#" for at in range(40)]
    scores = [{each: draw.normal() * 10.0 ** draw.integers(-9, 9) for each in ids} for _ in "ab"]
    run = Run.from_dict({"q1": scores[0], "q2": scores[1]}, "r")
    qrels = Qrels.from_dict({"q1": dict.fromkeys(ids, 3), "q2": dict.fromkeys(ids, 0)})
    spaced = Run.from_dict({"q 1": scores[0]})
    monkeypatch.setenv("RANKSCOPE_LIMITS", "rows=30")
    assert input_name("a", spaced) == "a.parquet"
    for pairs, read in ((run, read_run), (qrels, read_qrels)):
        name = input_name("a", pairs)
        assert name == "a.txt"
        reread = read(as_input(pairs), name)
        assert reread.digest == pairs.digest
        assert reread.notes == ()
    monkeypatch.setenv("RANKSCOPE_LIMITS", "json=1000")
    assert input_name("a", run) == "a.parquet"


@cases(
    "query",
    ["x\x15echo gone\r", "\x1b[201~;'id'\\\\ $(ls)", "-a\n\tb\x9b", "ü\u202e\u200b4", "a'b \\\\c"],
)
def test_control_characters_in_an_id_are_escaped_for_the_terminal(query):
    command = Recipe(FILES).command(["AP"], query=query)
    assert not any(map(is_hidden, command))
    assert words_of(command)[-1] == f"--query={query}"


def test_the_command_for_one_query_prints_its_documents(folder):
    rows = printed(Recipe(FILES).command(["AP"], query="q12"))
    compared = compare(folder.qrels, *folder.runs, "AP")
    assert rows[-1]["delta"] == compared.per_query("AP").at["q12", "delta"]
    assert sum(row["delta"] for row in rows[:-1]) == pytest.approx(rows[-1]["delta"], abs=1e-12)


def test_default_settings_are_left_out():
    assert Recipe(FILES).command(["AP"]) == "rankscope compare qrels.json a.json b.json -m AP"
    assert Recipe(FILES).python(["AP"], TREC_EVAL).count("Convention()") == 1


def test_changed_choices_are_printed_instead_of_a_preset_name():
    chosen = Convention(ties="ascending", queries="qrels")
    command = Recipe(FILES).command(["AP"], chosen)
    assert command.endswith("-m AP --set ties=ascending --set queries=qrels")


@pytest.mark.parametrize("query", ["-q", "--help", "a b", "'", '"$(x)`', "é\u202e"])
def test_hostile_ids_stay_one_word(query, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    qrels, run = Qrels.from_dict({query: {"x": 1}}), Run.from_dict({query: {"x": 1, "y": 2}})
    for name, pairs in zip(FILES, (qrels, run, run), strict=True):
        (tmp_path / name).write_bytes(as_input(pairs))
    rows = printed(Recipe(FILES).command(["RR"], query=query))
    assert rows[-1]["a"] == 0.5


@pytest.mark.parametrize("most", [0, reproduce.MOST_JSON])
@pytest.mark.parametrize("key", catalogue())
def test_inputs_read_back_the_same(key, most, monkeypatch):
    monkeypatch.setattr(reproduce, "MOST_JSON", most)
    dataset = catalogue()[key].load()
    name = input_name("qrels", dataset.qrels)
    # JSON has no place for aspects.
    in_json = most and not dataset.qrels.aspects
    assert name == ("qrels.json" if in_json else "qrels.parquet")
    assert read_qrels(as_input(dataset.qrels), name).digest == dataset.qrels.digest
    for run in dataset.runs:
        assert read_run(as_input(run), input_name("a", run)).digest == run.digest


@cases("level", [0, -1.0, float("inf"), float("nan")])
def test_a_level_that_no_grade_has_is_refused(level):
    with pytest.raises(RankscopeError, match="a number above 0"):
        Convention(level=level)


def test_command_and_python_leave_out_the_same_documents(folder):
    first = {q: [next(iter(of))] for q, of in folder.runs[0].to_dict().items()}
    qrels = folder.qrels.without(first)
    pairing = Pairing.of(qrels, folder.runs, "AP")
    with zipfile.ZipFile(io.BytesIO(inputs(pairing))) as packed:
        packed.extractall()
    assert recipe(pairing).exclude == "exclude.json"
    assert recipe(Pairing.of(folder.qrels, folder.runs, "AP")).exclude == ""
    expected = pairing.evidence["AP"]
    assert expected.delta != evidence(compare(folder.qrels, *folder.runs, "AP"))["AP"].delta
    assert printed(recipe(pairing).command(["AP"]))[0]["delta"] == expected.delta
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(recipe(pairing).python(["AP"]), {})
    assert f"delta={expected.delta}" in out.getvalue()
