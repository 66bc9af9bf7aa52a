"""A score with its arithmetic, and its ledger beside that of the ideal ranking."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from metrics import Ledger, Measure, OneQuery, RankscopeError
from metrics.editing import HandRanking, History
from metrics.exploring import earning
from metrics.rendering import Provenance, ledger_text, pictures, tables, text
from metrics.scoring import known_differences
from metrics.writing import ledger_lines

from . import show, state
from .inline import component, replaceable

_view = component("ledger_view", __file__)


def score(
    ledger: Ledger,
    steps: History,
    terms: bool = True,
    edited: str = "",
    marks: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Show the score as a bar that the documents fill, and its arithmetic or the last edit's.

    ``terms``: show what each document contributes. ``edited``: the document of the last edit.
    ``marks``: places on the bar with their words.
    """
    ranking, last = steps.present, _before(ledger, steps)
    sentence, told = ledger_text.score(ledger, ranking.query), terms
    if terms and last is not None and steps.before is not None:
        sentence = ledger_text.last_edit(last, ledger, (steps.before, ranking), edited)
        told = False
    bar(ledger, ranking.query, terms=terms, steps=steps, pick=True, marks=marks, quotient=not told)
    terms_of = [ledger_text.substituted(ledger, ranking.query)] if terms else []
    _draw("score_lines", [sentence, *terms_of], [], pick=True)


def unknown(measure: Measure, marks: Sequence[Mapping[str, Any]]) -> None:
    """Show the empty bar of a score that is hidden: filled, it would be the score."""
    name, empty = f"{measure} = ?", {"chunks": [], "whole": 1.0}
    shown = {"measure": "", "value": name, "number": None, "marks": marks, **empty}
    with replaceable("score") as instead:
        _draw("score", [], [], pick=False, shown=shown)
    instead.text(name)


def arithmetic(parts: Mapping[str, Ledger], query: str) -> None:
    """Show how each of these parts of a score comes about, by its name."""
    line: list[ledger_text.Part] = []
    for name, part in parts.items():
        named = ledger_text.Part("\n" * bool(line) + f"{name} = ")
        line += [named, *ledger_text.substituted(part, query)]
    # On a phone there is one sentence.
    _draw("score_lines", [line], [], pick=True)


def bar(
    ledger: Ledger,
    query: str,
    digits: int = 4,
    terms: bool = True,
    steps: History | None = None,
    key: str = "score",
    name: str = "",
    title: str = "",
    pick: bool = False,
    marks: Sequence[Mapping[str, Any]] = (),
    quotient: bool = True,
    outlined: bool = True,
) -> None:
    """Show the score of a ledger's only query as a bar, with what it lacks to the best order.

    ``digits``: its decimals. ``terms``: as in `score`. ``steps``: those of its list, to tell
    by how much the last edit changed it. ``key``: its own, where there are several. ``name``: the
    score's, if it is not the measure's. ``title``: the list's, to stand beside it.
    ``pick``: as in `lines`. ``quotient``: say of what the score is the quotient.
    ``outlined``: with the outline of what the best order would earn.
    """
    name, now = name or str(ledger.measure), float(ledger.scores[0])
    value = text.number(now, digits)
    last = steps and _before(ledger, steps)
    change = ledger_text.change(last, ledger, digits) if last else ""
    shown = {
        "measure": " · ".join(filter(None, (name, title))),
        "named": bool(title),
        "value": value,
        "number": None if math.isnan(now) else now,
        "digits": digits,
        "change": change,
        "marks": marks,
        "open": not outlined,
        **_bar(ledger, query, terms, digits),
    }
    shown["earned"] = shown.get("earned", "") * quotient
    if steps and not ledger.ideal and shown["chunks"]:
        shown["reach"], words = ledger_text.within_reach(ledger, steps.present, digits)
        # Where documents can be picked, sentences beside the bar say the rest.
        shown["lost"] += words * bool(pick and shown["lost"] and now < shown["whole"])
    if not outlined:
        shown["lost"] = ""
    elif last and steps and steps.before and not pick and shown["chunks"]:
        rankings = steps.before, steps.present
        edited = state.value(state.EDITED) or ""
        shown["lost"] = ledger_text.moved(last, ledger, rankings, digits, edited) + shown["lacks"]
    with replaceable(key) as instead:
        _draw(key, [], [], pick, shown=shown)
    # Streamlit draws the down arrow only for an ASCII minus.
    delta = change.replace("−", "-") if change[:1] in "+−" else None
    instead.metric(name, value, delta or None, delta_color="off")


def summed(
    earned: Mapping[str, float], whole: float, name: str, outlined: bool, ruler: bool
) -> None:
    """Show the sum of what documents have as a bar that they fill, and that ``whole`` would fill.

    ``ruler``: it is no document's own. The rest is as in `bar`.
    """
    total = sum(earned.values())
    shown = {"measure": name, "value": text.number(total, 0) + " %" * ruler, "number": total}
    chunks = [{"id": document, "earned": each} for document, each in earned.items()]
    look = {"chunks": chunks, "whole": whole, "open": not outlined, "ruler": ruler, "digits": 0}
    with replaceable("score") as instead:
        _draw("score", [], [], pick=False, shown=shown | look)
    instead.metric(name, shown["value"])


_LOST, _SHORT = "{0} of {1} lost", "{0} short of {1}"
"""The words for a gap, which the browser fills, too: with an ideal ranking, and without one."""


def _bar(ledger: Ledger, query: str, terms: bool, digits: int) -> dict[str, Any]:
    """Return what fills the bar of a score, in the unit of its lines, and what is in words beside.

    ``chunks``: what each document earns; ``whole``: the bar's length, ``divisor``: what turns the
    sum into the score. No bar where no highest score is known.
    """
    best, chunks = earning.most(ledger), _chunks(ledger.parts[0])
    earned = [chunk["earned"] for chunk in chunks]
    total = sum(earned)
    if not best or not total >= 0 or min(earned, default=0.0) < 0:
        return {"chunks": None}
    shown, sign = text.number(total, digits), text.near(total, earned, digits)
    return {
        "chunks": chunks if terms else [{"id": None, "earned": total}],
        "whole": best,
        "divisor": best if ledger.ideal else 1.0,
        "gap": _LOST if ledger.ideal else _SHORT,
        "earned": f"{sign}{shown} of {text.number(best, digits)}" if ledger.ideal else "",
        "lost": (ledger_text.lost(ledger, query, digits) or _lacks(best, total, digits)) * terms,
        "lacks": _lacks(best, total, digits, _LOST if ledger.ideal else _SHORT) * terms,
    }


def _lacks(best: float, total: float, digits: int, said: str = _SHORT) -> str:
    """Return what a sum lacks to the best order's, without the documents that lose it."""
    near, words = text.near(best - total, (best, -total), digits), text.number(best, digits)
    if text.number(total, digits) == words:
        return "nothing lost: no order is better"
    return said.format(f"{near}{text.number(best - total, digits)}", words)


def _chunks(top: Ledger) -> list[dict[str, Any]]:
    """Return what each document adds to a sum, after what it starts with, if anything."""
    lines = zip(top.hits.document.to_pylist(), top.contribution.tolist(), strict=True)
    start = [(None, float(top.start[0]))] if top.start[0] else []
    return [{"id": document, "earned": earned} for document, earned in [*start, *lines]]


def _before(ledger: Ledger, steps: History) -> Ledger | None:
    """Return the ledger before the last edit; None if there is none, or it has no score.

    A list without any of the documents before is no edit of them, and one as it was before all
    edits has none.
    """
    last = None if steps.present == steps.original else steps.before
    lists = [steps.present, last or steps.present]
    documents = ({entry.document for entry in each.entries} for each in lists)
    if last is None or not last.grades or set.isdisjoint(*documents):
        return None
    try:
        return last.ledger(ledger.measure, ledger.judged.convention)
    except RankscopeError:
        # The measure could not score the ranking before this edit.
        return None


def cautions(ledger: Ledger, ranking: HandRanking) -> list[str]:
    """Return warnings about the score: an empty or a short list, another number in the tool."""
    measure, retrieved = ledger.measure, len(ranking.retrieved)
    sentences: list[str] = []
    if measure.to_find(ledger.judged, ledger.convention)[0] == 0:
        score = float(ledger.scores[0])
        shown = "left out of the mean" if math.isnan(score) else f"set to {text.number(score)}"
        reason = f", so {measure} is undefined (0/0) and by convention {shown}"
        sentences.append(f"There is no relevant document{reason if measure.normalised else ''}.")
    if not retrieved:
        sentences.append("The ranking is empty: no document is retrieved.")
    elif measure.cutoff and measure.cutoff > retrieved:
        listed = text.count(retrieved, "document")
        sentences.append(f"The list ends before k = {measure.cutoff:,}: it has {listed}.")
    unlike = known_differences.exceptions([ledger.judged], [measure])
    return sentences + [f"Exception of the preset: {each}." for each in unlike]


def lines(
    ledger: Ledger,
    ranking: HandRanking | OneQuery,
    texts: Mapping[str, str],
    key: str,
    pick: bool = False,
    parts: Sequence[Ledger] | None = None,
) -> None:
    """Show the ledger, and that of the ideal ranking if the measure has one.

    ``pick``: a click on a row picks its document, as a click on a row of the list does. ``parts``:
    those of the two to show, if not both.
    """
    query = ranking.query
    frames = {
        part: tables.ideal(part, query, texts)
        if part is ledger.ideal
        else tables.ledger(part, query, texts)
        for part in (ledger.parts if parts is None else parts)
    }
    sheets = [tables.drawn_ledger(part, query, frame) for part, frame in frames.items()]
    _draw(f"ledger_{key}", [], sheets, pick)
    for part, frame in frames.items():
        if len(frame) > tables.MOST_ROWS:
            with st.expander(f"All {len(frame):,} lines of {part.measure}"):
                show.table(frame, missing="?")


def files(ledger: Ledger, query: str, title: str, source: Provenance, name: str) -> None:
    """Show a button for each format of the ledger and its parts, pictures among them.

    ``title``: that of the pictures. ``source``: names the run first. ``name``: what they are, for
    a screen reader.
    """
    run, file = source.names[0], source.file("ledger")
    parts = tuple(
        ledger_lines.explained(part, query, run) for part in ledger.parts if part is not ledger
    )
    content = ledger_lines.explained(ledger, query, run).saying(parts=parts)
    with st.container(horizontal=True):
        show.table_files(content, lambda extension: f"{file}.{extension}", name)
        show.picture(name, pictures.ledgers(ledger, query, title, source.sentence), file)


def _draw(
    key: str,
    lines: Sequence[Sequence[ledger_text.Part]],
    sheets: list[dict[str, Any]],
    pick: bool,
    shown: Mapping[str, Any] | None = None,
) -> None:
    """Draw sentences and ledgers, in which the parts of one document light up together.

    ``shown``: the score and its bar.
    """

    def asked() -> None:
        word = state.value(key)["word"]
        state.open_page(state.LEARN, {state.ROOM: state.GLOSSARY, state.WORD: word})

    _view(
        key=key,
        data={
            "lines": [[part._asdict() for part in line] for line in lines],
            "tables": sheets,
            "key": key,
            "picked": state.value(state.AT) if pick else None,
            "pick": pick,
            "score": shown,
        },
        on_picked_change=partial(state.pick_in, key),
        on_word_change=asked,
    )
