"""What a scene of the story shows for one value of its control: rows or a curve, and a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..conventions.convention import TREC_EVAL, Convention
from ..conventions.gains import DISCOUNTS, gain_function
from ..editing.edits import best_first, move
from ..editing.hand_ranking import Entry, HandRanking
from ..scoring.expressions import equals
from ..scoring.naming import parse
from ..writing.labels import LABELS
from .samples import catalogue

if TYPE_CHECKING:
    import pandas as pd

SAMPLE = "laptop"
K = 5
"""The cutoff of the story's score, and the number of documents in its list."""
SCORE = f"nDCG@{K}"
"""The score that the story explains."""
DEEPEST = 20
"""The last rank on the curve of the discount."""
Look = Literal["plain", "picked", "out"]
EXPONENTIAL = Convention(gain="exponential")


@dataclass(frozen=True)
class Row:
    """One bar: its label, the text beside it, where it starts, and how long it is.

    Attributes
    ----------
    look
        ``"picked"``: the bar that the control changes; ``"out"``: it does not count.
    limit
        The highest length that was possible, drawn as an outline.
    """

    label: str
    text: str
    length: float
    start: float = 0.0
    look: Look = "plain"
    limit: float | None = None


@dataclass(frozen=True, eq=False)
class View:
    """What a scene shows.

    Attributes
    ----------
    sentence
        What the control did to the numbers.
    rows
        The bars, from top to bottom; empty where the scene shows the curve of the discount.
    most
        The length at which the axis of the bars ends.
    table
        The same numbers as a table.
    convention
        The convention of the numbers.
    at
        The rank marked on the curve.
    """

    sentence: str
    rows: tuple[Row, ...]
    most: float
    table: pd.DataFrame
    convention: Convention = TREC_EVAL
    at: int = 0


@cache
def laptop() -> HandRanking:
    """Return the list of the story, with its grades."""
    dataset = catalogue()[SAMPLE].load()
    return HandRanking.from_run(dataset.qrels, dataset.runs[0], dataset.qrels.queries[0])


def low() -> Entry:
    """Return the relevant document that gains most ranks in the ideal order.

    Examples
    --------
    >>> low().document
    'MacBook Pro for Developers'
    """
    relevant = [entry for entry in laptop().retrieved if entry.grade]
    return max(relevant, key=lambda entry: rank_of(entry) - rank_of(entry, best_first(laptop())))


def query() -> str:
    """Return the words of the query."""
    return catalogue()[SAMPLE].load().query_texts[laptop().query]


def earned(rank: int) -> float:
    """Return what the low document contributes at a rank."""
    return gain(low().grade or 0.0) / discount(rank)


def rank_of(entry: Entry, ranking: HandRanking | None = None) -> int:
    """Return the rank of a document, in the list of the story or another."""
    return (ranking or laptop()).retrieved.index(entry) + 1


def lines(
    measure: str, ranking: HandRanking | None = None, convention: Convention = TREC_EVAL
) -> pd.DataFrame:
    """Return the lines of the list, or of another ranking, under a measure."""
    ranking = ranking or laptop()
    return ranking.ledger(measure, convention).table(ranking.query)


def each(table: pd.DataFrame) -> list[dict[Any, Any]]:
    """Return the lines of a table one by one, rank 1 first, each by the names of its columns."""
    return table.reset_index().to_dict("records")


def value(measure: str, ranking: HandRanking | None = None) -> float:
    """Return the score of the list, or of another ranking, under a measure."""
    ranking = ranking or laptop()
    return ranking.ledger(measure).score(ranking.query)


def discount(rank: int) -> float:
    """Return the divisor of a gain at a rank."""
    return float(DISCOUNTS[TREC_EVAL.discount].divisor(np.array([rank]))[0])


def gain(grade: float, convention: Convention = TREC_EVAL) -> float:
    """Return the gain of a grade."""
    return float(gain_function(convention.gain)(np.array([grade]))[0])


def grades(rank: int) -> View:
    """Return the grades of the list, with the low document moved to a rank."""
    moved = move(laptop(), low().document, rank)
    name, grade = low().document, low().grade
    table = lines(f"DCG@{K}", moved)
    return View(
        f"{name} is at rank {rank} now. Its grade is still {grade:g}.",
        tuple(
            Row(
                f"{line['rank']}  {line['document']}",
                f"grade {line['grade']:g}",
                float(line["grade"]),
                look="picked" if line["document"] == name else "plain",
            )
            for line in each(table)
        ),
        max(moved.grades.values()),
        table[["document", "grade"]],
    )


def gains(rule: str) -> View:
    """Return the gains of the list under a rule of gain."""
    convention = Convention(gain=rule)
    table = lines(f"DCG@{K}", convention=convention)
    best = max(each(table), key=lambda line: line["grade"])
    return View(
        f"Under this rule a grade of {best['grade']:g} has a gain of {best['gain']:g}.",
        tuple(
            Row(_ranked(line), f"gain {line['gain']:g}", float(line["gain"]))
            for line in each(table)
        ),
        gain(max(laptop().grades.values()), EXPONENTIAL),
        table[["document", "grade", "gain"]],
        convention,
    )


def curve(rank: int) -> View:
    """Return the discount of each rank, with one marked."""
    import pandas as pd

    ranks = range(1, DEEPEST + 1)
    divisors = [discount(each) for each in ranks]
    table = pd.DataFrame(
        {"discount": divisors, "counts, %": [100 / each for each in divisors]},
        index=pd.Index(ranks, name="rank"),
    )
    counted = 100 / discount(rank)
    sentence = (
        f"At rank {rank} a gain is divided by {discount(rank):.3f}: {counted:.1f} % of it counts."
    )
    return View(sentence, (), max(divisors), table, at=rank)


def sums(last: int) -> View:
    """Return the contributions down to a rank, each starting where the one before ended."""
    table = lines(f"DCG@{K}")
    line = each(table)[last - 1]
    quotient, worth = f"{line['gain']:g} ÷ {line['log2']:.3f}", f"{line['contribution']:.4f}"
    sentence = (
        f"Rank {last} adds {quotient} {equals(quotient, worth)} {worth}. "
        f"The sum is {line['running']:.4f}."
    )
    total = Row(f"Sum to rank {last}", f"{line['running']:.4f}", float(line["running"]))
    rows = (*_steps(table, last, picked=last, below="not added yet"), total)
    return View(sentence, rows, _most(), _twin(table))


def orders(order: str) -> View:
    """Return the contributions in the list's own order, or in the ideal order."""
    ideal = order == "ideal"
    table = lines(f"DCG@{K}", best_first(laptop()) if ideal else None)
    total = each(table)[-1]["running"]
    sentence = (
        f"The highest grades come first. The sum is {total:.4f}, the ideal DCG@{K} (IDCG@{K})."
        if ideal
        else f"In the order of the list the sum is {total:.4f}, its DCG@{K}."
    )
    name = f"{'IDCG' if ideal else 'DCG'}@{K}"
    # Marked in the list's own order, it would give the answer to the scene's question away.
    picked = low().document if ideal else ""
    rows = (*_steps(table, K, picked), Row(name, f"{total:.4f}", total))
    return View(sentence, rows, _most(), _twin(table))


def ratio(rank: int) -> View:
    """Return DCG and its share of the ideal, with the low document at a rank."""
    moved = move(laptop(), low().document, rank)
    table, (_score, dcg, idcg) = lines(f"DCG@{K}", moved), _parts(moved, K)
    worth = earned(rank_of(low(), moved))
    return View(
        f"It adds {worth:.4f}. DCG@{K} is {dcg:.4f}; IDCG@{K} stays {idcg:.4f}.",
        (*_steps(table, K, low().document), _total(moved, K)),
        _most(),
        _twin(table),
    )


def cutoffs(k: int) -> View:
    """Return DCG and its share of the ideal at a cutoff."""
    _score, dcg, idcg = _parts(laptop(), k)
    rows = (*_steps(lines(f"DCG@{K}"), k), _total(laptop(), k))
    return View(
        f"The top {k} of the list add up to {dcg:.4f}, of the ideal order to {idcg:.4f}.",
        rows,
        _most(),
        _twin(lines(f"DCG@{k}")),
    )


OTHERS = {
    "nDCG": "DCG ÷ IDCG",
    "P": "precision: relevant, of the top k",
    "R": "recall: found, of all relevant",
    "F1": "harmonic mean of P and R",
    "AP": "average precision at relevant ranks",
    "RR": "1 ÷ rank of the first relevant",
}
"""The measures of the last scene, each in a few words."""


def others(k: int) -> View:
    """Return several measures at one cutoff."""
    import pandas as pd

    scores = {f"{symbol}@{k}": value(f"{symbol}@{k}") for symbol in OTHERS}
    words = list(OTHERS.values())
    table = pd.DataFrame(
        {"value": list(scores.values()), "meaning": words},
        index=pd.Index(list(scores), name="measure"),
    )
    relevant = sum((entry.grade or 0) >= TREC_EVAL.level for entry in laptop().retrieved[:k])
    rows = tuple(
        Row(f"{name}  {meaning}", f"{score:.4f}", score, look="plain" if place else "picked")
        for place, ((name, score), meaning) in enumerate(zip(scores.items(), words, strict=True))
    )
    total = sum(grade >= TREC_EVAL.level for grade in laptop().grades.values())
    sentence = f"{relevant} of the top {k} are relevant; {total} are relevant in all."
    return View(sentence, rows, 1.0, table)


def _ranked(line: dict[Any, Any]) -> str:
    return f"{line['rank']}  {line['document']}, grade {line['grade']:g}"


def _steps(
    table: pd.DataFrame, counted: int, picked: str | int = "", below: str = "not counted"
) -> Iterator[Row]:
    """Yield a bar for each contribution; ranks below the last that counts have none.

    ``picked``: the document or the rank to mark; ``below``: the words at those ranks.
    """
    for line in each(table):
        worth, end = float(line["contribution"]), float(line["running"])
        if line["rank"] > counted:
            yield Row(_ranked(line), below, 0.0, end - worth, "out")
        else:
            look: Look = "picked" if picked in (line["rank"], line["document"]) else "plain"
            yield Row(_ranked(line), f"+{worth:.4f}", worth, end - worth, look)


def _total(ranking: HandRanking, k: int) -> Row:
    score, dcg, idcg = _parts(ranking, k)
    quotient, shown = f"{dcg:.4f} ÷ {idcg:.4f}", f"{score:.4f}"
    return Row(f"nDCG@{k} {equals(quotient, shown)} {quotient}", shown, dcg, limit=idcg)


def _parts(ranking: HandRanking, k: int) -> tuple[float, float, float]:
    """Return nDCG, DCG and IDCG at a cutoff."""
    ledger = ranking.ledger(parse(f"nDCG@{k}"))
    dcg, idcg = (part.score(ranking.query) for part in ledger.parts)
    return ledger.score(ranking.query), dcg, idcg


def _most() -> float:
    return _parts(laptop(), K)[2]


def _twin(table: pd.DataFrame) -> pd.DataFrame:
    return table.drop(columns="discount").rename(columns=LABELS)
