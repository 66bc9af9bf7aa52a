"""Files that the app is started with -> the data that everyone who opens it sees first."""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from ..errors import RankscopeError
from .intake import Given, Taken, add_files
from .recognition import ROLES

VARIABLE = "RANKSCOPE_OPEN"
"""The environment variable that names the files."""

Stamp = tuple[int, int]
"""The time of a file's last change and its size: both stay while the file is the same."""


def named(files: Mapping[str, Sequence[str]]) -> str:
    """Return the value of the variable for files by role, under their absolute paths.

    Raises RankscopeError when a file does not exist.
    """
    paths: dict[str, list[str]] = {}
    for role, names in files.items():
        for name in names:
            if not Path(name).exists():
                raise RankscopeError(f"{name}: No such file or directory. Name an existing file.")
            paths.setdefault(role, []).append(str(Path(name).absolute()))
    return json.dumps(paths)


def files() -> tuple[tuple[str, str], ...]:
    """Return the role and the path of each file that the variable names.

    Raises RankscopeError when the variable is not what `named` returns.
    """
    text = os.environ.get(VARIABLE, "") or "{}"
    try:
        found = json.loads(text)
        pairs = tuple((role, path) for role, paths in found.items() for path in paths)
    except (ValueError, AttributeError, TypeError) as error:
        raise _wrong(text) from error
    if not all(role in ROLES and isinstance(path, str) for role, path in pairs):
        raise _wrong(text)
    return pairs


def stamps(pairs: Iterable[tuple[str, str]]) -> tuple[Stamp, ...]:
    """Return a stamp for each file; zeros for one that is gone."""
    return tuple(map(_stamp, (path for _, path in pairs)))


# One, so that a file that is written again and again does not fill the memory.
@lru_cache(maxsize=1)
def read(pairs: tuple[tuple[str, str], ...], at: tuple[Stamp, ...]) -> Taken:
    """Return the data of the files, read once for each of their stamps.

    Examples
    --------
    >>> read((), ()).dataset is None
    True
    """
    return add_files(Given(Path(path).name, Path(path), role) for role, path in pairs)


def _stamp(path: str) -> Stamp:
    try:
        status = os.stat(path)
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


def _wrong(text: str) -> RankscopeError:
    return RankscopeError(
        f'{VARIABLE} is {text!r}; write JSON such as {{"qrels": ["/a/qrels.txt"], "run": '
        f'["/a/bm25.run"]}}, with the roles {", ".join(ROLES)}.'
    )
