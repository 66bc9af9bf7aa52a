"""Files as search tools, judges and RAG libraries write them, in the shape of a real one."""

import json

import pyarrow as pa
import pytest

from metrics import Qrels, ReadError, Run, read_qrels, read_run
from metrics.auditing.intake import Given, add_files
from metrics.reading import read_all
from metrics.reading.from_json.detect import may_hold_keys
from metrics.reading.problems import UNNAMED
from metrics.writing.reproduce import as_input
from tests.cases import cases
from tests.fuzzing.valid import SEARCH_TOOLS

SHAPES = {
    name: json.loads(data)
    for name, data in SEARCH_TOOLS.items()
    if name not in ("spark", "umbrela")  # JSON Lines
}


def as_json(value):
    return json.dumps(value).encode()


def codes(pairs):
    return {note.code for note in pairs.notes}


def test_an_answer_of_msearch_is_a_run_of_unnamed_queries():
    run = read_run(SEARCH_TOOLS["msearch"], "a.json")
    assert run.to_dict() == {"q1": {"d1": 7.5, "d2": 6.25}, "q3": {"d9": 1.5}}
    assert {UNNAMED, "N-FAILED"} <= codes(run)


@cases(
    ("about", "is_partial"),
    [
        ({"timed_out": True}, True),
        ({"terminated_early": True}, True),
        ({"_shards": {"total": 2, "successful": 1, "failed": 1}}, True),
        ({"timed_out": False, "_shards": {"total": 1, "successful": 1, "failed": 0}}, False),
        ({}, False),
    ],
)
def test_hits_of_a_search_that_stopped_early_are_noted(about, is_partial):
    whole = json.loads(SEARCH_TOOLS["search"])
    run = read_run(as_json(whole | about), "a.json")
    assert run.to_dict() == {"q1": {"d2": 2, "d1": 1}}
    assert ("N-PARTIAL" in codes(run)) == is_partial


def test_an_answer_of_one_search_is_a_run():
    assert read_run(SEARCH_TOOLS["search"], "a.json").to_dict() == {"q1": {"d2": 2, "d1": 1}}


def test_a_search_that_found_nothing_has_no_rows():
    with pytest.raises(ReadError, match="E-EMPTY"):
        read_run(as_json({"took": 1, "hits": {"hits": []}}))


def test_judgments_of_the_search_relevance_workbench_as_sent_and_as_returned():
    wanted = {"red dress": {"B07": 0.0, "B08": 0.7}, "jeans": {"B07": 1.0}}
    sent = SHAPES["judgments"]
    assert read_qrels(as_json(sent), "a.json").to_dict() == wanted
    returned = {"took": 2, "hits": {"hits": [{"_index": "i", "_id": "x", "_source": sent}]}}
    assert read_qrels(as_json(returned), "a.json").to_dict() == wanted


def test_an_experiment_of_the_workbench_is_one_run_for_each_configuration():
    for name in ("experiment", "experiment with snapshots", "evaluation results"):
        runs = read_all(Run, SEARCH_TOOLS[name], "a.json")
        assert {run.name: run.to_dict() for run in runs} == {
            "26c7": {"tv": {"B1": 2, "B2": 1}, "led tv": {"B3": 1}},
            "a5ac": {"tv": {"B2": 2, "B1": 1}, "led tv": {"B4": 1}},
        }
        assert all("2 runs in one file: '26c7', 'a5ac'." in map(str, run.notes) for run in runs)
    found = add_files([Given("e.json", SEARCH_TOOLS["experiment"])])
    assert [(seen.role, seen.refusal) for seen in found.seen] == [("run", None)]


def test_the_runs_of_an_experiment_join_the_judgments_of_the_same_queries():
    judged = as_json(
        {"judgmentRatings": [{"query": "tv", "ratings": [{"docId": "B2", "rating": "1"}]}]}
    )
    data = add_files([Given("e.json", SEARCH_TOOLS["experiment"]), Given("j.json", judged)]).dataset
    assert [run.name for run in data.runs] == ["26c7", "a5ac"]
    assert data.qrels.to_dict() == {"tv": {"B2": 1}}


def test_a_query_twice_for_one_configuration_is_refused():
    twice = SHAPES["experiment with snapshots"]
    value = {**twice, "results": [*twice["results"], twice["results"][0]]}
    with pytest.raises(ReadError, match="E-DUP-QUERY"):
        read_run(as_json(value), "a.json")


@cases("name", ["quepid case", "quepid ratings", "quepid list", "rre"])
def test_exports_of_quepid_and_of_the_rated_ranking_evaluator(name):
    qrels = read_qrels(SEARCH_TOOLS[name], "case.json")
    assert qrels.to_dict() == {"star wars": {"11": 3, "1892": 0}, "moana": {"277834": 2}}


@pytest.mark.parametrize("name", ["ragas ids", "llamaindex results"])
def test_rows_of_rag_libraries_by_ids(name):
    run, qrels = read_all(Run, SEARCH_TOOLS[name], "a.jsonl")
    assert run.to_dict() == {"Who?": {"c2": 2, "c1": 1}, "When?": {"c3": 1}}
    assert qrels.to_dict() == {"Who?": {"c1": 1}, "When?": {"c3": 1, "c4": 1}}


@pytest.mark.parametrize("name", ["ragas texts", "deepeval"])
def test_rows_of_rag_libraries_by_texts(name):
    run, qrels = read_all(Run, SEARCH_TOOLS[name], "a.json")
    long = "The Eiffel Tower is in Paris. " * 9
    found = next(each for each in run.to_dict()["Where?"] if each.startswith("The Eiffel"))
    assert len(found) < 100 < len(long)
    assert run.to_dict() == {"Where?": {"Rome is a city.": 2, found: 1}}
    assert qrels.to_dict() == {"Where?": {found: 1}}
    assert "N-TEXTS-AS-IDS" in codes(run)


def test_records_of_trulens_are_a_run_for_each_version_of_an_app():
    one, two, qrels = read_all(Run, SEARCH_TOOLS["trulens records"], "a.json")
    long = next(each for each in one.to_dict()["Where?"] if each.startswith("The Eiffel"))
    assert (one.name, one.to_dict()) == ("rag v1", {"Where?": {"Rome is a city.": 2, long: 1}})
    assert (two.name, two.to_dict()) == ("rag v2", {"Where?": {long: 2, "Oslo.": 1}})
    # The judge failed on Oslo, so it is unjudged.
    assert qrels.to_dict() == {"Where?": {"Rome is a city.": 0, long: 1}}
    assert {"N-RUNS", "N-TEXTS-AS-IDS"} <= codes(one)
    lines = b"\n".join(as_json(each) for each in SHAPES["trulens records"])
    assert read_all(Run, lines, "a.jsonl")[0].to_dict() == one.to_dict()
    alone = as_json(SHAPES["trulens records"][0])
    assert read_all(Run, alone, "a.jsonl")[0].to_dict() == one.to_dict()


def test_ground_truth_of_trulens_is_qrels_of_the_same_texts():
    qrels = read_qrels(SEARCH_TOOLS["trulens ground truth"], "a.json")
    (run, *_) = read_all(Run, SEARCH_TOOLS["trulens records"], "a.json")
    found = qrels.to_dict()
    assert set(found["Where?"].values()) == {0.5, 1}
    assert len(set(found["Where?"]) & set(run.to_dict()["Where?"])) == 1
    assert found["When?"] == {"Now.": 1}


@cases(
    ("change", "why"),
    [
        ({"input": {"a": 1}}, "an object as the input"),
        ({"input": None}, "null as the input"),
        ({"Context Relevance_calls": None}, "no judged contexts in 'Context Relevance_calls'"),
        ({"app_version": "v1"}, "E-DUP-QUERY"),
    ],
)
def test_a_record_of_trulens_that_cannot_be_read_is_refused(change, why):
    first, second = SHAPES["trulens records"]
    with pytest.raises(ReadError, match=why):
        read_all(Run, as_json([first, second | change]), "a.json")


def test_versions_of_an_app_that_were_judged_differently_are_refused():
    first, second = json.loads(SEARCH_TOOLS["trulens records"])
    second["Context Relevance_calls"][1]["ret"] = 0.5
    with pytest.raises(ReadError, match="E-DUP-DOC"):
        read_all(Run, as_json([first, second]), "a.json")


def test_predictions_of_mteb_are_a_run():
    run = read_run(SEARCH_TOOLS["mteb predictions"], "a.json")
    assert run.to_dict() == {"q1": {"d1": 0.9, "d2": 0.25}, "q2": {"d1": 0.5}}
    several = SHAPES["mteb predictions"] | {"de": {"dev": {"q1": {"d1": 1.0}}}}
    with pytest.raises(ReadError, match="2 subsets and splits: 'default test', 'de dev'"):
        read_run(as_json(several), "a.json")
    with pytest.raises(ReadError, match="It looks like a run"):
        read_qrels(SEARCH_TOOLS["mteb predictions"], "a.json")
    labels = {"mteb_model_meta": {}, "default": {"test": {"q1": 1}}}
    with pytest.raises(ReadError, match="the number 1 as query 'q1'"):
        read_run(as_json(labels), "a.json")
    with pytest.raises(ReadError, match="0 subsets and splits"):
        read_run(as_json({"mteb_model_meta": {}}), "a.json")


def test_long_texts_that_begin_alike_are_two_documents():
    one, other = "x" * 200 + "1", "x" * 200 + "2"
    rows = [{"question": "q", "retrieved_contexts": [one, other], "reference_contexts": [other]}]
    run, qrels = read_all(Run, as_json(rows), "a.json")
    assert len(run) == 2
    assert set(qrels.to_dict()["q"]) < set(run.to_dict()["q"])


def test_rows_without_what_is_relevant_name_the_key_that_is_missing():
    rows = [{"user_input": "q", "retrieved_contexts": ["a"]}]
    with pytest.raises(ReadError, match="reference_contexts"):
        read_all(Run, as_json(rows), "a.json")


def test_llamaindex_s_data_set_lists_what_is_relevant():
    qrels = read_qrels(SEARCH_TOOLS["llamaindex dataset"], "a.json")
    assert qrels.to_dict() == {"u1": {"n1": 1}, "u2": {"n1": 1, "n2": 1}}


def test_lines_of_an_llm_judge_keep_reason_and_confidence():
    qrels = read_qrels(SEARCH_TOOLS["llm judge"].replace(b"}, {", b"}\n{").strip(b"[]"), "a.jsonl")
    assert qrels.to_dict() == {"q1": {"d1": 3, "d2": 0}}
    assert qrels.reasons == {
        "q1": {"d1": "Exact match. (confidence 0.95)", "d2": "(confidence 0.4)"}
    }
    table = b"query,docid,rating,confidence\nq1,d1,2,high\nq1,d2,0,\n"
    assert read_qrels(table, "a.csv").reasons == {"q1": {"d1": "(confidence high)"}}


def test_rank_llm_s_requests_are_a_run():
    # The reranker changed the order and kept the scores of the first stage.
    run = read_run(SEARCH_TOOLS["rankllm"], "a.json")
    assert run.to_dict() == {"264014": {"6641238": 2, "4834547": 1}}


@cases(
    ("value", "words"),
    [
        ({"responses": [{"hits": {"hits": [{}]}}]}, "hit 1 of query 'q1'"),
        ({"responses": [{"hits": {"hits": []}}, 3]}, "the answer to search 2"),
        (
            {"hits": {"hits": [{"_id": "a", "_score": 1}, {"_id": "b"}]}},
            "1 of 2 hits of query 'q1' without a _score",
        ),
        ({"judgmentRatings": [{"query": "q"}]}, "the judgments of a query"),
        ({"judgmentRatings": [{"query": "q", "ratings": [1]}]}, "a rating of query 'q'"),
        ({"searchConfigurationList": [], "results": {"q": 1}}, "the results of query 'q'"),
        ({"searchConfigurationList": [], "results": {"q": {"c": 1}}}, "the documents of 'c'"),
        ({"searchConfigurationList": [], "results": [1]}, "the results of a query"),
        ({"queries": [{"ratings": {"d": 1}}]}, "a query without its text"),
        ({"queries": [{"query": "q", "ratings": 3}]}, "the ratings of query 'q'"),
        ({"queries": [{"query": "q", "ratings": [3]}]}, "a rating of query 'q'"),
        (
            {"queries": [{"query": "q", "relevant_documents": {"1": 3}}]},
            "the documents of query 'q'",
        ),
        ([{"query": {}, "candidates": []}], "the qid of a query"),
        ([{"query": {"qid": "q"}, "candidates": [3]}], "a candidate of query 'q'"),
    ],
)
def test_a_part_of_the_wrong_type_is_refused_where_it_is(value, words):
    with pytest.raises(ReadError) as error:
        read_all(Qrels, as_json(value), "a.json")
    assert words in str(error.value)


@cases(
    "key",
    [
        *("judgmentRatings", "results", "documentIds", "queries", "relevant_docs", "responses"),
        *("hits", "retrieved_ids", "retrieved_context_ids", "retrieval_context"),
    ],
)
def test_queries_that_are_called_as_a_tool_s_keys_are_queries(key):
    rows = {key: {"d": 2.5, "hits": 1.5}, "queries": {"d": 1.0}, "searchText": {"e": 1.0}}
    run = Run.from_dict(rows)
    assert read_run(as_input(run)).to_dict() == run.to_dict()
    assert read_run(as_json(rows), "run.json").to_dict() == run.to_dict()
    assert may_hold_keys(pa.array([key]))


HITS = [{"id": "b", "score": 0.5}, {"id": "a", "score": 0.25}]
ANSWERS = {
    "Qdrant": {"result": {"points": HITS}, "status": "ok", "time": 0.1},
    "Qdrant's search": {"result": HITS, "status": "ok", "time": 0.1},
    "Pinecone": {"matches": HITS, "namespace": "", "usage": {"readUnits": 5}},
    "Weaviate": {"data": {"Get": {"Article": [{"_additional": {"id": of}} for of in "ba"]}}},
    "Chroma": {"ids": [["b", "a"]], "distances": [[0.1, 0.2]], "documents": [["B", "A"]]},
    "Vespa": {"root": {"children": [{"id": of, "relevance": "ab".find(of)} for of in "ba"]}},
    "Solr": {"responseHeader": {"status": 0}, "response": {"numFound": 2, "docs": HITS}},
}


@cases("tool", ANSWERS)
def test_the_answer_of_a_database_is_a_run_of_one_unnamed_query(tool):
    run = read_run(as_json(ANSWERS[tool]), "a.json")
    assert UNNAMED in codes(run)
    (documents,) = run.to_dict().values()
    assert sorted(documents, key=documents.get) == ["a", "b"]
    lines = b"\n".join([as_json(ANSWERS[tool])] * 2)
    assert read_run(lines, "a.jsonl").queries == ("q1", "q2")


def test_a_batch_of_qdrant_has_a_query_for_each_search():
    named = [{"query": "x"} | ANSWERS["Qdrant"], {"query": "y"} | ANSWERS["Qdrant"]]
    assert read_run(as_json(named), "a.json").queries == ("x", "y")
    batch = {"result": [{"points": HITS}, {"points": HITS[:1]}]}
    assert read_run(as_json(batch), "a.json").to_dict() == {"q1": {"b": 2, "a": 1}, "q2": {"b": 1}}


def test_a_search_that_found_nothing_is_a_query_without_documents():
    empty = {"matches": [], "namespace": ""}
    run = read_run(b"\n".join(map(as_json, [empty, ANSWERS["Pinecone"]])), "a.jsonl")
    assert run.queries == ("q2",)
    assert "N-NO-DOCUMENT" in codes(run)
    with pytest.raises(ReadError, match="E-EMPTY"):
        read_run(as_json(empty), "a.json")
    # A column of a table may be called so.
    rows = [{"qid": "q", "docid": "d", "score": 1, "matches": []}]
    assert read_run(as_json(rows), "a.json").to_dict() == {"q": {"d": 1}}


def test_a_distance_is_not_taken_for_a_score():
    far = [{"id": "near", "score": 0.1}, {"id": "far", "score": 9.5}]
    assert read_run(as_json({"matches": far})).to_dict() == {"q1": {"near": 2, "far": 1}}


def test_the_recommendations_of_spark_are_a_run():
    rows = [
        {"userId": 1, "recommendations": [{"movieId": 9, "rating": 4.9}]},
        {"userId": 2, "recommendations": []},
        {"userId": 3, "recommendations": [{"movieId": 7, "rating": 4.5}]},
    ]
    run = read_run(as_json(rows), "a.json")
    assert run.to_dict() == {"1": {"9": 4.9}, "3": {"7": 4.5}}
    assert {"N-NUMBER-ID", "N-NO-DOCUMENT"} <= codes(run)
    # A query called so, beside another one.
    graded = {"recommendations": [{"doc": "a", "grade": 3}], "q2": [{"doc": "b", "grade": 0}]}
    assert set(read_qrels(as_json(graded)).queries) == {"recommendations", "q2"}


def test_the_passages_of_dpr_are_a_run_and_whether_they_have_an_answer_are_qrels():
    found = [
        {"id": "w:1", "text": "x", "score": "81.2", "has_answer": False},
        {"id": "w:2", "text": "Bob", "score": "80.1", "has_answer": True},
    ]
    run, qrels = read_all(Run, as_json([{"question": "who", "answers": ["Bob"], "ctxs": found}]))
    assert run.to_dict() == {"who": {"w:1": 81.2, "w:2": 80.1}}
    assert qrels.to_dict() == {"who": {"w:1": 0, "w:2": 1}}
    assert "N-GRADED-RANKING" in codes(qrels)
    assert "N-GRADED-RANKING" not in codes(run)


def test_parallel_lists_are_the_queries_of_haystack_and_of_ragas():
    lists = {
        "questions": ["q1", "q2"],
        "ground_truth_documents": [[{"id": "a", "content": "A"}], [{"id": "b"}]],
        "retrieved_documents": [[{"id": "z", "score": 0.9}, {"id": "a"}], [{"id": "b"}]],
    }
    run, qrels = read_all(Run, as_json(lists))
    assert run.to_dict() == {"q1": {"z": 2, "a": 1}, "q2": {"b": 1}}
    assert qrels.to_dict() == {"q1": {"a": 1}, "q2": {"b": 1}}
    ragas = {"user_input": ["Who?"], "retrieved_contexts": [["A", "B"]]}
    run, _ = read_all(Run, as_json(ragas | {"reference_contexts": [["B"]]}))
    assert run.to_dict() == {"Who?": {"A": 2, "B": 1}}


def test_a_judgment_of_umbrela_that_failed_is_unjudged():
    judged = {"query": "q", "passage": "A flea.", "judgment": 3, "result_status": 1}
    failed = judged | {"passage": "Dogs bark.", "judgment": 0, "result_status": 0}
    qrels = read_qrels(as_json([judged, failed]))
    assert qrels.to_dict() == {"q": {"A flea.": 3}}
    assert {"N-UNPARSED", "N-TEXTS-AS-IDS"} <= codes(qrels)
    # With an id it is a table of grades.
    assert read_qrels(as_json([judged | {"docid": "d1"}])).to_dict() == {"q": {"d1": 3}}


def test_no_list_is_the_query_of_a_judgment_and_no_odd_key_the_name_of_a_search():
    """Found by fuzzing: a list became the id of a query, and an object a TypeError."""
    judged = {"query": ["q"], "passage": "A flea.", "judgment": 3}
    with pytest.raises(ReadError, match="a list as the query of a judgment"):
        read_qrels(as_json([judged]))
    hits = {"hits": {"hits": [{"_id": "d", "_score": 1.5}]}}
    answers = {"responses": [hits | {"\0": {"_id": "x"}}]}
    assert read_run(as_json(answers)).to_dict() == {"q1": {"d": 1.5}}


def test_an_unknown_form_is_called_so_with_its_keys():
    value = {"run_name": "x", "run_type": "automatic", "turns": [{"turn_id": "1"}]}
    with pytest.raises(ReadError, match="unknown form, with the keys 'run_name', 'run_type', 'tur"):
        read_run(as_json(value), "a.json")


LISTED = {"q1": {"d1": 2, "d2": 1}}


@cases(
    "cells",
    [
        "\"['d1', 'd2']\",\"['d2']\"",
        '"[""d1"", ""d2""]","[""d2""]"',
        "\"['d1',\n 'd2']\",\"['d2']\"",
    ],
)
def test_lists_in_the_cells_of_a_table_are_read_as_records_with_lists(cells):
    run, qrels = read_all(Run, f"question,retrieved,relevant\nq1,{cells}\n".encode(), "a.csv")
    assert (run.to_dict(), qrels.to_dict()) == (LISTED, {"q1": {"d2": 1}})
    table = f"question,retrieved,relevant\n\nq1,{cells}\nq2,['a' 'b'],['a']\n"
    with pytest.raises(ReadError, match=r"\"\['a' 'b'\]\"; expected a list of JSON or Python"):
        read_all(Run, table.encode(), "a.csv")


@cases(
    ("name", "data", "what"),
    [
        ("prediction.txt", b"1 [2,1,3]\n2 [1,2]\n", "impressions of MIND"),
        ("behaviors.tsv", b"1\tU1\t11/11/2019 9:05:58 AM\tN5 N4\tN1-1 N2-0\n", "impressions"),
        ("n.jsonl", b'{"qid": "1", "nuggets": [{"text": "n"}], "run_id": "m"}\n' * 2, "nuggets"),
        ("n.json", b'[{"qid": "1",\n "nuggets": [{"text": "n"}]}]', "nuggets"),
    ],
)
def test_a_form_that_is_not_read_is_called_by_its_name(name, data, what):
    for role in ("", "run", "qrels"):
        (problem,) = add_files([Given(name, data, role)]).problems
        assert what in str(problem)
        assert "[E-FORMAT]" in str(problem)
    # A column or a query may be called so.
    row = {"qid": "q", "document": "d", "score": 1, "nuggets": [{"text": "n"}]}
    assert read_run(as_json([row]), "a.json").to_dict() == {"q": {"d": 1}}
    assert read_run(b'{"qid": {"a": 1}, "nuggets": ["d1"]}').queries == ("qid", "nuggets")
