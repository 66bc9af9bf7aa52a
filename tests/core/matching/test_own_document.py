"""Leaving out the document that has the id of its query: the same numbers by every route."""

import gzip
import io
import pickle
from dataclasses import asdict, replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from metrics import PRESETS, Convention, Qrels, Run, evaluate, match, match_batches, match_file
from metrics.matching import judged as matching
from metrics.matching.judged import OWN_DOCUMENTS, Matcher, gather
from metrics.matching.judged_file import convention_at, packed_file, read_judged
from metrics.matching.spark import Worker
from metrics.reading.from_json.parse import DamagedError
from metrics.reading.from_tables.arrow_stream import run_columns
from metrics.reading.problems import File
from tests.core.matching.test_judged_file import identical

REMOVED = Convention(own_document="removed")
# The own document of a is judged, that of b is not, and nobody judged c.
QRELS = Qrels.from_dict({"a": {"a": 1, "x": 1}, "b": {"x": 1}, "d": {"x": 1}})
ROWS = [
    *(("a", "a", 3.0), ("a", "x", 2.0), ("a", "y", 2.0)),
    *(("b", "y", 5.0), ("b", "b", 4.0), ("b", "x", 3.0)),
    *(("c", "c", 1.0), ("c", "x", 0.5)),
    *(("d", "a", 1.0), ("d", "x", 0.5)),
]
TABLE = pa.table(dict(zip(("qid", "docid", "score"), zip(*ROWS, strict=True), strict=True)))


def parquet(table):
    stream = io.BytesIO()
    pq.write_table(table, stream)
    return stream.getvalue()


def by_worker(matcher, table, queries):
    """Return what Spark's worker makes of a run."""
    rows = Worker(matcher, run_columns(table.schema, File("run")))(table.to_batches())
    parts = [pickle.loads(part) for batch in rows for part in batch["part"].to_pylist()]
    return gather(matcher, [reduced for reduced, _, _ in parts], tuple(queries))


LINES = [f"{q} Q0 {d} 0 {s} t\n".encode() for q, d, s in ROWS]
TREC = b"".join(LINES)
CSV = "qid,docid,score\n" + "".join(f'{q},"{d}",{s}\n' for q, d, s in ROWS)
ROUTES = {
    "dict": lambda: match(QRELS, Run.from_columns(*zip(*ROWS, strict=True)).to_dict(), REMOVED),
    "table": lambda: match(QRELS, TABLE, REMOVED),
    "batches": lambda: match_batches(QRELS, TABLE.to_batches(max_chunksize=4), REMOVED),
    "TREC file": lambda: match_file(QRELS, TREC, REMOVED),
    "packed": lambda: match_file(QRELS, gzip.compress(TREC), REMOVED),
    "CSV": lambda: match_file(QRELS, CSV.encode(), REMOVED, name="run.csv"),
    "queries apart": lambda: match_file(QRELS, b"".join(LINES[-1:] + LINES[:-1]), REMOVED),
    "Parquet": lambda: match_file(QRELS, parquet(TABLE), REMOVED),
    "Spark's worker": lambda: by_worker(Matcher(QRELS, REMOVED), TABLE, "abcd"),
}


@pytest.mark.parametrize("route", ROUTES)
def test_every_route_removes_the_same_documents_and_says_how_many(route, monkeypatch):
    monkeypatch.setattr(matching, "ROWS", 3)
    run = Run.from_columns(*zip(*ROWS, strict=True))
    expected, found = match(QRELS, run, REMOVED), ROUTES[route]()
    (note,) = [note for note in found.notes if note.code == OWN_DOCUMENTS]
    assert str(note) == (
        "2 documents were removed for having the id of the query, as the convention says; lower "
        "ranks moved up."
    )
    assert expected.notes == (note,)
    assert found.removed == str(note)
    assert identical(replace(found, notes=(), tag=""), replace(expected, notes=()))


def test_lower_ranks_move_up_and_the_ideal_stays():
    run = Run.from_columns(*zip(*ROWS, strict=True))
    kept, removed = (match(QRELS, run, each, every=True) for each in (Convention(), REMOVED))
    of_b = removed.hits.query == 1
    assert removed.hits.document.to_pylist() == ["y", "x", "y", "x", "a", "x"]
    assert removed.hits.rank[of_b].tolist() == [1, 2]
    assert removed.retrieved.tolist() == [2, 2, 2]
    assert kept.retrieved.tolist() == [3, 3, 2]
    assert not kept.removed
    # The document is still to be found, as in pytrec_eval, on which BEIR leaves it in the qrels.
    assert removed.judged.document.to_pylist() == kept.judged.document.to_pylist()


def test_a_ranking_of_nothing_else_counts_as_empty():
    qrels, run = {"a": {"x": 1}, "b": {"x": 1}}, {"a": {"a": 2.0}, "b": {"x": 1.0}}
    found = evaluate(qrels, run, ["RR", "P@1"], PRESETS["BEIR"])
    assert found.mean.to_dict() == {"RR": 0.5, "P@1": 0.5}


def test_a_file_of_judged_rankings_keeps_the_choice_and_the_note():
    run = Run.from_columns(*zip(*ROWS, strict=True))
    judged = match(QRELS, run, REMOVED)
    assert identical(judged, read_judged(packed_file(judged)).judged)


def test_a_file_that_lacks_the_choice_is_refused():
    choices = asdict(Convention(ties="input"))
    del choices["own_document"]
    with pytest.raises(DamagedError, match="other choices"):
        convention_at({"convention": choices}, "convention")
