"""Files of every kind, dropped together: each is recognised, or asks one question."""

import gzip
import json

from metrics import Qrels
from metrics.auditing.intake import Given, add_files
from metrics.auditing.recognition import ROLES, recognised
from metrics.reading import read_all
from metrics.reading.from_json.records import preview_of
from metrics.reading.problems import Budget, File
from tests.cases import cases
from tests.fuzzing.valid import JSON, LINES, SEARCH_TOOLS, TABLES, TEXTS, TREC

QRELS = b"q1 0 d1 2\nq1 0 d2 0\nq2 0 d3 1\n"
RUN = b"q1 Q0 d1 1 9.5 bm25\nq1 Q0 d2 2 3.25 bm25\nq2 Q0 d3 1 1.5 bm25\n"
OTHER_RUN = b"qid,docno,score\nq1,d2,0.7\nq1,d1,0.2\nq2,d3,0.9\n"
QUERY_TEXTS = b"q1\tbest laptop\nq2\tred shoes\n"
DOCUMENT_TEXTS = (
    b'{"_id": "d1", "title": "Mouse", "text": "Wireless."}\n{"_id": "d2", "text": "Wired."}\n'
)
GROUPS = b"query\tgroup\nq1\tlong\nq2\tlong\n"


def seen(*files, **roles):
    """Return the role that each file gets, by its name."""
    taken = add_files(Given(name, data, roles.get(name, "")) for name, data in files)
    return {each.name: each.role for each in taken.seen}, taken


def test_all_files_of_a_comparison_are_recognised_in_any_order():
    files = [
        ("1", GROUPS),
        ("2", DOCUMENT_TEXTS),
        ("3", QUERY_TEXTS),
        ("4", OTHER_RUN),
        ("5", RUN),
        ("6", gzip.compress(QRELS, mtime=0)),
    ]
    for order in (files, files[::-1]):
        roles, taken = seen(*order)
        assert roles == {
            "1": "query_attributes",
            "2": "document_texts",
            "3": "query_texts",
            "4": "run",
            "5": "run",
            "6": "qrels",
        }
        data = taken.dataset
        assert len(data.qrels) == 3
        assert [len(run) for run in data.runs] == [3, 3]
        assert (data.query_texts["q2"], data.query_attributes["group"]["q1"]) == (
            "red shoes",
            "long",
        )
        assert data.document_fields == {"title": {"d1": "Mouse"}}


BEIR_QRELS = b"query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td3\t1\n"


@cases(
    ("name", "data", "role"),
    [
        ("test.tsv", BEIR_QRELS, "qrels"),
        ("a.csv", b"query,docid,rating\nq1,d1,3\n", "qrels"),
        ("a.json", json.dumps({"q1": {"d1": 0.25}}).encode(), "run"),
        ("qrels.json", json.dumps({"q1": {"d1": 1}}).encode(), "qrels"),
        ("run.json", json.dumps({"q1": ["d1", "d2"]}).encode(), "run"),
        ("gold.json", json.dumps({"q1": ["d1", "d2"]}).encode(), "qrels"),
        ("a.txt", b"q1\td2\t1\nq1\td1\t2\n", "run"),
        ("a.txt", b"q1\td2\t1\nq1\td1\t0\n", "qrels"),
        ("a.json", json.dumps({"q1": {"d1": 1}}).encode(), ""),
        ("a.tsv", b"x7\tWireless mouse\n", ""),
        ("queries.tsv", b"x7\tWireless mouse\n", "query_texts"),
        # The first text is one word, as a cell is.
        ("queries.tsv", b"x7\tmouse\nx8\tred shoes\n", "query_texts"),
        ("corpus.tsv", b"x7\tWireless mouse\n", "document_texts"),
    ],
)
def test_one_file(name, data, role):
    taken = add_files([Given(name, data)])
    (found,) = taken.seen
    assert (found.role, found.refusal) == (role, None)
    assert found.is_open == (not role)
    assert set(found.fits) <= set(ROLES)
    assert not role or role in found.fits
    # The kind that is missing is a state, not an error.
    assert not taken.problems
    assert taken.dataset is None
    assert taken.needs == tuple(each for each in ("qrels", "run") if each != role)


def test_an_open_question_keeps_the_others_waiting_until_it_is_answered():
    odd = ("a.txt", json.dumps({"q1": {"d2": 2, "d1": 1}}).encode())
    roles, taken = seen(("q", QRELS), odd)
    assert roles == {"q": "qrels", "a.txt": ""}
    assert taken.dataset is None
    assert set(taken.seen[1].fits) == {"run", "qrels"}
    _, taken = seen(("q", QRELS), odd, **{"a.txt": "run"})
    assert taken.dataset.runs[0].to_dict() == {"q1": {"d2": 2, "d1": 1}}


def test_a_refused_file_says_why_in_the_words_of_the_reader_that_knows_it():
    damaged = {
        "run": RUN + b"q3 Q0 d4 1 high bm25\n",
        "qrels": QRELS + b"q3 0 d4 high\n",
        "tabs": b"q1\tQ0\td1\t1\t9.5\tt\nq2\tQ0\td1\t1\thigh\tt\n",
        "table": b"qid\tdocid\tscore\nq1\td1\t9.5\nq2\td1\thigh\n",
        "words": b"q1\tlaptop\nq2\tred shoes\nq3 no tab\n",
        "texts": QUERY_TEXTS + b"q3 no tab\n",
    }
    for name, data in damaged.items():
        (found,) = add_files([Given(name, data)]).seen
        problem = found.refusal.problems[0]
        assert problem.line == data.count(b"\n")
    assert "unique id" in problem.expected


def test_two_files_for_one_role_are_refused_by_name():
    _, taken = seen(("q", QRELS), ("r", RUN), ("t1", QUERY_TEXTS), ("t2", QUERY_TEXTS))
    assert taken.dataset is None
    assert "t2" in str(taken.problems[0])


def test_a_file_that_is_read_twice_counts_once_towards_the_memory_limit():
    rows = b"".join(b"q%d\td%d\t1\n" % (n, n) for n in range(1000))
    header = b"query-id\tcorpus-id\tscore\n"
    budget, of_qrels = Budget(), Budget()
    assert recognised(header + rows, "test.tsv", budget).fits == ("qrels",)
    read_all(Qrels, header + rows, "test.tsv", of_qrels)
    assert budget.kept == of_qrels.kept > 0


ODD_FILES = {
    f"{kind} {name}": data
    for kind, files in {
        "trec": TREC,
        "table": TABLES,
        "json": JSON,
        "lines": LINES,
        "tool": SEARCH_TOOLS,
        "texts": TEXTS,
    }.items()
    for name, data in files.items()
    # Its rows name the grade in two ways, and are refused.
    if data != JSON["rows"]
}


def is_known_or_asks(seen, data):
    """Return whether a file has a role, or asks one question that a person can answer."""
    if seen.role or seen.is_open:
        return True
    return preview_of(data, File(seen.name)) is not None


def test_forty_odd_files_at_once_are_recognised_or_ask_one_question():
    assert len(ODD_FILES) >= 40
    taken = add_files(Given(name, data) for name, data in ODD_FILES.items())
    refused = {
        seen.name: str(seen.refusal)
        for seen, data in zip(taken.seen, ODD_FILES.values(), strict=True)
        if not is_known_or_asks(seen, data)
    }
    assert not refused


@cases("name", ODD_FILES)
def test_a_file_has_the_same_kind_alone(name):
    (seen,) = add_files([Given(name, ODD_FILES[name])]).seen
    assert is_known_or_asks(seen, ODD_FILES[name])
    assert bool(seen.holds) == bool(seen.role or set(seen.fits) & {"document_texts"})


EXPECTED = b'{"q0": ["d0"], "q1": ["d1"]}'
REPEATS = b'{"q0": ["x0", "x0", "d0"], "q1": ["x1", "d1"]}'


def test_a_repeat_is_no_proof_of_judgments():
    """Runs of rerankers and of chunks repeat ids by mistake; judgments may repeat, too."""
    assert recognised(REPEATS, "b.json", Budget()).fits == ("qrels", "run")
    taken = add_files([Given("a.json", EXPECTED), Given("b.json", REPEATS)])
    assert taken.dataset is None
    assert [each.is_open for each in taken.seen] == [True, True]
    # In the role of a run it is refused, and in that of judgments each counts once.
    for name, role in (("b.json", "run"), ("retrieved.json", "")):
        taken = add_files([Given("a.json", EXPECTED, "qrels"), Given(name, REPEATS, role)])
        assert [each.problems[0].code for each in taken.problems] == ["E-DUP-DOC"]
        assert taken.dataset is None
    taken = add_files([Given("a.json", EXPECTED, "run"), Given("b.json", REPEATS, "qrels")])
    assert [len(each) for each in taken.read] == [4, 2]
    # Two grades of a document are wrong in either role, and columns may tell which it is.
    assert recognised(b"q1 0 d1 1\nq1 0 d1 1\n", "b", Budget()).fits == ("qrels",)
