"""The command line: what it prints, where notes go, and what it exits with."""

import csv
import gzip
import io
import json
import math
import os
import re
import subprocess
import sys
import zipfile
from dataclasses import fields, replace
from pathlib import Path

import pytest

from metrics import PRESETS, REGISTRY, Convention, compare, evaluate, read_qrels, read_run, trace
from metrics.__main__ import main
from metrics.commands import inputs, options
from metrics.comparing.evidence import evidence
from metrics.scoring.evaluate import mean
from metrics.version import __version__
from metrics.writing.latex import escaped

ROOT = Path(__file__).parents[3]
SHOP = ROOT / "sample_data" / "shop_search"
QRELS, BM25, NGRAMS = (str(SHOP / name) for name in ("qrels.txt", "bm25.run", "char_ngrams.run"))
ONE = "q1 0 a 3\nq1 0 b 0\nq1 0 c 2\n"
ONE_RUN = "q1 Q0 a 1 0.9 t\nq1 Q0 b 2 0.8 t\nq1 Q0 c 3 0.7 t\n"


@pytest.fixture
def given(tmp_path, monkeypatch):
    """Writes files into an empty folder and works there."""
    monkeypatch.chdir(tmp_path)

    def write(**texts):
        for name, text in texts.items():
            (tmp_path / name).write_text(text, "utf-8")

    return write


@pytest.fixture
def said(capsys):
    """Runs a command; gives its exit code, its output and its notes."""

    def run(*argv):
        code = main([str(word) for word in argv])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def output(said, *argv):
    code, out, err = said(*argv)
    assert (code, err) == (0, "")
    return out


def noted(said, *argv):
    """The output of a command that has something to say about its files."""
    code, out, err = said(*argv)
    assert code == 0
    assert err
    return out


def process(*argv, **more):
    command = [sys.executable, "-m", "metrics", *argv]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=False, **more)


def test_score_prints_the_means_and_the_convention(said):
    scores = evaluate(read_qrels(QRELS), read_run(BM25), options.DEFAULT)
    lines = output(said, "score", QRELS, BM25, NGRAMS).splitlines()
    assert lines[0].split() == ["run", "queries", *options.DEFAULT]
    assert lines[2].split() == ["bm25", "29", *(f"{x:.4f}" for x in scores.mean)]
    assert lines[-1] == "convention: trec_eval"


def test_csv_and_json_have_every_digit_of_every_query(said):
    measures = ["nDCG@10", "AP"]
    frame = evaluate(read_qrels(QRELS), read_run(BM25), measures).per_query
    asked = ["score", QRELS, BM25, "-q", "-m", *measures, "--format"]
    table = list(csv.DictReader(io.StringIO(output(said, *asked, "csv"))))
    found = json.loads(output(said, *asked, "json"))
    assert {row["convention"] for row in table} == {found["convention"]} == {"trec_eval"}
    for rows in (table, found["rows"]):
        assert [row["query"] for row in rows] == [*frame.index, "all"]
        for measure in measures:
            values = [float(row[measure]) for row in rows]
            assert values == [*frame[measure], mean(frame[measure].to_numpy())]


def test_counts_are_whole_and_summed(said):
    out = output(said, "score", QRELS, BM25, "-m", "NumRet", "LogAP", "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(out))
    assert row["NumRet"] == "383"
    assert 0 < float(row["LogAP"]) < 1


def test_the_lines_are_trec_evals(said, given):
    given(
        q="q2 0 a 1\nq10 0 a 1\nQ1 0 a 1\nq1 0 b 0\nq1 0 a 2\nq3 0 a 0\n",
        r="q2 Q0 x 1 2.5 A\nq2 Q0 a 2 1 A\nq10 Q0 a 1 1 A\nQ1 Q0 a 1 1 A\nq1 Q0 b 1 9 A\n"
        "q1 Q0 a 2 8 A\nq3 Q0 a 1 1 last\n",
    )
    asked = ["-m", "ndcg_cut.10", "gm_map", "AP", "map", "num_ret", "nDCG(gain=exponential)@10"]
    # The order is trec_eval's, of measures and, by bytes, of queries; gm_map stands in all only.
    assert noted(said, "score", "q", "r", "-q", "--format", "trec", *asked) == (
        "num_ret               \tQ1\t1\n"
        "map                   \tQ1\t1.0000\n"
        "ndcg_cut_10           \tQ1\t1.0000\n"
        "nDCG(gain=exponential)@10\tQ1\t1.0000\n"
        "num_ret               \tq1\t2\n"
        "map                   \tq1\t0.5000\n"
        "ndcg_cut_10           \tq1\t0.6309\n"
        "nDCG(gain=exponential)@10\tq1\t0.6309\n"
        "num_ret               \tq10\t1\n"
        "map                   \tq10\t1.0000\n"
        "ndcg_cut_10           \tq10\t1.0000\n"
        "nDCG(gain=exponential)@10\tq10\t1.0000\n"
        "num_ret               \tq2\t2\n"
        "map                   \tq2\t0.5000\n"
        "ndcg_cut_10           \tq2\t0.6309\n"
        "nDCG(gain=exponential)@10\tq2\t0.6309\n"
        "num_ret               \tq3\t1\n"
        "map                   \tq3\t0.0000\n"
        "ndcg_cut_10           \tq3\t0.0000\n"
        "nDCG(gain=exponential)@10\tq3\t0.0000\n"
        "num_ret               \tall\t7\n"
        "map                   \tall\t0.6000\n"
        "gm_map                \tall\t0.0758\n"
        "ndcg_cut_10           \tall\t0.6524\n"
        "nDCG(gain=exponential)@10\tall\t0.6524\n"
    )


def test_trec_evals_sets_say_the_runs_tag_and_how_many_queries(said, given):
    given(q="q1 0 a 1\nq2 0 a 1\n", r="q1 Q0 a 1 1 first\nq2 Q0 a 1 1 last\n")
    Path("r.gz").write_bytes(gzip.compress(Path("r").read_bytes()))
    with zipfile.ZipFile("r.zip", "w") as archive:
        archive.write("r")
    for run in ("r", "r.gz", "r.zip"):
        lines = noted(said, "score", "q", run, "--format", "trec").splitlines()
        assert lines[:3] == [
            f"{'runid':<22}\tall\tlast",
            f"{'num_q':<22}\tall\t2",
            f"{'num_ret':<22}\tall\t2",
        ]
        assert lines[-1] == f"{'P_1000':<22}\tall\t0.0010"
        assert len(lines) == 30
    lines = noted(said, "score", "q", "r", "--format", "trec", "-m", "all_trec").splitlines()
    names = [line.split()[0] for line in lines]
    assert "Rprec" in names
    assert "Rprec_mult_1.00" in names
    assert len(names) == len(set(names)) == 99


@pytest.mark.parametrize(
    ("run", "runid"),
    [
        ("q1 Q0 a 1 1 bm25\nq2 Q0 a 1 1 bm25\n", "bm25"),
        ("q1 Q0 a 1 1 bm25\nq2 Q0 a 1 1 bm25\n# and six words to remark on", "bm25"),
        ("q1 Q0 a 1 1\nq2 Q0 a 1 1\n", "r"),
        ("query,document,score,tag\nq1,a,1,bm25\nq2,a,1,bm25\n", "r"),
        ('{"q1": {"a": 1}, "q2": {"a": 1}}', "r"),
    ],
)
def test_a_run_without_trec_tags_goes_by_its_files_name(said, given, run, runid):
    given(q="q1 0 a 1\nq2 0 a 1\n", r=run)
    _, out, _ = said("score", "q", "r", "--format", "trec")
    assert out.splitlines()[0].split() == ["runid", "all", runid]


def test_the_tag_of_a_run_comes_through_a_pipe():
    done = process("score", QRELS, "-", "--format", "trec", input=Path(BM25).read_bytes())
    tag = Path(BM25).read_text("utf-8").split()[-1]
    assert done.stdout.decode().splitlines()[0].split() == ["runid", "all", tag]


def test_one_name_can_hold_several_cutoffs(said):
    out = output(said, "score", QRELS, BM25, "-m", "P.10,5", "iprec_at_recall.0.5,0.25")
    assert out.split()[2:6] == ["P@10", "P@5", "IPrec@0.5", "IPrec@0.25"]


def test_trec_evals_lines_say_another_convention_beside_them(said):
    code, out, err = said(
        "score", QRELS, BM25, "--format", "trec", "-m", "P_5", "--convention", "TREC_EVAL-9"
    )
    assert (code, err.splitlines()) == (
        0,
        [
            "rankscope: convention: trec_eval, but scores compared: as 32-bit floats; recall point "
            "p of R documents: p·R + 0.9 rounded down; as trec_eval 9"
        ],
    )
    assert out.startswith("P_5 ")


def test_a_convention_is_a_preset_and_changes(said):
    changes = ["--convention", "lightgbm", "--set", "ties=ascending", "--set", "level=2"]
    convention = replace(PRESETS["LightGBM"], ties="ascending", level=2.0)
    out = output(said, "score", QRELS, BM25, "-m", "nDCG@5", "--format", "json", *changes)
    found = json.loads(out)
    expected = evaluate(read_qrels(QRELS), read_run(BM25), "nDCG@5", convention)
    assert found["convention"] == convention.label
    assert found["rows"][0]["nDCG@5"] == expected.mean["nDCG@5"]


def test_a_query_left_out_is_nowhere_nan(said):
    for shape, missing in (("csv", ",,"), ("json", "null"), ("table", "–"), ("markdown", "–")):
        asked = ["-m", "AP", "RR", "-q", "--set", "undefined=skip", "--format", shape]
        code, out, err = said("score", QRELS, BM25, *asked)
        assert code == 0
        (line,) = (line for line in out.splitlines() if "q22" in line)
        assert missing in line
        assert "nan" not in out.lower()
        assert err == (
            "rankscope: bm25: queries with nothing to find are left out of AP, RR: 1 ('q22').\n"
        )


def test_what_does_not_match_is_said_on_stderr(said, given):
    given(
        q="q1 0 a 1\nq2 0 a 1\nq2 0 b 0\n",
        r="q1 Q0 a 1 1 t\nq1 Q0 b 2 5 t\nq1 Q0 c 3 0 t\n"
        + "".join(f"x{i} Q0 a 1 1 t\n" for i in range(7)),
    )
    code, out, err = said("score", "q", "r")
    assert code == 0
    assert "rank" not in out
    assert err.splitlines() == [
        "rankscope: r: 1 row whose rank contradicts the order of evaluation: by score, "
        "and equal scores by document id, descending, as trec_eval.",
        "rankscope: r: judged queries that it lacks are left out of the mean: 1 ('q2').",
        "rankscope: r: queries that nobody judged are left out: 7 "
        "('x0', 'x1', 'x2', 'x3', 'x4', …).",
    ]
    assert said("score", "q", "r", "--quiet") == (0, out, "")
    assert "count as 0: 1 ('q2')" in said("score", "q", "r", "--set", "queries=qrels")[2]


def test_explain_shows_the_ledger_and_the_parts(said, given):
    given(q=ONE, r=ONE_RUN)
    out = output(said, "explain", "q", "r", "-m", "nDCG@3", "-Q", "q1")
    first, *parts = re.split(r"\n\n(?=measure: )", out)
    ledger = trace(read_qrels("q"), read_run("r"), "nDCG@3", "q1")
    assert first.startswith("measure: nDCG@3, query: q1, run: r, score: 0.9386\n\n")
    lines = first.splitlines()
    assert lines[2].split()[:3] == ["rank", "document", "grade"]
    assert lines[4].split()[:4] == ["1", "a", "3", "3"]
    running = [float(line.split()[-1]) for line in lines[4:7]]
    assert running == [round(x, 4) for x in ledger.contribution.cumsum()]
    assert "convention: trec_eval" in lines
    assert f"formula: {ledger.measure.formula}" in lines
    assert [part.split(",")[0] for part in parts] == ["measure: DCG@3", "measure: IDCG@3"]


def test_explain_as_data_sums_to_the_score(said):
    asked = ["explain", QRELS, BM25, "-m", "nDCG@10", "-Q", "q01", "--format"]
    found = json.loads(output(said, *asked, "json"))
    score = evaluate(read_qrels(QRELS), read_run(BM25), "nDCG@10").value("nDCG@10", "q01")
    assert found["score"] == score
    assert math.isclose(sum(row["contribution"] for row in found["rows"]), score)
    dcg, idcg = found["parts"]
    assert math.isclose(dcg["score"] / idcg["score"], score)
    rows = list(csv.DictReader(io.StringIO(output(said, *asked, "csv"))))
    assert len(rows) == sum(len(part["rows"]) for part in (found, dcg, idcg))
    assert {row["measure"] for row in rows} == {"nDCG@10", "DCG@10", "IDCG@10"}
    assert [row["document"] for row in rows[:10]] == [row["document"] for row in found["rows"]]
    unjudged = found["rows"][8]
    assert unjudged["grade"] is None
    assert rows[8]["grade"] == ""


def test_explain_a_query_that_has_no_score(said):
    asked = ["-Q", "q22", "--set", "undefined=skip", "--format", "json"]
    found = json.loads(output(said, "explain", QRELS, BM25, *asked))
    assert found["score"] is None
    assert len(found["formulas"]) == 1


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("a--b---", "a-{}-b-{}-{}-"),
        ("?`it's`", r"?\textasciigrave{}it\textquotesingle{}s\textasciigrave{}"),
        (",,x-y", ",{},x-y"),
        ("−1 – 2", r"$-$1 \textendash{} 2"),
    ],
)
def test_latex_joins_no_characters(given, expected):
    assert escaped(given) == expected


def test_latex_and_markdown_show_ids_as_they_are(said, given):
    odd = "a_b%|<i>$*[x]\\"
    given(q=f"q1 0 {odd} 1\nq1 0 x 0\n", r=f"q1 Q0 {odd} 1 1 t\n")
    asked = ["explain", "q", "r", "-m", "RR", "-Q", "q1", "--format"]
    written = output(said, *asked, "latex")
    shown = r"a\_b\%\textbar{}\textless{}i\textgreater{}\$*[x]\textbackslash{}"
    assert f"1 & {shown} & 1 & 1 & 1 & 1.0000 & 1.0000 \\\\" in written
    assert r"convention: trec\_eval.}" in written
    assert r"\[ \mathrm{RR} = 1.0000 = \frac{1}{1} \]" in written
    assert r"| a\_b%\|\<i\>\$\*\[x\]\\ |" in output(said, *asked, "markdown")


def test_csv_runs_no_formula_and_says_what_it_changed(said, given):
    given(
        q='{"q1": {"=1+1": 1, "-a": 1, "-5": 1, "+x": 0}}',
        r='{"q1": {"=1+1": 4, "-a": 3, "-5": 2, "+x": 1}}',
    )
    asked = ["explain", "q", "r", "-m", "AP", "-Q", "q1", "--format"]
    code, out, err = said(*asked, "csv")
    documents = [row["document"] for row in csv.DictReader(io.StringIO(out))]
    assert (code, documents) == (0, ["'=1+1", "'-a", "-5", "'+x"])
    assert "have an apostrophe before it: 3." in err
    rows = json.loads(output(said, *asked, "json"))["rows"]
    assert [row["document"] for row in rows] == ["=1+1", "-a", "-5", "+x"]


def test_a_terminal_is_not_steered_by_ids(said, given):
    given(q='{"q1": {"a\\u001b[31mb": 1}}', r='{"q1": {"a\\u001b[31mb": 1}}')
    out = noted(said, "explain", "q", "r", "-Q", "q1")
    assert "\x1b" not in out
    assert "a⟨U+001B⟩[31mb" in out


def test_compare_means_queries_and_documents(said):
    qrels, a, b = read_qrels(QRELS), read_run(BM25), read_run(NGRAMS)
    compared = compare(qrels, a, b, ["AP", "RR"])
    asked = ["compare", QRELS, BM25, NGRAMS, "-m", "AP", "-m", "RR", "--format", "json"]
    found = json.loads(output(said, *asked))
    assert (found["run A"], found["run B"], found["convention"]) == (
        "bm25",
        "char_ngrams",
        "trec_eval",
    )
    for row in found["rows"]:
        summary = compared.summary(row["measure"])
        assert row["delta"] == summary.delta
        assert row["relative"] == summary.relative
        assert [row[key] for key in ("wins", "ties", "losses")] == [
            summary.wins,
            summary.ties,
            summary.losses,
        ]
    weighed = evidence(compared)
    for row in found["rows"]:
        each = weighed[row["measure"]]
        given = [row[key] for key in ("queries", "low", "high", "p", "p Holm", "effect")]
        assert given == [
            each.queries,
            each.low,
            each.high,
            each.p,
            each.corrected,
            each.effect,
        ]
    drawn = json.loads(output(said, *asked, "--test", "t", "--tie", "0.1"))
    assert drawn["rows"][0]["p"] == evidence(compared, test="t")["AP"].p
    assert drawn["rows"][0]["ties"] == evidence(compared, tie=0.1)["AP"].ties > 7
    rows = json.loads(output(said, *asked, "-q"))["rows"]
    deltas = [row["delta"] for row in rows if row["measure"] == "AP" and row["query"] != "all"]
    assert deltas == sorted(compared.per_query("AP")["delta"], reverse=True)
    rows = json.loads(output(said, *asked, "-Q", "q02"))["rows"]
    *documents, score = [row for row in rows if row["measure"] == "AP"]
    assert math.isclose(sum(row["delta"] for row in documents), score["delta"])
    assert score["delta"] == compared.per_query("AP").at["q02", "delta"]


def test_measures_lists_the_registry_and_describes_one(said):
    rows = json.loads(output(said, "measures", "--format", "json"))["rows"]
    assert [row["measure"] for row in rows] == list(REGISTRY)
    for name in ("nDCG", "ndcg_cut_10", "nDCG@10"):
        lines = output(said, "measures", name).splitlines()
        assert lines[2] == "measure      nDCG"
        assert f"formula      {REGISTRY['nDCG'].formula}" in lines
        assert "trec_eval    ndcg, ndcg_cut_{cutoff}" in lines
        assert "depends on   gain, discount, ideal, ideal_cut, negative" in lines
    for name in REGISTRY:
        output(said, "measures", name)


def test_conventions_lists_presets_and_fields(said):
    found = json.loads(output(said, "conventions", "--format", "json"))
    assert [row["convention"] for row in found["rows"]] == list(PRESETS)
    (choices,) = found["parts"]
    assert {row["field"] for row in choices["rows"]} == {f.name for f in fields(Convention)}
    for row in choices["rows"]:
        changes = {"changes": [f"{row['field']}={row['value']}"], "convention": "trec_eval"}
        changed = options.convention(options.argparse.Namespace(**changes))
        assert (changed == Convention()) == (row["default"] == "yes")


@pytest.mark.parametrize(
    ("argv", "code", "message"),
    [
        (["score", QRELS, "no.run"], 1, "no.run: No such file or directory."),
        (["score", QRELS, str(SHOP)], 1, f"{SHOP}: Is a directory."),
        (["score", QRELS, QRELS], 1, "qrels.txt, line 1: found 4 columns"),
        (["explain", QRELS, "part", "-Q", "q02"], 1, "Query 'q02' is not in the run"),
        (["compare", QRELS, BM25, "part", "-Q", "q02"], 1, "Query 'q02' is not in both runs"),
        (["score", QRELS, BM25, "-m", "nDGC"], 2, "Did you mean nDCG?"),
        (["score", QRELS, BM25, "--convention", "trec"], 2, "Did you mean trec_eval?"),
        (["score", QRELS, BM25, "--set", "tie=input"], 2, "Did you mean ties?"),
        (["score", QRELS, BM25, "--set", "ties=up"], 2, "choose one of 'descending'"),
        (["score", QRELS, BM25, "--set", "ties"], 2, "write FIELD=VALUE"),
        (["score", QRELS, BM25, "--set", "level=x"], 2, "level is a number"),
        (["score", QRELS, BM25, "-m", "ERR(max=1)"], 2, "ERR(max=3)"),
        (["score", QRELS, BM25, BM25], 2, "is given twice"),
        (["score", QRELS, BM25, NGRAMS, "--format", "trec"], 2, "hold one run"),
        (["score", "-", "-"], 2, "Only one file can be -"),
        (["explain", QRELS, BM25, "-Q", "01"], 2, "Did you mean 'q01'?"),
        (["compare", QRELS, BM25, NGRAMS, "-Q", "q0"], 2, "no query 'q0' in the qrels"),
        (["measures", "nDGC"], 2, "Did you mean nDCG?"),
        (["score", QRELS, "other"], 3, "other: 0 of 1 queries overlap with the qrels"),
        (["score", QRELS, "other", "--set", "queries=qrels"], 3, "Make the ids the same"),
        (["compare", QRELS, "part", "rest"], 3, "part and rest have no judged query in common"),
    ],
    ids=lambda value: " ".join(value[-4:]).replace(f"{SHOP}/", "") if type(value) is list else "",
)
def test_mistakes_have_a_message_and_a_code(said, given, argv, code, message):
    given(other="1 Q0 a 1 1 t\n", part="q01 Q0 a 1 1 t\n", rest="q03 Q0 a 1 1 t\n")
    found, out, err = said(*argv)
    assert (found, out) == (code, "")
    last = [line for line in err.splitlines() if message in line]
    assert len(last) == 1
    assert last[0].startswith("rankscope: ")


def test_wrong_options_exit_with_2_too(capsys):
    for argv in ([], ["scroe"], ["score", QRELS], ["score", QRELS, BM25, "--bogus"]):
        with pytest.raises(SystemExit) as left:
            main(argv)
        assert left.value.code == 2
        assert "usage: rankscope" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (("--tie", "-1"), "'-1' is no number from 0"),
        (("--tie", "inf"), "'inf' is no number from 0"),
        (("--seed", "x"), "'x' is no number from 0"),
        (("--test", "sign"), "invalid choice: 'sign'"),
    ],
)
def test_a_test_s_options_are_checked(capsys, option, said):
    with pytest.raises(SystemExit) as left:
        main(["compare", QRELS, BM25, NGRAMS, *option])
    assert left.value.code == 2
    assert said in capsys.readouterr().err


def test_the_help_lists_the_exit_codes(capsys):
    for argv in (["--help"], ["score", "--help"], ["compare", "-h"]):
        with pytest.raises(SystemExit) as left:
            main(argv)
        assert left.value.code == 0
        assert options.EXIT_CODES in capsys.readouterr().out


def test_an_interrupt_exits_with_130(said, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(inputs, "judged", interrupt)
    assert said("score", QRELS, BM25) == (130, "", "")


def test_the_version_is_that_of_the_project(capsys):
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"rankscope {__version__}\n"


def test_the_bar_is_for_terminals_and_long_work(capsys, monkeypatch):
    monkeypatch.setattr(inputs, "PATIENCE", 0)
    inputs.bar("bm25", quiet=False)(0.5)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    inputs.bar("bm25", quiet=True)(0.5)
    assert capsys.readouterr().err == ""
    draw = inputs.bar("bm25", quiet=False)
    draw(0.5)
    draw(1.0)
    half = f"\rbm25 [{'#' * 15}{' ' * 15}]  50%\x1b[K"
    assert capsys.readouterr().err == f"{half}\r\x1b[K"


def test_a_run_comes_through_a_pipe_gzipped():
    done = process("score", QRELS, "-", input=gzip.compress(Path(BM25).read_bytes()))
    named = process("score", QRELS, BM25)
    assert (done.returncode, done.stderr) == (0, b"")
    rows = [output.stdout.decode().splitlines()[2].split() for output in (done, named)]
    assert [row[0] for row in rows] == ["stdin", "bm25"]
    assert rows[0][1:] == rows[1][1:]


def test_an_error_ends_the_process_with_its_code():
    done = process("score", QRELS, "-", input=b"q1 Q0 d 1 high t\n")
    assert done.returncode == 1
    assert done.stdout == b""
    assert done.stderr.decode() == (
        "rankscope: stdin, line 1, column 5: found 'high'; expected a number as the score. "
        "Write it with digits and a decimal point. [E-NUMBER]\n"
    )


@pytest.mark.skipif(os.name == "nt", reason="pipes end otherwise there")
def test_a_closed_pipe_ends_quietly():
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "metrics", "score", QRELS, BM25, "-q"]
    try:
        done = subprocess.run(command, cwd=ROOT, stdout=write, stderr=subprocess.PIPE, check=False)
    finally:
        os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


def test_score_needs_no_pandas():
    code = (
        "import sys\n"
        "class Absent:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name.split('.')[0] in ('pandas', 'scipy', 'streamlit'):\n"
        "            raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Absent())\n"
        "from metrics.__main__ import main\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    for more in ([], ["-q", "--format", "csv"], ["--format", "trec"]):
        argv = ["score", QRELS, BM25, *more]
        command = [sys.executable, "-c", code, *argv]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout == process(*argv).stdout


def test_labels_take_no_column_s_place_in_csv(capsys, monkeypatch):
    """A and B are columns, and labels were called so too: the scores gave way to names."""
    import csv
    import io

    monkeypatch.chdir(SHOP)
    names = ["qrels.txt", "bm25.run", "char_ngrams.run"]
    for more in ([], ["-q"], ["-Q", "q12"]):
        rows = {}
        for form in ("csv", "json"):
            assert main(["compare", *names, "-m", "AP", "--format", form, *more]) == 0
            rows[form] = capsys.readouterr().out
        asked = json.loads(rows["json"])["rows"]
        found = list(csv.DictReader(io.StringIO(rows["csv"])))
        assert len(found) == len(asked)
        for given, wanted in zip(found, asked, strict=True):
            for name, value in wanted.items():
                assert given[name] == ("" if value is None else str(value)), name
        header = rows["csv"].splitlines()[0].split(",")
        assert len(header) == len(set(header))
