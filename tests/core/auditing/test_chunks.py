"""Runs of chunks against judged documents: the offer, its effect on ranks, and what it leaves."""

import random

from metrics import Dataset, Qrels, Run, evaluate, fix_ids
from metrics.auditing import audit
from metrics.auditing.id_mismatch import OF_CHUNKS, best_of_each, document_of, for_documents
from tests.cases import cases

QRELS = Qrels.from_dict({"q1": {"doc": 2, "other": 0, "x1": 1}, "q2": {"doc": 1}}, "qrels")


@cases(
    ("chunk", "document"),
    [
        *(("doc#chunk-3", "doc"), ("doc#a b", "doc"), ("doc_12", "doc"), ("doc::4", "doc")),
        *(("doc-part2", "doc"), ("doc/7", "doc"), ("doc@3", "doc"), ("a_b_c_1", "a_b_c")),
        *(("doc", "doc"), ("doc2", "doc2"), ("#3", "#3"), ("_1", "_1"), ("a_z", "a_z")),
    ],
)
def test_the_document_of_a_chunk(chunk, document):
    assert document_of(chunk) == document


def test_a_run_of_chunks_is_offered_the_best_of_each_document():
    run = Run.from_dict(
        {"q1": {"other_1": 9, "doc_4": 8, "doc_2": 7, "x1_9": 6, "new_1": 5}, "q2": {"doc_2": 1}},
        "r",
    )
    mend = for_documents(run, QRELS)
    assert (mend.part, mend.reason, mend.example) == ("document", OF_CHUNKS, ("other_1", "other"))
    assert not mend.is_sure
    changed = mend.apply(run, QRELS)
    assert changed.to_dict() == {
        "q1": {"other": 9, "doc": 8, "x1": 6, "new": 5},
        "q2": {"doc": 1},
    }
    assert "1 row of another chunk of the same document left out." in str(changed.notes[-1])
    # The document's rank is that of its best chunk, and those below move up.
    assert evaluate(QRELS, changed, ["RR"]).value("RR", "q1") == 1 / 2
    # Without a person's word nothing is merged.
    assert fix_ids(QRELS, run).to_dict() == run.to_dict()
    (finding,) = [each for each in audit.findings(Dataset("", QRELS, (run,))) if each.mend]
    assert finding.mend == mend


def test_ids_that_are_judged_are_no_chunks():
    qrels = Qrels.from_dict({"q": {"d_1": 1, "d_2": 0}})
    run = Run.from_dict({"q": {"d_2": 2, "d_1": 1}})
    assert for_documents(run, qrels) is None
    assert best_of_each(run, {"d_1", "d_2"})[0].to_dict() == run.to_dict()


def test_few_chunks_among_other_ids_are_not_offered():
    run = Run.from_dict({"q1": {"doc_1": 9, **{f"z{n}": n for n in range(5)}}})
    assert for_documents(run, QRELS) is None


def test_the_best_of_each_equals_a_plain_count():
    chance = random.Random(5)
    for _ in range(100):
        rows = {
            f"q{q}": {
                f"d{chance.randrange(6)}#{chance.randrange(9)}": chance.randrange(5)
                for _ in range(chance.randrange(1, 15))
            }
            for q in range(3)
        }
        run = Run.from_dict(rows)
        found, left_out = best_of_each(run, set())
        wanted = {}
        for query, documents in rows.items():
            best = wanted.setdefault(query, {})
            for chunk, score in documents.items():
                document = chunk.partition("#")[0]
                best[document] = max(score, best.get(document, score))
        assert found.to_dict() == wanted
        assert left_out == len(run) - len(found)
