"""Qrels that judge a document for each aspect of its query, in every format that has them."""

import io
import json
from dataclasses import replace

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from metrics import (
    DataError,
    Dataset,
    Qrels,
    ReadError,
    Run,
    evaluate,
    match,
    read_judged,
    read_qrels,
)
from metrics.editing.edits import move, set_grade
from metrics.editing.hand_ranking import HandRanking
from metrics.editing.history import History
from metrics.editing.origin import Origin
from metrics.editing.ranking_link import pack, unpack
from metrics.matching.judged_file import packed_file
from metrics.matching.judgments import differences
from metrics.reading.problems import ASPECTS
from metrics.sessions.session_file import Session, load, save
from metrics.writing.reproduce import as_input, input_name
from tests.cases import cases

GRADES = {
    "q1": {"a": {"1": 1.0, "2": 0.0}, "b": {"1": 0.0, "2": 2.0}},
    "q2": {"a": {"1": 1.0}},
}
ROWS = [(q, s, d, g) for q, of in GRADES.items() for d, each in of.items() for s, g in each.items()]
TREC = "".join(
    f"{query} {aspect} {document} {grade:g}\n" for query, aspect, document, grade in ROWS
)
RUN = Run.from_dict({"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 1.0}}, "run")


def table(name="subtopic"):
    return pd.DataFrame(ROWS, columns=["query", name, "document", "grade"])


def parquet(frame):
    stream = io.BytesIO()
    pq.write_table(pa.Table.from_pandas(frame), stream)
    return stream.getvalue()


FORMS = {
    "ndeval": TREC.encode(),
    "ndeval, other order": "".join(sorted(TREC.splitlines(True), reverse=True)).encode(),
    "CSV": table().to_csv(index=False).encode(),
    "TSV": table("aspect").to_csv(index=False, sep="\t").encode(),
    "records": json.dumps(table("intent").to_dict("records")).encode(),
    "JSON Lines": table("facet").to_json(orient="records", lines=True).encode(),
    "Parquet": parquet(table()),
    "Parquet, numbers": parquet(table("iteration").astype({"iteration": int})),
}


@cases("form", FORMS)
def test_every_format_gives_the_grades_of_each_aspect(form):
    qrels = read_qrels(FORMS[form])
    assert qrels.aspects == GRADES
    assert qrels.to_dict() == {"q1": {"a": 1, "b": 2}, "q2": {"a": 1}}
    assert [note.code for note in qrels.notes].count(ASPECTS) == 1


def frames():
    import polars as pl

    return [table(), pl.DataFrame(table()), pa.Table.from_pandas(table())]


@cases("frame", frames)
def test_frames_of_every_library_have_aspects(frame):
    assert Qrels.from_frame(frame).aspects == GRADES


def test_a_query_with_one_aspect_is_judged_as_a_whole():
    for text in (b"q 1 a 1\nq 1 b 0\np 2 a 1\n", b"query,subtopic,document,grade\nq,7,a,1\n"):
        assert read_qrels(text).aspects == {}
    assert Qrels.from_frame(table().query("query == 'q2'")).aspects == {}


def test_written_qrels_read_back():
    qrels = read_qrels(TREC.encode())
    assert read_qrels(qrels.to_trec().encode()).aspects == GRADES
    assert Qrels.from_frame(qrels.to_frame()).aspects == GRADES
    names = Qrels.from_aspects({"q": {"a": {"price": 1, "brand": 0.25}, "b": {"price": 0}}})
    assert read_qrels(names.to_trec().encode()).aspects == names.aspects
    spaced = Qrels.from_aspects({"q": {"a": {"the price": 1}}})
    with pytest.raises(DataError, match="the price"):
        spaced.to_trec()


@cases(
    ("text", "code", "line"),
    [
        ("q 1 a 1\nq 2 a 1\nq 1 a 0\n", "E-DUP-DOC", 3),
        ("q 1 a 1\nq 2 a x\n", "E-NUMBER", 2),
        ("q 1 a 1\nq 2 a 5000\n", "E-GRADE", 2),
    ],
)
def test_a_bad_row_is_named(text, code, line):
    with pytest.raises(ReadError) as error:
        read_qrels(text.encode())
    assert [(each.code, each.line) for each in error.value.problems] == [(code, line)]


ROUNDS = b"1 1 d1 2\n1 0.5 d2 1\n1 3 d1 0\n1 4.5 d3 1\n"
"""TREC-COVID: the second column is the round, and d1 was judged again."""


def test_rounds_of_judging_are_no_aspects():
    columns = b"query,iteration,document,grade\n" + ROUNDS.replace(b" ", b",")
    for data in (ROUNDS, columns):
        with pytest.raises(ReadError) as error:
            read_qrels(data)
        lines = [(each.code, each.line) for each in error.value.problems]
        assert lines == [("E-DUP-DOC", 3 + (data is columns))]
    with pytest.raises(DataError, match="twice"):
        Qrels.from_frame(pd.read_csv(io.BytesIO(columns), dtype=str).astype({"grade": int}))
    once = read_qrels(ROUNDS.replace(b"3 d1 0", b"3 d4 0"))
    assert once.to_dict() == {"1": {"d1": 2, "d2": 1, "d4": 0, "d3": 1}}
    assert once.aspects == {}


@cases(
    ("data", "warns"),
    [
        # Most documents have one grade, and d1 has two that differ: whole rounds look so.
        (ROUNDS.replace(b"0.5", b"2").replace(b"4.5", b"4"), True),
        (ROUNDS.replace(b"0.5", b"2").replace(b"4.5", b"4").replace(b"d1 0", b"d1 2"), False),
        (TREC.encode(), False),
    ],
)
def test_grades_that_differ_between_a_few_aspects_are_a_warning(data, warns):
    (note,) = [each for each in read_qrels(data).notes if each.code == ASPECTS]
    assert note.warns == warns
    assert ("'d1' of query '1' has 0 and 2: if these are rounds" in note.text) == warns


def test_a_judgment_that_appears_twice_is_left_out_with_a_note():
    qrels = read_qrels(b"q 1 a 1\nq 2 a 0\nq 1 a 1\n")
    assert qrels.aspects == {"q": {"a": {"1": 1.0, "2": 0.0}}}
    assert any(note.code == "N-DUPLICATE" and "line 3" in note.text for note in qrels.notes)


@cases(
    "values",
    [None, {"q": {"a": 1}}, {"q": {"a": {}}}, {"q": {"a": {1: 1}}}, {"q": {"a": {"1": "x"}}}],
)
def test_a_wrong_dict_is_a_data_error(values):
    with pytest.raises(DataError):
        Qrels.from_aspects(values)


def test_a_frame_with_two_grades_for_an_aspect_is_refused():
    frame = pd.DataFrame(
        [("q", "1", "a", 1), ("q", "2", "a", 1), ("q", "1", "a", 0)],
        columns=["qid", "subtopic", "docno", "label"],
    )
    with pytest.raises(DataError, match="aspect '1'"):
        Qrels.from_frame(frame)


def test_qrels_that_differ_in_an_aspect_only_are_other_qrels():
    qrels = Qrels.from_aspects(GRADES)
    other = Qrels.from_aspects(GRADES | {"q2": {"a": {"3": 1}}})
    assert qrels.to_dict() == other.to_dict()
    assert qrels.digest != other.digest
    assert differences(qrels, other).changed == (("q2", "a"),)
    assert not differences(qrels, Qrels.from_aspects(dict(reversed(GRADES.items()))))


def test_judged_files_and_sessions_keep_aspects():
    qrels = read_qrels(TREC.encode(), "q")
    judged = match(qrels, RUN)
    found = read_judged(packed_file(judged)).judged
    names = ["alpha_nDCG@5", "StRecall@1", "nDCG@5"]
    assert found.qrels.aspects == GRADES
    assert evaluate(qrels, found, names).per_query.equals(evaluate(qrels, RUN, names).per_query)
    data = load(
        save(Session(Dataset("mine", qrels, (RUN,), judged=(replace(judged, name="judged"),)))),
        "s.zip",
    ).dataset
    assert data.qrels.aspects == GRADES
    assert data.qrels.digest == qrels.digest


def test_an_edited_ranking_keeps_the_aspects_in_links_and_sessions():
    qrels = read_qrels(TREC.encode())
    ranking = HandRanking.from_run(qrels, RUN, "q1")
    measure = "alpha_nDCG@5"
    # a covers aspect 1, b aspect 2: after another aspect is covered, the second is new, too.
    assert ranking.ledger(measure).scores.tolist() == [1.0]
    moved = set_grade(move(ranking, "b", 1), "a", 0)
    assert unpack(pack(moved)).aspects == GRADES["q1"]
    assert unpack(pack(moved)).ledger(measure).scores == moved.ledger(measure).scores
    empty = HandRanking.of("q1", {"x": 1}, ["x"])
    steps = History(empty, empty).arrive(ranking).then(moved).reset()
    origin = Origin("qrels", "run", "q1")
    (read,) = load(save(Session(edits={origin: steps})), "s.zip").edits.values()
    assert [each.aspects for each in (read.original, *read.past, read.present)] == [
        *({}, {}, GRADES["q1"], GRADES["q1"], {})
    ]


def test_a_file_to_reproduce_the_numbers_keeps_the_aspects():
    for grades in (GRADES, {"q 1": {"a": {"the price": 1.0, "x": 0.0}}, "q2": {"b": {"x": 2.0}}}):
        qrels = Qrels.from_aspects(grades)
        again = read_qrels(as_input(qrels), input_name("qrels", qrels))
        assert again.aspects == qrels.aspects
    mixed = replace(Qrels.from_dict({"p": {"a": 1}, **qrels.to_dict()}), aspects=qrels.aspects)
    again = read_qrels(as_input(mixed), input_name("qrels", mixed))
    assert (again.aspects, again.to_dict()) == (mixed.aspects, mixed.to_dict())
    assert Qrels.from_frame(mixed.to_frame()).aspects == mixed.aspects


def test_a_grade_without_an_aspect_in_a_query_that_has_some_is_refused():
    text = b"query,subtopic,document,grade\nq1,a,d1,1\nq1,b,d1,0\nq1,,d2,2\n"
    with pytest.raises(ReadError) as error:
        read_qrels(text)
    assert [(each.code, each.line) for each in error.value.problems] == [("E-ID", 4)]
    with pytest.raises(DataError, match="without an aspect"):
        Qrels.from_frame(pd.read_csv(io.BytesIO(text), dtype={"subtopic": str}))
