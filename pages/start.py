"""Start: what Rankscope is, and the way into it."""

from pages.ui import pickers, shell, state

shell.guard(state.START)
shell.head(state.START)
pickers.unknown_links()
