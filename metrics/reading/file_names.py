"""File names: what may be shown of them, and what they claim about the content."""

from __future__ import annotations

import re
from pathlib import Path

from ..data import Note
from ..words import is_hidden, quote, visible
from .decode import PARQUET
from .problems import File
from .unpack import GZIP, is_zip

ENDINGS = ("txt", "run", "qrels", "trec", "csv", "tsv", "json", "jsonl", "ndjson", "parquet")
PACKED = ("gz", "zip")
FOREIGN = (
    *("exe", "dll", "msi", "bat", "cmd", "com", "sh", "ps1", "js", "py", "jar", "app", "apk"),
    *("pdf", "doc", "docx", "odt", "xls", "xlsx", "ods", "ppt", "pptx", "html", "htm", "xml"),
    *("png", "jpg", "jpeg", "gif", "svg", "webp", "mp3", "mp4", "7z", "rar", "xz", "bz2", "zst"),
    *("tar", "tgz", "pkl", "pickle", "npy", "npz", "h5", "db", "sqlite", "arrow", "feather"),
)
"""Endings of files that are surely something else."""
LONGEST = 100
"""Characters of a name that are shown."""
_LINE_ENDS = re.compile(r"[\r\n]+")


def given(source: str | Path | bytes, name: str = "") -> str:
    """What to call a source: the name given with it, or that of its path."""
    return name or ("input" if isinstance(source, bytes) else Path(source).name)


def _without_folders(name: str) -> str:
    return name[max(name.rfind("/"), name.rfind("\\")) + 1 :]


def shown(name: str) -> str:
    """A file's name without folders, with everything in it visible, and not too long.

    Examples
    --------
    >>> shown("../../etc/passwd.csv"), shown("a\\r\\nb.csv")
    ('passwd.csv', 'a b.csv')
    """
    name = visible(_LINE_ENDS.sub(" ", _without_folders(name)))
    return name if len(name) <= LONGEST else f"{name[: LONGEST // 2]}…{name[-LONGEST // 2 + 1 :]}"


def title(name: str) -> str:
    """What to call what a file holds: its name without endings that say the format.

    Examples
    --------
    >>> title("deep/bm25.v2.run.gz"), title(".csv")
    ('bm25.v2', '.csv')
    """
    stem = _without_folders(name)
    for endings in (PACKED, ENDINGS):
        for ending in endings:
            short = stem[: -len(ending) - 1]
            if stem.lower().endswith(f".{ending}") and short:
                stem = short
                break
    return shown(stem)


def endings(name: str) -> list[str]:
    """The last two endings of a name, in small letters; fewer where it has fewer.

    Examples
    --------
    >>> endings("RUN.CSV.gz"), endings("noext")
    (['csv', 'gz'], [])
    """
    return _without_folders(name).lower().split(".")[1:][-2:]


def uploaded(name: str) -> list[Note]:
    """Notes on the name of an uploaded file.

    Raises
    ------
    ReadError
        When it holds a NUL, or an ending of another kind of file.

    Examples
    --------
    >>> uploaded("run.csv"), str(uploaded("noext")[0])
    ([], "The name 'noext' has no ending; its content says what it is.")
    """
    file = File(shown(name))
    known = "an ending such as .txt, .csv, .json, .parquet, also with .gz or in a .zip"
    if "\0" in name:
        fix = "Rename it."
        raise file.error("E-NAME", "a NUL character in the name", known, fix)
    last = endings(name)[-1:]
    if last and last[0] in FOREIGN:
        fix = "That format is not supported; rename the file if it is one of these."
        raise file.error("E-NAME", f"the ending {quote('.' + last[0])}", known, fix)
    notes = []
    if not last:
        text = f"The name {quote(name)} has no ending; its content says what it is."
        notes.append(Note(text, "N-NO-ENDING"))
    if any(is_hidden(character) and character not in "\r\n" for character in name):
        text = f"The name holds characters that cannot be seen: {shown(name)}."
        notes.append(Note(text, "N-HIDDEN-NAME"))
    return notes


def packing(name: str, data: bytes) -> list[Note]:
    """A note when a name and the first bytes disagree about packing, or about Parquet."""
    last = (endings(name) or [""])[-1]
    if data.startswith(GZIP) and last not in ("gz", "") and not is_zip(data):
        is_a = "packed with gzip"
    elif is_zip(data) and last not in ("zip", ""):
        is_a = "a zip archive"
    elif data.startswith(PARQUET) and last not in ("parquet", ""):
        is_a = "in Parquet"
    elif last in PACKED and data and not data.startswith(GZIP) and not is_zip(data):
        is_a = "not compressed"
    else:
        return []
    return [Note(f"The file is {is_a}, although its name ends in .{last}.", "N-ENDING")]


def require_claimed(name: str, content: str, file: File) -> None:
    """Refuse a file whose name claims a format that its content does not have.

    Parameters
    ----------
    content
        ``JSON``, ``Parquet`` or ``table``, which TREC lines are too.

    Raises
    ------
    ReadError
        When the name ends in a format's own ending and the content is of another.
    """
    claim = _claim(name)
    if claim in ("", content):
        return
    what = {"table": "lines of text", "JSON": "JSON", "Parquet": "a Parquet file"}
    found = f"{what[content]}, which is not a {claim} file as its name says"
    right = {"table": ".txt or .csv", "JSON": ".json", "Parquet": ".parquet"}[content]
    fix = f"If it is the right file, rename it to {right}."
    raise file.error("E-FORMAT", found, claim, fix)


def claims_json(name: str) -> bool:
    """Whether a name says that the content is JSON."""
    return _claim(name) == "JSON"


def _claim(name: str) -> str:
    """The format that a name claims; empty for none."""
    ending = next((each for each in reversed(endings(name)) if each not in PACKED), "")
    return _CLAIMS.get(ending, "")


_CLAIMS = {
    **dict.fromkeys(("json", "jsonl", "ndjson"), "JSON"),
    **dict.fromkeys(("csv", "tsv"), "table"),
    "parquet": "Parquet",
}
