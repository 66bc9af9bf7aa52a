"""``rankscope score``: the measures of one run or several."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from ..conventions.convention import TREC_EVAL
from ..errors import RankscopeError
from ..measures import Measure
from ..measures.ledger import Ledger
from ..scoring.evaluate import Scores, score
from ..writing import Table, trec
from ..writing.table import whole
from ..writing.trec import SETS
from . import inputs, options


def add(commands: options.Commands) -> None:
    parser = options.command(
        commands,
        "score",
        run,
        "score runs by qrels",
        "The row 'all' is the mean over\nthe queries; for counts the sum, and for LogAP and "
        "LogBpref the geometric mean,\nas in trec_eval.",
    )
    options.add_files(parser, several=True)
    options.add_measures(parser, f"{' '.join(options.DEFAULT)}; with --format trec: official")
    parser.add_argument(
        "-q", "--per-query", action="store_true", help="each query's scores before those of all"
    )
    options.add_convention(parser)
    options.add_output(parser, "trec")
    options.add_quiet(parser)


def run(given: argparse.Namespace) -> str:
    """The scores of each run; on stderr what did not match."""
    inputs.only_one_stdin([given.qrels, *given.runs])
    lines = given.format == "trec"
    if lines and len(given.runs) > 1:
        raise RankscopeError("The lines of trec_eval hold one run; give one, or another --format.")
    convention = options.convention(given)
    asked = options.asked(given.measures, ["official"] if lines else options.DEFAULT)
    qrels = inputs.qrels_of(given.qrels)
    scored = {}
    for title, path in zip(inputs.titles(given.runs), given.runs, strict=True):
        judged = inputs.judged(qrels, path, convention, inputs.bar(title, given.quiet))
        scored[title] = score(judged, asked.values())
    runs_notes = (text for item in scored.items() for text in inputs.notes(*item))
    options.notes([*inputs.reading_notes(given.qrels, qrels), *runs_notes], given)
    if lines:
        return _lines(scored, asked, given)
    table = _per_query(scored) if given.per_query else _means(scored)
    return options.written(table.saying(labels={"convention": convention.label}), given)


def _lines(scored: dict[str, Scores], asked: dict[str, Measure], given: argparse.Namespace) -> str:
    """trec_eval's lines, which have no place for the convention."""
    ((title, scores),) = scored.items()
    if scores.convention != TREC_EVAL:
        options.notes([f"convention: {scores.convention.label}"], given)
    of_a_set = SETS.keys() & (given.measures or ["official"])
    # A run without tags goes by its file's name.
    tag = (scores.judged.tag or title) if of_a_set else None
    return trec(scores, asked, each=given.per_query, tag=tag)


def _means(scored: dict[str, Scores]) -> Table:
    rows = [
        [title, len(scores.judged.queries), *_summary(scores)] for title, scores in scored.items()
    ]
    return Table.of(["run", "queries", *_names(scored)], rows)


def _per_query(scored: dict[str, Scores]) -> Table:
    rows = (row for title, scores in scored.items() for row in _rows(title, scores))
    return Table.of(["run", "query", *_names(scored)], rows)


def _rows(title: str, scores: Scores) -> Iterator[list[Any]]:
    """The queries in the order of the qrels, then all."""
    columns = [_column(ledger, ledger.scores.tolist()) for ledger in scores.ledgers.values()]
    for query, *values in zip(scores.judged.queries, *columns, strict=True):
        yield [title, query, *values]
    yield [title, "all", *_summary(scores)]


def _summary(scores: Scores) -> list[Any]:
    ledgers = scores.ledgers.items()
    return [_column(ledger, [scores.summary(name)])[0] for name, ledger in ledgers]


def _column(ledger: Ledger, values: list[float]) -> list[Any]:
    return list(map(whole, values)) if ledger.measure.summary == "sum" else values


def _names(scored: dict[str, Scores]) -> list[str]:
    return list(next(iter(scored.values())).ledgers)
