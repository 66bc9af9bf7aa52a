"""A section keeps every id as a text, in each medium."""

import re
from html.parser import HTMLParser

from metrics.deciding import Statement
from metrics.words import visible
from metrics.writing import Table
from metrics.writing.section import Section, as_html, as_markdown, as_text
from tests.browser.hostile_ids import ids
from tests.cases import cases

HOSTILE = ids("http://127.0.0.1:9")
OWN = {"h2", "ul", "li", "strong", "div", "table", "thead", "tbody", "tr", "th", "td", "p", "pre"}
"""The tags that sections are made of."""


def section(name):
    """A section that names an id in each of its parts."""
    heading = Statement("result", "{} leads.", (name,))
    threat = Statement("ties", "Equal scores in {} decide.", (name,), {}, True)
    table = Table.of(["query", "P"], [[name, 0.5]]).saying(labels={"run": name})
    return Section(heading, (threat,), (table,), (f"rankscope explain {name!r}",))


class Read(HTMLParser):
    """The tags of a page, and the texts between them."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.texts = set(), []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        assert not [name for name, _ in attrs if name.startswith("on") or name in {"src", "href"}]

    def handle_data(self, data):
        self.texts.append(data)


@cases("name", HOSTILE)
def test_html_has_no_tag_of_an_id(name):
    found = Read(as_html([section(name)]))
    assert found.tags <= OWN
    texts = "".join(found.texts)
    assert f"{visible(name)} leads." in texts
    assert f"Equal scores in {visible(name)} decide." in texts


@cases("name", HOSTILE)
def test_markdown_escapes_what_it_would_interpret(name):
    text = as_markdown([section(name)])
    own, _ = text.split("sh\n")
    assert f"{visible(name)} leads." in re.sub(r"\\([\\`*_{}\[\]<>#|~$&!])", r"\1", own)
    # Only the bold sentences, the item, the table and the fence are markup.
    bare = re.sub(r"(?m)^- \*\*|^\*\*|\*\*$|\*\*: |^\|[:|-]+\|$|^\| | \|$| \| |^`{3,}$", "", own)
    assert not re.search(r"(?<!\\)(?:\\\\)*[`*_\[\]<>#|~$]", bare)


@cases("name", HOSTILE)
def test_a_terminal_gets_no_control_character(name):
    assert not re.search(r"[^\n\x20-\x7e\xa0-\U0010ffff]", as_text([section(name)]))
