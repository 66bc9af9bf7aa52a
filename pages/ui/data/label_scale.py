"""The question that labels of no known scale ask: what does each of them count?"""

from collections.abc import Callable

import streamlit as st

from metrics.auditing import intake
from metrics.data import LARGEST_GRADE
from metrics.reading import LabelError
from metrics.rendering import text

from .. import state, user_data

Scale = tuple[tuple[str, float], ...]


def question(place: int, seen: intake.Seen, read: Callable[[int, Scale], None]) -> None:
    """Show a number for each label of a file that was refused for them; else nothing.

    ``read`` is called with the file's place and what each label counts.
    """
    if not isinstance(error := seen.refusal, LabelError):
        return
    with st.form(user_data.fresh(f"labels{place}"), border=False):
        st.markdown(f"**Which grade is each label of {text.code(seen.name)}?**")
        with st.container(horizontal=True):
            for number, label in enumerate(error.labels):
                st.number_input(
                    text.code(label),
                    min_value=0.0,
                    max_value=float(LARGEST_GRADE),
                    step=1.0,
                    format="%g",
                    key=_key(place, number),
                    width=120,
                )
        st.caption("0 is not relevant; a fraction such as 0.5 may be a grade, too.")
        st.form_submit_button("Read it", on_click=_read, args=(place, error.labels, read))


def _read(place: int, labels: tuple[str, ...], read: Callable[[int, Scale], None]) -> None:
    scale = ((label, float(state.value(_key(place, at)) or 0)) for at, label in enumerate(labels))
    read(place, tuple(scale))


def _key(place: int, number: int) -> str:
    return user_data.fresh(f"label{place}_{number}")
