"""What a scene of the story shows for one value of its control: the list, a score, a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ..arrays import pd
from ..conventions.convention import TREC_EVAL, Convention
from ..conventions.gains import DISCOUNTS, gain_function
from ..editing.edits import best_first, move
from ..editing.hand_ranking import Entry, HandRanking
from ..measures.ledger import Ledger
from ..scoring.expressions import equals
from ..writing.ledger_lines import LABELS
from .samples import catalogue

SAMPLE = "laptop"
K = 5
"""The cutoff of the story's score, and the number of documents in its list."""
SCORE = f"nDCG@{K}"
"""The score that the story explains."""
DIGITS = 2
"""The decimals of the story's numbers."""
EXPONENTIAL = Convention(gain="exponential")


@cache
def laptop() -> HandRanking:
    """Return the list of the story, with its grades."""
    dataset = catalogue()[SAMPLE].load()
    return HandRanking.from_run(dataset.qrels, dataset.runs[0], dataset.qrels.queries[0])


class RowBar(NamedTuple):
    """The bar of one row: two shares of the room it has, and the text at its end.

    Attributes
    ----------
    gain
        The pale part: what the document could earn.
    earned
        The full part: what it earns.
    """

    gain: float
    earned: float
    value: str


@dataclass(frozen=True, eq=False)
class View:
    """What a scene shows.

    Attributes
    ----------
    sentence
        What the control did to the numbers.
    ranking
        The list.
    table
        The same numbers as a table.
    ledger
        The score below the list, whose lines are the bars of the rows; None for no score.
    bars
        The bars of the rows, by document, where they are not the lines of a score.
    marked
        The document that the control changes, or none.
    cutoff
        The rank below which a line is drawn.
    measures
        Other scores of the list with their meanings, by measure.
    score
        The name of the score, if it is not that of the measure.
    """

    sentence: str
    table: pd.DataFrame
    ledger: Ledger | None = None
    ranking: HandRanking = field(default_factory=laptop)
    bars: Mapping[str, RowBar] = field(default_factory=dict)
    marked: str = ""
    cutoff: int | None = None
    measures: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    score: str = ""


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


def shown(number: float) -> str:
    """Return a number as the story prints it."""
    return f"{number:.{DIGITS}f}"


def grades(ranking: HandRanking) -> View:
    """Return the grades of the list, in any order."""
    table = lines(f"DCG@{K}", ranking)
    most = max(ranking.grades.values())
    name, grade = low().document, low().grade
    return View(
        f"{name} is at rank {rank_of(low(), ranking)}. Its grade is {grade:g}.",
        table[["document", "grade"]],
        ranking=ranking,
        bars=_bars(table, "grade", most),
        marked=name,
    )


def gains(rule: str) -> View:
    """Return the gains of the list under a rule of gain."""
    convention = Convention(gain=rule)
    table = lines(f"DCG@{K}", convention=convention)
    best, most = max(laptop().grades.values()), gain(max(laptop().grades.values()), EXPONENTIAL)
    return View(
        f"Under this rule a grade of {best:g} has a gain of {gain(best, convention):g}.",
        table[["document", "grade", "gain"]],
        bars=_bars(table, "gain", most),
    )


def _bars(table: pd.DataFrame, column: str, most: float) -> dict[str, RowBar]:
    """Return a bar of each document for a column, whose highest value is ``most``."""
    values = zip(table["document"], table[column], strict=True)
    return {name: RowBar(value / most, value / most, f"{value:g}") for name, value in values}


def shares(rank: int) -> View:
    """Return what each rank leaves of a gain, with one rank marked."""
    table = lines(f"DCG@{K}")
    of_rank = {line["document"]: 1 / discount(line["rank"]) for line in each(table)}
    log, divisor = f"log₂({rank} + 1)", shown(discount(rank))
    return View(
        f"At rank {rank} a gain is divided by {log} {equals(log, divisor)} {divisor}: "
        f"{100 / discount(rank):.0f} % of it counts.",
        table[["document"]].assign(discount=table["log2"], counts=list(of_rank.values())),
        bars={name: RowBar(1.0, share, f"{100 * share:.0f} %") for name, share in of_rank.items()},
        marked=laptop().retrieved[rank - 1].document,
    )


def sums(last: int) -> View:
    """Return the contributions down to a rank, and their sum."""
    table = lines(f"DCG@{K}")
    line = each(table)[last - 1]
    quotient, worth = f"{line['gain']:g} ÷ {line['log2']:.3f}", shown(line["contribution"])
    added = laptop()
    for entry in laptop().retrieved[last:]:
        added = move(added, entry.document, None)
    best = max(line["gain"] for line in each(table))
    return View(
        f"Rank {last} adds {quotient} {equals(quotient, worth)} {worth}. "
        f"The sum is {shown(line['running'])}.",
        _twin(table),
        added.ledger(f"DCG@{K}"),
        bars={
            line["document"]: RowBar(
                line["gain"] / best,
                line["contribution"] / best if line["rank"] <= last else 0.0,
                shown(line["contribution"]) if line["rank"] <= last else "",
            )
            for line in each(table)
        },
        marked=line["document"],
    )


def orders(order: str) -> View:
    """Return the contributions in the list's own order, or in the ideal order."""
    ideal = order == "ideal"
    ranking = best_first(laptop()) if ideal else laptop()
    total = shown(value(f"DCG@{K}", ranking))
    return View(
        f"The highest grades come first. The sum is {total}, the ideal DCG@{K} (IDCG@{K})."
        if ideal
        else f"In the order of the list the sum is {total}, its DCG@{K}.",
        _twin(lines(f"DCG@{K}", ranking)),
        ranking.ledger(f"DCG@{K}"),
        ranking,
        # Marked in the list's own order, it would give the answer to the scene's question away.
        marked=low().document if ideal else "",
        score=f"IDCG@{K}" if ideal else "",
    )


def ratio(ranking: HandRanking) -> View:
    """Return DCG and its share of the ideal, in any order."""
    dcg, idcg = sums_of(ranking, K)
    return View(
        f"In this order DCG@{K} is {dcg}; IDCG@{K} stays {idcg}.",
        _twin(lines(f"DCG@{K}", ranking)),
        ranking.ledger(SCORE),
        ranking,
    )


def cutoffs(k: int) -> View:
    """Return DCG and its share of the ideal at a cutoff."""
    dcg, idcg = sums_of(laptop(), k)
    return View(
        f"The top {k} of the list add up to {dcg}, of the ideal order to {idcg}.",
        _twin(lines(f"DCG@{k}")),
        laptop().ledger(f"nDCG@{k}"),
        cutoff=k,
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
    scores = {f"{symbol}@{k}": value(f"{symbol}@{k}") for symbol in OTHERS}
    words = list(OTHERS.values())
    table = pd.DataFrame(
        {"value": list(scores.values()), "meaning": words},
        index=pd.Index(list(scores), name="measure"),
    )
    relevant = sum((entry.grade or 0) >= TREC_EVAL.level for entry in laptop().retrieved[:k])
    total = sum(grade >= TREC_EVAL.level for grade in laptop().grades.values())
    found = f"All {total}" if relevant == total else f"{relevant} of the {total}"
    return View(
        f"{found} relevant documents are in the top {k}.",
        table,
        laptop().ledger(f"nDCG@{k}"),
        cutoff=k,
        measures=dict(zip(scores, zip(words, scores.values(), strict=True), strict=True)),
    )


def sums_of(ranking: HandRanking, k: int) -> tuple[str, str]:
    """Return DCG and IDCG at a cutoff, as the story prints them."""
    return shown(value(f"DCG@{k}", ranking)), shown(value(f"IDCG@{k}", ranking))


def _twin(table: pd.DataFrame) -> pd.DataFrame:
    return table.drop(columns="discount").rename(columns=LABELS)
