"""Write a check as JUnit's XML, which CI systems read."""

from collections.abc import Iterable
from xml.etree import ElementTree

from ...deciding.regression import Check, QueryChange, Ruling
from ...words import visible
from . import wording

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
            case, text = _case(suite, MEASURES, each.measure), wording.of_measure(each, check.rule)
            if tag := _TAGS.get(each.finding):
                _bad(case, tag, each.finding.value, text.text(), each.drops)
            else:
                ElementTree.SubElement(case, "system-out").text = text.text()
        for held in check.held:
            case = _case(suite, HELD, held.query)
            if tag := _TAGS.get(held.finding):
                _bad(case, tag, held.finding.value, wording.of_held(held).text(), held.drops)
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
        lines.append(wording.of_query(change).text())
        lines += [f"  {wording.of_document(each).text()}" for each in change.documents]
    ElementTree.SubElement(case, tag, type=kind, message=message).text = "\n".join(lines)
