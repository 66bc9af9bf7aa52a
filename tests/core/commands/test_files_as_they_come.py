"""Files as people have them: what an upload and the command line make of the same bytes."""

import io
import zipfile
from functools import cache

import pytest

from metrics import evaluate, fix_ids
from metrics.auditing.audit import findings
from metrics.auditing.intake import Given, add_files

QRELS = b"q1 0 d1 1\nq1 0 d2 0\n"
RUN = b"q1 Q0 d1 1 9.5 t\nq1 Q0 d2 2 8.5 t\n"
LARGE = 2**53


@cache
def workbook():
    import openpyxl

    book = openpyxl.Workbook()
    for row in (("query", "document", "score"), ("q1", "d1", 2.5), ("q1", "d2", 1)):
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def open_document():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<x/>")
    return stream.getvalue()


OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)


def uploaded(*files):
    return add_files([Given(name, data, role) for name, data, role in files])


def scored(rankscope, write_files, qrels, run):
    """The exit code, and what the command line prints and says of a run."""
    for name, data in (qrels, run):
        with open(name, "wb") as file:
            file.write(data)
    return rankscope("score", qrels[0], run[0], "-m", "AP", "--format", "csv")


@pytest.mark.parametrize("first", [LARGE, 2**60, -(2**60)])
@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("a.run", "q1 Q0 d1 1 {} t\nq1 Q0 d2 2 {} t\n"),
        ("a.csv", "query,document,score\nq1,d1,{}\nq1,d2,{}\n"),
        ("a.json", '{{"q1": {{"d1": {}, "d2": {}}}}}'),
        ("a.jsonl", '{{"qid": "q1", "docid": "d1", "score": {}}}\n'
                    '{{"qid": "q1", "docid": "d2", "score": {}}}\n'),
    ],
)  # fmt: skip
def test_scores_that_fall_together_are_named(rankscope, write_files, first, name, form):
    write_files()
    assert float(first) == float(first + 1)
    data = form.format(first, first + 1).encode()
    found = uploaded(("q.txt", QRELS, "qrels"), (name, data, "run")).dataset
    assert any("more digits than a double holds" in str(note) for note in found.runs[0].notes)
    code, _, said = scored(rankscope, write_files, ("q.txt", QRELS), (name, data))
    assert code == 0
    assert str(first + 1) in said


def test_large_scores_that_stay_apart_need_no_note():
    data = f"q1 Q0 d1 1 {LARGE} t\nq1 Q0 d2 2 {LARGE - 1} t\n".encode()
    (run,) = uploaded(("q.txt", QRELS, "qrels"), ("a.run", data, "run")).dataset.runs
    assert not run.notes


IDS = {
    "a column of floats, in the run": (b"1,10,1\n1,11,0\n", b"1.0,10.0,2\n1.0,11.0,1\n"),
    "a column of floats, in the qrels": (b"1.0,10.0,1\n1.0,11.0,0\n", b"1,10,2\n1,11,1\n"),
    "of documents only": (b"1,10.0,1\n1,11.0,0\n", b"1,10,2\n1,11,1\n"),
    "an apostrophe in front, in the qrels": (b"q,'007,1\nq,'008,0\n", b"q,007,2\nq,008,1\n"),
    "an apostrophe in front, in the run": (b"q,007,1\nq,008,0\n", b"'q,'007,2\n'q,'008,1\n"),
}


@pytest.mark.parametrize("case", IDS)
def test_ids_that_a_spreadsheet_changed_match_after_the_offered_change(
    rankscope, write_files, case
):
    qrels, run = IDS[case]
    write_files()
    qrels, run = b"query,document,grade\n" + qrels, b"query,document,score\n" + run
    taken = uploaded(("q.csv", qrels, "qrels"), ("r.csv", run, "run"))
    data = taken.dataset or taken.apart[0]
    (name,) = {each.about for each in findings(data) if each.mend}
    assert name == "r"
    assert evaluate(data.qrels, fix_ids(data.qrels, data.runs[0]), "AP").average("AP") == 1
    assert scored(rankscope, write_files, ("q.csv", qrels), ("r.csv", run))[0] == 3
    code, out, _ = rankscope("score", "q.csv", "r.csv", "-m", "AP", "--fix-ids", "--format", "csv")
    assert (code, out.split()[-1]) == (0, "r,1,1.0")


@pytest.mark.parametrize("name", ["a.xlsx", "a.xls", "a.ods", "a.csv", "a.txt", "a.bin", "a"])
def test_a_workbook_is_read_whatever_its_name(rankscope, write_files, name):
    write_files()
    (run,) = uploaded(("q.txt", QRELS, "qrels"), (name, workbook(), "run")).dataset.runs
    assert run.to_dict() == {"q1": {"d1": 2.5, "d2": 1}}
    code, _, said = scored(rankscope, write_files, ("q.txt", QRELS), (name, workbook()))
    assert code == 0
    renamed = name not in ("a.xlsx", "a")
    assert ("The file is an Excel workbook, although its name ends in" in said) == renamed
    assert any("Excel workbook" in str(note) for note in run.notes) == renamed


@pytest.mark.parametrize("name", ["a.ods", "a.xls", "a.xlsx", "a.csv", "a.doc"])
@pytest.mark.parametrize(
    ("data", "what"),
    [(open_document(), "an OpenDocument"), (OLD, "an old Office document"), (b"%PDF-1.7\n", "PDF")],
)
def test_other_documents_are_refused_for_what_they_are(rankscope, write_files, name, data, what):
    write_files()
    (refusal,) = uploaded(("q.txt", QRELS, ""), (name, data, "")).problems
    assert what in str(refusal)
    code, _, said = scored(rankscope, write_files, ("q.txt", QRELS), (name, data))
    assert code == 4
    assert what in said


def test_rows_of_text_under_the_name_of_a_workbook_are_read_with_a_note(rankscope, write_files):
    write_files()
    data = b"query\tdocument\tscore\nq1\td1\t2\nq1\td2\t1\n"
    (run,) = uploaded(("q.txt", QRELS, "qrels"), ("a.xls", data, "run")).dataset.runs
    assert [str(n) for n in run.notes] == [
        "The file is not a workbook, although its name ends in .xls."
    ]
    code, _, said = scored(rankscope, write_files, ("q.txt", QRELS), ("a.xls", data))
    assert (code, "not a workbook" in said) == (0, True)


@pytest.mark.parametrize("role", ["", "qrels"])
@pytest.mark.parametrize(
    ("name", "data", "columns"),
    [
        ("x.txt", b"q1 d1 1\nq1 d2 0\n", "query, document, grade, separated by spaces or tabs"),
        ("x.tsv", b"q1\td1\t1\nq1\td2\t0\n", "query, document, grade, separated by spaces or tabs"),
        ("x.csv", b"q1,d1,1\nq1,d2,0\n", "query, document, grade, separated by commas"),
        ("x.txt", b"q1,d1,1\nq1,d2,0\n", "query, document, grade, separated by commas"),
        ("x.txt", b"q1,0,d1,1\nq1,0,d2,0\n", "query, iteration, document, grade, separated by com"),
    ],
)
def test_qrels_without_column_names_say_how_they_were_read(
    rankscope, write_files, role, name, data, columns
):
    write_files()
    found = uploaded((name, data, role), ("a.run", RUN, "run")).dataset
    assert found.qrels.to_dict() == {"q1": {"d1": 1, "d2": 0}}
    assert any(columns in str(note) for note in found.qrels.notes)
    code, _, said = scored(rankscope, write_files, (name, data), ("a.run", RUN))
    assert code == 0
    assert columns in said


@pytest.mark.parametrize(
    "data", [b"q1,d1,9.5\nq1,d2,8.5\n", b"q1,Q0,d1,1,9.5,t\nq1,Q0,d2,2,8.5,t\n"]
)
def test_comma_lines_of_a_run_in_a_text_file_are_read(rankscope, write_files, data):
    write_files()
    (run,) = uploaded(("q.txt", QRELS, ""), ("a.txt", data, "")).dataset.runs
    assert run.to_dict() == {"q1": {"d1": 9.5, "d2": 8.5}}
    assert "separated by commas" in str(run.notes[0])
    code, _, said = scored(rankscope, write_files, ("q.txt", QRELS), ("a.txt", data))
    assert (code, "separated by commas" in said) == (0, True)


@pytest.mark.parametrize("score", ["inf", "-inf", "Infinity", "nan", "0x1p3", "0x10", "1_0"])
def test_scores_that_are_not_decimal_numbers_are_refused_with_their_line(
    rankscope, write_files, score
):
    # trec_eval takes what C reads. Padding with inf, and hexadecimal, are more likely an error in
    # what wrote the file than a score, and NaN has no order.
    write_files()
    data = f"q1 Q0 d1 1 9.5 t\nq1 Q0 d2 2 {score} t\n".encode()
    (refusal,) = uploaded(("q.txt", QRELS, ""), ("a.run", data, "")).problems
    expected = f"a.run, line 2, column 5: found '{score}'; expected a number as the score."
    assert str(refusal).startswith(expected)
    code, _, said = scored(rankscope, write_files, ("q.txt", QRELS), ("a.run", data))
    assert code == 4
    assert expected in said
