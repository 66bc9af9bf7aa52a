"""Limits on the size of input; each is checked before the work that it bounds."""

import os
import re
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache

from .errors import RankscopeError

VARIABLE = "RANKSCOPE_LIMITS"
"""The environment variable that chooses a preset and changes single limits."""


def _limit(value: int, what: str, least: int = 1) -> int:
    of_field: int = field(default=value, metadata={"what": what, "least": least})
    return of_field


@dataclass(frozen=True)
class Limits:
    """The most that a file may hold.

    Raises RankscopeError when a limit is not a whole number above 0; ``reload`` may be 0.
    """

    expanded: int = _limit(2_000_000_000, "bytes of a file after unpacking")
    ratio: int = _limit(200, "times the packed size, for files above 10 million bytes unpacked")
    members: int = _limit(50, "files in a zip archive")
    json: int = _limit(150_000_000, "bytes of JSON, which is read into memory whole")
    values: int = _limit(
        50_000_000,
        "commas and opening brackets of JSON; tags and attributes of a workbook",
    )
    rows: int = _limit(20_000_000, "rows of a file that is neither plain TREC nor plain Parquet")
    plain: int = _limit(10**12, "rows of plain TREC, uploaded or packed, or of plain Parquet")
    ranking: int = _limit(20_000_000, "documents of one query")
    line: int = _limit(100_000, "characters of a line")
    id: int = _limit(1_000, "characters of an id")
    columns: int = _limit(200, "columns of a table")
    depth: int = _limit(20, "levels of nested brackets in JSON")
    session: int = _limit(4_000_000_000, "bytes of data that one session holds")
    reload: int = _limit(10, "minutes in which a reloaded tab finds its data again", least=0)

    def __post_init__(self) -> None:
        for each in fields(self):
            value, least = getattr(self, each.name), each.metadata["least"]
            if type(value) is not int or value < least:
                raise RankscopeError(
                    f"The limit {each.name} is {value!r}; give a whole number of at least {least}."
                )


PRESETS = {
    "local": Limits(),
    "classroom": Limits(
        expanded=50_000_000,
        json=30_000_000,
        values=500_000,
        rows=500_000,
        plain=1_000_000,
        ranking=10_000,
        session=100_000_000,
        reload=0,
    ),
}
"""Limits for one user on one machine, and for a hundred users of one server."""


# Asked for each cell and each request.
@lru_cache(maxsize=64)
def parse(text: str) -> Limits:
    """Return the limits that a text sets: a preset's name, single limits, or both.

    Raises RankscopeError when a name is unknown or a limit is not a whole number above 0.

    Examples
    --------
    >>> parse("classroom rows=50000").rows
    50000
    """
    limits = PRESETS["local"]
    for word in text.replace(",", " ").split():
        name, sign, value = word.partition("=")
        if not sign and name in PRESETS:
            limits = PRESETS[name]
        elif name in {known.name for known in fields(Limits)}:
            whole = int(value) if re.fullmatch("[0-9]{1,18}", value) else -1
            limits = replace(limits, **{name: whole})
        else:
            names = ", ".join(known.name for known in fields(Limits))
            raise RankscopeError(
                f"{VARIABLE} contains {word!r}. Use a preset ({', '.join(PRESETS)}) or "
                f"name=number with one of these names: {names}."
            )
    return limits


def current() -> Limits:
    """Return the limits set by the environment variable; ``local`` if it is not set."""
    return parse(os.environ.get(VARIABLE, ""))
