"""The pickers that pages share: data, measure, cutoff, convention."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import streamlit as st

from metrics import REGISTRY, TREC_EVAL, Convention, Dataset, Measure, parse
from metrics.convention import CHOICES
from metrics.samples import Sample, catalogue

from . import state

FIELD_LABELS = {
    "gain": "Gain",
    "ideal": "Ideal ranking",
    "ties": "Equal scores",
    "unjudged": "Unjudged documents",
    "queries": "Mean over",
}


def sources() -> dict[str, Sample]:
    """What can be opened: the user's own data first, then the samples."""
    given = state.upload()
    if given is None:
        return catalogue()
    title = given.dataset.title
    own = Sample(given.key, title, "your data", "nDCG@10", lambda: given.dataset)
    return {given.key: own} | catalogue()


def source_picker(key: str, default: str, fits: Callable[[Dataset], bool]) -> Sample:
    """Choose the data; a new choice brings its own measure and cutoff."""
    options = {name: s for name, s in sources().items() if fits(s.load())}

    def choose() -> None:
        state.forget(state.RUN, state.QUERY, state.A, state.B, state.PICKED)
        _bring_measure(sources()[state.value(key)])

    names = list(options)
    picked = st.selectbox(
        "Data",
        names,
        index=names.index(default) if default in names else 0,
        format_func=lambda name: options[name].title,
        key=key,
        bind="query-params",
        persist_state="session",
        on_change=choose,
    )
    return options[picked]


def option(label: str, options: Iterable[str], key: str, texts: dict[str, str], index: int) -> str:
    """Choose one id; its text, when it has one, stands behind it."""
    return st.selectbox(
        label,
        list(options),
        index=index,
        format_func=lambda name: f"{name}: {texts[name]}" if texts.get(name) else name,
        key=key,
        bind="query-params",
        persist_state="session",
    )


def measure_picker(default: Measure) -> Measure:
    """Choose a measure and its cutoff; an empty cutoff means the whole ranking."""
    symbols = list(REGISTRY)
    symbol = st.selectbox(
        "Measure",
        symbols,
        index=symbols.index(default.symbol),
        width=140,
        key=state.MEASURE,
        bind="query-params",
        persist_state="session",
    )
    cutoff = st.number_input(
        "k",
        min_value=1,
        max_value=1000,
        value=default.cutoff,
        step=1,
        key=state.K,
        placeholder="all",
        width=130,
        help="Only the top k ranks count. Empty: the whole ranking.",
        bind="query-params",
        persist_state="session",
    )
    return REGISTRY[symbol](None if cutoff is None else int(cutoff))


def convention_picker() -> Convention:
    """Choose the convention; its label says what differs from trec_eval."""
    with st.popover("Convention"):
        choices = {
            name: st.selectbox(
                FIELD_LABELS[name],
                list(values),
                format_func=values.__getitem__,
                key=name,
                bind="query-params",
                persist_state="session",
            )
            for name, values in CHOICES.items()
        }
        level = st.number_input(
            "Relevant from grade",
            min_value=0.1,
            max_value=100.0,
            value=TREC_EVAL.level,
            step=1.0,
            key="level",
            bind="query-params",
            persist_state="session",
        )
    return Convention(level=level, **choices)


def _bring_measure(sample: Sample) -> None:
    measure = parse(sample.measure)
    state.put({state.MEASURE: measure.symbol, state.K: measure.cutoff})
