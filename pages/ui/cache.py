"""Results worth keeping within a session, keyed by the digests of what they are made from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

import pandas as pd
import streamlit as st

from metrics import Comparison, Convention, Dataset, Measure, Qrels, Run, Scores, judge
from metrics.auditing import audit
from metrics.auditing.coverage import Coverage, coverage
from metrics.auditing.coverage import grades as counted_grades
from metrics.comparing import evidence as weighing
from metrics.comparing import robustness, similarity
from metrics.comparing.comparison import Summary, align
from metrics.comparing.evidence import PairedTest
from metrics.comparing.fusion import VIRTUAL
from metrics.comparing.leaderboard import Leaderboard, leaderboard
from metrics.data import TEXTS
from metrics.editing.hand_ranking import HandRanking
from metrics.judging.judged import JudgedRankings
from metrics.limits import current
from metrics.scoring.evaluate import score
from metrics.sessions.edit_tables import places
from metrics.sessions.session_file import Session
from metrics.sessions.session_file import refusal as _refusal

T = TypeVar("T")


def original(qrels: Qrels, run: Run, query: str, convention: Convention) -> HandRanking:
    """One query's ranking as the run has it, in the order in which the convention evaluates it."""
    # Cutting one query out of a large run scans all of it; nothing else of the convention matters.
    key = _key("original", qrels, run, query, convention.ties, convention.scores)
    found: HandRanking = _shared(key, lambda: HandRanking.from_run(qrels, run, query, convention))
    return found


def judged(qrels: Qrels, run: Run, convention: Convention) -> JudgedRankings:
    """One run's rankings with their grades; any measure is made from them."""
    key = _key("judged", qrels, run, convention)
    found: JudgedRankings = _shared(key, lambda: judge(qrels, run, convention))
    return found


def scored(qrels: Qrels, run: Run, measure: str, convention: Convention) -> Scores:
    """One run scored under a convention."""
    key = _key("scored", qrels, run, measure, convention)
    found: Scores = _shared(key, lambda: score(judged(qrels, run, convention), [measure]))
    return found


def compared(qrels: Qrels, a: Run, b: Run, measure: str, convention: Convention) -> Comparison:
    """Two runs compared by one measure under a convention."""
    return align(*(scored(qrels, run, measure, convention) for run in (a, b)))


def evidence(
    qrels: Qrels,
    a: Run,
    b: Run,
    measure: str,
    convention: Convention,
    asked: PairedTest,
) -> weighing.Evidence:
    """What one measure says about two runs, and how surely."""

    def weighed() -> weighing.Evidence:
        comparison = compared(qrels, a, b, measure, convention)
        return weighing.uncorrected(comparison, measure, asked)

    return _kept(_key("evidence", qrels, a, b, measure, convention, asked), weighed)


def summaries(
    qrels: Qrels, a: Run, b: Run, measures: tuple[str, ...], convention: Convention
) -> dict[str, Summary]:
    """Both means by each measure."""

    def found() -> dict[str, Summary]:
        sides = (score(judged(qrels, run, convention), measures) for run in (a, b))
        comparison = align(*sides)
        return {name: comparison.summary(name) for name in measures}

    return _kept(_key("summaries", qrels, a, b, measures, convention), found)


def groups(
    dataset: Dataset, a: Run, b: Run, measure: str, convention: Convention, asked: PairedTest
) -> dict[str, weighing.Evidence]:
    """What a measure says in each group of queries."""
    of_query = dict(dataset.query_groups)
    key = _key("groups", dataset.qrels, a, b, measure, convention, asked, of_query)

    def weighed() -> dict[str, weighing.Evidence]:
        comparison = compared(dataset.qrels, a, b, measure, convention)
        return weighing.by_group(comparison, measure, of_query, asked)

    return _kept(key, weighed)


def overlaps(a: Run, b: Run, depth: int, convention: Convention) -> pd.Series[int]:
    """How many documents the top of both runs have in common, by query."""
    key = _key("overlaps", a, b, depth, convention)
    return _kept(key, lambda: similarity.overlaps(a, b, depth, convention))


def document_totals(
    qrels: Qrels, a: Run, b: Run, measure: str, convention: Convention
) -> pd.DataFrame:
    """What each document contributes over all queries."""
    key = _key("documents", qrels, a, b, measure, convention)
    return _kept(key, lambda: compared(qrels, a, b, measure, convention).document_totals(measure))


def standings(
    qrels: Qrels, runs: Mapping[str, Run], measure: str, convention: Convention, asked: PairedTest
) -> Leaderboard:
    """Several runs side by side, by the names they are to have."""
    digests = {name: run.digest for name, run in runs.items()}

    def found() -> Leaderboard:
        scores = {name: scored(qrels, run, measure, convention) for name, run in runs.items()}
        return leaderboard(scores, measure, asked)

    return _kept(_key("standings", qrels, digests, measure, convention, asked), found)


def virtual(key: str, dataset: Dataset, convention: Convention) -> Run:
    """A run made from the others or from the qrels."""
    digests = [run.digest for run in dataset.runs]
    made: Run = _held(
        _key("virtual", key, dataset.qrels, digests, convention.ties, convention.scores),
        lambda: VIRTUAL[key].make(dataset.qrels, dataset.runs, convention),
    )
    return made


def settings(
    qrels: Qrels, a: Run, b: Run, measure: Measure, convention: Convention, asked: PairedTest
) -> list[robustness.Setting]:
    """Two runs in every setting."""
    test, seed = asked.test, asked.seed
    key = _key("settings", qrels, a, b, measure, convention, test, seed)
    return _kept(
        key, lambda: robustness.settings(qrels, a, b, measure, convention, test=test, seed=seed)
    )


def intervals(
    qrels: Qrels, a: Run, b: Run, measures: tuple[str, ...], convention: Convention, seed: int
) -> dict[str, pd.DataFrame]:
    """By run, the mean of each measure over the compared queries and its interval."""

    def found() -> dict[str, pd.DataFrame]:
        sides = (score(judged(qrels, run, convention), measures) for run in (a, b))
        return weighing.intervals(align(*sides), measures, seed)

    return _kept(_key("intervals", qrels, a, b, measures, convention, seed), found)


def coverages(dataset: Dataset) -> dict[str, Coverage]:
    """What each run and the qrels have in common."""
    qrels = dataset.qrels
    return {
        run.name: _kept(_key("coverage", qrels, run), partial(coverage, qrels, run))
        for run in dataset.runs
    }


def grades(qrels: Qrels) -> pd.DataFrame:
    """How many judgments have each grade."""
    return _kept(_key("grades", qrels), lambda: counted_grades(qrels))


def findings(dataset: Dataset) -> list[audit.Finding]:
    """What could mislead in a data set."""
    named = [(run.name, run.digest, run.notes) for run in dataset.runs]
    key = _key("findings", dataset.qrels, dataset.qrels.notes, named)
    return _kept(key, lambda: audit.findings(dataset, coverages(dataset)))


def refusal(session: Session, upload: int) -> str:
    """Why the session, once it is saved, could not be opened again; empty when it could."""
    dataset = session.dataset
    tables = (dataset.qrels, *dataset.runs) if dataset else ()
    texts = [getattr(dataset, key).values() for key in TEXTS] if dataset else []
    # The one key without a digest of all content. The refusal depends on sizes, which take 25 ms
    # for 150 MB of texts on each rerun of Data; hashing these takes 260 ms, edits not counted.
    sizes = [(len(of), sum(map(len, of))) for of in texts]
    key = _key("refusal", sizes, places(session.edits), upload, current(), *tables)
    return _kept(key, lambda: _refusal(session, upload))


def _key(what: str, *parts: Any) -> tuple[str, ...]:
    """What a result is made from, as texts: data by their digests, all else as it is written."""
    return what, *(part.digest if isinstance(part, Qrels | Run) else repr(part) for part in parts)


def _kept(key: tuple[str, ...], make: Callable[[], T]) -> T:
    """What ``make`` gives, made once for each key."""
    kept: T = _made(key, make)
    return kept


@st.cache_data(scope="session", max_entries=96, show_spinner="Computing …")
def _made(key: tuple[str, ...], _make: Callable[[], Any]) -> Any:
    """``key`` names what ``_make`` is closed over."""
    return _make()


# What is kept as data is kept as a copy, and each score holds all the rankings it is of.
@st.cache_resource(scope="session", max_entries=32, show_spinner="Computing …")
def _shared(key: tuple[str, ...], _make: Callable[[], Any]) -> Any:
    return _make()


# Runs cannot be changed, and copying one of millions of rows on each use takes a second.
@st.cache_resource(scope="session", max_entries=4, show_spinner="Making the run …")
def _held(key: tuple[str, ...], _make: Callable[[], Any]) -> Any:
    return _make()
