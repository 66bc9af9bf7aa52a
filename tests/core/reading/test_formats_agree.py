"""The same data in every format is the same to the last bit; what is written reads back."""

import csv
import io
import json
import re
import struct

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from metrics import Convention, Qrels, Run, read_judges, read_qrels, read_run
from metrics.comparing.comparison import compare
from metrics.comparing.evidence import evidence
from metrics.editing.hand_ranking import Entry, HandRanking
from metrics.editing.ranking_link import from_json, pack, to_json, unpack
from metrics.writing import FORMATS, altered
from metrics.writing.comparison import evidence_table, queries_table
from metrics.writing.delimited import delimited, guarded
from metrics.writing.reproduce import as_input
from metrics.writing.table import Table
from tests.cases import cases
from tests.catalogue.formats import OTHERS, TREC, expected, nested

READ = {Run: read_run, Qrels: read_qrels}
CHECKED = settings(
    max_examples=40,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
"""Files are small enough to be understood as they are; shrinking them takes minutes."""
VISIBLE = st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"])
ANY = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
EVERY = st.characters(exclude_categories=["Cs"])
SCORES = st.floats(allow_nan=False, allow_infinity=False)
GRADES = st.one_of(st.integers(-2, 5).map(float), st.floats(-1000, 5))


def texts(characters):
    return st.text(characters, min_size=1, max_size=8)


def cells(characters):
    """Ids as a cell can carry them: spaces and tabs around one are cut off."""
    return st.text(characters, min_size=1, max_size=8).filter(
        lambda text: text == text.strip(" \t")
    )


def rows_of(queries, documents, values):
    """Runs or qrels as rows: a query's rows may be apart."""
    pairs = st.tuples(queries, documents)
    return st.dictionaries(pairs, values, min_size=1, max_size=12).map(
        lambda found: [(query, document, value) for (query, document), value in found.items()]
    )


def data(queries, documents):
    """A kind, and rows of it."""
    return st.one_of(
        st.tuples(st.just(Run), rows_of(queries, documents, SCORES)),
        st.tuples(st.just(Qrels), rows_of(queries, documents, GRADES)),
    )


def in_order(pairs):
    """Return the rows in order, with the bits of each value."""
    queries = [pairs.queries[code] for code in pairs.query]
    bits = [struct.pack("<d", value) for value in pairs.value.tolist()]
    return list(zip(queries, pairs.document.to_pylist(), bits, strict=True))


def told(rows):
    return [(query, document, struct.pack("<d", value)) for query, document, value in rows]


@CHECKED
@given(data(cells(st.characters(categories=["L", "N"])), cells(VISIBLE)))
def test_trec_and_every_other_format_give_the_same_rows(given_data):
    kind, rows = given_data
    for name, write in (TREC | OTHERS).items():
        assert in_order(READ[kind](write(kind, rows))) == told(rows), name


@CHECKED
@given(data(cells(ANY), cells(ANY)))
def test_ids_with_anything_in_them_survive_every_table(given_data):
    kind, rows = given_data
    for name, write in OTHERS.items():
        assert in_order(READ[kind](write(kind, rows))) == told(rows), name


@CHECKED
@given(data(texts(EVERY), texts(EVERY)))
def test_values_by_query_and_document_survive_with_their_bits(given_data):
    kind, rows = given_data
    # Fractional grades above 5 would be refused as scores, so there are none.
    read = READ[kind](nested(kind, rows))
    assert sorted(in_order(read)) == sorted(told(rows))
    assert [*read.to_dict()] == [*expected(rows)]


@CHECKED
@given(data(texts(EVERY), texts(EVERY)), st.sampled_from([1.0, 7.5, 5.000001, 1000.0]))
def test_the_inputs_of_a_comparison_read_back(given_data, more):
    kind, rows = given_data
    pairs = kind.from_dict(expected([*rows, ("more", "and more", more)]))
    read = READ[kind](as_input(pairs))
    assert in_order(read) == in_order(pairs)
    assert read.queries == pairs.queries


GRADE = st.one_of(st.none(), st.floats(-1000, 1000), st.integers(-1000, 1000).map(float))


@st.composite
def rankings(draw):
    documents = draw(st.lists(st.text(EVERY, min_size=1, max_size=8), unique=True, max_size=9))
    count = draw(st.integers(0, len(documents)))
    ranked = [
        Entry(document, draw(GRADE), tied=place > 0 and draw(st.booleans()))
        for place, document in enumerate(documents[:count])
    ]
    rest = [
        Entry(document, draw(GRADE.filter(lambda g: g is not None)))
        for document in documents[count:]
    ]
    return HandRanking(draw(st.text(EVERY, max_size=8)), tuple(ranked), tuple(rest))


@CHECKED
@given(rankings())
def test_links_and_saved_rankings_read_back(ranking):
    assert unpack(pack(ranking)) == ranking
    assert from_json(to_json(ranking)) == ranking


CELLS = st.one_of(st.text(ANY, max_size=8), SCORES, st.integers(-(10**20), 10**20))


@CHECKED
@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=9))
def test_tables_as_csv_read_back_but_for_guarded_formulas(rows):
    written = delimited(Table(("a", "b"), tuple(rows)))
    header, *found = csv.reader(io.StringIO(written, newline=""))
    assert header == ["a", "b"]
    for row, cells in zip(rows, found, strict=True):
        for value, cell in zip(row, cells, strict=True):
            if isinstance(value, str):
                assert cell == guarded(value)
                assert [c for c in cell if c != "'"] == [c for c in value if c != "'"]
            else:
                assert struct.pack("<d", float(cell)) == struct.pack("<d", float(value))
    assert altered(Table(("a", "b"), tuple(rows))) == sum(
        cell != value
        for row, cells in zip(rows, found, strict=True)
        for value, cell in zip(row, cells, strict=True)
        if isinstance(value, str)
    )


@CHECKED
@given(st.text("=+-@\uff1d;\t\r\n,'\"a1", max_size=8))
def test_csv_holds_no_formula_wherever_a_spreadsheet_splits_it(value):
    (_, [cell]) = csv.reader(io.StringIO(delimited(Table(("a",), ((value,),))), newline=""))
    begins = [part[0] for part in re.split("[;\t\r\n]", cell) if part]
    is_number = re.fullmatch("[+-]?[0-9]+", value)
    assert is_number or not set(begins) & set("=+-@\uff1d")
    assert is_number or cell[:1] not in ("\t", "\r", "\n")


@CHECKED
@given(rows_of(texts(ANY), texts(ANY), SCORES), st.sampled_from(["csv", "json"]))
def test_what_a_comparison_writes_reads_back(rows, form):
    run = Run.from_columns(*zip(*rows, strict=True))
    qrels = Qrels.from_columns([row[0] for row in rows], [row[1] for row in rows], [1] * len(rows))
    compared = compare(qrels, run, run, ["AP"])
    written = queries_table(compared)
    text = FORMATS[form](written)
    if form == "json":
        found = [tuple(row.values()) for row in json.loads(text)["rows"]]
        assert found == list(written.rows)
    else:
        cells = list(csv.reader(io.StringIO(text, newline="")))[1:]
        assert [row[1] for row in cells] == [guarded(row[1]) for row in written.rows]
        assert [list(map(float, row[2:5])) for row in cells] == [list(r[2:5]) for r in written.rows]


@cases("form", ["markdown", "latex", "table"])
def test_a_comparison_says_its_direction_and_what_it_leaves_out(form):
    qrels = Qrels.from_dict({f"q{i}": {"x": min(i, 1)} for i in range(5)})
    a = Run.from_dict({f"q{i}": {"x": 1.0} for i in (0, 1, 2)})
    b = Run.from_dict({f"q{i}": {"x": 1.0} for i in (0, 1, 3)})
    compared = compare(qrels, a, b, ["RR", "AP"], Convention(undefined="skip"))
    table = evidence_table(evidence(compared), compared)
    assert table.labels["left out"] == (
        "1 judged query only in run A (q2); 1 judged query only in run B (q3); 1 judged query in "
        "neither run (q4); 1 judged query with nothing to find, for RR, AP (q0)"
    )
    written = FORMATS[form](table).replace("$-$", "−")
    # On paper there is no room for the counts of queries.
    counts = ("B better", "A better") if form != "latex" else ()
    for said in ("delta B − A", *counts, "only in run A (q2)"):
        assert said in written
    assert {"delta", "wins", "losses"} <= set(json.loads(FORMATS["json"](table))["rows"][0])


BESIDE = {
    "reason": ["on topic", "off topic"],
    "confidence": [0.9, 0.25],
    "aspect": [1, 2],
    "judge": ["ann", "ann"],
    "iteration": ["a", "b"],
}
"""The columns that may come with a grade, each with texts or numbers as a program writes them."""


def tables_of(columns):
    """The same table in every form that names its columns."""
    rows = list(zip(*columns.values(), strict=True))
    for mark, ending in ((",", "csv"), ("\t", "tsv"), (";", "csv")):
        lines = [mark.join(map(str, row)) for row in (columns, *rows)]
        yield f"{mark!r}", "\n".join(lines).encode(), f"q.{ending}"
    records = [dict(zip(columns, row, strict=True)) for row in rows]
    yield "JSON", json.dumps(records).encode(), "q.json"
    yield "JSON Lines", "\n".join(map(json.dumps, records)).encode(), "q.jsonl"
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream)
    yield "Parquet", stream.getvalue(), "q.parquet"
    book, stream = openpyxl.Workbook(), io.BytesIO()
    for row in (list(columns), *rows):
        book.active.append(row)
    book.save(stream)
    yield "workbook", stream.getvalue(), "q.xlsx"


@cases("written", [float, str])
@cases("names", [[name] for name in BESIDE] + [["reason", "confidence"], list(BESIDE)[:4]])
def test_every_reader_knows_the_columns_that_come_with_a_grade(names, written):
    columns = {"query": ["q1", "q1"], "document": ["d1", "d2"], "grade": [2, 0]}
    for name in names:
        of = BESIDE[name]
        columns[name] = [written(each) if isinstance(each, float) else each for each in of]
    found = {}
    for form, data, name in tables_of(columns):
        qrels = read_qrels(data, name)
        # Only Parquet and JSON know whether a number is one.
        notes = [note for note in qrels.notes if note.code != "N-TEXT-VALUE"]
        judges = list(read_judges(data, name)) if "judge" in names else []
        found[form] = qrels.to_dict(), qrels.reasons, qrels.aspects, judges, notes
    for form, each in found.items():
        assert each == found["','"], form
    assert not [note for note in found["','"][-1] if note.code == "N-UNUSED"]
