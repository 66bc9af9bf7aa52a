"""Exercises with binary relevance: precision, recall, F1, RR, AP."""

from dataclasses import replace

from ...scoring.naming import parse
from . import mistakes
from .blanks import Hints, Number
from .draw import Draw, Level
from .exercise import Exercise, list_of, score
from .mistakes import Plain


def _binary(level: Level) -> Level:
    """Return the level with grades 0 and 1 and one more document, if it is the first level."""
    return level if level.missed else replace(level, highest=1, ranked=level.ranked + 1)


def sets(draw: Draw, level: Level) -> Exercise | None:
    """Return an exercise on precision, recall and F1 of the top k."""
    level = _binary(level)
    ranking, k = draw.ranking(level), 2 + draw.below(level.ranked - 2)
    plain = Plain.of(ranking, k)
    if not plain.hits_in_top or k == plain.relevant or len(plain.hits_in_top) == len(plain.hits):
        return None
    wrong = {"P": mistakes.precision, "R": mistakes.recall, "F1": mistakes.f1}
    measures = tuple(parse(f"{symbol}@{k}") for symbol in wrong)
    blanks = tuple(
        Number(str(measure), score(ranking, measure), of(plain), 1.0, hints)
        for measure, of, hints in zip(measures, wrong.values(), _of_sets(plain), strict=True)
    )
    question = f"Work out precision, recall and F1 of the top {k}."
    return Exercise(question, list_of(ranking), blanks, {"": ranking}, measures)


def _of_sets(plain: Plain) -> tuple[Hints, Hints, Hints]:
    """Return the hints to precision, recall and F1."""
    k, hits = plain.k, len(plain.hits_in_top)
    p, r = f"{hits}/{k}", f"{hits}/{plain.relevant}"
    return (
        Hints(
            f"Count the documents in the top {k} with a grade of at least 1.",
            f"P@{k} = relevant documents in the top {k} ÷ {k}",
            p,
        ),
        Hints(
            "Count all relevant documents too, retrieved or not.",
            f"R@{k} = relevant documents in the top {k} ÷ all relevant documents",
            r,
        ),
        Hints(
            f"F1@{k} needs P@{k} and R@{k} only.",
            "F1 = 2 · P · R ÷ (P + R)",
            f"2 · {p} · {r} ÷ ({p} + {r})",
        ),
    )


def first(draw: Draw, level: Level) -> Exercise | None:
    """Return an exercise on reciprocal rank."""
    level = _binary(level)
    ranking, measure = draw.ranking(level), parse("RR")
    plain = Plain.of(ranking, level.ranked)
    if len(plain.hits) < 2 or plain.hits[0] == 1:
        return None
    if level.unjudged and not any(plain.unjudged[: plain.hits[0]]):
        return None
    hints = Hints(
        "Go down from rank 1 to the first document with a grade of at least 1.",
        "RR = 1 ÷ rank of the first relevant document",
        f"1/{plain.hits[0]}",
    )
    blank = Number("RR", score(ranking, measure), mistakes.reciprocal_rank(plain), 1.0, hints)
    question = "Work out the reciprocal rank, RR."
    return Exercise(question, list_of(ranking), (blank,), {"": ranking}, (measure,))


def average(draw: Draw, level: Level) -> Exercise | None:
    """Return an exercise on average precision."""
    level = _binary(level)
    ranking, measure = draw.ranking(level), parse("AP")
    plain = Plain.of(ranking, level.ranked)
    if len(plain.hits) < 2 or plain.hits == list(range(1, len(plain.hits) + 1)):
        return None
    if level.missed and plain.relevant == len(plain.hits):
        return None
    precisions = [f"{number}/{rank}" for number, rank in enumerate(plain.hits, 1)]
    hints = Hints(
        f"Only the ranks with a relevant document count: {', '.join(map(str, plain.hits))}.",
        "AP = sum of the precision at these ranks ÷ all relevant documents",
        f"({' + '.join(precisions)}) ÷ {plain.relevant}",
    )
    blank = Number("AP", score(ranking, measure), mistakes.average_precision(plain), 1.0, hints)
    question = "Work out the average precision, AP."
    return Exercise(question, list_of(ranking), (blank,), {"": ranking}, (measure,))
