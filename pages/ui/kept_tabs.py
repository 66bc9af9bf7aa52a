"""What a tab held when it was reloaded or closed, for the same browser and for a few minutes."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

import streamlit as st

from metrics.auditing import audit
from metrics.limits import current
from metrics.sessions import Session

from .streamlit_internals import is_open, session

COOKIE = "rankscope_browser"
"""The cookie by which a browser is known again: a random word, sent to nobody else."""
MOST = 100
"""At most this many closed tabs are kept."""


@dataclass
class _Tab:
    """What a tab holds, and when it was last known to be open."""

    browser: str
    held: Session
    seen: float

    @cached_property
    def size(self) -> int:
        """About how many bytes its data take."""
        return audit.size(self.held.dataset) if self.held.dataset else 0


class KeptTabs:
    """The tabs of all browsers by the session of each: open ones, and those closed lately.

    An open tab shares its data with its session, so keeping them takes no memory. Closed tabs are
    bounded in time, in number, and together by the size of one session.

    ``is_open`` says whether a session's tab is open; ``clock`` is the time in seconds.
    """

    def __init__(
        self, is_open: Callable[[str], bool], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._is_open, self._clock = is_open, clock
        self._tabs: dict[str, _Tab] = {}
        self._lock = Lock()

    def keep(self, browser: str, session: str, held: Session) -> None:
        """Record what a tab holds now."""
        with self._lock:
            if held.dataset is None and not held.edited:
                self._tabs.pop(session, None)
            else:
                self._tabs[session] = _Tab(browser, held, self._clock())

    def take(self, browser: str, *, asked: bool) -> Session | None:
        """Return what the tab that this browser closed last held, once; None if there is none.

        ``asked``: the address asks for data that were loaded: then those of an open tab of the
        same browser serve, too. After a reload the old tab may still count as open.
        """
        self.sweep()
        with self._lock:
            own = {key: tab for key, tab in self._tabs.items() if tab.browser == browser}
            closed = [key for key in own if not self._is_open(key)]
            if closed:
                return self._tabs.pop(max(closed, key=lambda key: own[key].seen)).held
            return max(own.values(), key=lambda tab: tab.seen).held if own and asked else None

    def sweep(self) -> None:
        """Note which tabs are open, and drop those that were closed too long ago or are too many.

        Called every few seconds: a tab counts as closed from the first call that finds it so.
        """
        now, limits = self._clock(), current()
        with self._lock:
            for key, tab in self._tabs.items():
                if self._is_open(key):
                    tab.seen = now
            closed = [key for key in self._tabs if not self._is_open(key)]
            closed.sort(key=lambda key: self._tabs[key].seen, reverse=True)
            total = 0
            for place, key in enumerate(closed):
                tab = self._tabs[key]
                total += tab.size
                late = now - tab.seen > 60 * limits.reload
                if late or place >= MOST or total > limits.session:
                    del self._tabs[key]

    def __len__(self) -> int:
        return len(self._tabs)


TABS = KeptTabs(is_open)
"""The tabs of this server."""


def browser() -> str:
    """Return the word of the browser that shows this page; empty where it has none."""
    return st.context.cookies.get(COOKIE, "")


def keep(held: Session) -> None:
    """Record what this page's tab holds now, unless reloads keep nothing."""
    if (tab := session()) and current().reload and (word := browser()):
        TABS.keep(word, tab, held)
