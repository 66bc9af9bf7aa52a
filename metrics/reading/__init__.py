"""Files -> Run, Qrels, texts. The content decides the format; the name is only a hint."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from ..data import Pairs, Qrels, Run
from .decode import decode, file_name, lines, open_bytes
from .delimited import header_of, read_delimited
from .json_pairs import read_json
from .problems import Problem, ReadError, quote
from .quick import read_quickly
from .rows import Rows, assemble
from .trec import read_trec

P = TypeVar("P", bound=Pairs)

__all__ = ["Problem", "ReadError", "read_qrels", "read_run", "read_texts"]


def read_run(source: str | Path | bytes, name: str = "") -> Run:
    """Read a run: TREC, CSV/TSV with a header, or JSON; plain or gzipped.

    Parameters
    ----------
    source
        A path, or the bytes of a file.
    name
        The file's name for messages when bytes are given.

    Raises
    ------
    ReadError
        With the file, line, column, what was found, what was expected and the fix.

    Examples
    --------
    >>> read_run(b"q1 Q0 d1 1 2.5 bm25", "bm25.run")
    Run('bm25': 1 queries, 1 rows)
    """
    return _read(Run, source, name)


def read_qrels(source: str | Path | bytes, name: str = "") -> Qrels:
    """Read qrels: TREC, CSV/TSV with a header, or JSON; plain or gzipped.

    Examples
    --------
    >>> read_qrels(b"query,document,grade\\nq1,d1,3", "labels.csv")
    Qrels('labels': 1 queries, 1 rows)
    """
    return _read(Qrels, source, name)


def read_texts(source: str | Path | bytes, name: str = "") -> dict[str, str]:
    """Read the texts of queries or documents: lines of id TAB text, under a header or not.

    Examples
    --------
    >>> read_texts(b"query\\ttext\\nq1\\tbest laptop", "queries.tsv")
    {'q1': 'best laptop'}
    """
    file = file_name(source, name)
    with open_bytes(source) as stream:
        text_lines = lines(decode(stream.read(), file))
    texts: dict[str, str] = {}
    for number, line in enumerate(text_lines, 1):
        key, tab, text = line.partition("\t")
        if number == 1 and header_of(line):
            continue
        if line and (not tab or not key or key in texts):
            found = f"the id {quote(key)} again" if key in texts else quote(line)
            fix = "Give every line one id, a tab and a text."
            expected = "an id of its own, a tab and a text"
            raise ReadError([Problem("E-FIELDS", file, found, expected, fix, number)])
        if line:
            texts[key] = text
    return texts


def _read(kind: type[P], source: str | Path | bytes, name: str) -> P:
    file = file_name(source, name)
    title = Path(file.removesuffix(".gz")).stem
    with open_bytes(source) as stream:
        pairs = read_quickly(kind, stream, title)
        if pairs is not None:
            return pairs
        stream.seek(0)
        text = decode(stream.read(), file)
    return assemble(kind, _rows(kind, text, file), file, title)


def _rows(kind: type[Pairs], text: str, file: str) -> Rows:
    if text.lstrip(" \t\r\n")[:1] in ("{", "["):
        return read_json(text, file)
    first = next((line for line in lines(text) if line.strip(" \t")), "")
    if header := header_of(first):
        return read_delimited(kind, text, file, header)
    return read_trec(kind, text, file)
