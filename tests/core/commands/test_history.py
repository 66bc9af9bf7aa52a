"""``rankscope history``: a folder of judged runs over time, and any two of them compared."""

import csv
import json
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest

from metrics import Convention, Qrels, Run, evaluate, evidence, match, save
from metrics.comparing.comparison import align
from metrics.comparing.significance import interval_of_scores

QRELS = Qrels.from_dict({f"q{i}": {"x": 1, "y": 2} for i in range(12)})
START = datetime(2026, 11, 1, 8, 30, tzinfo=UTC)


def ranked(name, worse=0):
    """A run in which the last queries rank the best document second."""
    rows = {}
    for number, query in enumerate(QRELS.queries):
        best, other = ("y", "x") if number >= worse else ("x", "y")
        rows[query] = {best: 2.0, other: 1.0}
    return Run.from_dict(rows, name)


RUNS = {"first": 0, "second": 8, "third": 4}


@pytest.fixture
def folder(tmp_path):
    """Three comparable runs, then one under another convention; written in another order."""
    for day, (name, worse) in reversed(list(enumerate(RUNS.items()))):
        about = {"tags": ["nightly", f"day{day}"], "commit": f"{day}abc{name}"}
        path = tmp_path / f"{'zyx'[day]}.judged.parquet"
        save(match(QRELS, ranked(name, worse)), path, time=START + timedelta(days=day), **about)
    other = match(QRELS, ranked("other"), Convention(gain="exponential"))
    save(other, tmp_path / "a.judged.parquet", time=START + timedelta(days=9), tags=["trial"])
    return tmp_path


def rows(text):
    return list(csv.DictReader(StringIO(text)))


def test_the_runs_are_in_order_of_time_with_means_and_intervals(rankscope, folder):
    code, out, _ = rankscope(
        "history", folder, "-m", "nDCG@2", "AP", "--format", "csv", "--tag", "nightly"
    )
    assert code == 0
    found = rows(out)
    assert [(row["run"], row["measure"]) for row in found] == [
        (name, measure) for name in RUNS for measure in ("nDCG@2", "AP")
    ]
    for row in found:
        scores = evaluate(QRELS, ranked(row["run"], RUNS[row["run"]]), row["measure"])
        low, high = interval_of_scores(scores.per_query[row["measure"]].to_numpy())
        expected = [scores.summary(row["measure"]), low, high]
        assert [float(row[name]) for name in ("mean", "low", "high")] == pytest.approx(expected)
    assert found[0]["time"] == "2026-11-01 08:30"


def test_the_change_is_that_since_the_run_before(rankscope, folder):
    out = rankscope("history", folder, "-m", "nDCG@2", "--format", "csv", "--tag", "nightly")[1]
    first, second, third = rows(out)
    assert (first["delta"], first["p"]) == ("", "")
    for row, (a, b) in ((second, ("first", "second")), (third, ("second", "third"))):
        sides = (evaluate(QRELS, ranked(name, RUNS[name]), "nDCG@2") for name in (a, b))
        expected = evidence(align(*sides))["nDCG@2"]
        assert [float(row["delta"]), float(row["p"])] == [expected.delta, expected.p]


def test_runs_that_were_judged_differently_are_not_compared(rankscope, folder):
    code, out, err = rankscope("history", folder, "-m", "nDCG@2", "--format", "json")
    assert code == 0
    assert (
        "other (a.judged.parquet): not compared with the run before. The conventions differ" in err
    )
    found = json.loads(out)
    assert [row["delta"] is None for row in found["rows"]] == [True, False, False, True]


@pytest.mark.parametrize(
    ("a", "b"),
    [("z", "y"), ("day0", "day1"), ("0abc", "1abcsecond"), ("first", "y.judged.parquet")],
)
def test_two_runs_are_named_by_file_tag_commit_or_name(rankscope, folder, a, b):
    code, out, _ = rankscope("history", folder, "--between", a, b, "-m", "nDCG@2")
    assert code == 0
    assert out.startswith("first is better than second: nDCG@2")
    each = rankscope("history", folder, "--between", a, b, "-m", "nDCG@2", "-q", "--format", "csv")[
        1
    ]
    changed = [
        row["query"] for row in rows(each) if row["query"] != "all" and float(row["delta"]) < 0
    ]
    assert sorted(changed) == sorted(QRELS.queries[:8])


def test_the_latest_run_with_a_tag_is_meant(rankscope, folder):
    out = rankscope("history", folder, "--between", "day0", "nightly", "-m", "nDCG@2")[1]
    assert "run B: third" in out


@pytest.mark.parametrize(
    ("argv", "code", "said"),
    [
        (["--between", "z", "a"], 3, "z.judged.parquet and a.judged.parquet cannot be compared"),
        (["--between", "z", "day7"], 2, "No run is called 'day7'. Did you mean 'day"),
        (["--tag", "none"], 3, "None of 4 runs has these tags"),
        (["-m", "nope"], 2, "nope"),
    ],
)
def test_what_cannot_be_shown_is_refused(rankscope, folder, argv, code, said):
    found, out, err = rankscope("history", folder, *argv)
    assert (found, out) == (code, "")
    assert said in err


def test_commits_that_begin_alike_are_refused(rankscope, folder):
    for number in (1, 2):
        save(
            match(QRELS, ranked("x")), folder / f"m{number}.judged.parquet", commit=f"abcd{number}"
        )
    code, _, err = rankscope("history", folder, "--between", "abcd", "z")
    assert code == 2
    assert "Several commits begin with 'abcd': 'abcd1', 'abcd2'" in err


def test_a_file_that_cannot_be_read_is_noted_and_the_others_are_shown(rankscope, folder):
    (folder / "b.judged.parquet").write_bytes(b"PAR1 nothing")
    code, out, err = rankscope("history", folder, "-m", "AP", "--format", "csv")
    assert code == 0
    assert len(rows(out)) == 4
    assert "b.judged.parquet: found" in err


def test_a_folder_without_judged_runs_is_refused(rankscope, tmp_path):
    code, _, err = rankscope("history", tmp_path)
    assert code == 2
    assert "rankscope match -o" in err
    assert rankscope("history", tmp_path / "no")[0] == 4


def test_a_file_that_cannot_be_opened_is_noted(rankscope, folder):
    (folder / "folder.judged.parquet").mkdir()
    code, out, err = rankscope("history", folder, "-m", "RR", "--format", "csv")
    assert code == 0
    assert len(rows(out)) == 4
    assert "folder.judged.parquet: found a folder, a pipe or a device" in err
    assert "[E-OPEN]" in err


def test_two_runs_are_compared_under_the_names_that_other_commands_write(rankscope, folder):
    asked = ("history", folder, "--between", "day0", "day1", "-m", "map", "--format", "csv")
    for more in ([], ["-q"]):
        code, out, _ = rankscope(*asked, *more)
        assert code == 0
        assert {row["measure"] for row in rows(out)} == {"AP"}
