"""The grades that were changed by hand: listed, exported, taken back."""

from functools import partial

import pandas as pd
import streamlit as st

from metrics import Dataset
from metrics.editing import sheet
from metrics.rendering import text
from metrics.writing import reproduce

from .. import by_hand, data_notes, pickers, show
from ..judge import further_judges

_NOTE, _ID = 80, 80
"""At most this many characters of a note, and of a document's id, are in the list."""


def section() -> None:
    """List all grades that were changed by hand, with the qrels to take away; else nothing."""
    graded = [
        by_hand.graded(each)
        for sample in pickers.sources().values()
        for each in further_judges.with_edited_rules(sample.load())
    ]
    for number, dataset in enumerate(each for each in graded if each.uploaded is not None):
        changed = _changed(dataset)
        of = text.code(
            ", ".join(filter(None, [dataset.title, dataset.under and dataset.judged_by]))
        )
        with st.expander(f"{text.count(len(changed), 'grade')} of {of} changed by hand"):
            show.table(changed.set_index("query"), missing="unjudged")
            with st.container(horizontal=True):
                content = partial(reproduce.as_input, dataset.qrels)
                file = reproduce.input_name("qrels", dataset.qrels)
                key = f"graded_{number}"
                show.download("Download the changed qrels", content, file, key=key)
                take_back = partial(by_hand.take_back_grades, dataset)
                st.button("Reset all", on_click=take_back, key=f"take_back_{number}")
    for number, dataset in enumerate(filter(by_hand.is_reset, graded)):
        words, back = f"The grades of {text.code(dataset.title)} are as loaded.", "Bring them back"
        data_notes.line(words, back, partial(by_hand.bring_back, dataset), f"bring_back_{number}")


def _changed(dataset: Dataset) -> pd.DataFrame:
    """Return the changed grades: query, document, the loaded grade, the one now, who and why.

    A column of what nobody said is left out.
    """
    changed = by_hand.changed_grades(dataset)
    before = dataset.original.only(*changed).to_dict()
    said = sheet.signatures(by_hand.said(dataset))
    rows = []
    for query, grades in changed.items():
        for document, now in grades.items():
            by = said.get((query, document))
            why = text.beginning(by.note, _NOTE) if by else ""
            who = (text.visible(by.judge), by.time, why) if by else ("", "", "")
            named = text.shortened(text.visible(document), _ID)
            rows.append((query, named, before.get(query, {}).get(document), now, *who))
    names = ["query", "document", "grade, loaded", "grade, now", "judge", "time", "note"]
    frame = pd.DataFrame(rows, columns=names)
    return frame.loc[:, [name in names[:4] or (frame[name] != "").any() for name in names]]
