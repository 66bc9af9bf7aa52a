"""Catalogue of the sample data that ship with Rankscope."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from ..arrays import pd
from ..data import Qrels, Run
from ..dataset import Dataset
from ..editing.pasted import read_ranking
from ..reading import read_attributes, read_qrels, read_run, read_texts
from ..reading.judges import read_judges
from ..scoring.evaluate import evaluate
from ..scoring.expressions import verdict

FOLDER = Path(__file__).parents[2] / "sample_data"

SCRATCH = "scratch"
"""The sample that exists only to be edited; a ranking from a link or a paste replaces its own."""
SCRATCH_GRADES = "3,2,0,1,2 | 3"


@dataclass(frozen=True)
class Printed:
    """A number as a source document prints it.

    Attributes
    ----------
    measure
        The measure that the document names; for a cell of a worked table, the table's measure.
    query
        The query; None for the mean over the queries.
    value
        The printed digits.
    column, rank
        The cell, if the number is part of a worked table.
    why
        The reason why the data do not give the number; empty if they do.
    """

    measure: str
    run: str
    query: str | None
    value: str
    column: str = ""
    rank: int = 0
    why: str = ""


@dataclass(frozen=True)
class Sample:
    """One entry of the catalogue.

    Attributes
    ----------
    key
        The sample's name in links; it never changes.
    source
        The origin of the data, in a few words; the title of what prints them.
    measure
        The measure to show first.
    load
        A function that returns the data.
    printed
        The numbers that the source document prints.
    drawn
        Whether the data were drawn at random to give the printed numbers; the source prints none.
    """

    key: str
    title: str
    source: str
    measure: str
    load: Callable[[], Dataset]
    printed: tuple[Printed, ...] = ()
    note: str = ""
    drawn: bool = False

    @property
    def label(self) -> str:
        """The title in a list of samples, with where the data are printed."""
        return f"{self.title} · {self.source}" if self.printed else self.title


@cache
def catalogue() -> dict[str, Sample]:
    """Return all samples by key: four collections, a list to edit, then the worked examples."""
    examples = json.loads((FOLDER / "worked_examples.json").read_text("utf-8"))
    samples = [
        Sample(
            "shop",
            "Shop search",
            "BM25 and character n-grams on 185 texts, judged by reading",
            "nDCG@10",
            cache(partial(_folder, "Shop search", "shop_search", ("bm25", "char_ngrams"))),
        ),
        Sample(
            "ambiguous",
            "Ambiguous queries",
            "38 texts on queries with three meanings each, judged by aspect",
            "alpha_nDCG@5",
            cache(partial(_folder, "Ambiguous queries", "ambiguous", ("likeness", "diverse"))),
        ),
        Sample(
            "two-judges",
            "Two judges (made up)",
            "64 texts, a careful and a lenient judge with reasons; written by us",
            "nDCG@10",
            cache(_two_judges),
        ),
        Sample(
            "reranking",
            "Reranking (synthetic)",
            "“How to Evaluate Reranking Quality with NDCG”",
            "nDCG",
            cache(partial(_folder, "Reranking", "reranking", ("baseline", "reranked"))),
            _PRINTED,
            "The article prints no data: these are synthetic, drawn at random to give its means.",
            drawn=True,
        ),
        Sample(SCRATCH, "A list to edit", "an example to change", "nDCG@5", cache(_scratch)),
        *map(_example, examples),
    ]
    return {sample.key: sample for sample in samples}


_PRINTED = (
    Printed("nDCG", "baseline", None, "0.712"),
    Printed("nDCG", "reranked", None, "0.847"),
    Printed("nDCG@5", "reranked", None, "0.891"),
    Printed("nDCG@10", "reranked", None, "0.863"),
)


def _folder(title: str, name: str, runs: tuple[str, ...], qrels: Qrels | None = None) -> Dataset:
    folder = FOLDER / name
    documents, groups = folder / "documents.tsv", folder / "groups.tsv"
    return Dataset(
        title,
        qrels or read_qrels(folder / "qrels.txt"),
        tuple(read_run(folder / f"{run}.run") for run in runs),
        read_texts(folder / "queries.tsv"),
        read_texts(documents) if documents.exists() else {},
        read_attributes(groups) if groups.exists() else {},
    )


def _two_judges() -> Dataset:
    """Return the data with the person's judgments as the qrels, and the model as a second judge."""
    person, *others = read_judges(FOLDER / "two_judges" / "judges.tsv").values()
    dataset = _folder("Two judges", "two_judges", ("words", "rewritten"), person)
    return replace(dataset, judges=tuple(others))


def _scratch() -> Dataset:
    ranking = read_ranking(SCRATCH_GRADES, "list")
    texts = {ranking.query: "any query: drag, grade, or paste your own"}
    return Dataset("A list to edit", ranking.qrels, (ranking.run.renamed("list"),), texts)


def _example(example: dict[str, Any]) -> Sample:
    return Sample(
        example["id"],
        example["title"],
        example["publication"],
        example["measure"],
        cache(partial(_example_dataset, example)),
        tuple(Printed(**printed) for printed in example["printed"]),
        example.get("note", ""),
    )


def _example_dataset(example: dict[str, Any]) -> Dataset:
    queries = example["queries"]
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for query in queries:
        for run, documents in query["runs"].items():
            scores = {document: float(len(documents) - i) for i, document in enumerate(documents)}
            runs.setdefault(run, {})[query["id"]] = scores
    return Dataset(
        example["title"],
        Qrels.from_dict({query["id"]: query["grades"] for query in queries}),
        tuple(Run.from_dict(rankings, name) for name, rankings in runs.items()),
        {query["id"]: query["text"] for query in queries},
    )


@cache
def recomputed(sample: Sample) -> pd.DataFrame:
    """Return every printed result with the value recomputed from the sample's data, and a verdict.

    Values are computed under trec_eval's convention, the default.
    """
    results = [printed for printed in sample.printed if not printed.column]
    dataset = sample.load()
    rows = []
    for run in dataset.runs:
        wanted = [printed for printed in results if printed.run == run.name]
        scores = evaluate(dataset.qrels, run, {printed.measure for printed in wanted})
        for printed in wanted:
            value = scores.value(printed.measure, printed.query)
            rows.append(
                {
                    "measure": printed.measure,
                    "run": run.name,
                    "query": printed.query or "mean",
                    "printed": printed.value,
                    "recomputed": value,
                    "verdict": verdict(printed.value, value),
                }
            )
    columns = ["measure", "run", "query", "printed", "recomputed", "verdict"]
    return pd.DataFrame(rows, columns=columns)
