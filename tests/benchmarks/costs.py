"""What the first order of `judge_next` costs: ``python -m tests.benchmarks.costs``.

It is found with each measure, on two runs of 100 documents for each query, of which few are judged.
The columns are seconds of processor time, and that as a multiple of nDCG@10's, which does not
depend on the machine.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from time import process_time

import numpy as np

from metrics import Qrels, Run, judge_next
from tests.benchmarks.gate import collection

SMALLEST = ("--queries", "2")

MEASURES = ("P@10", "nDCG@10", "RR@10", "AP@10", "ERR@10", "nERR@10", "Success@10", "AP")
JUDGED = (1, 5, 10)
"""The numbers of judged documents of each query whose costs are measured."""


def sparse(seed: int, queries: int, judged: int) -> tuple[Qrels, Run, Run]:
    """Return two runs of 100 documents a query, and judgments of a few of these."""
    rng = np.random.default_rng(seed)
    made = collection(rng, queries, 100)
    worse = made.scores + rng.normal(0, 1, made.scores.shape)
    few = {
        query: dict(list(grades.items())[:judged]) for query, grades in made.qrels.to_dict().items()
    }
    return Qrels.from_dict(few), made.run(worse), made.run(made.scores)


def costs(task: tuple[Qrels, Run, Run], measures: Sequence[str]) -> dict[str, float]:
    """Return the seconds of the processor that the first order takes with each measure."""
    taken = {}
    for measure in measures:
        start = process_time()
        judge_next(*task, measure)
        taken[measure] = process_time() - start
    return taken


def main(argv: Sequence[str] | None = None) -> None:
    """Print a line for each measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--queries", type=int, default=200)
    args = parser.parse_args(argv)
    print("| measure | " + " | ".join(f"{n} judged: s | of nDCG@10" for n in JUDGED) + " |")
    print("|:--|" + "--:|" * 2 * len(JUDGED))
    found = [costs(sparse(1, args.queries, judged), MEASURES) for judged in JUDGED]
    for measure in MEASURES:
        cells = (f"{each[measure]:.1f} | {each[measure] / each['nDCG@10']:.1f}" for each in found)
        print(f"| {measure} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
