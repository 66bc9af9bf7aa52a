"""Pickers that several pages use: data, run and query, measure, convention."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import Any

import streamlit as st

from metrics import REGISTRY, TREC_EVAL, Convention, Dataset, Measure, Run, parse
from metrics.conventions.choices import CHOICES, OF_EVERY_MEASURE
from metrics.data.checks import LARGEST_GRADE
from metrics.measures.parameters import PARAMETERS, Parameter
from metrics.rendering import text
from metrics.scoring.naming import title
from metrics.teaching.samples import Sample, catalogue

from . import state, user_data, widgets


def sources() -> dict[str, Sample]:
    """Return the data that can be opened: the user's own first, then the samples."""
    dataset = user_data.upload()
    if dataset is None:
        return catalogue()
    yours = Sample(state.YOURS, dataset.title, "your data", "nDCG@10", lambda: dataset)
    return {state.YOURS: yours} | catalogue()


def source_picker(key: str, default: str, fits: Callable[[Dataset], bool]) -> Sample:
    """Choose the data; another choice also sets its own measure and cutoff."""
    if state.asks(key) == state.YOURS and user_data.upload() is None:
        _gone(key)
    options = {name: s for name, s in sources().items() if fits(s.load())}

    def choose() -> None:
        state.forget(state.RUN, state.QUERY, state.A, state.B, state.PICKED, state.DOCUMENT)
        state.forget(state.RUNS, state.FUSED, state.WEIGHTS, *state.OF_FILTER)
        measure = parse(options[state.value(key)].measure)
        state.put({state.MEASURE: measure.symbol, state.K: measure.cutoff or 0})

    titles = {name: sample.title for name, sample in options.items()}
    return options[widgets.option("Data", titles, key, default, choose, part="data")]


def _gone(key: str) -> None:
    """Report that the uploaded data no longer exist, offer a way on, and end the page."""
    st.warning(
        "The data for this page were uploaded in a session that has ended: the page was reloaded "
        "or opened in another tab, or the server restarted. Upload the data again, or open a "
        "saved session."
    )
    st.button("Go to Data", type="primary", on_click=state.open_page, args=(state.DATA_PAGE, {}))
    st.button("Show a sample", on_click=state.forget, args=(key,))
    unknown_links()
    st.stop()


def query_picker(dataset: Dataset) -> tuple[Run, str]:
    """Choose a run and a query, if there is more than one."""
    runs = {run.name: run for run in dataset.runs}
    queries = dataset.qrels.queries
    if len(runs) == len(queries) == 1:
        return dataset.runs[0], dataset.qrels.queries[0]
    run = widgets.option("Run", {name: name for name in runs}, state.RUN, part="data")
    return runs[run], widgets.one_of("Query", queries, dataset.query_texts, state.QUERY, "data")


FIRST = "nDCG", "P", "R", "AP", "RR", "Success"
"""The measures used most are listed first: "precision" finds P before R-precision."""


def measure_picker(default: Measure) -> Measure:
    """Choose a measure, its cutoff if it has one (0: none), and its own parameters."""
    symbols = dict.fromkeys((*FIRST, *sorted(REGISTRY, key=str.casefold)))
    titles = {symbol: title(REGISTRY[symbol]) for symbol in symbols}
    own_parameters = [name for name, each in PARAMETERS.items() if not each.choice]
    symbol = widgets.option(
        "Measure",
        titles,
        state.MEASURE,
        default.symbol,
        # Another measure has its own defaults: p is 0.9 in RBP and 0.95 in Compat.
        on_change=partial(state.forget, *own_parameters),
        width=300,
        part="measure",
    )
    measure = REGISTRY[symbol]
    values: dict[str, Any] = {}
    if measure.suffix == "cutoff":
        values["cutoff"] = _cutoff(default.cutoff or 0)
    for name in measure.__dataclass_fields__:
        if name in PARAMETERS and not PARAMETERS[name].choice:
            values[name] = _parameter(name, PARAMETERS[name], getattr(measure, name))
    return measure(**values)


def _cutoff(default: int) -> int | None:
    tooltip = "Only the top k ranks count. 0: the whole ranking."
    return widgets.whole_number("k", state.K, default, 0, tooltip, part="measure") or None


def _parameter(name: str, parameter: Parameter, default: float | None) -> float:
    low, high = parameter.limits or (0, 0)
    return widgets.real_number(
        name,
        name,
        (low + high) / 2 if default is None else default,
        (low, high),
        step=1.0 if high > 1 else 0.05,
        tooltip=f"{parameter.meaning.capitalize()}: {parameter.range}.",
        part="measure",
        width=130,
    )


def convention_picker(measures: Collection[Measure]) -> Convention:
    """Choose the convention: the choices that affect these measures."""
    if "convention" in state.hidden():
        return _convention(measures)
    with st.popover("Convention"):
        return _convention(measures)


def _convention(measures: Collection[Measure]) -> Convention:
    matter = {name for measure in measures for name in measure.choices}
    offered = [name for name in CHOICES if name in matter or name in OF_EVERY_MEASURE]
    chosen: dict[str, Any] = {}
    for name in offered:
        values = CHOICES[name].values
        if name == "ties" and not all(measure.linear for measure in measures):
            values = {value: words for value, words in values.items() if value != "mean"}
        default = getattr(TREC_EVAL, name)
        chosen[name] = widgets.option(CHOICES[name].label, values, name, default, part="convention")
    if "level" in matter:
        chosen["level"] = widgets.real_number(
            "Relevant from grade",
            state.LEVEL,
            TREC_EVAL.level,
            (0.001, LARGEST_GRADE),
            step=1.0,
            part="convention",
        )
    return Convention(**chosen)


def upload_button() -> None:
    """Show a button that opens the page for uploads."""
    st.button("Upload", type="tertiary", on_click=state.open_page, args=(state.DATA_PAGE, {}))


_SHOWN = 80
"""At most this many characters of a link's value are shown."""


def unknown_links() -> None:
    """Warn about values in the link that this session does not have."""
    for key, (wanted, why) in state.take_unknown().items():
        shown = wanted if len(wanted) <= _SHOWN else f"{wanted[: _SHOWN - 1]}…"
        reason = f" {text.code(why)}" if why else ""
        if wanted == state.YOURS:
            reason = " Your data have too few runs for this page."
        st.warning(
            f"The link asks for {key} = {text.code(shown)}, which is not available here; "
            f"the page shows the default instead.{reason}"
        )
