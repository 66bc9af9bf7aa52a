"""`rankscope check`: its exit codes, its files, and a baseline that it never changes."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from metrics import Convention, Qrels, Run, match
from metrics.matching.judged_file import save
from metrics.writing.reproduce import as_input
from tests.browser.hostile_ids import ids
from tests.situations import bad, good, judged, ranked

ROOT = Path(__file__).parents[3]
N = 60
QRELS = judged(N)
FAULTY = "q017"


def one_fault(query):
    """The good run, but for one query whose best document falls from rank 1 to 19."""
    ranking = good(query)
    return [*ranking[1:], "n15", "n16", "n17", "n18", "n19", "r0"] if query == 17 else ranking


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Judged files of a baseline and several new runs, in the working directory."""
    monkeypatch.chdir(tmp_path)
    runs = {"base": good, "same": good, "worse": bad, "faulty": one_fault}
    for name, order in runs.items():
        save(
            match(QRELS, ranked(name, N, order)), f"{name}.judged.parquet", name=name, commit="abc"
        )
    fewer = ranked("fewer", N - 1, good)
    save(match(QRELS, fewer), "fewer.judged.parquet")
    save(match(QRELS, ranked("", N, good), Convention(ties="input")), "ties.judged.parquet")
    Path("must_hold.txt").write_text(f"# the front page\n{FAULTY}\nq001  # the second\n", "utf-8")
    Path("unknown.txt").write_text("q999\n", "utf-8")
    Path("empty.txt").write_text("# nothing yet\n\n", "utf-8")
    Path("latin.txt").write_bytes(b"caf\xe9\n")
    Path("run.txt").write_text("q000 Q0 r0 1 1 t\n", "utf-8")
    Path("short.judged.parquet").write_bytes(Path("base.judged.parquet").read_bytes()[:-100])
    return tmp_path


def check(rankscope, new, *more):
    return rankscope("check", "base.judged.parquet", f"{new}.judged.parquet", *more)


@pytest.mark.parametrize(
    ("new", "more", "code", "says"),
    [
        ("same", (), 0, "No regression: nDCG@10 holds."),
        ("worse", (), 1, "Regression: nDCG@10 drops by 0.2"),
        ("worse", ("--max-drop", "0.5"), 0, "A drop of up to 0.5 is allowed."),
        ("faulty", (), 0, "No regression: nDCG@10 holds."),
        ("faulty", ("--max-drop", "0.001"), 0, "may be chance"),
        ("faulty", ("--max-drop", "0.001", "--alpha", "1"), 1, "(not tested)"),
        ("faulty", ("--must-hold", "must_hold.txt"), 1, f"{FAULTY}, a query that must hold, drops"),
        ("worse", ("-m", "AP", "RR"), 1, "Regression: AP drops by 0.2494 and RR drops by 0.7750."),
        ("fewer", (), 3, "only the baseline evaluates 1 query (q059)"),
        ("ties", (), 3, "ties: by document id, descending in the baseline, in input order in"),
    ],
)
def test_the_exit_code_is_the_answer(rankscope, files, new, more, code, says):
    found, out, err = check(rankscope, new, *more)
    assert (found, err) == (code, "")
    assert says in out


@pytest.mark.parametrize(
    ("new", "more", "code", "message"),
    [
        ("base", (), 2, "are the same file, so the check would always hold"),
        ("same", ("-m", "nDGC"), 2, "Did you mean nDCG?"),
        ("same", ("-m", "Unjudged@10"), 2, "rises where a run gets worse"),
        ("same", ("--alpha", "0"), 2, "alpha must be above 0"),
        ("same", ("--alpha", "0.0001"), 2, "no drop could fail at alpha 0.0001"),
        ("none", (), 4, "none.judged.parquet: No such file or directory."),
        ("short", (), 4, "short.judged.parquet: found a Parquet file without its end"),
        ("same", ("--must-hold", "no.txt"), 4, "no.txt: found No such file or directory;"),
        ("same", ("--must-hold", "empty.txt"), 4, "empty.txt: found no query id; expected a query"),
        ("same", ("--must-hold", "latin.txt"), 4, "latin.txt, line 1: found the byte 0xe9"),
        ("same", ("--must-hold", "unknown.txt"), 4, "1 query that must hold is not among the"),
        ("same", ("--summary", "no/summary.md"), 4, "no/summary.md: No such file or directory."),
    ],
)
def test_an_error_is_no_regression(rankscope, files, new, more, code, message):
    found, out, err = check(rankscope, new, *more)
    assert (found, out) == (code, "")
    assert message in err


def test_a_run_is_no_judged_file(rankscope, files):
    code, _, err = rankscope("check", "base.judged.parquet", "run.txt")
    assert code == 4
    assert "rankscope match" in err


def held(folder):
    """Every file of a folder: its bytes, and what shows that it was written or moved."""
    return {
        path.name: (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino)
        for path in folder.iterdir()
    }


@pytest.mark.parametrize("new", ["same", "worse", "fewer"])
def test_the_baseline_never_changes(rankscope, files, new):
    before = held(files)
    outputs = ("--summary", "out.md", "--junit", "out.xml")
    check(rankscope, new, "--must-hold", "must_hold.txt", *outputs)
    after = held(files)
    assert after.keys() - before.keys() == {"out.md", "out.xml"}
    assert {name: after[name] for name in before} == before


@pytest.mark.parametrize("option", ["--summary", "--junit"])
@pytest.mark.parametrize("lost", ["base.judged.parquet", "same.judged.parquet", "must_hold.txt"])
def test_no_output_is_written_over_an_input(rankscope, files, option, lost):
    (files / "folder").mkdir()
    Path("symlink").symlink_to(lost)
    os.link(lost, "link")
    before = held_files(files)
    for name in (lost, f"./folder/../{lost}", files / lost, "symlink", "link"):
        code, out, err = check(rankscope, "same", "--must-hold", "must_hold.txt", option, name)
        assert (code, out) == (2, "")
        assert f"would be written over {lost}" in err
    assert held_files(files) == before


def held_files(folder):
    return {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_two_outputs_need_two_files(rankscope, files):
    code, _, err = check(rankscope, "same", "--summary", "out", "--junit", "./out")
    assert (code, Path("out").exists()) == (2, False)
    assert "./out would be written over out" in err


def test_the_summary_names_the_query_the_document_and_its_two_lines(rankscope, files):
    code, out, _ = check(
        rankscope,
        "faulty",
        *("--must-hold", "must_hold.txt", "--summary", "out.md", "--qrels", "my qrels.txt"),
    )
    assert code == 1
    summary = Path("out.md").read_text("utf-8")
    lines = summary.splitlines()
    assert lines[0] == f"**Regression: {FAULTY}, a query that must hold, drops.**"
    assert "convention: trec\\_eval" in summary
    assert "baseline: base.judged.parquet (base, commit abc, " in summary
    queries = [line for line in lines if line.startswith("**Query ")]
    assert queries[0].startswith(f"**Query {FAULTY}: nDCG@10 0.")
    of_fault = lines[lines.index(queries[0]) :]
    rows = [line.split("|") for line in of_fault if line.startswith("| r0 ")]
    assert [[cell.strip() for cell in row[1:5]] for row in rows] == [
        ["r0", "baseline", "1", "1"],
        ["r0", "new run", "19", "1"],
    ]
    (header,) = [line for line in of_fault if line.startswith("| document ")]
    assert [cell.strip() for cell in header.split("|")[5:-1]] == [
        *("gain", "log₂(r+1)", "1/log₂(r+1)", "gain × discount", "IDCG", "contribution")
    ]
    assert "Document r0 (grade 1) costs 0.3392: from rank 1 to rank 19" in of_fault[2]
    asked = f"base.judged.parquet faulty.judged.parquet -m nDCG@10 --query={FAULTY}"
    assert f"rankscope compare 'my qrels.txt' {asked}" in of_fault
    assert f"rankscope compare 'my qrels.txt' {asked}" in out


def test_the_printed_commands_show_the_query(rankscope, files):
    Path("my qrels.json").write_bytes(as_input(QRELS))
    _, out, _ = check(rankscope, "worse", "-m", "RR", "--qrels", "my qrels.json")
    commands = re.findall(r"(?m)^    rankscope (.*)$", out)
    assert [command.split()[0] for command in commands] == ["compare", "explain"] * 5
    scores = re.search(r"Query (q\d+): RR ([\d.]+) → ([\d.]+)", out)
    compared = rankscope(*shlex.split(commands[0]))
    assert (compared[0], compared[1].split("RR ")[-1].split()[4:6]) == (0, [scores[2], scores[3]])
    explained = rankscope(*shlex.split(commands[1]))
    assert explained[0] == 0
    assert f"query: {scores[1]}, run: worse, score: {scores[3]}" in explained[1]


def test_a_query_of_a_measure_that_holds_gets_a_sentence(rankscope, files):
    _, out, _ = check(rankscope, "worse", "--max-drop", "0.5")
    assert out.count("\nQuery ") == 5
    assert out.count("rankscope compare ") == 1


def cases(path):
    """The cases of a JUnit file by class and name, each with the kinds of its parts."""
    suite = ElementTree.parse(path).getroot()
    found = {
        (case.get("classname").rpartition(".")[2], case.get("name")): [part.tag for part in case]
        for case in suite.iter("testcase")
    }
    for count, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
        assert int(suite.get(count)) == len(list(suite.iter(tag)))
    return found


def test_junit_has_a_case_for_each_measure_and_each_query(rankscope, files):
    more = ("-m", "nDCG@10", "P@10", "--must-hold", "must_hold.txt", "--junit", "out.xml")
    assert check(rankscope, "faulty", *more)[0] == 1
    assert cases("out.xml") == {
        ("measure", "nDCG@10"): ["system-out"],
        ("measure", "P@10"): ["system-out"],
        ("must-hold", FAULTY): ["failure"],
        ("must-hold", "q001"): [],
    }
    failure = ElementTree.parse("out.xml").getroot().find(".//failure")
    assert failure.get("message").startswith(f"Query {FAULTY} must hold and drops: nDCG@10 0.")
    assert "Document r0 (grade 1) costs 0.3392" in failure.text
    assert check(rankscope, "worse", *more)[0] == 1
    assert cases("out.xml")["measure", "nDCG@10"] == ["failure"]
    assert check(rankscope, "fewer", *more)[0] == 3
    assert list(cases("out.xml").values()) == [["error"]] * 4


def test_hostile_ids_stay_texts(rankscope, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    hostile = [*ids("http://canary"), "a\x00b\x08\x0b\ufffe\uffff", "a|b\nc\r\nd"]
    qrels = Qrels.from_dict({query: {f"{query}!": 2} for query in hostile})
    better = Run.from_dict({query: {f"{query}!": 2.0, "z": 1.0} for query in hostile})
    worse = Run.from_dict({query: {f"{query}!": 1.0, "z": 2.0} for query in hostile})
    for name, run in (("base", better), ("worse", worse)):
        save(match(qrels, run), f"{name}.judged.parquet", name=hostile[6], tags=hostile[-2:])
    listed = [query for query in hostile if not re.search(r"[\r\n\x00]|(^|\s)#|^\s|\s$", query)]
    Path("must_hold.txt").write_text("\n".join(listed), "utf-8")
    outputs = ("--summary", "out.md", "--junit", "out.xml", "--must-hold", "must_hold.txt")
    code, out, _ = check(rankscope, "worse", *outputs)
    assert code == 1
    assert len(cases("out.xml")) == 1 + len(listed)
    summary = Path("out.md").read_text("utf-8")
    assert not re.search(r"[^\n -~\u00a0-\ufffd\U00010000-\U0010ffff]", summary + out)
    plain = "".join(re.split(r"(?ms)^(`{3,})sh\n.*?^\1\n", summary)[::2])
    assert not re.search(r"(?<!\\)([`$&]|<(?! ))", plain)
    tables = re.findall(r"(?m)(?:^\|.*\n)+", plain)
    assert len(tables) > 5
    for table in tables:
        widths = {len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}
        assert len(widths) == 1
    commands = re.findall(r"(?m)^    (rankscope compare .*)$", out)
    assert commands
    for command in commands:
        done = subprocess.run(
            ["bash", "-c", f"printf '%s\\n' {command.split(' ', 2)[2]} | tail -c +1"],
            capture_output=True,
            check=True,
        )
        assert any(f"--query={query}\n".encode() in done.stdout for query in hostile)


def test_a_path_that_is_not_utf_8_is_no_crash(rankscope, files):
    name = os.fsdecode(b"caf\xe9.judged.parquet")
    Path("worse.judged.parquet").rename(name)
    code, out, _ = rankscope("check", "base.judged.parquet", name, "--summary", "out.md")
    assert code == 1
    assert r"$'caf\xe9.judged.parquet'" in out


@pytest.mark.skipif(os.name == "nt", reason="pipes end differently on Windows")
def test_the_process_ends_with_the_code_even_if_nobody_reads_the_answer(files):
    command = [sys.executable, "-m", "metrics", "check", "base.judged.parquet"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [*command, "worse.judged.parquet"],
            env=environment,
            stdout=write,
            stderr=subprocess.PIPE,
            check=False,
        )
    finally:
        os.close(write)
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_bug_is_no_regression(rankscope, files, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("metrics.commands.check.checked", broken)
    code, out, err = check(rankscope, "same")
    assert (code, out) == (70, "")
    assert "Traceback" in err
    assert err.endswith("ZeroDivisionError: a bug\n")
