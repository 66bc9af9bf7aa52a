"""The answer of a check in words, as sections, which every medium shows, and as JUnit's XML."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from ..comparing.evidence import PairedTest
from ..deciding.dropped import DocumentChange, Place, QueryChange
from ..deciding.regression import Check, HeldQuery, MeasureCheck, Rule, Ruling
from ..deciding.statement import Statement, words
from ..words import joined, moved, number, p_is, signed, visible
from .comparison import evidence_rows, how_tested
from .ledger_lines import LABELS
from .reproduce import Recipe, explain_command
from .section import Section
from .table import Cell, Table, as_integer, cell, shown


def rule(of: Rule) -> str:
    """Return the rule in a sentence's part.

    Examples
    --------
    >>> rule(Rule()), rule(Rule(alpha=1, max_drop=0))
    ('a drop of more than 0.01 with p below 0.05 fails', 'a drop of more than 0 fails')
    """
    tested = f" with p below {of.alpha:g}" if of.tests else ""
    return f"a drop of more than {of.max_drop:g}{tested} fails"


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
        return Statement("result", "Not comparable. Nothing was compared.")
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
    means = moved(row.mean_a, row.mean_b)
    tested = f"{p_is(row.corrected)}, {{}} {under.alpha:g}" if under.tests else "not tested"
    limit = f"{under.max_drop:g}"
    ways = found.otherwise.items()
    counted = (f"{way}: {signed(row.delta)} ({p_is(row.corrected)})" for way, row in ways)
    tails = {
        Ruling.HOLDS: f"A drop of up to {limit} is allowed." if row.delta < 0 else "",
        Ruling.CHANCE: f"More than {limit}, but it may be chance ({tested.format('not below')}).",
        Ruling.REGRESSION: f"More than {limit} ({tested.format('below')}).",
        Ruling.CANNOT_TELL: f"With unjudged documents {'; '.join(counted)}.",
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
    clauses = "; ".join(f"{words(each.measure)} {moved(each.baseline, each.new)}" for each in told)
    what = f"must hold and drops: {clauses}"
    if query.finding is Ruling.CANNOT_TELL:
        what = f"must hold, and documents without a grade decide whether it does: {clauses}"
    return Statement("held", f"Query {{}} {what}.", (query.query,))


def of_query(change: QueryChange) -> Statement:
    """Return the change of a query's score."""
    template = f"Query {{}}: {words(change.measure)} {moved(change.baseline, change.new)}"
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


def _holds(names: Sequence[str]) -> str:
    return "hold" if len(names) > 1 else "holds"


def _size(found: MeasureCheck) -> str:
    return number(-found.evidence.delta)


def unjudged(of: Check) -> str:
    """Return the unjudged shares of both runs."""
    a, b = (f"{100 * share:.1f} %" for share in of.unjudged())
    return f"{a} of the baseline, {b} of the new run"


BASELINE, NEW = "baseline", "new run"
_TITLES = {"mean_a": BASELINE, "mean_b": NEW, "new": NEW, "p_holm": "p Holm"}
_TITLES |= {"delta": "delta new − baseline", "losses": "worse", "wins": "better"}
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
        yield Section(verdict(check), check.differences, (table,))
        return
    found = tuple(of_measure(each, check.rule) for each in check.measures)
    yield Section(verdict(check), found, (_measures(check, inputs),))
    if check.held:
        yield Section(Statement("heading", "Queries that must hold"), (), (_held(check.held),))
    if check.to_judge:
        yield Section(
            Statement("heading", "Documents to judge"),
            (),
            (_first(("query", "document", "rank"), check.to_judge, _TO_JUDGE),),
        )
    if check.causes:
        yield Section(Statement("heading", "Queries that drop, and the documents behind it"))
    holds = {each.measure for each in check.measures if each.finding is Ruling.HOLDS}
    held = {each.query for each in check.held}
    for place, change in enumerate(check.causes):
        # A query of a measure that holds is worth a sentence; the first one is the place to look.
        opened = not place or change.measure not in holds or change.query in held
        yield Section(
            of_query(change),
            tuple(map(of_document, change.documents)),
            tuple(document_lines(change)) if opened else (),
            source.commands(change, check) if opened else (),
        )


def _measures(check: Check, inputs: dict[str, str]) -> Table:
    rows = {each.measure: each.evidence for each in check.measures}
    p = "p_holm" if len(rows) > 1 else "p"
    columns = ("measure", "queries", "mean_a", "mean_b", "delta", "low", "high", p)
    table = evidence_rows(rows).only([*columns, "losses", "wins"])
    found = [each.finding.value for each in check.measures]
    how = how_tested(rows, PairedTest(seed=check.rule.seed), primary=False)
    labels: dict[str, Cell] = {
        **inputs,
        "rule": rule(check.rule),
        **how,
        "test": how["test"] + ("" if check.rule.tests else "; not used, because alpha is 1"),
        f"unjudged in the top {check.depth}": unjudged(check),
        "convention": check.convention.label,
    }
    return table.saying(
        columns=(*table.columns, "finding"),
        rows=tuple((*row, each) for row, each in zip(table.rows, found, strict=True)),
        labels=labels,
        titles=_TITLES,
    )


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
        for each, finding in changes
    ]
    return _first(("query", "measure", BASELINE, "new", "delta", "finding"), rows, _LISTED)


def _first(columns: Sequence[str], rows: Sequence[Sequence[Cell]], most: int) -> Table:
    """Return a table of the first rows, with the number of the others."""
    more = len(rows) - most
    labels = {"not listed": f"{more:,} more"} if more > 0 else {}
    return Table.of(columns, rows[:most]).saying(titles=_TITLES, labels=labels)


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


MEASURES, HELD = "rankscope.check.measure", "rankscope.check.must-hold"
"""The class names of the two kinds of cases."""
_TAGS = {Ruling.REGRESSION: "failure", Ruling.CANNOT_TELL: "skipped"}


def junit(check: Check) -> str:
    """Return one case for each measure and for each query that must hold.

    XML allows no control characters, so hidden characters of ids are replaced by their numbers.

    Examples
    --------
    >>> from metrics import Qrels, Run, match
    >>> from metrics.deciding.regression import check
    >>> qrels = Qrels.from_dict({f"q{i}": {"x": 1} for i in range(8)})
    >>> run = match(qrels, Run.from_dict({query: {"x": 1} for query in qrels.queries}))
    >>> print(junit(check(run, run, ["RR"])), end="")
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuite name="rankscope check" tests="1" failures="0" errors="0" skipped="0">
      <testcase classname="rankscope.check.measure" name="RR">
        <system-out>RR holds: 1.0000 → 1.0000 (0.0000).</system-out>
      </testcase>
    </testsuite>
    """
    refused = check.outcome is Ruling.NOT_COMPARABLE
    suite = ElementTree.Element("testsuite", name="rankscope check")
    if refused:
        reasons = " ".join(why.text() for why in check.differences)
        for kind, names in ((MEASURES, check.names), (HELD, check.rule.must_hold)):
            for name in names:
                _bad(_case(suite, kind, name), "error", check.outcome.value, reasons)
    else:
        for each in check.measures:
            case, text = _case(suite, MEASURES, each.measure), of_measure(each, check.rule)
            if tag := _TAGS.get(each.finding):
                _bad(case, tag, each.finding.value, text.text(), each.drops)
            else:
                ElementTree.SubElement(case, "system-out").text = text.text()
        for held in check.held:
            case = _case(suite, HELD, held.query)
            if tag := _TAGS.get(held.finding):
                _bad(case, tag, held.finding.value, of_held(held).text(), held.drops)
    counted = {"tests": "", "failures": "/failure", "errors": "/error", "skipped": "/skipped"}
    for name, path in counted.items():
        suite.set(name, str(len(suite.findall(f"testcase{path}"))))
    ElementTree.indent(suite)
    xml = ElementTree.tostring(suite, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{xml}\n'


def _case(suite: ElementTree.Element, kind: str, name: str) -> ElementTree.Element:
    return ElementTree.SubElement(suite, "testcase", classname=kind, name=visible(name))


def _bad(
    case: ElementTree.Element,
    tag: str,
    kind: str,
    message: str,
    changes: Iterable[QueryChange] = (),
) -> None:
    """Add a failure or an error, with the queries and documents behind it."""
    lines = [message]
    for change in changes:
        lines.append(of_query(change).text())
        lines += [f"  {of_document(each).text()}" for each in change.documents]
    ElementTree.SubElement(case, tag, type=kind, message=message).text = "\n".join(lines)
