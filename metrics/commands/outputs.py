"""The files that a command writes: never over an input, and to whatever a path leads to."""

import os
import stat
import sys
from collections.abc import Iterable
from pathlib import Path

from .. import whole_file
from ..errors import RankscopeError
from ..words import visible
from .options import STDIN as STANDARD


def protect(inputs: Iterable[str], *outputs: str | None) -> None:
    """Refuse to write over an input, whatever name leads to it, or twice to one file.

    A folder that is an input counts as the files in it. An output that is None is not written.

    Raises
    ------
    RankscopeError
        With the file that would be lost.
    """
    names = list(inputs)
    names += [str(path) for each in names if os.path.isdir(each) for path in Path(each).rglob("*")]
    taken = {_identity(name, 0): name for name in names}
    for output in filter(None, outputs):
        identity = _identity(output, 1)
        if identity and identity in taken:
            raise RankscopeError(
                f"{visible(output)} would be written over {visible(taken[identity])}. "
                "Choose another file for the output."
            )
        taken[identity] = output


def write(path: str, text: str) -> None:
    """Write a file, or to the standard output, which ``-``, /dev/stdout and its file name.

    Raises
    ------
    OSError
        When the file cannot be written.
    """
    # Another file in the place of the redirected output would lose what is printed after it.
    if path == STANDARD or (os.path.exists(path) and os.path.samestat(os.stat(path), os.fstat(1))):
        sys.stdout.write(text)
    else:
        whole_file.write(Path(path), text.encode())


def _identity(path: str, stream: int) -> tuple[int, int] | str | None:
    """Return what all names of one file share; None for a device or a pipe: nothing is lost there.

    ``stream``: the descriptor that ``-`` stands for.
    """
    try:
        status = os.stat(stream if path == STANDARD else path)
    except OSError:
        return os.path.realpath(path)
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None
