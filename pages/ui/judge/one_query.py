"""The documents of one query, graded one after the other."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from metrics import TREC_EVAL, Dataset, Measure, Qrels, RankscopeError
from metrics.comparing.significance import TIE
from metrics.comparing.similarity import pool
from metrics.defaults import DEPTH
from metrics.editing.hand_ranking import grade_scale
from metrics.editing.history import History
from metrics.editing.sheet import Said
from metrics.editing.signature import LONGEST_NAME, LONGEST_NOTE
from metrics.memory import key_of
from metrics.rendering import text

from .. import by_hand, cache, pickers, show, state, user_data, widgets
from ..streamlit_internals import Container
from . import next_up, taken
from .desk import Paper, desk

Words = tuple[Container, Container]
"""The places of the subject and of the other settings in the sentence of a page."""

_DEEPEST = 100
_LONGEST_GUIDELINE = 500
_USUAL = (0.0, 1.0, 2.0, 3.0)
"""The grades to choose from where the judgments so far give none."""
_MOST_GRADES = 11
"""A scale of more grades than 0 to 10 has too many buttons."""
_LONGEST_NAME = 16
"""At most this many characters of a run's name are beside its means."""
_BLIND, _ANEW, _OPEN = "blind", "anew", "open"
_LOOKS = {
    _BLIND: "ranks and runs hidden",
    _ANEW: "ranks, runs and others' grades hidden",
    _OPEN: "everything shown",
}
_MEANINGS = {
    (0.0, 1.0): {0.0: "not relevant", 1.0: "relevant"},
    (0.0, 1.0, 2.0): {0.0: "off topic", 1.0: "partly relevant", 2.0: "relevant"},
    _USUAL: {0.0: "off topic", 1.0: "touches it", 2.0: "useful", 3.0: "exactly what was asked"},
}
"""What the grades of usual scales mean, until a guideline says otherwise."""
_LINE = re.compile(r"\s*([-+]?\d+(?:\.\d+)?)\s*[:=.)–—-]?\s+(\S.*)")
"""A line of a guideline that says what a grade means."""
_OWN = (
    "Only your own grades are shown, and no score counts them. **Two judges** compares them with "
    "the others, and adopts them."
)
_NAMELESS = "Only your own grades are shown. To compare them, add your name above first."


@dataclass(frozen=True)
class JudgingSession:
    """What a judge sees.

    Attributes
    ----------
    pooled
        The documents to judge, by query, each with its best rank.
    query
        The query that is judged.
    look
        Blind: ranks and runs are hidden, and the documents shuffled. Anew: the grades of others
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

    def meanings(self) -> tuple[dict[float, str], str]:
        """Return what the grades mean, and the rest of the guideline."""
        meanings, rest = dict(_MEANINGS.get(self.scale, {})), []
        for line in self.guideline.splitlines():
            found = _LINE.fullmatch(line)
            if found and float(found[1]) in self.scale:
                meanings[float(found[1])] = found[2]
            else:
                rest.append(line)
        return meanings, "\n".join(rest)

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

    def is_done(self) -> bool:
        """Return whether every document of the query has a judgment."""
        return self._is_seen(self.query)

    def _is_seen(self, query: str) -> bool:
        _, history = by_hand.sheet_of(self.dataset, query, self.anew)
        seen = {entry.document for entry in history.present.entries}
        return self.pooled[query].keys() <= seen

    @property
    def anew(self) -> str | None:
        """The judge's name where the judge judges anew."""
        return self.judge if self.look == _ANEW else None

    def after(self) -> str:
        """Return the next query with a document that has no judgment here; empty for none."""
        queries = _queries(self.dataset, self.pooled)
        place = queries.index(self.query)
        for name in (*queries[place + 1 :], *queries[:place]):
            if not self._is_seen(name):
                return name
        return ""


def draw(dataset: Dataset, usual: Measure, words: Words) -> None:
    """Show the documents of a query on the desk, and what their grades change.

    ``words``: the places of the settings in the sentence at the top of the page.
    """
    session = _chosen(dataset, words)
    _desk(session)
    if session.look == _OPEN or (session.is_done() and dataset.uploaded is not None):
        _effect(session, usual)
    taken.add(dataset)


def _chosen(dataset: Dataset, places: Words) -> JudgingSession:
    """Choose what to judge, and how."""
    of_query, settings = places
    scale = _scale(dataset.original)
    with settings:
        widgets.words(", the")
        means = "The documents to judge: the first so many of each run."
        words = "top {} of each run".format
        depth = widgets.whole_number(
            "Pool depth",
            state.DEPTH,
            DEPTH,
            1,
            means,
            most=_DEEPEST,
            said=words,
        )
        widgets.words(",")
        look = widgets.option("Look", _LOOKS, state.BLIND, _BLIND, said=_LOOKS.__getitem__)
        widgets.words(",")
        guideline, judge = _signed(scale)
    pooled = _pool(dataset, depth)
    with of_query:
        queries = _queries(dataset, pooled)
        query = widgets.one_of(
            "Query",
            queries,
            dataset.query_texts,
            state.QUERY,
            said=pickers.literal(dataset.query_texts),
        )
        widgets.words("in")
    return JudgingSession(dataset, pooled, query, look, judge, guideline, scale)


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


def _signed(scale: tuple[float, ...]) -> tuple[str, str]:
    """Return what is typed about the grades' meaning, and the judge's name; the link keeps both."""
    known, name = state.GUIDELINE, state.JUDGE_NAME
    state.recall(known, lambda link: link[:_LONGEST_GUIDELINE])
    state.recall(name, lambda link: " ".join(link.split())[:LONGEST_NAME])
    for key in (known, name):
        if state.value(key) is None:
            state.put({key: ""})
    example = "\n".join(f"{grade:g} {what}" for grade, what in _MEANINGS[_USUAL].items())
    with widgets.phrase("Guideline", f"grades {scale[0]:g} to {scale[-1]:g}"):
        label, most = "What each grade means, one on each line", _LONGEST_GUIDELINE
        guideline = st.text_area(label, key=known, max_chars=most, height=130, placeholder=example)
    widgets.words(",")
    signed = state.value(name)
    with widgets.phrase("Name", f"judged by {text.code(signed)}" if signed else "no name"):
        label = "Your name, kept with each judgment"
        judge = st.text_input(label, key=name, max_chars=LONGEST_NAME) or ""
    state.keep(name, judge, "")
    state.keep(known, guideline or "", "")
    return guideline or "", judge


def _desk(session: JudgingSession) -> None:
    dataset, query = session.dataset, session.query
    origin, history = by_hand.sheet_of(dataset, query, session.anew)
    after = session.after()
    meanings, guideline = session.meanings()
    # What is to be judged next may be below the pool.
    of, paper, number = state.value(state.PAPER) or ("", "", 0)
    asked = paper if of == query else ""
    if not asked:
        # Who comes back to its query begins where any judge does.
        state.put({state.PAPER: ("", "", number)})
    heading = {
        "query": text.flat(dataset.query_texts.get(query) or query),
        "guideline": text.legible(guideline),
        "meanings": [text.visible(meanings.get(grade, "")) for grade in session.scale],
        "at": asked,
        "asked": number,
        "judge": session.judge,
        "after": text.beginning(dataset.query_texts.get(after) or after, 60),
    }
    desk(
        origin,
        history,
        {each.document: each for each in history.present.entries},
        session.papers(asked),
        session.scale,
        heading,
        partial(_do, session, after),
    )
    if notice := state.message(state.NOTICE):
        st.error(notice)
    if session.look == _ANEW:
        st.caption(_OWN if session.judge else _NAMELESS)
    st.caption(
        "Keys: the grades, u cannot be graded, n note, ← → previous and next, Ctrl+Z undo. "
        "**Export** saves your judgments."
    )


_STEPS = {"undo": History.undo, "redo": History.redo}


def _do(session: JudgingSession, after: str, event: Mapping[str, Any]) -> None:
    """Apply an event of the desk; what cannot be is refused, and said."""
    number = event["n"]
    origin, now = by_hand.sheet_of(session.dataset, session.query, session.anew)
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
            by_hand.judge(session.dataset, {session.query: said}, number, session.anew)
        except RankscopeError as error:
            state.set_message(state.NOTICE, text.code(str(error)))
            user_data.set_history(origin, None, number)


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


def _effect(session: JudgingSession, usual: Measure) -> None:
    """Show what the judgments changed: who leads, and the mean of each run, before and now."""
    dataset = session.dataset
    answer = st.container()
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
        st.markdown("Mean", width="content")
        measure = pickers.measure_picker(usual)
        st.markdown("counted as", width="content")
        convention = pickers.convention_picker([measure])
    name = str(measure)
    rows: list[tuple[float, float, str, int]] = []
    try:
        for run in dataset.runs:
            now = cache.scored(dataset.qrels, run, measure, convention)
            loaded = math.nan
            if len(dataset.original):
                loaded = cache.scored(dataset.original, run, measure, convention).mean[name]
            queries = int(now.per_query[name].notna().sum())
            change = "" if math.isnan(loaded) else text.signed(now.mean[name] - loaded)
            rows.append((loaded, now.mean[name], change, queries))
    except RankscopeError as error:
        st.info(text.code(str(error)))
        return
    names = text.labels((run.name for run in dataset.runs), _LONGEST_NAME)
    columns = ["loaded", "now", "change", "queries"]
    means = pd.DataFrame(rows, pd.Index(names, name="run"), columns)
    if len(dataset.runs) > 1:
        answer.subheader(_answer(means), anchor=False)
    show.table(means)
    if session.look == _OPEN and len(dataset.runs) > 1:
        next_up.section(dataset, measure, convention, session.scale)


def _answer(means: pd.DataFrame) -> str:
    """Return who leads, and what the judgments changed about it."""
    leader, by = _leader(means["now"])
    before, by_before = _leader(means["loaded"])
    if not leader:
        return "No run leads."
    if means["loaded"].isna().any():
        return f"{leader} leads by {by}."
    if leader != before:
        led = f"{before} by {by_before}" if before else "no run"
        return f"{leader} now leads, by {by} (before: {led})."
    if by == by_before:
        return f"{leader} leads by {by}, as before."
    return f"{leader} still leads, by {by} (before: {by_before})."


def _leader(means: pd.Series[float]) -> tuple[str, str]:
    """Return the run with the highest mean, and by how much; empty where no run leads."""
    first, second = [*means.nlargest(2), math.nan, math.nan][:2]
    leads = first - second > TIE
    return (text.code(str(means.idxmax())), text.number(first - second)) if leads else ("", "")
