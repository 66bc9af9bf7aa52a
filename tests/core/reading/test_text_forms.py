"""Text read by patterns: lines of LETOR and MovieLens, topics of TREC, texts of SMART."""

import pytest

from metrics import read_qrels, read_run, read_texts
from metrics.reading import ReadError
from metrics.reading.known import KnownError, ScoresError


def test_letor_names_its_documents_in_comments():
    lines = b"2 qid:10 1:0.03 2:0.6 #docid = GX029 inc = 1 prob = 0.2\n0 qid:10 1:0.1 # GX7\n"
    assert read_qrels(lines, "fold.txt").to_dict() == {"10": {"GX029": 2.0, "GX7": 0.0}}


LETOR = b"# test\n2 qid:10 1:0.03 2:0.6\n0 qid:10 1:0.1 2:0.3\n1 qid:11 1:0 2:0.5\n"


def test_documents_of_letor_without_ids_are_named_by_their_lines_and_are_no_run():
    graded = {"10": {"line-2": 2.0, "line-3": 0.0}, "11": {"line-4": 1.0}}
    assert read_qrels(LETOR, "fold.txt").to_dict() == graded
    with pytest.raises(ReadError) as refused:
        read_run(LETOR, "fold.txt")
    assert [problem.code for problem in refused.value.problems] == ["E-FORMAT"]


def test_a_number_without_bound_is_no_score():
    with pytest.raises(ReadError) as refused:
        read_run(f"0.25\n{'9' * 400}\n".encode(), "predictions.txt")
    assert not isinstance(refused.value, ScoresError)


@pytest.mark.parametrize("last", ["-1e-3", "7"])
def test_scores_without_ids_are_those_of_the_rows_of_letor(last):
    with pytest.raises(ScoresError) as refused:
        read_run(f"0.25\n3.5\n{last}\n".encode(), "predictions.txt")
    qrels = read_qrels(LETOR, "fold.txt")
    run = refused.value.run(qrels, "predictions")
    scored = {"10": {"line-2": 0.25, "line-3": 3.5}, "11": {"line-4": float(last)}}
    assert (run.name, run.to_dict()) == ("predictions", scored)
    with pytest.raises(ReadError) as fewer:
        refused.value.run(qrels.only("10"), "predictions")
    assert "found 3 scores; expected 2" in str(fewer.value)


@pytest.mark.parametrize("line", ["196\t242\t3\t881250949", "196::242::3::881250949"])
def test_ratings_of_movielens_are_qrels(line):
    assert read_qrels(line.encode(), "u.data").to_dict() == {"196": {"242": 3.0}}


def test_a_line_that_differs_is_reported_with_its_number():
    with pytest.raises(ReadError) as refused:
        read_qrels(b"196\t242\t3\t881250949\n\n186\t302\n", "u.data")
    assert [problem.line for problem in refused.value.problems] == [3]


def test_lines_of_cisi_are_pairs():
    assert read_qrels(
        b"   1     28\t0\t0.000000\n   1  35\t0\t0.000000\n", "CISI.REL"
    ).to_dict() == {"1": {"28": 1.0, "35": 1.0}}


def test_predictions_of_semeval_are_ranked_by_their_scores():
    lines = b"Q1\tQ1_R4\t1\t0.2\ttrue\nQ1\tQ1_R6\t2\t0.5\tfalse\n"
    assert read_run(lines, "pred.txt").to_dict() == {"Q1": {"Q1_R4": 0.2, "Q1_R6": 0.5}}


@pytest.mark.parametrize(
    "topics",
    [
        "<top>\n<num> Number: 301\n<title> Topic: Crime &amp;\n law\n<desc> x\n</top>\n",
        '<topics>\n<topic number="301">\n<query>Crime &amp; law</query>\n</topic>\n</topics>\n',
        '<?xml version="1.0"?>\n<topics><topic><number>301</number><title>Crime &amp; law</title>'
        "</topic></topics>",
    ],
)
def test_topics_of_trec_are_texts(topics):
    assert read_texts(topics.encode(), "topics.xml") == {"301": "Crime & law"}


def test_texts_of_smart_have_a_title_and_a_text():
    text = b".I 1\n.T\nshear\nflow\n.A\nX.\n.W\nsimple shear\n.X\n1\n.I 2\n.W\nwhat is .W\n"
    assert read_texts(text, "cran.all") == {"1": "shear flow. simple shear", "2": "what is .W"}


def test_a_block_without_a_title_is_reported_with_its_line():
    with pytest.raises(ReadError) as refused:
        read_texts(b"<top>\n<num> 1\n<title> a\n</top>\n<top>\n<num> 2\n</top>\n", "topics.txt")
    assert refused.value.problems[0].line == 5


@pytest.mark.parametrize(
    "text",
    [
        "map                   \tall\t0.2533\n",
        "q1\tnDCG@10\t0.4\n",
        "nDCG(dcg='exp-log2')@10\t0.4\n",
        "q1:\n  d1: 2.5\n",
    ],
)
def test_results_and_yaml_are_called_by_their_name(text):
    with pytest.raises(KnownError):
        read_run(text.encode(), "out.txt")


def test_an_id_may_look_like_a_measure_and_have_a_space_behind_it():
    assert read_run(b"q1 \tuser@12\t0.5\n", "run.tsv").to_dict() == {"q1": {"user@12": 0.5}}


def test_a_document_may_be_called_as_a_measure_is():
    assert read_run(b"q1\tR\t0.5\nq1\tP\t0.4\n", "run.tsv").to_dict() == {
        "q1": {"R": 0.5, "P": 0.4}
    }


@pytest.mark.parametrize("kind", [read_run, read_qrels])
def test_ids_in_one_cell_are_a_ranking_or_the_relevant_ones(kind):
    found = kind(b"id,labels\n1,d12 d45\n2,d7\n", "a.csv").to_dict()
    assert {query: sorted(of, key=of.get, reverse=True) for query, of in found.items()} == {
        "1": ["d12", "d45"],
        "2": ["d7"],
    }
