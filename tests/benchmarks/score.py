"""Score one run in one process: from two files to each query's values and their means.

``python -m tests.benchmarks.score <contestant> <qrels> <run> <output> <measure> …`` writes the
values of each query to the output, and prints the means as JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

Means = dict[str, float]


def rankscope_in_memory(qrels: str, run: str, output: str, measures: list[str]) -> Means:
    """Score as in a notebook, where the run stays in memory."""
    from time import perf_counter

    from metrics import evaluate, read_qrels, read_run

    judgments, ranked = read_qrels(qrels), read_run(run)
    seconds = []
    for _ in range(5 if len(ranked) < 100_000 else 1):
        start = perf_counter()
        scores = evaluate(judgments, ranked, measures)
        values = {name: ledger.scores for name, ledger in scores.ledgers.items()}
        seconds.append(perf_counter() - start)
    print(f"evaluation only: {min(seconds) * 1000:.0f} ms", file=sys.stderr)
    return _written(scores.judged, values, output)


def _written(judged, values, output: str) -> Means:
    rows = zip(*(of_queries.tolist() for of_queries in values.values()), strict=True)
    with Path(output).open("w") as file:
        for query, row in zip(judged.queries, rows, strict=True):
            file.write("\t".join((query, *map(repr, row))) + "\n")
    return {name: float(of_queries.mean()) for name, of_queries in values.items()}


TREC = {
    "nDCG": "ndcg",
    "nDCG@": "ndcg_cut",
    "AP": "map",
    "RR": "recip_rank",
    "P@": "P",
    "R@": "recall",
    "Success@": "success",
    "Bpref": "bpref",
}


def trec_name(measure: str, joint: str) -> str:
    """Return trec_eval's name of a measure, such as ``ndcg_cut_10`` with ``_`` as joint."""
    symbol, at, cutoff = measure.partition("@")
    return TREC[symbol + at] + (joint + cutoff if at else "")


def pytrec_eval(qrels: str, run: str, output: str, measures: list[str]) -> Means:
    import pytrec_eval as peer

    with Path(qrels).open() as judgments, Path(run).open() as ranked:
        evaluator = peer.RelevanceEvaluator(
            peer.parse_qrel(judgments), {trec_name(name, ".") for name in measures}
        )
        values = evaluator.evaluate(peer.parse_run(ranked))
    Path(output).write_text(json.dumps(values))
    printed = {name: trec_name(name, "_") for name in measures}
    return {
        name: sum(query[theirs] for query in values.values()) / len(values)
        for name, theirs in printed.items()
    }


RANX = {"AP": "map", "RR": "mrr", "P": "precision", "R": "recall", "Success": "hit_rate"}


def ranx(qrels: str, run: str, output: str, measures: list[str]) -> Means:
    import ranx as peer

    names = {}
    for measure in measures:
        symbol, at, cutoff = measure.partition("@")
        names[measure] = RANX.get(symbol, symbol.lower()) + at + cutoff
    judgments = peer.Qrels.from_file(qrels, kind="trec")
    ranked = peer.Run.from_file(run, kind="trec")
    means = peer.evaluate(judgments, ranked, list(names.values()), make_comparable=True)
    values = {name: dict(scores) for name, scores in ranked.scores.items()}
    Path(output).write_text(json.dumps(values))
    return {name: float(means[theirs]) for name, theirs in names.items()}


def ir_measures(qrels: str, run: str, output: str, measures: list[str]) -> Means:
    import ir_measures as peer

    names = {name: peer.parse_measure(name) for name in measures}
    means, values = peer.calc(
        list(names.values()), peer.read_trec_qrels(qrels), peer.read_trec_run(run)
    )
    with Path(output).open("w") as file:
        file.writelines(f"{v.query_id}\t{v.measure}\t{v.value}\n" for v in values)
    return {name: float(means[theirs]) for name, theirs in names.items()}


CONTESTANTS: dict[str, Callable[[str, str, str, list[str]], Means]] = {
    "rankscope in memory": rankscope_in_memory,
    "pytrec_eval": pytrec_eval,
    "ranx": ranx,
    "ir_measures": ir_measures,
}


def main(arguments: list[str]) -> None:
    contestant, qrels, run, output, *measures = arguments
    print(json.dumps(CONTESTANTS[contestant](qrels, run, output, measures)))


if __name__ == "__main__":
    main(sys.argv[1:])
