"""The documents of one query, graded one after the other."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from metrics import TREC_EVAL, Convention, Dataset, Measure, Qrels, RankscopeError
from metrics.comparing.similarity import pool
from metrics.defaults import DEPTH
from metrics.editing.hand_ranking import grade_scale
from metrics.editing.history import History
from metrics.editing.sheet import Said
from metrics.editing.signature import LONGEST_NAME, LONGEST_NOTE
from metrics.limits import current
from metrics.memory import key_of
from metrics.rendering import text

from .. import by_hand, cache, pickers, show, state, user_data, widgets, workspace
from . import next_up, taken
from .desk import Paper, desk

_DEEPEST = 100
_LONGEST_GUIDELINE = 500
_USUAL = (0.0, 1.0, 2.0, 3.0)
"""The grades to choose from where the judgments so far give none."""
_MOST_GRADES = 11
"""A scale of more grades than 0 to 10 has too many buttons."""
_LONGEST_NAME = 16
"""At most this many characters of a run's name are beside its means."""
_BLIND, _ANEW, _OPEN = "blind", "anew", "open"
_UNSIGNED = "Signed with the time alone; type your name under Settings. "
_LOOKS = {_BLIND: "Blind", _ANEW: "Anew", _OPEN: "Ranks, scores"}
_OWN = (
    "Only your own grades are shown, and no score counts them. **Two judges** compares them with "
    "the others, and adopts them."
)
_NAMELESS = "Only your own grades are shown. To compare them, type your name under Settings first."


@dataclass(frozen=True)
class Sitting:
    """What a judge looks at.

    Attributes
    ----------
    pooled
        The documents to judge, by query, each with its best rank.
    query
        The query that is judged.
    look
        Blind: ranks and scores are hidden, and the documents shuffled. Anew: the grades of others
        are hidden, too. Open: nothing is.
    judge
        The judge's name.
    scale
        The grades to choose from.
    """

    dataset: Dataset
    pooled: Mapping[str, Mapping[str, int]]
    query: str
    look: str
    judge: str
    guideline: str
    scale: tuple[float, ...]

    def papers(self, asked: str) -> list[Paper]:
        """Return the documents in order, with one more that is asked for, if any."""
        pooled = dict(self.pooled[self.query])
        if asked:
            pooled.setdefault(asked, len(pooled) + 1)
        is_open = self.look == _OPEN
        ranks = _ranks(self.dataset, self.query) if is_open else {}
        by_rank = sorted(pooled, key=lambda name: (pooled[name], name))
        names = by_rank if is_open else _shuffled(self.query, pooled)
        return [_paper(self.dataset, name, ranks) for name in names]

    @property
    def anew(self) -> str | None:
        """The judge's name where the judge judges anew."""
        return self.judge if self.look == _ANEW else None

    def after(self) -> str:
        """Return the next query with a document that has no judgment here; empty for none."""
        queries = _queries(self.dataset, self.pooled)
        place = queries.index(self.query)
        for name in (*queries[place + 1 :], *queries[:place]):
            _, history = by_hand.sheet_of(self.dataset, name, self.anew)
            if not self.pooled[name].keys() <= {each.document for each in history.present.entries}:
                return name
        return ""


def draw(dataset: Dataset, usual: Measure) -> None:
    """Show the documents of a query on the desk, the scores as they move, and what to take away."""
    sitting = _sitting(dataset)
    if sitting.look != _OPEN:
        _desk(sitting)
    else:
        left, right = st.columns([3, 2], gap="large")
        with left:
            _desk(sitting)
        with right:
            measure = pickers.measure_picker(usual)
            convention = pickers.convention_picker([measure])
            _scores(dataset, measure, convention)
            if len(dataset.runs) > 1:
                next_up.section(dataset, measure, convention, sitting.scale)
    taken.section(dataset)


def _sitting(dataset: Dataset) -> Sitting:
    """Choose what to judge, and how."""
    bar = st.container(horizontal=True, vertical_alignment="bottom")
    # The query is first, though it depends on the depth of the pool.
    of_query = bar.container(width="stretch")
    with bar.container(horizontal=True, vertical_alignment="bottom", width="content"):
        look = widgets.option("Look", _LOOKS, state.BLIND, _BLIND, flat=True)
        with st.popover("Settings"):
            judge = _text("Your name, kept with each judgment", state.JUDGE_NAME, LONGEST_NAME)
            meaning = "What each grade means, shown to the judge"
            guideline = _text(meaning, state.GUIDELINE, _LONGEST_GUIDELINE, area=True)
            means = "The documents to judge: the first so many of each run."
            depth = widgets.whole_number("Pool depth", state.DEPTH, DEPTH, 1, means, most=_DEEPEST)
    pooled = _pool(dataset, depth)
    with of_query:
        queries = _queries(dataset, pooled)
        query = widgets.one_of("Query", queries, dataset.query_texts, state.QUERY)
    scale = _scale(dataset.original)
    return Sitting(dataset, pooled, query, look, judge, guideline, scale)


def _scale(qrels: Qrels) -> tuple[float, ...]:
    """Return the grades to choose from: those of the qrels, if they are a scale to judge by."""
    known = grade_scale(qrels)
    if len(known) > _MOST_GRADES:
        known = tuple(sorted({0.0, *qrels.value.tolist()}))
    # A scale without a relevant grade, or with hundreds, is none.
    return known if known[-1] > 0 and len(known) <= _MOST_GRADES else _USUAL


def _queries(dataset: Dataset, pooled: Mapping[str, object]) -> list[str]:
    """Return the queries to judge, in the order of the qrels, then of the runs."""
    return [name for name in dict.fromkeys((*dataset.qrels.queries, *pooled)) if name in pooled]


def _text(label: str, key: str, longest: int, area: bool = False) -> str:
    """Return a text that is typed, and kept in the address."""
    state.recall(key, lambda link: (link if area else " ".join(link.split()))[:longest])
    if state.value(key) is None:
        state.put({key: ""})
    if area:
        typed = st.text_area(label, key=key, max_chars=longest, height=100) or ""
    else:
        typed = st.text_input(label, key=key, max_chars=longest) or ""
    state.keep(key, typed, "")
    return typed


def _desk(sitting: Sitting) -> None:
    dataset, query = sitting.dataset, sitting.query
    origin, history = by_hand.sheet_of(dataset, query, sitting.anew)
    after = sitting.after()
    # What is to be judged next may be below the pool.
    of, paper, number = state.value(state.PAPER) or ("", "", 0)
    asked = paper if of == query else ""
    if not asked:
        # Who comes back to its query begins where any judge does.
        state.put({state.PAPER: ("", "", number)})
    heading = {
        "query": text.flat(dataset.query_texts.get(query) or query),
        "guideline": text.legible(sitting.guideline),
        "at": asked,
        "asked": number,
        "judge": sitting.judge,
        "after": text.beginning(dataset.query_texts.get(after) or after, 60),
    }
    desk(
        origin,
        history,
        {each.document: each for each in history.present.entries},
        sitting.papers(asked),
        sitting.scale,
        heading,
        partial(_do, sitting, after),
    )
    if notice := state.message(state.NOTICE):
        st.error(notice)
    if sitting.look == _ANEW:
        st.caption(_OWN if sitting.judge else _NAMELESS)
    st.caption(
        f"Keys: {_keys(sitting.scale)}u cannot grade, n note, ← → previous and next, Ctrl+Z undo. "
        + (f"Signed: {text.code(sitting.judge)}. " if sitting.judge else _UNSIGNED)
        + _where_kept()
    )


def _keys(scale: tuple[float, ...]) -> str:
    """Return the keys that grade: those of whole numbers of one digit."""
    digits = [f"{grade:.0f}" for grade in scale if grade in range(10)]
    return f"{', '.join(digits)} grade, " if digits else ""


_STEPS = {"undo": History.undo, "redo": History.redo}


def _do(sitting: Sitting, after: str, event: Mapping[str, Any]) -> None:
    """Apply an event of the desk; what cannot be is refused, and said."""
    number = event["n"]
    origin, now = by_hand.sheet_of(sitting.dataset, sitting.query, sitting.anew)
    if event["do"] == "next":
        user_data.set_history(origin, None, number)
        if after:
            state.put({state.QUERY: after})
    elif event["do"] in _STEPS:
        user_data.set_history(origin, _STEPS[event["do"]](now), number, renew=True)
    else:
        state.set_message(state.NOTICE, "")
        try:
            signed = by_hand.signature(str(event["note"])[:LONGEST_NOTE])
            said: Said = {str(event["id"]): (event["grade"], signed)}
            by_hand.judge(sitting.dataset, {sitting.query: said}, number, sitting.anew)
        except RankscopeError as error:
            state.set_message(state.NOTICE, text.code(str(error)))
            user_data.set_history(origin, None, number)


def _where_kept() -> str:
    if workspace.folder():
        return "Each judgment is kept in the workspace folder of this server at once."
    minutes = text.count(current().reload, "minute")
    again = f", and for {minutes} after it is closed or reloaded" if current().reload else ""
    return (
        f"Judgments are kept in this browser tab{again}. Download them before you leave, or start "
        "the app with --workspace, which keeps each one at once."
    )


def _shuffled(query: str, pooled: Mapping[str, int]) -> list[str]:
    """Return documents in a random order that is the same each time."""

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


def _pool(dataset: Dataset, depth: int) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = cache.shared(
        key_of("pool", *dataset.runs, depth), lambda: pool(dataset.runs, depth)
    )
    return found


def _scores(dataset: Dataset, measure: Measure, convention: Convention) -> None:
    """Show the mean of each run, with the loaded grades and with those of now."""
    name = str(measure)
    rows: list[tuple[float, float, int]] = []
    try:
        for run in dataset.runs:
            now = cache.scored(dataset.qrels, run, measure, convention)
            loaded = math.nan
            if len(dataset.original):
                loaded = cache.scored(dataset.original, run, measure, convention).mean[name]
            rows.append((loaded, now.mean[name], int(now.per_query[name].notna().sum())))
    except RankscopeError as error:
        st.info(text.code(str(error)))
        return
    names = text.labels((run.name for run in dataset.runs), _LONGEST_NAME)
    show.table(pd.DataFrame(rows, pd.Index(names, name="run"), ["loaded", "now", "queries"]))
    st.caption(
        f"Mean {measure} with the loaded grades, and now, with those given by hand; over how many "
        "queries."
    )
