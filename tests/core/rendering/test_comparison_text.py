"""Sentences about a comparison."""

from metrics import Convention, Qrels, Run, compare
from metrics.rendering.comparison_text import removed

QRELS = Qrels.from_dict({"q": {"a": 1}, "r": {"a": 1}})
BOTH = Run.from_dict({"q": {"q": 2.0, "a": 1.0}, "r": {"r": 2.0, "a": 1.0}}, "both")
ONE = Run.from_dict({"q": {"q": 2.0, "a": 1.0}, "r": {"a": 1.0}}, "one")
NONE = Run.from_dict({"q": {"a": 1.0}, "r": {"a": 1.0}}, "none")


def said(a, b, own_document="removed"):
    return removed(compare(QRELS, a, b, "RR", Convention(own_document=own_document)))


def test_documents_removed_for_their_query_s_id_are_counted_for_each_run():
    why = "for having the id of the query, as the convention says; lower ranks moved up."
    assert said(BOTH, BOTH.renamed("x")) == f"A and B: 2 documents were removed {why}"
    assert said(BOTH, ONE) == (f"A: 2 documents were removed {why} B: 1 document was removed {why}")
    assert said(NONE, ONE) == f"B: 1 document was removed {why}"
    assert said(NONE, NONE.renamed("x")) == ""
    assert said(BOTH, ONE, "kept") == ""
