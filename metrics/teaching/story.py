"""The story of one score in eight scenes, each with one idea, one control and one question."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..conventions.convention import TREC_EVAL
from ..editing.edits import best_first, set_grade, swap
from ..scoring.expressions import equals
from . import story_views as views
from .exercises.blanks import RIGHT, WRONG, Blank, Number, Reply, Selection
from .story_views import EXPONENTIAL, K, View, gain, laptop, low, rank_of, shown, value

_DOUBLED = 2
_NEW_GRADE = 4
_THIRD = 3
_POWER = r"$2^\text{grade} - 1$"


@dataclass(frozen=True)
class Slide:
    """A control: a whole number to slide from ``first`` to ``last``."""

    label: str
    first: int
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
    why
        The reason of the right answer, if the field's own reply does not give one.
    """

    title: str
    sentences: str
    control: Slide | Pick | Touch
    view: Callable[[Any], View]
    question: str
    blank: Blank
    why: str = ""

    def check(self, answer: str) -> Reply:
        """Return the reply to an answer.

        Raises
        ------
        RankscopeError
            When a number is asked, and the answer is not one.
        """
        reply = self.blank.check(answer)
        words = {RIGHT: f"{reply.text} {self.why}".strip(), WRONG: f"No: {reply.text}"}
        return Reply(reply.sign, words.get(reply.sign, reply.text))


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
    here, there = shown(views.earned(rank_of(low()))), shown(views.earned(ideal))
    quotient = f"{shown(value(f'DCG@{K}'))} ÷ {shown(value(f'IDCG@{K}'))}"
    score = shown(value(f"nDCG@{K}"))
    return (
        f"{low().document} (grade {low().grade:g}) is at rank {rank_of(low())}, and adds "
        f"{here}. In the ideal order it is at rank {ideal}, and adds {there}. "
        f"Nothing else is lost, so nDCG@{K} is {quotient} {equals(quotient, score)} {score}."
    )


def _grade() -> Scene:
    grades = {f"{grade:g}" for grade in laptop().grades.values()}
    bottom = min(laptop().retrieved, key=lambda entry: entry.grade or 0)
    top = laptop().retrieved[0]
    right = f"{bottom.grade:g}"
    moved = f"a new rank does not change the grade: it stays {right}."
    replies = dict.fromkeys(sorted(grades), moved)
    replies[f"{top.grade:g}"] = (
        f"{top.grade:g} is the grade of {top.document}, and belongs to the document, not to the "
        "rank."
    )
    replies[right] = "Right: a grade belongs to the document and the query, at any rank."
    return Scene(
        "Grade",
        f"Somebody searched for “{views.query()}” and got these {K} results. A judge reads each "
        f"one and gives it a grade, from {min(grades)} (no use) to {max(grades)} (just right). "
        "Move the results: the grades move along.",
        Touch(),
        views.grades,
        f"{bottom.document} moves from rank {rank_of(bottom)} to rank 1. What is its grade then?",
        Selection("Grade", replies, frozenset({right})),
    )


def _gain() -> Scene:
    right = gain(_NEW_GRADE, EXPONENTIAL)
    wrong = {
        gain(_NEW_GRADE): "the grade itself, the gain in trec_eval",
        2.0 * _NEW_GRADE: "twice the grade; here the grade is the exponent of 2",
        right + 1: f"$2^{_NEW_GRADE}$; the rule then subtracts 1, so that grade 0 gains 0",
    }
    replies = {f"{number:g}": f"{number:g} is {words}." for number, words in wrong.items()}
    replies[f"{right:g}"] = (
        f"Right: $2^{_NEW_GRADE} - 1 = {right:g}$. High grades count far more under this rule."
    )
    return Scene(
        "Gain",
        "A rule turns each grade into a gain: what the document is worth at rank 1. In trec_eval, "
        "the reference program of the field, the gain is the grade itself. Some tools use "
        f"{_POWER}.",
        Pick("Gain", {"linear": "the grade", "exponential": _POWER}),
        views.gains,
        f"Under the second rule, what is the gain of a grade of {_NEW_GRADE}?",
        Selection("Gain", {key: replies[key] for key in sorted(replies, key=int)}, _only(right)),
    )


def _discount() -> Scene:
    third = next(rank for rank in range(1, 100) if views.discount(rank) >= _THIRD)
    replies = {
        f"{rank}": f"at rank {rank} a gain is divided by {shown(views.discount(rank))}: "
        f"{100 / views.discount(rank):.0f} % of it counts."
        for rank in (_THIRD, K, third, 10)
    }
    replies[f"{third}"] = (
        f"Right: log₂({third} + 1) = {views.discount(third):g}, so a third of the gain counts."
    )
    return Scene(
        "Discount",
        "People read from the top, so a useful result counts less further down. Its gain is "
        "divided by log₂(rank + 1): all of it counts at rank 1, and less at each rank below.",
        Slide("Rank", 1, K, 1),
        views.shares,
        "The list goes on below. At which rank does a third of a gain count?",
        Selection("Rank", replies, _only(third)),
    )


def _sum() -> Scene:
    zero = next(entry for entry in laptop().retrieved if not entry.grade)
    rank, top = rank_of(zero), max(laptop().grades.values())
    raised = set_grade(laptop(), zero.document, top)
    answer = views.each(views.lines(f"DCG@{K}", raised))[rank - 1]["contribution"]
    worth = gain(top)
    mistakes = {
        "without the discount": worth,
        "when the gain is divided by the rank": worth / rank,
        "when the gain is divided by rank + 1": worth / (rank + 1),
        "with the discount of the rank above": worth / views.discount(rank - 1),
        "with the discount of the rank below": worth / views.discount(rank + 1),
        f"for its grade of {zero.grade:g}": 0.0,
    }
    return Scene(
        "Sum",
        "Gain ÷ discount is what a document contributes. The contributions add up to DCG, the "
        "discounted cumulative gain: together they fill the bar below the list.",
        Slide("Add up to rank", 1, K, 1),
        views.sums,
        f"Suppose {zero.document}, at rank {rank}, had a grade of {top:g}. What would it "
        "contribute?",
        Number("Contribution", answer, mistakes),
        f"Its gain of {worth:g} is divided by log₂({rank} + 1) = {views.discount(rank):g}.",
    )


def _ideal() -> Scene:
    best = best_first(laptop())
    replies, right = {}, set()
    for entry in laptop().retrieved:
        here, there = rank_of(entry), rank_of(entry, best)
        if there < here:
            right.add(entry.document)
            reply = f"Right: its grade of {entry.grade:g} belongs at rank {there}, not {here}."
        elif there == here:
            reply = f"its grade of {entry.grade:g} is at rank {here} in the ideal order too."
        else:
            reply = f"its grade of {entry.grade:g} is too high already: it belongs at rank {there}."
        replies[entry.document] = reply
    return Scene(
        "Ideal",
        "Is the sum good? Compare it with the best order of the judged documents: the highest "
        "grade first, then the next. The DCG of this ideal order is IDCG, the outline of the bar.",
        Pick("Order", {"list": "as ranked", "ideal": "ideal"}),
        views.orders,
        "Which document should be higher up than it is?",
        Selection("Document", replies, frozenset(right)),
    )


def _ratio() -> Scene:
    doubled = laptop()
    for document, grade in laptop().grades.items():
        doubled = set_grade(doubled, document, _DOUBLED * grade)
    before, after = value(f"nDCG@{K}"), value(f"nDCG@{K}", doubled)
    dcg, idcg = views.sums_of(doubled, K)
    listed = ", ".join(f"{entry.grade:g}" for entry in doubled.retrieved)
    return Scene(
        "Ratio",
        "DCG ÷ IDCG is nDCG, normalised DCG. It is 1 when the order is ideal, whatever the grades "
        "are, so lists of different queries can be compared. Move the results: can you reach 1?",
        Touch(),
        views.ratio,
        f"Every grade is doubled, to {listed}. What happens to nDCG@{K}?",
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
        Slide("Cutoff k", 1, K, K),
        views.cutoffs,
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
    for measure in (f"{symbol}@{K}" for symbol in views.OTHERS if symbol not in ("nDCG", "F1")):
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
        Slide("Cutoff k", 1, K, K),
        views.others,
        f"The documents at ranks {ideal} and {rank_of(low())} are swapped. Which of these changes?",
        Selection("Measure", replies, frozenset(right)),
    )


_UNMOVED = {
    "P": "it counts the relevant documents in the top k, in any order",
    "R": "it counts the relevant documents in the top k, in any order",
    "RR": "it sees only the first relevant document",
}
"""Why a measure does not change, by its symbol."""


def _change(before: float, after: float, reason: str) -> Selection:
    """Return the question whether a value rises, stays or falls."""
    ways: Sequence[tuple[str, bool]] = (
        ("It rises", after > before + _SAME),
        ("It stays", abs(after - before) <= _SAME),
        ("It falls", after < before - _SAME),
    )
    replies = {way: f"Right: {reason}" if right else reason for way, right in ways}
    return Selection("Change", replies, frozenset(way for way, right in ways if right))


_SAME = 1e-9
"""Two scores that differ by at most this are equal."""


def _only(number: float) -> frozenset[str]:
    return frozenset({f"{number:g}"})
