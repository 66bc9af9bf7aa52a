"""Cases on which tools disagree, as recorded from the tools themselves."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..arrays import pd
from ..words import number
from .samples import FOLDER

_CLASS = re.compile(r"^[A-Za-z]*(Error|Exception): *|^trec_eval[\w.]*: *")
_ONE_SENTENCE = re.compile(r"\. (?=[A-Z])|trec_eval: ")
_LONGEST = 90
_ROUNDS_TO_0 = 5e-5


@dataclass(frozen=True)
class Case:
    """One case: its documents, and what each tool returned.

    Attributes
    ----------
    documents
        Each document's grade and score; a case about scores has a row a query, one about files has
        none.
    outputs
        What each tool was asked and what it returned, in words.
    """

    title: str
    lesson: str
    documents: pd.DataFrame
    outputs: pd.DataFrame


@cache
def recorded_cases() -> dict[str, Case]:
    """Return all recorded cases by their key in links."""
    recorded = json.loads((FOLDER / "engine_divergences.json").read_text("utf-8"))["cases"]
    return {
        case["id"]: Case(
            case["title"],
            case["lesson"],
            _documents(case["qrels"], case["run"]),
            _outputs(case["outputs"]),
        )
        for case in recorded
    }


def _documents(qrels: Mapping[str, Any], run: Mapping[str, Any]) -> pd.DataFrame:
    if "scores_A" in qrels:
        of_both = {"A": qrels["scores_A"], "B": qrels["scores_B"]}
        return pd.DataFrame(of_both).rename(lambda i: i + 1).rename_axis("query")
    rows = [*_retrieved(qrels, run), *_unretrieved(qrels, run)]
    frame = pd.DataFrame(rows, columns=["query", "document", "grade", "rank in the file", "score"])
    if "raw" not in run:
        frame = frame.drop(columns="rank in the file")
    if frame["query"].nunique() < 2:
        frame = frame.drop(columns="query")
    return frame.set_index("document")


def _retrieved(qrels: Mapping[str, Any], run: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    if "raw" in run:
        for line in run["raw"].splitlines():
            query, _, document, rank, score, _ = line.split()
            yield query, document, _grade(qrels, query, document), int(rank), score
        return
    for query, scores in run.items():
        for document, score in scores.items():
            yield query, document, _grade(qrels, query, document), None, f"{score}"


def _unretrieved(qrels: Mapping[str, Any], run: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    for query, grades in qrels.items():
        # All documents of the cases about files are in the file.
        for document in [] if "raw" in run else grades:
            if document not in run.get(query, {}):
                yield query, document, _grade(qrels, query, document), None, "not retrieved"


def _grade(qrels: Mapping[str, Any], query: str, document: str) -> str:
    grade = qrels.get(query, {}).get(document)
    return "unjudged" if grade is None else f"{grade:g}"


def _outputs(outputs: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    rows = [
        {
            "tool": output["engine"],
            "result": in_words(output["value"]),
            "asked for": output["call"],
            "how": "run" if output["executed"] else "read from its source",
        }
        for output in outputs
    ]
    return pd.DataFrame(rows).set_index("tool")


def in_words(value: Any) -> str:
    """Return what a tool returned: numbers with their names, or its error.

    Examples
    --------
    >>> in_words({"q1": {"map": 1.0, "P_5": 0.2}})
    'map 1.0000, P_5 0.2000'
    >>> in_words([0.5, "NaN"])
    '0.5000, not a number'
    >>> in_words({"error": "ValueError: Input contains NaN."})
    'error: Input contains NaN'
    """
    if isinstance(value, list):
        return ", ".join(map(in_words, value))
    if isinstance(value, dict):
        return _named(value)
    if isinstance(value, str):
        return "not a number" if value == "NaN" else value
    return f"{value:.1e}" if 0 < abs(value) < _ROUNDS_TO_0 else number(value)


def _named(values: dict[str, Any]) -> str:
    if error := values.get("error", values.get("stderr")):
        return f"error: {_plainly(error)}"
    if list(values) == ["q1"]:
        return in_words(values["q1"])
    nested = any(isinstance(value, dict) for value in values.values())
    parts = [
        f"{name}{':' if isinstance(value, dict) else ''} {in_words(value)}"
        for name, value in values.items()
    ]
    return ("; " if nested else ", ").join(parts)


def _plainly(error: str) -> str:
    """Return the first sentence of an error, without its class and the program's name."""
    if "non-zero exit status" in error:
        return "it stops without a message"
    if error.startswith("KeyError"):
        return f"{_CLASS.sub('', error)} is missing"
    sentence = _ONE_SENTENCE.split(_CLASS.sub("", error))[0].rstrip(".,")
    if len(sentence) > _LONGEST:
        sentence = f"{sentence[:_LONGEST]}…"
    return sentence or "it stops without a message"
