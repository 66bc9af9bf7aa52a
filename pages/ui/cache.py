"""Results worth keeping within a session, keyed by the data's key and the options."""

from __future__ import annotations

import streamlit as st

from metrics import Comparison, Convention, Dataset, compare
from metrics.samples import Sample


def compared(
    sample: Sample, a: str, b: str, measures: tuple[str, ...], convention: Convention
) -> Comparison:
    """Two runs of a data set compared under a convention."""
    return _compared(sample.key, a, b, measures, repr(convention), sample.load(), convention)


@st.cache_data(scope="session", max_entries=8, show_spinner="Scoring both runs …")
def _compared(
    key: str,
    a: str,
    b: str,
    measures: tuple[str, ...],
    choices: str,
    _dataset: Dataset,
    _convention: Convention,
) -> Comparison:
    """``key`` and ``choices`` stand for the two arguments that are not hashed."""
    runs = {run.name: run for run in _dataset.runs}
    return compare(_dataset.qrels, runs[a], runs[b], measures, _convention)
