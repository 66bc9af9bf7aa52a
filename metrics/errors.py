"""The exceptions of Rankscope: each says what was found and how to mend it."""

from __future__ import annotations


class RankscopeError(Exception):
    """Something given to Rankscope cannot be used; the message names the fix."""


class MeasureError(RankscopeError):
    """A measure's name or parameter is not one that Rankscope knows."""


class DataError(RankscopeError):
    """Run or qrels values that would make a score undefined or a guess."""


class NoOverlapError(DataError):
    """A run of which no query was judged: every score would be a mean of nothing."""


class EditError(RankscopeError):
    """A hand edit that cannot be applied; the ranking stays as it was."""
