"""The forms in which tools and articles keep runs and judgments, read unchanged."""

import gzip
import io
import json
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from metrics import Qrels, ReadError, Run, read_exclusions, read_qrels, read_run, read_texts
from metrics.auditing.intake import Given, add_files
from metrics.limits import current
from metrics.reading import read_all
from tests.cases import cases

RECORD = {
    "retrieved": ["d3", "d1", "d7"],
    "relevant": ["d1", "d2"],
}
GRADED = RECORD | {"relevance_scores": {"d1": 3, "d2": 1}}


def both(value, name="x.json"):
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    run, qrels = read_all(Run, data, name)
    assert isinstance(run, Run)
    assert isinstance(qrels, Qrels)
    return run.to_dict(), qrels.to_dict()


@cases("wrap", [lambda r: r, lambda r: [r], lambda r: {"q1": r}])
def test_retrieved_and_relevant(wrap):
    run = {"q1": {"d3": 3, "d1": 2, "d7": 1}}
    assert both(wrap(RECORD)) == (run, {"q1": {"d1": 1, "d2": 1}})
    assert both(wrap(GRADED)) == (run, {"q1": {"d1": 3, "d2": 1}})


def test_records_with_query_ids_on_lines():
    data = "\n".join(json.dumps({"query_id": q} | RECORD) for q in ("7", "8")).encode()
    run, qrels = both(data, "x.jsonl")
    assert (list(run), list(qrels)) == (["7", "8"], ["7", "8"])


def test_a_relevant_document_without_a_grade_is_refused():
    with pytest.raises(ReadError, match="'d2' of query 'q1' only in relevant"):
        read_run(json.dumps(RECORD | {"relevance_scores": {"d1": 3}}).encode())


def test_pairs_of_ranked_ids_and_judgments():
    value = [[["a", "b"], [["b", 3], ["c", 1]]], [["x"], ["x"]], [["y"], {"z": 2}]]
    run, qrels = both(value)
    assert run == {"q1": {"a": 2, "b": 1}, "q2": {"x": 1}, "q3": {"y": 1}}
    assert qrels == {"q1": {"b": 3, "c": 1}, "q2": {"x": 1}, "q3": {"z": 2}}


@cases(
    "data",
    [
        b'[{"doc_id": "a", "relevant": false}, {"doc_id": "b", "relevant": true}]',
        b'[[{"doc_id": "a", "relevant": false}, {"doc_id": "b", "relevant": true}]]',
        b'{"q1": [{"doc_id": "a", "relevant": 0}, {"doc_id": "b", "relevant": 1}]}',
        b"doc_id,relevant\na,False\nb,True\n",
        b"rank,doc_id,relevant\n2,b,1\n1,a,0\n",
    ],
)
def test_documents_with_whether_they_are_relevant(data):
    run, qrels = both(data, "x")
    assert run == {"q1": {"a": 2, "b": 1}}
    assert qrels == {"q1": {"a": 0, "b": 1}}


def test_rank_eval():
    request = {
        "requests": [
            {
                "id": "q1",
                "request": {"query": {"match": {"title": "mouse"}}},
                "ratings": [
                    {"_index": "shop", "_id": "a", "rating": 0},
                    {"_index": "shop", "_id": "c", "rating": 3},
                ],
            }
        ],
        "metric": {"dcg": {"k": 10}},
    }
    answer = {
        "metric_score": 0.4,
        "details": {
            "q1": {
                "metric_score": 0.4,
                "unrated_docs": [{"_index": "shop", "_id": "b"}],
                "hits": [
                    {"hit": {"_index": "shop", "_id": "a", "_score": 9.5}, "rating": 0},
                    {"hit": {"_index": "shop", "_id": "b", "_score": 8.25}, "rating": None},
                    {"hit": {"_index": "shop", "_id": "c", "_score": 1}, "rating": 3},
                ],
            }
        },
        "failures": {},
    }
    assert read_qrels(json.dumps(request).encode()).to_dict() == {"q1": {"a": 0, "c": 3}}
    run, qrels = both(answer)
    assert run == {"q1": {"a": 9.5, "b": 8.25, "c": 1}}
    assert qrels == {"q1": {"a": 0, "c": 3}}
    assert "only those of its hits" in " ".join(
        map(str, read_qrels(json.dumps(answer).encode()).notes)
    )


def test_quepid():
    ratings = b"query,docid,rating\nwireless mouse,d1,3\nwireless mouse,d2,0\n"
    assert read_qrels(ratings).to_dict() == {"wireless mouse": {"d1": 3, "d2": 0}}
    snapshot = (
        b"Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position\n"
        b"T,C,1,wireless mouse,d1,1\nT,C,1,wireless mouse,d2,2\n"
    )
    assert read_run(snapshot).to_dict() == {"wireless mouse": {"d1": 2, "d2": 1}}


def test_ms_marco():
    run = read_run(b"q7\td1\t1\nq7\td2\t2\nq8\td1\t1\n", "run.tsv")
    assert run.to_dict() == {"q7": {"d1": 2, "d2": 1}, "q8": {"d1": 1}}
    assert "MS MARCO" in run.notes[0].text
    # Documents that were removed leave gaps.
    gaps = read_run(b"q7\td1\t1\nq7\td2\t3\nq7\td3\t7\n", "run.tsv")
    assert gaps.to_dict() == {"q7": {"d1": 7, "d2": 5, "d3": 1}}
    assert "In 1 query ranks are missing, the first is rank 2 of query 'q7'" in str(gaps.notes[1])
    with pytest.raises(ReadError, match="3 columns"):
        read_run(b"q7\td1\t3\nq7\td2\t1\n", "run.tsv")


def test_colbert_and_tevatron():
    ranking = b"7\t11\t1\t29.5\n7\t12\t2\t28.125\n8\t12\t1\t28.0\n"
    assert read_run(ranking, "ranking.tsv").to_dict() == {
        "7": {"11": 29.5, "12": 28.125},
        "8": {"12": 28},
    }
    run = read_run(b"q1\td1\t9.5\nq1\td2\t8\n", "rank.txt")
    assert run.to_dict() == {"q1": {"d1": 9.5, "d2": 8}}


def test_beir():
    queries = b'{"_id": "q1", "text": "best mouse", "metadata": {}}\n{"_id": "q2", "text": ""}\n'
    assert read_texts(queries, "queries.jsonl") == {"q1": "best mouse", "q2": ""}
    with pytest.raises(ReadError, match="query texts"):
        read_run(queries, "queries.jsonl")
    qrels = read_qrels(b"query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t1\n", "test.tsv")
    # BEIR lists only relevant documents, which needs no note.
    assert qrels.notes == ()


def test_lists_of_ids():
    assert read_run(b'{"q": ["b", "a"]}').to_dict() == {"q": {"b": 2, "a": 1}}
    assert read_qrels(b'{"q": ["b", "a"]}').to_dict() == {"q": {"b": 1, "a": 1}}


def test_an_archive_with_several_runs_gives_them_all():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("a.run", "q Q0 d 1 1 t")
        archive.writestr("b.json", '{"q": {"d": 1}}')
    runs = read_all(Run, stream.getvalue(), "runs.zip")
    assert [run.name for run in runs] == ["a", "b"]
    with pytest.raises(ReadError, match="2 of type Run"):
        read_run(stream.getvalue(), "runs.zip")


def parquet(**columns):
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream)
    return stream.getvalue()


def test_numbers_in_parquet_are_read_to_the_bit():
    written = parquet(qid=["q"] * 2, docid=["a", "b"], score=[0.1 + 0.2, 5e-324])
    assert read_run(written).value.tolist() == [0.1 + 0.2, 5e-324]


@pytest.mark.parametrize(
    ("limit", "kind", "data", "word"),
    [
        ("rows=1", "run", b"q Q0 a 1 2 t\nq Q0 b 1 1 u", "limit rows"),
        ("rows=1", "run", b"query,document,score\nq,a,2\nq,b,1", "limit rows"),
        ("rows=2", "run", b"query,document,score\nq,a,2\n,,\n,,\n,,", "limit rows"),
        ("plain=1", "run", b"q Q0 a 2 2 t\nq Q0 b 1 3 t\n", "limit plain"),
        ("plain=1", "run", gzip.compress(b"q Q0 a 2 2 t\nq Q0 b 1 3 t\n", mtime=0), "limit plain"),
        ("plain=1", "run", parquet(qid=["q", "q"], docid=["a", "b"], score=[1, 2]), "limit plain"),
        ("line=12", "run", b"q Q0 a 1 2 tag\n# x", "limit line"),
        ("id=3", "run", b"q Q0 abcd 1 2 t", "limit id"),
        ("json=10", "run", b'{"q": {"d": 1}}', "limit json"),
        ("depth=1", "run", b'{"q": {"d": 1}}', "limit depth"),
        ("columns=2", "run", b"query,document,score\nq,a,2", "limit columns"),
        ("expanded=9", "run", b"query,document,score\nq,a,2", "limit expanded"),
        ("ranking=1", "run", b"q Q0 abcd 1 2 t\nq Q0 b 1 1 t", "limit ranking"),
        ("session=9", "run", b"q Q0 abcd 1 2 t", "limit session"),
    ],
)
def test_limits_are_named_and_can_be_set(monkeypatch, limit, kind, data, word):
    qrels = Given("q.txt", b"q 0 abcd 1", "qrels")
    assert not add_files([Given("r.txt", data, kind), qrels]).problems
    monkeypatch.setenv("RANKSCOPE_LIMITS", limit)
    assert current() != type(current())()
    problems = add_files([Given("r.txt", data, kind), qrels]).problems
    assert word in str(problems[0])


SHORT, LONG = '{"query":"q","document":"a","score":2}', '{"query":"q","document":"b","score":1.25}'


@pytest.mark.parametrize(
    ("lines", "number"),
    [
        ((LONG, SHORT), 1),
        (("", f"  {LONG} ", SHORT), 2),
        ((LONG, LONG.replace("b", "c")), 1),
        ((SHORT, LONG), 2),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_record_that_is_too_long_is_refused_by_its_line(monkeypatch, lines, number, end):
    data = end.join(lines).encode()
    assert len(read_run(data)) == 2
    monkeypatch.setenv("RANKSCOPE_LIMITS", "line=40")
    for given in (Given("x.jsonl", data), Given("x.jsonl", data, "run")):
        (problem,) = add_files([given]).problems
        assert str(problem) == (
            f"x.jsonl, line {number}: found a line of {len(lines[number - 1])} characters: too "
            "long; expected at most 40 characters (limit line). Shorten or leave out its texts, or "
            "cut its ranking at a smaller depth. [E-SIZE]"
        )
    # The limit on all JSON is not that of a line.
    monkeypatch.setenv("RANKSCOPE_LIMITS", "line=40 json=60")
    with pytest.raises(ReadError, match="limit line"):
        read_run(data)


@pytest.mark.parametrize(
    "text",
    [
        f"[{SHORT}, {LONG}]",
        f"[{SHORT},{LONG},\n{LONG.replace('b', 'c')}]",
        '{"q": {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6},\n"r": {"a": 1}}',
        '{"q": {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6}, "r":\n{"a": 1}}',
        '{"q": {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6}\n}',
    ],
)
def test_the_lines_of_one_json_text_may_be_longer(monkeypatch, text):
    expected = read_run(text.encode()).to_dict()
    monkeypatch.setenv("RANKSCOPE_LIMITS", "line=40")
    assert read_run(text.encode()).to_dict() == expected


def bright(**excluded):
    record = {"id": "0", "query": "why", "gold_ids": ["g1", "g2"], **excluded}
    return json.dumps(record).encode() + b'\n{"id": "1", "gold_ids": ["g3"], "excluded_ids": []}'


@cases("none", [{"excluded_ids": ["N/A"]}, {"excluded_ids": None}, {}])
def test_a_file_of_bright_without_exclusions_has_none(none):
    found = read_qrels(bright(**none), "q.jsonl")
    assert (found.excluded, len(found)) == ({}, 3)


def test_a_file_of_bright_gives_judgments_and_exclusions_together():
    found = read_qrels(bright(excluded_ids=["x1", "g2", "N/A"]), "q.jsonl")
    assert found.to_dict() == {"0": {"g1": 1}, "1": {"g3": 1}}
    assert found.excluded == {"0": {"x1", "g2"}}
    (named,) = [str(note) for note in found.notes if note.code == "N-EXCLUDED-RELEVANT"]
    assert "query '0', document 'g2'" in named
    assert not [note for note in found.notes if "excluded_ids" in str(note)]
    assert read_exclusions(bright(excluded_ids=["x1"]), "q.jsonl") == {"0": {"x1"}}


@cases(
    ("excluded", "found"),
    [
        ("x1", "the string 'x1' as excluded_ids of query '0'; expected a list of ids"),
        ([["x1"]], "a list as a document id of query '0'"),
        ([None], "null as a document id of query '0'"),
        (["\ud800"], "a lone surrogate"),
        ([""], "0 characters as an excluded id of query '0'"),
        (["x" * 2_000], "2,000 characters as an excluded id of query '0'"),
    ],
)
def test_exclusions_of_another_form_are_refused(excluded, found):
    with pytest.raises(ReadError) as refusal:
        read_qrels(bright(excluded_ids=excluded), "q.jsonl")
    assert found in str(refusal.value)


@cases(
    "record",
    [
        {"userId": 1, "recommendations": [{"movieId": 5, "rating": 4.5}]},
        {"query": "q", "retrieved": ["5", "7"], "relevant": ["5"]},
    ],
)
def test_lists_in_parquet_are_refused_with_the_form_in_which_they_are_read(record):
    stream = io.BytesIO()
    pq.write_table(pa.Table.from_pylist([record]), stream)
    with pytest.raises(ReadError, match=r"of type list<.*or the table as JSON Lines, whose lists"):
        read_run(stream.getvalue(), "lists.parquet")
    assert read_run(json.dumps(record).encode(), "lists.jsonl").to_dict()
