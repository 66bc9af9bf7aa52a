"""Notes on what does not match or is not judged, and ids that --fix-ids changes."""

import json

import pytest

QRELS = "q1 0 a 2\nq1 0 b 0\nq2 0 a 1\nq2 0 b 0\n"
GOOD = "q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\nq2 Q0 b 1 2 t\nq2 Q0 a 2 1 t\n"
OTHER_IDS = {
    "a prefix": GOOD.replace("q1", "1").replace("q2", "2"),
    "a file name's ending": GOOD.replace("a ", "a.txt ").replace("b ", "b.txt "),
    "queries and documents swapped": "a Q0 q1 1 2 t\nb Q0 q1 1 1 t\nb Q0 q2 2 2 t\na Q0 q2 2 1 t\n",
}
COMMANDS = {
    "score": ["score", "qrels", "other"],
    "trec": ["score", "qrels", "other", "--format", "trec"],
    "compare": ["compare", "qrels", "other", "good"],
}


@pytest.mark.parametrize("reason", OTHER_IDS)
@pytest.mark.parametrize("argv", COMMANDS.values(), ids=COMMANDS)
def test_a_run_without_a_match_has_no_score_until_its_ids_are_fixed(
    rankscope, write_files, argv, reason
):
    write_files(qrels=QRELS, good=GOOD, other=OTHER_IDS[reason])
    code, out, err = rankscope(*argv)
    assert (code, out) == (3, "")
    assert reason in err
    assert err.endswith("Use --fix-ids to make this change.\n")
    code, out, err = rankscope(*argv, "--fix-ids")
    assert code == 0
    assert "rankscope: other: Changed on request: " in err
    assert reason in err
    assert out


def test_fixed_ids_give_the_scores_of_the_right_ids(rankscope, write_files):
    right, *others = [GOOD, *OTHER_IDS.values()]
    found = []
    for run in (right, *others):
        write_files(qrels=QRELS, run=run)
        out = rankscope("score", "qrels", "run", "--fix-ids", "-q", "--format", "json")[1]
        found.append(json.loads(out))
    assert all(each == found[0] for each in found)


def test_uncertain_ids_are_left_as_they_are(rankscope, write_files):
    write_files(qrels="topic-1 0 a 1\n", run="q-1 Q0 a 1 1 t\n")
    code, out, err = rankscope("score", "qrels", "run", "--fix-ids")
    assert (code, out) == (3, "")
    assert "may differ by a prefix" in err
    assert err.endswith("Make the ids the same in both files, character for character.\n")


def test_compare_names_the_reason_where_some_documents_do_not_match(rankscope, write_files):
    write_files(qrels=QRELS + "q2 0 c 1\n", run=GOOD + "q2 Q0 C 3 0 t\n", good=GOOD)
    argv = ["compare", "qrels", "run", "good"]
    assert rankscope(*argv)[2] == (
        "rankscope: run: 20 % of the top 3 documents were not judged. From 5 % on, their grades "
        "could turn a close comparison: judge them, or trust only a clear lead. The "
        "document ids differ by upper and lower case: 'C' would be 'c', and "
        "1 of 1 id would match. Use --fix-ids to make this change.\n"
    )
    assert "not judged" not in rankscope(*argv, "--fix-ids")[2]


def test_notes_name_unmatched_ids_unjudged_documents_and_ties(rankscope, write_files):
    tied = "".join(f"q1 Q0 x{i} 1 1 t\n" for i in range(8)) + "q1 Q0 a 1 1 t\nq1 Q0 b 1 1 t\n"
    write_files(qrels=QRELS, run=tied + "query-2 Q0 a 1 1 t\n")
    for argv in (["score", "qrels", "run"], ["compare", "qrels", "run", "run2"]):
        write_files(run2=GOOD)
        code, _, err = rankscope(*argv, "-m", "P@5")
        assert code == 0
        notes = [line for line in err.splitlines() if line.startswith("rankscope: run: ")]
        assert [note.removeprefix("rankscope: run: ") for note in notes[-3:]] == [
            "queries that nobody judged are left out: 1 ('query-2'). The query ids may differ by a "
            "prefix: 'query-2' would be 'q2', and 1 of 1 id would match.",
            "100 % of the top 5 documents were not judged. From 5 % on, their grades could turn "
            "a close comparison: judge them, or trust only a clear lead."
            f"{' rankscope audit checks whether ids differ.' * (argv[0] == 'score')}",
            "in 1 query a judged document ties across rank 5: the tie rule decides.",
        ]
        assert rankscope(*argv, "-m", "P@5", "--quiet")[2] == ""
