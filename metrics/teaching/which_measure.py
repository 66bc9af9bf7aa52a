"""Choose a measure: a few questions that lead to a recommendation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from string import ascii_lowercase

from ..errors import RankscopeError


@dataclass(frozen=True)
class Advice:
    """A recommendation: the measure to report, a second one beside it, and the reason."""

    measure: str
    beside: str
    why: str

    def at(self, k: int) -> Advice:
        """Return the advice for one cutoff."""
        return Advice(*(part.format(k=k) for part in (self.measure, self.beside, self.why)))


@dataclass(frozen=True)
class Question:
    """A question with its answers; each leads to another question or to advice."""

    text: str
    answers: Mapping[str, Question | Advice | int]


_GRADED = Question(
    "Are the judgments graded, with more than two levels?",
    {
        "Yes": Advice(
            "nDCG@{k}",
            "P@{k}",
            "Both grades and ranks count, and 1 means the best possible order.",
        ),
        "No, relevant or not": Question(
            "Is one good answer enough?",
            {
                "Yes": Advice(
                    "RR@{k}",
                    "Success@1",
                    "Only the first relevant document counts; everything after it is ignored.",
                ),
                "No, several are wanted": Advice(
                    "AP@{k}",
                    "P@{k}",
                    "Every relevant document counts, and more so the higher it is ranked.",
                ),
            },
        ),
    },
)
START = Question(
    "Must every relevant document be found?",
    {
        "Yes: a miss is costly (law, medicine, a first stage)": Advice(
            "R@{k}",
            "AP@{k}",
            "Recall falls with each relevant document that is missing, AP also with a low one. "
            "If more than k documents are relevant, recall cannot reach 1, but RCap@{k} can.",
        ),
        "No: the first results are enough (the web, a shop)": Question(
            "Does the order inside the top k matter?",
            {
                "Yes": _GRADED,
                "No, the top k are used as a set": Question(
                    "Is one relevant document among them enough?",
                    {
                        "Yes": Advice(
                            "Success@{k}",
                            "P@{k}",
                            "One hit gives the full score; its rank and further hits add nothing.",
                        ),
                        "No": Advice(
                            "P@{k}",
                            "R@{k}",
                            "The share of the shown documents that are relevant; others lower it.",
                        ),
                    },
                ),
            },
        ),
    },
)

DEPTHS = {
    "a few answers, read aloud or pasted": 3,
    "the context of a language model": 5,
    "a result page": 10,
    "a list that is scrolled": 20,
    "candidates for a reranker": 100,
}
"""The cutoff, by how the results are used."""

USE = Question("How will the results be used?", DEPTHS)
"""The last question, which chooses the cutoff."""


@dataclass(frozen=True)
class Path:
    """The answers given so far, and where they lead.

    Attributes
    ----------
    answered
        The questions with the answers chosen.
    question
        The next question; None at the end.
    advice
        The recommendation for a cutoff; None before the end.
    """

    answered: tuple[tuple[Question, str], ...]
    question: Question | None
    advice: Advice | None


def follow(choice: str) -> Path:
    """Return the path of a choice, such as ``b-a-a-c``: the letters of the answers in order.

    Raises RankscopeError when an answer does not exist.

    Examples
    --------
    >>> follow("b").question.text
    'Does the order inside the top k matter?'
    >>> follow("b-a-a-c").advice.measure
    'nDCG@10'
    """
    answered: list[tuple[Question, str]] = []
    question: Question | None = START
    advice: Advice | None = None
    for letter in choice.split("-") if choice else []:
        places = dict(zip(ascii_lowercase, question.answers if question else (), strict=False))
        if question is None or letter not in places:
            raise RankscopeError("Expected the letters of answers, such as b-a-a-c.")
        answered.append((question, places[letter]))
        step = question.answers[places[letter]]
        match step:
            case Question():
                question = step
            case Advice():
                question, advice = USE, step
            case int() if advice:
                question, advice = None, advice.at(step)
    return Path(tuple(answered), question, advice if question is None else None)


USES: dict[str, tuple[str, str, str]] = {
    "A page that is known to exist": ("RR", "Success@1", "Only the first right result counts."),
    "Question answering": ("RR@10", "Success@1", "One right passage ends the search."),
    "Web or site search": ("nDCG@10", "P@10", "A page of graded results."),
    "Suggestions while typing": ("RR@5", "Success@1", "The first match ends the typing."),
    "Candidates for a reranker": ("R@100", "nDCG@10", "What is missing cannot be reranked."),
    "Legal discovery": ("R@100", "AP", "A missed document is a risk."),
    "Recommendation": ("nDCG@5", "P@5", "A few slots, all of them seen."),
    "Fact checking": ("Success@3", "RR", "One piece of evidence is enough."),
    "Retrieval for generation": ("R@5", "P@5", "A missing passage cannot be used, others mislead."),
}
"""The measure to report, a second one beside it, and the reason, by application."""
