"""Excel workbooks: rows, sheets, numbers and dates; limits, and files that are damaged."""

import io
import random
import tracemalloc
import zipfile
from datetime import date, timedelta

import pytest

from metrics import Qrels, ReadError, Run, read_qrels, read_run, read_texts
from metrics.auditing.intake import Given, add_files, members
from metrics.reading import read_all
from metrics.reading.from_tables import workbook
from metrics.reading.from_tables.picked import Picked
from tests.cases import cases as every_case
from tests.fuzzing.invariants import refusal

RUN = [("query", "document", "score"), ("q1", "d1", 9.5), ("q1", "d2", 8), ("q2", 7, 1e-7)]
QRELS = [("qid", "docid", "grade", "reason"), ("q1", "d1", 3, "exact"), ("q2", 7, 0, None)]


def empty():
    # A third of a second, which the collection of the tests need not wait for.
    import openpyxl

    return openpyxl.Workbook()


def book(*sheets, **named):
    made = empty()
    made.remove(made.active)
    for name, rows in [*((f"Sheet{n}", each) for n, each in enumerate(sheets, 1)), *named.items()]:
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
    stream = io.BytesIO()
    made.save(stream)
    return stream.getvalue()


MAIN = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def with_part(name, content, of=b""):
    """Return a workbook with a part of its archive exchanged or added."""
    with zipfile.ZipFile(io.BytesIO(of or book(RUN))) as archive:
        parts = {each: archive.read(each) for each in archive.namelist()}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for each, data in {**parts, name: content}.items():
            archive.writestr(each, data)
    return stream.getvalue()


def test_a_sheet_is_read_as_a_table():
    run = read_run(book(RUN), "bm25.xlsx")
    assert run.name == "bm25"
    assert run.to_dict() == {"q1": {"d1": 9.5, "d2": 8}, "q2": {"7": 1e-7}}
    assert not run.notes
    qrels = read_qrels(book(QRELS), "grades.xlsx")
    assert qrels.to_dict() == {"q1": {"d1": 3}, "q2": {"7": 0}}
    assert qrels.reasons == {"q1": {"d1": "exact"}}


def test_titles_blank_rows_and_empty_columns_around_the_table_are_left_out():
    shifted = [(None, None, *row) for row in RUN]
    rows = [("My export",), (), *((None, *row) for row in shifted), ()]
    (run,) = read_all(Run, book([], rows), "a.xlsx")
    assert len(run) == 3
    assert "My export" in " ".join(map(str, run.notes))


def test_an_error_names_the_row_of_the_sheet():
    with pytest.raises(ReadError) as error:
        read_run(book([*RUN, (), ("q3", "d1", "high")]), "a.xlsx")
    problem = error.value.problems[0]
    assert (problem.line, problem.column, problem.found) == (6, 3, "'high'")


def test_a_cell_with_a_line_end_moves_no_row():
    rows = [("id", "text"), ("d1", "one\ntwo"), ("d2", "three"), ("d2", "again")]
    with pytest.raises(ReadError) as error:
        read_texts(book(rows), "texts.xlsx")
    assert error.value.problems[0].line == 4
    assert read_texts(book(rows[:3]), "texts.xlsx") == {"d1": "one two", "d2": "three"}


def test_dates_that_excel_made_of_ids_are_reported():
    run = read_run(book([RUN[0], ("q1", date(2024, 3, 1), 2.5)]), "a.xlsx")
    assert run.to_dict() == {"q1": {"2024-03-01": 2.5}}
    assert "1 cell with a date" in " ".join(map(str, run.notes))


def test_every_sheet_with_rows_is_a_file_of_its_own():
    data = book(qrels=QRELS, empty=[], bm25=RUN)
    found = members(Given("all.xlsx", data))
    assert [each.name for each in found] == ["all.xlsx qrels.csv", "all.xlsx bm25.csv"]
    taken = add_files(found)
    assert [seen.role for seen in taken.seen] == ["qrels", "run"]
    assert taken.dataset.runs[0].name == "all.xlsx bm25"


def test_columns_without_known_names_can_be_named():
    rows = [("Topic", "Result", "Mark"), ("q1", "d1", 2), ("q1", "d2", 0)]
    with pytest.raises(ReadError, match="E-HEADER"):
        read_qrels(book(rows), "a.xlsx")
    picked = Picked(",", ("query", "document", "grade"), True)
    (qrels,) = read_all(Qrels, book(rows), "a.xlsx", picked=picked)
    assert qrels.to_dict() == {"q1": {"d1": 2, "d2": 0}}


def test_a_workbook_under_another_name_is_read_and_reported():
    notes = read_run(book(RUN), "a.txt").notes
    assert "although its name ends in .txt" in " ".join(map(str, notes))


def test_sheets_without_rows_are_refused():
    with pytest.raises(ReadError, match="E-EMPTY"):
        read_run(book([], [(None,)]), "a.xlsx")


def test_a_cell_far_out_takes_no_memory_and_is_refused():
    made = empty()
    made.active["A1"] = "query"
    made.active["XFD20000"] = "far"
    stream = io.BytesIO()
    made.save(stream)
    tracemalloc.start()
    with pytest.raises(ReadError, match="limit columns"):
        read_run(stream.getvalue(), "a.xlsx")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # All cells up to there would take 2.6 GB.
    assert peak < 500_000_000


def test_limits_hold_for_sheets(monkeypatch):
    monkeypatch.setenv("RANKSCOPE_LIMITS", "rows=2")
    with pytest.raises(ReadError, match="limit rows"):
        read_run(book(RUN), "a.xlsx")


def test_a_workbook_has_at_most_so_many_tags_and_attributes(monkeypatch):
    made = book(RUN)
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        parts = [archive.read(each) for each in archive.namelist()]
    size = sum(part.count(b"<") - part.count(b"</") + part.count(b"=") for part in parts)
    monkeypatch.setenv("RANKSCOPE_LIMITS", f"values={size - 1}")
    with pytest.raises(ReadError, match=r"tags and attributes of XML.*limit values") as error:
        read_run(made, "a.xlsx")
    assert "CSV" in error.value.problems[0].fix
    monkeypatch.setenv("RANKSCOPE_LIMITS", f"values={size}")
    assert len(read_run(made, "a.xlsx"))


def test_what_a_picture_holds_is_no_tag(monkeypatch):
    picture = b"\x89PNG" + b"<=" * 3_000
    monkeypatch.setenv("RANKSCOPE_LIMITS", "values=2000")
    assert len(read_run(with_part("xl/media/a.png", picture), "a.xlsx"))
    with pytest.raises(ReadError, match="tags and attributes"):
        read_run(with_part("xl/media/a.png", b"  " + picture[4:]), "a.xlsx")


def test_blank_cells_are_cells(monkeypatch):
    # A row with one cell at its right end is as long as that.
    rows = b"".join(b'<row r="%d"><c r="GR%d"/></row>' % (at, at) for at in range(1, 21))
    sheet = b"<worksheet xmlns='%s'><sheetData>%s</sheetData></worksheet>" % (MAIN, rows)
    monkeypatch.setenv("RANKSCOPE_LIMITS", "values=2000")
    with pytest.raises(ReadError, match="a workbook of more than 2,000 cells"):
        read_run(with_part("xl/worksheets/sheet1.xml", sheet), "a.xlsx")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_document_type_is_refused_unread(encoding):
    text = f"<?xml version='1.0' encoding='{encoding}'?>{' ' * 1_048_540}<!DOCTYPE x [ ]><sst/>"
    with pytest.raises(ReadError, match="document type"):
        read_run(with_part("xl/sharedStrings.xml", text.encode(encoding)), "a.xlsx")


def test_a_single_sheet_is_read_once(monkeypatch):
    calls, sheets = [], workbook.sheets
    monkeypatch.setattr(workbook, "sheets", lambda *given: calls.append(given) or sheets(*given))
    taken = add_files(
        [Given("a.xlsx", book(RUN)), Given("q.csv", b"query,document,grade\nq1,d1,1")]
    )
    assert taken.dataset.runs[0].queries == ("q1", "q2")
    assert len(calls) == 1


def test_other_documents_are_named_for_what_they_are():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", "<w:document/>")
    with pytest.raises(ReadError, match="an Office document"):
        read_run(stream.getvalue(), "a.xlsx")


def test_a_damaged_workbook_is_refused():
    good, chance = book(RUN), random.Random(3)
    with zipfile.ZipFile(io.BytesIO(good)) as archive:
        parts = {each: archive.read(each) for each in archive.namelist()}
    refused = 0
    for _ in range(150):
        changed = dict(parts)
        name = chance.choice([each for each in parts if each.endswith(".xml")])
        at = chance.randrange(len(parts[name]))
        damage = chance.choice((b"", b"<", b"&a;", b"9" * 30, b"\0", b"xx", bytes([at % 256])))
        changed[name] = parts[name][:at] + damage + parts[name][at + chance.choice((0, 1, 40)) :]
        if chance.random() < 0.1:
            del changed[name]
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for each, content in changed.items():
                archive.writestr(each, content)
        try:
            read_run(stream.getvalue(), "a.xlsx")
        except ReadError as error:
            refusal(error)
            refused += 1
    assert refused > 50


def with_rows(xml):
    """Return a workbook with one sheet of these rows, in XML, below the names of the columns."""
    names = b"".join(D % name for name in (b"qid", b"docid", b"score"))
    sheet = b"<worksheet xmlns='%s'><sheetData><row r='1'>%s</row>%s</sheetData></worksheet>"
    return with_part("xl/worksheets/sheet1.xml", sheet % (MAIN, names, xml))


def cells(number, *parts):
    return b"<row r='%d'>%s</row>" % (number, b"".join(parts))


Q, D, SCORE = b"<c t='str'><v>q</v></c>", b"<c t='str'><v>%s</v></c>", b"<c><v>%d</v></c>"


@every_case(
    ("xml", "found"),
    [
        (cells(3, Q, D % b"d", SCORE % 1) + cells(2, Q, D % b"e", SCORE % 2), "row 2 after row 3"),
        (cells(2, Q, D % b"d", SCORE % 1) + cells(2, Q, D % b"e", SCORE % 2), "row 2 after row 2"),
        (cells(2, b"<c r='C2'><v>1</v></c><c r='C2'><v>9</v></c>"), "a cell twice"),
        (cells(2_000_000_000, Q, D % b"d", SCORE % 1), "row 2,000,000,000 after row 1"),
        (cells(2, Q, b"<c t='s'><v>-1</v></c>", SCORE % 1), "a workbook that cannot be read"),
        (cells(2, Q, D % b"d", b"<c><f>A1+1</f></c>"), "'=A1+1'"),
    ],
)
def test_what_a_sheet_cannot_mean_is_refused(xml, found):
    with pytest.raises(ReadError) as error:
        read_run(with_rows(xml), "a.xlsx")
    assert found in error.value.problems[0].found


def test_what_is_not_as_it_seems_is_read_and_noted():
    minutes, made = timedelta(minutes=90), empty()
    for row in (RUN[0], ("q1", "d\n1", 3), ("q1", "d_x000D_\n2", 2), ("q1", minutes, 1)):
        made.active.append(row)
    for number in (3, 20):
        made.active.row_dimensions[number].hidden = True
    made.create_sheet("front", 0)
    made.active = 0
    made.worksheets[1].sheet_state = "hidden"
    stream = io.BytesIO()
    made.save(stream)
    run = read_run(stream.getvalue(), "a.xlsx")
    assert run.to_dict() == {"q1": {"d 1": 3, "d 2": 2, "1:30:00": 1}}
    assert {note.code: note.text.split(",")[0] for note in run.notes} == {
        "N-EXCEL-LINE": "2 cells with a line break",
        "N-EXCEL-DATE": "1 cell with a date or a duration",
        "N-EXCEL-HIDDEN": "1 row hidden",
        "N-EXCEL-SHEET": "4 rows of the hidden sheet 'Sheet'",
    }
    lacking = with_rows(cells(2, Q, b"<c><f>B1</f></c>", SCORE % 1))
    assert "N-EXCEL-FORMULA" in {note.code for note in read_run(lacking, "a.xlsx").notes}
    # A formula whose value is an empty text has one.
    known = with_rows(cells(2, Q, D % b"d", SCORE % 1, b"<c t='str'><f>B1</f><v></v></c>"))
    assert not read_run(known, "a.xlsx").notes


def test_a_text_that_many_cells_refer_to_counts_for_each_of_them():
    rows = (cells(n, Q, D % b"d%d" % n, b"<c t='s'><v>0</v></c>") for n in range(2, 602))
    strings = b"<sst xmlns='%s'><si><t>%s</t></si></sst>" % (MAIN, b"word " * 6_000)
    data = with_part("xl/sharedStrings.xml", strings, of=with_rows(b"".join(rows)))
    kind = b"application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        types = archive.read("[Content_Types].xml").removesuffix(b"</Types>")
    types += b"<Override PartName='/xl/sharedStrings.xml' ContentType='%s'/></Types>" % kind
    data = with_part("[Content_Types].xml", types, of=data)
    tracemalloc.start()
    with pytest.raises(ReadError, match="limits expanded and ratio"):
        read_texts(data, "a.xlsx")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 15_000_000


def test_entities_that_expand_are_refused():
    name = "xl/worksheets/sheet1.xml"
    with zipfile.ZipFile(io.BytesIO(book(RUN))) as archive:
        sheet = archive.read(name)
    lines = [b'<!ENTITY a0 "xxxxxxxxxx">']
    lines += [b'<!ENTITY a%d "%s">' % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 10)]
    bomb = b"<?xml version='1.0'?><!DOCTYPE x [" + b"".join(lines) + b"]>" + sheet
    with pytest.raises(ReadError, match="E-XLSX"):
        read_run(with_part(name, bomb.replace(b"<v>", b"<v>&a9;", 1)), "a.xlsx")
