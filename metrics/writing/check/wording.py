"""The sentences of a check."""

from collections.abc import Sequence

from ...comparing.significance import TESTS
from ...deciding.regression import (
    Check,
    DocumentChange,
    HeldQuery,
    MeasureCheck,
    Place,
    QueryChange,
    Rule,
    Ruling,
)
from ...deciding.statement import Statement, words
from ...defaults import TEST
from ...words import joined, number, p_is, signed
from ..table import as_integer, shown

NEVER = "Nothing was compared."


def rule(of: Rule) -> str:
    """Return the rule in a sentence's part.

    Examples
    --------
    >>> rule(Rule()), rule(Rule(alpha=1, max_drop=0))
    ('a drop of more than 0.01 with p below 0.05 fails', 'a drop of more than 0 fails')
    """
    tested = f" with p below {of.alpha:g}" if of.tests else ""
    return f"a drop of more than {of.max_drop:g}{tested} fails"


def tested_by(of: Check) -> str:
    """Return which test gives the p-values."""
    holm = f"; Holm over the {len(of.measures)} measures" if len(of.measures) > 1 else ""
    title = TESTS[TEST].title
    ignored = "" if of.rule.tests else "; not used, because alpha is 1"
    return f"{title}, two-sided{holm}; seed {of.rule.seed}{ignored}"


def verdict(of: Check) -> Statement:
    """Return the answer in a sentence.

    Examples
    --------
    >>> from metrics import Qrels, Run, match
    >>> from metrics.deciding.regression import check
    >>> qrels = Qrels.from_dict({f"q{i}": {"x": 1} for i in range(8)})
    >>> run = match(qrels, Run.from_dict({query: {"x": 1} for query in qrels.queries}))
    >>> verdict(check(run, run, ["RR", "AP"])).text()
    'No regression: RR and AP hold.'
    """
    if of.outcome is Ruling.NOT_COMPARABLE:
        return Statement("result", f"Not comparable. {NEVER}")
    failed = [each for each in of.measures if each.finding is Ruling.REGRESSION]
    dropped = [each.query for each in of.held if each.finding is Ruling.REGRESSION]
    if of.outcome is Ruling.CANNOT_TELL:
        open_ = [words(each.measure) for each in of.measures if each.finding is Ruling.CANNOT_TELL]
        names = tuple(each.query for each in of.held if each.finding is Ruling.CANNOT_TELL)
        open_ += ["{}"] * len(names)
        what = f"documents without a grade decide whether {joined(open_)} {_holds(open_)}"
        return Statement("result", f"Cannot tell: {what}.", names)
    if of.outcome is Ruling.REGRESSION:
        clauses = [f"{words(each.measure)} drops by {_size(each)}" for each in failed]
        if len(dropped) == 1:
            clauses.append("{}, a query that must hold, drops")
        elif dropped:
            clauses.append(f"{len(dropped):,} queries that must hold drop")
        names = tuple(dropped) if len(dropped) == 1 else ()
        return Statement("result", f"Regression: {joined(clauses)}.", names)
    holds = [words(each.measure) for each in of.measures if each.finding is Ruling.HOLDS]
    clauses = [f"{joined(holds)} {_holds(holds)}"] if holds else []
    clauses += [
        f"{words(each.measure)} drops by {_size(each)}, which may be chance"
        for each in of.measures
        if each.finding is Ruling.CHANCE
    ]
    return Statement("result", f"No regression: {'; '.join(clauses)}.")


def of_measure(found: MeasureCheck, under: Rule) -> Statement:
    """Return what was found for one measure."""
    row = found.evidence
    means = f"{number(row.mean_a)} → {number(row.mean_b)} ({signed(row.delta)})"
    tested = f"{p_is(row.corrected)}, {{}} {under.alpha:g}" if under.tests else "not tested"
    limit = f"{under.max_drop:g}"
    tails = {
        Ruling.HOLDS: f"A drop of up to {limit} is allowed." if row.delta < 0 else "",
        Ruling.CHANCE: f"More than {limit}, but it may be chance ({tested.format('not below')}).",
        Ruling.REGRESSION: f"More than {limit} ({tested.format('below')}).",
        Ruling.CANNOT_TELL: f"With unjudged documents {_counted(found)}.",
    }
    texts = {
        Ruling.HOLDS: "holds",
        Ruling.CHANCE: "drops",
        Ruling.REGRESSION: "regresses",
        Ruling.CANNOT_TELL: "is not decided",
    }
    sentence = f"{found.measure} {texts[found.finding]}: {means}. {tails[found.finding]}"
    return Statement("measure", words(sentence.strip()))


def of_held(query: HeldQuery) -> Statement:
    """Return whether a query that must hold does."""
    if query.finding is Ruling.HOLDS:
        return Statement("held", "Query {} holds.", (query.query,))
    told = query.drops or query.changes
    clauses = "; ".join(f"{words(each.measure)} {_scores(each)}" for each in told)
    what = f"must hold and drops: {clauses}"
    if query.finding is Ruling.CANNOT_TELL:
        what = f"must hold, and documents without a grade decide whether it does: {clauses}"
    return Statement("held", f"Query {{}} {what}.", (query.query,))


def of_query(change: QueryChange) -> Statement:
    """Return the change of a query's score."""
    template = f"Query {{}}: {words(change.measure)} {_scores(change)}"
    return Statement("query", template, (change.query,))


def of_document(change: DocumentChange) -> Statement:
    """Return the change of one document: from which rank to which, and its cost.

    Examples
    --------
    >>> moved = Place(1, {"gain": 3.0}, 0.75), Place(30, {}, 0.0)
    >>> of_document(DocumentChange("d1", True, 3.0, *moved, -0.75)).text()
    'Document d1 (grade 3) costs 0.7500: from rank 1 to rank 30, where it earns nothing.'
    """
    cost = number(-change.delta)
    if not change.is_ranked:
        return Statement("document", f"The part {{}} costs {cost}.", (change.document,))
    earns = "" if change.new.contribution else ", where it earns nothing"
    grade = shown(as_integer(change.grade))
    places = f"from {_rank(change.baseline)} to {_rank(change.new)}"
    if change.new.rank is None:
        places = f"from {_rank(change.baseline)} to not retrieved"
        earns = ""
    template = f"Document {{}} (grade {grade}) costs {cost}: {places}{earns}."
    return Statement("document", template, (change.document,))


def _rank(place: Place) -> str:
    return "not retrieved" if place.rank is None else f"rank {place.rank:,}"


def _scores(change: QueryChange) -> str:
    return f"{number(change.baseline)} → {number(change.new)} ({signed(change.delta)})"


def _holds(names: Sequence[str]) -> str:
    return "hold" if len(names) > 1 else "holds"


def _counted(found: MeasureCheck) -> str:
    """Return what each other count of unjudged documents finds."""
    ways = found.otherwise.items()
    return "; ".join(f"{way}: {signed(row.delta)} ({p_is(row.corrected)})" for way, row in ways)


def _size(found: MeasureCheck) -> str:
    return number(-found.evidence.delta)


def unjudged(of: Check) -> str:
    """Return the unjudged shares of both runs."""
    a, b = (f"{100 * share:.1f} %" for share in of.unjudged())
    return f"{a} of the baseline, {b} of the new run"
