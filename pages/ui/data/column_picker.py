"""The question that columns or keys without known names ask: what does each one contain?"""

from collections.abc import Callable

import pandas as pd
import streamlit as st

from metrics import ReadError
from metrics.auditing import intake
from metrics.reading.from_tables.picked import NAMES, UNUSED, Picked, Preview, guessed
from metrics.rendering import text

from .. import show, state, user_data

_ASKED = ("E-HEADER", "E-FIELDS")
"""The refusals that better names of the columns may mend."""
_LONGEST = 14
"""At most this many characters of a key are the label of its field."""


def asks(seen: intake.Seen) -> bool:
    """Return whether a file was refused because its columns are not known."""
    refusal = seen.refusal
    return isinstance(refusal, ReadError) and refusal.problems[0].code in _ASKED


def question(
    place: int,
    seen: intake.Seen,
    preview: Preview,
    read: Callable[[int, Picked], None],
    *,
    is_open: bool,
) -> None:
    """Show the first rows of a file and a choice for each of its columns.

    ``read`` is called with the file's place and the columns, once they are complete.
    """
    title = f"Choose the columns of {text.code(seen.name)}"
    with st.expander(title, expanded=is_open), st.form(_key(place, "form"), border=False):
        if isinstance(seen.refusal, ReadError):
            st.text(text.visible(f"Found {seen.refusal.problems[0].found}."))
        names = [str(number) for number in range(1, len(preview.rows[0]) + 1)]
        show.table(pd.DataFrame(preview.rows, columns=names).set_index("1"))
        if not preview.keys:
            st.checkbox(
                "The first line names the columns",
                preview.has_header,
                key=_key(place, "header"),
            )
        with st.container(horizontal=True):
            first = preview.rows[0] if preview.has_header else ()
            for number, name in enumerate(guessed(first) or [UNUSED] * len(names)):
                key = preview.keys[number] if preview.keys else ""
                st.selectbox(
                    text.code(text.shortened(key, _LONGEST)) if key else f"Column {number + 1}",
                    (UNUSED, *NAMES),
                    index=(UNUSED, *NAMES).index(name),
                    format_func=lambda name: name or "not used",
                    key=_key(place, number),
                    width=120,
                )
        st.form_submit_button("Read it", on_click=_read, args=(place, seen.name, preview, read))


def _read(place: int, name: str, preview: Preview, read: Callable[[int, Picked], None]) -> None:
    """Read a file with the columns that were chosen, or say which are missing."""
    names = tuple(
        str(state.value(_key(place, number)) or UNUSED) for number in range(len(preview.rows[0]))
    )
    has_header = bool(preview.keys) or bool(state.value(_key(place, "header")))
    picked = Picked(preview.delimiter, names, has_header, preview.keys)
    twice = [each for each in NAMES if names.count(each) > 1]
    if twice or picked.missing():
        what = f"{twice[0]} twice" if twice else f"no {' and no '.join(picked.missing())}"
        fix = "Choose query, document, and score, rank or grade; or id and text."
        state.put({state.PROBLEMS: f"{name}: found {what} among the columns. {fix}"})
        return
    read(place, picked)


def _key(place: int, part: object) -> str:
    return user_data.fresh(f"column{place}_{part}")
