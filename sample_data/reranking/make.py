"""Make the synthetic 30-query reranking evaluation.

Run from the repository root: ``python sample_data/reranking/make.py``

Reads the questions in ``queries.tsv`` and writes ``qrels.txt``, ``baseline.run`` and
``reranked.run`` to the same folder. The labels and both rankings are drawn at random; then single
swaps of neighbouring documents move the mean scores to the summary in ``TARGETS``.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

HERE = Path(__file__).parent
SEED = 1863
STEPS = 30_000  # swaps tried before giving up
TOLERANCE = 2e-4  # largest distance of a mean from its target

Targets = dict[int | None, float]  # mean nDCG by cutoff; None is the whole ranking
TARGETS: dict[str, Targets] = {
    "baseline": {None: 0.712},
    "reranked": {None: 0.847, 5: 0.891, 10: 0.863},
}
# Noise of a document's score in grades: the median over queries, and its log spread.
NOISE = {"baseline": (1.2, 0.7), "reranked": (0.48, 0.5)}
SCORE = {"baseline": (0.52, 0.03), "reranked": (-2.5, 2.4)}  # a cosine, a cross-encoder's logit
GUIDES = ("auth", "events", "limits", "search", "file", "billing", "team", "backup", "trust", "sdk")

Ints = NDArray[np.int64]
Rng = np.random.Generator


@dataclass
class Topic:
    """One query and its judged documents; the first ``retrieved`` of them are the candidates."""

    query: str
    documents: list[str]
    grades: Ints
    retrieved: int

    def ndcg(self, order: Ints, k: int | None) -> float:
        """Return nDCG with linear gain; the ideal has all judged documents, cut at the same k."""
        ideal, found = np.sort(self.grades)[::-1][:k], self.grades[order[:k]]
        discount = 1 / np.log2(np.arange(len(ideal)) + 2)
        return float(found @ discount[: len(found)] / (ideal @ discount))


def draw_topic(rng: Rng, query: str, guide: str) -> Topic:
    """Draw labels for every candidate, and for a few relevant documents that are not retrieved."""
    retrieved = int(rng.integers(25, 41))
    relevant = 1 + int(rng.integers(0, 14)) + int(rng.poisson(3.0))
    missed = int(rng.binomial(relevant - 1, 0.27))
    found = np.zeros(retrieved, dtype=np.int64)
    found[: relevant - missed] = 1 + rng.choice(3, relevant - missed, p=(0.45, 0.33, 0.22))
    grades = np.append(rng.permutation(found), 1 + rng.choice(3, missed, p=(0.8, 0.18, 0.02)))
    documents: list[str] = []
    while len(documents) < len(grades):
        away = grades[len(documents)] == 0 and rng.random() >= 0.6
        name = str(rng.choice(GUIDES)) if away else guide
        if (document := f"{name}-guide#{rng.integers(1, 160):03d}") not in documents:
            documents.append(document)
    return Topic(query, documents, grades, retrieved)


def climb(rng: Rng, topics: list[Topic], orders: list[Ints], targets: Targets) -> None:
    """Swap neighbours in place, and keep each swap that moves the means towards the targets."""
    pairs = list(zip(topics, orders, strict=True))
    scores = np.array([[topic.ndcg(order, k) for k in targets] for topic, order in pairs])
    for _ in range(STEPS):
        gap = scores.mean(axis=0) - list(targets.values())
        if np.max(np.abs(gap)) <= TOLERANCE:
            return
        topic, order = pairs[row := int(rng.integers(len(topics)))]
        upper = int(rng.integers(len(order) - 1))
        swapped = np.concatenate([order[:upper], order[[upper + 1, upper]], order[upper + 2 :]])
        after = np.array([topic.ndcg(swapped, k) for k in targets])
        moved = gap + (after - scores[row]) / len(topics)
        if moved @ moved < gap @ gap:
            order[:] = swapped
            scores[row] = after
    raise RuntimeError("The swaps did not reach the targets.")


def build() -> dict[str, str]:
    """Return the content of each generated file by file name."""
    rng = np.random.default_rng(SEED)
    rows = (HERE / "queries.tsv").read_text(encoding="utf-8").splitlines()[1:]
    topics = [draw_topic(rng, row.split("\t")[0], GUIDES[i // 3]) for i, row in enumerate(rows)]
    qrels = [
        f"{topic.query} 0 {document} {grade}\n"
        for topic in topics
        for document, grade in sorted(zip(topic.documents, topic.grades, strict=True))
    ]
    files = {"qrels.txt": "".join(qrels)}
    for tag, targets in TARGETS.items():
        (median, spread), (base, slope) = NOISE[tag], SCORE[tag]
        noise = median * rng.lognormal(0.0, spread, len(topics))
        exact = [topic.grades[: topic.retrieved] for topic in topics]
        beliefs = [g + s * rng.normal(size=len(g)) for g, s in zip(exact, noise, strict=True)]
        orders = [np.argsort(-belief) for belief in beliefs]
        climb(rng, topics, orders, targets)
        files[f"{tag}.run"] = "".join(
            f"{topic.query} Q0 {topic.documents[item]} {rank} {base + slope * score:.6f} {tag}\n"
            for topic, order, belief in zip(topics, orders, beliefs, strict=True)
            for rank, (item, score) in enumerate(zip(order, -np.sort(-belief), strict=True), 1)
        )
    return files


def main() -> None:
    """Write the generated files next to this script."""
    for name, content in build().items():
        (HERE / name).write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
