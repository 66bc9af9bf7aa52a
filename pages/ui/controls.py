"""The pickers that pages share: data, measure, cutoff, convention."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import Any, Literal

import streamlit as st

from metrics import REGISTRY, TREC_EVAL, Convention, Dataset, Measure, parse
from metrics.checks import LARGEST_GRADE
from metrics.convention import CHOICES
from metrics.measures.parameters import PARAMETERS, Parameter
from metrics.samples import Sample, catalogue

from . import state, text

LARGEST_K = 1_000_000
# What makes the ranking, and so every measure's score.
_OF_EVERY_MEASURE = {"ties", "unjudged", "scores", "queries", "undefined"}


def sources() -> dict[str, Sample]:
    """What can be opened: the user's own data first, then the samples."""
    given = state.upload()
    if given is None:
        return catalogue()
    own = Sample(state.YOURS, given.title, "your data", "nDCG@10", lambda: given)
    return {state.YOURS: own} | catalogue()


def source_picker(key: str, default: str, fits: Callable[[Dataset], bool]) -> Sample:
    """Choose the data; a new choice brings its own measure and cutoff."""
    options = {name: s for name, s in sources().items() if fits(s.load())}

    def choose() -> None:
        state.forget(state.RUN, state.QUERY, state.A, state.B, state.PICKED, state.DOCUMENT)
        measure = parse(options[state.value(key)].measure)
        state.put({state.MEASURE: measure.symbol, state.K: measure.cutoff or 0})

    titles = {name: sample.title for name, sample in options.items()}
    return options[option("Data", titles, key, default, choose)]


def option(
    label: str,
    options: Mapping[str, str],
    key: str,
    default: str | None = None,
    on_change: Callable[[], None] | None = None,
    width: int | Literal["stretch"] = "stretch",
) -> str:
    """Choose one id by what stands for it on screen; the id itself goes into the address."""
    names = list(options)
    if default is None or default not in options:
        default = names[0]
    if state.value(key) not in (None, *options):
        state.forget(key)
    state.recall(key, lambda text: names[names.index(text)])
    picked = st.selectbox(
        label,
        names,
        index=names.index(default),
        format_func=options.__getitem__,
        key=key,
        on_change=on_change,
        width=width,
    )
    state.keep(key, picked, default)
    return picked


def with_texts(ids: Iterable[str], texts: Mapping[str, str]) -> dict[str, str]:
    """What stands for each id in a list of choices: the id, and its text where there is one."""
    return {name: f"{name}: {texts[name]}" if texts.get(name) else name for name in ids}


def measure_picker(default: Measure) -> Measure:
    """Choose a measure, its cutoff where it takes one (0: none), and its own parameters."""
    symbols = {symbol: symbol for symbol in sorted(REGISTRY, key=str.casefold)}
    measure = REGISTRY[option("Measure", symbols, state.MEASURE, default.symbol, width=140)]
    values: dict[str, Any] = {}
    if measure.at == "cutoff":
        values["cutoff"] = _cutoff(default.cutoff or 0)
    for name in measure.__dataclass_fields__:
        if name in PARAMETERS and not PARAMETERS[name].choice:
            values[name] = _parameter(name, PARAMETERS[name], getattr(measure, name))
    return measure(**values)


def _cutoff(default: int) -> int | None:
    state.recall(state.K, partial(_in_range, kind=int, low=0, high=LARGEST_K))
    cutoff = st.number_input(
        "k",
        min_value=0,
        max_value=LARGEST_K,
        value=default,
        step=1,
        key=state.K,
        width=130,
        help="Only the top k ranks count. 0: the whole ranking.",
    )
    state.keep(state.K, cutoff, default)
    return cutoff or None


def _parameter(name: str, parameter: Parameter, default: float | None) -> float:
    low, high = map(float, parameter.limits or (0, 0))
    value = (low + high) / 2 if default is None else default
    state.recall(name, partial(_in_range, kind=float, low=low, high=high))
    chosen = st.number_input(
        name,
        min_value=low,
        max_value=high,
        value=value,
        step=1.0 if high > 1 else 0.05,
        key=name,
        format="%g",
        width=130,
        help=f"{parameter.meaning.capitalize()}: {parameter.range}.",
    )
    state.keep(name, chosen, value)
    return chosen


def convention_picker(measures: Collection[Measure]) -> Convention:
    """Choose the convention in what these measures depend on; the label names the difference."""
    own = {name for measure in measures for name in measure.choices}
    offered = [name for name in CHOICES if name in own or name in _OF_EVERY_MEASURE]
    chosen: dict[str, Any] = {}
    with st.popover("Convention"):
        for name in offered:
            values = CHOICES[name].values
            if name == "ties" and not all(measure.linear for measure in measures):
                values = {value: said for value, said in values.items() if value != "mean"}
            chosen[name] = option(CHOICES[name].label, values, name, getattr(TREC_EVAL, name))
        if "level" in own:
            state.recall(state.LEVEL, partial(_in_range, kind=float, low=0.001, high=LARGEST_GRADE))
            chosen["level"] = st.number_input(
                "Relevant from grade",
                min_value=0.001,
                max_value=float(LARGEST_GRADE),
                value=TREC_EVAL.level,
                step=1.0,
                format="%g",
                key=state.LEVEL,
            )
            state.keep(state.LEVEL, chosen["level"], TREC_EVAL.level)
    return Convention(**chosen)


def own_data_link() -> None:
    """The way to the page that takes the user's own files."""
    st.page_link(state.DATA_PAGE, label="Upload")


def said(convention: Convention, measure: Measure) -> str:
    """The convention's name, and in words the choices that this measure depends on."""
    sentences = convention.sentences()
    return f"{convention.label} ({'; '.join(sentences[name] for name in measure.choices)})"


def unknown_links() -> None:
    """Tell what the link asked for and this session does not have."""
    for key, asked in state.take_unknown().items():
        why = " Data that were uploaded live in the session they were given to."
        st.warning(
            f"The link asks for {key} = {text.code(asked)}, which is not here; "
            f"the page shows its default instead.{why if asked == state.YOURS else ''}"
        )


def _in_range(text: str, kind: type[int] | type[float], low: float, high: float) -> float:
    number = kind(text)
    if not low <= number <= high:
        raise ValueError(text)
    return number
