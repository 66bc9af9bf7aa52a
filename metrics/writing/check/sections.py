"""A check as sections of statements, tables and commands."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...comparing.significance import TESTS
from ...deciding.regression import Check, HeldQuery, QueryChange, Ruling
from ...deciding.statement import Statement
from ...defaults import TEST
from ..labels import LABELS
from ..reproduce import Recipe, explain_command
from ..section import Section
from ..table import Cell, Table, as_integer, cell
from . import wording

BASELINE, NEW = "baseline", "new run"
_TITLES = {"delta": "delta new − baseline", "p_holm": "p Holm", "new": NEW}
_LISTED = 50
"""At most this many queries that must hold are listed; the first are those that drop."""
_TO_JUDGE = 20
"""At most this many documents to judge are listed."""


@dataclass(frozen=True)
class Source:
    """Where the two sides of a check come from.

    Attributes
    ----------
    baseline, new
        The paths of the judged files.
    about_baseline, about_new
        Their names, commits and times in a few words.
    qrels
        The path of the judgments, for the commands that show more.
    """

    baseline: str = "BASE"
    new: str = "NEW"
    about_baseline: str = ""
    about_new: str = ""
    qrels: str = "QRELS"

    def commands(self, change: QueryChange, check: Check) -> tuple[str, str]:
        """Return the commands that show all documents of a query, and all lines of its ledger.

        Examples
        --------
        >>> from metrics import TREC_EVAL
        >>> from metrics.deciding.regression import Rule
        >>> check = Check(Rule(), ("RR",), TREC_EVAL)
        >>> for line in Source().commands(QueryChange("q1", "RR", 1.0, 0.5, -0.5), check):
        ...     print(line)
        rankscope compare QRELS BASE NEW -m RR --query=q1
        rankscope explain QRELS NEW -m RR --query=q1
        """
        files, convention = (self.qrels, self.baseline, self.new), check.convention
        return (
            Recipe(files).command([change.measure], convention, query=change.query),
            explain_command(self.qrels, self.new, change.measure, convention, change.query),
        )


def sections(check: Check, source: Source) -> Iterator[Section]:
    """Return the answer, the numbers, the queries that must hold, and each cause."""
    inputs = {
        name: f"{path} ({about})" if about else path
        for name, path, about in (
            (BASELINE, source.baseline, source.about_baseline),
            (NEW, source.new, source.about_new),
        )
    }
    if check.differences:
        table = Table(("", "file"), tuple(inputs.items()))
        yield Section(wording.verdict(check), check.differences, (table,))
        return
    found = tuple(wording.of_measure(each, check.rule) for each in check.measures)
    yield Section(wording.verdict(check), found, (_measures(check, inputs),))
    if check.held:
        yield Section(Statement("heading", "Queries that must hold"), (), (_held(check.held),))
    if check.to_judge:
        yield Section(Statement("heading", "Documents to judge"), (), (_to_judge(check),))
    if check.causes:
        yield Section(Statement("heading", "Queries that drop, and the documents behind it"))
    holds = {each.measure for each in check.measures if each.finding is Ruling.HOLDS}
    held = {each.query for each in check.held}
    for place, change in enumerate(check.causes):
        # A query of a measure that holds is worth a sentence; the first one is the place to look.
        opened = not place or change.measure not in holds or change.query in held
        yield Section(
            wording.of_query(change),
            tuple(map(wording.of_document, change.documents)),
            tuple(document_lines(change)) if opened else (),
            source.commands(change, check) if opened else (),
        )


def _measures(check: Check, inputs: dict[str, str]) -> Table:
    p = "p_holm" if len(check.measures) > 1 else "p"
    columns = ("measure", "queries", BASELINE, "new", "delta", "low", "high", p)
    rows = []
    for each in check.measures:
        row = each.evidence
        rows.append(
            [
                *(each.measure, row.queries, row.mean_a, row.mean_b, row.delta),
                *(row.low, row.high, row.corrected, row.losses, row.wins, each.finding.value),
            ]
        )
    labels: dict[str, Cell] = {
        **inputs,
        "rule": wording.rule(check.rule),
        "low, high": f"95 % interval of the mean delta ({TESTS[TEST].interval.name})",
        "test": wording.tested_by(check),
        f"unjudged in the top {check.depth}": wording.unjudged(check),
        "convention": check.convention.label,
    }
    table = Table.of([*columns, "worse", "better", "finding"], rows)
    return table.saying(labels=labels, titles=_TITLES)


def _held(held: Iterable[HeldQuery]) -> Table:
    """Return the queries that must hold, the largest drop first, then those without one."""
    changes = sorted(
        ((change, query.finding) for query in held for change in query.changes),
        key=lambda each: each[0].delta if each[0].is_drop else 0.0,
    )
    rows = [
        [
            *(each.query, each.measure, each.baseline, each.new, each.delta),
            finding.value
            if finding is Ruling.CANNOT_TELL
            else "drops"
            if each.is_drop
            else "holds",
        ]
        for each, finding in changes[:_LISTED]
    ]
    table = Table.of(["query", "measure", BASELINE, "new", "delta", "finding"], rows)
    more = len(changes) - _LISTED
    labels: dict[str, Cell] = {"not listed": f"{more:,} more"} if more > 0 else {}
    return table.saying(titles=_TITLES, labels=labels)


def _to_judge(check: Check) -> Table:
    """Return the documents whose grades would decide, those of the largest drop first."""
    table = Table.of(["query", "document", "rank"], check.to_judge[:_TO_JUDGE])
    more = len(check.to_judge) - _TO_JUDGE
    return table.saying(labels={"not listed": f"{more:,} more"} if more > 0 else {})


def document_lines(change: QueryChange) -> Iterator[Table]:
    """Return the ledger lines of the documents, the baseline's above the new run's."""
    documents = [each for each in change.documents if each.is_ranked]
    if not documents:
        return
    places = [
        (each, side, place)
        for each in documents
        for side, place in ((BASELINE, each.baseline), (NEW, each.new))
    ]
    working = dict.fromkeys(name for _, _, place in places for name in place.working)
    columns = [_column([place.working.get(name) for _, _, place in places]) for name in working]
    rows = (
        [each.document, side, place.rank, as_integer(each.grade), *numbers, place.contribution]
        for (each, side, place), *numbers in zip(places, *columns, strict=True)
    )
    headers = ["document", "run", "rank", "grade", *working, "contribution"]
    yield Table.of(headers, rows).saying(titles=LABELS)


def _column(values: list[float | None]) -> list[Cell]:
    """Return a column of numbers, as integers where all are whole, as grades and gains are."""
    cells = [cell(value) for value in values]
    numbers = [value for value in cells if isinstance(value, float)]
    return [as_integer(value) for value in cells] if all(x.is_integer() for x in numbers) else cells
