"""Records of JSON whose keys a person named: the preview, and the records with known keys."""

from collections.abc import Iterable
from itertools import chain, islice

from ..from_tables.picked import RECORDS, SHOWN, Picked, Preview
from ..problems import File
from .parse import Members, kind_of, numbered_lines, parsed, written

_LONGEST = 200
"""At most this many characters of a value are shown."""


def preview_of_records(text: str, file: File) -> Preview | None:
    """Return the keys and first values of records; None where none have several values.

    Keys of lists and objects are left out: no part of a row is one.

    Raises
    ------
    ReadError
        When the text is not JSON.
    """
    records = [record for _, record in numbered(text, file)[0]]
    every = chain.from_iterable(records)
    keys = tuple(dict.fromkeys(key for key, of in every if not isinstance(of, Members | list)))
    if not 1 < len(keys) <= file.limits.columns:
        return None
    rows = (tuple(written(record.first(key))[:_LONGEST] for key in keys) for record in records)
    return Preview(RECORDS, (keys, *islice(rows, SHOWN - 1)), has_header=True)


def numbered(text: str, file: File) -> tuple[list[tuple[int, Members]], str]:
    """Return the records of a list or of JSON Lines with their numbers, and what they number.

    Raises
    ------
    ReadError
        When the text is not JSON, or has anything but records.
    """
    if (lines := numbered_lines(text, file)) is not None:
        return lines, "line"
    value = parsed(text, file)
    values = value if isinstance(value, list) else [value]
    if strange := [each for each in values if not isinstance(each, Members)]:
        fix = "Write a list of records, or a record on each line."
        raise file.error("E-JSON", f"{kind_of(strange[0])} in a list", "records", fix)
    return list(enumerate(values, 1)), "row"


def renamed(records: Iterable[tuple[int, Members]], picked: Picked) -> list[tuple[int, Members]]:
    """Return the records with the names that were chosen for their keys, and no other keys.

    Examples
    --------
    >>> picked = Picked(RECORDS, ("query", "", "score"), True, ("topic", "query", "value"))
    >>> ((_, record),) = renamed([(1, Members([("topic", "q1"), ("query", "x")]))], picked)
    >>> list(record)
    [('query', 'q1')]
    """
    names = {key: name for key, name in zip(picked.keys, picked.names, strict=True) if name}
    return [
        (number, Members([(names[key], value) for key, value in record if key in names]))
        for number, record in records
    ]
