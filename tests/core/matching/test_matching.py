"""match() against the plain way: sort every row, look up every document, keep the judged ones."""

import math
from itertools import product

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from metrics import Convention, DataError, Qrels, Run, match, trace
from metrics.conventions.choices import CHOICES
from metrics.data import duplicates
from metrics.matching import judged as matching
from metrics.matching.hits import rank_order
from tests.cases import cases

IDS = st.text(st.sampled_from("abé😀1"), min_size=1, max_size=18)
SOME_IDS = st.lists(IDS, min_size=1, max_size=12, unique=True)
CONVENTIONS = [
    Convention(ties=ties, unjudged=unjudged, queries=queries)
    for ties, unjudged, queries in product(
        *(CHOICES[name].values for name in ("ties", "unjudged", "queries"))
    )
]
CONVENTIONS += [
    Convention(scores="single"),
    Convention(scores="single", ties="input", negative="nonrelevant", unjudged="removed"),
    Convention(own_document="removed"),
    Convention(own_document="removed", ties="input", queries="qrels", unjudged="removed"),
]


def simple(qrels, run, convention, every):
    """Return the result of match(), computed one query and one document at a time."""
    everyone = convention.queries == "qrels"
    queries = [q for q, grades in qrels.items() if grades and (everyone or q in run)]
    hits, judged, retrieved = [], [], []
    for number, query in enumerate(queries):
        grades, scores = qrels[query], run.get(query, {})
        if convention.own_document == "removed":
            scores = {d: s for d, s in scores.items() if d != query}
        if convention.unjudged == "removed":
            lowest = 0 if convention.negative == "unjudged" else -math.inf
            scores = {d: s for d, s in scores.items() if grades.get(d, math.nan) >= lowest}
        if convention.scores == "single":
            with np.errstate(over="ignore"):
                scores = {d: float(np.float32(s)) for d, s in scores.items()}
        ranked = list(scores)
        if convention.ties != "input":
            ranked.sort(key=str.encode, reverse=convention.ties != "ascending")
        ranked.sort(key=lambda d, scores=scores: -scores[d])
        retrieved.append(len(ranked))
        for rank, document in enumerate(ranked, 1):
            group = [r for r, d in enumerate(ranked, 1) if scores[d] == scores[document]]
            grade = grades.get(document, float("nan"))
            if every or document in grades:
                hits.append((number, document, rank, grade, group[0], group[-1]))
        ideal = sorted(grades, key=lambda d, grades=grades: (-grades[d], d.encode()))
        for rank, document in enumerate(ideal, 1):
            # Equal grades are not ties: each document has its own rank.
            judged.append((number, document, rank, grades[document], rank, rank))
    return queries, hits, judged, retrieved


def lines(hits):
    columns = (hits.query, hits.document.to_pylist(), hits.rank, hits.grade, hits.first, hits.last)
    assert {column.dtype for column in columns if isinstance(column, np.ndarray)} == {
        np.dtype(np.int64),
        np.dtype(np.float64),
    }
    return [repr(tuple(line)) for line in zip(*map(list, columns), strict=True)]


def plain(rows):
    return [
        repr((np.int64(q), d, np.int64(r), np.float64(g), np.int64(first), np.int64(last)))
        for q, d, r, g, first, last in rows
    ]


@st.composite
def files(draw):
    names = st.sampled_from(["q1", "q2", "q3", "q4", "q5"])
    # Queries may be documents, too.
    documents = draw(SOME_IDS) + draw(st.lists(names, max_size=2, unique=True))
    inside = st.sampled_from(documents)
    grades = st.dictionaries(inside, st.integers(-1, 2))
    scores = st.dictionaries(
        inside, st.sampled_from([0.0, -0.0, 1.0, 1.00000001, 2.5, -1e308, 1e308, 5e-324])
    )
    qrels = draw(st.dictionaries(names, grades, min_size=1))
    run = draw(st.dictionaries(names, scores, min_size=1))
    rows = [(q, d, s) for q, of_query in run.items() for d, s in of_query.items()]
    if draw(st.booleans()):
        rows = draw(st.permutations(rows))
    elif draw(st.booleans()):
        rows.sort(key=lambda row: (list(run).index(row[0]), -row[2]))
    return qrels, rows, draw(st.integers(1, 20))


@settings(max_examples=300)
@given(files())
def test_equals_the_plain_way(case):
    qrels, rows, size = case
    run = Run.from_columns(*zip(*rows, strict=True)) if rows else Run.from_dict({})
    read, scores = Qrels.from_dict(qrels), run.to_dict()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "ROWS", size)
        for convention, every in product(CONVENTIONS, [False, True]):
            judged = match(read, run, convention, every=every)
            queries, hits, ideal, retrieved = simple(qrels, scores, convention, every)
            assert list(judged.queries) == queries
            assert lines(judged.hits) == plain(hits)
            assert lines(judged.judged) == plain(ideal)
            assert judged.retrieved.tolist() == retrieved
            assert list(judged.missing_from_run) == [
                q for q, grades in qrels.items() if grades and q not in run.queries
            ]
            assert list(judged.missing_from_qrels) == [q for q in run.queries if not qrels.get(q)]
            own = sum(q == d and bool(qrels.get(q)) for q, d, _ in rows)
            removed = own if convention.own_document == "removed" else 0
            assert [int(str(note).split()[0]) for note in judged.notes] == [removed][
                : bool(removed)
            ]


@given(files())
def test_a_run_falls_into_whole_queries(case):
    _, rows, size = case
    run = Run.from_columns(*zip(*rows, strict=True)) if rows else Run.from_dict({})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "ROWS", size)
        parts = list(matching.pieces(run))
    assert [q for part in parts for q in part.queries] == list(run.queries)
    assert {q: d for part in parts for q, d in part.to_dict().items()} == run.to_dict()


def test_a_piece_ends_with_the_query_of_its_last_row():
    sizes = [3, 1, 4, 1, 5, 0, 2, 0]
    run = Run.from_dict(
        {f"q{i}": {f"d{j}": -j for j in range(size)} for i, size in enumerate(sizes)}
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "ROWS", 4)
        parts = list(matching.pieces(run))
    assert [len(part) for part in parts] == [4, 4, 6, 2]
    assert [q for part in parts for q in part.queries] == list(run.queries)
    mixed = Run.from_columns(["a", "b", "a"], ["x", "x", "y"], [1, 2, 3])
    assert list(matching.pieces(mixed)) == [mixed]


def test_rows_in_order_are_not_sorted():
    query = np.array([0, 0, 0, 1, 1, 3])
    assert rank_order(query, np.array([3.0, 2.0, 2.0, 9.0, 1.0, 5.0])) is None
    assert rank_order(query, np.array([3.0, 2.0, 2.5, 9.0, 1.0, 5.0])) is not None
    assert rank_order(query[::-1], np.arange(6.0)[::-1]) is not None


def test_what_a_run_is_reduced_to_is_compared_by_identity():
    qrels, run = Qrels.from_dict({"q": {"a": 1, "b": 0}}), Run.from_dict({"q": {"a": 2, "b": 1}})
    once, again = (match(qrels, run) for _ in range(2))
    ledgers = [trace(qrels, run, "AP", "q") for _ in range(2)]
    matchers = [matching.Matcher(qrels, Convention()) for _ in range(2)]
    reduced = [matcher.reduce(run) for matcher in matchers]
    for first, second in ((once, again), (once.hits, again.hits), ledgers, matchers, reduced):
        assert first == first
        assert first != second
        assert len({first, second}) == 2
    # Columns of a million rows are not to be printed by accident.
    assert all(len(repr(value)) < 100 for value in (once, once.hits, ledgers[0]))


def test_rows_in_any_order_of_more_queries_than_16_bits_can_number():
    count = (1 << 17) + 3
    query = np.random.default_rng(0).permutation(np.repeat(np.arange(count), 2))
    score = np.random.default_rng(1).permutation(2 * count).astype(float)
    order = rank_order(query, score)
    assert (order == np.lexsort((-score, query))).all()


ENDS = st.sampled_from(["", "a", "\0", "12345678", "é2345678", "x12345678", "y12345678"])


@given(
    st.lists(st.tuples(st.integers(0, 2), IDS | ENDS), max_size=20),
    st.booleans(),
    st.integers(1, 5),
    st.integers(1, 20),
    st.integers(0, 8),
    st.integers(0, 3),
)
@example([(0, "a"), (0, ""), (0, "b"), (0, "")], True, 5, 20, 8, 3)
def test_the_first_repeat_is_found(pairs, together, rows, most, bits, rounds):
    if together:
        pairs.sort(key=lambda pair: pair[0])
    first = next((row for row, pair in enumerate(pairs) if pair in pairs[:row]), None)
    query = np.array([q for q, _ in pairs], np.int64)
    document = pa.array(["x", *(d for _, d in pairs)], pa.string())[1:]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(duplicates, "FEW", 0)
        patch.setattr(duplicates, "ROWS", rows)
        patch.setattr(duplicates, "MOST_ROWS", most)
        patch.setattr(duplicates, "PLACES", 1 << bits)
        patch.setattr(duplicates, "ROUNDS", rounds)
        assert duplicates.first_repeat(query, document) == first
    assert duplicates.first_repeat(query, document) == first


@cases("depth", [duplicates.ROWS // 3, duplicates.MOST_ROWS + 1])
@cases("end", ["", "-the-same-end"])
def test_one_repeat_among_many_rows_is_found(depth, end):
    query = np.repeat(np.arange(7), depth)
    ids = [f"d{number}{end}" for number in range(depth)] * 7
    assert duplicates.first_repeat(query, pa.array(ids)) is None
    ids[5 * depth - 1] = ids[4 * depth]
    assert duplicates.first_repeat(query, pa.array(ids)) == 5 * depth - 1
    mixed = np.random.default_rng(0).permutation(len(query))
    pair = np.sort(np.flatnonzero(np.isin(mixed, [5 * depth - 1, 4 * depth])))
    assert duplicates.first_repeat(query[mixed], pa.array(ids).take(pa.array(mixed))) == pair[1]


def test_hardly_any_row_is_hashed_as_a_whole(monkeypatch):
    hashed = []
    whole = duplicates._keys
    monkeypatch.setattr(
        duplicates, "_keys", lambda query, ids: hashed.append(len(query)) or whole(query, ids)
    )
    query = np.repeat(np.arange(100), 1000)
    assert duplicates.first_repeat(query, pa.array(list(map(str, range(1000))) * 100)) is None
    assert sum(hashed) < len(query) / 1000


def test_a_shared_hash_refuses_nothing(monkeypatch):
    monkeypatch.setattr(duplicates, "FEW", 0)
    for hashed in ("_ends", "_keys"):
        monkeypatch.setattr(duplicates, hashed, lambda query, _: np.zeros(len(query), np.uint64))
    assert len(Run.from_columns(["q", "q"], ["a", "b"], [1, 2])) == 2
    with pytest.raises(DataError, match="'b' appears twice"):
        Run.from_columns(["q"] * 3, ["a", "b", "b"], [1, 2, 3])
