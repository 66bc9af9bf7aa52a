"""A section of a result: content that knows no medium, and the media that know no content."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from html import escape

from ..deciding import Statement
from ..words import visible
from . import terminal
from .html import html
from .markdown import escaped, markdown
from .table import Table, labelled
from .terminal import wrapped

TITLES = {
    "corrected": "Corrected",
    "chance": "Chance",
    "excluded": "Likely lead",
    "ids": "Ids",
    "unjudged": "Unjudged",
    "grades": "Missing grades",
    "queries": "Missing queries",
    "few": "Sensitivity",
    "ties": "Equal scores",
    "lengths": "List lengths",
    "choices": "Other choices",
    "level": "Relevance level",
    "outlier": "Outliers",
    "weighting": "Weights",
    "others": "Other measures",
}
"""The title of each kind of threat."""
REVERSED = "the other run leads"
"""What a threat that favours the other run is marked with."""
_PROSE = 100
"""The width of sentences where the output is not a terminal."""


@dataclass(frozen=True)
class Section:
    """A heading, pictures as SVG, statements, tables and commands, in this order; each may lack."""

    heading: Statement | None = None
    statements: tuple[Statement, ...] = ()
    tables: tuple[Table, ...] = ()
    commands: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()


def said(text: str) -> Statement:
    """Return a sentence that is made already, names included, as a statement."""
    return Statement("sentence", "{}", (text,))


def item(found: Statement, text: str, strong: str = "{}") -> str:
    """Return the text of a statement behind its title, if it has one.

    ``strong``: how the medium stresses the title.
    """
    if found.kind not in TITLES:
        return text
    reverses = f" ({REVERSED})" if found.reverses else ""
    return f"{strong.format(f'{TITLES[found.kind]}{reverses}')}: {text}"


def as_text(sections: Iterable[Section], width: int = 0) -> str:
    """Return sections for a terminal of this width; 0 for any.

    Examples
    --------
    >>> few = Statement("few", "With 3 queries a difference under 0.5 would often be missed.")
    >>> print(as_text([Section(Statement("result", "{} leads.", ("bm25",)), (few,))], 50), end="")
    bm25 leads.
    <BLANKLINE>
    - Sensitivity: With 3 queries a difference under
      0.5 would often be missed.
    """

    def lines(text: str, indent: str = "") -> str:
        return "\n".join(wrapped(text, width or _PROSE, indent))

    blocks = _blocks(
        sections,
        heading=lambda found: lines(found.text()),
        item=lambda found: lines(f"- {item(found, found.text())}", "  "),
        table=lambda table: terminal.text(table, width).rstrip("\n"),
        code=lambda code: "\n".join(f"    {line}" for line in code.split("\n")),
    )
    return "\n\n".join(blocks) + "\n"


def as_markdown(sections: Iterable[Section]) -> str:
    """Return sections as Markdown; names are escaped.

    Examples
    --------
    >>> ties = Statement("ties", "Equal scores in {} decide.", ("bm_25",), {}, True)
    >>> print(as_markdown([Section(Statement("result", "{} leads.", ("bm_25",)), (ties,))]), end="")
    **bm\\_25 leads.**
    <BLANKLINE>
    - **Equal scores (the other run leads)**: Equal scores in bm\\_25 decide.
    """

    def text(found: Statement) -> str:
        return found.text(lambda name: escaped(visible(name)))

    blocks = _blocks(
        sections,
        heading=lambda found: f"**{text(found)}**",
        item=lambda found: f"- {item(found, text(found), '**{}**')}",
        table=lambda table: markdown(table).rstrip("\n"),
        code=_fenced,
    )
    return "\n\n".join(blocks) + "\n"


def place(heading: Statement) -> str:
    """Return the id of a heading, for links to it."""
    return re.sub(r"\W+", "-", heading.text())


def inline(found: Statement, marked: Callable[[str], str] = str) -> str:
    """Return a statement as HTML, in which names are escaped and then marked."""
    ours = replace(found, template=escape(found.template), rest=escape(found.rest))
    return ours.text(lambda name: marked(escape(visible(name))))


def as_html(sections: Iterable[Section], marked: Callable[[str], str] = str) -> str:
    """Return sections as HTML, to insert into a page; ``marked`` is that of `inline`.

    Examples
    --------
    >>> print(as_html([Section(said("By <b>"), (Statement("few", "p < {}", ("q",)),))]))
    <h2 id="By-b-">By &lt;b&gt;</h2>
    <ul><li><strong>Sensitivity</strong>: p &lt; q</li></ul>
    """

    def table(of: Table) -> str:
        labels = "; ".join(each.rstrip(".;") for each in labelled(of.labels))
        return html(of) + (f'<p class="small">{escape(labels)}.</p>' if labels else "")

    blocks = _blocks(
        sections,
        heading=lambda found: f'<h2 id="{place(found)}">{inline(found, marked)}</h2>',
        item=lambda found: f"<li>{item(found, inline(found, marked), '<strong>{}</strong>')}</li>",
        items="<ul>{}</ul>",
        table=table,
        code=lambda code: f"<pre>{escape(code)}</pre>",
    )
    return "\n".join(blocks)


def _blocks(
    sections: Iterable[Section],
    *,
    heading: Callable[[Statement], str],
    item: Callable[[Statement], str],
    table: Callable[[Table], str],
    code: Callable[[str], str],
    items: str = "{}",
) -> Iterator[str]:
    """Return what a medium makes of each part, in order."""
    for section in sections:
        if section.heading:
            yield heading(section.heading)
        yield from (f"<figure>{each}</figure>" for each in section.pictures)
        if section.statements:
            yield items.format("\n".join(map(item, section.statements)))
        yield from map(table, section.tables)
        if section.commands:
            yield code("\n".join(section.commands))


def _fenced(code: str) -> str:
    """Return code between fences that are longer than any run of backticks in it."""
    longest = max(map(len, re.findall("`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}sh\n{code}\n{fence}"
