"""The documents of one query, graded one after the other."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from metrics import TREC_EVAL, Convention, Dataset, Measure, RankscopeError, Run
from metrics.comparing.similarity import pool
from metrics.editing.hand_ranking import grade_scale
from metrics.editing.history import History
from metrics.editing.sheet import Said
from metrics.editing.signature import LONGEST_NAME, LONGEST_NOTE, Signature
from metrics.rendering import text

from .. import cache, pickers, show, state, user_data, widgets, workspace
from . import next_up, taken
from .desk import Paper, desk

DEPTH = 10
"""The depth of the pool, unless another is chosen."""
_DEEPEST = 100
_LONGEST_GUIDELINE = 500
_USUAL = (0.0, 1.0, 2.0, 3.0)
"""The grades to choose from where there are no judgments yet."""
_BLIND, _OPEN = "blind", "open"
_LOOKS = {_BLIND: "Blind", _OPEN: "Ranks and scores"}


def draw(dataset: Dataset, usual: Measure) -> None:
    """Show the documents of a query on the desk, the scores as they move, and what to take away."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        depth = widgets.whole_number(
            "Pool depth",
            state.DEPTH,
            DEPTH,
            1,
            "The documents to judge: the first so many of each run.",
            most=_DEEPEST,
        )
        pooled = _pool(dataset, depth)
        queries = [name for name in dataset.qrels.queries if name in pooled]
        queries += [name for name in pooled if name not in set(queries)]
        query = widgets.one_of("Query", queries, dataset.query_texts, state.QUERY)
        look = widgets.option("Look", _LOOKS, state.BLIND, _BLIND, flat=True)
        with st.popover("Name and guideline"):
            name = _text("Your name, kept with each judgment", state.JUDGE_NAME, LONGEST_NAME)
            meaning = "What each grade means, shown to the judge"
            guideline = _text(meaning, state.GUIDELINE, _LONGEST_GUIDELINE, area=True)
    scale = grade_scale(dataset.original) if len(dataset.original) else _USUAL
    left, right = st.columns([3, 2], gap="large") if look == _OPEN else (st.container(), None)
    with left:
        _desk(dataset, query, pooled, queries, name, look, guideline, scale)
    if right is not None:
        with right:
            measure = pickers.measure_picker(usual)
            convention = pickers.convention_picker([measure])
            _scores(dataset, measure, convention)
            if len(dataset.runs) > 1:
                next_up.section(dataset, measure, convention, scale)
    taken.section(dataset, name)


def _text(label: str, key: str, longest: int, area: bool = False) -> str:
    """Return a text that is typed, and kept in the address."""
    state.recall(key, lambda link: link[:longest])
    if state.value(key) is None:
        state.put({key: ""})
    if area:
        typed = st.text_area(label, key=key, max_chars=longest, height=100) or ""
    else:
        typed = st.text_input(label, key=key, max_chars=longest) or ""
    state.keep(key, typed, "")
    return typed


def _desk(
    dataset: Dataset,
    query: str,
    pooled: Mapping[str, Mapping[str, int]],
    queries: list[str],
    name: str,
    look: str,
    guideline: str,
    scale: tuple[float, ...],
) -> None:
    origin, history = user_data.sheet_of(dataset, query)
    after = _after(dataset, query, pooled, queries)

    def do(event: Mapping[str, Any]) -> None:
        number = event["n"]
        if event["do"] == "judge":
            signed = Signature.now(name, str(event["note"])[:LONGEST_NOTE])
            said: Said = {str(event["id"]): (event["grade"], signed)}
            state.set_message(state.NOTICE, "")
            try:
                user_data.judge(dataset, {query: said}, number)
            except RankscopeError as error:
                state.set_message(state.NOTICE, text.code(str(error)))
                user_data.set_history(origin, None, number)
        elif event["do"] in _STEPS:
            _, now = user_data.sheet_of(dataset, query)
            user_data.set_history(origin, _STEPS[event["do"]](now), number, renew=True)
        else:
            user_data.set_history(origin, None, number)
            state.put({state.QUERY: after})

    # What is to be judged next may be below the pool.
    asked, paper = state.value(state.PAPER) or ("", "")
    of_query = dict(pooled.get(query, {}))
    if asked == query:
        of_query.setdefault(paper, len(of_query) + 1)
    ranks = _ranks(dataset, query) if look == _OPEN else {}
    papers = [_paper(dataset, each, ranks) for each in _in_order(query, of_query, look)]
    heading = {
        "query": text.visible(dataset.query_texts.get(query) or query),
        "guideline": text.visible(guideline),
        "at": paper if asked == query else "",
        "after": text.visible(text.beginning(dataset.query_texts.get(after) or after, 60)),
    }
    applied = user_data.applied(origin) or 0
    desk(origin, history, papers, scale, heading, do, applied)
    if notice := state.message(state.NOTICE):
        st.error(notice)
    st.caption(
        "Keys: 0–9 grade, u cannot grade, n note, ← → previous and next, Ctrl+Z undo. "
        + _where_kept()
    )


_STEPS = {"undo": History.undo, "redo": History.redo}


def _where_kept() -> str:
    if workspace.folder():
        return "Each judgment is kept in the workspace folder of this server at once."
    return (
        "Judgments are kept while this server runs, in this browser tab. Download them before you "
        "leave, or start the app with --workspace, which keeps each one at once."
    )


def _in_order(query: str, pooled: Mapping[str, int], look: str) -> list[str]:
    """Return documents by their best rank; in the same random order each time if it is blind."""
    if look == _OPEN:
        return sorted(pooled, key=lambda name: (pooled[name], name))

    def drawn(name: str) -> bytes:
        return hashlib.sha256(f"{query}\n{name}".encode("utf-8", "surrogatepass")).digest()

    return sorted(pooled, key=drawn)


def _paper(dataset: Dataset, name: str, ranks: Mapping[str, Mapping[str, int]]) -> Paper:
    document = dataset.document(name)
    where = ", ".join(f"{run} rank {of[name]}" for run, of in ranks.items() if name in of)
    return Paper(name, document.title, document.text, where)


def _ranks(dataset: Dataset, query: str) -> dict[str, dict[str, int]]:
    """Return the rank of each document of a query, by the run's name."""
    return {
        run.name: {
            entry.document: rank
            for rank, entry in enumerate(
                cache.original(dataset.original, run, query, TREC_EVAL).retrieved, 1
            )
        }
        for run in dataset.runs
        if query in run.queries
    }


def _after(
    dataset: Dataset, query: str, pooled: Mapping[str, Mapping[str, int]], queries: list[str]
) -> str:
    """Return the next query with a document that nobody has judged; empty for none."""
    of_judges = user_data.sheets_of(dataset)
    place = queries.index(query)
    for name in (*queries[place + 1 :], *queries[:place]):
        seen = set(dataset.qrels.only(name).to_dict().get(name, {}))
        if name in of_judges:
            seen |= {entry.document for entry in of_judges[name].signed}
        if not pooled[name].keys() <= seen:
            return name
    return ""


def _pool(dataset: Dataset, depth: int) -> dict[str, dict[str, int]]:
    return _pool_of(tuple(run.digest for run in dataset.runs), depth, dataset.runs)


@st.cache_resource(scope="session", max_entries=4, show_spinner=False)
def _pool_of(
    digests: tuple[str, ...], depth: int, _runs: tuple[Run, ...]
) -> dict[str, dict[str, int]]:
    return pool(_runs, depth)


def _scores(dataset: Dataset, measure: Measure, convention: Convention) -> None:
    """Show the mean of each run, with the loaded grades and with those of now."""
    name = str(measure)
    rows: dict[str, tuple[float | None, float]] = {}
    try:
        for run in dataset.runs:
            scores = cache.scored(dataset.qrels, run, name, convention)
            loaded = (
                cache.scored(dataset.original, run, name, convention).mean[name]
                if len(dataset.original)
                else None
            )
            rows[run.name] = loaded, scores.mean[name]
    except RankscopeError as error:
        st.info(text.code(str(error)))
        return
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=["loaded", "now"])
    frame.index.name = "run"
    show.table(frame.astype(float))
    many = text.count(int(scores.per_query[name].notna().sum()), "query", "queries")
    st.caption(f"Mean {measure} with the loaded grades, and with those given by hand: over {many}.")
