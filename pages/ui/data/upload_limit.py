"""Report the uploads that the limit of a session refused."""

from collections import Counter

from metrics.limits import current
from metrics.words import count

from ..streamlit_internals import session

refusals: Counter[str] = Counter()
"""The number of refused uploads of each session since the last report."""


def refused() -> list[str]:
    """Return a message about files refused since the last call; their fields may be gone."""
    if not (times := refusals.pop(session(), 0)):
        return []
    return [
        f"{count(times, 'file was', 'files were')} not accepted: all uploads together may have at "
        f"most {current().session:,} bytes (limit session). Upload fewer files at once, or cut "
        "rankings at a smaller depth."
    ]
