"""Work on the parts of a file on several cores, with the results in the order of the parts."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Thread
from typing import TypeVar

P = TypeVar("P")
T = TypeVar("T")

MOST_WORKERS = 4
"""At most this many threads work on parts: more would only take memory and wait for the disk."""


def in_order(work: Callable[[P], T], parts: Iterable[P]) -> Iterator[T]:
    """Yield the result of ``work`` for each part, in order; few parts are in memory at a time.

    Where no thread can be started, the parts are worked on one after the other.

    Examples
    --------
    >>> list(in_order(len, ["a", "bcd", ""]))
    [1, 3, 0]
    """
    if not can_start_threads():
        yield from map(work, parts)
        return
    workers = min(MOST_WORKERS, os.cpu_count() or 1)
    waiting: deque[Future[T]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        for part in parts:
            waiting.append(pool.submit(work, part))
            if len(waiting) > workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def can_start_threads() -> bool:
    """Return whether a thread can be started now, by starting one.

    In a browser none can; elsewhere the machine's limit of threads may be reached.
    """
    thread = Thread(target=lambda: None)
    try:
        thread.start()
    except RuntimeError:
        return False
    thread.join()
    return True
