"""Notes: decisions depend on their code or kind, never on their words."""

import io
import json

import pyarrow.parquet as pq
import pytest
from pyarrow import csv

from metrics import (
    Convention,
    Dataset,
    Qrels,
    ReadError,
    Run,
    evaluate,
    read_judges,
    read_qrels,
    read_run,
)
from metrics.auditing import audit
from metrics.auditing.id_mismatch import for_documents
from metrics.auditing.intake import Given, add_files
from metrics.data import Severity
from metrics.reading.problems import LEVEL, ONLY_RELEVANT
from tests.cases import cases

COUNTED = "Notes on ranks refer to the ids before this change."


@cases(
    ("data", "kind"),
    [
        (b"query,document,score\nq,a,1\nq,b,1", Severity.REMARK),
        (b"query,document,score,rank\nq,a,1,1\nq,b,1,2", Severity.WARNING),
        (b"q Q0 a 1 1 t\nq Q0 b 2 1 t", Severity.WARNING),
    ],
)
def test_equal_scores_are_a_warning_only_beside_ranks(data, kind):
    run = read_run(data)
    (level,) = [note for note in run.notes if note.code == LEVEL]
    assert level.kind is kind
    found = audit.findings(Dataset("", Qrels.from_dict({"q": {"a": 1, "b": 0}}), (run,)))
    (finding,) = [each for each in found if each.text == level.text]
    assert finding.warns == (kind is Severity.WARNING)


def test_a_remark_is_a_finding_and_no_rule():
    run, qrels = read_run(b"q Q0 a 1 3 t\nq Q0 b 2 1 t\nq Q0 c 3 2 t", "r"), Qrels.from_dict({})
    (order,) = [note for note in run.notes if note.code == "N-RANK-ORDER"]
    assert not order.warns
    assert audit.assumed(qrels, run) == []


@pytest.mark.parametrize(
    ("data", "is_said"),
    [
        (b"query,document,score,rank\nq,doc-1,1,1\nq,doc-2,2,2\nr,doc-1,1,1", True),
        # A column whose name contains the word is not a rank column.
        (b"query,document,score,frank\nq,doc-1,1,1\nq,doc-2,2,2\nr,doc-1,1,1", False),
    ],
)
def test_changed_ids_refer_to_notes_about_ranks_by_their_code(data, is_said):
    run, qrels = read_run(data, "r.csv"), Qrels.from_dict({"q": {"1": 1, "2": 0}})
    changed = for_documents(run, qrels).apply(run, qrels)
    assert changed.notes[-1].code == "N-IDS-CHANGED"
    assert (COUNTED in changed.notes[-1].text) == is_said


def test_a_list_of_relevant_ids_needs_no_note_that_only_these_are_judged():
    listed, graded = (
        read_qrels(json.dumps({"q": value}).encode()) for value in (["a", "b"], {"a": 1, "b": 1})
    )
    assert [ONLY_RELEVANT in {note.code for note in each.notes} for each in (listed, graded)] == [
        False,
        True,
    ]


def test_queries_without_names_are_refused_beside_other_judgments_by_the_notes_code():
    ranked = json.dumps([{"doc_id": "N-UNNAMED", "relevant": True}]).encode()
    refused = add_files([Given("a.json", ranked, "run"), Given("b.txt", b"x 0 d 1", "qrels")])
    assert "queries without names" in str(refused.problems[0])


@cases(
    ("grades", "level", "words"),
    [
        ([0.9, 0.7, 0], 0.5, "No grade reaches 1, so P, AP and RR are 0 (the highest is 0.9)"),
        ([0.9, 0.7], 0.5, "such as P, AP and RR, need a lower level"),
        ([-1, 0.9], 0.5, "the highest is 0.9"),
        # A level that no grade reaches would change nothing.
        ([0.3, 0.1, 0], 0.3, "need a lower level; level=0.3 is usual."),
        ([1, 0.25, 0.75, 0], 0.5, "2 of 3 grades above 0 do not count: by default"),
        ([2, 0.5, 0], None, ""),
        ([1, 0.5, -1], None, ""),
        ([1, 0], None, ""),
        ([0, 0], None, ""),
    ],
)
def test_grades_below_the_level_of_relevance_are_reported_with_the_level_they_need(
    grades, level, words
):
    rows = "".join(f"q,d{place},{grade}\n" for place, grade in enumerate(grades))
    qrels = read_qrels(f"query,docid,rating\n{rows}".encode(), "q.csv")
    run = Run.from_dict({"q": {"d0": 1}})
    found = [each for each in audit.findings(Dataset("", qrels, (run,))) if each.level]
    assert [each.level for each in found] == ([level] if level else [])
    assert [each.text for each in found] == [
        n.text for n in qrels.notes if n.code == "N-LOW-GRADES"
    ]
    assert all(words in each.text and each.warns for each in found)
    of_nothing = [each for each in qrels.notes if str(each).startswith("Only relevant")]
    assert not (of_nothing and max(grades) < 1)
    if level:
        assert evaluate(qrels, run, "RR").value("RR") == (grades[0] >= 1)
        under = evaluate(qrels, run, "Success", Convention(level=level)).value("Success")
        assert under == (grades[0] >= level)


UNSEEN = "\ufe0e\ufe0f\U000e0100\u180b\u034f\u17b4\u17b5\u200b\u200d\u2060\u00ad\ufeff"


@cases("mark", UNSEEN, ids=lambda mark: f"U+{ord(mark):04X}")
def test_ids_that_differ_by_a_mark_that_is_not_drawn_are_noticed(mark):
    trec = f"q1 Q0 da 1 2 t\nq1 Q0 d{mark}a 2 1 t\nq{mark}1 Q0 da 1 2 t\nq2 Q0 da 1 2 t\n"
    tables = "query,document,score\n" + "".join(
        ",".join((row.split()[0], row.split()[2], row.split()[4])) + "\n"
        for row in trec.splitlines()
    )
    stream = io.BytesIO()
    pq.write_table(csv.read_csv(io.BytesIO(tables.encode())), stream)
    for data in (trec.encode(), tables.encode(), stream.getvalue()):
        run = read_run(data)
        assert len(run) == 4
        assert {"N-LOOK-ALIKE", "N-HIDDEN-ID"} <= {note.code for note in run.notes}
    # The change that makes them match is offered.
    assert for_documents(
        Run.from_dict({"q": {f"d{mark}a": 1.0}}), Qrels.from_dict({"q": {"da": 1}})
    )


@cases("name", ["\u0430nn", "ann\u200b", "a\ufe0fnn"])
def test_judges_whose_names_look_alike_are_noticed(name):
    by_rows = f"judge,query,document,grade\nann,q1,d1,2\n{name},q1,d1,1\n"
    by_columns = f"query,document,grade ann,grade {name}\nq1,d1,2,1\n"
    for table in (by_rows, by_columns):
        judges = read_judges(table.encode())
        assert len(judges) == 2
        for judge in judges.values():
            assert "N-LOOK-ALIKE" in {note.code for note in judge.notes}


@cases("title", ["Export of 2024", "Results of run 7", "Run 7 of 2024", "a b c d e f", "1 2 3"])
@cases("mark", ",;\t")
def test_a_title_above_column_names_is_no_row_of_another_role(mark, title):
    text = f"{title}\n{mark.join(('qid', 'docid', 'score'))}\n{mark.join(('q1', 'd1', '3'))}\n"
    for read in (read_run, read_qrels):
        try:
            found = read(text.encode())
        except ReadError as error:
            (problem,) = error.problems
            assert (problem.code, problem.line) == ("E-HEADER", 1)
            assert "Remove the lines above line 2" in problem.fix
        else:
            assert "N-REMARKS" in {note.code for note in found.notes}


@cases("rows", [1, 2, 5])
def test_a_run_without_a_judged_document_is_a_warning_however_short_it_is(rows):
    run = Run.from_dict({"q": {f"x{row}": float(row) for row in range(rows)}}, "r")
    found = audit.findings(Dataset("", Qrels.from_dict({"q": {"zeta": 1, "beta": 0}}), (run,)))
    (finding,) = [each for each in found if "0 %" in each.text]
    assert finding.warns
