"""The first rows of a file whose columns are not known, by which a person names them."""

from .decode import decode
from .from_json.picked_records import preview_of_records
from .from_tables.picked import Preview, preview
from .problems import File, ReadError
from .unpack import unpack


def preview_of(data: bytes, file: File) -> Preview | None:
    """Return the first rows of a file that is a table or has records; None for any other.

    Examples
    --------
    >>> preview_of(b'[{"topic": "q1", "answer": "d1", "value": 9.5}]', File("a.json")).rows
    (('topic', 'answer', 'value'), ('q1', 'd1', '9.5'))
    """
    try:
        (member,) = unpack(data, file)
        text, _ = decode(member.data, file)
        if text.lstrip(" \t\r\n")[:1] in ("{", "["):
            return preview_of_records(text, file)
    except (ReadError, ValueError):
        return None
    return preview(text)
