"""``rankscope match``, and every command that takes its files in the place of runs."""

import hashlib
import json
import os
import sys
import threading
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from metrics import fix_ids, read_judged, read_qrels, read_run
from metrics.matching.judged_file import ENDING

from .test_audit_command import FILES

QRELS, BM25, CHARS = map(str, FILES)
# Both lack queries and have queries of their own, ties, and documents below 0 or not judged.
PARTS = {
    "qrels": "q1 0 a 2\nq1 0 b 0\nq1 0 c -1\nq2 0 a 1\nq2 0 b 0\nq3 0 a 1\n",
    "one": "q1 Q0 x 1 2 t\nq1 Q0 b 2 1 t\nq1 Q0 a 3 1 t\nq2 Q0 a 1 1 t\nq9 Q0 a 1 1 t\n",
    "two": "q1 Q0 a 1 2 t\nq1 Q0 c 2 1 t\nq1 Q0 y 3 1 t\nq3 Q0 b 1 2 t\nq3 Q0 a 2 1 t\n",
}
ALL = ["-m", "nDCG@10", "nDCG@2", "AP", "RR", "P@2", "Bpref", "Judged@2", "SetF", "numret"]


@pytest.fixture
def shop(rankscope, tmp_path):
    """The runs of the shop as judged files."""
    assert rankscope("match", QRELS, BM25, CHARS, "-o", f"{tmp_path}/", "--quiet")[0] == 0
    return [tmp_path / f"{Path(run).stem}{ENDING}" for run in (BM25, CHARS)]


def test_the_files_say_what_they_hold(rankscope, tmp_path):
    file = tmp_path / "new" / f"a{ENDING}"
    about = ["--name", "best", "--tag", "x", "--tag", "y z", "--commit", "1a2b"]
    code, out, err = rankscope("match", QRELS, BM25, "-o", file, *about)
    assert (code, out) == (0, f"{file}\n")
    assert "bm25: 10.7 % of the top 10 documents were not judged" in err
    found = read_judged(file)
    assert (found.name, found.tags, found.commit) == ("best", ("x", "y z"), "1a2b")
    assert found.run_digest == f"sha256 {hashlib.sha256(Path(BM25).read_bytes()).hexdigest()}"
    assert found.judged.qrels.to_dict() == read_qrels(QRELS).to_dict()
    assert rankscope("match", QRELS, BM25, "-o", tmp_path)[1] == f"{tmp_path / 'bm25'}{ENDING}\n"
    assert read_judged(tmp_path / f"bm25{ENDING}").name == "bm25"


OUTPUTS = {
    "a file for two runs": ([CHARS, "-o", f"a{ENDING}"], "do not fit in one file"),
    "another ending": (["-o", "a.parquet"], f"ends in {ENDING}"),
    "a name for two runs": ([CHARS, "--name", "x", "-o", "a/"], "names one run"),
    "the same run twice": ([BM25, "-o", "a/"], "appears twice"),
}


@pytest.mark.parametrize("case", OUTPUTS)
def test_an_output_that_does_not_fit_is_wrong_usage(rankscope, write_files, case):
    write_files()
    argv, found = OUTPUTS[case]
    code, out, err = rankscope("match", QRELS, BM25, *argv)
    assert (code, out) == (2, "")
    assert found in err
    assert not [*Path().iterdir()]


def test_an_input_is_never_written_over(rankscope, write_files, tmp_path):
    write_files(**{f"bm25{ENDING}": Path(BM25).read_text()})
    was = (tmp_path / f"bm25{ENDING}").read_bytes()
    for output in (f"bm25{ENDING}", "."):
        code, _, err = rankscope("match", QRELS, f"bm25{ENDING}", "-o", output)
        assert code == 2
        assert "would be written over" in err
    assert (tmp_path / f"bm25{ENDING}").read_bytes() == was


def test_nothing_is_written_unless_every_run_is_judged(rankscope, write_files):
    write_files(
        qrels=PARTS["qrels"], one=PARTS["one"], two="q1 Q0 a 1 high t\n", three="q7 Q0 a 1 1 t"
    )
    assert rankscope("match", "qrels", "one", "two", "-o", "out/")[0] == 4
    assert rankscope("match", "qrels", "one", "three", "-o", "out/")[0] == 3
    assert not Path("out").exists()


def test_ids_are_fixed_before_judging(rankscope, write_files):
    write_files(
        qrels=PARTS["qrels"],
        run=PARTS["one"].replace(" 1 t", " 1.0 t").replace("a ", "a.txt ").replace("b ", "b.txt "),
    )
    assert rankscope("match", "qrels", "run", "-o", f"a{ENDING}")[0] == 3
    code, _, err = rankscope("match", "qrels", "run", "-o", f"a{ENDING}", "--fix-ids")
    assert code == 0
    assert "Changed on request" in err
    fixed = fix_ids(read_qrels("qrels"), read_run("run"))
    assert read_judged(f"a{ENDING}").run_digest == fixed.digest
    assert read_judged(f"a{ENDING}").judged.top.document.to_pylist() == ["x"]
    # The notes come with the file.
    assert "Changed on request" in rankscope("score", "qrels", f"a{ENDING}")[2]


CONVENTIONS = [
    [],
    ["--convention", "MS MARCO"],
    ["--convention", "ranx"],
    ["--set", "scores=single"],
]
CONVENTIONS += [["--set", "unjudged=removed", "--set", "negative=nonrelevant"]]


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("more", [[], ["-q"], ["-q", "--format", "trec"]])
def test_scores_are_those_of_the_run(rankscope, write_files, convention, more):
    write_files(**PARTS)
    for run in ("one", "two"):
        rankscope("match", "qrels", run, "-o", f"{run}{ENDING}", *convention)
        argv = [*ALL, *more, *convention, *([] if more[1:] else ["--format", "json"])]
        code, out, err = rankscope("score", "qrels", run, *argv)
        assert code == 0
        assert rankscope("score", "qrels", f"{run}{ENDING}", *argv) == (code, out, err)


def test_a_choice_of_scoring_applies_to_the_file(rankscope, write_files):
    write_files(**PARTS)
    rankscope("match", "qrels", "one", "-o", f"one{ENDING}")
    for choice in ("gain=exponential", "queries=qrels", "level=2", "negative=nonrelevant"):
        argv = [*ALL, "-q", "--format", "json", "--set", choice]
        code, out, err = rankscope("score", "qrels", "one", *argv)
        assert (code, out, err) == rankscope("score", "qrels", f"one{ENDING}", *argv)
    # And back: a file over all judged queries still knows those of the run.
    rankscope("match", "qrels", "one", "-o", f"one{ENDING}", "--set", "queries=qrels")
    argv = [*ALL, "-q", "--format", "json"]
    expected = rankscope("score", "qrels", "one", *argv)
    assert rankscope("score", "qrels", f"one{ENDING}", *argv) == expected


REFUSED = {
    "another order of ties": (4, ["score", QRELS, 0, "--set", "ties=input"], "Choose ties=desc"),
    "another precision": (4, ["score", QRELS, 0, "--set", "scores=single"], "score precision: 64"),
    "without the unjudged": (4, ["score", QRELS, 0, "--set", "unjudged=removed"], "judged with"),
    "in the place of the qrels": (4, ["score", 0, BM25], "name the qrels first"),
    "judged again": (4, ["match", QRELS, 0, "-o", "a/"], "judged rankings already"),
    "other ids": (2, ["score", QRELS, 0, "--fix-ids"], "Use it when you match"),
    "an unknown query": (2, ["explain", QRELS, 0, "-Q", "q"], "no query 'q'"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_judged_file_is_refused_in_words(rankscope, shop, case):
    expected, argv, found = REFUSED[case]
    argv = [shop[word] if isinstance(word, int) else word for word in argv]
    code, out, err = rankscope(*argv)
    assert (code, out) == (expected, "")
    assert found in err
    assert "Traceback" not in err


def test_other_judgments_are_refused_with_their_difference(rankscope, write_files):
    write_files(**PARTS, other=PARTS["qrels"].replace("q2 0 a 1", "q2 0 a 2") + "q3 0 z 0\n")
    rankscope("match", "qrels", "one", "-o", f"one{ENDING}")
    for argv in (["score"], ["compare", "two"], ["explain", "-Q", "q1"]):
        words = [argv[0], "other", f"one{ENDING}", *argv[1:]]
        code, out, err = rankscope(*words)
        assert (code, out) == (4, "")
        assert "1 judgment only in the qrels (query 'q3', document 'z')" in err
        assert "1 judgment with another grade (query 'q2', document 'a')" in err
    # The order of rows makes no difference.
    lines = PARTS["qrels"].splitlines(keepends=True)
    write_files(other="".join(reversed(lines)))
    argv = [*ALL, "-q", "--format", "json"]
    code, out, _ = rankscope("score", "other", "one", *argv)
    assert (code, json.loads(out)["rows"][0]["query"]) == (0, "q2")
    assert rankscope("score", "other", f"one{ENDING}", *argv)[:2] == (code, out)


@pytest.mark.parametrize("depth", [None, 9, 0])
def test_explain_lists_what_there_is_and_counts_the_rest(rankscope, tmp_path, depth):
    file = tmp_path / f"bm25{ENDING}"
    kept = [] if depth is None else ["--depth", depth]
    rankscope("match", QRELS, BM25, "-o", file, *kept)
    argv = ["-Q", "q01", "-m", "AP", "--format", "json"]
    whole, part = (json.loads(rankscope("explain", QRELS, run, *argv)[1]) for run in (BM25, file))
    rows = whole.pop("rows")
    limit = len(rows) if depth is None else depth
    listed = [row for row in rows if row["grade"] is not None or row["rank"] <= limit]
    assert part.pop("rows") == listed
    assert part == whole
    err = rankscope("explain", QRELS, file, *argv)[2]
    counted = f"{len(rows) - len(listed)} of {len(rows)} retrieved documents are not listed"
    assert (counted in err) is (depth is not None)
    assert ("below rank 9" in err) is (depth == 9)
    assert rankscope("explain", QRELS, file, *argv, "--quiet")[2] == ""


@pytest.mark.parametrize(
    "more", [["-q"], ["-Q", "q02"], ["--set", "queries=qrels"], ["--test", "t"]]
)
def test_a_comparison_has_the_numbers_of_the_runs(rankscope, shop, more):
    argv = ["-m", "nDCG@10", "AP", "--format", "json", *more]
    code, whole, _ = rankscope("compare", QRELS, BM25, CHARS, *argv)
    assert code == 0
    for sides in ([shop[0], CHARS], [BM25, shop[1]], shop):
        code, out, err = rankscope("compare", QRELS, *sides, *argv)
        assert code == 0
        expected, found = json.loads(whole), json.loads(out)
        assert found["rows"] == expected["rows"]
        decided = "verdict" in expected
        assert err.count("unjudged documents are not kept") == decided
        if decided:
            left = [each for each in expected["verdict"]["threats"] if each["kind"] != "grades"]
            assert len(left) < len(expected["verdict"]["threats"])
            assert found["verdict"]["threats"] == left
            assert found["verdict"] | {"threats": left} == expected["verdict"] | {"threats": left}


def test_an_audit_counts_what_a_file_keeps(rankscope, shop):
    argv = ["--format", "json"]
    whole = json.loads(rankscope("audit", QRELS, BM25, *argv)[1])
    found = json.loads(rankscope("audit", QRELS, shop[0], *argv)[1])
    (run, judged) = (each["rows"][1] for each in (whole, found))
    unknown = {"lowest": None, "highest": None, "tied_rows": None, "queries_tied": None}
    assert judged == run | {"file": "judged"} | unknown
    shares = [rankscope("audit", QRELS, each, "-q")[1] for each in (BM25, shop[0])]
    assert shares[0] == shares[1]


def test_an_audit_takes_a_file_of_any_convention(rankscope, tmp_path):
    path = tmp_path / f"a{ENDING}"
    rankscope("match", QRELS, BM25, "-o", path, "--set", "ties=input")
    assert rankscope("audit", QRELS, path)[0] == 0


def test_a_report_of_files_says_what_they_lack(rankscope, shop, tmp_path):
    pages = []
    for sides in ([BM25, CHARS], shop):
        path = tmp_path / "report.html"
        code, _, _ = rankscope("compare", QRELS, *sides, "-m", "nDCG@10", "--report", path)
        assert code == 0
        pages.append(path.read_text())
    whole, kept = pages
    assert "unjudged documents are not kept" not in whole
    assert "unjudged documents are not kept" in kept
    assert "judged rankings, 29 queries evaluated, 383 rows, digest of the run sha256" in kept
    assert "read_judged(" in kept
    for heading in ("Means, intervals, tests", "Every query, nDCG@10"):
        tables = [page.split(f">{heading}</h2>")[1].split("</table>")[0] for page in pages]
        assert "<td" in tables[0]
        assert tables[0] == tables[1]


def test_three_runs_are_ranked_whatever_holds_them(rankscope, shop, tmp_path):
    third = tmp_path / "part.run"
    third.write_text("".join(Path(BM25).read_text().splitlines(keepends=True)[:300]))
    argv = ["-m", "AP", "--format", "json"]
    whole = json.loads(rankscope("compare", QRELS, BM25, CHARS, third, *argv)[1])
    found = json.loads(rankscope("compare", QRELS, *shop, third, *argv)[1])
    assert (found["rows"], found["parts"]) == (whole["rows"], whole["parts"])


def test_a_parquet_run_too_large_for_memory_is_compared_by_its_hits(
    rankscope, tmp_path, monkeypatch
):
    lines = [line.split() for line in Path(BM25).read_text().splitlines()]
    columns = {"query": [c[0] for c in lines], "document": [c[2] for c in lines]}
    table = pa.table(columns | {"score": [float(c[4]) for c in lines]})
    (tmp_path / "run").mkdir()
    pq.write_table(table[:400], tmp_path / "run" / "0.parquet")
    pq.write_table(table[400:], tmp_path / "run" / "1.parquet")
    pq.write_table(table, tmp_path / "run.parquet")
    argv = ["-m", "AP", "--format", "json"]
    whole = rankscope("compare", QRELS, tmp_path / "run.parquet", CHARS, *argv)
    assert "not kept" not in whole[2]
    monkeypatch.setenv("RANKSCOPE_LIMITS", f"rows={len(lines) - 1}")
    for run in ("run.parquet", "run"):
        code, out, err = rankscope("compare", QRELS, tmp_path / run, CHARS, *argv)
        assert code == 0
        assert err.count("unjudged documents are not kept") == 1
        assert json.loads(out)["rows"] == json.loads(whole[1])["rows"]
        expected = rankscope("explain", QRELS, BM25, "-Q", "q01")[1]
        found = rankscope("explain", QRELS, tmp_path / run, "-Q", "q01")[1]
        assert found == expected.replace("run: bm25", "run: run")


def test_a_large_run_without_a_judged_document_has_no_verdict(rankscope, write_files, monkeypatch):
    write_files(qrels=PARTS["qrels"], one=PARTS["one"])
    documents = [f"d{number}" for number in range(10)]
    columns = {"query": ["q1"] * 10, "document": documents, "score": [1.0] * 10}
    pq.write_table(pa.table(columns), "large")
    monkeypatch.setenv("RANKSCOPE_LIMITS", "rows=9")
    for argv in (["compare", "qrels", "one", "large"], ["explain", "qrels", "large", "-Q", "q1"]):
        code, out, err = rankscope(*argv)
        assert (code, out) == (3, "")
        assert "large: no document of the run is judged" in err


def test_the_same_run_is_known_by_its_digest(rankscope, shop, tmp_path):
    copy = tmp_path / f"copy{ENDING}"
    copy.write_bytes(shop[0].read_bytes())
    for file, same in ((copy, True), (BM25, False)):
        code, out, _ = rankscope("compare", QRELS, shop[0], file, "--format", "markdown")
        assert code == 0
        assert ("are the same run" in out) is same


def test_a_judged_file_comes_through_a_pipe(rankscope, shop, monkeypatch):
    expected = rankscope("score", QRELS, shop[0], "--format", "csv")[1]
    stream = TextIOWrapper(BytesIO(shop[0].read_bytes()))
    monkeypatch.setattr(sys, "stdin", stream)
    found = rankscope("score", QRELS, "-", "--format", "csv")[1]
    assert found.replace("stdin", "bm25") == expected


def test_a_judged_file_comes_through_a_named_pipe(rankscope, shop, tmp_path):
    expected = rankscope("score", QRELS, shop[0], "--format", "csv")
    pipe = tmp_path / f"pipe{ENDING}"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(shop[0].read_bytes()))
    writer.start()
    code, out, err = rankscope("score", QRELS, pipe, "--format", "csv")
    writer.join()
    assert (code, out.replace("pipe", "bm25"), err.replace("pipe", "bm25")) == expected


def test_a_damaged_file_is_reported_with_its_code(rankscope, shop):
    shop[0].write_bytes(shop[0].read_bytes()[:-100] + bytes(96) + b"PAR1")
    code, out, err = rankscope("score", QRELS, shop[0])
    assert (code, out) == (4, "")
    assert "[E-" in err


def test_the_whole_run_and_its_file_have_the_same_hits(shop):
    judged = read_judged(shop[0]).judged
    run = read_run(BM25)
    assert set(judged.queries) <= set(run.queries)
    assert int(judged.retrieved.sum()) == len(run.only(*judged.queries))
