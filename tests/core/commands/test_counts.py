"""--counts: what every command prints is what it prints of one file with the grades that count."""

import json
from html import unescape

import pytest

from metrics import Qrels, what_counts
from tests.cases import cases

ADA = {"a": {"x": 2, "v": 0}, "b": {"x": 1}}
MODEL = {"a": {"x": 1, "v": 1, "w": 1}, "b": {"x": 0, "z": 3}}
EVE = {"a": {"v": 1}, "b": {"x": 0}}
RUN = "a Q0 y 0 9 t\na Q0 x 0 8 t\na Q0 v 0 6 t\nb Q0 x 0 5 t\nb Q0 z 0 3 t\n"
OTHER = "a Q0 v 0 9 t\na Q0 w 0 8 t\na Q0 x 0 7 t\nb Q0 z 0 5 t\nb Q0 x 0 3 t\n"
COMMANDS = {
    "score": ["score", "judges.csv", "r", "s", "-q"],
    "explain": ["explain", "judges.csv", "r", "-Q", "a"],
    "compare": ["compare", "judges.csv", "r", "s"],
    "one query": ["compare", "judges.csv", "r", "s", "-Q", "a"],
    "audit": ["audit", "judges.csv", "r", "s", "-q"],
}
RULES = ("only Ada", "first Ada", "majority", "mean")


def table(judges):
    rows = (
        f"{judge},{query},{document},{grade}\n"
        for judge, of in judges.items()
        for query, grades in of.items()
        for document, grade in grades.items()
    )
    return "".join(["judge,query,document,grade\n", *rows])


@pytest.fixture
def judged(write_files):
    """Three judges: two in one file, a third in another; and the options that name them."""
    files = {"judges.csv": table({"Ada": ADA, "model": MODEL}), "Eve.json": json.dumps(EVE)}
    write_files(**files, r=RUN, s=OTHER)
    return "--judges", "Eve.json", "--counts"


@cases("command", COMMANDS)
@pytest.mark.parametrize("rule", RULES)
def test_each_command_prints_what_it_does_of_the_grades_that_count(
    command, rule, judged, rankscope, write_files
):
    def printed(qrels, *more):
        name, _, *rest = COMMANDS[command]
        code, out, err = rankscope(name, qrels, *rest, "--format", "json", *more)
        assert code == 0, err
        found = json.loads(out)
        found.pop("inputs", None)
        return found

    of = {"Ada": ADA, "model": MODEL, "Eve": EVE}
    grades = what_counts({name: Qrels.from_dict(each, name) for name, each in of.items()}, rule)
    write_files(q=json.dumps(grades.to_dict()))
    said = {"grades": f"judged by {rule}"}
    assert printed("judges.csv", *judged, rule) == printed("q") | said


def test_matched_files_keep_the_grades_that_count(judged, rankscope):
    def scored(run, rule):
        code, out, err = rankscope("score", "judges.csv", run, *judged, rule, "--format", "csv")
        return code, out.split(",")[-5:], err

    match = "match", "judges.csv", "r", "-o", "kept.judged.parquet"
    assert rankscope(*match, *judged, "mean")[0] == 0
    assert scored("kept.judged.parquet", "mean")[:2] == scored("r", "mean")[:2]
    code, _, err = scored("kept.judged.parquet", "majority")
    assert code == 4
    assert "other judgments" in err


def test_a_report_reproduces_under_the_rule(judged, rankscope, tmp_path):
    report = "--report", "report.html"
    assert rankscope("compare", "judges.csv", "r", "s", *judged, "first Ada", *report)[0] == 0
    html = unescape((tmp_path / "report.html").read_text())
    assert "--counts 'first Ada' --judges Eve.json" in html
    lines = html[html.index("from rankscope import Convention") :].split("</", 1)[0]
    exec(lines.replace("from rankscope", "from metrics").replace("print(", "found = ("), of := {})
    of_rule = rankscope("compare", "judges.csv", "r", "s", *judged, "first Ada", "--format=json")
    row = json.loads(of_rule[1])["rows"][0]
    assert of["found"]["nDCG@10"].delta == row["delta"] != 0


REFUSED = {
    "no such judge": (["--counts", "only Bob"], 4, "expected one of 'only Ada', 'only model'"),
    "judges without a rule": (["--judges", "Eve.json"], 2, "--judges needs --counts"),
    "the same judge twice": (
        ["--judges", "judges.csv", "--counts", "mean"],
        4,
        "has the judge 'Ada', too",
    ),
    "neither": ([], 4, "say whose grades count, for example with --counts majority."),
}


@cases("refused", REFUSED)
def test_what_is_missing_is_said(refused, judged, rankscope):
    more, code, text = REFUSED[refused]
    found, out, err = rankscope("score", "judges.csv", "r", *more)
    assert (found, out) == (code, "")
    assert text in err
