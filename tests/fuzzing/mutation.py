"""Seeded changes to valid files, for the fuzzer and its test."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tests.fuzzing.packing import gzipped, unpacked, zipped
from tests.fuzzing.words import WORDS

LARGEST = 20_000
"""At most this many bytes of an input; a few lines are usually enough to break a reader."""
_TOKEN = re.compile(rb'[^\s,;|{}\[\]:"]+')


class Mutator:
    """Change bytes at random; the same seed and the same calls give the same bytes."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def mutated(self, data: bytes, others: Sequence[bytes]) -> bytes:
        """Return the bytes with a few changes, sometimes packed."""
        if self.random.random() < 0.5 and data[:2] in (b"\x1f\x8b", b"PK"):
            return self._packed_again(data, others)
        for _ in range(self.random.choice((1, 1, 1, 2, 3, 5, 8))):
            data = self.random.choice(_CHANGES)(self, data, others)
        return data[:LARGEST]

    def _packed_again(self, data: bytes, others: Sequence[bytes]) -> bytes:
        """Change the contents of an archive, and pack it in the same or another way."""
        inside = [each[:LARGEST] for each in unpacked(data)] or [self.random.choice(others)]
        inside = [self._plainly(each, others) for each in inside]
        if self.random.random() < 0.5:
            return gzipped(inside) + self.random.choice((b"", b"", b"\0" * 9, *WORDS))
        packed = zipped(inside, self.random)
        return packed if self.random.random() < 0.5 else self._flip(packed, others)

    def _plainly(self, data: bytes, others: Sequence[bytes]) -> bytes:
        for _ in range(self.random.randrange(4)):
            data = self.random.choice(_CHANGES)(self, data, others)
        return data[:LARGEST]

    def _slice(self, data: bytes) -> tuple[int, int]:
        start = self.random.randrange(len(data) + 1)
        most = self.random.choice((1, 4, 30, len(data)))
        return start, min(len(data), start + self.random.randint(0, most))

    def _word(self) -> bytes:
        return self.random.choice(WORDS)

    def _flip(self, data: bytes, others: Sequence[bytes]) -> bytes:
        if not data:
            return self._word()
        changed = bytearray(data)
        for _ in range(self.random.choice((1, 1, 2, 4))):
            at = self.random.randrange(len(data))
            flipped = changed[at] ^ 1 << self.random.randrange(8)
            changed[at] = self.random.choice((flipped, self.random.randrange(256), 0, 255))
        return bytes(changed)

    def _insert(self, data: bytes, others: Sequence[bytes]) -> bytes:
        at = self.random.randrange(len(data) + 1)
        return data[:at] + self._word() * self.random.choice((1, 1, 1, 2, 40)) + data[at:]

    def _delete(self, data: bytes, others: Sequence[bytes]) -> bytes:
        start, stop = self._slice(data)
        return data[:start] + data[stop:]

    def _repeat(self, data: bytes, others: Sequence[bytes]) -> bytes:
        start, stop = self._slice(data)
        return data[:stop] + data[start:stop] * self.random.choice((1, 1, 2, 30)) + data[stop:]

    def _splice(self, data: bytes, others: Sequence[bytes]) -> bytes:
        other = self.random.choice(others)
        start, stop = self._slice(other)
        return data[: self._slice(data)[0]] + other[start:stop] + data[self._slice(data)[0] :]

    def _token(self, data: bytes, others: Sequence[bytes]) -> bytes:
        """Replace a cell, key or number by a word, or by another one of the file."""
        tokens = list(_TOKEN.finditer(data))
        if not tokens:
            return self._insert(data, others)
        token, donor = self.random.choice(tokens), self.random.choice(tokens)
        new = self.random.choice((self._word(), self._word(), donor.group()))
        return data[: token.start()] + new + data[token.end() :]

    def _everywhere(self, data: bytes, others: Sequence[bytes]) -> bytes:
        """Replace one cell, key or mark everywhere."""
        found = [*_TOKEN.findall(data), b",", b"\n", b" ", b"\t", b'"', b";"]
        return data.replace(self.random.choice(found), self._word(), 40)

    def _lines(self, data: bytes, others: Sequence[bytes]) -> bytes:
        """Swap two lines, or repeat one."""
        rows = data.split(b"\n")
        here, there = self.random.randrange(len(rows)), self.random.randrange(len(rows))
        if self.random.random() < 0.5:
            rows[here], rows[there] = rows[there], rows[here]
        else:
            rows.insert(there, rows[here])
        return b"\n".join(rows)

    def _tree(self, data: bytes, others: Sequence[bytes]) -> bytes:
        """Replace a value of a JSON text, or of one of its lines, by another value of it."""
        try:
            rows = [data] if data.count(b"\n") < 1 else data.split(b"\n")
            at = self.random.randrange(len(rows))
            whole = [json.loads(rows[at])]
        except (ValueError, RecursionError):
            return self._token(data, others)
        places = list(_places(whole))
        (of, key), (from_, other) = self.random.choice(places), self.random.choice(places)
        plain = (None, True, 0, 1.5, "", "d1", "1", [], {}, {"d1": 1}, ["d1"], [["d1", 1]])
        of[key] = copy.deepcopy(
            self.random.choice((from_[other], *self.random.choices(plain, k=2)))
        )
        written = json.dumps(whole[0], ensure_ascii=self.random.random() < 0.5)
        rows[at] = written.encode("utf-8", "replace")
        return b"\n".join(rows)

    def _coded(self, data: bytes, others: Sequence[bytes]) -> bytes:
        """Encode the text in another encoding, if the bytes are text."""
        if self.random.random() < 0.8:
            return self._token(data, others)
        coding = self.random.choice(("utf-16", "utf-16-be", "utf-8-sig", "latin-1", "utf-32"))
        return data.decode("utf-8", "replace").encode(coding, "replace")


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every list or object in a JSON value, with each of its keys."""
    for key in [*value] if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])


_CHANGES: tuple[Callable[[Mutator, bytes, Sequence[bytes]], bytes], ...] = (
    *(Mutator._flip, Mutator._insert, Mutator._delete, Mutator._repeat, Mutator._splice),
    *(Mutator._token, Mutator._token, Mutator._everywhere, Mutator._lines, Mutator._coded),
    *(Mutator._tree, Mutator._tree),
)
