"""Notes on stderr: what was assumed in reading, what does not match, and what is not judged."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import compress

import numpy as np

from ..agreement.corrected import CorrectedPairing
from ..auditing.audit import FRAGMENT, few_judged
from ..auditing.coverage import ENOUGH
from ..auditing.id_mismatch import Mend, for_queries
from ..data import Pairs
from ..defaults import DEPTH
from ..matching import JudgedRankings
from ..measures import Measure
from ..scoring.evaluate import Scores
from ..scoring.naming import of_name, parse
from ..words import count, listed, p_is
from .files import name_of
from .options import use_fix

_DOUBTFUL = 0.5
"""Below this judged share the ids may not match, which `rankscope audit` checks."""


def of_reading(path: str, pairs: Pairs | JudgedRankings) -> list[str]:
    """Return what was assumed while reading a file."""
    return [f"{name_of(path)}: {note}" for note in pairs.notes]


def of_names(measures: Iterable[str]) -> list[str]:
    """Return which measures are meant by names of their means, such as MRR."""
    return [text for text in map(of_name, measures) if text]


def depth(measures: Iterable[Measure]) -> int:
    """Return the cutoff of the first measure."""
    return next((measure.cutoff for measure in measures), None) or DEPTH


def of_run(
    title: str, scores: Scores, k: int = DEPTH, ids: Callable[[], Mend | None] | None = None
) -> list[str]:
    """Return what was assumed while reading a run, and what makes its scores doubtful.

    ``k`` is the depth to which unjudged documents and equal scores are counted. ``ids`` finds a
    change of document ids; it is None where the run was not kept as a whole.
    """
    texts = [
        *map(str, scores.judged.notes),
        *_queries(scores.judged),
        *_left_out(scores),
        *_top(scores.judged, k, ids),
    ]
    return [f"{title}: {text}" for text in texts]


def offer(mend: Mend | None) -> str:
    """Return the sentences about a change of ids; empty without one."""
    advice = use_fix(mend)
    return f" The {mend}.{f' {advice}' if advice else ''}" if mend else ""


def of_weights(weights: Mapping[str, Mapping[str, float]], queries: Iterable[str]) -> Iterator[str]:
    """Return the queries without a weight, by the name of the weights."""
    evaluated = tuple(queries)
    for by, of in weights.items():
        if without := tuple(query for query in evaluated if query not in of):
            yield f"queries without a weight are left out of the mean by {by}: {_first(without)}."


def of_human(name: str, found: CorrectedPairing) -> Iterator[str]:
    """Return which of a person's queries correct nothing, and whether they hardly were drawn."""
    if found.incomplete:
        yield (
            f"{name}: queries in which it lacks documents that the model graded correct nothing: "
            f"{_first(tuple(found.incomplete))}."
        )
    if found.is_unlike:
        yield (
            f"{name}: its queries hardly were drawn at random, since the model's scores of them "
            f"differ from those of the others ({p_is(found.unlike)}). The correction is unbiased "
            "only for a random draw."
        )


def _queries(rankings: JudgedRankings) -> Iterator[str]:
    """Return the queries that are on one side only."""
    missing, unknown = rankings.missing_from_run, rankings.missing_from_qrels
    if missing:
        counted = rankings.convention.queries == "qrels"
        fate = "count as 0" if counted else "are left out of the mean"
        yield f"judged queries that it lacks {fate}: {_first(missing)}."
    if unknown:
        mend = for_queries(unknown, missing)
        yield f"queries that nobody judged are left out: {_first(unknown)}.{offer(mend)}"


def _left_out(scores: Scores) -> Iterator[str]:
    """Return the queries without a score, with the measures in which they have none."""
    left: dict[tuple[str, ...], list[str]] = {}
    for name, ledger in scores.ledgers.items():
        queries = tuple(compress(scores.judged.queries, np.isnan(ledger.scores)))
        if queries:
            left.setdefault(queries, []).append(name)
    for queries, names in left.items():
        yield f"queries with nothing to find are left out of {', '.join(names)}: {_first(queries)}."


def _top(rankings: JudgedRankings, k: int, ids: Callable[[], Mend | None] | None) -> Iterator[str]:
    """Return the share of unjudged documents in the top k, and ties across rank k."""
    top = np.minimum(rankings.retrieved, k)
    if rankings.retrieved.sum() < FRAGMENT:
        return
    judged = np.nan_to_num(parse(f"Judged@{k}").ledger(rankings).scores)
    share = float(np.average(judged, weights=top))
    if share < ENOUGH:
        check = " rankscope audit checks whether ids differ." if share < _DOUBTFUL else ""
        mend = ids() if ids else None
        # As in the audit, only a certain reason is reported where some ids match.
        sure = offer(mend) if mend and mend.is_sure else ""
        yield few_judged(int(top.max()), share) + (sure if ids else check)
    hits = rankings.hits
    across = hits.query[(hits.first <= k) & (k < hits.last) & ~np.isnan(hits.grade)]
    if len(across):
        where = count(len(np.unique(across)), "query", "queries")
        yield f"in {where} a judged document ties across rank {k}: the tie rule decides."


def _first(queries: tuple[str, ...]) -> str:
    """Return how many queries there are, and the first of them."""
    return f"{len(queries)} ({listed(queries)})"
