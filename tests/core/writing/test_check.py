"""A check in words: hostile ids stay texts, and what is named first is the largest drop."""

import re
from xml.etree import ElementTree

from metrics import Qrels, Run, match
from metrics.deciding.regression import Rule, check
from metrics.writing.check import Source, junit, sections
from metrics.writing.section import as_markdown, as_text
from tests.cases import cases

HOSTILE = [
    "a\x00b\x08\x1b[2J\ufffe\uffff",
    "]]></failure>&lt;",
    "a\nb|c\r",
    "a ```` b\n```",
    "* [x](y)",
]


def checked(queries, better=()):
    """A check in which each query's document falls to rank 2, or 3 for those in ``better``."""
    qrels = Qrels.from_dict({query: {query: 2} for query in queries})
    one = Run.from_dict({query: {query: 3, "y": 2, "z": 1} for query in queries})
    two = Run.from_dict({q: {q: 2 if q in better else 1, "y": 4, "z": 1.5} for q in queries})
    rule = Rule(alpha=1, must_hold=tuple(queries))
    return check(match(qrels, one), match(qrels, two), ["RR"], rule)


@cases("query", HOSTILE)
def test_xml_keeps_every_id_as_a_text(query):
    found = checked([query])
    suite = ElementTree.fromstring(junit(found))
    case, held = suite.iter("testcase")
    shown = re.sub(r"⟨U\+([0-9A-F]{4})⟩", lambda code: chr(int(code[1], 16)), held.get("name"))
    assert (case.get("name"), shown) == ("RR", query)
    for failure in suite.iter("failure"):
        assert held.get("name") in failure.text
        assert failure.get("type") == "regression"


@cases("query", HOSTILE)
def test_markdown_keeps_every_id_as_a_text(query):
    text = as_markdown(sections(checked([query]), Source("base", query, "", query)))
    # A fence is closed by as many backticks at least, so the commands may hold fewer.
    (block,) = re.findall(r"(?ms)^(`{3,}sh\n.*?^`{3,})\n", text)
    lines = block.splitlines()
    assert [line.split()[1] for line in lines[1:-1]] == ["compare", "explain"]
    longest = max(map(len, re.findall("`+", "".join(lines[1:-1]))), default=0)
    assert len(lines[-1]) > longest
    plain = text.replace(block, "")
    assert not re.search(r"[^\n\x20-\x7e\xa0-\ufffd]", text)
    # Only the bold sentences, the items and the tables are markup.
    bare = re.sub(r"(?m)^\*\*|\*\*$|^- |^\|[:|-]+\|$|^\| | \|$| \| ", "", plain)
    assert not re.search(r"(?<!\\)[`*\[\]<|]", bare.replace("p < ", ""))


def test_the_largest_drop_of_a_query_that_must_hold_is_named_first():
    found = checked(["small", "large", "medium"], better=("small", "medium"))
    assert [each.query for each in found.causes] == ["large", "small", "medium"]
    text = as_text(sections(found, Source()))
    assert re.findall(r"(?m)^Query (\w+):", text) == ["large", "small", "medium"]
    assert re.findall(r"(?m)^(\w+) .* drops$", text) == ["large", "small", "medium"]


def test_only_the_first_queries_are_listed_and_those_that_drop_come_first():
    queries = [f"q{number:02}" for number in range(70)]
    qrels = Qrels.from_dict({query: {"x": 1} for query in queries})
    one = Run.from_dict({query: {"x": 2, "y": 1} for query in queries})
    two = Run.from_dict({q: {"x": 2, "y": 3 if q == "q69" else 1} for q in queries})
    rule = Rule(must_hold=tuple(queries))
    text = as_text(sections(check(match(qrels, one), match(qrels, two), ["RR"], rule), Source()))
    rows = re.findall(r"(?m)^(q\d+) +RR .* (holds|drops)$", text)
    assert rows[:2] == [("q69", "drops"), ("q00", "holds")]
    assert len(rows) == 50
    assert "not listed: 20 more" in text
