"""The story of one score in eight scenes, each with one idea, one control and one question.

The views of a scene are the list, a score and a sentence, for one value of its control.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ..arrays import pd
from ..conventions.convention import TREC_EVAL, Convention
from ..conventions.gains import DISCOUNTS, gain_function
from ..editing.edits import best_first, move, set_grade, swap
from ..editing.hand_ranking import Entry, HandRanking
from ..measures.ledger import Ledger
from ..scoring.expressions import equals
from ..writing.ledger_lines import LABELS
from .exercises.blanks import WRONG, Blank, Hints, Number, Reply, Selection
from .samples import catalogue

SAMPLE = "laptop"
K = 5
"""The cutoff of the story's score, and the number of documents in its list."""
SCORE = f"nDCG@{K}"
"""The score that the story explains."""
DIGITS = 2
"""The decimals of the story's numbers."""
EXPONENTIAL = Convention(gain="exponential")
_THIRD = 3
_POWER = r"$2^\text{grade} - 1$"


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
        The score beside the list, whose lines are the bars of the rows; None for no score.
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
    is_ruler
        Whether the bars show what each rank leaves of a gain, whoever is there.
    outlined
        Whether the score's bar has an outline, which is the ideal.
    parts, whole
        What fills the bar where no measure does, by document, and what would fill all of it.
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
    is_ruler: bool = False
    outlined: bool = True
    parts: Mapping[str, float] = field(default_factory=dict)
    whole: float = 0


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
    listed = ", ".join(f"{grade:g}" for grade in table["grade"])
    return View(
        f"In this order the grades are {listed}.",
        table[["document", "grade"]],
        ranking=ranking,
        score="sum of the grades, in any order",
        **_summed(table, "grade", max(table["grade"]), table["grade"].sum()),
    )


def gains(rule: str) -> View:
    """Return the gains of the list under a rule of gain."""
    convention = Convention(gain=rule)
    table = lines(f"DCG@{K}", convention=convention)
    given = laptop().grades.values()
    best, gains = max(given), [gain(grade, EXPONENTIAL) for grade in given]
    return View(
        f"Under this rule a grade of {best:g} has a gain of {gain(best, convention):g}.",
        table[["document", "grade", "gain"]],
        score="sum of the gains",
        **_summed(table, "gain", max(gains), sum(gains)),
    )


def _summed(table: pd.DataFrame, column: str, most: float, whole: float) -> dict[str, Any]:
    """Return a bar of each document for a column, whose highest value is ``most``, and their sum's.

    ``whole``: the sum that fills its bar.
    """
    parts = dict(zip(table["document"], table[column], strict=True))
    bars = {name: RowBar(each / most, each / most, f"{each:g}") for name, each in parts.items()}
    return {"bars": bars, "parts": parts, "whole": whole, "outlined": False}


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
        is_ruler=True,
        score=f"of a gain counts at rank {rank}",
        parts={"": 100 / discount(rank)},
        whole=100,
    )


def sums(last: int) -> View:
    """Return the contributions down to a rank, and their sum."""
    table = lines(f"DCG@{K}")
    line = each(table)[last - 1]
    # The divisor rounded to two decimals would give another last digit.
    quotient, worth = f"{line['gain']:g} ÷ log₂({last} + 1)", shown(line["contribution"])
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
        score=f"DCG@{last}",
        outlined=False,
    )


def orders(order: str) -> View:
    """Return the contributions in the list's own order, or in the ideal order."""
    ideal = order == "ideal"
    ranking = best_first(laptop()) if ideal else laptop()
    total = shown(value(f"DCG@{K}", ranking))
    return View(
        f"In the ideal order the sum is {total}, the IDCG@{K}."
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
        marked=low().document,
    )


def cutoffs(k: int) -> View:
    """Return DCG and its share of the ideal at a cutoff."""
    dcg, idcg = sums_of(laptop(), k)
    return View(
        f"The top {k} add up to {dcg}, of the ideal order to {idcg}.",
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
    scores = {f"{of}@{k}": (words, value(f"{of}@{k}")) for of, words in OTHERS.items()}
    table = pd.DataFrame.from_dict(scores, "index", columns=["meaning", "value"])
    relevant = sum((entry.grade or 0) >= TREC_EVAL.level for entry in laptop().retrieved[:k])
    total = sum(grade >= TREC_EVAL.level for grade in laptop().grades.values())
    found = f"All {total}" if relevant == total else f"{relevant} of the {total}"
    return View(
        f"{found} relevant documents are in the top {k}.",
        table[["value", "meaning"]].rename_axis("measure"),
        laptop().ledger(f"nDCG@{k}"),
        cutoff=k,
        measures=scores,
    )


def sums_of(ranking: HandRanking, k: int) -> tuple[str, str]:
    """Return DCG and IDCG at a cutoff, as the story prints them."""
    return shown(value(f"DCG@{k}", ranking)), shown(value(f"IDCG@{k}", ranking))


def _twin(table: pd.DataFrame) -> pd.DataFrame:
    return table.drop(columns="discount").rename(columns=LABELS)


@dataclass(frozen=True)
class Slide:
    """A control: a whole number to slide from 1 to ``last``."""

    label: str
    last: int
    start: int


@dataclass(frozen=True)
class Pick:
    """A control: one of a few options, by their names; the first is the start."""

    label: str
    options: Mapping[str, str]


@dataclass(frozen=True)
class Touch:
    """A control: the list itself, whose rows can be moved; its value is the ranking."""


@dataclass(frozen=True)
class Scene:
    """One scene of the story.

    Attributes
    ----------
    sentences
        The idea, in two or three sentences.
    view
        What the scene shows, for a value of its control.
    question, blank
        The prediction, and the field that checks it.
    """

    title: str
    sentences: str
    control: Slide | Pick | Touch
    view: Callable[[Any], View]
    question: str
    blank: Blank

    def check(self, answer: str) -> Reply:
        """Return the reply to an answer.

        Raises RankscopeError when a number is asked, and the answer is not one.
        """
        reply = self.blank.check(answer)
        return Reply(reply.sign, f"No: {reply.text}" if reply.sign == WRONG else reply.text)


@cache
def scenes() -> tuple[Scene, ...]:
    """Return the scenes in their order.

    Examples
    --------
    >>> [scene.title for scene in scenes()]
    ['Grade', 'Gain', 'Discount', 'Sum', 'Ideal', 'Ratio', 'Cutoff', 'Other measures']
    """
    return (_grade(), _gain(), _discount(), _sum(), _ideal(), _ratio(), _cutoff(), _others())


def ending() -> str:
    """Return why the score is what it is, in one or two sentences."""
    ideal = rank_of(low(), best_first(laptop()))
    here, there = (shown(gain(low().grade or 0) / discount(at)) for at in (rank_of(low()), ideal))
    quotient = f"{shown(value(f'DCG@{K}'))} ÷ {shown(value(f'IDCG@{K}'))}"
    score = shown(value(f"nDCG@{K}"))
    return (
        f"{low().document} (grade {low().grade:g}) is at rank {rank_of(low())}, and adds "
        f"{here}. In the ideal order it is at rank {ideal}, and adds {there}. "
        f"Nothing else is lost, so nDCG@{K} is {quotient} {equals(quotient, score)} {score}."
    )


def _grade() -> Scene:
    given = {f"{grade:g}" for grade in laptop().grades.values()}
    bottom = min(laptop().retrieved, key=lambda entry: entry.grade or 0)
    top = laptop().retrieved[0]
    right = f"{bottom.grade:g}"
    moved = f"a new rank does not change the grade: it stays {right}."
    replies = dict.fromkeys(sorted(given), moved)
    replies[f"{top.grade:g}"] = (
        f"{top.grade:g} is the grade of {top.document}, and belongs to the document, not to the "
        "rank."
    )
    replies[right] = "Right: a grade belongs to the document and the query, at any rank."
    return Scene(
        "Grade",
        f"Somebody searched for “{query()}” and got these {K} results. A judge reads each "
        f"one and gives it a grade, from {min(given)} (no use) to {max(given)} (just right). "
        "Move the results: the grades move along.",
        Touch(),
        grades,
        f"Move {bottom.document} to rank 1. What is its grade then?",
        Selection("Grade", replies, frozenset({right})),
    )


def _gain() -> Scene:
    top = max(laptop().grades.values())
    right = gain(top, EXPONENTIAL)
    wrong = {
        gain(top): "the grade itself, the gain in trec_eval",
        2.0 * top: "twice the grade; here the grade is the exponent of 2",
        right + 1: f"$2^{top:g}$; the rule then subtracts 1, so that grade 0 gains 0",
    }
    replies = {f"{number:g}": f"{number:g} is {words}." for number, words in wrong.items()}
    replies[f"{right:g}"] = (
        f"Right: $2^{top:g} - 1 = {right:g}$, and $2^1 - 1 = 1$. High grades count far more here."
    )
    return Scene(
        "Gain",
        "A rule turns each grade into a gain: what the document is worth at rank 1. In trec_eval, "
        "the reference program of the field, the gain is the grade itself. Some tools use "
        f"{_POWER}.",
        Pick("Gain", {"linear": "the grade", "exponential": _POWER}),
        gains,
        f"Under the second rule, how many results of grade 1 gain as much as one of grade {top:g}?",
        Selection("Gain", {key: replies[key] for key in sorted(replies, key=int)}, _only(right)),
    )


def _discount() -> Scene:
    third = next(rank for rank in range(1, 100) if discount(rank) >= _THIRD)
    replies = {
        f"{rank}": f"at rank {rank} a gain is divided by {shown(discount(rank))}: "
        f"{100 / discount(rank):.0f} % of it counts."
        for rank in (_THIRD, K, third, 10)
    }
    replies[f"{third}"] = (
        f"Right: log₂({third} + 1) = {discount(third):g}, so a third of the gain counts."
    )
    return Scene(
        "Discount",
        "People read from the top, so a useful result counts less further down. Its gain is "
        "divided by log₂(rank + 1): all of it counts at rank 1, and less at each rank below.",
        Slide("Rank", K, 1),
        shares,
        "Longer lists go on like this. At which rank does a third of a gain count?",
        Selection("Rank", replies, _only(third)),
    )


def _sum() -> Scene:
    zero = next(entry for entry in laptop().retrieved if not entry.grade)
    rank, top = rank_of(zero), max(laptop().grades.values())
    raised = set_grade(laptop(), zero.document, top)
    answer = each(lines(f"DCG@{K}", raised))[rank - 1]["contribution"]
    worth, hints = gain(top), Hints("", "", f"{gain(top):g} ÷ log₂({rank} + 1)")
    mistakes = {
        "without the discount": worth,
        "when the gain is divided by the rank": worth / rank,
        "when the gain is divided by rank + 1": worth / (rank + 1),
        "with the discount of the rank above": worth / discount(rank - 1),
        "with the discount of the rank below": worth / discount(rank + 1),
        "for the discount alone": discount(rank),
        f"for its grade of {zero.grade:g}": 0.0,
    }
    return Scene(
        "Sum",
        "Gain ÷ discount is what a document contributes. The contributions add up to DCG, the "
        "discounted cumulative gain: together they fill one bar.",
        Slide("Add up to rank", K, 1),
        sums,
        f"Suppose {zero.document}, at rank {rank}, had a grade of {top:g}. What would it "
        "contribute?",
        Number("Contribution", answer, mistakes, hints=hints, digits=DIGITS),
    )


def _ideal() -> Scene:
    best = best_first(laptop())
    replies, right = {}, set()
    for entry in laptop().retrieved:
        here, there = rank_of(entry), rank_of(entry, best)
        if there < here:
            right.add(f"{here}")
            reply = f"Right: its grade of {entry.grade:g} belongs at rank {there}, not {here}."
        elif there == here:
            reply = f"its grade of {entry.grade:g} is at rank {here} in the ideal order too."
        else:
            reply = f"its grade of {entry.grade:g} is too high already: it belongs at rank {there}."
        replies[f"{here}"] = reply
    return Scene(
        "Ideal",
        "Is the sum good? Compare it with the best order of the judged documents: the highest "
        "grade first, then the next. The DCG of this ideal order is IDCG, the outline of the bar.",
        Pick("Order", {"list": "as ranked", "ideal": "ideal"}),
        orders,
        "In the order as ranked, which rank has a document that should be higher?",
        Selection("Rank", replies, frozenset(right)),
    )


def _ratio() -> Scene:
    doubled = laptop()
    for document, grade in laptop().grades.items():
        doubled = set_grade(doubled, document, 2 * grade)
    before, after = value(f"nDCG@{K}"), value(f"nDCG@{K}", doubled)
    dcg, idcg = sums_of(doubled, K)
    listed = ", ".join(f"{entry.grade:g}" for entry in doubled.retrieved)
    return Scene(
        "Ratio",
        "DCG ÷ IDCG is nDCG, normalised DCG. It is 1 when the order is ideal, whatever the grades "
        "are, so lists of different queries can be compared. Move the results: can you reach 1?",
        Touch(),
        ratio,
        f"In the first order every grade is doubled, to {listed}. What happens to nDCG@{K}?",
        _change(before, after, f"DCG is {dcg}, IDCG is {idcg}: nDCG@{K} is still {shown(after)}."),
    )


def _cutoff() -> Scene:
    worst = min(range(2, K + 1), key=lambda k: value(f"nDCG@{k}"))
    before, after = value(f"nDCG@{worst - 1}"), value(f"nDCG@{worst}")
    here = laptop().retrieved[worst - 1]
    best = best_first(laptop()).retrieved[worst - 1]
    return Scene(
        "Cutoff",
        f"nDCG@{K} counts only the top {K} ranks, of the list and of the ideal order. The number "
        "after @ is the cutoff k. Choose it by how far your readers look.",
        Slide("Cutoff k", K, K),
        cutoffs,
        f"The cutoff goes from {worst - 1} to {worst}. What happens to nDCG?",
        _change(
            before,
            after,
            f"rank {worst} has grade {here.grade:g} in the list and {best.grade:g} in the ideal "
            f"order, so nDCG goes from {shown(before)} to {shown(after)}.",
        ),
    )


def _others() -> Scene:
    ideal = rank_of(low(), best_first(laptop()))
    swapped = swap(laptop(), ideal, rank_of(low()))
    replies, right = {}, set()
    for measure in (f"{symbol}@{K}" for symbol in OTHERS if symbol not in ("nDCG", "F1")):
        before, after = value(measure), value(measure, swapped)
        if before == after:
            replies[measure] = f"{measure} stays {shown(after)}: {_UNMOVED[measure.split('@')[0]]}."
        else:
            right.add(measure)
            replies[measure] = (
                f"Right: {measure} goes from {shown(before)} to {shown(after)}, because the order "
                "of the relevant documents matters to it."
            )
    return Scene(
        "Other measures",
        "Other measures read the same list in other ways. Most of them know only relevant or not; "
        f"in trec_eval a document is relevant from grade {TREC_EVAL.level:g}.",
        Slide("Cutoff k", K, K),
        others,
        f"The documents at ranks {ideal} and {rank_of(low())} are swapped. Which of these changes?",
        Selection("Measure", replies, frozenset(right)),
    )


_COUNTS = "it counts the relevant documents in the top k, in any order"
_UNMOVED = {"P": _COUNTS, "R": _COUNTS, "RR": "it sees only the first relevant document"}
"""Why a measure does not change, by its symbol."""


def _change(before: float, after: float, reason: str) -> Selection:
    """Return the question whether a value rises, stays or falls."""
    ways = {1: "It rises", 0: "It stays", -1: "It falls"}
    # Sums of the same terms can differ in their last digits.
    right = ways[int(np.sign(round(after - before, 9)))]
    replies = {way: f"Right: {reason}" if way == right else reason for way in ways.values()}
    return Selection("Change", replies, frozenset({right}))


def _only(number: float) -> frozenset[str]:
    return frozenset({f"{number:g}"})
