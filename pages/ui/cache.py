"""Results cached within a session, keyed by the digests of their inputs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar

import pandas as pd
import streamlit as st

from metrics import (
    Agreement,
    Convention,
    Dataset,
    Measure,
    Pairing,
    Qrels,
    Run,
    Scores,
    cohen_kappa,
    confusion,
    krippendorff_alpha,
    majority,
)
from metrics.agreement import corrected as correction
from metrics.agreement import judge_noise, percent_agreement, side_by_side, what_counts
from metrics.auditing import audit
from metrics.auditing.coverage import Coverage, coverage
from metrics.auditing.coverage import grades as counted_grades
from metrics.comparing import PairedTest, evidence
from metrics.editing import HandRanking, changed_grades
from metrics.limits import current
from metrics.matching import Rankings
from metrics.memory import Key, key_of
from metrics.sessions import Session, session_file

from .show import cache_spinner

T = TypeVar("T")

IDEAL = "Ideal"
"""The name of the ideal ranking; in links, where it is a run, in small letters."""


def pairing(
    qrels: Qrels,
    runs: tuple[Rankings, ...],
    measures: tuple[Measure, ...],
    convention: Convention,
    test: PairedTest = evidence.DEFAULT,
    weights: Mapping[str, Mapping[str, float]] = MappingProxyType({}),
) -> Pairing:
    """Return runs under one set of choices; this session remembers each of its parts."""
    return Pairing(qrels, runs, measures, convention, test, remember, weights)


def scored(qrels: Qrels, run: Rankings, measure: Measure, convention: Convention) -> Scores:
    """Return one run's scores under a convention."""
    return pairing(qrels, (run,), (measure,), convention).scored(run)


def remember(key: Key, make: Callable[[], T]) -> T:
    """Return a part of a pairing, which is made once for each key."""
    found: T = _PLACES.get(key[0], cached)(key, make)
    return found


def original(qrels: Qrels, run: Run, query: str, convention: Convention) -> HandRanking:
    """Return one query's ranking from the run, in the order in which the convention scores it."""
    # Cached, because cutting one query out of a large run scans all its rows. No other choice of
    # the convention affects the order.
    key = key_of("original", qrels, run, query, convention.ties, convention.scores)
    found: HandRanking = shared(key, lambda: HandRanking.from_run(qrels, run, query, convention))
    return found


def graded(qrels: Qrels, changed: Mapping[str, Mapping[str, float | None]]) -> Qrels:
    """Return qrels with grades that were changed by hand, by query."""
    make = partial(changed_grades.with_grades, qrels, changed)
    found: Qrels = shared(key_of("graded", qrels, changed), make)
    return found


def compared(dataset: Dataset) -> dict[str, Rankings]:
    """Return what can be compared, by its key in links: the data's rankings, and the ideal one."""
    own: dict[str, Rankings] = {run.name: run for run in dataset.rankings}
    qrels = dataset.qrels
    # A run of the user takes precedence over the ideal ranking of the same name.
    if not dataset.is_judged or not own.keys().isdisjoint({IDEAL, IDEAL.lower()}):
        return own
    ideal = Run(qrels.queries, qrels.query, qrels.document, qrels.value, name=IDEAL)
    return own | {IDEAL.lower(): _held(key_of("ideal", qrels), lambda: ideal)}


def cut(dataset: Dataset, queries: tuple[str, ...], part: str) -> Dataset:
    """Return the data set cut to these queries; ``part`` says which they are."""
    key = key_of("cut", dataset.qrels, *dataset.rankings, queries)
    held: Dataset = _cut(key, lambda: dataset.only(queries))
    # Titles, texts and attributes are not in the key.
    return replace(dataset, qrels=held.qrels, runs=held.runs, judged=held.judged, part=part)


def coverages(dataset: Dataset) -> dict[str, Coverage]:
    """Return how the qrels cover each run."""
    qrels = dataset.qrels
    return {
        run.name: cached(key_of("coverage", qrels, run), partial(coverage, qrels, run))
        for run in dataset.rankings
    }


def grades(qrels: Qrels) -> pd.DataFrame:
    """Return the number of judgments with each grade."""
    return cached(key_of("grades", qrels), lambda: counted_grades(qrels))


def findings(dataset: Dataset) -> list[audit.Finding]:
    """Return the audit's findings about a data set."""
    key = key_of("findings", dataset.qrels, *dataset.rankings, dataset.query_attributes)
    return cached(key, lambda: audit.findings(dataset, coverages(dataset)))


def refusal(session: Session, upload: int) -> str:
    """Return why a saved file of this session could not be opened; empty if it could."""
    dataset = session.dataset
    pairs = (dataset.qrels, *dataset.rankings) if dataset else ()
    texts = [*dataset.texts(), *dataset.qrels.reasons.values()] if dataset else []
    # The only key without a digest of all content. The refusal depends on sizes, which take 25 ms
    # for 150 MB of texts on each rerun of Data; a digest of the texts takes 260 ms.
    sizes = [(len(of), sum(map(len, of.values()))) for of in texts]
    places = [len(step.entries) for of in session.edits.values() for step in of.steps]
    key = key_of("refusal", sizes, sum(places), upload, current(), *pairs)
    return cached(key, lambda: session_file.refusal(session, upload))


def cached(key: Key, make: Callable[[], T]) -> T:
    """Return the result of ``make``, which is called once for each key."""
    made: T = _made(key, make)
    return made


@st.cache_data(scope="session", max_entries=96, show_spinner=cache_spinner("Computing …"))
def _made(key: Key, _make: Callable[[], Any]) -> Any:
    """Return the result of ``_make``; ``key`` names all inputs that it closes over."""
    return _make()


# Not cache_data, which copies: each score holds all the rankings behind it.
@st.cache_resource(scope="session", max_entries=32, show_spinner=cache_spinner("Computing …"))
def shared(key: Key, _make: Callable[[], Any]) -> Any:
    return _make()


# Not cache_data: a copy of a chart is checked by plotly anew, which takes as long as making it.
@st.cache_resource(scope="session", max_entries=48, show_spinner=False)
def _opened(key: Key, _make: Callable[[], Any]) -> Any:
    return _make()


# Not cache_data: runs are immutable, and a copy of millions of rows takes a second per use.
@st.cache_resource(scope="session", max_entries=4, show_spinner=cache_spinner("Making the run …"))
def _held(key: Key, _make: Callable[[], Any]) -> Any:
    return _make()


# Only the last one, which can be as large as the data: cutting 7 million rows takes 0.1 seconds.
@st.cache_resource(scope="session", max_entries=1, show_spinner=cache_spinner("Filtering …"))
def _cut(key: Key, _make: Callable[[], Any]) -> Any:
    return _make()


_PLACES: dict[str, Callable[[Key, Callable[[], Any]], Any]] = {
    "judged": shared,
    "scored": shared,
    "one": _opened,
    "of_query": _opened,
}
"""Where the parts of a pairing are that are not copied, by what they are."""


MOST_LISTED = 200
"""At most this many documents are listed."""
KAPPAS = {
    "Cohen's kappa": "none",
    "kappa, linear weights": "linear",
    "kappa, quadratic weights": "quadratic",
}
"""The coefficients of two judges, and how each weighs a disagreement."""


def agreement(a: Qrels, b: Qrels) -> dict[str, Agreement]:
    """Return the coefficients of two judges, by their names."""

    def make() -> dict[str, Agreement]:
        kappas = {name: cohen_kappa(a, b, weights) for name, weights in KAPPAS.items()}
        alpha = {"Krippendorff's alpha, ordinal": krippendorff_alpha([a, b])}
        return {"same grade": percent_agreement(a, b), **kappas, **alpha}

    return cached(key_of("agreement", a, b), make)


def alpha(judges: Mapping[str, Qrels]) -> Agreement:
    """Return Krippendorff's alpha of all judges."""
    every = list(judges.values())
    return cached(key_of("alpha", *every), lambda: krippendorff_alpha(every))


def met(a: Qrels, b: Qrels) -> pd.DataFrame:
    """Return how often each grade of A met each grade of B."""
    return cached(key_of("confusion", a, b), lambda: confusion(a, b))


@dataclass(frozen=True)
class BothJudged:
    """The documents that two judges graded.

    Attributes
    ----------
    listed
        Those of each pair of grades, at most `MOST_LISTED`, as `both_judged` returns them.
    higher, lower
        The number of documents to which B gave a higher grade, and a lower one.
    """

    listed: pd.DataFrame
    higher: int
    lower: int


def of_both(a: Qrels, b: Qrels) -> BothJudged:
    """Return the documents with two grades, largest difference first."""

    def make() -> BothJudged:
        found = side_by_side.both_judged(a, b)
        higher, lower = (int((found["difference"] * sign > 0).sum()) for sign in (1, -1))
        return BothJudged(found.groupby(["A", "B"]).head(MOST_LISTED), higher, lower)

    return cached(key_of("both judged", a, b), make)


def counting(judges: Mapping[str, Qrels], rule: str) -> Qrels:
    """Return the grades of several judges that count by a rule."""
    key = key_of("what counts", rule, *judges, *judges.values())
    found: Qrels = shared(key, lambda: what_counts.what_counts(judges, rule))
    return found


def of_most(judges: Mapping[str, Qrels]) -> Qrels:
    """Return the majority of all judges."""
    every = list(judges.values())
    found: Qrels = shared(key_of("majority", *every), lambda: majority(every))
    return found


def noise(
    model: Qrels, person: Qrels, a: Run, b: Run, measure: Measure, convention: Convention
) -> judge_noise.UnderNoise | None:
    """Return the deltas under the model's grades as the person may have given them."""
    key = key_of("noise", model, person, a, b, measure, convention)
    return cached(key, lambda: judge_noise.under_noise(model, person, a, b, measure, convention))


def corrected(
    model: Qrels, person: Qrels, runs: tuple[Run, Run], measure: Measure, convention: Convention
) -> correction.CorrectedPairing:
    """Return the model's means of two runs as the person's grades of some queries correct them."""
    of = model, person, *runs, measure, convention
    return cached(key_of("corrected", *of), lambda: correction.corrected(*of))
