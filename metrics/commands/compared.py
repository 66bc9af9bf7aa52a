"""What ``rankscope compare`` prints: the verdict and the evidence, queries, documents, runs."""

import argparse
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from ..agreement.corrected import CorrectedPairing, corrected
from ..auditing.audit import not_kept
from ..auditing.id_mismatch import for_documents
from ..comparing.comparison import Comparison
from ..comparing.evidence import PairedTest
from ..comparing.leaderboard import MOST, leaderboard
from ..comparing.slices import most_instructive
from ..data import Run
from ..dataset import Dataset
from ..deciding import Pairing
from ..deciding.trend import PastRun, apart_from
from ..errors import DataError, NoOverlapError, RankscopeError
from ..matching import Rankings
from ..measures import Measure
from ..reading.texts import read_attributes, read_texts
from ..scoring.evaluate import Scores, score
from ..scoring.known_differences import exception_label
from ..writing import Table, comparison
from ..writing.comparison import leaderboard_table, pairs_table
from ..writing.corrected import corrected_lead, corrected_table, for_programs
from ..writing.reproduce import Recipe
from ..writing.section import Section, as_markdown, as_text
from ..writing.table import as_integer
from . import files, notes, options

_DOCUMENTS = ("document", "grade", "rank_a", "rank_b", "a", "b", "delta")
"""The columns that are shown of `Comparison.documents`."""


def printed(args: argparse.Namespace) -> str:
    """Return the verdict and the evidence, one depth of the deltas, or the leaderboard."""
    paths = _paths(args)
    convention = options.convention(args)
    named = options.parse_measures(args.measures)
    measures = named.values()
    qrels, titles = files.qrels_of(args), files.titles(paths)
    if args.query is not None:
        options.require_query(args.query, qrels.queries)
    runs: list[Rankings] = []
    for title, path in zip(titles, paths, strict=True):
        run = files.run_or_judged(path, qrels, convention, fix=args.fix_ids)
        runs.append(replace(run, name=title))
        if isinstance(run, Run):
            files.require_matched(qrels, run.renamed(title))
    asked = PairedTest(args.test, args.tie, args.seed)
    of_texts = args.queries, args.texts
    queries, texts = (read_texts(path) if path else {} for path in of_texts)
    attributes = read_attributes(args.attributes) if args.attributes else {}
    dataset = Dataset(qrels.name, qrels, (), queries, texts, attributes).of(*runs)
    pairing = Pairing(
        *(qrels, tuple(runs), tuple(measures), convention, asked), weights=dataset.weights
    )
    scores = {run.name: pairing.scored(run) for run in runs}
    of_runs = []
    for run in runs:
        # Only a whole run shows a change of document ids.
        ids = partial(for_documents, run, qrels) if isinstance(run, Run) else None
        of_runs += notes.of_run(run.name, scores[run.name], notes.depth(measures), ids)
    options.notes([*notes.of_names(named), *notes.of_reading(args.qrels, qrels), *of_runs], args)
    if len(runs) > 2:
        return options.formatted(_standings(pairing, scores), args)
    compared = pairing.comparison
    if not compared.queries:
        raise NoOverlapError(f"{titles[0]} and {titles[1]} have no judged query in common.")
    by_human = _corrected(pairing, args)
    if args.query is not None:
        table = comparison.from_inputs(_documents(compared, args.query), pairing)
        shown = options.formatted(table, args)
    else:
        shown = _of_two(pairing, args, queries, dataset.groupings, by_human)
    if args.report:
        inputs = (args.qrels, *paths), args.fix_ids, args.exclude or ""
        recipe = Recipe(*inputs, args.judges, args.counts or "", args.human or "")
        _report(pairing, dataset, recipe, by_human, args)
    return shown


def of_past(a: PastRun, b: PastRun, measures: Iterable[Measure], args: argparse.Namespace) -> str:
    """Return the verdict and the evidence on two judged runs, or each query's delta.

    Raises NoOverlapError when they were judged differently, with the differences.
    """
    wanted = list(measures)
    sides = score(a.file.judged, wanted), score(b.file.judged, wanted)
    if apart := apart_from(*sides):
        reasons = " ".join(each.text() for each in apart)
        raise NoOverlapError(f"{a.path.name} and {b.path.name} cannot be compared. {reasons}")
    return _of_two(Pairing.of_scores(*sides), args, {}, {}, None)


def _paths(args: argparse.Namespace) -> list[str]:
    """Return the paths of two to ten runs.

    Raises RankscopeError when there are more, or when an option needs two runs.
    """
    paths = [args.run, *args.runs]
    if len(paths) > MOST:
        raise RankscopeError(f"{len(paths)} runs are named; compare takes at most {MOST}.")
    of_two = args.per_query, args.query is not None, args.report, args.attributes, args.human
    if len(paths) > 2 and any(of_two):
        raise RankscopeError(
            "-q, -Q, --report, --attributes and --human compare two runs; name two."
        )
    if args.human and (args.per_query or args.query is not None):
        raise RankscopeError("--human corrects means; leave out -q and -Q.")
    texts = [args.queries, args.texts, args.attributes, args.human]
    files.protect(
        filter(None, [args.qrels, args.exclude, *args.judges, *paths, *texts]), args.report
    )
    return paths


def _standings(pairing: Pairing, scores: Mapping[str, Scores]) -> Table:
    """Return the leaderboard, with every pair of runs by the first measure as its part."""
    board = leaderboard(scores, pairing.measures, pairing.test)
    table = leaderboard_table(board)
    unlike = exception_label([each.judged for each in scores.values()], pairing.measures)
    return table.saying(
        name="leaderboard",
        labels={**table.labels, **unlike},
        facts={**table.facts, **unlike},
        parts=(pairs_table(board),),
    )


def _of_two(
    pairing: Pairing,
    args: argparse.Namespace,
    texts: Mapping[str, str],
    groupings: Mapping[str, Mapping[str, str]],
    by_human: CorrectedPairing | None,
) -> str:
    """Return each query's delta; or the verdict, then the evidence, of all kinds.

    CSV and LaTeX have no verdict.
    """
    if args.per_query:
        table = comparison.queries_table(pairing.comparison, texts=texts)
        return options.formatted(comparison.from_inputs(table, pairing), args)
    options.notes(not_kept(*pairing.runs), args)
    table, decided = comparison.answer_table(pairing), pairing.verdict
    of_groups = comparison.of_attributes(pairing, groupings)
    parts = *of_groups, *comparison.of_weights(pairing)
    if by_human:
        parts = corrected_table(by_human), *parts
        table = table.saying(facts={**table.facts, "corrected": for_programs(by_human)})
    table = table.saying(parts=parts)
    text = options.formatted(table, args)
    before: dict[str, Callable[[list[Section]], str]] = {
        "table": partial(as_text, width=options.width()),
        "markdown": as_markdown,
    }
    if args.format not in before:
        return text
    said = (corrected_lead(by_human, pairing),) if by_human else ()
    return f"{before[args.format]([Section(decided.sentence, said + decided.threats)])}\n{text}"


def _corrected(pairing: Pairing, args: argparse.Namespace) -> CorrectedPairing | None:
    """Return what the grades in the file of ``--human`` correct; None without one."""
    if not args.human:
        return None
    if pairing.whole is None:
        raise DataError("--human takes runs, because judged rankings have the grades of one judge.")
    human = files.single_qrels(args.human).without(pairing.qrels.excluded)
    found = corrected(pairing.qrels, human, *pairing.whole, pairing.measures, pairing.convention)
    options.notes(notes.of_human(files.name_of(args.human), found), args)
    return found


def _report(
    pairing: Pairing,
    dataset: Dataset,
    reproduced: Recipe,
    by_human: CorrectedPairing | None,
    args: argparse.Namespace,
) -> None:
    """Write the report with the chosen query, or the one that Compare opens first."""
    # Imported here, because it imports plotly, which takes longer than to compare the runs.
    from ..rendering.report import report

    query = args.query
    if query is None:
        query = most_instructive(pairing.comparison, str(pairing.measure)).query
    files.write(
        args.report, report(pairing, dataset, query, reproduced=reproduced, by_human=by_human)
    )
    options.notes([f"the report is in {args.report}."], args)


def _documents(compared: Comparison, query: str) -> Table:
    """Return the documents that sum to the query's delta in each measure.

    Raises DataError when a run lacks the query.
    """
    if query not in compared.queries:
        raise DataError(f"Query {query!r} is not in both runs, so it has no delta.")
    lacking = comparison.aside(compared.only([query]))["not in a run"]
    missing = {"not in a run": lacking[0].text()} if lacking else {}
    return Table.of(["measure", *_DOCUMENTS], _rows(compared, query)).saying(
        name="comparison-documents",
        labels={"direction": comparison.DIRECTION, **missing},
        facts=comparison.facts(compared) | {"query": query},
        titles=comparison.TITLES,
    )


def _rows(compared: Comparison, query: str) -> Iterator[list[Any]]:
    """Return the documents by the size of their share in the delta, then the query's scores."""
    for measure in compared.a.ledgers:
        frame = compared.documents(measure)
        frame = frame.rename(columns=lambda name: name.lower().replace(" ", "_"))
        frame = frame[frame["query"] == query].sort_values(
            "delta", key=abs, ascending=False, kind="stable"
        )
        for document, grade, *row in frame[list(_DOCUMENTS)].itertuples(index=False):
            yield [measure, document, as_integer(grade), *row]
        a, b = (scores.value(measure, query) for scores in (compared.a, compared.b))
        delta = compared.per_query(measure)["delta"].get(query, math.nan)
        yield [measure, "all", None, None, None, a, b, delta]
