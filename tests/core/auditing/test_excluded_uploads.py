"""Files of documents to leave out: recognised or asked about, and part of the data from then on."""

import json

from metrics import Qrels, Run, match
from metrics.auditing import audit
from metrics.auditing.intake import Given, add_files, mended
from metrics.matching.judged_file import packed_file
from tests.cases import cases

QRELS = Given("qrels.txt", b"a 0 x 2\na 0 v 1\nb 0 x 1\nb 0 z 1\n")
RUN = Given("bm25.run", b"a Q0 y 0 9 t\na Q0 x 0 8 t\na Q0 v 0 6 t\nb Q0 x 0 5 t\nb Q0 z 0 3 t\n")
OUT = {"a": ["x", "y"], "b": ["z"]}
FORMS = {
    "csv": b"query,document\na,x\na,y\nb,z\n",
    "tsv": b"a\tx\na\ty\nb\tz\n",
    "json": json.dumps(OUT).encode(),
    "jsonl": b'{"query_id": "a", "doc_id": "x"}\n{"query_id": "a", "doc_id": "y"}\n'
    b'{"query_id": "b", "doc_id": "z"}\n',
}
EXPECTED = {query: set(of) for query, of in OUT.items()}


def added(name, data, role="", before=None):
    return add_files([QRELS, RUN, Given(name, data, role)], before)


@cases("form", FORMS)
def test_a_file_that_is_named_so_is_used_and_one_of_seen_items_asks_once(form):
    taken = added(f"excluded.{form}", FORMS[form])
    assert (taken.seen[2].role, taken.seen[2].holds) == ("excluded", "2 queries, 3 documents")
    assert taken.dataset.qrels.excluded == EXPECTED
    asked = added(f"seen.{form}", FORMS[form])
    assert (asked.dataset, asked.problems, asked.seen[2].is_open) == (None, (), True)
    assert asked.seen[2].fits == ("excluded", "qrels", "run")
    told = added(f"seen.{form}", FORMS[form], "excluded")
    assert told.dataset.runs[0].to_dict() == {"a": {"v": 6.0}, "b": {"x": 5.0}}
    assert told.dataset.qrels.to_dict() == {"a": {"v": 1.0}, "b": {"x": 1.0}}


def test_rows_with_grades_are_no_seen_items():
    (seen,) = add_files([Given("train.csv", b"query,document,grade\na,x,1\na,y,0\n")]).seen
    assert seen.role == "qrels"


def test_what_is_refused_names_the_line():
    (problem,) = added("exclude.csv", b"query,document\na,x\na,\n").problems
    assert "exclude.csv, line 3, column 2: found an empty document" in str(problem)


def test_the_audit_counts_them_and_names_relevant_ones():
    found = [str(each) for each in audit.findings(added("exclude.csv", FORMS["csv"]).dataset)]
    assert "qrels: Left out of the rankings: 3 documents of 2 queries." in found
    assert "bm25: 3 excluded documents were left out; lower ranks moved up." in found
    (named,) = [each for each in found if "judged relevant" in each]
    assert named == (
        "qrels: 2 excluded documents are judged relevant and cannot be found, for example query "
        "'a', document 'x'."
    )


def test_files_that_are_added_later_lack_them_too():
    data = added("exclude.csv", FORMS["csv"]).dataset
    run = Given("new.run", b"a Q0 y 0 9 n\na Q0 u 0 8 n\n")
    later = add_files([run], data).dataset
    assert later.runs[1].to_dict() == {"a": {"u": 8.0}}
    qrels = Given("new_qrels.txt", b"a 0 y 1\na 0 v 1\n")
    assert add_files([qrels], later).dataset.qrels.to_dict() == {"a": {"v": 1.0}}
    more = add_files([Given("exclude.json", b'{"a": ["v"]}')], later).dataset
    assert more.qrels.excluded == {"a": {"v", "x", "y"}, "b": {"z"}}
    assert more.runs[1].to_dict() == {"a": {"u": 8.0}}
    assert [str(note) for note in more.qrels.notes if "Left out" in str(note)] == [
        "Left out of the rankings: 4 documents of 2 queries."
    ]


def test_runs_whose_ids_are_changed_lack_them_too():
    qrels = Given("qrels.txt", b"1 0 x 1\n1 0 v 1\n2 0 x 1\n")
    run = Given("r.run", b"q1 Q0 x 0 8 t\nq1 Q0 v 0 6 t\nq2 Q0 x 0 5 t\n")
    taken = add_files([qrels, run, Given("exclude.json", b'{"1": ["x"]}')])
    assert mended(*taken.apart).runs[0].to_dict() == {"1": {"v": 6.0}, "2": {"x": 5.0}}


def test_data_without_judgments_lack_them_too():
    alone = add_files([RUN, Given("exclude.csv", FORMS["csv"])]).unjudged
    assert alone.runs[0].to_dict() == {"a": {"v": 6.0}, "b": {"x": 5.0}}
    assert add_files([QRELS], alone).dataset.qrels.to_dict() == {"a": {"v": 1.0}, "b": {"x": 1.0}}


def test_rankings_judged_with_other_exclusions_are_refused():
    judged = match(Qrels.from_dict({"a": {"v": 1}}), Run.from_dict({"a": {"y": 2, "v": 1}}, "m"))
    files = [Given("q.txt", b"a 0 v 1"), Given("m.judged.parquet", packed_file(judged))]
    assert add_files(files).dataset.judged[0].hits.rank.tolist() == [2]
    (problem,) = add_files([*files, Given("exclude.json", b'{"a": ["y"]}')]).problems
    assert "1 document excluded by the rankings or the qrels only" in str(problem)
