"""The findings on uploaded data, and the changes that make ids match."""

import pytest

from metrics import Convention, Dataset, Qrels, Run, evaluate
from metrics.auditing import audit
from metrics.auditing.coverage import coverage
from metrics.auditing.id_mismatch import KEYS, TRANSPOSED, for_queries, for_run
from metrics.auditing.intake import Given, add_files, mended
from metrics.errors import NoOverlapError
from metrics.rendering import data_tables
from metrics.sessions.session_file import Session, load, save
from tests.cases import cases

QRELS = Qrels.from_dict({"q1": {"a": 2, "b": 0}, "q2": {"a": 1, "b": 0}})


def findings(qrels, run):
    return [f for f in audit.findings(Dataset("mine", qrels, (run,))) if f.about != "qrels"]


@cases(
    ("reason", "run", "qrels"),
    [
        ("white space", "q 1", "q1"),
        ("white space", "q1\u200b", "q1"),
        ("upper and lower case", "Q1", "q1"),
        ("characters that look alike", "\uff511", "q1"),
        ("characters that look alike", "d\u0430", "da"),
        ("a trailing .0", "1.0", "1"),
        ("quotation marks", '"q1"', "q1"),
        ("quotation marks", "q1", "\u201cq1\u201d"),
        ("quotation marks", "'007", "007"),
        ("quotation marks", '="007"', "007"),
        ("zeros in front of a number", "q001", "q1"),
        ("zeros in front of a number", "q1", "q01"),
        ("a prefix", "topic-1", "q1"),
        ("a prefix", "1", "q1"),
        ("a prefix that ends in : / # or |", "http://x/#alpha", "alpha"),
        ("a file name's ending", "alpha.txt", "alpha"),
    ],
)
def test_the_likely_reason_is_named(reason, run, qrels):
    found = for_queries([run], [qrels])
    assert (found.reason, found.example) == (reason, (run, qrels))
    assert found.reason in KEYS


def test_no_change_is_offered_that_would_merge_ids():
    assert for_queries(["AB", "Ab"], ["ab"]) is None
    assert for_queries(["alpha"], ["beta"]) is None


def test_queries_are_fixed():
    run = Run.from_dict({"1": {"a": 2, "b": 1}, "2": {"b": 2}, "9": {"a": 1}}, "r")
    taken = add_files(
        [
            Given("r.json", b'{"1": {"a": 2, "b": 1}, "2": {"b": 2}}', "run"),
            Given("q.json", b'{"q1": {"a": 2, "b": 0}, "q2": {"a": 1}}', "qrels"),
        ]
    )
    assert taken.dataset is None
    dataset, mends = taken.apart
    (fixed,) = mended(dataset, mends).runs
    assert fixed.to_dict() == {"q1": {"a": 2, "b": 1}, "q2": {"b": 2}}
    assert "Changed on request: query ids differ by a prefix" in fixed.notes[-1].text
    # Ids that do not match are changed by the same rule.
    assert for_run(run, QRELS).apply(run, QRELS).queries == ("q1", "q2", "q9")


def test_a_transposed_run_is_recognised():
    run = Run.from_dict({"a": {"q1": 3, "q2": 2}, "b": {"q1": 1}}, "r")
    found = for_run(run, QRELS)
    assert found.reason == TRANSPOSED
    assert found.apply(run, QRELS).to_dict() == {"q1": {"a": 3, "b": 1}, "q2": {"a": 2}}
    with pytest.raises(NoOverlapError, match="transposed"):
        audit.require_overlap(QRELS, run)


def test_the_judged_and_the_unjudged_share_add_up_as_printed():
    for judged in range(1, 80):
        shown = audit.few_judged(10, judged / 80).partition(" %")[0]
        assert round(data_tables._percent(judged / 80) + float(shown), 9) == 100


def test_documents_are_fixed_where_none_was_judged():
    run = Run.from_dict({"q1": {"doc_a": 3, "doc_b": 2, "doc_c": 1}, "q2": {"doc_a": 1}}, "r")
    qrels = Qrels.from_dict({"q1": {"7:doc_a": 1, "7:doc_b": 0}, "q2": {"7:doc_a": 1}})
    (unjudged,) = [each for each in findings(qrels, run) if each.mend]
    assert "0 % of the top 3 documents" in unjudged.text
    fixed = unjudged.mend.apply(run, qrels)
    assert fixed.to_dict()["q1"] == {"7:doc_a": 3, "7:doc_b": 2, "7:doc_c": 1}


@cases(
    ("form", "notes"),
    [
        ("DOC-{}".format, 0),
        ("d{:0>4}".format, 0),
        ("D{}".format, 0),
        ("{}.0".format, 0),
        ("{}.pdf".format, 0),
        (lambda text: f"{'xyz'[int(text) % 3]}-{text}", 1),
    ],
)
def test_a_changed_run_scores_as_one_that_was_right_from_the_start(form, notes):
    # Equal scores are ordered by id: those of unjudged documents count too.
    scores = {str(n): 1.0 for n in range(1, 31)}
    plain = "d{}".format if form("1")[0] in "dD" else str
    right = Run.from_dict({"q": {form(n): score for n, score in scores.items()}}, "right")
    given = Run.from_dict({"q": {plain(n): score for n, score in scores.items()}}, "given")
    judged = Qrels.from_dict({"q": {form(str(n)): n % 3 for n in range(1, 31, 2)}})
    (mend,) = [each.mend for each in findings(judged, given) if each.mend]
    fixed = mend.apply(given, judged)
    assert ("left unchanged" in fixed.notes[-1].text) == bool(notes)
    if not notes:
        assert fixed.to_dict() == right.to_dict()


@pytest.mark.parametrize(
    ("odd", "qrels"),
    [
        ("abc", {"1": 1, "2": 0, "3": 1}),
        ("9" * 990, {f"collection-{n}": 1 for n in (1, 2, 3)}),
    ],
)
def test_no_id_becomes_one_that_no_file_may_have(odd, qrels):
    prefix = "" if "collection-1" in qrels else "doc"
    run = Run.from_dict({"q": {f"{prefix}{n}": n for n in (1, 2, 3)} | {odd: 0.5}}, "r")
    judged = Qrels.from_dict({"q": qrels})
    (mend,) = [each.mend for each in findings(judged, run) if each.mend]
    fixed = mend.apply(run, judged)
    assert set(fixed.to_dict()["q"]) == {*qrels, odd}
    assert "1 id not in the qrels was left unchanged" in fixed.notes[-1].text
    opened = load(save(Session(Dataset("", judged, (fixed,)))), "s.zip").dataset
    assert opened.runs[0].digest == fixed.digest


def test_ids_that_have_the_form_of_the_qrels_keep_it():
    run = Run.from_dict({"q": {"1": 3, "2": 2, "d7": 1, "8": 1}}, "r")
    qrels = Qrels.from_dict({"q": {"d1": 1, "d2": 0}})
    (mend,) = [each.mend for each in findings(qrels, run) if each.mend]
    assert set(mend.apply(run, qrels).to_dict()["q"]) == {"d1", "d2", "d7", "d8"}


def test_missing_queries_and_what_they_do_to_the_mean():
    run = Run.from_dict({"q1": {"a": 3, "b": 2, "c": 1}, "x": {"a": 1}}, "r")
    missing, extra, unjudged = findings(QRELS, run)
    assert "1 of 2 judged queries is missing from the run: 'q2'" in missing.text
    means = [
        evaluate(QRELS, run, "nDCG@10", Convention(queries=policy)).mean.iloc[0]
        for policy in ("qrels", "both")
    ]
    assert f"{means[0]:.4f} with zeros, {means[1]:.4f} without" in missing.text
    assert "1 query of 2 in the run was not judged and left out: 'x'" in extra.text
    assert "33.3 % of the top 3 documents" in unjudged.text
    assert [each.warns for each in (missing, extra, unjudged)] == [True, True, False]


def test_a_fragment_is_reported_without_a_warning():
    found = findings(QRELS, Run.from_dict({"q1": {"a": 1}}, "r"))
    assert ["missing from the run" in each.text and not each.warns for each in found] == [True]


def test_grades_that_leave_something_open_are_reported():
    said = [
        str(f)
        for f in audit.findings(
            Dataset("", Qrels.from_dict({"q1": {"a": 1, "b": 0}, "q2": {"a": 0}}), ())
        )
    ]
    assert said[0].startswith("qrels: 1 query has no relevant document: 'q2'.")
    assert "only 0 and 1" in said[1]


def test_coverage_counts_as_by_hand():
    run = Run.from_dict({"q1": {"a": 3, "x": 2, "b": 2, "y": 2}, "q2": {"a": 1}})
    seen = coverage(QRELS, run, 2)
    assert seen.judged.to_dict() == {"q1": 0.5, "q2": 1.0}
    assert (seen.top.tolist(), seen.tied, seen.cut) == ([2, 1], 3, 1)
    assert seen.share == 2 / 3
    more = Run.from_dict(run.to_dict() | {"x": {"a": 1, "b": 1, "c": 1}})
    assert coverage(QRELS, more, 2).cut == 1
    assert coverage(QRELS, run, 1).cut == 0
    assert coverage(QRELS, run, 4).cut == 0


def test_qrels_that_were_uploaded_as_a_run_are_reported():
    rows = {"q1": {"a": 2, "b": 0, "c": 1}}
    data = Dataset(
        "", Qrels.from_dict(rows), (Run.from_dict(rows), Run.from_dict({"q1": {"a": 1}}))
    )
    said = [each for each in audit.findings(data) if "the qrels file" in each.text]
    assert [each.warns for each in said] == [True]


def test_a_run_that_retrieves_its_own_queries_is_reported():
    qrels = Qrels.from_dict({"a": {"x": 1}, "b": {"x": 1}, "c": {"x": 1}})
    some = {"a": {"a": 2.0, "x": 1.0}, "b": {"x": 1.0, "b": 0.5}, "c": {"x": 1.0}}
    found = [each.text for each in findings(qrels, Run.from_dict(some, "r"))]
    assert sum("In 2 of 3 queries the run retrieves the document that has" in t for t in found) == 1
    # Another document may have the id of a query by chance.
    few = {"a": {"a": 2.0, "x": 1.0}, "b": {"x": 1.0}, "c": {"x": 1.0}}
    assert not any("own_document" in each.text for each in findings(qrels, Run.from_dict(few, "r")))


def test_a_run_with_far_shorter_lists_is_named_beside_the_longest():
    qrels = Qrels.from_dict({f"q{q}": {"d0": 1, "d1": 0} for q in range(3)})
    sizes = {"a": 10, "b": 100, "c": 90}
    lists = {name: {f"d{i}": -i for i in range(n)} for name, n in sizes.items()}
    runs = [Run.from_dict(dict.fromkeys(qrels.queries, given), n) for n, given in lists.items()]
    every = audit.findings(Dataset("mine", qrels, tuple(runs)))
    said = [each for each in every if "median" in each.text]
    assert [each.about for each in said] == ["a"]
    assert (
        "has 10 documents in 'a', and 100 in 'b': measures that look below rank 10" in said[0].text
    )


def test_a_query_of_the_qrels_without_a_judgment_is_missing_from_a_run():
    qrels = Qrels.from_dict({"q1": {"d": 1}, "q2": {}})
    assert coverage(qrels, Run.from_dict({"q1": {"d": 1}})).only_qrels == ("q2",)
