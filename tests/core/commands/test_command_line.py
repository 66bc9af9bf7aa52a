"""The command line: its output, its notes and its exit codes."""

import csv
import gzip
import io
import json
import math
import os
import re
import subprocess
import sys
import time
import zipfile
from dataclasses import fields, replace
from pathlib import Path

import pytest

from metrics import PRESETS, REGISTRY, Convention, compare, evaluate, read_qrels, read_run, trace
from metrics.__main__ import main
from metrics.commands import files as cmd_files
from metrics.commands import options
from metrics.comparing.evidence import evidence
from metrics.defaults import MEASURES
from metrics.scoring.evaluate import mean
from metrics.scoring.known_differences import KNOWN
from metrics.version import __version__
from metrics.writing.latex import escaped
from tests.cases import cases

ROOT = Path(__file__).parents[3]
SHOP = ROOT / "sample_data" / "shop_search"
QRELS, BM25, NGRAMS = (str(SHOP / name) for name in ("qrels.txt", "bm25.run", "char_ngrams.run"))
ONE = "q1 0 a 3\nq1 0 b 0\nq1 0 c 2\n"
ONE_RUN = "q1 Q0 a 1 0.9 t\nq1 Q0 b 2 0.8 t\nq1 Q0 c 3 0.7 t\n"
OF_THE_SHOP = re.compile(
    r"rankscope: (bm25|char_ngrams): "
    r"([0-9.]+ % of the top [0-9]+ documents were not judged|in [0-9]+ quer.* ties across rank)"
)


def output(rankscope, *argv):
    """Return the output of a command without notes, but for those on the runs of the shop."""
    code, out, err = rankscope(*argv)
    assert (code, [line for line in err.splitlines() if not OF_THE_SHOP.match(line)]) == (0, [])
    return out


def noted(rankscope, *argv):
    """Return the output of a command that also prints notes."""
    code, out, err = rankscope(*argv)
    assert code == 0
    assert err
    return out


def process(*argv, **more):
    command = [sys.executable, "-m", "metrics", *argv]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=False, **more)


def test_score_prints_the_means_and_the_convention(rankscope):
    scores = evaluate(read_qrels(QRELS), read_run(BM25), MEASURES)
    lines = output(rankscope, "score", QRELS, BM25, NGRAMS).splitlines()
    assert lines[0].split() == ["run", "queries", *MEASURES]
    assert lines[2].split() == ["bm25", "29", *(f"{x:.4f}" for x in scores.mean)]
    assert lines[-1] == "convention: trec_eval"


def test_csv_and_json_have_every_digit_of_every_query(rankscope):
    measures = ["nDCG@10", "AP"]
    frame = evaluate(read_qrels(QRELS), read_run(BM25), measures).per_query
    argv = ["score", QRELS, BM25, "-q", "-m", *measures, "--format"]
    table = list(csv.DictReader(io.StringIO(output(rankscope, *argv, "csv"))))
    found = json.loads(output(rankscope, *argv, "json"))
    assert found["convention"] == "trec_eval"
    assert list(table[0]) == ["run", "query", *measures]
    for rows in (table, found["rows"]):
        assert [row["query"] for row in rows] == [*frame.index, "all"]
        for measure in measures:
            values = [float(row[measure]) for row in rows]
            assert values == [*frame[measure], mean(frame[measure].to_numpy())]


def test_counts_are_whole_and_summed(rankscope):
    out = output(rankscope, "score", QRELS, BM25, "-m", "NumRet", "LogAP", "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(out))
    assert row["NumRet"] == "383"
    assert 0 < float(row["LogAP"]) < 1


def test_format_trec_prints_trec_evals_lines(rankscope, write_files):
    write_files(
        q="q2 0 a 1\nq10 0 a 1\nQ1 0 a 1\nq1 0 b 0\nq1 0 a 2\nq3 0 a 0\n",
        r="q2 Q0 x 1 2.5 A\nq2 Q0 a 2 1 A\nq10 Q0 a 1 1 A\nQ1 Q0 a 1 1 A\nq1 Q0 b 1 9 A\n"
        "q1 Q0 a 2 8 A\nq3 Q0 a 1 1 last\n",
    )
    argv = ["-m", "ndcg_cut.10", "gm_map", "AP", "map", "num_ret", "nDCG(gain=exponential)@10"]
    # The measures are in the order of trec_eval, the queries in the order of their bytes; gm_map
    # is printed for all queries only.
    assert noted(rankscope, "score", "q", "r", "-q", "--format", "trec", *argv) == (
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


def test_trec_evals_sets_include_the_runs_tag_and_the_number_of_queries(rankscope, write_files):
    write_files(q="q1 0 a 1\nq2 0 a 1\n", r="q1 Q0 a 1 1 first\nq2 Q0 a 1 1 last\n")
    Path("r.gz").write_bytes(gzip.compress(Path("r").read_bytes()))
    with zipfile.ZipFile("r.zip", "w") as archive:
        archive.write("r")
    for run in ("r", "r.gz", "r.zip"):
        lines = noted(rankscope, "score", "q", run, "--format", "trec").splitlines()
        assert lines[:3] == [
            f"{'runid':<22}\tall\tlast",
            f"{'num_q':<22}\tall\t2",
            f"{'num_ret':<22}\tall\t2",
        ]
        assert lines[-1] == f"{'P_1000':<22}\tall\t0.0010"
        assert len(lines) == 30
    lines = noted(rankscope, "score", "q", "r", "--format", "trec", "-m", "all_trec").splitlines()
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
def test_a_run_without_trec_tags_goes_by_its_files_name(rankscope, write_files, run, runid):
    write_files(q="q1 0 a 1\nq2 0 a 1\n", r=run)
    _, out, _ = rankscope("score", "q", "r", "--format", "trec")
    assert out.splitlines()[0].split() == ["runid", "all", runid]


def test_the_tag_of_a_run_comes_through_a_pipe():
    done = process("score", QRELS, "-", "--format", "trec", input=Path(BM25).read_bytes())
    tag = Path(BM25).read_text("utf-8").split()[-1]
    assert done.stdout.decode().splitlines()[0].split() == ["runid", "all", tag]


@pytest.mark.parametrize(
    "argv",
    [
        ["-m", "AP", "P@5", QRELS, BM25],
        ["-m", "AP", "-m", "P@5", QRELS, BM25],
        [QRELS, "--meas", "AP", "P@5", BM25],
        ["-m", "AP", "P@5", "--", QRELS, BM25],
        ["--convention", "trec_eval", "-m", QRELS, "AP", "P@5", BM25],
    ],
)
def test_files_can_follow_the_measures(rankscope, argv):
    after = output(rankscope, "score", QRELS, BM25, "-m", "AP", "P@5")
    assert output(rankscope, "score", *argv) == after


def test_a_measure_is_a_measure_even_if_a_file_has_its_name(rankscope, write_files):
    write_files(map="q1 0 a 1\n", run="q1 Q0 a 1 1 t\n")
    argv = ["score", "-m", "P@1", "map", "run"]
    with pytest.raises(SystemExit):
        rankscope(*argv)
    assert rankscope(*argv[:3], "./map", "run")[0] == 0


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["AP", "map", "run"], "-m took 'AP', 'map' as measures: 'map' is a measure and a file;"),
        (["AP", "qrles", "run"], "'qrles' is neither a measure nor a file."),
        (["AP"], "the following arguments are required: qrels, run\n"),
        (["run", "qrels"], "'run', 'qrels': these are files; write a measure after -m"),
        ([], "-m/--measure: expected at least one argument"),
    ],
)
def test_the_message_names_the_words_behind_m_that_may_be_files(write_files, capsys, argv, message):
    write_files(map="", run="", qrels="")
    with pytest.raises(SystemExit) as left:
        main(["score", "-m", *argv])
    assert left.value.code == 2
    assert message in capsys.readouterr().err


def test_one_name_can_hold_several_cutoffs(rankscope):
    out = output(rankscope, "score", QRELS, BM25, "-m", "P.10,5", "iprec_at_recall.0.5,0.25")
    assert out.split()[2:6] == ["P@10", "P@5", "IPrec@0.5", "IPrec@0.25"]


def test_format_trec_notes_another_convention_on_stderr(rankscope):
    code, out, err = rankscope(
        "score", QRELS, BM25, "--format", "trec", "-m", "P_5", "--convention", "TREC_EVAL-9"
    )
    assert (code, [line for line in err.splitlines() if not OF_THE_SHOP.match(line)]) == (
        0,
        [
            "rankscope: convention: trec_eval 9, with score precision: 32-bit floats; recall p "
            "reached at: p·R + 0.9 documents, rounded down"
        ],
    )
    assert out.startswith("P_5 ")


def test_a_convention_is_a_preset_with_changes(rankscope):
    changes = ["--convention", "lightgbm", "--set", "ties=ascending", "--set", "level=2"]
    convention = replace(PRESETS["LightGBM"], ties="ascending", level=2.0)
    out = output(rankscope, "score", QRELS, BM25, "-m", "nDCG@5", "--format", "json", *changes)
    found = json.loads(out)
    expected = evaluate(read_qrels(QRELS), read_run(BM25), "nDCG@5", convention)
    assert found["convention"] == convention.label
    assert found["rows"][0]["nDCG@5"] == expected.mean["nDCG@5"]


def test_a_query_that_is_left_out_is_never_printed_as_nan(rankscope):
    for shape, missing in (("csv", ",\n"), ("json", "null"), ("table", "–"), ("markdown", "–")):
        argv = ["-m", "AP", "RR", "-q", "--set", "undefined=skip", "--format", shape]
        code, out, err = rankscope("score", QRELS, BM25, *argv)
        assert code == 0
        (line,) = (line for line in out.splitlines(True) if "q22" in line)
        assert missing in line
        assert "nan" not in out.lower()
        assert err.splitlines()[0] == (
            "rankscope: bm25: queries with nothing to find are left out of AP, RR: 1 ('q22')."
        )
        # CSV has rows only, so another convention than trec_eval's is named beside it.
        assert ("rankscope: convention: trec_eval, but" in err) == (shape == "csv")


def test_mismatches_are_reported_on_stderr(rankscope, write_files):
    write_files(
        q="q1 0 a 1\nq2 0 a 1\nq2 0 b 0\n",
        r="q1 Q0 a 1 1 t\nq1 Q0 b 2 5 t\nq1 Q0 c 3 0 t\n"
        + "".join(f"x{i} Q0 a 1 1 t\n" for i in range(7)),
    )
    code, out, err = rankscope("score", "q", "r")
    assert code == 0
    assert "rank" not in out
    assert err.splitlines() == [
        "rankscope: r: 1 row whose rank contradicts the order of evaluation: by score, "
        "and equal scores by document id, descending, as in trec_eval.",
        "rankscope: r: judged queries that it lacks are left out of the mean: 1 ('q2').",
        "rankscope: r: queries that nobody judged are left out: 7 "
        "('x0', 'x1', 'x2', 'x3', 'x4', …).",
        "rankscope: r: 66.7 % of the top 3 documents were not judged. From 5 % on, their grades "
        "could turn a close comparison: judge them, or trust only a clear lead. "
        "rankscope audit checks whether ids differ.",
    ]
    assert rankscope("score", "q", "r", "--quiet") == (0, out, "")
    assert "count as 0: 1 ('q2')" in rankscope("score", "q", "r", "--set", "queries=qrels")[2]


def test_explain_shows_the_ledger_and_the_parts(rankscope, write_files):
    write_files(q=ONE, r=ONE_RUN)
    out = output(rankscope, "explain", "q", "r", "-m", "nDCG@3", "-Q", "q1")
    first, *parts = re.split(r"\n\n(?=measure: )", out)
    ledger = trace(read_qrels("q"), read_run("r"), "nDCG@3", "q1")
    assert first.startswith("measure: nDCG@3, query: q1, run: r, score: 0.9386\n\n")
    lines = first.splitlines()
    assert lines[2].split()[:3] == ["rank", "document", "grade"]
    assert lines[4].split()[:4] == ["1", "a", "3", "3"]
    running = [float(line.split()[-1]) for line in lines[4:7]]
    assert running == [round(x, 4) for x in ledger.contribution.cumsum()]
    assert "convention: trec_eval" in lines
    assert "formula: nDCG@k = DCG@k/IDCG@k" in lines
    worked = "3/(log2(1+1)·4.2619) + 0/(log2(2+1)·4.2619) + 2/(log2(3+1)·4.2619)"
    assert f"formula: nDCG@3 = 0.9386 ≈ {worked}" in lines
    assert [part.split(",")[0] for part in parts] == ["measure: DCG@3", "measure: IDCG@3"]


def test_tables_are_as_wide_as_the_terminal_and_only_there(rankscope, monkeypatch):
    argv = ["compare", QRELS, BM25, NGRAMS]
    wide = output(rankscope, *argv)
    monkeypatch.setenv("COLUMNS", "60")
    assert output(rankscope, *argv) == wide
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    narrow = output(rankscope, *argv)
    assert max(map(len, narrow.splitlines())) <= 60 < max(map(len, wide.splitlines()))


def test_the_explained_lines_sum_to_the_score(rankscope):
    argv = ["explain", QRELS, BM25, "-m", "nDCG@10", "-Q", "q01", "--format"]
    found = json.loads(output(rankscope, *argv, "json"))
    score = evaluate(read_qrels(QRELS), read_run(BM25), "nDCG@10").value("nDCG@10", "q01")
    assert found["score"] == score
    assert math.isclose(sum(row["contribution"] for row in found["rows"]), score)
    dcg, idcg = found["parts"]
    assert math.isclose(dcg["score"] / idcg["score"], score)
    rows = list(csv.DictReader(io.StringIO(output(rankscope, *argv, "csv"))))
    assert len(rows) == sum(len(part["rows"]) for part in (found, dcg, idcg))
    assert {row["measure"] for row in rows} == {"nDCG@10", "DCG@10", "IDCG@10"}
    assert [row["document"] for row in rows[:10]] == [row["document"] for row in found["rows"]]
    unjudged = found["rows"][8]
    assert unjudged["grade"] is None
    assert rows[8]["grade"] == ""


def test_a_query_without_a_score_is_explained_without_numbers(rankscope):
    argv = ["-Q", "q22", "--set", "undefined=skip", "--format", "json"]
    found = json.loads(output(rankscope, "explain", QRELS, BM25, *argv))
    assert found["score"] is None
    assert len(found["formulas"]) == 1


@cases(
    ("text", "expected"),
    [
        ("a--b---", "a-{}-b-{}-{}-"),
        ("?`it's`", r"?\textasciigrave{}it\textquotesingle{}s\textasciigrave{}"),
        (",,x-y", ",{},x-y"),
        ("−1 – 2", r"$-$1 \textendash{} 2"),
    ],
)
def test_latex_keeps_repeated_characters_apart(text, expected):
    assert escaped(text) == expected


def test_latex_and_markdown_show_ids_as_they_are(rankscope, write_files):
    odd = "a_b%|<i>$*[x]\\"
    write_files(q=f"q1 0 {odd} 1\nq1 0 x 0\n", r=f"q1 Q0 {odd} 1 1 t\n")
    argv = ["explain", "q", "r", "-m", "RR", "-Q", "q1", "--format"]
    written = output(rankscope, *argv, "latex")
    shown = r"a\_b\%\textbar{}\textless{}i\textgreater{}\$*[x]\textbackslash{}"
    assert f"1 & {shown} & 1 & 1 & 1 & 1.0000 & 1.0000 \\\\" in written
    assert r"convention: trec\_eval.}" in written
    assert r"\[ \mathrm{RR} = 1.0000 = \frac{1}{1} \]" in written
    assert r"| a\_b%\|\<i\>\$\*\[x\]\\ |" in output(rankscope, *argv, "markdown")


def test_csv_neutralises_formulas_and_reports_the_changes(rankscope, write_files):
    write_files(
        q='{"q1": {"=1+1": 1, "-a": 1, "-5": 1, "+x": 0}}',
        r='{"q1": {"=1+1": 4, "-a": 3, "-5": 2, "+x": 1}}',
    )
    argv = ["explain", "q", "r", "-m", "AP", "-Q", "q1", "--format"]
    code, out, err = rankscope(*argv, "csv")
    documents = [row["document"] for row in csv.DictReader(io.StringIO(out))]
    assert (code, documents) == (0, ["'=1+1", "'-a", "-5", "'+x"])
    assert "an apostrophe was added before 3 texts that could start a formula" in err
    rows = json.loads(output(rankscope, *argv, "json"))["rows"]
    assert [row["document"] for row in rows] == ["=1+1", "-a", "-5", "+x"]


def test_control_characters_in_ids_are_not_printed(rankscope, write_files):
    write_files(q='{"q1": {"a\\u001b[31mb": 1}}', r='{"q1": {"a\\u001b[31mb": 1}}')
    out = noted(rankscope, "explain", "q", "r", "-Q", "q1")
    assert "\x1b" not in out
    assert "a⟨U+001B⟩[31mb" in out


def test_compare_prints_means_queries_or_documents(rankscope):
    qrels, a, b = read_qrels(QRELS), read_run(BM25), read_run(NGRAMS)
    compared = compare(qrels, a, b, ["AP", "RR"])
    argv = ["compare", QRELS, BM25, NGRAMS, "-m", "AP", "-m", "RR", "--format", "json"]
    found = json.loads(output(rankscope, *argv))
    assert [found["inputs"][run]["name"] for run in ("run_a", "run_b")] == ["bm25", "char_ngrams"]
    assert found["inputs"]["qrels"]["digest"] == qrels.digest
    assert (found["schema"], found["convention"]) == ("rankscope/comparison/1", "trec_eval")
    assert all(re.fullmatch("[a-z_]+", key) for key in (*found, *found["rows"][0]))
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
        values = [row[key] for key in ("queries", "low", "high", "p", "p_holm", "effect")]
        assert values == [
            each.queries,
            each.low,
            each.high,
            each.p,
            each.corrected,
            each.effect,
        ]
    drawn = json.loads(output(rankscope, *argv, "--test", "t", "--tie", "0.1"))
    assert drawn["rows"][0]["p"] == evidence(compared, test="t")["AP"].p
    assert drawn["rows"][0]["ties"] == evidence(compared, tie=0.1)["AP"].ties > 7
    rows = json.loads(output(rankscope, *argv, "-q"))["rows"]
    deltas = [row["delta"] for row in rows if row["measure"] == "AP" and row["query"] != "all"]
    assert deltas == sorted(compared.per_query("AP")["delta"], reverse=True)
    rows = json.loads(output(rankscope, *argv, "-Q", "q02"))["rows"]
    *documents, score = [row for row in rows if row["measure"] == "AP"]
    assert math.isclose(sum(row["delta"] for row in documents), score["delta"])
    assert score["delta"] == compared.per_query("AP").at["q02", "delta"]


def test_measures_lists_the_registry_and_describes_one(rankscope):
    rows = json.loads(output(rankscope, "measures", "--format", "json"))["rows"]
    assert [row["measure"] for row in rows] == list(REGISTRY)
    for name in ("nDCG", "ndcg_cut_10", "nDCG@10"):
        lines = output(rankscope, "measures", name).splitlines()
        assert lines[2] == "measure      nDCG"
        assert "formula      nDCG@k = DCG@k/IDCG@k" in lines
        assert "trec_eval    ndcg, ndcg_cut_{cutoff}" in lines
        assert "depends on   gain, discount, ideal, ideal_cut, negative" in lines
    for name in REGISTRY:
        output(rankscope, "measures", name)


def test_conventions_lists_presets_and_fields(rankscope):
    found = json.loads(output(rankscope, "conventions", "--format", "json"))
    assert [row["convention"] for row in found["rows"]] == list(PRESETS)
    exceptions, choices = found["parts"]
    assert len(exceptions["rows"]) == len(KNOWN)
    assert {row["field"] for row in choices["rows"]} == {f.name for f in fields(Convention)}
    for row in choices["rows"]:
        changes = {"changes": [f"{row['field']}={row['value']}"], "convention": "trec_eval"}
        changed = options.convention(options.argparse.Namespace(**changes))
        assert (changed == Convention()) == (row["default"] == "yes")


@pytest.mark.parametrize(
    ("argv", "code", "message"),
    [
        (["score", QRELS, "no.run"], 4, "no.run: No such file or directory."),
        (["score", QRELS, f"{SHOP}/"], 4, "shop_search: found a folder without .parquet files"),
        (["score", str(SHOP), BM25], 4, f"{SHOP.name}: found Is a directory;"),
        (["score", QRELS, QRELS], 4, "qrels.txt, line 1: found 4 columns"),
        (["explain", QRELS, "part", "-Q", "q02"], 4, "Query 'q02' is not in the run"),
        (["compare", QRELS, BM25, "part", "-Q", "q02"], 4, "Query 'q02' is not in both runs"),
        (["score", QRELS, BM25, "-m", "nDGC"], 2, "Did you mean nDCG?"),
        (["score", QRELS, BM25, "--convention", "trec"], 2, "Did you mean trec_eval?"),
        (["score", QRELS, BM25, "--set", "tie=input"], 2, "Did you mean ties?"),
        (["score", QRELS, BM25, "--set", "ties=up"], 2, "choose one of 'descending'"),
        (["score", QRELS, BM25, "--set", "ties"], 2, "write FIELD=VALUE"),
        (["score", QRELS, BM25, "--set", "level=x"], 2, "level must be a number"),
        (["score", QRELS, BM25, "-m", "ERR(max=1)"], 2, "ERR(max=3)"),
        (["score", QRELS, BM25, BM25], 2, "appears twice"),
        (["score", QRELS, BM25, NGRAMS, "--format", "trec"], 2, "prints one run"),
        (["score", "-", "-"], 2, "Only one file can be -"),
        (["explain", QRELS, BM25, "-Q", "01"], 2, "Did you mean 'q01'?"),
        (["compare", QRELS, BM25, NGRAMS, "-Q", "q0"], 2, "no query 'q0' in the qrels"),
        (["measures", "nDGC"], 2, "Did you mean nDCG?"),
        (["score", QRELS, "other"], 3, "other: 0 of 1 queries overlap with the qrels"),
        (["score", QRELS, "other", "--set", "queries=qrels"], 3, "Make the ids the same"),
        (["score", QRELS, "ends"], 3, "differ by a file name's ending"),
        (["compare", QRELS, "ends", BM25], 3, "would match. Use --fix-ids to make this change."),
        (["compare", QRELS, BM25, NGRAMS, "part", "-q"], 2, "and --human compare two runs"),
        (["compare", QRELS, *map(str, range(11))], 2, "11 runs are named; compare takes at most"),
        (["compare", QRELS, "part", "rest"], 3, "part and rest have no judged query in common"),
    ],
    ids=lambda value: " ".join(value[-4:]).replace(f"{SHOP}/", "") if type(value) is list else "",
)
def test_errors_have_a_message_and_an_exit_code(rankscope, write_files, argv, code, message):
    write_files(
        other="1 Q0 a 1 1 t\n",
        ends="q01 Q0 shoes-09.txt 1 1 t\n",
        part="q01 Q0 shoes-09 1 1 t\n",
        rest="q03 Q0 laptop-01 1 1 t\n",
    )
    found, out, err = rankscope(*argv)
    assert (found, out) == (code, "")
    last = [line for line in err.splitlines() if message in line]
    assert len(last) == 1
    assert last[0].startswith("rankscope: ")


def test_wrong_options_exit_with_2(capsys):
    for argv in ([], ["scroe"], ["score", QRELS], ["score", QRELS, BM25, "--bogus"]):
        with pytest.raises(SystemExit) as left:
            main(argv)
        assert left.value.code == 2
        assert "usage: rankscope" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (("--tie", "-1"), "found '-1'; expected a number, 0 or more"),
        (("--tie", "inf"), "found 'inf'; expected a number, 0 or more"),
        (("--seed", "x"), "found 'x'; expected a number, 0 or more"),
        (("--test", "sign"), "invalid choice: 'sign'"),
    ],
)
def test_the_options_of_the_test_are_checked(capsys, option, message):
    with pytest.raises(SystemExit) as left:
        main(["compare", QRELS, BM25, NGRAMS, *option])
    assert left.value.code == 2
    assert message in capsys.readouterr().err


def test_the_help_lists_the_exit_codes(capsys):
    for argv in (["--help"], ["score", "--help"], ["compare", "-h"]):
        with pytest.raises(SystemExit) as left:
            main(argv)
        assert left.value.code == 0
        assert options.EXIT_CODES in capsys.readouterr().out


def test_an_interrupt_exits_with_130(rankscope, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(cmd_files, "judged", interrupt)
    assert rankscope("score", QRELS, BM25) == (130, "", "")


def test_the_version_is_that_of_the_project(capsys):
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"rankscope {__version__}\n"


def test_the_progress_bar_is_drawn_only_on_terminals_and_for_long_work(capsys, monkeypatch):
    monkeypatch.setattr(cmd_files, "PATIENCE", 0)
    cmd_files.bar("bm25", quiet=False)(0.5)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    cmd_files.bar("bm25", quiet=True)(0.5)
    assert capsys.readouterr().err == ""
    draw = cmd_files.bar("bm25", quiet=False)
    draw(0.5)
    draw(1.0)
    half = f"\rbm25 [{'#' * 15}{' ' * 15}]  50%\x1b[K"
    assert capsys.readouterr().err == f"{half}\r\x1b[K"


def test_a_file_that_takes_long_to_read_is_named_on_terminals(capsys, monkeypatch):
    monkeypatch.setattr(cmd_files, "PATIENCE", 0.01)

    def err(seconds):
        with cmd_files.reading_shown("runs/b\x1bm25.run"):
            time.sleep(seconds)
        return capsys.readouterr().err

    assert err(0.05) == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert err(0.2) == "reading runs/b⟨U+001B⟩m25.run …\r\x1b[K"
    assert err(0) == "\r\x1b[K"


def test_a_gzipped_run_is_read_from_a_pipe():
    done = process("score", QRELS, "-", "--quiet", input=gzip.compress(Path(BM25).read_bytes()))
    named = process("score", QRELS, BM25)
    assert (done.returncode, done.stderr) == (0, b"")
    rows = [output.stdout.decode().splitlines()[2].split() for output in (done, named)]
    assert [row[0] for row in rows] == ["stdin", "bm25"]
    assert rows[0][1:] == rows[1][1:]


def test_an_error_ends_the_process_with_its_code():
    done = process("score", QRELS, "-", input=b"q1 Q0 d 1 high t\n")
    assert done.returncode == 4
    assert done.stdout == b""
    assert done.stderr.decode() == (
        "rankscope: stdin, line 1, column 5: found 'high'; expected a number as the score. "
        "Write it with digits and a decimal point. [E-NUMBER]\n"
    )


@pytest.mark.skipif(os.name == "nt", reason="pipes end differently on Windows")
def test_a_closed_pipe_ends_quietly():
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "metrics", "score", QRELS, BM25, "-q", "--quiet"]
    try:
        done = subprocess.run(command, cwd=ROOT, stdout=write, stderr=subprocess.PIPE, check=False)
    finally:
        os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


@cases("closed", [["stdout"], ["stderr"], ["stdin"], ["stdin", "stdout", "stderr"]])
def test_a_closed_stream_reads_and_writes_nothing(monkeypatch, closed):
    with monkeypatch.context() as patch:
        for name in closed:
            patch.setattr(sys, name, None)
        assert main(["score", QRELS, BM25]) == 0
        assert main(["score", "none", "none"]) == 4
        if "stdin" in closed:
            assert main(["score", QRELS, "-"]) == 4
        for name in closed:
            getattr(sys, name).close()


def test_score_does_not_import_pandas():
    code = (
        "import sys\n"
        "class Absent:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name.split('.')[0] in ('pandas', 'plotly', 'scipy', 'streamlit'):\n"
        "            raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Absent())\n"
        "from metrics.__main__ import main\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    for more in ([], ["-q", "--format", "csv"], ["--format", "trec"]):
        argv = ["score", QRELS, BM25, *more]
        command = [sys.executable, "-c", code, *argv]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
        whole = process(*argv)
        assert (done.returncode, done.stdout, done.stderr) == (0, whole.stdout, whole.stderr)


def test_labels_do_not_replace_columns_in_csv(capsys, monkeypatch):
    """A and B are columns, so labels of the same name must not overwrite the scores."""
    import csv
    import io

    monkeypatch.chdir(SHOP)
    names = ["qrels.txt", "bm25.run", "char_ngrams.run"]
    for more in ([], ["-q"], ["-Q", "q12"]):
        rows = {}
        for form in ("csv", "json"):
            assert main(["compare", *names, "-m", "AP", "--format", form, *more]) == 0
            rows[form] = capsys.readouterr().out
        as_json = json.loads(rows["json"])["rows"]
        as_csv = list(csv.DictReader(io.StringIO(rows["csv"])))
        assert len(as_csv) == len(as_json)
        for row, wanted in zip(as_csv, as_json, strict=True):
            for name, value in wanted.items():
                assert row[name] == ("" if value is None else str(value)), name
        header = rows["csv"].splitlines()[0].split(",")
        assert len(header) == len(set(header))
