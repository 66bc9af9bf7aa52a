"""Values as texts for a link: a version, then the bytes in letters, digits, ``-`` and ``_``."""

import base64
import re
import zlib
from dataclasses import dataclass

from .errors import RankscopeError

LONGEST_LINK = 2000
"""Some programs cut links of more characters."""
_MOST_BYTES = 1_000_000
"""At most this many characters are unpacked from a link."""
_SHAPE = re.compile(r"([0-9]{1,6})\.([A-Za-z0-9_-]*)", re.ASCII)


@dataclass(frozen=True)
class LinkText:
    """One kind of value in a link.

    Attributes
    ----------
    name
        What it is, in messages.
    newest
        The highest version that this program reads; the lowest is 1.
    longest
        At most this many characters are read.
    error
        The type of its errors, whose messages contain no text of the link.
    instead
        What to do with a value that is too long, as a sentence.
    """

    name: str
    newest: int
    longest: int
    error: type[RankscopeError] = RankscopeError
    instead: str = ""

    def wrap(self, version: int, content: bytes) -> str:
        """Return the text for a link.

        Examples
        --------
        >>> LinkText("note", newest=1, longest=100).wrap(1, b"{}")
        '1.e30'
        """
        return f"{version}." + base64.urlsafe_b64encode(content).decode().rstrip("=")

    def unwrap(self, text: str) -> bytes:
        """Return the content that `wrap` wrote; no content if its end was cut off.

        Raises RankscopeError of the type ``error``, when the text is too long, from a newer
        version, or another text.

        Examples
        --------
        >>> LinkText("note", newest=1, longest=100).unwrap("1.e30")
        b'{}'
        """
        if len(text) > self.longest:
            limit = f"{len(text):,} characters, and at most {self.longest:,} are read."
            instead = f" {self.instead}" if self.instead else ""
            raise self.error(f"The {self.name} in the link is too long: {limit}{instead}")
        match = _SHAPE.fullmatch(text)
        version, body = (int(match[1]), match[2]) if match else (0, "")
        if version > self.newest:
            newer = "from a newer version of Rankscope; update this one."
            raise self.error(f"The {self.name} in the link is {newer}")
        if not version:
            raise self.error(f"The link contains no {self.name} from Rankscope; copy it again.")
        # One character is too few for a byte: a single one at the end means that others were cut.
        whole = len(body) % 4 != 1
        return base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)) if whole else b""

    def pack(self, version: int, content: str) -> str:
        """Return a text, made shorter, for a link."""
        return self.wrap(version, zlib.compress(content.encode(), 9))

    def unpack(self, text: str) -> str:
        """Return the content that `pack` wrote.

        Raises RankscopeError of the type ``error``, as `unwrap` does, and when the content was
        changed or cut.

        Examples
        --------
        >>> note = LinkText("note", newest=1, longest=100)
        >>> note.unpack(note.pack(1, "a b c"))
        'a b c'
        """
        packed = self.unwrap(text)
        unpacker = zlib.decompressobj()
        try:
            plain = unpacker.decompress(packed, _MOST_BYTES)
        except zlib.error as error:
            raise self.damaged() from error
        if len(plain) == _MOST_BYTES:
            raise self.error(
                f"The {self.name} in the link is too large: {_MOST_BYTES:,} characters unpacked."
            )
        if not unpacker.eof:
            raise self.error(
                f"The {self.name} in the link is incomplete; copy the whole link again."
            )
        try:
            return plain.decode()
        except UnicodeDecodeError as error:
            raise self.damaged() from error

    def damaged(self) -> RankscopeError:
        """Return the error for a content that was changed."""
        return self.error(f"The {self.name} in the link is damaged; copy the whole link again.")
