"""compare --human: a model's means, corrected by a person's grades of a part."""

import json
from html import unescape
from random import Random

import pytest

from metrics.agreement.corrected import corrected, draw_queries


def lines(judged):
    return "".join(f"{q} 0 {d} {g}\n" for q, of in judged.items() for d, g in of.items())


@pytest.fixture
def judged(write_files):
    lots, queries = Random(1), [f"q{n}" for n in range(40)]
    human = {q: {d: lots.choice([0, 1, 2]) for d in "abcdef"} for q in queries}
    model = {q: {d: min(2, g + (d in "ab")) for d, g in of.items()} for q, of in human.items()}
    a, b = (
        {q: {d: g * by + lots.random() for d, g in of.items()} for q, of in human.items()}
        for by in (0.3, 0.4)
    )
    part = {q: human[q] for q in draw_queries(queries, 15)}
    runs = (
        "".join(f"{q} Q0 {d} 0 {s} t\n" for q, of in run.items() for d, s in of.items())
        for run in (a, b)
    )
    write_files(model=lines(model), human=lines(part), **dict(zip("ab", runs, strict=True)))
    return model, part, a, b


def test_the_numbers_are_those_of_the_library(judged, rankscope):
    code, out, err = rankscope(
        *("compare", "model", "a", "b", "--human", "human", "-m", "nDCG@3", "P@2"),
        *("--format", "json"),
    )
    assert code == 0, err
    found = corrected(*judged, ["nDCG@3", "P@2"])
    told = json.loads(out)
    for name, of in found.measures.items():
        low, high = of.delta.interval
        expected = {"delta": of.delta.value, "low": low, "high": high, "human_queries": 15}
        assert told["corrected"][name].items() >= expected.items()
        assert told["corrected"][name]["queries"] == 40
    (table,) = told["parts"]
    assert table["schema"] == "rankscope/comparison-corrected/1"
    assert [row["by"] for row in table["rows"][:3]] == [
        *("model, corrected", "person alone", "model alone")
    ]


def test_the_answer_says_who_leads_once_it_is_corrected(judged, rankscope):
    code, out, err = rankscope("compare", "model", "a", "b", "--human", "human", "-m", "nDCG@3")
    assert code == 0, err
    value = corrected(*judged, "nDCG@3").measures["nDCG@3"].delta.value
    assert f"15 of 40 queries and the model's of all, b leads by {value:.4f} in nDCG@3" in (
        " ".join(out.split())
    )
    assert "person alone" in out


def test_a_report_has_it_and_reproduces_it(judged, rankscope, tmp_path):
    asked = "compare", "model", "a", "b", "--human", "human", "-m", "nDCG@3"
    assert rankscope(*asked, "--report", "report.html")[0] == 0
    html = unescape((tmp_path / "report.html").read_text("utf-8"))
    delta = corrected(*judged, "nDCG@3").measures["nDCG@3"].delta
    assert "By a person's grades of 15 of 40 queries and the model's of all" in html
    assert "model, corrected</td>" in html
    assert f"{delta.value:.4f}</td>" in html
    assert "-m nDCG@3 --human human" in html
    lines = html[html.index("from rankscope import Convention") :].split("</", 1)[0]
    exec(lines.replace("from rankscope", "from metrics").replace("print(", "found = ("), of := {})
    assert of["found"]["nDCG@3"].delta.value == delta.value


def test_queries_without_all_grades_are_named(judged, rankscope, write_files):
    part = dict(judged[1])
    first, second = [*part][:2]
    part[first] = {"a": 1}
    part[second] = {"a": 0, "b": 1}
    write_files(human=lines(part))
    code, _, err = rankscope("compare", "model", "a", "b", "--human", "human")
    assert code == 0
    assert f"correct nothing: 2 ('{first}', '{second}')" in err


def test_what_cannot_be_corrected_is_refused(judged, rankscope, write_files):
    code, _, err = rankscope("compare", "model", "a", "b", "a2", "--human", "human")
    assert code != 0
    assert "--human compare two runs" in err
    for more in (["-q"], ["-Q", "q1"]):
        code, _, err = rankscope("compare", "model", "a", "b", "--human", "human", *more)
        assert (code, "leave out -q and -Q" in err) == (2, True)
    assert rankscope("match", "model", "a", "-o", "a.judged.parquet")[0] == 0
    code, _, err = rankscope("compare", "model", "a.judged.parquet", "b", "--human", "human")
    assert code != 0
    assert "--human takes runs" in err
    code, _, err = rankscope("compare", "-", "a", "b", "--human", "-")
    assert code != 0
    assert "Only one file can be -" in err
