"""The recorded cases as tables: documents with their grades, and what each tool returned."""

from metrics.teaching.recorded_cases import in_words, recorded_cases
from tests.cases import cases


def test_a_case_lists_its_documents_and_those_not_retrieved():
    documents = recorded_cases()["idcg_scope"].documents
    assert documents["grade"].to_dict() == {"a": "1", "b": "3", "c": "0", "x": "3", "y": "2"}
    assert documents["score"].tolist() == ["3.0", "2.0", "1.0", *["not retrieved"] * 2]
    assert recorded_cases()["no_relevant_docs"].documents["query"].nunique() == 2
    assert recorded_cases()["duplicate_docs"].documents.index.tolist() == ["a", "b", "a"]


@cases("name", recorded_cases)
def test_every_result_is_a_number_or_an_error_in_words(name):
    for result in recorded_cases()[name].outputs["result"]:
        assert result
        assert "Error" not in result.replace("error: Error `kind`", "")
        assert "Traceback" not in result


@cases(
    ("value", "words"),
    [
        (0.5, "0.5000"),
        (4.2e-17, "4.2e-17"),
        ({"q1": {"AP": 1.0}, "q2": {"AP": 0.0}}, "q1: AP 1.0000; q2: AP 0.0000"),
        ({"error": "KeyError: 'q9'"}, "error: 'q9' is missing"),
        ({"error": "AssertionError: "}, "error: it stops without a message"),
        ({"exit_code": 4, "stderr": "trec_eval: no such file"}, "error: no such file"),
    ],
)
def test_a_value_in_words(value, words):
    assert in_words(value) == words
