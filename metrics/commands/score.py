"""``rankscope score``: score one or more runs."""

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

from ..conventions.convention import TREC_EVAL
from ..errors import RankscopeError
from ..measures.ledger import Ledger
from ..scoring.evaluate import Scores, score
from ..scoring.known_differences import exception_label
from ..scoring.trec_names import Asked, measures_named
from ..writing import FORMATS, Table
from ..writing.table import as_integer
from ..writing.trec import trec
from . import files, notes, options


def add(commands: options.Commands) -> None:
    parser = options.command(
        commands,
        "score",
        run,
        "score one or more runs",
        "The row 'all' is the mean over the queries;\nas in trec_eval, it is the sum for counts "
        "and the geometric mean for LogAP and\nLogBpref.",
    )
    options.add_files(parser, runs="one or more runs", judged=True)
    options.add_measures(parser, more="; with --format trec: official")
    options.add_per_query(parser, "each query's scores, then the row 'all'")
    options.add_file(
        parser,
        "--weights",
        "also print the mean weighted by each column of numbers, such as a frequency; a table with "
        "a column of queries",
    )
    options.add(parser, *options.FIX, *options.CONVENTION)
    options.add(parser, "--format", choices=[*FORMATS, "trec"])
    options.add(parser, "--quiet")


def run(args: argparse.Namespace) -> str:
    """Return the scores of each run; print notes on stderr."""
    lines = args.format == "trec"
    if lines and len(args.runs) > 1:
        raise RankscopeError(
            "--format trec prints one run. Give one run, or choose another --format."
        )
    if lines and args.weights:
        raise RankscopeError(
            "--format trec has no line for a weighted mean. Choose another --format."
        )
    weights = files.weights(args.weights) if args.weights else {}
    convention = options.convention(args)
    # trec_eval's lines are of its own families and names.
    of_trec = (
        measures_named(args.measures or ["official"], options.version(args)) if lines else None
    )
    measures = options.parse_measures(args.measures) if of_trec is None else dict(of_trec.measures)
    qrels = files.qrels_of(args)
    scored = {}
    for title, path in zip(files.titles(args.runs), args.runs, strict=True):
        bar = files.bar(title, args.quiet)
        judged = files.judged(qrels, path, convention, bar, fix=args.fix_ids)
        scored[title] = score(judged, measures.values())
    k = notes.depth(measures.values())
    of_runs = (text for item in scored.items() for text in notes.of_run(*item, k))
    of_names = [] if of_trec else notes.of_names(measures)
    unweighted = notes.of_weights(weights, next(iter(scored.values())).judged.queries)
    of_files = [*of_names, *notes.of_reading(args.qrels, qrels), *of_runs, *unweighted]
    options.notes(of_files, args)
    if of_trec:
        return _lines(scored, of_trec, args)
    of_each, first = (_rows, "query") if args.per_query else (_means, "queries")
    rows = [row for title, scores in scored.items() for row in of_each(title, scores, weights)]
    table = Table.of(["run", first, "weighted_by", *next(iter(scored.values())).ledgers], rows)
    table = table.saying(titles={"weighted_by": "weighted by"})
    if not weights:
        table = table.only([name for name in table.columns if name != "weighted_by"])
    labels = {"convention": convention.label} | _exceptions(scored)
    return options.formatted(table.saying(labels=labels), args)


def _lines(scored: dict[str, Scores], of_trec: Asked, args: argparse.Namespace) -> str:
    """Return trec_eval's lines; they cannot name the convention, so a note does."""
    ((title, scores),) = scored.items()
    if scores.convention != TREC_EVAL:
        labels = {"convention": scores.convention.label} | _exceptions(scored)
        options.notes([f"{name}: {text}" for name, text in labels.items()], args)
    # A run without tags goes by its file's name.
    each = scores.judged.queries if args.per_query else ()
    return trec(scores, of_trec, each=each, tag=scores.judged.tag or title)


def _exceptions(scored: dict[str, Scores]) -> dict[str, str]:
    rankings = [scores.judged for scores in scored.values()]
    ledgers = next(iter(scored.values())).ledgers.values()
    return exception_label(rankings, [ledger.measure for ledger in ledgers])


Weights = Mapping[str, Mapping[str, float]]


def _means(title: str, scores: Scores, weights: Weights) -> Iterator[list[Any]]:
    """Return the row of a run, and one for each of the weights."""
    queries = scores.judged.queries
    yield [title, len(queries), None, *_summary(scores)]
    for by, of in weights.items():
        yield [title, sum(query in of for query in queries), by, *_weighted(scores, of)]


def _rows(title: str, scores: Scores, weights: Weights) -> Iterator[list[Any]]:
    """Return one row per query in the order of the qrels, then the row ``all``, weighted too."""
    columns = [_column(ledger, ledger.scores.tolist()) for ledger in scores.ledgers.values()]
    for query, *values in zip(scores.judged.queries, *columns, strict=True):
        yield [title, query, None, *values]
    yield [title, "all", None, *_summary(scores)]
    for by, of in weights.items():
        yield [title, "all", by, *_weighted(scores, of)]


def _weighted(scores: Scores, weights: Mapping[str, float]) -> list[Any]:
    """Return the weighted mean of each measure; None for counts, which are not averaged."""
    return [
        None if ledger.measure.summary == "sum" else scores.weighted(name, weights)
        for name, ledger in scores.ledgers.items()
    ]


def _summary(scores: Scores) -> list[Any]:
    ledgers = scores.ledgers.items()
    return [_column(ledger, [scores.summary(name)])[0] for name, ledger in ledgers]


def _column(ledger: Ledger, values: list[float]) -> list[Any]:
    return list(map(as_integer, values)) if ledger.measure.summary == "sum" else values
