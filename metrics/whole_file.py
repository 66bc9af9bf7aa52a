"""Write a file so that every reader meets all of it or none, whenever the power is cut."""

import os
import secrets
import shutil
from pathlib import Path

PART = ".part"
"""The ending of a file that is being written; its name begins with a dot."""


def write(path: Path, content: bytes) -> None:
    """Write a file beside its place, then move it there: no reader meets a part of it.

    A link stays, and its target is written; a file that is replaced passes on its permissions. A
    device or a pipe is written to, since another file in its place would break it.

    Raises OSError when it cannot be written; nothing is left beside its place.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    path = Path(os.path.realpath(path))
    # Each writer has a name of its own, so that two cannot mix their bytes.
    beside = path.with_name(f".{secrets.token_hex(8)}{PART}")
    try:
        with beside.open("xb") as stream:
            if path.exists():
                shutil.copymode(path, beside)
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(beside, path)
    except BaseException as error:
        beside.unlink(missing_ok=True)
        if isinstance(error, OSError):
            # The user knows the file by its own name.
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


def sync(folder: Path) -> None:
    """Have the names of a folder's files on the disk, too, when the power is cut."""
    if hasattr(os, "O_DIRECTORY"):
        file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(file)
        finally:
            os.close(file)
