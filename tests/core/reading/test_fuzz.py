"""Bytes of every kind give a refusal or valid data; and the cases that the fuzzer has found."""

import csv
import io
import zipfile
import zlib
from base64 import urlsafe_b64encode

import pytest

from metrics import Qrels, ReadError, Run, read_qrels, read_run, read_texts
from metrics.auditing import id_mismatch
from metrics.editing.hand_ranking import Entry
from metrics.editing.pasted import read_ranking
from metrics.editing.ranking_link import unpack
from metrics.errors import EditError, RankscopeError
from metrics.limits import parse
from metrics.reading import read_all
from metrics.writing.delimited import delimited
from metrics.writing.reproduce import as_input
from metrics.writing.table import Table
from tests.cases import cases
from tests.fuzzing.mutation import Mutator
from tests.fuzzing.readers import READERS, SEEDS

INPUTS = 150


@cases("reader", READERS)
def test_whatever_comes_in(reader):
    seeds, mutator = SEEDS[reader](), Mutator(1)
    changed = [mutator.mutated(mutator.random.choice(seeds), seeds) for _ in range(INPUTS)]
    for data in seeds + changed:
        READERS[reader](data)


def test_the_same_seed_gives_the_same_inputs():
    seeds = SEEDS["packed"]()
    one, two = ([Mutator(7).mutated(each, seeds) for each in seeds] for _ in range(2))
    assert one == two
    assert one != [Mutator(8).mutated(each, seeds) for each in seeds]


def zipped(method):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        archive.writestr("a.txt", b"q1 Q0 d1 1 2.5 t\n" * 9)
    return stream.getvalue()


REFUSED = {
    "lzma in a zip": (zipped(zipfile.ZIP_LZMA), "E-ZIP", "another method than Deflate"),
    "bzip2 in a zip": (zipped(zipfile.ZIP_BZIP2), "E-ZIP", "another method than Deflate"),
    "judgments that are null": (b'[[["d1"], null]]', "E-JSON", "null as the judgments"),
    "judgments that are a text": (b'[[["d1"], "abc"]]', "E-JSON", "'abc' as the judgments"),
    "judgments that are a number": (b'[[["d1"], 5]]', "E-JSON", "the number 5"),
    "relevant that is true": (
        b'{"retrieved": ["d"], "relevant": true, "relevance_scores": {"d": 1}}',
        *("E-JSON", "true as relevant"),
    ),
    "grades in a list": (
        b'{"retrieved": ["d"], "relevant": ["d"], "relevance_scores": [2]}',
        *("E-JSON", "a list as relevance_scores"),
    ),
    "half a character in a key": (
        b'{"a": [{"\\ud800": "d", "relevant": 1}]}',
        *("E-HEADER", "'\\ud800, relevant, query'"),
    ),
    "a score without a query": (b"doc_id,score\nd1,9.5", "E-HEADER", "a query column"),
    "a query twice in an answer": (
        b'{"details": {"q": {"hits": [{"hit": {"_id": "a", "_score": 1}}]}, '
        b'"q": {"hits": [{"hit": {"_id": "b", "_score": 1}}]}}}',
        *("E-DUP-QUERY", "'q' twice"),
    ),
    "an id twice in a hit": (
        b'{"details": {"q": {"hits": [{"hit": {"_id": "a", "_id": "b", "_score": 1}}]}}}',
        *("E-JSON", "'_id' twice"),
    ),
    "a rating twice": (
        b'{"requests": [{"id": "q", "ratings": [{"_id": "a", "rating": 1, "rating": 0}]}]}',
        *("E-JSON", "'rating' twice"),
    ),
    "a list twice": (
        b'{"retrieved": ["a"], "relevant": ["a"], "relevant": []}',
        *("E-JSON", "'relevant' twice"),
    ),
    "a grade twice": (
        b'{"q": [{"doc_id": "a", "relevant": 1, "relevant": 0}]}',
        *("E-JSON", "'relevant' twice"),
    ),
    "a long query for many rows": (b'{"%s": {"d": true}}' % (b"q" * 1001), "E-ID", "too long"),
    "half a character in a query": (b'{"\\ud800": {"d": 1}}', "E-ID", "'\\ud800'"),
    "names on two lines": (
        b'query,doc,score,"a\nb"\nq,d,1,2\nquery,doc,score,a\nq,e,2,3',
        *("E-HEADER", "the names on one line"),
    ),
}


@cases("name", REFUSED)
def test_what_was_accepted_or_failed_is_refused(name):
    data, code, words = REFUSED[name]
    with pytest.raises(ReadError) as caught:
        read_all(Run, data)
    assert caught.value.problems[0].code == code
    assert words in str(caught.value)


def test_scores_at_both_ends_of_what_a_double_holds():
    rows = b"q Q0 a 1 1e308 t\nq Q0 b 2 -1e308 t\n"
    assert read_run(rows).to_dict() == {"q": {"a": 1e308, "b": -1e308}}


def test_the_same_request_twice_is_refused():
    one = b'{"id": "q", "ratings": [{"_id": "%s", "rating": 1}]}'
    with pytest.raises(ReadError, match="E-DUP-QUERY"):
        read_qrels(b'{"requests": [%s, %s]}' % (one % b"a", one % b"b"))


def test_scores_of_records_within_a_query_are_scores():
    rows = b'{"q": [{"doc_id": "a", "score": 1}, {"doc_id": "b", "score": 9.5}]}'
    (run,) = read_all(Run, rows)
    assert run.to_dict() == {"q": {"a": 1, "b": 9.5}}
    with pytest.raises(ReadError, match="looks like a run"):
        read_qrels(rows)


def test_a_grade_is_read_beside_a_score():
    rows = b'{"q": [{"item": 1, "doc_id": "a", "score": 7.5, "rel": 0}]}'
    run, qrels = read_all(Run, rows)
    assert (run.to_dict(), qrels.to_dict()) == ({"q": {"a": 7.5}}, {"q": {"a": 0}})
    assert (read_run(rows).to_dict(), read_qrels(rows).to_dict()) == (
        run.to_dict(),
        qrels.to_dict(),
    )
    assert not any("'rel'" in str(note) or "'score'" in str(note) for note in run.notes)


def test_comments_of_a_ranked_list_and_odd_blank_rows_are_reported():
    assert "1 comment line" in read_run(b"# MS MARCO\nq\td\t1").notes[0].text
    blank = "query,doc,score\n\u2028\nq,d,1".encode()
    assert "every cell is empty" in read_run(blank).notes[0].text


def test_a_line_sep_may_name_a_tab_and_no_quote():
    assert read_run(b"sep=\t\nquery\tdoc\tscore\nq\td\t1").to_dict() == {"q": {"d": 1}}
    with pytest.raises(ReadError, match="E-FIELDS"):
        read_run(b'sep="\nquery"doc"score\nq"d"1')


def test_a_query_may_be_called_query():
    rows = b"# a comment\nquery Q0 doc 1 2.5 t\nq Q0 e 2 1 t\n"
    assert read_run(rows).to_dict() == {"query": {"doc": 2.5}, "q": {"e": 1}}
    assert len(read_run(b"query Q0 doc rank score tag\nq Q0 e 2 1 t\n")) == 1


def test_a_number_of_very_many_digits_is_json_too():
    line = b'{"query": "q", "document": "%s", "score": 1, "size": ' + b"1" * 5000 + b"}\n"
    assert len(read_run(line % b"a" + line % b"b")) == 2


def test_json_lines_may_be_one_line():
    line = b'{"query": "q", "document": "d", "score": 2}\n'
    assert read_run(line).to_dict() == {"q": {"d": 2}}
    assert len(read_all(Run, b'{"doc_id": "d", "relevant": true}')) == 2


def test_a_carriage_return_begins_no_line_in_csv():
    written = delimited(Table(("query",), (("a\r=1+1",),)))
    assert list(csv.reader(io.StringIO(written, newline=""))) == [["query"], ["a\r'=1+1"]]


@cases(
    "line",
    [
        b'{"_id": "\\ud800", "text": "a"}',
        b'{"_id": "a", "text": "\\udfff"}',
        b'{"_id": "a", "_id": "b", "text": ""}',
    ],
)
def test_texts_are_whole_and_have_one_id(line):
    with pytest.raises(ReadError, match="E-FIELDS"):
        read_texts(line)


@cases(
    ("text", "code"),
    [('"",""', "E-EMPTY"), ("a\t" + "b" * 200_000, "E-ID"), ('"a;3\nb";2\n"c', "E-QUOTE")],
)
def test_pasted_text_of_any_kind(text, code):
    with pytest.raises(ReadError, match=code):
        read_ranking(text, "q")


def test_a_pasted_id_keeps_its_white_space_and_is_not_joined_over_a_line_end():
    assert read_ranking("\u2003a\t\xa03", "q").entries[0] == Entry("\u2003a", 3.0)
    with pytest.raises(ReadError, match="line break"):
        read_ranking('"a\nb";2\nc;1', "q")


def test_a_link_without_an_id_is_refused():
    packed = zlib.compress(b'{"query":"q","ranked":[["",1]]}')
    with pytest.raises(EditError):
        unpack("1." + urlsafe_b64encode(packed).decode().rstrip("="))


def test_a_limit_of_any_length_is_our_own_error():
    with pytest.raises(RankscopeError, match="rows"):
        parse("rows=" + "9" * 5000)


def test_grades_that_look_like_scores_are_read_back():
    qrels = Qrels.from_dict({"q": {"a": 7.5, "b": 0}, "r": {"a": 1}})
    assert read_qrels(as_input(qrels)).to_dict() == qrels.to_dict()


def test_ids_that_would_become_one_are_left_apart(monkeypatch):
    monkeypatch.setattr(id_mismatch, "_SAMPLE", 1)
    qrels = Qrels.from_dict({"q": {"d1": 1, "e": 0}})
    run = Run.from_dict({"q": {"D1": 3, "x": 2, "d1": 1}})
    mend = id_mismatch.for_documents(run, qrels)
    assert mend.reason == "upper and lower case"
    assert mend.apply(run, qrels).to_dict() == run.to_dict()
