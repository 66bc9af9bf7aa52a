"""Rank the documents by likeness to the query, and again with less repetition; write both runs.

Run it from the repository root; it needs scikit-learn:

    python sample_data/ambiguous/make_runs.py

The first ranker is the cosine of TF-IDF vectors of words. The second takes its list and chooses
one document after the other by maximal marginal relevance (Carbonell & Goldstein 1998): likeness
to the query less likeness to what is already chosen. Neither sees the judgments.
"""

from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer

FOLDER = Path(__file__).resolve().parent
DEPTH = 8
LAMBDA = 0.5


def read_texts(name: str) -> pd.Series:
    """Return the texts of a two-column TSV file, indexed by id, in file order."""
    table = pd.read_csv(FOLDER / name, sep="\t", quoting=3, dtype=str, keep_default_na=False)
    return table.set_index(table.columns[0])["text"]


def by_likeness(to_query: np.ndarray) -> list[int]:
    """Return the documents that share a word with the query, the most alike first."""
    order = np.argsort(-to_query, kind="stable")
    return [int(document) for document in order if to_query[document] > 0]


def with_less_repetition(to_query: np.ndarray, to_each_other: np.ndarray) -> list[int]:
    """Return the same documents, each chosen for what those above it do not say."""
    left, chosen = by_likeness(to_query), list[int]()
    while left:
        repeated = to_each_other[left][:, chosen].max(axis=1) if chosen else np.zeros(len(left))
        gain = LAMBDA * to_query[left] - (1 - LAMBDA) * repeated
        chosen.append(left.pop(int(gain.argmax())))
    return chosen


def build() -> dict[str, str]:
    """Return the content of each run file by file name."""
    documents, queries = read_texts("documents.tsv"), read_texts("queries.tsv")
    vectorizer = TfidfVectorizer(stop_words="english", sublinear_tf=True)
    vectors = vectorizer.fit_transform(documents)
    to_each_other = (vectors @ vectors.T).toarray()
    to_query = (vectorizer.transform(queries) @ vectors.T).toarray()
    files = {"likeness.run": "", "diverse.run": ""}
    for query, row in zip(queries.index, to_query, strict=True):
        orders = by_likeness(row), with_less_repetition(row, to_each_other)
        for name, order in zip(files, orders, strict=True):
            for rank, document in enumerate(order[:DEPTH], start=1):
                score, tag = DEPTH + 1 - rank, name.removesuffix(".run")
                files[name] += f"{query} Q0 {documents.index[document]} {rank} {score} {tag}\n"
    return files


def main() -> None:
    """Write the run files next to this script."""
    for name, content in (files := build()).items():
        (FOLDER / name).write_text(content, encoding="utf-8", newline="\n")
    print(f"Wrote {' and '.join(files)} to {FOLDER}")


if __name__ == "__main__":
    main()
