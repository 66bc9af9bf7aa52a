"""Memory: results by what they are and all that they depend on, so that each is made once."""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from .data import Qrels
from .matching import JudgedRankings, Rankings

T = TypeVar("T")
Key = tuple[str, ...]


class Memory(Protocol):
    """Returns the result of ``make``, which is called once for each key.

    A result is shared by all who ask for it: nobody changes it in place.
    """

    def __call__(self, key: Key, make: Callable[[], T], /) -> T: ...


def unbounded() -> Memory:
    """Return a memory that forgets nothing as long as it is used."""
    known: dict[Key, Any] = {}

    def remember(key: Key, make: Callable[[], T]) -> T:
        if key not in known:
            known[key] = make()
        found: T = known[key]
        return found

    return remember


def key_of(what: str, *parts: Any) -> Key:
    """Return a result's inputs as texts: data by all that is shown of them, the rest by ``repr``.

    Examples
    --------
    >>> key_of("overlaps", 10, ("a", "b"))
    ('overlaps', '10', "('a', 'b')")
    """
    known = Qrels | Rankings
    return what, *(_shown(part) if isinstance(part, known) else repr(part) for part in parts)


def content(data: Qrels | Rankings) -> str:
    """Return a hash of all in the data that a number can depend on."""
    return data.content if isinstance(data, JudgedRankings) else data.digest


def _shown(data: Qrels | Rankings) -> str:
    if isinstance(data, JudgedRankings):
        return repr((data.content, data.name, data.tag, data.notes))
    return data.shown
