"""Problems in the user's data, the offers to mend them, and how much is judged."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

import streamlit as st

from metrics import Dataset
from metrics.auditing import Mend, audit, intake
from metrics.limits import current
from metrics.rendering import data_tables, text

from .. import by_hand, cache, pickers, show, state, user_data
from ..inline import component
from . import drop_box, upload

_LINES = 6
"""More findings than this are behind their heading."""
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
    kept = " Your data are unchanged." if before else ""
    listed = user_data.listed()
    names = [seen.name for seen in listed.seen] if listed and not listed.is_accepted else []
    named = f"{text.code(names[0])} was not" if names else "Nothing was"
    said = f"{'These files were not' if names[1:] else named} added."
    if bad := drop_box.left_out(listed):
        said = f"{len(bad)} of {len(names)} files cannot be read; the rest waits."
    lines = [f"{'The ids do not match. ' if apart else ''}{said}{kept}"]
    advised = dict[str, list[str]]()
    for problem in text.without_codes(problems).split("\n"):
        where, found, what = problem.rpartition(": found ")
        what, _, todo = what.partition("; expected ")
        place = f"**{text.code(where)}**" if where else ""
        advised.setdefault(todo, []).append(f"- {place}{text.code(found + what)}")
    for todo, alike in advised.items():
        # What several lines need is said once, above them.
        if todo and alike[1:]:
            lines += [f"- Expected {text.code(todo)}", *(f"    {each}" for each in alike)]
        else:
            lines += [each + (f"; expected {text.code(todo)}" if todo else "") for each in alike]
    # Long messages scroll, so that the data stay visible.
    height: Literal["content"] | int = 240 if len(lines) > _FEW else "content"
    with st.container(height=height, border=False):
        st.error("\n".join(lines))
    drop_box.leave_out(bad)
    if apart:
        dataset, mends = apart
        upload.mend_button(dataset, dict(mends), "apart")


def upload_notes() -> None:
    """Show the notes about the last upload."""
    if notes := state.message(state.NOTES):
        st.info("  \n".join(map(text.code, notes.split("\n"))))


def loaded() -> None:
    """Show the user's data, else the sample looked at last: the doors to it, and its files."""
    own = state.YOURS if user_data.upload() else state.looked_at()
    if opened := pickers.sources().get(own):
        upload.loaded(opened)
        _files(opened.load())


def _files(dataset: Dataset) -> None:
    """Show what a button mends in the data, then a card of each file, and what was found."""
    every, found = cache.findings(dataset), []
    _mendable(dataset, [each for each in every if each.mend or each.level is not None])
    # What was refused is above: it is not part of these data.
    sound = "In the loaded data: no errors" if state.message(state.PROBLEMS) else "No errors"
    sound = "" if any(each.kind == audit.KINDS[0] for each in every) else sound
    for kind in audit.KINDS:
        of = [each for each in every if each.kind == kind and not each.mend and each.level is None]
        lines = [_line(*each) for each in audit.together(of)]
        if lines:
            things = text.count(len(lines), "thing")
            title = f"{sound}. {things} to know:" if sound else kind.capitalize()
            found.append({"title": title, "lines": lines, "open": len(lines) <= _LINES})
    names = [run.name for run in dataset.rankings]
    # Those that Compare shows, else those that it would show first.
    picked = [state.last(key) for key in (state.A, state.B)]
    pair = picked if {*picked} <= {*names} else names[:2]
    seen = cache.coverages(dataset) if dataset.is_judged else {}
    # Judged rankings are nothing without their judgments.
    removable = [not dataset.judged] * dataset.is_judged + [True] * len(names)
    _cards(
        key="files_read",
        on_removed_change=_remove,
        data={
            "cards": data_tables.cards(dataset, seen, cache.grades(dataset.qrels)),
            "sides": dict(zip(map(text.visible, pair), "AB", strict=False)) if names[1:] else {},
            "removable": removable if dataset is user_data.upload() else [],
            "found": found or ([{"title": f"{sound}.", "lines": []}] if sound else []),
        },
    )
    if not dataset.is_judged and not by_hand.changed_grades(dataset):
        st.caption("No judgments: nothing is scored. Add qrels at any time.")


def _remove() -> None:
    """Remove what a card shows from the user's data."""
    if dataset := user_data.upload():
        rankings, place = [*dataset.rankings], state.value("files_read")["removed"]
        if dataset.is_judged and not place:
            dataset = replace(dataset, qrels=intake.no_judgments(rankings))
        else:
            del rankings[place - dataset.is_judged]
        rest = dataset.of(*rankings)
        user_data.drop(rest if rankings else None)
        if rest.is_judged and not rankings:
            drop_box.take([], rest)


_cards = component("files_read", __file__)


def shares(dataset: Dataset) -> None:
    """Show how much of each query's top is judged, the least first."""
    show.table(data_tables.judged(cache.coverages(dataset)))


def _mendable(dataset: Dataset, findings: Sequence[audit.Finding]) -> None:
    """Show what a button changes, one line for each cause."""
    if findings:
        st.markdown("**Can be fixed here**")
    causes: dict[tuple[str, str], list[tuple[audit.Finding, Mend]]] = {}
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
                st.caption(f"All pages now use “relevant from grade {each.level:g}”.")
                continue
            count = partial(state.put, {state.LEVEL: each.level})
            st.button(f"Count as relevant from {each.level:g}", on_click=count)


def _line(files: Sequence[str], said: str, todo: str) -> list[str]:
    """Return the files, many as the first and how many more, the point, what to do, and why."""
    names = ", ".join(files)
    if len(files) > _NAMED:
        names = f"{', '.join(files[: _NAMED - 1])} and {len(files) - _NAMED + 1} more"
    point, _, why = said.partition(". ")
    return list(map(text.visible, (names, point + "." * bool(why), todo, why)))


def limits() -> None:
    """Show how large an upload may be."""
    now = current()
    st.markdown(
        f"- **At most** {st.get_option('server.maxUploadSize'):,} MB a file, "
        f"{now.expanded // 10**6:,} MB of it unpacked; {now.rows:,} rows, more of plain TREC or "
        f"Parquet; {now.columns:,} columns; {now.members:,} files in an archive; "
        f"{now.session // 10**6:,} MB in a session."
    )
