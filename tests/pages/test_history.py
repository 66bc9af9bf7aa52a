"""The page History: a folder of judged runs over time, and what changed between two."""

import json
import os
import re
from datetime import UTC, datetime, timedelta
from inspect import signature

import pytest
import streamlit as st

from metrics import TREC_EVAL, Convention, Pairing, Qrels, Run, compare, evaluate, match, save
from metrics.comparing.significance import interval_of_scores
from pages.ui import shell
from pages.ui.history import folder as reading
from tests.pages.conftest import opened, tables_of, texts

VARIABLE = "RANKSCOPE_HISTORY"
QRELS = Qrels.from_dict({f"q{i}": {"x": 1, "y": 2} for i in range(12)})
START = datetime(2026, 11, 1, 8, 30, tzinfo=UTC)
HOSTILE = "<b>x</b> [a](http://example.org) ![b](http://example.org/b.png) `$c$`"
# The number of queries that rank the best document second, by the name of the run.
WORSE = {"first": 0, "second": 8, HOSTILE: 4}


def ranked(name, worse):
    rows = {}
    for number, query in enumerate(QRELS.queries):
        best, other = ("y", "x") if number >= worse else ("x", "y")
        rows[query] = {best: 2.0, other: 1.0}
    return Run.from_dict(rows, name)


def write(path, name, day, worse, convention=TREC_EVAL, tags=("nightly",)):
    judged = match(QRELS, ranked(name, worse), convention)
    save(judged, path, time=START + timedelta(days=day), tags=tags, commit=f"{day}abcdef01234")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Three comparable runs, then one under another convention, and five that cannot be read."""
    for day, (name, worse) in enumerate(WORSE.items()):
        write(tmp_path / f"{'zyx'[day]}.judged.parquet", name, day, worse)
    other = tmp_path / "a.judged.parquet"
    write(other, "other", 9, 0, Convention(gain="exponential"), ("trial",))
    (tmp_path / "damaged.judged.parquet").write_bytes(other.read_bytes()[:-9])
    (tmp_path / "folder.judged.parquet").mkdir()
    (tmp_path / "gone.judged.parquet").symlink_to("nothing")
    (tmp_path / "loop.judged.parquet").symlink_to("loop.judged.parquet")
    os.mkfifo(tmp_path / "pipe.judged.parquet")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


def history(**parameters):
    at = opened("history", **parameters)
    assert not at.exception
    return at


def figure(at):
    (chart,) = at.get("plotly_chart")
    return json.loads(chart.proto.spec)


def lines(at):
    """The traces that draw means with intervals, each a series of comparable runs."""
    return [trace for trace in figure(at)["data"] if "error_y" in trace]


def table(at, column):
    (found,) = [each for each in tables_of(at) if column in each]
    return found


def test_without_a_folder_there_is_no_page(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    assert "History" not in {page.title for page in shell.PAGES}
    at = opened("history")
    assert not at.exception
    # The first request after a start; later ones meet Streamlit's own "Page not found".
    assert [title.value for title in at.title] == ["Why is this ranking 96 % perfect?"]
    assert "without a folder" in at.warning[0].value


def test_means_and_intervals_are_those_of_the_runs_in_order_of_time(folder):
    at = history(measure="nDCG", k=2, tags="nightly")
    (line,) = lines(at)
    assert line["x"] == [0, 1, 2]
    for place, (name, worse) in enumerate(WORSE.items()):
        scores = evaluate(QRELS, ranked(name, worse), "nDCG@2")
        low, high = interval_of_scores(scores.per_query["nDCG@2"].to_numpy())
        mean = line["y"][place]
        assert mean == pytest.approx(scores.summary("nDCG@2"))
        assert mean + line["error_y"]["array"][place] == pytest.approx(high)
        assert mean - line["error_y"]["arrayminus"][place] == pytest.approx(low)
    rows = table(at, "low")
    assert rows["run"].tolist() == [*reversed(WORSE)]
    assert rows["mean"].tolist() == pytest.approx(line["y"][::-1])


def test_a_run_that_was_judged_differently_breaks_the_line_and_says_why(folder):
    at = history()
    assert [line["x"] for line in lines(at)] == [[0, 1, 2], [3]]
    (reason,) = [each for each in texts(at) if "conventions differ" in each]
    assert reason.startswith(
        "- `2026-11-10 08:30 · other · 9abcdef0 · trial`: The conventions differ: gain"
    )


def test_files_that_cannot_be_read_are_listed_with_their_reasons(folder):
    (warning,) = history().warning
    assert "5 files" in warning.value
    assert "damaged.judged.parquet" in warning.value
    assert "[E-JUDGED]" in warning.value
    for name in ("folder", "gone", "loop", "pipe"):
        assert f"{name}.judged.parquet: found" in warning.value
    assert warning.value.count("[E-OPEN]") == 4


def test_the_last_two_runs_that_compare_are_compared(folder):
    at = history(measure="nDCG", k=2)
    picked = {box.label: box.value for box in at.selectbox}
    assert picked["Baseline (A)"] == "y.judged.parquet"
    assert picked["New run (B)"] == "x.judged.parquet"
    # A mark for each, at its place in the line.
    marks = [trace for trace in figure(at)["data"] if "error_y" not in trace]
    assert [mark["x"] for mark in marks] == [[1], [2]]


def test_the_verdict_and_the_lines_are_those_of_the_two_runs(folder):
    chosen = {"baseline": "z.judged.parquet", "new": "y.judged.parquet"}
    at = history(measure="nDCG", k=2, drop="q3", **chosen)
    a, b = ranked("first 0abcdef0", 0), ranked("second 1abcdef0", 8)
    compared = compare(QRELS, a, b, "nDCG@2")
    sides = match(QRELS, a), match(QRELS, b)
    found = Pairing.of(QRELS, sides, "nDCG@2").verdict
    shown = [re.sub(r":(?:blue|orange)\[`(.+?)`\]", r"\1", each) for each in texts(at)]
    assert f"### {found.sentence.text()}" in shown
    assert table(at, "rank A").index.tolist() == [f"q{i}" for i in range(8)]
    rows = table(at, "contribution")
    assert rows.index.tolist() == ["y", "y"]
    assert rows["rank"].tolist() == [1, 2]
    expected = [side.ledgers["nDCG@2"].table("q3") for side in (compared.a, compared.b)]
    expected = [each.set_index("document").loc["y", "contribution"] for each in expected]
    assert rows["contribution"].tolist() == pytest.approx(expected)


def test_two_runs_that_do_not_compare_have_no_verdict(folder):
    at = history(baseline="z.judged.parquet", new="a.judged.parquet")
    assert any("These runs cannot be compared. The conventions" in w.value for w in at.warning)
    assert not any("better than" in each for each in texts(at))


def test_a_run_that_the_folder_lacks_is_reported(folder):
    at = history(baseline="none.judged.parquet", tags="nothing")
    assert {each.value.split(" = ")[0] for each in at.warning if "The link asks" in each.value} == {
        "The link asks for baseline",
        "The link asks for tags",
    }


def test_tags_choose_the_runs(folder):
    at = history(tags="trial")
    assert [line["x"] for line in lines(at)] == [[0]]
    at.multiselect(key="tags").set_value(["nightly"]).run()
    assert [line["x"] for line in lines(at)] == [[0, 1, 2]]
    at.multiselect(key="tags").set_value(["nightly", "trial"]).run()
    assert not at.exception
    assert not at.get("plotly_chart")
    assert at.info[0].value == "No run has all of these tags."


def test_a_name_is_shown_and_not_rendered(folder):
    drawn = json.dumps(figure(history()))
    assert "<b>x" not in drawn
    assert "&lt;b&gt;x" in drawn


def test_a_file_is_read_again_only_when_it_changes(folder, monkeypatch):
    read = []

    def counted(path):
        read.append(path.name)
        return read_judged(path)

    read_judged = reading.read_judged
    monkeypatch.setattr(reading, "read_judged", counted)
    first = history()
    files = [path.name for path in folder.iterdir() if path.is_file()]
    assert sorted(read) == sorted(files)
    read.clear()
    first.run()
    history()
    assert not read
    write(folder / "x.judged.parquet", "changed", 2, 9)
    (folder / "a.judged.parquet").rename(folder / "a")
    read.clear()
    rows = table(history(), "low")
    assert set(read) == {"x.judged.parquet"}
    assert rows["run"].tolist() == ["changed", "second", "first"]
    # A file that left the folder is not held in memory.
    (folder / "a").rename(folder / "a.judged.parquet")
    read.clear()
    assert table(history(), "low")["run"].tolist()[0] == "other"
    assert set(read) == {"a.judged.parquet"}


def without_a_score(tmp_path, monkeypatch):
    """The page of two runs that no query scores, with names that are not UTF-8."""
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    nothing = Qrels.from_dict({"q": {"x": 0}})
    judged = match(nothing, Run.from_dict({"q": {"x": 1.0}}), Convention(undefined="skip"))
    for name in (b"a", b"\xff"):
        path = os.fsdecode(os.path.join(os.fsencode(tmp_path), name + b".judged.parquet"))
        save(judged, path, name="a\u202eb")
    return history(measure="nDCG", k=2)


def test_runs_without_a_score_and_names_that_are_not_utf_8_are_shown(tmp_path, monkeypatch):
    at = without_a_score(tmp_path, monkeypatch)
    assert any("No query has a score in nDCG@2" in each.value for each in at.warning)
    baseline = at.selectbox(key="baseline")
    assert all("a⟨U+202E⟩b" in label for label in baseline.options)
    baseline.select_index(1).run()
    assert not at.exception


@pytest.mark.skipif(
    "alt" not in signature(st.plotly_chart).parameters,
    reason="Streamlit gives charts a text for screen readers from 1.65 on",
)
def test_a_chart_without_a_score_says_so_to_screen_readers(tmp_path, monkeypatch):
    at = without_a_score(tmp_path, monkeypatch)
    assert "no query has a score" in at.get("plotly_chart")[0].proto.alt


def test_an_empty_folder_says_how_to_fill_it(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    at = history()
    assert "no judged run" in at.info[0].value
    assert at.code[0].value.startswith("rankscope match")
    write(tmp_path / "one.judged.parquet", "one", 0, 3)
    at.run()
    assert not at.exception
    assert [line["x"] for line in lines(at)] == [[0]]


def test_a_folder_that_is_gone_is_reported(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "none"))
    assert "No such file" in history().error[0].value
