"""File names: how they are shown, and which format they claim."""

import os
import re
from pathlib import Path

from ..data import Note
from ..words import is_hidden, quote, visible
from .problems import File
from .sources import PARQUET, Source
from .unpack import packed_as

ENDINGS = (
    *("txt", "run", "qrels", "trec", "csv", "tsv"),
    *("json", "jsonl", "ndjson", "parquet", "xlsx"),
)
PACKED = ("gz", "zip", "bz2", "xz", "zst", "lz4", "tar", "tgz")
_INSTEAD = {
    **dict.fromkeys(
        ("7z", "rar"), "That format is not supported: pack the files in a .zip archive."
    ),
    **dict.fromkeys(
        ("pkl", "pickle", "npy", "npz", "h5", "db", "sqlite", "arrow", "feather"),
        "That format is not supported: write the rows as CSV or Parquet.",
    ),
    **dict.fromkeys(
        (
            *("exe", "dll", "msi", "bat", "cmd", "com", "sh", "ps1", "js", "py", "jar", "app"),
            *("apk", "html", "htm", "png", "jpg", "jpeg", "gif", "svg", "webp", "mp3", "mp4"),
        ),
        "That format is not supported; rename the file if it has one of the expected formats.",
    ),
}
"""What to do with a file that is not read, by its extension: nothing names some by content."""
_WORKBOOKS = ("xlsx", "xls", "ods")
LONGEST = 100
"""At most this many characters of a name are shown."""
_LINE_ENDS = re.compile(r"[\r\n]+")


def name_of(source: Source, name: str = "") -> str:
    """Return the name of a source: the argument, or else the last part of its path."""
    path = source if isinstance(source, str | os.PathLike) else getattr(source, "name", None)
    return name or (Path(path).name if isinstance(path, str | os.PathLike) else "input")


def _without_folders(name: str) -> str:
    return name[max(name.rfind("/"), name.rfind("\\")) + 1 :]


def shown(name: str) -> str:
    """Return a file's name for messages: without folders, visible and shortened.

    Examples
    --------
    >>> shown("../../etc/passwd.csv"), shown("a\\r\\nb.csv")
    ('passwd.csv', 'a b.csv')
    """
    name = visible(_LINE_ENDS.sub(" ", _without_folders(name)))
    return name if len(name) <= LONGEST else f"{name[: LONGEST // 2]}…{name[-LONGEST // 2 + 1 :]}"


def title(name: str) -> str:
    """Return the name of a file's data: the file name without extensions of known formats.

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
    """Return the last two extensions of a name, in lower case; fewer where it has fewer.

    Examples
    --------
    >>> endings("RUN.CSV.gz"), endings("noext")
    (['csv', 'gz'], [])
    """
    return _without_folders(name).lower().split(".")[1:][-2:]


def uploaded(name: str) -> list[Note]:
    """Return the notes on the name of an uploaded file.

    Raises ReadError when it contains a NUL or ends in the extension of an unsupported format.

    Examples
    --------
    >>> uploaded("run.csv"), str(uploaded("noext")[0])
    ([], "The name 'noext' has no extension; the format was detected from the content.")
    """
    file = File(shown(name))
    known = "an extension such as .txt, .csv, .json or .parquet, also with .gz or in a .zip"
    if "\0" in name:
        fix = "Rename it."
        raise file.error("E-NAME", "a NUL character in the name", known, fix)
    last = endings(name)[-1:]
    if instead := _INSTEAD.get("".join(last)):
        raise file.error("E-NAME", f"the extension {quote('.' + last[0])}", known, instead)
    notes = []
    if not last:
        text = f"The name {quote(name)} has no extension; the format was detected from the content."
        notes.append(Note(text, "N-NO-ENDING"))
    if any(is_hidden(character) and character not in "\r\n" for character in name):
        text = f"The name contains invisible characters: {shown(name)}."
        notes.append(Note(text, "N-HIDDEN-NAME"))
    return notes


def packing(name: str, data: bytes, *, is_workbook: bool = False) -> list[Note]:
    """Return a note when the name and the first bytes disagree about compression or Parquet.

    ``is_workbook``: the file is a zip archive that is one of Excel's workbooks.
    """
    last, kind = (endings(name) or [""])[-1].replace("tgz", "gz"), packed_as(data)
    if is_workbook:
        if last in ("xlsx", "zip", ""):
            return []
        is_a = "an Excel workbook"
    elif kind and last not in (kind, ""):
        is_a = f"a {kind} archive" if kind in ("zip", "tar") else f"packed as .{kind}"
    elif data.startswith(PARQUET) and last not in ("parquet", ""):
        is_a = "in Parquet"
    elif last in PACKED and data and not kind:
        is_a = "not compressed"
    elif last in _WORKBOOKS and data and not kind:
        is_a = "not a workbook"
    else:
        return []
    return [Note(f"The file is {is_a}, although its name ends in .{last}.", "N-ENDING")]


def require_claimed(name: str, content: str, file: File) -> None:
    """Refuse a file whose name claims a format that its content does not have.

    ``content`` is ``JSON``, ``Parquet`` or ``table``; TREC lines count as a table.

    Raises ReadError when the name has a format's own extension and the content has another format.
    """
    claim = claimed(name)
    if claim in ("", content):
        return
    what = {"table": "lines of text", "JSON": "JSON", "Parquet": "a Parquet file"}
    found = f"{what[content]}, which is not a {claim} file as the name says"
    right = {"table": ".txt or .csv", "JSON": ".json", "Parquet": ".parquet"}[content]
    raise file.error("E-FORMAT", found, claim, f"If it is the right file, rename it to {right}.")


def claimed(name: str) -> str:
    """Return the format that a name claims: ``JSON``, ``Parquet``, ``table`` or none, empty."""
    ending = next((each for each in reversed(endings(name)) if each not in PACKED), "")
    return _CLAIMS.get(ending, "")


_CLAIMS = {
    **dict.fromkeys(("json", "jsonl", "ndjson"), "JSON"),
    **dict.fromkeys(("csv", "tsv"), "table"),
    "parquet": "Parquet",
}
