"""Results worth keeping within a session, keyed by the digests of what they are made from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import pandas as pd
import streamlit as st

from metrics import (
    Comparison,
    Convention,
    Measure,
    Qrels,
    Run,
    Scores,
    judge,
    robustness,
    significance,
)
from metrics import evidence as weighing
from metrics.compare import Summary, align
from metrics.evaluate import score
from metrics.judged import JudgedRankings
from metrics.samples import catalogue

from . import printed

T = TypeVar("T")


def judged(qrels: Qrels, run: Run, convention: Convention) -> JudgedRankings:
    """One run's rankings with their grades; any measure is made from them."""
    key = _key("judged", qrels, run, convention)
    return _kept(key, lambda: judge(qrels, run, convention))


def scored(qrels: Qrels, run: Run, measure: str, convention: Convention) -> Scores:
    """One run scored under a convention."""
    key = _key("scored", qrels, run, measure, convention)
    return _kept(key, lambda: score(judged(qrels, run, convention), [measure]))


def compared(qrels: Qrels, a: Run, b: Run, measure: str, convention: Convention) -> Comparison:
    """Two runs compared by one measure under a convention."""
    return align(*(scored(qrels, run, measure, convention) for run in (a, b)))


def evidence(
    qrels: Qrels,
    a: Run,
    b: Run,
    measure: str,
    convention: Convention,
    test: str,
    tie: float,
    seed: int,
) -> weighing.Evidence:
    """What one measure says about two runs, and how surely."""

    def weighed() -> weighing.Evidence:
        comparison = compared(qrels, a, b, measure, convention)
        return weighing.alone(comparison, measure, test, tie, seed)

    return _kept(_key("evidence", qrels, a, b, measure, convention, test, tie, seed), weighed)


def summaries(
    qrels: Qrels, a: Run, b: Run, measures: tuple[str, ...], convention: Convention
) -> dict[str, Summary]:
    """Both means by each measure."""

    def found() -> dict[str, Summary]:
        sides = (score(judged(qrels, run, convention), measures) for run in (a, b))
        comparison = align(*sides)
        return {name: comparison.summary(name) for name in measures}

    return _kept(_key("summaries", qrels, a, b, measures, convention), found)


def settings(
    qrels: Qrels, a: Run, b: Run, measure: Measure, convention: Convention, test: str, seed: int
) -> list[robustness.Setting]:
    """Two runs in every setting."""
    key = _key("settings", qrels, a, b, measure, convention, test, seed)
    return _kept(
        key, lambda: robustness.settings(qrels, a, b, measure, convention, test=test, seed=seed)
    )


def intervals(
    qrels: Qrels, a: Run, b: Run, measures: tuple[str, ...], convention: Convention, seed: int
) -> dict[str, pd.DataFrame]:
    """By run, the mean of each measure over the compared queries and its interval."""

    def found() -> dict[str, pd.DataFrame]:
        comparison = align(*(score(judged(qrels, run, convention), measures) for run in (a, b)))
        rows: dict[str, dict[str, tuple[float, float, float]]] = {"A": {}, "B": {}}
        for name in measures:
            frame = comparison.per_query(name)
            for side, means in rows.items():
                ends = significance.interval(frame[side].to_numpy(), seed=seed)
                means[name] = (float(frame[side].mean()), *ends)
        columns = ["mean", "low", "high"]
        return {
            side: pd.DataFrame.from_dict(means, orient="index", columns=columns)
            for side, means in rows.items()
        }

    return _kept(_key("intervals", qrels, a, b, measures, convention, seed), found)


@st.cache_data(show_spinner="Recomputing …")
def verdicts() -> pd.DataFrame:
    """Every result that the samples' sources print, with its verdict."""
    return pd.concat([printed.verdicts(s) for s in catalogue().values() if s.printed])


def _key(what: str, *parts: Any) -> tuple[str, ...]:
    """What a result is made from, as texts: data by their digests, all else as it is written."""
    return what, *(part.digest if isinstance(part, Qrels | Run) else repr(part) for part in parts)


def _kept(key: tuple[str, ...], make: Callable[[], T]) -> T:
    """What ``make`` gives, made once for each key."""
    kept: T = _made(key, make)
    return kept


@st.cache_data(scope="session", max_entries=64, show_spinner="Computing …")
def _made(key: tuple[str, ...], _make: Callable[[], Any]) -> Any:
    """``key`` stands for what ``_make`` is closed over."""
    return _make()
