"""Pack and unpack archives for the fuzzer, in valid and odd ways."""

from __future__ import annotations

import gzip
import io
import random
import warnings
import zipfile

_METHODS = (*[zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED] * 4, zipfile.ZIP_LZMA)
_MEMBERS = ("a.txt", "b/run.csv", "run.json", "x.parquet", "../up.txt", "q", "é.tsv", "a.jsonl")


def unpacked(data: bytes) -> list[bytes]:
    """Return the contents of a gzip file or zip archive; nothing if it is broken."""
    try:
        if data[:2] == b"\x1f\x8b":
            return [gzip.decompress(data)]
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return [archive.read(entry) for entry in archive.infolist()[:8]]
    except Exception:  # A broken archive can raise anything.
        return []


def gzipped(inside: list[bytes]) -> bytes:
    """Return a gzip file of several parts."""
    return b"".join(gzip.compress(each, mtime=0) for each in inside)


def zipped(inside: list[bytes], chance: random.Random) -> bytes:
    """Return a zip archive with random names and compression methods."""
    stream = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(stream, "w") as archive:
        warnings.simplefilter("ignore")  # the same name twice
        for each in inside + chance.sample(inside, chance.random() < 0.2):
            entry = zipfile.ZipInfo(chance.choice(_MEMBERS))
            archive.writestr(entry, each, chance.choice(_METHODS))
    return stream.getvalue()
