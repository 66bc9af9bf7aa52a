"""``rankscope compare``: the verdict in every format, the leaderboard, the report."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from metrics import Pairing, compare, read_attributes, read_qrels, read_run, read_texts
from metrics.comparing.evidence import PairedTest
from metrics.comparing.leaderboard import leaderboard
from metrics.comparing.slices import most_instructive
from metrics.scoring.evaluate import evaluate
from metrics.writing.comparison import verdict_facts
from metrics.writing.reproduce import as_input
from metrics.writing.section import Section, as_markdown, as_text
from tests.situations import NAMES, cases

from .test_audit_command import FILES


@pytest.fixture
def shop():
    return read_qrels(FILES[0]), *map(read_run, FILES[1:])


def test_the_verdict_comes_first_in_every_format_for_readers(rankscope, shop):
    qrels, a, b = shop
    found = Pairing.of(qrels, (a, b), ["nDCG@5", "AP"]).verdict
    answer = [Section(found.sentence, found.threats)]
    argv = ["compare", *FILES, "-m", "nDCG@5", "AP", "--format"]
    assert rankscope(*argv, "table")[1].startswith(f"{as_text(answer)}\nmeasure")
    assert rankscope(*argv, "markdown")[1].startswith(f"{as_markdown(answer)}\n| measure")
    read = json.loads(rankscope(*argv, "json")[1])
    assert read["verdict"] == json.loads(json.dumps(verdict_facts(found)))
    assert read["rows"][0]["mean_a"] == read["verdict"]["mean_a"]
    assert rankscope(*argv, "csv")[1].startswith("measure,")
    for more in (["-q"], ["-Q", "q01"]):
        assert rankscope(*argv, "table", *more)[1].startswith("measure")


@pytest.mark.parametrize("name", NAMES)
def test_each_situation_gets_its_verdict_or_no_result(rankscope, tmp_path, name):
    case = cases()[name]
    files = [tmp_path / "qrels", tmp_path / "one", tmp_path / "two"]
    for file, pairs in zip(files, (case.qrels, case.a, case.b), strict=True):
        file.write_bytes(as_input(pairs))
    code, out, _ = rankscope("compare", *files, "-m", *case.measures, "--format", "json")
    if case.outcome == "none":
        assert (code, out) == (3, "")
        return
    assert code == 0
    found = json.loads(out)["verdict"]
    assert found["outcome"] == case.outcome
    assert tuple(each["kind"] for each in found["threats"]) == case.threats
    reverses = tuple(each["kind"] for each in found["threats"] if each["reverses"])
    assert reverses == case.reverses


def test_one_query_has_no_p_value_in_json(rankscope, write_files):
    write_files(q="q 0 a 1\n", one="q Q0 a 1 1 t\n", two="q Q0 x 1 2 t\nq Q0 a 2 1 t\n")
    code, out, _ = rankscope("compare", "q", "one", "two", "--format", "json")
    assert (code, json.loads(out)["verdict"]["p"]) == (0, None)


def test_more_than_two_runs_are_ranked(rankscope, tmp_path, shop):
    qrels, a, b = shop
    third = tmp_path / "part.run"
    third.write_bytes(as_input(b.only(*b.queries[:20])))
    argv = ["compare", *FILES, third, "-m", "AP", "P@5", "--test", "t", "--seed", "7"]
    code, out, err = rankscope(*argv, "--format", "json")
    assert code == 0
    assert "part: judged queries that it lacks are left out of the mean: 9" in err
    runs = {"bm25": a, "char_ngrams": b, "part": read_run(third)}
    scores = {name: evaluate(qrels, run, ["AP", "P@5"]) for name, run in runs.items()}
    board = leaderboard(scores, ["AP", "P@5"], PairedTest("t", seed=7))
    found = json.loads(out)
    (pairs,) = found["parts"]
    for row, each in zip(found["rows"], board.standings, strict=True):
        assert (row["run"], row["low"]) == (each.run, each.low)
        assert {name: row[name] for name in board.measures} == each.means
    for row in pairs["rows"]:
        assert row["p_holm"] == board.pairs[row["minus"], row["run"]].corrected
    assert "char_ngrams" in rankscope(*argv)[1]


def test_the_report_is_written_only_when_asked(rankscope, tmp_path, shop):
    report = tmp_path / "out.html"
    code, out, err = rankscope("compare", *FILES, "-m", "nDCG@5", "--report", report)
    assert code == 0
    assert out.startswith("char_ngrams is better than bm25: nDCG@5")
    assert f"rankscope: the report is in {report}.\n" in err
    written = report.read_text("utf-8")
    assert written.startswith("<!DOCTYPE html>")
    # The query that Compare opens first is shown document by document.
    query = most_instructive(compare(*shop, "nDCG@5"), "nDCG@5").query
    assert f"Query {query}: what each document changed" in written
    missing = tmp_path / "no" / "out.html"
    assert rankscope("compare", *FILES, "-m", "nDCG@5", "--report", missing)[0] == 4


def test_texts_and_groups_are_in_the_tables_and_in_the_report(rankscope, shop, tmp_path):
    folder = Path(FILES[0]).parent
    more = ("--queries", folder / "queries.tsv", "--texts", folder / "documents.tsv")
    groups, report = ("--groups", folder / "groups.tsv"), tmp_path / "report.html"
    texts, of_query = read_texts(more[1]), read_attributes(groups[1])["group"]
    argv = ("compare", *FILES, "-m", "nDCG@10", "--format", "json")
    rows = json.loads(rankscope(*argv, "-q", *more)[1])["rows"]
    assert {row["query"]: row["text"] for row in rows if row["query"] != "all"} == texts
    (part,) = json.loads(rankscope(*argv, *groups, *more, "--report", report)[1])["parts"]
    found = Pairing.of(shop[0], shop[1:], "nDCG@10").groups(of_query)
    assert {row["group"]: row["delta"] for row in part["rows"]} == {
        group: each.delta for group, each in found.items()
    }
    page = report.read_text("utf-8")
    assert "Queries by group, nDCG@10" in page
    assert texts["q01"] in page
    code, _, err = rankscope("compare", *FILES, FILES[1], *groups)
    assert (code, "--human compare two runs" in err) == (2, True)


SEARCHES = """query,device,hour,hits
q01,mobile,noon,900
q02,mobile,night,5
q03,desktop,noon,0.5
q04,desktop,noon,
"""


def test_each_attribute_has_its_groups_and_each_weight_its_mean(rankscope, shop, write_files):
    write_files(**{"log.csv": SEARCHES})
    argv = ("compare", *FILES, "-m", "nDCG@5", "AP", "--attributes", "log.csv", "--format")
    read = json.loads(rankscope(*argv, "json")[1])
    device, hour, weights = read["parts"]
    assert [each["attribute"] for each in (device, hour)] == ["device", "hour"]
    assert [row["group"] for row in device["rows"]] == ["mobile", "desktop", "no group"]
    alike = device["mean_of_groups"]["mean_a"]
    assert alike == pytest.approx(sum(row["mean_a"] for row in device["rows"]) / 3)
    a, b = (evaluate(shop[0], run, ["nDCG@5", "AP"]) for run in shop[1:])
    hits = {"q01": 900, "q02": 5, "q03": 0.5}
    for row, measure in zip(weights["rows"], ("nDCG@5", "AP"), strict=True):
        means = [
            np.average(each.per_query.loc[[*hits], measure], weights=[*hits.values()])
            for each in (a, b)
        ]
        assert (row["weighted_by"], row["measure"], row["queries"]) == ("hits", measure, 3)
        assert [row["mean_a"], row["mean_b"]] == pytest.approx(means)
        assert row["delta"] == pytest.approx(means[1] - means[0])
    (said,) = [each for each in read["verdict"]["threats"] if each["kind"] == "weighting"]
    assert said["delta_hits"] == pytest.approx(weights["rows"][0]["delta"])
    rows = [*csv.DictReader(io.StringIO(rankscope(*argv, "csv")[1]))]
    listed = [(row["attribute"], row["group"], row["weighted_by"]) for row in rows]
    assert ("device", "mobile", "") in listed
    assert ("hour", "noon", "") in listed
    assert listed[-1] == ("", "", "hits")
    assert "Weights: Weighted by hits (" in rankscope(*argv, "table")[1]


def test_a_score_is_weighted_by_each_column_of_numbers(rankscope, shop, write_files):
    write_files(**{"log.csv": SEARCHES, "groups.tsv": "query\tgroup\nq01\ta\nq02\tb\n"})
    argv = ("score", *FILES[:2], "-m", "AP", "num_ret", "--weights")
    code, out, err = rankscope(*argv, "log.csv", "--format", "json")
    plain, weighted = json.loads(out)["rows"]
    scores = evaluate(shop[0], shop[1], "AP")
    found = scores.weighted("AP", {"q01": 900, "q02": 5, "q03": 0.5})
    assert (code, plain["weighted_by"], plain["AP"]) == (0, None, scores.value("AP"))
    assert (weighted["weighted_by"], weighted["queries"], weighted["AP"]) == ("hits", 3, found)
    assert "queries without a weight are left out of the mean by hits: 26 (" in err
    # A count has no weighted mean.
    assert plain["NumRet"] > 29
    assert weighted["NumRet"] is None
    *_, last = csv.DictReader(io.StringIO(rankscope(*argv, "log.csv", "-q", "--format", "csv")[1]))
    assert (last["query"], last["weighted_by"], float(last["AP"])) == ("all", "hits", found)
    code, _, err = rankscope(*argv, "groups.tsv")
    assert (code, "groups.tsv: found no column of weights ('group')" in err) == (2, True)
    code, _, err = rankscope(*argv, "log.csv", "--format", "trec")
    assert (code, "no line for a weighted mean" in err) == (2, True)
