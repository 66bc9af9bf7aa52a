"""Results cached within a session, keyed by the digests of their inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import pandas as pd
import streamlit as st

from metrics import Comparison, Convention, Dataset, Measure, Qrels, Run, Scores, deciding, judge
from metrics.auditing import audit
from metrics.auditing.coverage import Coverage, coverage
from metrics.auditing.coverage import grades as counted_grades
from metrics.auditing.id_mismatch import Mend, for_documents
from metrics.comparing import evidence as weighing
from metrics.comparing import robustness, similarity
from metrics.comparing.comparison import Summary, align
from metrics.comparing.decisive_labels import DecisiveLabels
from metrics.comparing.decisive_labels import decisive_labels as deciding_labels
from metrics.comparing.evidence import PairedTest
from metrics.comparing.fusion import VIRTUAL, Fusion
from metrics.comparing.largest_changes import largest_changes
from metrics.comparing.leaderboard import Leaderboard, leaderboard
from metrics.comparing.one_query import OneQuery, one_query
from metrics.deciding import Verdict
from metrics.editing.changed_grades import with_grades
from metrics.editing.hand_ranking import HandRanking
from metrics.judging.judged import JudgedRankings, Rankings
from metrics.limits import current
from metrics.scoring.evaluate import score
from metrics.sessions.edit_tables import places
from metrics.sessions.session_file import Session
from metrics.sessions.session_file import refusal as _refusal

from .waiting import cache_spinner

T = TypeVar("T")


def original(qrels: Qrels, run: Run, query: str, convention: Convention) -> HandRanking:
    """Return one query's ranking from the run, in the order in which the convention scores it."""
    # Cached, because cutting one query out of a large run scans all its rows. No other choice of
    # the convention affects the order.
    key = key_of("original", qrels, run, query, convention.ties, convention.scores)
    found: HandRanking = shared(key, lambda: HandRanking.from_run(qrels, run, query, convention))
    return found


def graded(qrels: Qrels, changed: Mapping[str, Mapping[str, float | None]]) -> Qrels:
    """Return qrels with grades that were changed by hand, by query."""
    # The digest leaves out the name, the notes and the judges' reasons.
    reasons = sum(map(len, qrels.reasons.values()))
    key = key_of("graded", qrels, qrels.name, qrels.notes, reasons, changed)
    found: Qrels = shared(key, lambda: with_grades(qrels, changed))
    return found


def judged(qrels: Qrels, run: Rankings, convention: Convention) -> JudgedRankings:
    """Return one run's rankings with their grades, from which every measure is computed."""
    key = key_of("judged", qrels, run, convention)
    found: JudgedRankings = shared(key, lambda: judge(qrels, run, convention))
    return found


def scored(qrels: Qrels, run: Rankings, measure: str, convention: Convention) -> Scores:
    """Return one run's scores under a convention."""
    key = key_of("scored", qrels, run, measure, convention)
    found: Scores = shared(key, lambda: score(judged(qrels, run, convention), [measure]))
    return found


def compared(
    qrels: Qrels, a: Rankings, b: Rankings, measure: str, convention: Convention
) -> Comparison:
    """Return the comparison of two runs by one measure under a convention."""
    return align(*(scored(qrels, run, measure, convention) for run in (a, b)))


def evidence(
    qrels: Qrels,
    a: Rankings,
    b: Rankings,
    measure: str,
    convention: Convention,
    paired_test: PairedTest,
) -> weighing.Evidence:
    """Return the evidence of one measure about two runs."""

    def make() -> weighing.Evidence:
        comparison = compared(qrels, a, b, measure, convention)
        return weighing.uncorrected(comparison, measure, paired_test)

    return kept(key_of("evidence", qrels, a, b, measure, convention, paired_test), make)


def tested(
    qrels: Qrels,
    a: Rankings,
    b: Rankings,
    measures: tuple[str, ...],
    convention: Convention,
    paired_test: PairedTest,
) -> dict[str, weighing.Evidence]:
    """Return the evidence of each measure, the primary one first."""
    return weighing.primary_first(
        {name: evidence(qrels, a, b, name, convention, paired_test) for name in measures}
    )


def mend(run: Run, qrels: Qrels) -> Mend | None:
    """Return a change after which a run's document ids match the qrels, if there is one."""
    return kept(key_of("mend", run, qrels), lambda: for_documents(run, qrels))


def verdict(
    qrels: Qrels,
    a: Rankings,
    b: Rankings,
    rows: Mapping[str, weighing.Evidence],
    convention: Convention,
    paired_test: PairedTest,
) -> Verdict:
    """Return the verdict by the first measure of the evidence."""
    names = (a.name, b.name), tuple(rows)
    key = key_of("verdict", qrels, a, b, names, convention, paired_test)

    def make() -> Verdict:
        comparison = compared(qrels, a, b, next(iter(rows)), convention)
        return deciding.verdict(qrels, a, b, comparison, rows, paired_test, mend)

    return kept(key, make)


def changes(
    qrels: Qrels,
    a: Rankings,
    b: Rankings,
    measure: str,
    convention: Convention,
    sign: int,
    most: int,
    tie: float,
) -> pd.DataFrame:
    """Return the queries that change most in one direction."""
    key = key_of("changes", qrels, a, b, measure, convention, sign, most, tie)

    def make() -> pd.DataFrame:
        comparison = compared(qrels, a, b, measure, convention)
        return largest_changes(comparison, measure, sign, most, tie)

    return kept(key, make)


def summaries(
    qrels: Qrels, a: Rankings, b: Rankings, measures: tuple[str, ...], convention: Convention
) -> dict[str, Summary]:
    """Return both runs' means, by measure."""

    def make() -> dict[str, Summary]:
        sides = (score(judged(qrels, run, convention), measures) for run in (a, b))
        comparison = align(*sides)
        return {name: comparison.summary(name) for name in measures}

    return kept(key_of("summaries", qrels, a, b, measures, convention), make)


def groups(
    dataset: Dataset,
    a: Rankings,
    b: Rankings,
    measure: str,
    convention: Convention,
    paired_test: PairedTest,
) -> dict[str, weighing.Evidence]:
    """Return a measure's evidence in each group of queries."""
    of_query = dict(dataset.query_groups)
    key = key_of("groups", dataset.qrels, a, b, measure, convention, paired_test, of_query)

    def make() -> dict[str, weighing.Evidence]:
        comparison = compared(dataset.qrels, a, b, measure, convention)
        return weighing.by_group(comparison, measure, of_query, paired_test)

    return kept(key, make)


def overlaps(a: Run, b: Run, depth: int, convention: Convention) -> pd.Series[int]:
    """Return how many documents the tops of both runs share, by query."""
    key = key_of("overlaps", a, b, depth, convention)
    return kept(key, lambda: similarity.overlaps(a, b, depth, convention))


def decisive_labels(
    comparison: Comparison, two: tuple[Rankings, Rankings], measure: str, steps: int | None
) -> DecisiveLabels | None:
    """Return the fewest changed labels that turn the winner; None: too many to try."""
    qrels, convention = comparison.a.judged.qrels, comparison.a.convention
    key = key_of("decisive_labels", qrels, *two, measure, convention, steps)
    return kept(key, lambda: deciding_labels(comparison, measure, two, steps))


def in_common(a: Run, b: Run, depth: int, convention: Convention) -> tuple[pd.DataFrame, int]:
    """Return what two runs have in common, by query, and how many documents their tops have."""

    def make() -> tuple[pd.DataFrame, int]:
        common = similarity.in_common(a, b, depth, convention)
        return common, similarity.pooled((a, b), depth, convention)

    return kept(key_of("in_common", a, b, depth, convention), make)


def of_query(
    kind: Callable[[OneQuery], T],
    qrels: Qrels,
    a: Rankings,
    b: Rankings,
    measure: Measure,
    query: str,
    convention: Convention,
) -> T:
    """Return one query of two runs as an object that makes each part of what is shown once.

    ``kind``: the object's class, whose parts depend on nothing but the query of the two runs.
    """
    # The digests leave out names, notes and the judges' reasons, which its rankings keep.
    named = [(each.name, each.tag, each.notes) for each in (qrels, a, b)]
    reasons = qrels.reasons.get(query)
    key = key_of("of_query", kind, qrels, a, b, named, reasons, measure, query, convention)
    found: T = _opened(key, lambda: kind(one_query(qrels, a, b, measure, query, convention)))
    return found


def document_totals(
    qrels: Qrels, a: Rankings, b: Rankings, measure: str, convention: Convention
) -> pd.DataFrame:
    """Return each document's contribution over all queries."""
    key = key_of("documents", qrels, a, b, measure, convention)
    return kept(key, lambda: compared(qrels, a, b, measure, convention).document_totals(measure))


def standings(
    qrels: Qrels,
    runs: Mapping[str, Rankings],
    measures: tuple[str, ...],
    convention: Convention,
    paired_test: PairedTest,
) -> Leaderboard:
    """Return the leaderboard of several runs, under these names."""
    digests = {name: _digest(run) for name, run in runs.items()}

    def make() -> Leaderboard:
        scores = {
            name: score(judged(qrels, run, convention), measures) for name, run in runs.items()
        }
        return leaderboard(scores, measures, paired_test)

    return kept(key_of("standings", qrels, digests, measures, convention, paired_test), make)


def virtual(key: str, dataset: Dataset, convention: Convention, fusion: Fusion) -> Run:
    """Return a run made from the other runs or from the qrels."""
    named = [(run.name, run.digest) for run in dataset.runs]
    made: Run = _held(
        key_of("virtual", key, dataset.qrels, named, convention.ties, convention.scores, fusion),
        lambda: VIRTUAL[key].make(dataset.qrels, dataset.runs, convention, fusion),
    )
    return made


def cut(dataset: Dataset, queries: tuple[str, ...], part: str) -> Dataset:
    """Return the data set cut to these queries; ``part`` says which they are."""
    named = _named(dataset)
    key = key_of("cut", dataset.qrels, dataset.qrels.notes, named, queries)
    held: Dataset = _cut(key, lambda: dataset.only(queries))
    qrels = held.qrels
    # Titles, texts and groups are not in the key, and neither are the judges' reasons.
    if qrels.reasons is not dataset.qrels.reasons:
        qrels = replace(qrels, reasons=dataset.qrels.reasons)
    return replace(dataset, qrels=qrels, runs=held.runs, judged=held.judged, part=part)


def settings(
    qrels: Qrels,
    a: Rankings,
    b: Rankings,
    measure: Measure,
    convention: Convention,
    paired_test: PairedTest,
) -> list[robustness.Setting]:
    """Return the comparison of two runs in every setting."""
    test, seed = paired_test.test, paired_test.seed

    def make() -> list[robustness.Setting]:
        return robustness.settings(qrels, a, b, measure, convention, test=test, seed=seed)

    return kept(key_of("settings", qrels, a, b, measure, convention, test, seed), make)


def intervals(
    qrels: Qrels, a: Rankings, b: Rankings, measures: tuple[str, ...], convention: Convention
) -> dict[str, pd.DataFrame]:
    """Return each measure's mean over the compared queries and its interval, by run."""

    def make() -> dict[str, pd.DataFrame]:
        sides = (score(judged(qrels, run, convention), measures) for run in (a, b))
        return weighing.intervals(align(*sides), measures)

    return kept(key_of("intervals", qrels, a, b, measures, convention), make)


def coverages(dataset: Dataset) -> dict[str, Coverage]:
    """Return how the qrels cover each run."""
    qrels = dataset.qrels
    return {
        run.name: kept(key_of("coverage", qrels, run), partial(coverage, qrels, run))
        for run in dataset.rankings
    }


def grades(qrels: Qrels) -> pd.DataFrame:
    """Return the number of judgments with each grade."""
    return kept(key_of("grades", qrels), lambda: counted_grades(qrels))


def findings(dataset: Dataset) -> list[audit.Finding]:
    """Return the audit's findings about a data set."""
    named = _named(dataset)
    key = key_of("findings", dataset.qrels, dataset.qrels.notes, named)
    return kept(key, lambda: audit.findings(dataset, coverages(dataset)))


def refusal(session: Session, upload: int) -> str:
    """Return why a saved file of this session could not be opened; empty if it could."""
    dataset = session.dataset
    tables = (dataset.qrels, *dataset.rankings) if dataset else ()
    texts = [*dataset.texts(), *dataset.qrels.reasons.values()] if dataset else []
    # The only key without a digest of all content. The refusal depends on sizes, which take 25 ms
    # for 150 MB of texts on each rerun of Data; a digest of the texts takes 260 ms.
    sizes = [(len(of), sum(map(len, of.values()))) for of in texts]
    key = key_of("refusal", sizes, places(session.edits), upload, current(), *tables)
    return kept(key, lambda: _refusal(session, upload))


def key_of(what: str, *parts: Any) -> tuple[str, ...]:
    """Return a result's inputs as texts: digests of data, and the ``repr`` of everything else."""
    known = Qrels | Rankings
    return what, *(_digest(part) if isinstance(part, known) else repr(part) for part in parts)


def _digest(data: Qrels | Rankings) -> str:
    """Return a hash of all that a result can depend on."""
    return data.content if isinstance(data, JudgedRankings) else data.digest


def same(a: Rankings, b: Rankings) -> bool:
    """Return whether two rankings have the same rows."""
    return _digest(a) == _digest(b)


def _named(dataset: Dataset) -> list[tuple[object, ...]]:
    return [(each.name, _digest(each), each.notes) for each in dataset.rankings]


def kept(key: tuple[str, ...], make: Callable[[], T]) -> T:
    """Return the result of ``make``, which is called once for each key."""
    made: T = _made(key, make)
    return made


@st.cache_data(scope="session", max_entries=96, show_spinner=cache_spinner("Computing …"))
def _made(key: tuple[str, ...], _make: Callable[[], Any]) -> Any:
    """Return the result of ``_make``; ``key`` names all inputs that it closes over."""
    return _make()


# Not cache_data, which copies: each score holds all the rankings behind it.
@st.cache_resource(scope="session", max_entries=32, show_spinner=cache_spinner("Computing …"))
def shared(key: tuple[str, ...], _make: Callable[[], Any]) -> Any:
    return _make()


# Not cache_data: a copy of a chart is checked by plotly anew, which takes as long as making it.
@st.cache_resource(scope="session", max_entries=8, show_spinner=False)
def _opened(key: tuple[str, ...], _make: Callable[[], Any]) -> Any:
    return _make()


# Not cache_data: runs are immutable, and a copy of millions of rows takes a second per use.
@st.cache_resource(scope="session", max_entries=4, show_spinner=cache_spinner("Making the run …"))
def _held(key: tuple[str, ...], _make: Callable[[], Any]) -> Any:
    return _make()


# Only the last one, which can be as large as the data: cutting 7 million rows takes 0.1 seconds.
@st.cache_resource(scope="session", max_entries=1, show_spinner=cache_spinner("Filtering …"))
def _cut(key: tuple[str, ...], _make: Callable[[], Any]) -> Any:
    return _make()
