"""What people of the field drop together: nothing is taken for texts or lost without a word."""

import pytest

from metrics import Qrels, Run
from metrics.auditing.intake import Given, add_files
from metrics.reading.problems import UNUSED_COLUMNS
from tests.cases import cases

MODEL = "u1 Q0 i5 1 9 m\nu1 Q0 i9 2 8 m\nu2 Q0 i4 1 9 m\nu2 Q0 i3 2 8 m\n"
TRUTH = {"u1": {"i5": 1}, "u2": {"i3": 1}}


def drop(role="", **files):
    """Drop files; the last underscore of a name is its dot."""
    named = {".".join(name.rsplit("_", 1)): text.encode() for name, text in files.items()}
    return add_files([Given(name, data, role) for name, data in named.items()])


def roles(taken):
    return [each.role or ("open" if each.is_open else "refused") for each in taken.seen]


@cases("mark", ["\t", ",", " ", ";", "|"])
@pytest.mark.parametrize("name", ["truth_txt", "qrels_txt"])
def test_one_relevant_item_for_each_user_is_read_as_judgments(mark, name):
    taken = drop(**{name: f"u1{mark}i5\nu2{mark}i3\n", "model_run": MODEL})
    assert taken.dataset.qrels.to_dict() == TRUTH
    assert not taken.dataset.query_texts


@cases("mark", [",", " ", ";", "|"])
def test_pairs_alone_are_read_or_asked_about(mark):
    (seen,) = drop(truth_txt=f"u1{mark}i5\nu2{mark}i3\n").seen
    assert "qrels" in (seen.role, *seen.fits)


def test_what_is_to_be_left_out_is_not_read_as_texts_or_judgments():
    for name, role in (("exclude_txt", "excluded"), ("seen_txt", "open"), ("pairs_txt", "open")):
        taken = drop(
            **{name: "u1\ti9\nu2\tx\n", "qrels_txt": "u1 0 i5 1\nu2 0 i3 1\n", "model_run": MODEL}
        )
        assert roles(taken)[0] == role


@cases(
    ("name", "content", "found"),
    [
        (
            "labels_csv",
            "query,doc_id,title,grade\nu1,i5,Red shoe,3\nu1,i9,Blue,\n",
            "an empty grade",
        ),
        ("labels_csv", "query,doc_id,title,grade\nu1,i5,Red shoe,3\nu1,i9,Blue,x\n", "'x'"),
        ("dense_csv", "query,doc_id,text,score\nu1,i5,Red,0.5\nu1,i9,Blue,nan\n", "'nan'"),
        ("dense_csv", "query,doc_id,text,score\nu1,i5,Red,0.5\nu1,i9,Blue,12%\n", "'12%'"),
    ],
)
def test_a_row_with_a_title_and_an_odd_cell_is_refused_and_never_a_text(name, content, found):
    taken = drop(**{name: content, "qrels_txt": "u1 0 i5 1\nu2 0 i3 1\n", "model_run": MODEL})
    assert (roles(taken)[0], taken.dataset) == ("refused", None)
    assert taken.problems[0].problems[0].found == found


def test_judgments_of_the_same_documents_by_two_are_those_of_two_judges():
    human, model = "u1 0 i5 2\nu2 0 i3 1\n", "u1 0 i5 1\nu2 0 i3 0\n"
    taken = drop(qrels_gpt_txt=model, qrels_human_txt=human, model_run=MODEL)
    assert taken.dataset.qrels.to_dict() == {"u1": {"i5": 2}, "u2": {"i3": 1}}
    assert [judge.name for judge in taken.dataset.judges] == ["qrels_gpt"]
    apart = drop(train_txt="u1 0 i1 1\nu2 0 i2 1\n", test_txt=human, model_run=MODEL)
    assert apart.dataset is None
    assert "2 files contain judgments (train, test)" in str(apart.problems[0])


@cases(
    "table",
    [
        'query_id,doc_id\nq1,"d1, d2"\nq2,d3\n',
        "query_id,document\nq1,d1 d2\nq2,d3\n",
        "query_id,relevant_docs\nq1,\"['d1', 'd2']\"\nq2,['d3']\n",
        "query_id\tdoc_id\nq1\td1|d2\nq2\td3\n",
    ],
)
def test_several_ids_in_a_cell_are_several_documents(table):
    (qrels,) = drop("qrels", gold_csv=table).read
    assert qrels.to_dict() == {"q1": {"d1": 1, "d2": 1}, "q2": {"d3": 1}}


@cases(
    "answer",
    [
        '{"query":"q1","results":[{"id":"d1","score":0.2},{"id":"d2","score":0.8}]}',
        '{"query":"q1","hits":[{"id":"d1","score":0.2},{"id":"d2","score":0.8}]}',
    ],
)
def test_the_scores_of_an_answer_count_and_not_its_order(answer):
    (run,) = drop(run_json=answer).read
    assert run.to_dict() == {"q1": {"d2": 0.8, "d1": 0.2}}


def test_a_gold_label_beside_a_score_is_the_grade_of_qrels_and_no_part_of_a_run():
    lines = "Q268\tR4\t1\t0.5\tfalse\nQ268\tR6\t2\t0.25\ttrue\n"
    (gold,) = drop("qrels", gold_txt=lines).read
    (run,) = drop("run", mine_txt=lines).read
    assert isinstance(gold, Qrels)
    assert gold.to_dict() == {"Q268": {"R4": 0, "R6": 1}}
    assert isinstance(run, Run)
    assert run.to_dict() == {"Q268": {"R4": 0.5, "R6": 0.25}}


def test_columns_of_scores_beside_a_label_are_no_judges():
    table = "qid,docid,bm25_score,ce_score,label\nq1,d1,9.1,0.2,0\nq1,d2,8.0,0.9,2\n"
    (qrels,) = drop("qrels", scores_csv=table).read
    assert qrels.to_dict() == {"q1": {"d1": 0, "d2": 2}}
    (note,) = (each for each in qrels.notes if each.code == UNUSED_COLUMNS)
    assert "'bm25_score', 'ce_score'" in str(note)


@cases(
    ("name", "content", "attributes"),
    [
        ("a_csv", "query_id,segment\nu1,head\nu2,tail\n", {"segment": "head tail"}),
        (
            "q_tsv",
            "query_id\tdevice\tlocale\tweight\nu1\tmobile\tde\t9\nu2\tdesktop\ten\t3\n",
            {"device": "mobile desktop", "locale": "de en", "weight": "9 3"},
        ),
        ("a_tsv", "query_id\tsegment\nu1\thead\nu2\ttail\n", {"segment": "head tail"}),
        ("w_tsv", "query\tfrequency\nu1\t9\nu2\t3\n", {"frequency": "9 3"}),
        ("g_csv", "query,group,hits\nu1,a,9\nu2,b,3\n", {"group": "a b", "hits": "9 3"}),
        (
            "a_jsonl",
            '{"query": "u1", "freq": 9, "hour": "m"}\n{"query": "u2", "freq": 3, "hour": "k"}\n',
            {"freq": "9 3", "hour": "m k"},
        ),
    ],
)
def test_every_column_beside_a_query_is_an_attribute(name, content, attributes):
    taken = drop(**{name: content, "qrels_txt": "u1 0 i5 1\nu2 0 i3 1\n", "model_run": MODEL})
    found = {key: " ".join(of.values()) for key, of in taken.dataset.query_attributes.items()}
    assert (found, taken.dataset.query_texts) == (attributes, {})
    assert not [each for each in taken.notes if each.code == UNUSED_COLUMNS]


def test_of_columns_beside_query_texts_numbers_and_what_repeats_are_attributes():
    topics = (
        "query_id,query,device,freq,narrative\n"
        "u1,red shoes,m,9,Shoes that are red\nu2,hat,m,3,Any hat\n"
    )
    taken = drop(q_csv=topics, qrels_txt="u1 0 i5 1\nu2 0 i3 1\n", model_run=MODEL)
    assert taken.dataset.query_texts == {"u1": "red shoes", "u2": "hat"}
    assert [*taken.dataset.query_attributes] == ["device", "freq"]
    assert [str(each) for each in taken.notes if each.code == UNUSED_COLUMNS] == [
        "q.csv: columns that are not used: 'narrative'."
    ]


def test_files_of_attributes_are_joined_and_one_attribute_of_two_files_is_refused():
    rows = {"qrels_txt": "u1 0 i5 1\nu2 0 i3 1\n", "model_run": MODEL}
    device, hour = "query,device\nu1,m\nu2,m\n", "query,hour\nu1,noon\nu2,noon\n"
    taken = drop(a_csv=device, b_csv=hour, **rows)
    assert [*taken.dataset.query_attributes] == ["device", "hour"]
    (problem,) = drop(a_csv=device, b_csv=device, **rows).problems
    assert "b.csv: found attributes of queries again" in str(problem)


@cases(
    ("content", "said"),
    [
        ("query,device,frequency\nu1,m,9\nu2,m,-3\n", "line 3: found '-3' as 'frequency'"),
        ("query,frequency\nu1,9\nu2,many\n", "line 3: found 'many' as 'frequency'"),
        ("query,weight\nu1,9\nu1,8\n", "line 3: found the id 'u1' again; expected each query once"),
    ],
)
def test_a_weight_that_is_no_number_and_a_query_of_two_values_are_refused_by_line(content, said):
    (problem,) = drop(w_csv=content, qrels_txt="u1 0 i5 1\nu2 0 i3 1\n", model_run=MODEL).problems
    assert f"w.csv, {said}" in str(problem)


def test_rows_of_a_query_and_a_document_are_texts_only_if_somebody_says_so():
    taken = drop(
        notes_csv="query,doc_id,passage,ann\nu1,i5,Red,a\nu2,i3,Blue,b\n",
        qrels_txt="u1 0 i5 1\nu2 0 i3 1\n",
        model_run=MODEL,
    )
    assert (roles(taken)[0], taken.dataset) == ("open", None)


@cases(
    ("content", "code"),
    [
        ("cheap red shoes\tsku-1\t9.5\ncheap red shoes\tsku-2\t8.5\n", "E-FORMAT"),
        ("query,sku,title,cosine\nshoes,s1,Red,0.5\nshoes,s2,Blue,0.4\n", "E-HEADER"),
    ],
)
def test_rows_whose_first_cell_comes_again_are_not_told_to_be_texts(content, code):
    (problem,) = drop(rows_txt=content).problems[0].problems
    assert problem.code == code
    assert "again" not in problem.found


def test_groups_of_hits_are_no_documents():
    grouped = """{"root": {"children": [{"id": "group:root:0", "relevance": 1.0},
        {"id": "index:music/0/abc", "relevance": 0.5}]}}"""
    (run,) = drop(answer_json=grouped).read
    assert run.to_dict() == {"q1": {"index:music/0/abc": 0.5}}


@cases("label", ['"Exact"', "true"])
def test_labels_of_a_known_scale_are_read_in_every_form_of_json(label):
    other = "false" if label == "true" else '"Irrelevant"'
    top = 1 if label == "true" else 2
    for form in (
        f'{{"q1": {{"a": {label}, "b": {other}}}}}',
        f'[{{"query": "q1", "doc": "a", "label": {label}}},'
        f' {{"query": "q1", "doc": "b", "label": {other}}}]',
    ):
        (qrels,) = drop("qrels", labels_json=form).read
        assert qrels.to_dict() == {"q1": {"a": top, "b": 0}}


@cases(
    "answers",
    [
        '{"results": [{"hits": [{"objectID": "d1"}], "query": "q1"}]}',
        '{"results": [{"hits": [{"document": {"id": "d1"}, "text_match": 1}],'
        ' "request_params": {"q": "q1"}}]}',
        '{"results": [{"indexUid": "x", "hits": [{"id": "d1"}], "query": "q1"}]}',
    ],
)
def test_the_answers_to_several_searches_are_read_together(answers):
    (run,) = drop(answers_json=answers).read
    assert list(run.to_dict()["q1"]) == ["d1"]


def test_predicted_ratings_do_not_judge_themselves():
    lists = '{"u1":[{"item":"a","rating":4.9},{"item":"b","rating":4.1}]}'
    (run,) = drop(top_json=lists).read
    assert run.to_dict() == {"u1": {"a": 4.9, "b": 4.1}}
    # Half stars are given by people.
    both = drop(top_json=lists.replace("4.9", "4.5").replace("4.1", "4.0")).read
    assert {type(each) for each in both} == {Run, Qrels}


@cases(
    ("column", "scores"),
    [("rerank_score", [0.2, 0.9]), ("cosine_distance", [-0.2, -0.9]), ("l2", [-0.2, -0.9])],
)
def test_the_only_column_that_says_score_is_it_in_files_and_frames(column, scores):
    import pyarrow as pa

    (run,) = drop(r_csv=f"query,doc_id,{column}\nq1,d1,0.2\nq1,d2,0.9\n").read
    assert [run.to_dict()["q1"][name] for name in ("d1", "d2")] == scores
    frame = pa.table({"query": ["q1", "q1"], "doc_id": ["d1", "d2"], column: [0.2, 0.9]})
    assert Run.from_frame(frame).to_dict() == run.to_dict()
