"""Documents left out of a query's ranking: as if their lines were in no file, by every route."""

import gzip
from dataclasses import replace

import pyarrow as pa
import pytest

from metrics import (
    TREC_EVAL,
    DataError,
    Pairing,
    Qrels,
    Run,
    compare,
    evaluate,
    judge_next,
    match,
    match_batches,
    match_file,
    one_query,
    reversal,
)
from metrics.data import LEFT_OUT
from metrics.matching import judged as matching
from metrics.matching.judged import Matcher
from metrics.matching.judged_file import packed_file, read_judged
from tests.cases import cases
from tests.core.matching.test_judged_file import identical
from tests.core.matching.test_own_document import by_worker, parquet

# x is judged in a; y is not judged in a; nothing is left of c; a query without judgments; an id
# that no file has.
OUT = {"a": ["x", "y"], "b": {"z"}, "c": ("x",), "n": ["x"], "zz": ["x"]}
GRADES = {"a": {"x": 2, "v": 1, "w": 1}, "b": {"x": 1, "z": 1}, "c": {"x": 1, "v": 1}}
ROWS = [
    *(("a", "y", 9.0), ("a", "x", 8.0), ("a", "u", 7.0), ("a", "v", 7.0)),
    *(("b", "x", 5.0), ("b", "y", 4.0), ("b", "z", 3.0)),
    ("c", "x", 1.0),
    *(("n", "x", 1.0), ("n", "v", 0.5)),
]
LEFT = [(q, d, s) for q, d, s in ROWS if d not in OUT[q]]
QRELS = Qrels.from_dict(GRADES).without(OUT)
WITHOUT = Qrels.from_dict(
    {q: {d: g for d, g in of.items() if d not in OUT[q]} for q, of in GRADES.items()}
)
RUN = Run.from_columns(*zip(*ROWS, strict=True))
TABLE = pa.table(dict(zip(("qid", "docid", "score"), zip(*ROWS, strict=True), strict=True)))


LINES = [f"{q} Q0 {d} 0 {s} t\n".encode() for q, d, s in ROWS]
TREC = b"".join(LINES)
ROUTES = {
    "dict": lambda: match(QRELS, RUN.to_dict()),
    "table": lambda: match(QRELS, TABLE),
    "batches": lambda: match_batches(QRELS, TABLE.to_batches(max_chunksize=4)),
    "TREC file": lambda: match_file(QRELS, TREC),
    "packed": lambda: match_file(QRELS, gzip.compress(TREC)),
    "queries apart": lambda: match_file(QRELS, b"".join(LINES[-1:] + LINES[:-1])),
    "Parquet": lambda: match_file(QRELS, parquet(TABLE)),
    "Spark's worker": lambda: by_worker(Matcher(QRELS, TREC_EVAL), TABLE, "abcn"),
    "removed before": lambda: match(QRELS, RUN.without(OUT)),
}


@pytest.mark.parametrize("route", ROUTES)
def test_every_route_gives_what_the_files_without_these_lines_give(route, monkeypatch):
    monkeypatch.setattr(matching, "ROWS", 3)
    found = ROUTES[route]()
    assert [str(note) for note in found.notes if note.code == LEFT_OUT] == [
        "5 excluded documents were left out; lower ranks moved up."
    ]
    # A query of whose ranking nothing is left was ranked, and scores 0.
    left = Run.from_dict({q: {d: s for of, d, s in LEFT if of == q} for q in "abcn"})
    expected = match(WITHOUT, left)
    same = replace(found, notes=(), tag="", qrels=expected.qrels)
    assert identical(same, replace(expected, notes=()))


def test_lower_ranks_move_up_and_the_ideal_lacks_the_documents_too():
    found = match(QRELS, RUN, every=True)
    assert found.hits.document.to_pylist() == ["v", "u", "x", "y"]
    assert found.hits.rank.tolist() == [1, 2, 1, 2]
    assert found.judged.document.to_pylist() == ["v", "w", "x", "v"]
    assert evaluate(QRELS, RUN, "R@1").per_query["R@1"].to_dict() == {"a": 0.5, "b": 1.0, "c": 0.0}


def test_exclusions_are_kept_counted_and_added_to():
    again = QRELS.without({"a": ["y"], "b": ["y"]})
    assert again.excluded["b"] == {"y", "z"}
    assert [str(note) for note in again.notes if note.code == LEFT_OUT] == [
        "Left out of the rankings: 7 documents of 5 queries."
    ]
    assert RUN.without(OUT).without(OUT) is not RUN
    assert len(RUN.without(OUT).without(OUT).notes) == 1
    assert QRELS.only("b").excluded == {"b": {"z"}}
    assert RUN.without({}) is RUN
    assert Qrels.from_dict(GRADES).without({"a": []}).excluded == {}


def test_an_excluded_document_that_is_judged_relevant_is_named():
    (note,) = [str(note) for note in QRELS.notes if note.warns]
    assert note == (
        "3 excluded documents are judged relevant and cannot be found, for example query 'a', "
        "document 'x'."
    )
    assert not [note for note in WITHOUT.without({"a": ["q"]}).notes if note.warns]


def test_qrels_that_exclude_other_documents_are_other_judgments():
    some, none = WITHOUT.without({"a": ["y"]}), WITHOUT
    assert len({some.digest, none.digest, WITHOUT.without({"a": ["q"]}).digest}) == 3
    judged = match(some, RUN)
    kept = read_judged(packed_file(judged)).judged
    assert kept.qrels.excluded == {"a": {"y"}}
    assert identical(kept, judged)
    assert identical(kept.by(some), judged)
    with pytest.raises(DataError, match=r"1 document excluded by the rankings or the qrels only"):
        kept.by(none)


def test_a_file_without_exclusions_has_the_version_of_those_before():
    def version(qrels):
        return b'"format": 3' in packed_file(match(qrels, RUN))

    assert (version(WITHOUT), version(QRELS)) == (False, True)


def test_what_is_computed_from_guessed_grades_lacks_them_too():
    other = Run.from_dict({"a": {"q": 3, "y": 2, "v": 1}, "b": {"y": 2, "x": 1}})
    order = judge_next(QRELS, RUN, other, "RR").order
    assert {(each.query, each.document) for each in order} == {("a", "q"), ("a", "u"), ("b", "y")}
    assert reversal(one_query(QRELS, RUN, other, "RR", "a")).unjudged == 2
    pairing = Pairing.of(QRELS, [RUN, other], "RR")
    left = Pairing.of(WITHOUT, [RUN.without(OUT), other.without(OUT)], "RR")
    assert pairing.in_common(10)[0].equals(left.in_common(10)[0])
    assert (
        compare(QRELS, RUN, other, "RR")
        .per_query("RR")
        .equals(compare(WITHOUT, RUN.without(OUT), other.without(OUT), "RR").per_query("RR"))
    )


@cases("wrong", [["x"], {"a": "x"}, {"a": [1]}, {"a": 1}, {1: ["x"]}])
def test_other_forms_are_refused_with_the_form(wrong):
    with pytest.raises(DataError, match=r"pass|Convert"):
        QRELS.without(wrong)
