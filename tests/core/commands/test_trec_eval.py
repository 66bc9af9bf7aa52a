"""``rankscope trec_eval`` prints what trec_eval 10 prints, with its options in any order."""

import gzip
import json
import math
import random
import re
from functools import cache
from pathlib import Path

import pytest

from metrics.commands.trec_eval import DEPARTURES
from tests.cases import cases

OF_ITS_OWN = {
    "rbp_p=0.8": lambda words: True,
    "rbp_resid": lambda words: True,
    "num_rel": lambda words: COMPLETE.intersection(words) and LEVEL.intersection(words),
    "utility_2,-1,0,0": lambda words: "fewer" in words,
    "relstring_20": lambda words: "fewer" in words,
}
"""The lines of `DEPARTURES` in the recorded commands, and the words with which they depart."""
COMPLETE = {"-c", "--complete_rel_info_wanted"}
LEVEL = {"-l2", "-l", "--level_for_rel"}


@cache
def recorded():
    with gzip.open(Path(__file__).parents[2] / "data" / "trec_eval_10_lines.json.gz") as file:
        return json.load(file)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trec")
    for name, text in recorded()["files"].items():
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture
def here(folder, monkeypatch):
    monkeypatch.chdir(folder)


def lines(printed, words):
    """The lines, but for those that trec_eval prints in a way of its own."""
    odd = {name for name, is_odd in OF_ITS_OWN.items() if is_odd(words)}
    return [line for line in printed.splitlines() if line.split()[0] not in odd]


def test_the_help_names_every_line_that_departs(rankscope, capsys):
    roots = {re.split("_(?=[0-9p])", name)[0] for name in OF_ITS_OWN}
    assert roots == set(", ".join(DEPARTURES).split(", "))
    with pytest.raises(SystemExit):
        rankscope("trec_eval", "--help")
    printed = capsys.readouterr().out
    for name, says in DEPARTURES.items():
        assert f"{name}: {says}" in printed


def added_in_the_order_of_ids(values):
    total = 0.0
    for _, value in sorted(values.items()):
        total += value
    return total / len(values)


def test_means_are_added_as_the_program_adds_them(tmp_path, rankscope):
    """The fourth digit of a mean of tenths depends on the order in which they are added."""
    odd = 0
    for seed in range(40):
        draw = random.Random(seed)
        found = {f"q{query}": draw.randrange(11) for query in range(80)}
        qrels = "".join(f"{query} 0 d{rank} 1\n" for query, n in found.items() for rank in range(n))
        qrels += "".join(f"{query} 0 other 1\n" for query in found)
        run = [f"{query} Q0 d{rank} 1 {20 - rank} t\n" for query in found for rank in range(10)]
        draw.shuffle(run)
        (tmp_path / "q").write_text(qrels)
        (tmp_path / "r").write_text("".join(run))
        _, out, _ = rankscope("trec_eval", "-m", "P.10", str(tmp_path / "q"), str(tmp_path / "r"))
        tenths = {query: n / 10 for query, n in found.items()}
        expected = f"{added_in_the_order_of_ids(tenths):6.4f}"
        odd += expected != f"{math.fsum(tenths.values()) / 80:6.4f}"
        assert out.split() == ["P_10", "all", expected], seed
    # Otherwise the order would not matter here.
    assert odd > 3


@cases("version", ["trec_eval", "trec_eval 9"])
def test_only_version_10_prints_the_queries_that_the_run_lacks(version, tmp_path, rankscope):
    (tmp_path / "q").write_text("1 0 a 1\n2 0 a 1\n")
    (tmp_path / "r").write_text("1 Q0 a 1 1 t\n")
    words = [
        "--convention",
        version,
        "-q",
        "-c",
        "-m",
        "map",
        str(tmp_path / "q"),
        str(tmp_path / "r"),
    ]
    _, out, _ = rankscope("trec_eval", *words)
    lacking = [("2", "0.0000")] if version == "trec_eval" else []
    shown = [tuple(line.split()[1:]) for line in out.splitlines()]
    assert shown == [("1", "1.0000"), *lacking, ("all", "0.5000")]


def test_the_commands_are_whole():
    commands = recorded()["commands"]
    assert len(commands) == 300
    assert len({tuple(each["words"]) for each in commands}) > 270
    assert sum(len(each["printed"].splitlines()) for each in commands) > 8_000


@pytest.mark.parametrize("part", range(6))
def test_every_line_is_the_same(part, here, rankscope):
    for each in recorded()["commands"][part::6]:
        code, out, _ = rankscope("trec_eval", *each["words"])
        assert code == 0, each["words"]
        assert lines(out, each["words"]) == lines(each["printed"], each["words"]), each["words"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-m", "prefs"], "prefs is not offered: it compares preferences."),
        (["-m", "prefs_simp"], "prefs_simp is not offered"),
        (["-m", "map_avgjg"], "several judges"),
        (["-m", "yaap"], "yaap is not offered"),
        (["-m", "utility.1,-1,0,2"], "The last, of documents neither retrieved nor relevant"),
        (["-m", "map.10"], "map takes no parameter; write map."),
        (["-m", "P.five"], "P: 'five' is not a number"),
        (["-m", "P.0"], "the cutoff k must be a whole number, 1 or more"),
        (["-m", "rbp.p=0.8,min=1"], "of its parameters only p is offered"),
        (["-m", "rbp.0.8"], "of its parameters only p is offered"),
        (["-m", "ndcg.10"], "'' is not a number"),
        (["-m", "nddcg"], "There is no measure 'nddcg'. Did you mean"),
        (["-Z", "scores"], "-Z is not offered"),
    ],
)
def test_what_is_not_offered_is_named(words, said, here, rankscope):
    code, out, err = rankscope("trec_eval", *words, "qrels", "run")
    assert (code, out) == (2, "")
    assert said in err


@pytest.mark.parametrize("words", [["-R", "prefs"], ["-T", "x"], ["-D", "1"], ["-l", "0"]])
def test_other_values_of_options_are_refused(words, here, rankscope):
    with pytest.raises(SystemExit) as ended:
        rankscope("trec_eval", *words, "qrels", "run")
    assert ended.value.code == 2


def test_a_measure_named_twice_is_printed_for_both(here, rankscope):
    _, out, _ = rankscope("trec_eval", "-m", "P.5", "-m", "P.10,5", "qrels", "run")
    assert [line.split()[0] for line in out.splitlines()] == ["P_5", "P_10"]


def test_our_names_come_last_under_their_own_names(here, rankscope):
    _, out, _ = rankscope("trec_eval", "-m", "ERR@5", "-m", "ndcg_cut_10", "qrels", "run")
    assert [line.split()[0] for line in out.splitlines()] == ["ndcg_cut_10", "ERR@5"]


def test_version_9_reads_scores_of_32_bits(tmp_path, rankscope):
    qrels, run = tmp_path / "q", tmp_path / "r"
    qrels.write_text("1 0 a 1\n")
    run.write_text("1 Q0 a 1 1.00000001 t\n1 Q0 b 2 1 t\n")
    printed = [
        rankscope("trec_eval", "-m", "recip_rank", *more, qrels, run)[1].split()[-1]
        for more in ([], ["--convention", "trec_eval 9"])
    ]
    assert printed == ["1.0000", "0.5000"]


def test_a_family_has_all_its_cutoffs_in_every_format(here, rankscope):
    _, out, _ = rankscope("score", "-m", "ndcg_cut", "-m", "P", "--format", "json", "qrels", "run")
    (row,) = json.loads(out)["rows"]
    # P is a name of ours: the precision of all that was retrieved.
    assert [name for name in row if "nDCG" in name or name.startswith("P")] == [
        *(f"nDCG@{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)),
        "P",
    ]
    _, out, _ = rankscope("score", "-m", "P", "--format", "trec", "qrels", "run")
    assert len(out.splitlines()) == 9


def test_the_sets_of_version_9_lack_the_measures_of_version_10(rankscope, write_files):
    write_files(q="q1 0 a 1\n", r="q1 Q0 a 1 1 t\n")
    found = {}
    for version in ("trec_eval", "trec_eval 9"):
        command = ("trec_eval", "--convention", version, "-m", "all_trec", "q", "r")
        found[version] = [line.split()[0] for line in rankscope(*command)[1].splitlines()]
        others = ("score", "q", "r", "--format", "trec", "-m", "all_trec", "--convention", version)
        assert [line.split()[0] for line in rankscope(*others)[1].splitlines()] == found[version]
    new = set(found["trec_eval"]) - set(found["trec_eval 9"])
    assert new == {"rbp", "rbp_resid", "unj_5", "unj_10", "unj_20"}
    assert [name for name in found["trec_eval"] if name not in new] == found["trec_eval 9"]
    # A measure that is asked for by its own name is printed under every version.
    _, out, _ = rankscope("trec_eval", "--convention", "trec_eval 9", "-m", "rbp", "q", "r")
    assert out.split()[0] == "rbp"
