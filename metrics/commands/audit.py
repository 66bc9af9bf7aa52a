"""``rankscope audit``: how runs and qrels match, what is judged, and what may mislead."""

import argparse
import sys
from dataclasses import replace

from ..auditing.audit import findings, nothing_matched
from ..auditing.coverage import coverage
from ..dataset import Dataset
from ..defaults import DEPTH
from ..reading import read_attributes
from ..writing.audit import audit_table, shares_table
from . import files, options


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
    options.add_attributes(parser, "attributes of the queries, to list their values")
    options.add_number(parser, "-k", int, DEPTH, "the depth to check {}", least=1)
    options.add(parser, *options.FIX, "--format", "--quiet")


def run(args: argparse.Namespace) -> str:
    """Return the files, the findings and the grades, or each query's judged share."""
    qrels = files.qrels_of(args)
    rankings = [
        replace(files.run_or_judged(path, qrels, None, fix=args.fix_ids), name=title)
        for title, path in zip(files.titles(args.runs), args.runs, strict=True)
    ]
    attributes = read_attributes(args.attributes) if args.attributes else {}
    dataset = Dataset("the files", qrels, (), query_attributes=attributes).of(*rankings)
    seen = {each.name: coverage(qrels, each, args.k) for each in rankings}
    if args.per_query:
        table = shares_table(seen)
    else:
        table = audit_table(dataset, seen, findings(dataset, seen), options.use_fix)
    shown = options.formatted(table, args)
    if unmatched := [each for each in dataset.runs if nothing_matched(qrels, each)]:
        # The audit explains the error, so it is printed as well.
        sys.stdout.write(shown)
        files.require_matched(qrels, unmatched[0])
    return shown
