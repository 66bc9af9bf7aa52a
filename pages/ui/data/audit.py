"""Problems in the user's data, the offers to mend them, and how much is judged."""

from collections.abc import Sequence
from dataclasses import fields
from functools import partial
from typing import Literal

import pandas as pd
import streamlit as st

from metrics import Dataset
from metrics.auditing.audit import KINDS, Finding, together
from metrics.auditing.id_mismatch import Mend
from metrics.limits import VARIABLE, Limits, current
from metrics.rendering import audit_charts, data_tables, text
from metrics.rendering.comparison_files import Source

from .. import by_hand, cache, show, state, user_data
from . import upload

_LINES = 6
"""At most this many findings are shown as lines; more are rows of a table."""
_NAMED = 4
"""At most this many files are named for one finding."""
_FEW = 6
"""Messages with at most this many lines are shown in full; longer ones scroll."""


def refused() -> None:
    """Show why the last upload was refused, and how to mend it."""
    problems = state.message(state.PROBLEMS)
    if not problems:
        return
    before, apart = user_data.upload(), user_data.apart()
    kept = "Your previous data are still loaded." if before else "No data were loaded."
    lines = [f"{'The ids do not match' if apart else 'The upload was refused'}. {kept}"]
    for problem in problems.split("\n"):
        where, found, what = problem.rpartition(": found ")
        place = f"**{text.code(where)}**" if where else ""
        lines.append(f"- {place}{text.code(found + what)}")
    # Long messages scroll, so that the data stay visible.
    height: Literal["content"] | int = 240 if len(lines) > _FEW else "content"
    with st.container(height=height, border=False):
        st.error("\n".join(lines))
    if apart:
        dataset, mends = apart
        upload.mend_button(dataset, dict(mends), "apart")


def taken() -> None:
    """Show the notes about the last upload."""
    if notes := state.message(state.NOTES):
        st.info("  \n".join(map(text.code, notes.split("\n"))))


def files(dataset: Dataset) -> None:
    """Show what was read of the user's data, and what may mislead in them."""
    if dataset.is_judged:
        show.table(data_tables.dataset(dataset, cache.coverages(dataset)))
    else:
        show.table(data_tables.unjudged(dataset))
        st.caption(
            "The only judgments are those given by hand, listed under Changed grades."
            if by_hand.changed_grades(dataset)
            else "No judgments: nothing is scored. Add qrels at any time."
        )
    if extras := text.extras(dataset):
        st.caption(extras)
    st.caption(upload.kept_without())
    if first := _of_kind(dataset, KINDS[0]):
        st.markdown(f"**{KINDS[0].capitalize()}**")
        _misleading(dataset, first)


def details(dataset: Dataset) -> None:
    """Show what is worth knowing about the user's data, and how much of them is judged."""
    left, right = st.columns([3, 2], gap="medium") if dataset.is_judged else (st.container(),) * 2
    if rest := _of_kind(dataset, KINDS[1]):
        with left.expander(KINDS[1].capitalize(), expanded=len(rest) <= _LINES):
            _listed(rest)
    if not dataset.is_judged:
        return
    seen = cache.coverages(dataset)
    source, counted = Source((dataset.title,)), cache.grades(dataset.qrels)
    if max((len(each.judged) for each in seen.values()), default=0) >= audit_charts.MANY:
        with left:
            show.chart(audit_charts.judged(seen), "judged", source)
    with right:
        show.chart(audit_charts.grades(counted), "grades", source)
    with st.expander("How much was judged: shares and grades as tables"):
        left, right = st.columns(2, gap="large")
        with left:
            show.table(data_tables.judged(seen))
        with right:
            show.table(counted)


def _of_kind(dataset: Dataset, kind: str) -> list[Finding]:
    return [each for each in cache.findings(dataset) if each.kind == kind]


def _misleading(dataset: Dataset, findings: Sequence[Finding]) -> None:
    """Show what may mislead: first what a button changes, one line for each cause."""
    causes: dict[tuple[str, str], list[tuple[Finding, Mend]]] = {}
    for each in findings:
        if each.mend:
            causes.setdefault((each.mend.part, each.mend.reason), []).append((each, each.mend))
    for place, alike in enumerate(causes.values()):
        more = f" So do {text.count(len(alike) - 1, 'other run')}." if len(alike) > 1 else ""
        st.text(f"• {text.visible(str(alike[0][0]))}{more}")
        upload.mend_button(dataset, {each.about: mend for each, mend in alike}, f"mend_{place}")
    for each in findings:
        if each.level is not None:
            st.text(f"• {text.visible(str(each))}")
            if state.last(state.LEVEL) == each.level:
                st.caption(f"Every page now counts as relevant from {each.level:g}.")
                continue
            count = partial(state.put, {state.LEVEL: each.level})
            st.button(f"Count as relevant from {each.level:g}", on_click=count)
    _listed([each for each in findings if each.mend is None and each.level is None])


def _listed(findings: Sequence[Finding]) -> None:
    """Show findings as lines, the same one of several files once; many lines as one table."""
    rows = [(text.visible(_names(files)), text.visible(said)) for files, said in together(findings)]
    if len(rows) > _LINES:
        show.wrapped(pd.DataFrame(rows, columns=["file", "finding"]).set_index("file"))
        return
    for files, finding in rows:
        st.text(f"• {files}: {finding}")


def _names(files: Sequence[str]) -> str:
    """Return the names of files, many as the first of them and how many more there are."""
    if len(files) <= _NAMED:
        return ", ".join(files)
    return f"{', '.join(files[: _NAMED - 1])} and {len(files) - _NAMED + 1} more"


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
