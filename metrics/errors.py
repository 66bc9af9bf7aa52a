"""The exceptions of Rankscope: each message says what was found and how to fix it."""


class RankscopeError(Exception):
    """An input that Rankscope cannot use; the message names the fix."""


class MeasureError(RankscopeError):
    """A measure's name or parameter that Rankscope does not know."""


class UnscoredError(MeasureError):
    """A query that has no score under the convention, whatever its grades."""


class DataError(RankscopeError):
    """Values of a run or qrels that would make a score undefined or a guess."""


class NoOverlapError(DataError):
    """A run without a judged query: every mean would be over no queries."""


class RankingError(DataError):
    """A convention that ranks a run in another way than the judged rankings at hand."""


class EditError(RankscopeError):
    """A hand edit that cannot be applied; the ranking does not change."""
