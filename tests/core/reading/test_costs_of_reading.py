"""Small files that would cost much time or memory are refused early."""

import gzip
import io
import json
import zipfile

import pytest

from metrics import Qrels, ReadError, match_file, read_run, read_texts, reading
from metrics.auditing.intake import Given, add_files
from metrics.data import column_names
from metrics.reading import file_names
from metrics.reading.from_json import parse
from metrics.reading.from_tables import delimited
from metrics.reading.from_trec import fast_file
from metrics.reading.row_notes import skeleton
from tests.cases import cases


def test_marks_for_the_end_of_a_file_are_searched_once():
    # A search from each mark would take an hour.
    with pytest.raises(ReadError, match="limit line"):
        read_run(b"q1 Q0 d1 1 1 t\n" + b"\x1a" * 500_000 + b"x\n")


def test_a_long_name_is_read_once():
    assert file_names.title("a" * 500_000) == file_names.shown("a" * 500_000)


@pytest.mark.parametrize("line", [b"q1" + b"9" * 999_998, b"qid," * 250_000])
def test_a_first_line_of_a_megabyte_is_not_read_as_names(monkeypatch, line):
    seen = []
    monkeypatch.setattr(column_names.unicodedata, "category", lambda c: seen.append(c) or "Ll")
    with pytest.raises(ReadError, match="limit line"):
        read_run(line + b"\nq1,d1,1\n", "x.txt")
    assert len(seen) < 10_000


def in_archive(data):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("r.run", data)
    return stream.getvalue()


COMMENTED = b"q Q0 d 1 2 t\n# d\nq Q0 e 2 1 t\n"


@pytest.mark.parametrize(
    ("data", "times"),
    [
        (COMMENTED, 1),
        (gzip.compress(COMMENTED, mtime=0), 1),
        # The archive and its member.
        (in_archive(COMMENTED), 2),
    ],
)
def test_the_fast_reader_declines_a_file_once(monkeypatch, data, times):
    declined = []

    def looks_plain(start):
        declined.append(start)
        return False

    monkeypatch.setattr(fast_file, "looks_plain", looks_plain)
    assert len(read_run(data)) == 2
    assert len(declined) == times
    declined.clear()
    assert len(match_file(Qrels.from_dict({"q": {"d": 1}}), data).hits) == 1
    assert len(declined) == times


def test_marks_heaped_on_a_letter_are_not_put_in_order():
    heaped = "e" + "\u0315" * 200_000 + "\u0327" * 200_000
    assert skeleton(heaped) == heaped
    assert skeleton("cafe\u0301" + "x" * 100) == "caf\u00e9" + "x" * 100


@pytest.mark.parametrize("tags", ["{0} {0}", "{0} u"])
def test_the_limit_of_a_line_holds_for_the_quick_reader_too(tags):
    one, other = tags.format("t" * 200_000).split()
    with pytest.raises(ReadError, match="limit line"):
        read_run(f"q1 Q0 d1 1 2 {one}\nq1 Q0 d2 2 1 {other}\n".encode())
    long = "t" * 2000
    assert read_run(f"q1 Q0 d1 1 2 {long}\n".encode()).to_dict() == {"q1": {"d1": 2}}


@pytest.mark.parametrize("row", ["ab," * 40_000, '"' + "a\n" * 60_000 + '",'])
def test_the_limit_of_a_line_holds_for_a_row_of_a_table(row):
    with pytest.raises(ReadError, match=r"line 3: .* too long.*limit line"):
        read_run(f"query,document,score\nq1,d1,1\n{row}\n".encode())


@pytest.mark.parametrize(
    "data",
    [
        b'{"q": {"a": 1}, "x": [0, 0, 0, 0, 0, 0]}',
        b'{"query": "q", "document": "a", "score": 1}\n' * 4,
        b'{"a":\n{"x": 1}\n, "b": [0, 0, 0, 0, 0, 0, 0, 0]}',
    ],
)
def test_values_of_json_are_counted_before_they_are_made(monkeypatch, data):
    monkeypatch.setenv("RANKSCOPE_LIMITS", "values=8")
    made = []
    monkeypatch.setattr(json, "loads", watched(json.loads, made))
    monkeypatch.setattr(parse, "decoded", watched(parse.decoded, made))
    with pytest.raises(ReadError, match=r"limit values|line 1"):
        read_run(data)
    # The first line is parsed once more to detect the format: three times in all.
    assert sum(map(parse.separators, made)) <= 8 + 3


def watched(call, seen):
    def inner(text, *others, **options):
        seen.append(text)
        return call(text, *others, **options)

    return inner


@pytest.mark.parametrize(
    ("data", "fits"),
    [
        (b'{"q": {"d": 1}}', ("run", "qrels")),
        (b'{"d1": "Wireless mouse"}', ("query_texts", "document_texts", "query_attributes")),
        (b'["q", "d"', ()),
        (b'{"query": "q", "document": "d", "score": 1}\n' * 2, ("qrels", "run")),
        (gzip.compress(b'{"q": {"d": 1}}', mtime=0), ("run", "qrels")),
    ],
)
def test_json_that_is_tried_in_several_roles_is_parsed_once(monkeypatch, data, fits):
    made = []
    monkeypatch.setattr(parse, "decoded", watched(parse.decoded, made))
    (seen,) = add_files([Given("a.json", data)]).seen
    assert seen.fits == fits
    # Each line is a text.
    assert len(made) == max(1, data.count(b"\n"))


def test_rows_above_a_limit_are_not_read_again_in_another_role(monkeypatch):
    monkeypatch.setenv("RANKSCOPE_LIMITS", "rows=10")
    made = []
    monkeypatch.setattr(delimited, "records", watched(delimited.records, made))
    rows = "".join(f"q,d{number},1\n" for number in range(11))
    (problem,) = add_files([Given("a.csv", f"query,document,score\n{rows}".encode())]).problems
    assert "limit rows" in str(problem)
    assert len(made) == 1


@pytest.mark.parametrize("rows", ["q,d{0},1\n", "q\td{0}\t1\n", "q Q0 d{0} 1 1 a b\n"])
def test_many_more_lines_than_rows_are_refused_before_they_are_parsed(monkeypatch, rows):
    monkeypatch.setenv("RANKSCOPE_LIMITS", "rows=10")
    monkeypatch.setattr(reading, "headerless", None)
    with pytest.raises(ReadError, match="found 21 lines; expected at most 10 rows"):
        read_run((rows.format(1) * 20 + "q Q0 d 1 1 a\n").encode())


def test_a_packed_run_of_too_many_rows_is_refused_however_it_is_read(monkeypatch, tmp_path):
    monkeypatch.setenv("RANKSCOPE_LIMITS", "plain=1 rows=1")
    qrels, packed = Qrels.from_dict({"q": {"a": 1}}), tmp_path / "a.run.gz"
    packed.write_bytes(gzip.compress(b"q Q0 a 2 2 t\nq Q0 b 1 1 t\n"))
    with pytest.raises(ReadError, match="found 2 rows; expected at most 1 rows"):
        read_run(packed)
    # It judges a block at a time; what it cannot judge so, the careful reader refuses.
    with pytest.raises(ReadError, match="found more than 1 rows; expected at most 1 rows"):
        match_file(qrels, packed)


def test_ids_are_not_compared_with_the_names_of_columns(monkeypatch):
    seen, plain = [], column_names.normalised
    monkeypatch.setattr(column_names, "normalised", lambda name: seen.append(name) or plain(name))
    ids = ", ".join(f'"d{number}": 1' for number in range(5000))
    assert len(read_run(f'{{"q": {{{ids}}}}}'.encode())) == 5000
    (seen_as,) = add_files([Given("a.json", f'{{"q": {{{ids}, "d0": 2}}}}'.encode())]).seen
    assert "E-DUP-DOC" in str(seen_as.refusal)
    assert len(seen) < 5000


def test_texts_have_as_many_lines_as_a_file_may_have_rows(monkeypatch):
    monkeypatch.setenv("RANKSCOPE_LIMITS", "rows=10")
    assert len(read_texts(b"\r\n" * 8 + b"d1\tmouse\r\n")) == 1
    with pytest.raises(ReadError, match="limit rows"):
        read_texts(b"\n" * 12 + b"d1\tmouse")
    assert read_texts(b'{"d1":\n"mouse"' + b"\n" * 12 + b"}") == {"d1": "mouse"}


@cases("before", ["", "y" * 1_200_000, '\\"[[[{{{' * 10])
@cases("depth", [18, 19])
def test_the_depth_of_json_is_bounded_everywhere(before, depth):
    deep = "[" * depth + "]" * depth
    data = f'[{{"query": "q", "document": "a", "score": 1, "pad": "{before}", "x": {deep}}}]'
    if depth == 18:
        assert len(read_run(data.encode())) == 1
    else:
        with pytest.raises(ReadError, match="limit depth"):
            read_run(data.encode())


def test_a_note_names_some_of_the_keys_that_are_not_used():
    records = [{"retrieved": ["d"], "relevant": ["d"], f"k{n}": 0} for n in range(100)]
    run = read_run(json.dumps(records).encode())
    assert max(len(note.text) for note in run.notes) < 500
