"""``rankscope audit``: how runs and qrels match, what is judged, and what may mislead."""

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from ..auditing.audit import Finding, findings, nothing_matched
from ..auditing.coverage import Coverage, coverage, grades
from ..auditing.id_mismatch import Mend
from ..data import Pairs
from ..dataset import Dataset
from ..defaults import DEPTH
from ..writing.table import Table, whole
from . import inputs, options

_FILE = ("file", "name", "queries", "rows", "lowest", "highest")
_MATCH = {
    "judged_queries": "judged queries",
    "missing_queries": "missing queries",
    "unjudged_queries": "unjudged queries",
    "k": "k",
    "judged_share": "judged share @k",
    "tied_rows": "tied rows",
    "queries_tied": "queries tied @k",
}


def add(commands: options.Commands) -> None:
    parser = options.command(
        commands,
        "audit",
        run,
        "check how runs and qrels match",
        "Prints queries and documents that do not match,\nhow much of the top is judged, equal "
        "scores, odd files and grades, as the Data page does.",
    )
    options.add_files(parser, runs="one or more runs")
    options.add_per_query(parser, "each query's judged share, the lowest first")
    options.add_number(parser, "-k", int, DEPTH, "the depth to check {}", least=1)
    options.add_fix(parser)
    options.add_output(parser)
    options.add_quiet(parser)


def run(args: argparse.Namespace) -> str:
    """Return the files, the findings and the grades, or each query's judged share."""
    inputs.only_one_stdin([args.qrels, *args.runs])
    qrels = inputs.qrels_of(args.qrels)
    rankings = [
        replace(inputs.run_or_judged(path, qrels, None, fix=args.fix_ids), name=title)
        for title, path in zip(inputs.titles(args.runs), args.runs, strict=True)
    ]
    dataset = Dataset("the files", qrels, ()).of(*rankings)
    seen = {each.name: coverage(qrels, each, args.k) for each in rankings}
    if args.per_query:
        table = shares_table(seen)
    else:
        table = audit_table(dataset, seen, findings(dataset, seen), options.use_fix)
    shown = options.formatted(table, args)
    if unmatched := [each for each in dataset.runs if nothing_matched(qrels, each)]:
        # The audit explains the error, so it is printed as well.
        sys.stdout.write(shown)
        inputs.require_matched(qrels, unmatched[0])
    return shown


def audit_table(
    dataset: Dataset,
    seen: Mapping[str, Coverage],
    found: Iterable[Finding],
    advice: Callable[[Mend | None], str],
) -> Table:
    """Return one row for each file; the parts are the findings, important ones first, and grades.

    Parameters
    ----------
    seen
        The coverage of each run, by name.
    advice
        How to make a change of ids, in words; empty where no option does.

    Examples
    --------
    >>> from metrics import Qrels, Run
    >>> from metrics.auditing.coverage import coverage
    >>> qrels, run = Qrels.from_dict({"q": {"a": 1}}), Run.from_dict({"q": {"a": 2, "b": 1}}, "r")
    >>> table = audit_table(Dataset("d", qrels, (run,)), {"r": coverage(qrels, run)}, (), str)
    >>> dict(zip(table.columns, table.rows[1]))["judged_share"]
    0.5
    """
    rows = [_file("qrels", dataset.qrels) + [None] * len(_MATCH)]
    rows += [_file("run", run) + _matched(seen[run.name]) for run in dataset.runs]
    for judged in dataset.judged:
        of = seen[judged.name]
        sizes = [len(of.shared) + len(of.only_run), int(judged.retrieved.sum())]
        rows.append(["judged", judged.name, *sizes, None, None, *_matched(of)])
    texts = []
    for each in sorted(found, key=lambda each: each.kind):
        # The sentences of a finding, of its change, and how to make it.
        sentences = each.text, f"The {each.mend}." if each.mend else "", advice(each.mend)
        texts.append([each.kind, each.about, " ".join(filter(None, sentences))])
    findings = Table.of(["finding", "about", "text"], texts)
    counted = Table.of_frame(grades(dataset.qrels).reset_index())
    return Table.of([*_FILE, *_MATCH], rows).saying(
        name="audit",
        titles=_MATCH,
        parts=(
            findings.saying(heading={"findings": len(findings.rows)}),
            counted.saying(heading={"grades": dataset.qrels.name}),
        ),
    )


def shares_table(seen: Mapping[str, Coverage]) -> Table:
    """Return the judged share of each query's top k by run, the lowest first.

    Examples
    --------
    >>> from metrics import Qrels, Run
    >>> from metrics.auditing.coverage import coverage
    >>> qrels, run = Qrels.from_dict({"q": {"a": 1}}), Run.from_dict({"q": {"a": 2, "b": 1}})
    >>> shares_table({"r": coverage(qrels, run)}).rows
    (('q', 'r', 10, 0.5),)
    """
    rows = [
        (query, run, of.k, share) for run, of in seen.items() for query, share in of.judged.items()
    ]
    rows.sort(key=lambda row: row[3])
    return Table.of(["query", "run", "k", "judged_share"], rows).saying(
        name="audit-queries", titles=_MATCH
    )


def _file(what: str, pairs: Pairs) -> list[Any]:
    low, high = whole(pairs.value.min()), whole(pairs.value.max())
    return [what, pairs.name, len(pairs.queries), len(pairs), low, high]


def _matched(of: Coverage) -> list[Any]:
    queries = of.shared, of.only_qrels, of.only_run
    return [*map(len, queries), of.k, of.share, of.tied, of.cut]
