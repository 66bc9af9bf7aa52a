"""Read a list of query ids: one a line, with comments."""

import re

from . import file_names
from .decode import decode, each_line
from .problems import File
from .sources import Source, given, open_bytes

_COMMENT = re.compile(r"(?:^|(?<=[ \t]))#.*")
"""From a # at the start of a line or behind a space; an id can contain one elsewhere."""


def read_queries(source: Source, name: str = "") -> tuple[str, ...]:
    """Return the ids of a list of queries, each once: one a line; # begins a comment.

    Raises
    ------
    ReadError
        When the file cannot be read, is not a text, or lists no query.

    Examples
    --------
    >>> read_queries(b"# the queries of the front page\\nq17\\nq#2  # sold out in May\\nq17\\n")
    ('q17', 'q#2')
    """
    file = File(file_names.shown(file_names.name_of(source, name)))
    with open_bytes(given(source, file.name)) as stream:
        text, _ = decode(stream.read(), file)
    ids = (_COMMENT.sub("", line).strip(" \t") for line in each_line(text))
    queries = tuple(dict.fromkeys(filter(None, ids)))
    if not queries:
        fix = "Write one query id on each line, or leave the list out."
        raise file.error("E-EMPTY", "no query id", "a query id on each line", fix)
    return queries
