"""Whether two judged runs can be compared: same convention, same queries, same judgments."""

from collections.abc import Iterator, Sequence

import numpy as np

from ..conventions.convention import Convention
from ..matching import JudgedRankings, judgments
from ..scoring.evaluate import Scores
from ..words import count, joined
from .statement import Statement, words

NAMED = 3
"""At most this many queries or judgments are named."""
BASELINE, NEW = "the baseline", "the new run"
"""The two sides in a sentence."""


def differences(baseline: JudgedRankings, new: JudgedRankings) -> tuple[Statement, ...]:
    """Return what makes two judged runs not comparable; empty where they are comparable.

    Kinds: ``"convention"``, ``"queries"``, ``"judgments"``. Judgments of queries that are not
    evaluated do not matter.

    Examples
    --------
    >>> from metrics import Qrels, Run, match
    >>> run = Run.from_dict({"q1": {"x": 1}})
    >>> one, two = (match(Qrels.from_dict({"q1": {"x": grade}}), run) for grade in (1, 2))
    >>> differences(one, one)
    ()
    >>> [found.text() for found in differences(one, two)]
    ['The judgments differ: 1 judgment with another grade (document x of query q1). Match both \
runs with the same qrels.']
    """
    found = (
        _convention(baseline.convention, new.convention),
        _queries(baseline, new),
        _judgments(baseline, new),
    )
    return tuple(each for each in found if each)


def scored_on_one_side(baseline: Scores, new: Scores) -> tuple[Statement, ...]:
    """Return which queries have a score in one run only, or that none has, for each measure.

    Some conventions leave a query with nothing to find out of the mean. If the ideal is that of the
    retrieved documents, a run that finds nothing more would lose the query, and not its score.
    """
    return tuple(_scored(baseline, new))


def _scored(baseline: Scores, new: Scores) -> Iterator[Statement]:
    for measure, ledger in baseline.ledgers.items():
        one, two = (
            {q for q, x in zip(side.judged.queries, of.scores, strict=True) if not np.isnan(x)}
            for side, of in ((baseline, ledger), (new, new.ledgers[measure]))
        )
        if not one | two:
            template = f"No query has a score in {words(measure)}, so there is no mean."
            yield Statement("queries", template, (), {"measure": measure})
        elif one != two:
            order = baseline.judged.queries
            clauses, names = _on_one_side(
                [q for q in order if q in one - two], [q for q in order if q in two - one], "scores"
            )
            template = (
                f"{words(measure)} is a mean over other queries: {clauses}. Choose a convention "
                "that scores every query, with undefined=zero."
            )
            yield Statement("queries", template, names, {"measure": measure})


def _convention(baseline: Convention, new: Convention) -> Statement | None:
    changed = new.differences(other=baseline)
    if not changed:
        return None
    sides = (baseline.sentences(), new.sentences())
    clauses = [
        # The sentence begins with the choice, which is not repeated for the other side.
        f"{sides[0][name]} in {BASELINE}, {sides[1][name].partition(': ')[2]} in {NEW}"
        for name in changed
    ]
    fix = " ".join(f"--set {name}={getattr(baseline, name)}" for name in changed)
    template = words(
        f"The conventions differ: {'; '.join(clauses)}. Match both runs under one convention, such "
        f"as that of {BASELINE}: {fix}."
    )
    return Statement("convention", template, (), {name: getattr(new, name) for name in changed})


def _queries(baseline: JudgedRankings, new: JudgedRankings) -> Statement | None:
    one, two = set(baseline.queries), set(new.queries)
    if one == two:
        if one:
            return None
        return Statement("queries", "Neither run has an evaluated query, so there is no mean.")
    only = [q for q in baseline.queries if q not in two], [q for q in new.queries if q not in one]
    clauses, names = _on_one_side(*only, "evaluates")
    template = (
        f"The means are over other queries: {clauses}. Complete the run, or match both runs with "
        "--set queries=qrels, which counts a missing query as 0."
    )
    facts = {"only_in_baseline": len(only[0]), "only_in_new": len(only[1])}
    return Statement("queries", template, names, facts)


def _on_one_side(
    baseline: Sequence[str], new: Sequence[str], verb: str
) -> tuple[str, tuple[str, ...]]:
    """Return which queries only one side has, as a template and its names."""
    clauses: list[str] = []
    names: tuple[str, ...] = ()
    for side, queries in ((BASELINE, baseline), (NEW, new)):
        if queries:
            shown = tuple(queries[:NAMED])
            more = ", …" if len(queries) > NAMED else ""
            number = count(len(queries), "query", "queries")
            clauses.append(f"only {side} {verb} {number} ({', '.join('{}' for _ in shown)}{more})")
            names += shown
    return joined(clauses), names


def _judgments(baseline: JudgedRankings, new: JudgedRankings) -> Statement | None:
    """Return how the judgments of the queries that both evaluate differ."""
    shared = set(baseline.queries) & set(new.queries)
    one, two = (rankings.qrels.only(*shared) for rankings in (baseline, new))
    found = judgments.differences(one, two)
    if not found:
        return None
    clauses: list[str] = []
    names: tuple[str, ...] = ()
    for what, pairs in found.kinds(BASELINE, NEW).items():
        shown = pairs[:NAMED]
        each = ", ".join("document {} of query {}" for _ in shown)
        more = ", …" if len(pairs) > NAMED else ""
        clauses.append(f"{what} ({each}{more})")
        names += tuple(name for query, document in shown for name in (document, query))
    facts = {
        "only_in_baseline": len(found.only_a),
        "only_in_new": len(found.only_b),
        "changed": len(found.changed),
    }
    template = f"The judgments differ: {joined(clauses)}. Match both runs with the same qrels."
    return Statement("judgments", template, names, facts)
