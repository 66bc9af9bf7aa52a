"""Runs of spans against judged spans: which stands for which, the offer, and what it leaves."""

import random

from metrics import Dataset, Qrels, Run, evaluate, fix_ids
from metrics.auditing import audit
from metrics.auditing.id_mismatch import OF_SPANS, document_of, for_documents, joined, span_of
from tests.cases import cases


@cases(
    ("text", "found"),
    [
        *(("doc:100-250", ("doc", False, 100, 250)), ("doc@100-250", ("doc", False, 100, 250))),
        *(("doc#char=100,250", ("doc", False, 100, 250)), ("a:b#7-9", ("a:b", False, 7, 9))),
        *(("doc#L10-L20", ("doc", True, 10, 20)), ("doc#line=10,20", ("doc", True, 10, 20))),
        *(("doc:5-5", ("doc", False, 5, 6)), ("doc:0-0", ("doc", False, 0, 1))),
        *(("doc:9-5", None), ("doc-12", None), ("doc:12", None), (":1-2", None), ("doc", None)),
        *(("doc:1-2x", None), ("doc:1--2", None), ("doc_1-2", None)),
    ],
)
def test_the_span_that_an_id_names(text, found):
    span = span_of(text)
    assert (span and (*span.of, span.begin, span.end)) == found


def test_spans_that_touch_or_are_of_other_documents_or_units_do_not_overlap():
    first = span_of("d:0-100")
    assert first.overlap(span_of("d:100-200")) == 0
    assert first.overlap(span_of("d:99-200")) == 1
    assert span_of("d#L0-L9").of != span_of("d:0-9").of != span_of("e:0-9").of


def plain(spans, judged):
    """The grade of each retrieved span, in rank order: the definition, one span at a time."""
    taken, grades = set(), []
    for begin, end in spans:
        over = [
            (grade, min(end, e) - max(begin, b), -b)
            for (b, e), grade in judged.items()
            if min(end, e) > max(begin, b) and (b, e) not in taken
        ]
        if not over:
            grades.append(None)
            continue
        grade, shared, start = max(over)
        taken |= {
            each
            for each, of in judged.items()
            if of == grade
            and each[0] == -start
            and min(end, each[1]) - max(begin, -start) == shared
        }
        grades.append(grade)
    return grades


def test_each_judged_span_counts_once_for_the_best_grade_in_rank_order():
    chance, several = random.Random(3), 0
    for _ in range(300):
        cuts = sorted(chance.sample(range(40), 8))
        judged = {pair: chance.randrange(3) for pair in zip(cuts[::2], cuts[1::2], strict=True)}
        spans = list({(b := chance.randrange(35), b + chance.randrange(1, 15)) for _ in range(6)})
        run = Run.from_dict({"q": {f"d:{b}-{e}": -at for at, (b, e) in enumerate(spans)}})
        qrels = Qrels.from_dict({"q": {f"d:{b}-{e}": of for (b, e), of in judged.items()}})
        found, again = joined(run, qrels)
        ranked, grades = list(found.to_dict()["q"]), qrels.to_dict()["q"]
        wanted = plain(spans, judged)
        assert [grades.get(each) for each in ranked] == wanted
        assert len(set(ranked)) == len(spans)
        over = [
            any(min(e, y) > max(b, x) for x, y in judged) and grade is None
            for (b, e), grade in zip(spans, wanted, strict=True)
        ]
        assert again == sum(over)
        several += again > 0
    assert several > 50


def test_a_judged_id_that_one_above_stands_for_is_found_once():
    qrels = Qrels.from_dict({"q": {"d:0-10": 1}})
    run = Run.from_dict({"q": {"d:5-20": 3, "d:0-10": 2, "x:0-10": 1}})
    found, again = joined(run, qrels)
    assert (found.to_dict()["q"], again) == ({"d:0-10": 3, "d:0-10 (again)": 2, "x:0-10": 1}, 1)
    assert evaluate(qrels, found, ["AP"]).value("AP", "q") == 1


QRELS = Qrels.from_dict({"q1": {"a:0-100": 2, "a:300-400": 1}, "q2": {"b:0-50": 1}}, "qrels")
RUN = Run.from_dict(
    {"q1": {"a:50-150": 9, "c:0-9": 8, "a:90-120": 7, "a:200-350": 6}, "q2": {"b:40-60": 1}}, "r"
)


def test_a_run_of_spans_is_offered_the_judged_ones_that_they_overlap():
    mend = for_documents(RUN, QRELS)
    assert (mend.reason, mend.example) == (OF_SPANS, ("a:50-150", "a:0-100"))
    assert (mend.matched, mend.ids, mend.is_sure) == (4, 5, False)
    changed = mend.apply(RUN, QRELS)
    assert changed.to_dict() == {
        "q1": {"a:0-100": 9, "c:0-9": 8, "a:90-120": 7, "a:300-400": 6},
        "q2": {"b:0-50": 1},
    }
    assert "1 span overlaps only judged ones already found" in str(changed.notes[-1])
    # Without a person's word nothing is matched.
    assert fix_ids(QRELS, RUN).to_dict() == RUN.to_dict()
    assert fix_ids(QRELS, RUN, parts=True).to_dict() == changed.to_dict()
    (finding,) = [each for each in audit.findings(Dataset("", QRELS, (RUN,))) if each.mend]
    assert finding.mend == mend


def test_spans_are_offered_where_some_are_judged_as_they_are():
    run = Run.from_dict({"q1": {"a:0-100": 9, "a:310-390": 8}, "q2": {"b:10-20": 1}}, "r")
    (finding,) = [each for each in audit.findings(Dataset("", QRELS, (run,))) if each.mend]
    assert finding.mend.reason == OF_SPANS


def test_equal_ranges_of_other_documents_are_not_matched():
    run = Run.from_dict({"q1": {"x:0-100": 9, "y:300-400": 8}, "q2": {"z:0-50": 1}})
    mend = for_documents(run, QRELS)
    assert mend is None or mend.reason != OF_SPANS


def test_spans_of_documents_that_were_judged_whole_are_chunks():
    assert [document_of(each) for each in ("d:1-20", "d@1-20", "d#char=1,20")] == ["d"] * 3
    run, qrels = Run.from_dict({"q": {"d:0-9": 2, "d:9-18": 1}}), Qrels.from_dict({"q": {"d": 1}})
    assert fix_ids(qrels, run, parts=True).to_dict() == {"q": {"d": 2}}
