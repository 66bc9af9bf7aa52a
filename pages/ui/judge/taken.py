"""Judgments to export, and those of a file to add."""

from collections.abc import Callable, Mapping
from functools import partial

import pandas as pd
import streamlit as st

from metrics import Dataset, Qrels, RankscopeError, read_judges
from metrics.data.trec_file import fits_trec, trec_file
from metrics.editing import LONGEST_NAME, LONGEST_NOTE, Said, Signature, sheet
from metrics.reading import file_names
from metrics.rendering import text
from metrics.writing import judgments, reproduce

from .. import by_hand, links, show, state, user_data

# Keys that are not widgets begin with _, so that no link and no saved session can set them.
_BROUGHT, _REFUSED, _FILE = "_brought", "_brought_refused", "judgments"


Pairs = dict[tuple[str, str], Said]
"""The grades of a file, signed, by query and document."""


def export(dataset: Dataset) -> None:
    """Show the downloads of all judgments, and a link with those that were given by hand."""
    said = by_hand.said(dataset)
    given = [each for of in said.values() for each in of.values()]
    graded = sum(each.grade is not None for each in given)
    words = f"{text.count(len(dataset.qrels), 'judgment')}, {graded:,} of them given here"
    if cannot := sum(each.unclear for each in given):
        words += f"; not included: {text.count(cannot, 'document')} that cannot be graded"
    st.caption(f"{words}. CSV and JSON Lines have the judge, the time and the note.")
    qrels, texts, signed_by = dataset.qrels, dataset.query_texts, partial(sheet.signatures, said)
    with st.container(horizontal=True):
        _download("Qrels", *as_qrels(qrels, "qrels"))
        _download("CSV", lambda: judgments.as_csv(qrels, signed_by()), "judgments.csv")
        lines = "judgments.jsonl"
        _download("JSON Lines", lambda: judgments.as_json_lines(qrels, signed_by()), lines)
        _download("For Quepid", partial(judgments.as_quepid, qrels, texts), "quepid-ratings.csv")
        if anew := by_hand.given_anew(dataset):
            content = partial(judgments.sheets_as_json_lines, anew.values())
            _download("Given anew", content, "given-anew.jsonl")
    if dataset.uploaded is not None:
        _link(dataset)


def _link(dataset: Dataset) -> None:
    """Show a link that opens this page with the grades given by hand, where it is not too long."""
    # In the address itself, each judgment would be one more step for Back to take.
    if grades := links.with_grades(dataset):
        st.caption("This link opens the page with the grades given here, for the same data.")
        # The name is the judge's own, not that of whoever opens the link.
        address = links.link(grades, without=(state.JUDGE_NAME,))
        st.code(address, language=None, wrap_lines=True)
    else:
        st.caption("The grades are too many for a link. Save the session on Data instead.")


def as_qrels(qrels: Qrels, stem: str) -> tuple[Callable[[], bytes], str]:
    """Return what writes qrels as TREC, where its format can hold them, and the file's name."""
    if fits_trec(qrels):
        return partial(trec_file, qrels), f"{stem}.txt"
    return partial(reproduce.as_input, qrels), reproduce.input_name(stem, qrels)


def _download(label: str, make: Callable[[], bytes], file: str) -> None:
    show.download(label, make, file, key=f"take_{label}")


def add(dataset: Dataset) -> None:
    """Show the field for a file of judgments, and how they compare with those that are here."""
    st.file_uploader(
        "A file of qrels, with a column of judges or without",
        key=user_data.fresh(_FILE),
        on_change=_read,
        args=(dataset,),
    )
    if refused := state.message(_REFUSED):
        st.error(text.code(refused))
    if told := state.message(state.ADDED):
        st.success(told)
    of, name, found = state.value(_BROUGHT) or ("", "", {})
    if of != dataset.key:
        return
    now = dataset.qrels.only(*{query for query, _ in found}).to_dict()
    here = {(query, name): now.get(query, {}).get(name) for query, name in found}
    new = {pair: said for pair, said in found.items() if here[pair] is None}
    unlike = {pair: said for pair, said in found.items() if here[pair] not in (None, said.grade)}
    same = len(found) - len(new) - len(unlike)
    st.markdown(
        f"{text.code(name)}: {text.count(len(new), 'new judgment')}, {same:,} unchanged, "
        f"{text.count(len(unlike), 'conflict')}."
    )
    if unlike:
        rows = [(*pair, here[pair], said.grade) for pair, said in unlike.items()]
        columns = ["query", "document", "grade, here", "grade, in the file"]
        show.table(pd.DataFrame(rows, columns=columns).set_index("query"))
    with st.container(horizontal=True):
        mine = "Add the new ones, keep mine" if unlike else "Add them"
        _button(mine, dataset, new, {}, disabled=not new)
        if unlike:
            _button("Use the file's grades", dataset, new, unlike)
        st.button("Leave them out", on_click=_forget)


def _read(dataset: Dataset) -> None:
    """Read the judgments of a file, which wait for an answer."""
    file = state.value(user_data.fresh(_FILE))
    user_data.empty_fields()
    if file is None:
        return
    _forget()
    try:
        file_names.uploaded(file.name)
        with show.spinner("Reading …"):
            found = _of_judges(read_judges(file.getvalue(), file.name))
    except RankscopeError as error:
        state.put({_REFUSED: str(error)})
        return
    state.put({_BROUGHT: (dataset.key, file.name, found)})


def _of_judges(judges: Mapping[str, Qrels]) -> Pairs:
    """Return each document's grade; of several judges' that of the first in the file."""
    found: Pairs = {}
    for judge, qrels in judges.items():
        name = " ".join(judge.split())[:LONGEST_NAME]
        for query, grades in qrels.to_dict().items():
            reasons = qrels.reasons.get(query, {})
            for document, grade in grades.items():
                note = reasons.get(document, "")[:LONGEST_NOTE]
                found.setdefault((query, document), Said(grade, Signature.now(name, note)))
    return found


def _button(
    label: str, dataset: Dataset, new: Pairs, replacing: Pairs, disabled: bool = False
) -> None:
    def take() -> None:
        said: dict[str, dict[str, Said]] = {}
        for (query, document), each in (new | replacing).items():
            said.setdefault(query, {})[document] = each
        by_hand.judge(dataset, said)
        _forget()
        replaced = f", {len(replacing):,} replaced" if replacing else ""
        state.put({state.ADDED: f"{text.count(len(new), 'judgment')} added{replaced}."})

    st.button(label, on_click=take, disabled=disabled)


def _forget() -> None:
    state.put({_BROUGHT: None, _REFUSED: "", state.ADDED: ""})
