"""The formats of a table: what a spreadsheet, a program and a paper need."""

import csv
import io
import json
import re
from pathlib import Path

import pandas as pd
import pytest

from metrics import Pairing
from metrics.defaults import MEASURES
from metrics.teaching.samples import catalogue
from metrics.writing import FORMATS, Table
from metrics.writing.comparison import evidence_table, from_inputs
from metrics.writing.delimited import for_spreadsheets


@pytest.fixture(scope="module")
def table():
    dataset = catalogue()["shop"].load()
    of = Pairing.of(dataset.qrels, dataset.runs[:2], MEASURES)
    return from_inputs(evidence_table(of.evidence, of.comparison), of)


def test_csv_for_a_spreadsheet_is_one_header_and_numbers(table):
    content = for_spreadsheets(table)
    assert content.startswith(b"\xef\xbb\xbfmeasure,queries,mean_a,")
    header, *rows = csv.reader(io.StringIO(content.decode("utf-8-sig")))
    assert tuple(header) == (*table.columns, "convention")
    assert {row.pop() for row in rows} == {"trec_eval"}
    assert [row[0] for row in rows] == list(MEASURES)
    for row, cells in zip(rows, table.rows, strict=True):
        assert [float(value) for value in row[1:]] == list(cells[1:])
    assert "−".encode() not in content
    assert not FORMATS["csv"](table).startswith("\ufeff")


def test_a_heading_is_a_column_of_csv_only_where_parts_differ():
    parts = [
        Table(("rank",), ((1,),), heading={"measure": name, "query": "q"}) for name in ("DCG", "x")
    ]
    assert FORMATS["csv"](parts[0].saying(parts=(parts[1],))) == "rank,measure\n1,DCG\n1,x\n"
    assert FORMATS["csv"](parts[0]) == "rank\n1\n"


def test_a_file_for_a_spreadsheet_says_its_measure_and_convention(table):
    labels = {"convention": "=cmd", "cut": "a"}
    ledger = Table(("rank",), ((1,),), heading={"measure": "AP@5", "query": "q"}, labels=labels)
    assert for_spreadsheets(ledger)[3:] == b"rank,measure,convention\n1,AP@5,'=cmd\n"
    read = pd.read_csv(io.BytesIO(for_spreadsheets(table)), encoding="utf-8-sig")
    assert read["measure"].tolist() == list(MEASURES)


def test_json_describes_the_comparison_by_keys(table):
    found = json.loads(FORMATS["json"](table))
    assert found["schema"] == "rankscope/comparison/1"
    described = {"primary", "test", "tie", "seed", "correction", "interval", "interval_level"}
    described |= {"inputs", "convention", "choices", "delta", "left_out", "missing_but_counted"}
    assert found.keys() == {"schema", "rows"} | described
    assert found["choices"]["gain"] == "linear"
    assert all(re.fullmatch("[0-9a-f]{16}", each["digest"]) for each in found["inputs"].values())
    assert found["rows"][0].keys() == {*table.columns}


def test_latex_fits_the_width_of_the_text(table):
    written = FORMATS["latex"](table)
    assert written.startswith("% Needs \\usepackage{booktabs}\n\\begin{table}\n")
    assert written.count("{") == written.count("}")
    assert written.index(r"\caption{") < written.index(r"\label{tab:comparison}")
    rows = re.findall(r"^(?!%|\\).* \\\\$", written, re.MULTILINE)
    assert len(rows) == 1 + len(MEASURES)
    assert {row.count("&") for row in rows} == {6}
    assert rows[0] == r"measure & mean A & mean B & delta B $-$ A & low & high & p Holm \\"
    smaller = re.compile(r"^\\((?:small|footnotesize|scriptsize).*)$", re.MULTILINE)
    assert smaller.findall(written) == []
    tight = r"scriptsize\setlength{\tabcolsep}{3pt}"
    for columns, wanted in ((8, []), (9, ["footnotesize"]), (12, [tight])):
        wide = Table(tuple("abcdefghijkl"[:columns]), ((0.123456,) * columns,))
        assert smaller.findall(FORMATS["latex"](wide)) == wanted


def test_the_document_of_the_command_line_names_each_format():
    document = (Path(__file__).parents[3] / "docs/command-line.md").read_text("utf-8")
    (listed,) = re.findall(r"^`--format` is (.*?),? and every", document, re.M | re.S)
    assert re.findall(r"`(\w+)`", listed) == list(FORMATS)
