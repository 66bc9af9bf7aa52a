"""``rankscope audit``: the audit of the Data page on the command line."""

import csv
import io
import json
from pathlib import Path

from metrics import Dataset, read_qrels, read_run
from metrics.auditing.audit import findings
from metrics.auditing.coverage import coverage, grades

SHOP = Path(__file__).parents[3] / "sample_data" / "shop_search"
FILES = [str(SHOP / name) for name in ("qrels.txt", "bm25.run", "char_ngrams.run")]


def test_the_audit_is_that_of_the_data_page(rankscope):
    qrels, *runs = read_qrels(FILES[0]), *map(read_run, FILES[1:])
    code, out, err = rankscope("audit", *FILES, "--format", "json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    of_bm25 = coverage(qrels, runs[0])
    row = found["rows"][1]
    assert row["judged_share"] == of_bm25.share
    assert (row["tied_rows"], row["queries_tied"]) == (of_bm25.tied, of_bm25.cut)
    listed, graded = found["parts"]
    expected = findings(Dataset("shop", qrels, tuple(runs)))
    assert [each["text"] for each in listed["rows"]] == [each.text for each in expected]
    assert [each["judgments"] for each in graded["rows"]] == list(grades(qrels)["judgments"])
    rows = csv.DictReader(io.StringIO(rankscope("audit", *FILES, "-q", "--format", "csv")[1]))
    shares = {each["query"]: float(each["judged_share"]) for each in rows if each["run"] == "bm25"}
    assert shares == of_bm25.judged.to_dict()
    for form in ("table", "markdown", "latex"):
        assert "could turn a close comparison" in rankscope("audit", *FILES, "--format", form)[1]


def test_an_audit_in_which_nothing_matches_is_printed_and_exits_with_3(rankscope, write_files):
    write_files(qrels="q1 0 a 1\nq1 0 b 0\n", run="q1 Q0 a.txt 1 2 t\n", other="1 Q0 a 1 2 t\n")
    code, out, err = rankscope("audit", "qrels", "run", "other")
    assert code == 3
    assert "differ by a file name's ending: 'a.txt' would be 'a'" in out
    assert "differ by a prefix: '1' would be 'q1'" in out
    assert err.startswith("rankscope: run: No document of the run is judged")
    assert err.endswith("Use --fix-ids to make this change.\n")
    code, out, err = rankscope("audit", "qrels", "run", "other", "--fix-ids")
    assert (code, err) == (0, "")
    assert out.count("Changed on request") == 2


def test_the_audit_names_the_values_of_each_attribute(rankscope, write_files):
    hours = "".join(f"q{n:02},h{n},{n}\n" for n in range(1, 9))
    write_files(**{"log.csv": f"query,hour,hits\n{hours}"})
    argv = ("audit", *FILES, "--attributes", "log.csv", "--format", "json")
    found = json.loads(rankscope(*argv)[1])["parts"][0]["rows"]
    assert [each["text"] for each in found if each["about"] == "attributes"] == [
        "How many judged queries have each value: 'hour': 'h1' (1), 'h2' (1), 'h3' (1), 'h4' (1), "
        "'h5' (1), 3 more, none (21); 'hits': weights from 1 to 8, none (21)."
    ]
