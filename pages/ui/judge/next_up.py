"""What to judge next: the documents whose grades can still move the verdict most."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd
import streamlit as st

from metrics import Candidate, Convention, DataError, Dataset, JudgeNext, Measure, Run, judge_next
from metrics.comparing import significance
from metrics.editing import sheet
from metrics.rendering import text

from .. import by_hand, show, state, widgets
from .holding import pair_picker

LISTED = 10
"""At most this many documents are listed."""
_FEW = 20
"""With more judgments since, it is faster to begin again than to add them one by one."""

_KNOWN = "_judge_next"
"""The key of the last answer."""

Changed = Mapping[str, Mapping[str, float | None]]


class Known(NamedTuple):
    """The last answer, and the grades that had been given by hand by then."""

    asked: tuple[object, ...]
    changed: Changed
    found: JudgeNext


def section(
    dataset: Dataset, measure: Measure, convention: Convention, scale: tuple[float, ...]
) -> None:
    """Show how far the verdict on two runs is open, and what to judge next.

    ``scale``: the grades that a document can get.
    """
    opened = st.expander("What to judge next", key=state.NEXT_UP, on_change="rerun")
    with opened, widgets.refusals_shown():
        if not opened.open:
            return
        a, b = dataset.runs[:2]
        if len(dataset.runs) > 2:
            with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
                a, b = pair_picker(dataset)
        found = _answer(dataset, (a, b), measure, convention, scale)
        st.markdown(_verdict(found, (a.name, b.name), str(measure)))
        cannot = sheet.signatures(by_hand.said(dataset)).keys()
        order = [each for each in found.order if (each.query, each.document) not in cannot]
        if order:
            _list(order[:LISTED])


def _answer(
    dataset: Dataset,
    two: tuple[Run, Run],
    measure: Measure,
    convention: Convention,
    scale: tuple[float, ...],
) -> JudgeNext:
    """Return what to judge next; after a judgment only its query is searched again."""
    asked = (dataset.key, *(run.digest for run in two), str(measure), convention, scale)
    changed = by_hand.changed_grades(dataset)
    known: Known | None = state.value(_KNOWN)
    new = _new(known.changed, changed) if known and known.asked == asked else None
    found = None
    if known and new is not None:
        try:
            found = known.found
            for query, document, grade in new:
                found = found.judged(query, document, grade)
        except DataError:
            # A document, or a grade, that the range did not expect.
            found = None
    if found is None:
        with st.spinner("Trying every grade …"):
            found = judge_next(dataset.qrels, *two, measure, convention, scale)
    state.put({_KNOWN: Known(asked, changed, found)})
    return found


def _new(before: Changed, now: Changed) -> list[tuple[str, str, float]] | None:
    """Return the judgments that are new; None where others have changed, or there are many."""
    old, pairs = _flat(before), _flat(now)
    if not old.items() <= pairs.items():
        return None
    new = [(*pair, grade) for pair, grade in pairs.items() if pair not in old and grade is not None]
    return new if len(new) == len(pairs) - len(old) <= _FEW else None


def _flat(of: Changed) -> dict[tuple[str, str], float | None]:
    return {(query, name): grade for query, by in of.items() for name, grade in by.items()}


def _verdict(found: JudgeNext, names: tuple[str, str], measure: str) -> str:
    """Return whether the verdict can turn, who leads, and how far grades can move that."""
    a = text.code(names[0])
    b = text.code(names[1])
    if found.can_turn is None:
        turn = "**Whether the verdict can turn is not known.**"
    elif found.can_turn:
        turn = "**The verdict can still turn.**"
    else:
        turn = "**The verdict cannot turn any more: you can stop.**"
    if math.isnan(found.delta):
        lead = "No query has a score yet."
    elif abs(found.delta) <= significance.TIE:
        lead = f"{a} and {b} are level in {measure}."
    else:
        lead = f"{b if found.delta > 0 else a} leads by {abs(found.delta):.4f} in {measure}."
    if not found.order:
        return f"{turn} {lead} No unjudged document counts."
    low = text.number(found.over.low)
    high = text.number(found.over.high)
    many = text.count(len(found.order), "unjudged document")
    return (
        f"{turn} {lead} With grades for the {many} that count, {b} − {a} is between {low} and "
        f"{high}."
    )


def _list(first: Sequence[Candidate]) -> None:
    rows = [(each.query, each.document, each.expected) for each in first]
    frame = pd.DataFrame(rows, columns=["query", "document", "expected"])

    def pick(place: int) -> None:
        state.lay_out(first[place].query, first[place].document)

    st.button("Judge the first one", on_click=pick, args=(0,))
    show.picking_table(frame.set_index("query"), "next_up", pick=pick)
    st.caption(
        "Expected: how far a document's grade moves, on average, the range's end where the "
        "verdict turns. Pick a row to judge it."
    )
