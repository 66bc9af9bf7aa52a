"""Files of the field that have no documents to rank: called by their name, with what to do.

Sources:

- MIND: https://github.com/msnews/msnews.github.io/blob/master/assets/doc/introduction.md
- nuggets: https://github.com/castorini/nuggetizer
"""

import re

from .problems import File, ReadError


class KnownError(ReadError):
    """A file that is certainly of a form that is not read, so that no other role is tried."""


KNOWN = (
    (
        r"\d+ \[\d+(,\d+)*\] *$|\d+\t\w+\t[^\t\n]*\t[^\t\n]*\tN\d+(-[01])?( N\d+(-[01])?)* *$",
        "impressions of MIND",
        "Write a row for each news: impression, news, and 1 / rank as score, or click as grade.",
    ),
    (
        r'(?s:\[?\s*\{(?=.*"(qid|query_id)":\s*["\d])(?!.*"(doc(ument|no)?(_?id)?|pid)":)'
        r'.*"nuggets":\s*\[\s*\{)',
        "nuggets and what supports them",
        "Measures of nuggets are not offered; use the ranking of the documents instead.",
    ),
)
"""What the beginning of a file matches, its name, and what to do."""


def refuse_known(text: str, file: File) -> None:
    """Refuse a file by its beginning.

    Raises
    ------
    KnownError
        With the name of the form, and what to do.
    """
    # A record may be long, and its nuggets come last.
    for tells, name, fix in KNOWN:
        if re.match(rf"\s*{tells}", text[:20_000], re.MULTILINE):
            raise KnownError([file.problem("E-FORMAT", name, "a run or qrels", fix)])
