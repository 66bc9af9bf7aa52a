"""Rank the documents by the words of each query, and by those of a rewritten one; write both runs.

Run it from the repository root; it needs scikit-learn:

    python sample_data/two_judges/make_runs.py

Both rankers are the cosine of TF-IDF vectors of words. The second searches for the three or four
words of `REWRITTEN`, written by hand, in the place of the query. Neither sees the judgments.
"""

from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer

FOLDER = Path(__file__).resolve().parent
DEPTH = 10
REWRITTEN = {
    "q1": "lift old spill fibres",
    "q2": "loaf flat yeast oven",
    "q3": "pot leaves window winter",
    "q4": "crust water machine",
    "q5": "gears oil clean",
    "q6": "hinges oil wood frame",
    "q7": "cellar frost crop box",
    "q8": "drain blocked surface",
}


def read_texts(name: str) -> pd.Series:
    """Return the texts of a two-column TSV file, indexed by id, in file order."""
    table = pd.read_csv(FOLDER / name, sep="\t", quoting=3, dtype=str, keep_default_na=False)
    return table.set_index(table.columns[0])["text"]


def build() -> dict[str, str]:
    """Return the content of each run file by file name."""
    documents, queries = read_texts("documents.tsv"), read_texts("queries.tsv")
    rewritten = pd.Series(REWRITTEN)[queries.index]
    vectorizer = TfidfVectorizer(stop_words="english", sublinear_tf=True)
    vectors = vectorizer.fit_transform(documents)
    files = {}
    for tag, texts in {"words": queries, "rewritten": rewritten}.items():
        likeness = (vectorizer.transform(texts) @ vectors.T).toarray().round(6)
        lines = []
        for query, row in zip(queries.index, likeness, strict=True):
            order = [at for at in np.argsort(-row, kind="stable")[:DEPTH] if row[at] > 0]
            lines += [
                f"{query} Q0 {documents.index[at]} {rank} {row[at]:.6f} {tag}\n"
                for rank, at in enumerate(order, start=1)
            ]
        files[f"{tag}.run"] = "".join(lines)
    return files


def main() -> None:
    """Write the run files next to this script."""
    for name, content in (files := build()).items():
        (FOLDER / name).write_text(content, encoding="utf-8", newline="\n")
    print(f"Wrote {' and '.join(files)} to {FOLDER}")


if __name__ == "__main__":
    main()
