"""Generate runs and qrels of several sizes, with the same bytes for the same seed.

Scores are as rankers write them: real numbers with six decimals, falling by steps of any size,
and some of them equal. Equal scores are written in no order of their ids, so about 1 % of the rows
stand, by their rank, above a document that is evaluated before them (equal scores by document id,
descending). Different scores differ in single precision too, so all tools rank the same way.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

DOCUMENTS = 8_841_823  # as many as MS MARCO passages
FIRST_QUERY = 1_000_000

TIED = 0.02
"""The share of rows with the score of the row above; half of them contradict their rank."""

LOWEST, STEP, LEAST_STEP = 5.0, 0.15, 1e-4
"""The lowest score of a query, the mean step between scores, and the smallest that is not 0."""


@dataclass(frozen=True)
class Size:
    """The number of queries, and of documents retrieved and judged (on average) for each."""

    queries: int
    depth: int
    judged: float


SIZES = {
    "tiny": Size(20, 50, 10),
    "S": Size(50, 1000, 200),
    "M": Size(6980, 1000, 1.1),
    "L": Size(100_000, 100, 1.1),
    "1e5": Size(100, 1000, 1.1),
    "1e6": Size(1000, 1000, 1.1),
    "1e7": Size(10_000, 1000, 1.1),
}


def write(folder: Path, name: str, seed: int = 1) -> tuple[Path, Path]:
    """Write ``<name>.qrels`` and ``<name>.run`` unless they exist, and return their paths."""
    qrels, run = folder / f"{name}.qrels", folder / f"{name}.run"
    if not run.exists():
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = run.with_suffix(".part")
        with qrels.open("w") as judgments, unfinished.open("w") as rows:
            for judged, ranked in _queries(SIZES[name], np.random.default_rng(seed)):
                judgments.write(judged)
                rows.write(ranked)
        unfinished.rename(run)
    return qrels, run


def shaken(run: Path, seed: int) -> Path:
    """Write the run with noise on its scores unless it exists, and return its path."""
    path = run.with_name(f"{run.stem}-{seed}.run")
    if not path.exists():
        unfinished = path.with_suffix(".part")
        rng = np.random.default_rng(seed)
        with run.open() as lines, unfinished.open("w") as rows:
            for line, noise in zip(lines, _noise(rng), strict=False):
                query, q0, document, rank, score, _ = line.split()
                moved = f"{float(score) + noise:.6f}"
                rows.write(f"{query} {q0} {document} {rank} {moved} shaken{seed}\n")
        unfinished.rename(path)
    return path


def _noise(rng: np.random.Generator) -> Iterator[float]:
    while True:
        yield from rng.normal(0, 20, 10_000).tolist()


def _queries(size: Size, rng: np.random.Generator):
    """Yield the judgments and the ranking of each query, as text."""
    for query in (FIRST_QUERY + rng.permutation(size.queries)).tolist():
        # Odd multiples modulo an odd prime are all different, so no number is drawn twice.
        start, step = rng.integers(1, DOCUMENTS, 2)
        pool = (start + step * np.arange(2 * size.depth)) % DOCUMENTS
        retrieved, other = pool[: size.depth], pool[size.depth :]
        scores = _scores(size.depth, rng)
        count = int(size.judged) + int(rng.random() < size.judged % 1)
        found = (rng.beta(0.6, 2.0, count) * size.depth).astype(int)
        picked = np.where(rng.random(count) < 0.85, retrieved[found], other[found])
        judged = sorted(set(picked.tolist()))
        grades = rng.integers(0 if size.judged > 2 else 1, 4 if size.judged > 2 else 2, len(judged))
        yield (
            "".join(f"{query} 0 {d} {g}\n" for d, g in zip(judged, grades, strict=True)),
            "".join(
                f"{query} Q0 {document} {rank} {score:.6f} made\n"
                for rank, (document, score) in enumerate(
                    zip(retrieved.tolist(), scores.tolist(), strict=True), 1
                )
            ),
        )


def _scores(depth: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return ``(depth,)`` scores, the highest first."""
    steps = np.where(rng.random(depth) < TIED, 0, LEAST_STEP + rng.exponential(STEP, depth))
    return LOWEST + np.cumsum(steps)[::-1]


if __name__ == "__main__":
    write(Path(sys.argv[1]), sys.argv[2])
