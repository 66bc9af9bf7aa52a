"""Results worth keeping within a session, keyed by the digests of what they are made from."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from metrics import (
    Comparison,
    Convention,
    Measure,
    Qrels,
    Run,
    Scores,
    compare,
    evaluate,
    significance,
)
from metrics.evidence import Evidence
from metrics.evidence import evidence as weigh
from metrics.robustness import Setting
from metrics.robustness import settings as tried
from metrics.samples import catalogue

from . import printed


def compared(
    qrels: Qrels, a: Run, b: Run, measures: tuple[str, ...], convention: Convention
) -> Comparison:
    """Two runs compared under a convention."""
    key = (qrels.digest, a.digest, b.digest, repr(convention))
    return _compared(key, measures, qrels, a, b, convention)


def evidence(
    qrels: Qrels,
    a: Run,
    b: Run,
    measures: tuple[str, ...],
    convention: Convention,
    test: str,
    tie: float,
    seed: int,
) -> dict[str, Evidence]:
    """What each measure says about two runs, and how surely."""
    key = (qrels.digest, a.digest, b.digest, repr(convention))
    comparison = compared(qrels, a, b, measures, convention)
    return _evidence(key, measures, test, tie, seed, comparison)


def settings(
    qrels: Qrels, a: Run, b: Run, measure: Measure, convention: Convention, test: str, seed: int
) -> list[Setting]:
    """Two runs in every setting."""
    key = (qrels.digest, a.digest, b.digest, repr(convention), str(measure), test, str(seed))
    return _settings(key, qrels, a, b, measure, convention, test, seed)


@st.cache_data(scope="session", max_entries=200)
def interval(values: list[float], seed: int) -> tuple[float, float]:
    """The bootstrap interval of a mean."""
    return significance.interval(np.array(values), seed=seed)


def scored(qrels: Qrels, run: Run, measure: str, convention: Convention) -> Scores:
    """One run scored under a convention."""
    key = (qrels.digest, run.digest, repr(convention))
    return _scored(key, measure, qrels, run, convention)


@st.cache_data(show_spinner="Recomputing …")
def verdicts() -> pd.DataFrame:
    """Every result that the samples' sources print, with its verdict."""
    return pd.concat([printed.verdicts(s) for s in catalogue().values() if s.printed])


@st.cache_data(scope="session", max_entries=8, show_spinner="Scoring both runs …")
def _compared(
    key: tuple[str, ...],
    measures: tuple[str, ...],
    _qrels: Qrels,
    _a: Run,
    _b: Run,
    _convention: Convention,
) -> Comparison:
    """``key`` stands for the arguments that are not hashed."""
    return compare(_qrels, _a, _b, measures, _convention)


@st.cache_data(scope="session", max_entries=8, show_spinner="Comparing in every setting …")
def _settings(
    key: tuple[str, ...],
    _qrels: Qrels,
    _a: Run,
    _b: Run,
    _measure: Measure,
    _convention: Convention,
    _test: str,
    _seed: int,
) -> list[Setting]:
    """``key`` stands for the arguments that are not hashed."""
    return tried(_qrels, _a, _b, _measure, _convention, _test, _seed)


@st.cache_data(scope="session", max_entries=16, show_spinner="Testing …")
def _evidence(
    key: tuple[str, ...],
    measures: tuple[str, ...],
    test: str,
    tie: float,
    seed: int,
    _comparison: Comparison,
) -> dict[str, Evidence]:
    """``key`` stands for the comparison."""
    return weigh(_comparison, measures, test, tie, seed)


@st.cache_data(scope="session", max_entries=8, show_spinner="Scoring the run …")
def _scored(
    key: tuple[str, ...], measure: str, _qrels: Qrels, _run: Run, _convention: Convention
) -> Scores:
    """``key`` stands for the arguments that are not hashed."""
    return evaluate(_qrels, _run, measure, _convention)
