"""The situations on the command line, in its formats and in the report."""

import json
import re

import pytest

from metrics import Pairing
from metrics.rendering.text import visible
from metrics.writing.comparison import verdict_facts
from metrics.writing.reproduce import as_input, input_name
from metrics.writing.section import REVERSED, Section, as_markdown
from tests.situations import NAMES, cases


@pytest.mark.parametrize("name", NAMES)
def test_compare_and_its_report_give_the_verdict_and_its_threats(name, rankscope, tmp_path):
    case = cases()[name]
    files = []
    for stem, pairs in (("qrels", case.qrels), (case.a.name, case.a), (case.b.name, case.b)):
        files.append(tmp_path / input_name(stem, pairs))
        files[-1].write_bytes(as_input(pairs))
    report = tmp_path / "report.html"
    asked = ("compare", *files, "-m", *case.measures)
    found = Pairing.of(case.qrels, (case.a, case.b), case.measures).verdict
    code, out, err = rankscope(*asked, "--report", report)
    if case.outcome == "none":
        assert (code, out) == (3, "")
        assert "--fix-ids" in err
        assert not report.exists()
        code, out, _ = rankscope(*asked, "--fix-ids")
        assert code == 0
        assert "dense is better than bm25" in " ".join(out.split())
        return
    assert code == 0
    printed = " ".join(out.split())
    # The names of both runs have their colours.
    page = re.sub('<b class="[AB]">(.*?)</b>', r"\1", " ".join(report.read_text("utf-8").split()))
    for each in (found.sentence, *found.threats):
        assert each.text() in printed
        assert each.text(visible).replace("<", "&lt;") in page
    assert printed.count(REVERSED) == page.count(f"({REVERSED})") == len(case.reverses)
    facts = json.loads(rankscope(*asked, "--format", "json")[1])["verdict"]
    assert facts == json.loads(json.dumps(verdict_facts(found)))
    markdown = rankscope(*asked, "--format", "markdown")[1]
    assert markdown.startswith(as_markdown([Section(found.sentence, found.threats)]))
