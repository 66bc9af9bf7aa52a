"""The documents of one query, graded one after the other."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from metrics import (
    TREC_EVAL,
    Convention,
    Dataset,
    Measure,
    Qrels,
    RankscopeError,
    Run,
    draw_queries,
)
from metrics.comparing import significance, similarity
from metrics.defaults import DEPTH
from metrics.editing import LONGEST_NAME, LONGEST_NOTE, Said, differences, grade_scale
from metrics.measures import UNIT
from metrics.memory import key_of
from metrics.rendering import judge_charts, text

from .. import by_hand, cache, pickers, show, state, widgets
from ..streamlit_internals import Container
from . import further_judges, next_up, taken
from .desk import desk

Words = tuple[Container, Container]
"""The places of the subject and of the other settings in the sentence of a page."""

_DEEPEST, _MOST_DRAWN = 100, 10_000
_LONGEST_GUIDELINE = 500
_USUAL = (0.0, 1.0, 2.0, 3.0)
"""The grades to choose from where the judgments so far give none."""
_MOST_GRADES = 11
"""A scale of more grades than 0 to 10 has too many buttons."""
_LONGEST_NAME = 16
"""At most this many characters of a run's name are beside its means."""
_LONGEST_ID = 40
_LOW, _BOX = 7, 480
"""The means of more runs than this scroll in a box of this height, in pixels."""
_BLIND, ANEW, _OPEN = "blind", "anew", "open"
_SHOWN = {
    _BLIND: "ranks and runs hidden",
    ANEW: "ranks, runs and others' grades hidden",
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
    anew
        Who judges anew; None where the grades of others are shown.
    scale
        The grades to choose from.
    left
        How many documents have no judgment, by query.
    """

    dataset: Dataset
    pooled: Mapping[str, Mapping[str, int]]
    query: str
    look: str
    judge: str
    anew: str | None
    guideline: str
    scale: tuple[float, ...]
    left: Mapping[str, int]

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

    def papers(self, asked: str) -> dict[str, str]:
        """Return the documents in order with their ranks, and one that is asked for, if any."""
        pooled = dict(self.pooled[self.query])
        if asked:
            pooled.setdefault(asked, len(pooled) + 1)
        is_open = self.look == _OPEN
        ranks = _ranks(self.dataset, self.query) if is_open else {}
        by_rank = sorted(pooled, key=lambda name: (pooled[name], name))
        names = by_rank if is_open else _shuffled(self.query, pooled)
        return {
            name: ", ".join(f"{run} rank {of[name]}" for run, of in ranks.items() if name in of)
            for name in names
        }

    def after(self) -> str:
        """Return the next query with a document that has no judgment here; empty for none."""
        queries = [*self.left]
        place = queries.index(self.query)
        others = *queries[place + 1 :], *queries[:place]
        return next((name for name in others if self.left[name]), "")

    @property
    def before(self) -> str:
        """The query whose end led here; empty for none."""
        before, here = state.value(state.FINISHED) or ("", "")
        return before if here == self.query and before in self.left else ""


def draw(dataset: Dataset, usual: Measure, words: Words) -> None:
    """Show the documents of a query on the desk, and what their grades change.

    ``words``: the places of the settings in the sentence at the top of the page.
    """
    session = _chosen(dataset, words)
    with words[1]:
        widgets.words(", scored by")
        measure = pickers.measure_picker(usual)
        convention = pickers.convention_picker([measure])
    score = {} if session.look == ANEW else _score(session, measure, convention)
    ends, place = not session.left[session.query] and dataset.uploaded is not None, st.container()
    if session.look == _OPEN or ends:
        with widgets.refusals_shown():
            means = _means(dataset, measure, convention)
            if ends and score and len(means) > 1:
                # On a small screen, too, what the judgments changed is seen beside the last grade.
                score["done"] = f"Mean {measure}: {_answer(means, text.visible)}"
            elif len(means) > 1:
                st.subheader(_answer(means, text.code), anchor=False)
            # A box for many runs, which scrolls.
            with st.container(height=_BOX if len(means) > _LOW else "content", border=False):
                show.chart(judge_charts.means(means, str(measure)), "effect")
            if ends and len(means) > 1 and not state.value(state.BACK):
                st.button("Compare them", on_click=state.open_page, args=(state.COMPARE, {}))
            if session.look == _OPEN and len(means) > 1:
                next_up.section(dataset, measure, convention, session.scale)
    with place:
        _desk(session, score)
    with st.container(key="keys"):
        st.caption(
            "Keys: the grades; u: cannot be graded; n: note; arrows: previous, next; Enter: next "
            "query, when all are judged; Ctrl+Z: undo; Ctrl+Y: redo."
        )
    with st.expander("Add judgments from a file"):
        taken.add(dataset)


def _chosen(dataset: Dataset, places: Words) -> JudgingSession:
    """Choose what to judge, and how."""
    of_query, settings = places
    scale = _scale(dataset.original)
    with settings:
        widgets.words("with")
        look, depth, drawn, judge, guideline = _how()
    anew = judge or by_hand.YOU if look == ANEW else None
    key, make = key_of("pool", *dataset.runs, depth), partial(similarity.pool, dataset.runs, depth)
    pooled: dict[str, dict[str, int]] = cache.shared(key, make)
    left, first = _left(dataset, pooled, depth, drawn, anew)
    with of_query:
        texts = dataset.query_texts
        said = pickers.literal(texts)
        query = widgets.one_of("Query", [*left], texts, state.QUERY, default=first, said=said)
        widgets.words("in")
    return JudgingSession(dataset, pooled, query, look, judge, anew, guideline, scale, left)


def _left(
    dataset: Dataset,
    pooled: Mapping[str, Mapping[str, int]],
    depth: int,
    drawn: int,
    anew: str | None,
) -> tuple[dict[str, int], str]:
    """Return how many documents to judge have no judgment, by query, and the query with most.

    The queries are in the order of the qrels, then of the runs. Most is as loaded, so that a link
    without a query leads to the same one after each grade. ``drawn``: so many queries are drawn,
    and are in the order of the draw, so that who stops early has judged a random part, too.
    """
    queries = dict.fromkeys((*dataset.original.queries, *pooled))

    def as_loaded() -> dict[str, set[str]]:
        seen = dataset.original.to_dict() if anew is None else {}
        return {q: pooled[q].keys() - seen.get(q, {}).keys() for q in queries if q in pooled}

    key = key_of("left", dataset.original, *dataset.runs, depth, anew is None)
    without: dict[str, set[str]] = cache.shared(key, as_loaded)
    left = {query: len(documents) for query, documents in without.items()}
    first = max(left, key=left.__getitem__)
    for query, said in by_hand.said(dataset, anew).items():
        left[query] = sum(
            name in without[query] if (word := said.get(name)) is None else not word.is_seen
            for name in pooled.get(query, ())
        )
    left = {query: many for query, many in left.items() if query in without}
    if drawn:
        left = {query: left[query] for query in draw_queries([*without], drawn)}
        first = next(iter(left))
    return left, first


def _scale(qrels: Qrels) -> tuple[float, ...]:
    """Return the grades to choose from: those of the qrels, if they are a scale to judge by."""
    known = grade_scale(qrels)
    if len(known) > _MOST_GRADES:
        known = tuple(sorted({0.0, *qrels.value.tolist()}))
    # A scale without a relevant grade, or with hundreds, is none.
    return known if known[-1] > 0 and len(known) <= _MOST_GRADES else _USUAL


def _how() -> tuple[str, int, int, str, str]:
    """Return what is hidden, the pool's depth, how many queries are drawn, the judge, the grades.

    All of them are behind one word of the sentence, which names what is not as usual.
    """
    known, name, deep = state.GUIDELINE, state.JUDGE_NAME, _DEEPEST
    state.recall(state.BLIND, state.among(_SHOWN))
    state.recall(state.DEPTH, lambda link: widgets.in_range(link, int, 1, deep))
    state.recall(known, lambda link: link[:_LONGEST_GUIDELINE])
    state.recall(name, lambda link: " ".join(link.split())[:LONGEST_NAME])
    state.recall(state.DRAWN, lambda link: widgets.in_range(link, int, 0, _MOST_DRAWN))
    for key in (known, name):
        if state.value(key) is None:
            state.put({key: ""})
    said = [_SHOWN[state.value(state.BLIND) or _BLIND]]
    if (shown := state.value(state.DEPTH) or DEPTH) != DEPTH:
        said.append(f"the first {text.count(shown, 'document')} of each run")
    signed_in = by_hand.signed_in()
    if many := state.value(state.DRAWN):
        said.append(f"{text.count(many, 'query', 'queries')} drawn at random")
    if who := signed_in or state.value(name):
        said.append(f"judged by {text.code(who)}")
    with widgets.phrase("What you see", ", ".join(said)):
        look = widgets.option("What you see", _SHOWN, state.BLIND, _BLIND)
        label = "Your name, kept with each judgment"
        usual = by_hand.YOU if look == ANEW else None
        judge = (
            signed_in
            or st.text_input(label, key=name, max_chars=LONGEST_NAME, placeholder=usual)
            or ""
        )
        example = "\n".join(f"{grade:g} {what}" for grade, what in _MEANINGS[_USUAL].items())
        label, most = "What each grade means, one on each line", _LONGEST_GUIDELINE
        guideline = st.text_area(label, key=known, max_chars=most, height=130, placeholder=example)
        means = "How many top documents of each run to judge."
        depth = widgets.number("Pool depth", state.DEPTH, DEPTH, (1, deep), 1, means)
        means = "Judge so many queries, drawn at random: they correct a model's grades of all."
        drawn = widgets.number("Queries drawn", state.DRAWN, 0, (0, _MOST_DRAWN), 1, means)
    state.keep(name, "" if signed_in else judge, "")
    state.keep(known, guideline or "", "")
    return look, depth, drawn, judge, guideline or ""


def _score(session: JudgingSession, measure: Measure, convention: Convention) -> dict[str, Any]:
    """Return the query's score by the grades now, and before the last step, for the desk.

    While runs are hidden it is their mean: a bar for each would move with a grade, and tell whose
    document it was. Two runs that are shown have a bar each.
    """
    dataset, query, name = session.dataset, session.query, str(measure)
    original, sheet = dataset.original.only(query), by_hand.sheet_of(dataset, query)
    grades = [*[sheet.before] * any(sheet.undo), sheet.grades]
    steps = [cache.graded(original, {query: each}) for each in grades]

    def scores(run: Run) -> list[float]:
        only = cache.shared(key_of("of query", run, query), partial(run.only, query))
        found = (len(of) and cache.scored(of, only, measure, convention) for of in steps)
        return [each.mean[name] if each else math.nan for each in found]

    try:
        found = [(run.name, scores(run)) for run in dataset.runs if query in run.queries]
    except RankscopeError:
        return {}  # The message is where the means of the runs are.
    if session.look != _OPEN or len(found) != 2:
        means = [sum(each) / len(found) for each in zip(*(of for _, of in found), strict=True)]
        found = [(f"mean of {text.count(len(found), 'run')}", means)]
    rows, moves, falls = list[dict[str, Any]](), list[str](), False
    for side, (run, (*before, value)) in zip("AB" if found[1:] else [""], found, strict=True):
        share = None if math.isnan(value) or measure.value_range != UNIT else value
        said = text.visible(text.beginning(f"{side} {run}".strip(), _LONGEST_NAME + 2))
        rows.append({"side": side, "name": said, "score": text.number(value), "share": share})
        if before and not abs(value - before[0]) <= significance.TIE:
            moves.append(f"{side} {text.moved(before[0], value)}".strip())
            falls |= value < before[0]
    done, mine = f"No effect on {name}.", session.judge
    own = {paper: of[mine].signed.time for paper, of in sheet.words.items() if mine in of}
    if own and sheet.said[max(own, key=own.__getitem__)].signed.judge != mine:
        done = f"No effect on {name}: another judge's later grade counts."
    was, now = grades[0], grades[-1]
    rose = ((now.get(each) or 0) > (was.get(each) or 0) for each in differences(was, now))
    if last := differences(was, now):
        of = text.visible(text.beginning(next(iter(last)), _LONGEST_ID))
        done = f"The last grade, of {of}: {', '.join(moves) or f'no effect on {name}'}."
        if falls and measure.normalised and all(rose):
            done += " The ideal ranking grew, too, and the score is a share of it."
    if not any(sheet.undo):
        graded, listed = steps[-1].to_dict().get(query, {}).keys(), session.pooled[query].keys()
        done = f"Based on {text.count(len(graded), 'grade')}"
        if below := len(graded - listed):
            done += f", {below:,} of them for documents that are not among the {len(listed):,} here"
        done += "; one more may change it."
    return {"of": f"{name} of this query, {measure.label(convention)}", "rows": rows, "done": done}


def _desk(session: JudgingSession, score: Mapping[str, Any]) -> None:
    dataset, query = session.dataset, session.query
    sheet, after = by_hand.sheet_of(dataset, query, session.anew), session.after()
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
        "back": bool(session.before),
        "left": sum(session.left.values()),
        "drawn": bool(state.value(state.DRAWN)),
        "score": score,
        # Files without texts have cards that cannot be judged.
        "door": further_judges.is_own(dataset) and not dataset.document_texts,
    }
    desk(sheet, dataset, session.papers(asked), session.scale, heading, partial(_do, session))
    if notice := state.message(state.NOTICE):
        st.error(notice)
    if session.look == ANEW:
        with st.container(horizontal=True, vertical_alignment="center"):
            is_seen = sheet.is_seen(asked)
            back = partial(state.seek, **{state.JUDGING: state.TWO_JUDGES})
            label = "Back to the disagreement" if asked else "Compare the judges"
            st.button(
                label, key="to_judges", type="primary" if is_seen else "secondary", on_click=back
            )
            told = "Only your grades are shown; they change no score until you adopt them there."
            st.caption(told, width="content")


def _do(session: JudgingSession, event: Mapping[str, Any]) -> None:
    """Apply an event of the desk; what cannot be is refused, and said."""
    number, query = event["n"], session.query
    sheet = by_hand.sheet_of(session.dataset, query, session.anew)
    if event["do"] in ("undo", "redo"):
        step = sheet.undo if event["do"] == "undo" else sheet.redo
        by_hand.switch({sheet.origin: step}, number)
        return
    said: dict[str, Said] = {}
    if event["do"] == "judge":
        state.put({state.NOTICE: ""})
        try:
            signed = by_hand.signature(str(event["note"])[:LONGEST_NOTE], session.anew or "")
            said[str(event["id"])] = Said(event["grade"], signed, event["grade"] is None)
        except RankscopeError as error:
            state.put({state.NOTICE: text.code(str(error))})
    # Before the page moves on: an event that is cut off here is applied again.
    by_hand.judge(session.dataset, {query: said}, number, session.anew)
    if event["do"] == "next" and (after := session.after()):
        state.put({state.QUERY: after, state.FINISHED: (query, after)})
    elif event["do"] == "back":
        state.put({state.QUERY: session.before or query})
    elif event["do"] == "texts":
        state.open_page(state.DATA_PAGE, {})


def _shuffled(query: str, pooled: Mapping[str, int]) -> list[str]:
    """Return documents in a random order that is the same each time."""
    names = {name: f"{query}\n{name}".encode("utf-8", "surrogatepass") for name in pooled}
    return sorted(pooled, key=lambda name: hashlib.sha256(names[name]).digest())


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


def _means(dataset: Dataset, measure: Measure, convention: Convention) -> pd.DataFrame:
    """Return the mean of each run as loaded, NaN without grades before, and by the grades now."""

    def of(qrels: Qrels) -> list[float]:
        every = (cache.scored(qrels, run, measure, convention) for run in dataset.runs)
        return [each.mean[str(measure)] for each in every]

    was = of(dataset.original) if len(dataset.original) else math.nan
    return pd.DataFrame(
        {"loaded": was, "now": of(dataset.qrels)}, [run.name for run in dataset.runs]
    )


def _answer(means: pd.DataFrame, named: Callable[[str], str]) -> str:
    """Return who leads, and what the judgments changed about it."""
    (leader, by), (before, by_before) = (_leader(means[of], named) for of in ("now", "loaded"))
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


def _leader(means: pd.Series[float], named: Callable[[str], str]) -> tuple[str, str]:
    """Return the run with the highest mean, and by how much; empty where no run leads."""
    first, second = [*means.nlargest(2), math.nan, math.nan][:2]
    leads = first - second > significance.TIE
    return (named(str(means.idxmax())), text.apart(first, second)) if leads else ("", "")
