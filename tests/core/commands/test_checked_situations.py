"""The situations of a check in the command's exit code, its two files and its printed answer."""

from xml.etree import ElementTree

import pytest

from metrics.commands.check import CODES
from metrics.deciding.regression import Ruling, check
from metrics.matching.judged_file import save
from tests.checked_situations import NAMES, cases

TAGS = {
    Ruling.HOLDS: set(),
    Ruling.REGRESSION: {"failure"},
    Ruling.NOT_COMPARABLE: {"error"},
    Ruling.CANNOT_TELL: {"skipped"},
}
"""The element of JUnit's XML that shows each answer."""


@pytest.mark.parametrize("name", NAMES)
def test_every_medium_gives_the_answer(name, rankscope, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    case = cases()[name]
    for file, side in zip(("base", "new"), case.sides, strict=True):
        save(side, f"{file}.judged.parquet")
    (tmp_path / "must_hold.txt").write_text("\n".join(case.rule.must_hold), "utf-8")
    code, out, _ = rankscope(
        *("check", "base.judged.parquet", "new.judged.parquet", "-m", *case.measures),
        *("--max-gap", case.rule.max_gap, "--summary", "out.md", "--junit", "out.xml"),
        *(("--must-hold", "must_hold.txt") if case.rule.must_hold else ()),
    )
    assert code == CODES[case.answer]
    assert case.says in out
    assert case.says in (tmp_path / "out.md").read_text("utf-8")
    suite = ElementTree.parse(tmp_path / "out.xml").getroot()
    found = [part.tag for part in suite.iterfind("testcase/*") if part.tag != "system-out"]
    assert TAGS[case.answer] <= {*found}
    counted = {tag: int(suite.get(f"{tag}s", suite.get(tag))) for tag in {*found}}
    assert counted == {tag: found.count(tag) for tag in counted}
    named = check(*case.sides, case.measures, case.rule).to_judge
    assert ("Documents to judge" in out) == bool(named)
    rows = {tuple(line.split()) for line in out.splitlines()}
    assert {(query, document, str(rank)) for query, document, rank in named[:20]} <= rows
