"""Problems in the user's data, the offers to mend them, and how much is judged."""

from __future__ import annotations

from dataclasses import fields
from typing import Literal

import streamlit as st

from metrics import Dataset
from metrics.auditing.audit import KINDS
from metrics.auditing.coverage import ENOUGH
from metrics.limits import VARIABLE, Limits, current
from metrics.rendering import audit_charts, data_tables, text
from metrics.rendering.comparison_files import Source

from .. import cache, show, state, user_data
from . import upload

_FEW = 4
"""Messages with at most this many line breaks are shown in full; longer ones scroll."""


def refused() -> None:
    """Show why the last upload was refused, and how to mend it."""
    problems = state.message(state.PROBLEMS)
    if not problems:
        return
    before, apart = user_data.upload(), user_data.apart()
    kept = "Your previous data are still loaded." if before else "No data were loaded."
    st.error(f"{'The ids do not match' if apart else 'The upload was refused'}. {kept}")
    st.code(problems, language=None, wrap_lines=True, height=_tall(problems))
    if apart:
        dataset, mends = apart
        upload.mend_button(dataset, dict(mends), "apart")


def _tall(problems: str) -> int | Literal["content"]:
    """Return the height of the messages; long ones scroll, so that the data stay visible."""
    return 200 if problems.count("\n") > _FEW else "content"


def taken() -> None:
    """Show the notes about the last upload."""
    for note in filter(None, state.message(state.NOTES).split("\n")):
        st.info(text.code(note))


def audit(dataset: Dataset) -> None:
    """Show the user's data, and the findings about them."""
    seen = cache.coverages(dataset)
    show.table(data_tables.dataset(dataset, seen))
    if extras := text.extras(dataset):
        st.caption(extras)
    findings = cache.findings(dataset)
    for kind in KINDS:
        listed = [each for each in findings if each.kind == kind]
        if listed:
            st.markdown(f"**{kind.capitalize()}**")
        for place, each in enumerate(listed):
            st.text(f"• {text.visible(str(each))}")
            if each.mend:
                upload.mend_button(dataset, {each.about: each.mend}, f"{kind}_{place}")
    with st.expander("How much was judged: shares and grades"):
        left, right = st.columns(2, gap="large")
        with left:
            show.chart(audit_charts.judged(seen), "judged", Source((dataset.title,)))
            st.caption(
                f"If more than {1 - ENOUGH:.0%} are unjudged, judge more of the top documents, or "
                "see the range over all missing grades: “Unjudged” on Inspect and Compare."
            )
            show.table(data_tables.judged(seen))
        with right:
            counted = cache.grades(dataset.qrels)
            show.chart(audit_charts.grades(counted), "grades", Source((dataset.title,)))
            show.table(counted)


def limits() -> None:
    """Show the limits of uploads and their values."""
    now = current()
    st.markdown("**Limits**, checked before anything is read or computed:")
    st.table(
        {
            "limit": [f"`{each.name}`" for each in fields(Limits)],
            "at most": [f"{getattr(now, each.name):,}" for each in fields(Limits)],
            "what": [str(each.metadata["what"]) for each in fields(Limits)],
        }
    )
    st.caption(
        f"Uploads: {st.get_option('server.maxUploadSize')} MB a file. The server's variable "
        f"`{VARIABLE}` changes the limits, such as `classroom` or `classroom rows=50000`."
    )
