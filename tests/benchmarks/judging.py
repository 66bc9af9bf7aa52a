"""How many judgments it takes until the verdict on two runs cannot turn any more.

    python -m tests.benchmarks.judging

All judgments are hidden, then revealed one by one in three orders until `judge_next` says that one
of the runs cannot get ahead any more: its own order, found again after each judgment; the order of
depth-k pooling, by the best rank in either run, round and round over the queries; and a random
order. The last one is the mean of several. A document of the pool without a judgment gets grade 0,
as trec_eval counts it.

`cannot turn` is the number of judgments until then, `winner` the number after which the run that
leads does not change any more; only who knows all judgments knows that moment. The share is of all
documents of the pool. Three samples take part, and generated data of 30 queries. The whole takes
about 15 minutes.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from metrics import JudgeNext, Qrels, Run, compare, judge_next
from metrics.auditing.intake import no_judgments
from metrics.comparing.significance import TIE
from metrics.teaching.samples import catalogue
from tests.benchmarks.gate import collection

SMALLEST = (
    *("--data", "generated, alike", "--queries", "3", "--measures", "P@10", "--draws", "1"),
)

MEASURES = ("P@10", "nDCG@5", "nDCG@10", "RR@10", "AP@10")
SAMPLES = ("shop", "reranking", "ambiguous")
NOISE = {"generated, alike": 0.5, "generated, apart": 1.5}
"""The noise in the scores of run A of generated data, besides that of B."""

Pair = tuple[str, str]


@dataclass(frozen=True, eq=False)
class Task:
    """Two runs whose judgments are hidden.

    Attributes
    ----------
    measure
        The measure of the verdict.
    start
        What is known before the first judgment.
    truth
        The grade of each document of the pool.
    delta
        The mean delta with all of them.
    """

    measure: str
    start: JudgeNext
    truth: Mapping[Pair, float]
    delta: float

    @classmethod
    def of(cls, qrels: Qrels, a: Run, b: Run, measure: str) -> Task:
        """Return the task of finding the verdict by a measure again."""
        known = qrels.to_dict()
        hidden = no_judgments([a, b]).only(*qrels.queries)
        start = judge_next(hidden, a, b, measure, grades=np.unique(qrels.value).tolist())
        truth = {
            (each.query, each.document): known[each.query].get(each.document, 0.0)
            for each in start.order
        }
        grades: dict[str, dict[str, float]] = {}
        for (query, document), grade in truth.items():
            grades.setdefault(query, {})[document] = grade
        delta = compare(grades, a, b, measure).summary(measure).delta
        return cls(measure, start, truth, delta)

    def pooled(self) -> list[Pair]:
        """Return the pool in the order of growing depth, a document per query in turn."""
        place = {query: number for number, (query, _) in enumerate(self.truth)}
        turn: dict[Pair, tuple[int, int]] = {}
        number: dict[str, int] = {}
        for each in sorted(self.start.order, key=lambda each: each.rank):
            number[each.query] = number.get(each.query, 0) + 1
            turn[each.query, each.document] = number[each.query], place[each.query]
        return sorted(turn, key=turn.__getitem__)

    def shuffled(self, seed: int) -> list[Pair]:
        """Return the pool in a random order."""
        pairs = sorted(self.truth)
        random.Random(seed).shuffle(pairs)
        return pairs

    def next_ones(self) -> Iterator[JudgeNext]:
        """Yield the state before each judgment and after the last, in the order of judge_next."""
        state = self.start
        yield state
        while state.order:
            first = state.order[0]
            state = self.revealed(state, (first.query, first.document))
            yield state

    def in_order(self, pairs: Iterable[Pair]) -> Iterator[JudgeNext]:
        """Yield the state before each judgment and after the last, in a fixed order."""
        state = self.start
        yield state
        for pair in pairs:
            state = self.revealed(state, pair)
            yield state

    def revealed(self, state: JudgeNext, pair: Pair) -> JudgeNext:
        """Return the state with the grade of one more document."""
        return state.judged(*pair, self.truth[pair])

    def until_settled(self, states: Iterable[JudgeNext]) -> tuple[int, int]:
        """Return the number of judgments until the verdict cannot turn, and until it never does."""
        stays, number = 0, 0
        for number, state in enumerate(states):
            if leader(state.delta) != leader(self.delta):
                stays = number + 1
            if state.can_turn is False:
                if not state.over.low - TIE <= self.delta <= state.over.high + TIE:
                    raise AssertionError(f"{self.measure}: the range was wrong")
                break
        return number, min(stays, number)


def leader(delta: float) -> int:
    """Return 1 where B leads, −1 where A does, and 0 where neither does or nothing is known."""
    return int(delta > TIE) - int(delta < -TIE)


def generated(seed: int, queries: int, noise: float) -> tuple[Qrels, Run, Run]:
    """Return judgments, a run, and another one with more noise in its scores."""
    rng = np.random.default_rng(seed)
    made = collection(rng, queries)
    worse = made.scores + rng.normal(0, noise, made.scores.shape)
    return made.qrels, made.run(worse), made.run(made.scores)


def data(name: str, queries: int) -> tuple[Qrels, Run, Run]:
    """Return the qrels and the two runs of a sample, or those generated with some noise."""
    if name in NOISE:
        return generated(1, queries, NOISE[name])
    sample = catalogue()[name].load()
    a, b = sample.runs[:2]
    return sample.qrels, a, b


def rows(task: Task, draws: int) -> dict[str, tuple[float, float]]:
    """Return both numbers of judgments for each order."""
    shuffled = [
        task.until_settled(task.in_order(task.shuffled(seed))) for seed in range(1, draws + 1)
    ]
    return {
        "judge_next": task.until_settled(task.next_ones()),
        "pooling": task.until_settled(task.in_order(task.pooled())),
        "random": tuple(np.mean(shuffled, axis=0).tolist()),
    }


def main(argv: Sequence[str] | None = None) -> None:
    """Print a line for each data set and measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--measures", nargs="+", default=MEASURES)
    parser.add_argument("--data", nargs="+", default=[*SAMPLES, *NOISE])
    parser.add_argument("--queries", type=int, default=30, help="queries of the generated data")
    parser.add_argument("--draws", type=int, default=2, help="random orders")
    args = parser.parse_args(argv)
    print("| data | measure | delta | pool | cannot turn: judge_next | pooling | random ", end="")
    print("| winner: judge_next | pooling | random |")
    print("|:--|:--|--:|--:|" + "--:|" * 6)
    for name in args.data:
        qrels, a, b = data(name, args.queries)
        for measure in args.measures:
            task = Task.of(qrels, a, b, measure)
            found, pool = rows(task, args.draws), len(task.truth)
            settled = [f"{n:.0f} ({n / pool:.0%})" for n, _ in found.values()]
            winner = [f"{n:.0f}" for _, n in found.values()]
            cells = [name, measure, f"{task.delta:+.4f}", str(pool), *settled, *winner]
            print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
