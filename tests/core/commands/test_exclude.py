"""--exclude: what every command prints is what it prints where the lines are in no file."""

import json
from pathlib import Path

from tests.cases import cases

QRELS = "a 0 x 2\na 0 v 1\na 0 w 1\nb 0 x 1\nb 0 z 1\n"
RUN = "a Q0 y 0 9 t\na Q0 x 0 8 t\na Q0 u 0 7 t\na Q0 v 0 6 t\nb Q0 x 0 5 t\nb Q0 z 0 3 t\n"
OTHER = "a Q0 v 0 9 t\na Q0 y 0 8 t\na Q0 q 0 7 t\nb Q0 z 0 5 t\nb Q0 x 0 3 t\n"
OUT = "query,document\na,x\na,y\nb,z\nnone,x\n"
LEFT = (" x ", " y "), (" z ",)


def left(text):
    """Return the lines that are not excluded."""
    of = dict(zip("ab", LEFT, strict=True))
    return "".join(
        f"{each}\n" for each in text.splitlines() if not any(d in each for d in of[each[0]])
    )


def printed(rankscope, argv, *more):
    code, out, err = rankscope(*argv, *more)
    assert code == 0, err
    # The digests of the inputs tell the two apart, as they should.
    shown = json.loads(out)
    shown.pop("inputs", None)
    return shown, err


COMMANDS = {
    "score": ["score", "q", "r", "s", "-q", "-m", "nDCG@10", "R@1", "RR"],
    "score with other ids": ["score", "q", "r", "--fix-ids", "-m", "nDCG@10"],
    "explain": ["explain", "q", "r", "-Q", "a", "-m", "nDCG@10"],
    "compare": ["compare", "q", "r", "s", "-m", "nDCG@10", "AP"],
    "one query": ["compare", "q", "r", "s", "-Q", "a", "-m", "RR"],
    "three": ["compare", "q", "r", "s", "third", "-m", "RR"],
    "audit": ["audit", "q", "r", "s", "-q"],
}


@cases("command", COMMANDS)
def test_each_command_prints_what_it_does_without_the_lines(command, rankscope, write_files):
    argv = [*COMMANDS[command], "--format", "json"]
    files = {"q": QRELS, "r": RUN, "s": OTHER, "third": RUN.replace(" 9 ", " 1 ")}
    write_files(**files, out=OUT)
    found, err = printed(rankscope, argv, "--exclude", "out")
    if command != "audit":
        assert "q: Left out of the rankings: 4 documents of 3 queries." in err
        assert "3 excluded documents were left out; lower ranks moved up." in err
        assert "2 excluded documents are judged relevant and cannot be found" in err
    write_files(**{name: left(text) for name, text in files.items()})
    expected, _ = printed(rankscope, argv)
    assert found == expected


def test_the_audit_counts_them(rankscope, write_files):
    write_files(q=QRELS, r=RUN, out='{"a": ["x", "y"], "b": ["z"]}')
    _, out, _ = rankscope("audit", "q", "r", "--exclude", "out")
    assert "qrels  Left out of the rankings: 3 documents of 2 queries." in out
    assert "r      3 excluded documents were left out; lower ranks moved up." in out
    assert "2 excluded documents are judged relevant and cannot be found, for example" in out


def test_judged_rankings_keep_them_and_ask_for_the_same(rankscope, write_files):
    write_files(q=QRELS, r=RUN, out=OUT)
    scored = ["score", "q", "-m", "nDCG@10", "--format", "json", "--exclude", "out"]
    rankscope("match", "q", "r", "--exclude", "out", "-o", "r.judged.parquet")
    by_file, by_run = (rankscope(*scored, name)[1] for name in ("r.judged.parquet", "r"))
    assert json.loads(by_file) == json.loads(by_run)
    code, _, err = rankscope("score", "q", "r.judged.parquet", "-m", "nDCG@10")
    assert code == 4
    assert "4 documents excluded by the rankings or the qrels only" in err


def test_a_file_that_cannot_be_read_is_refused_with_its_line(rankscope, write_files):
    write_files(q=QRELS, r=RUN, out="query,document\na,x\na,\n")
    code, _, err = rankscope("score", "q", "r", "--exclude", "out")
    assert code == 4
    assert "out, line 3, column 2: found an empty document" in err


def test_the_exclusions_are_an_input(rankscope, write_files):
    write_files(q=QRELS, r=RUN, out=OUT)
    code, _, err = rankscope("compare", "q", "r", "r", "--exclude", "out", "--report", "out")
    assert (code, Path("out").read_text()) == (2, OUT)
    assert "out would be written over out" in err
    assert rankscope("score", "-", "r", "--exclude", "-")[0] == 2
