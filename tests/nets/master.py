"""Masters: named texts in one file for each net, which are compared byte for byte."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from difflib import unified_diff
from itertools import islice
from pathlib import Path

Entries = Iterable[tuple[str, str]]
"""Names, each once, with what the program gives there; in an order that never changes."""

LINES, WIDTH = 16, 800
"""A master has at most this many lines of a text, and characters of a line; and a digest."""
MOST_LINES, MOST_ENTRIES = 40, 15
"""A report has at most this many lines of an entry's difference, and entries."""
_INDENT = "    "
# Control characters have pictures from U+2400, so that git shows every difference as text.
_PICTURES = {code: 0x2400 + code for code in range(32) if code != ord("\n")} | {127: 0x2421}


def shortened(text: str) -> str:
    """Return the beginning of a long text with its size and digest; a short text as it is."""
    lines = text.split("\n")
    begun = [line[:WIDTH] for line in lines[:LINES]]
    if begun == lines:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    size = f"… of {len(lines):,} lines and {len(text):,} characters, sha256 {digest}"
    return "\n".join([*begun, size])


def written(entries: Entries) -> bytes:
    """Return entries as a file: each name on a line of its own, its text indented below it."""
    texts: dict[str, str] = {}
    for name, text in entries:
        if name in texts or not name or name[0].isspace() or "\n" in name:
            raise ValueError(f"The name {name!r} is not a line of its own, or appears twice.")
        lines = text.translate(_PICTURES).split("\n")
        texts[name] = "\n".join(line and _INDENT + line for line in lines)
    return "".join(f"{name}\n{text}\n" for name, text in texts.items()).encode(
        "utf-8", "backslashreplace"
    )


def parsed(content: bytes) -> dict[str, list[str]]:
    """Return the lines below each name of a file that `written` made."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in content.decode().split("\n")[:-1]:
        if line and not line.startswith(_INDENT):
            lines = found.setdefault(line, [])
        else:
            lines.append(line)
    return found


def compared(before: bytes, now: bytes) -> Iterator[str]:
    """Yield the lines of a report on two files; none if they are equal.

    An entry that differs, is new or is gone has its name and a diff of bounded length.
    """
    if before == now:
        return
    sides = parsed(before), parsed(now)
    names = list(dict.fromkeys(name for side in sides for name in side))
    differ = [name for name in names if sides[0].get(name) != sides[1].get(name)]
    if not differ:
        yield "The entries are the same, in another order."
        return
    yield f"{len(differ):,} of {len(names):,} entries differ."
    for name in differ[:MOST_ENTRIES]:
        yield from _difference(name, *sides)
    if more := differ[MOST_ENTRIES:]:
        yield f"… and {len(more):,} more, such as: {'; '.join(more[:MOST_ENTRIES])}"


def _difference(
    name: str, before: Mapping[str, list[str]], now: Mapping[str, list[str]]
) -> Iterator[str]:
    if name not in now:
        yield f"{name}: gone"
        return
    yield name if name in before else f"{name}: new"
    lines = unified_diff(before.get(name, []), now[name], n=2, lineterm="")
    # The first two name files.
    yield from islice(lines, 2, MOST_LINES + 2)
    if rest := sum(1 for _ in lines):
        yield f"… {rest:,} more lines"


def path_of(folder: Path, net: str) -> Path:
    """Return the file of a net in a folder."""
    return folder / f"{net}.txt"
