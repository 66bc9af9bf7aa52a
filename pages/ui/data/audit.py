"""What was odd in the user's data, what would mend it, and how much of it was judged."""

from __future__ import annotations

from dataclasses import fields
from typing import Literal

import streamlit as st

from metrics import Dataset
from metrics.auditing.coverage import ENOUGH
from metrics.limits import VARIABLE, Limits, current

from .. import cache, show, state, user_data
from ..render import audit_charts, data_tables, text
from . import upload

_FEW = 4
"""So many more lines than one are shown in full."""


def refused() -> None:
    """Why the files that were given last are not here, and what would mend it."""
    problems = state.told(state.PROBLEMS)
    if not problems:
        return
    before, apart = user_data.upload(), user_data.apart()
    kept = "Your earlier data are still loaded." if before else "Nothing else has changed."
    st.error(f"{'The ids do not match' if apart else 'This could not be used'}. {kept}")
    st.code(problems, language=None, wrap_lines=True, height=_tall(problems))
    if any(state.value(user_data.fresh(key)) for key in (state.QRELS_FILE, state.RUN_FILES)):
        st.caption(
            "The files stay in their fields and are read again with the next one: take out (×) or "
            "replace what was refused."
        )
    if apart:
        dataset, mends = apart
        upload.mend_button(dataset, dict(mends), "apart")


def _tall(problems: str) -> int | Literal["content"]:
    """The height of the messages: many of them scroll, so that the data stay in sight."""
    return 200 if problems.count("\n") > _FEW else "content"


def taken() -> None:
    """What was made of the files that were given last."""
    for said in filter(None, state.told(state.TAKEN).split("\n")):
        st.info(text.code(said))


def audit(given: Dataset) -> None:
    """The user's data with everything that may mislead."""
    seen = cache.coverages(given)
    show.table(data_tables.dataset(given, seen))
    if extras := text.extras(given):
        st.caption(extras)
    found = cache.findings(given)
    for title, warns in (("May mislead", True), ("Worth knowing", False)):
        those = [each for each in found if (each.warns or each.mend is not None) == warns]
        if those:
            st.markdown(f"**{title}**")
        for place, each in enumerate(those):
            st.text(f"• {text.visible(str(each))}")
            if each.mend:
                upload.mend_button(given, {each.about: each.mend}, f"{warns}_{place}")
    with st.expander("How much was judged, which grades there are"):
        left, right = st.columns(2, gap="large")
        with left:
            show.chart(audit_charts.judged(seen), "judged")
            st.caption(
                f"Above {1 - ENOUGH:.0%} unjudged, have more of the top documents judged, or look "
                "at the range over the missing grades: “Unjudged” on Inspect and Compare."
            )
            show.table(data_tables.judged(seen))
        with right:
            counted = cache.grades(given.qrels)
            show.chart(audit_charts.grades(counted), "grades")
            show.table(counted)


def limits() -> None:
    """How much may be given."""
    now = current()
    st.markdown("**Limits**, checked before the work that they bound:")
    st.table(
        {
            "limit": [f"`{each.name}`" for each in fields(Limits)],
            "at most": [f"{getattr(now, each.name):,}" for each in fields(Limits)],
            "what": [str(each.metadata["what"]) for each in fields(Limits)],
        }
    )
    st.caption(
        f"Uploads: {st.get_option('server.maxUploadSize')} MB a file. The server's variable "
        f"`{VARIABLE}` changes them, such as `classroom` or `classroom rows=50000`."
    )
