"""Text that is no table, read by patterns: lines of LETOR and MovieLens, topics of TREC.

Sources, by the names in `LINES` and `BLOCKS`:

- LETOR: https://www.microsoft.com/en-us/research/project/letor-learning-rank-information-retrieval/
  and the judgments of https://github.com/o19s/hello-ltr
- MovieLens: https://files.grouplens.org/datasets/movielens/ (``u.data``, ``ratings.dat``)
- CISI: http://ir.dcs.gla.ac.uk/resources/test_collections/cisi/
- SemEval: the predictions of https://alt.qcri.org/semeval2017/task3/
- TREC: https://trec.nist.gov/data/topics_eng/, and the XML of later tracks
- SMART: https://ir.dcs.gla.ac.uk/resources/test_collections/cran/
"""

import re
from collections.abc import Iterator
from html import unescape
from itertools import pairwise

from ..data import Note, Pairs, Run
from ..words import quote
from .from_tables.delimited import TextTable, filled
from .problems import File
from .sources import line_ends, lines

LINES = {
    "LETOR": r"(?P<grade>[0-9.]+)[ \t]+qid:(?P<query>\S+)[ \t][^#]*"
    r"#[ \t]*(?:docid[ \t]*=[ \t]*)?(?P<document>\S+).*",
    "LETOR without ids": r"(?P<grade>[0-9.]+)[ \t]+qid:(?P<query>\S+)[ \t]+\d+:[^#]*",
    "MovieLens": r"(?P<query>\d+)(?P<by>\t|::)(?P<document>\d+)(?P=by)"
    r"(?P<grade>[0-9](?:\.[0-9])?)(?P=by)\d{9,10}",
    "CISI": r" *(?P<query>\d+)[ \t]+(?P<document>\d+)[ \t]+0[ \t]+0\.0+",
    "SemEval": r"(?P<query>\S+)\t(?P<document>\S+)\t\d+\t(?P<score>[-+.e\d]+)\t"
    r"(?P<grade>true|false)",
}
"""What every line matches, by the name of the form."""
BLOCKS = (
    (
        "<top>",
        r"<top>(?>.*?<num>)\s*(?:Number:\s*)?(?P<id>[^\s<]+)(?>.*?<(?:title|query)>)\s*"
        r"(?:Topic:)?(?P<text>[^<]+)",
    ),
    (
        "<topic[ >]",
        r'<topic\b[^>]*\b(?:number|id)=["\'](?P<id>[^"\']+)["\'][^>]*>(?>(?:.*?<(?:query|title)>)?)'
        r"(?:\s*<(?:description|summary)>)?(?P<text>[^<]*[^\s<][^<]*)",
    ),
    (
        "<topic[ >]",
        r"<topic>(?>.*?<(?:number|num|id)>)\s*(?P<id>[^\s<]+)(?>.*?<(?:query|title)>)(?P<text>[^<]+)",
    ),
    (r"<query>\s*<qid>", r"<query>\s*<qid>(?P<id>[^\s<]+)(?>.*?<content>)(?P<text>[^<]+)"),
    (
        r"^\.I \d",
        r"\.I (?P<id>\S+)\s+(?:\.T\s+(?P<title>(?>.*?(?=^\.[A-Z]\s))))?(?>.*?^\.W\s)"
        r"(?P<text>.*?)(?=^\.[A-Z]\s|\Z)",
    ),
)
"""What begins each block of text, and what it matches: topics of TREC, texts of SMART.

Atomic groups, so that a text made for it takes no quadratic time.
"""


def table_of_lines(kind: type[Pairs], text: str) -> TextTable | None:
    r"""Return a text as a table, if its first line has a known form; None for any other.

    Lines that begin with # are comments. A line without the form is left as it is. Of a score and
    a grade, a run has the one and qrels the other: predictions are written as the gold labels are.
    Documents without ids are named by their lines.

    Examples
    --------
    >>> from metrics import Qrels, Run
    >>> found = table_of_lines(Qrels, "# by hand\n2 qid:10 1:0.5 #docid = GX7 inc = 1")
    >>> found.names, found.text
    (('grade', 'query', 'document'), '\n2\t10\tGX7')
    >>> table_of_lines(Run, "q1 0 d1 3") is None
    True
    """
    first = next((line for _, line in filled(text) if line[:1] != "#"), "")
    for name, form in LINES.items():
        if not re.fullmatch(form, first.rstrip()):
            continue
        parts = re.compile(form).groupindex
        left = {"by", *({"score", "grade"} - {kind.VALUE} if kind.VALUE in parts else ())}
        names = tuple(part for part in parts if part not in left)
        numbered = "document" not in parts
        if numbered and kind is Run:
            continue
        every = (re.fullmatch(form, line.rstrip()) or line for line in lines(text))
        rows = (
            ("" if each[:1] == "#" else each)
            if isinstance(each, str)
            else "\t".join([*(each[part] for part in names), *[f"line-{number}"] * numbered])
            for number, each in enumerate(every, 1)
        )
        text, columns = "\n".join(rows), (*names, *["document"] * numbered)
        by_line = ", which is named by its line" if numbered else ""
        note = Note(f"Lines as in {name}: read as {', '.join(columns)}{by_line}.", "N-LINES")
        return TextTable("\t", columns, text, 0, notes=(note,))
    return None


def are_blocks(text: str) -> bool:
    """Return whether a text begins as topics of TREC or texts of SMART do.

    Examples
    --------
    >>> are_blocks("<top>\\n<num> Number: 301"), are_blocks("q1 0 d1 3")
    (True, False)
    """
    return bool(_START.match(text))


def blocks(text: str, file: File) -> Iterator[tuple[int, dict[str, str]]]:
    r"""Yield the id, the text and the title, if it has one, of each block, with its first line.

    Raises ReadError for a block without an id or a text.

    Examples
    --------
    >>> list(blocks(".I 1\n.W\nwhat is\nIR\n.I 2\n.T\nOn IR\n.W\n", File("cisi.all")))
    [(1, {'id': '1', 'text': 'what is IR'}), (5, {'id': '2', 'title': 'On IR', 'text': ''})]
    """
    forms = [(start, form) for start, form in BLOCKS if re.search(start, text, re.MULTILINE)]
    starts = [found.start() for found in re.finditer(forms[0][0], text, re.MULTILINE)]
    number, at = 1, 0
    for start, end in pairwise([*starts, len(text)]):
        number, at = number + line_ends(text[at:start]), start
        block = text[start:end]
        found = (re.match(form, block, re.DOTALL | re.MULTILINE) for _, form in forms)
        if (parts := next(filter(None, found), None)) is None:
            fix = "Complete the block, or write lines of an id, a tab and a text."
            what = f"a block that begins {quote(block.splitlines()[0])}"
            raise file.error("E-FIELDS", what, "a number and a title in each", fix, number)
        is_marked = block[0] == "<"
        yield (
            number,
            {
                name: " ".join((unescape(each) if is_marked else each).split())
                for name, each in parts.groupdict().items()
                if each is not None
            },
        )


_START = re.compile(
    rf"\s*(?:<\?xml[^>]*>\s*)?(?:<(?!html)\w+[^>]*>\s*)??(?:{'|'.join(dict(BLOCKS))})", re.MULTILINE
)
