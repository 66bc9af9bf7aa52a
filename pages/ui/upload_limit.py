"""Report the uploads that the limit of a session refused, and free those that were read."""

from __future__ import annotations

from collections import Counter

from streamlit.runtime.scriptrunner import get_script_run_ctx

from metrics.limits import current
from metrics.words import count

refusals: Counter[str] = Counter()
"""The number of refused uploads of each session since the last report."""


def let_go() -> None:
    """Drop the files of this session's upload fields, after they were read or the page was left.

    A browser does not report that it no longer shows a field, so the files would stay in memory
    and count towards the limit.
    """
    if context := get_script_run_ctx():
        context.uploaded_file_mgr.remove_session_files(context.session_id)


def refused() -> list[str]:
    """Return a message about files refused since the last call; their fields may be gone."""
    context = get_script_run_ctx()
    if not context or not (times := refusals.pop(context.session_id, 0)):
        return []
    return [
        f"{count(times, 'file was', 'files were')} not accepted: all uploads together may have at "
        f"most {current().session:,} bytes (limit session). Upload fewer files at once, or cut "
        "rankings at a smaller depth."
    ]
