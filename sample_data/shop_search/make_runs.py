"""Rank the shop search documents with two rankers and write the two run files.

Run it from the repository root; it needs bm25s and scikit-learn:

    python sample_data/shop_search/make_runs.py

The word-based ranker is BM25; the character-based one is the cosine of TF-IDF vectors of
character n-grams. Both are deterministic, and neither sees the judgments.
"""

from collections.abc import Sequence
from pathlib import Path

import bm25s
import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer

FOLDER = Path(__file__).resolve().parent
DEPTH = 20


def read_texts(name: str) -> pd.Series:
    """Return the texts of a two-column TSV file, indexed by id, in file order."""
    table = pd.read_csv(FOLDER / name, sep="\t", quoting=3, dtype=str, keep_default_na=False)
    return table.set_index(table.columns[0])["text"]


def bm25_scores(documents: Sequence[str], queries: Sequence[str]) -> np.ndarray:
    """Score lower-cased words without English stop words; no stemming (queries x documents)."""
    index = bm25s.BM25(method="lucene", k1=1.5, b=0.75, dtype="float64")
    words = bm25s.tokenize(documents, return_ids=False, show_progress=False)
    index.index(words, show_progress=False)
    tokens = bm25s.tokenize(queries, return_ids=False, show_progress=False)
    return np.array([index.get_scores(query) for query in tokens])


def char_ngram_scores(documents: Sequence[str], queries: Sequence[str]) -> np.ndarray:
    """Score by the cosine of TF-IDF vectors of 3- to 5-grams inside words."""
    vectorizer = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=True)
    vectors = vectorizer.fit_transform(documents)
    cosines: np.ndarray = (vectorizer.transform(queries) @ vectors.T).toarray()
    return cosines


def run_text(tag: str, queries: pd.Index, documents: pd.Index, scores: np.ndarray) -> str:
    """Return a TREC run: rounded score descending, then document id descending."""
    lines = []
    for query, row in zip(queries, scores.round(6), strict=True):
        found = [(score, document) for score, document in zip(row, documents, strict=True) if score]
        for rank, (score, document) in enumerate(sorted(found, reverse=True)[:DEPTH], start=1):
            lines.append(f"{query} Q0 {document} {rank} {score:.6f} {tag}\n")
    return "".join(lines)


def build() -> dict[str, str]:
    """Return the content of each run file by file name."""
    documents, queries = read_texts("documents.tsv"), read_texts("queries.tsv")
    rankers = {"bm25": bm25_scores, "char_ngrams": char_ngram_scores}
    return {
        f"{tag}.run": run_text(
            tag, queries.index, documents.index, ranker(documents.tolist(), queries.tolist())
        )
        for tag, ranker in rankers.items()
    }


def main() -> None:
    """Write the run files next to this script."""
    for name, content in (files := build()).items():
        (FOLDER / name).write_text(content, encoding="utf-8", newline="\n")
    print(f"Wrote {' and '.join(files)} to {FOLDER}")


if __name__ == "__main__":
    main()
