"""Which measure? A few questions that end in a recommendation."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Advice:
    """A recommendation: the measure to report, one to report beside it, and why."""

    measure: str
    beside: str
    why: str


@dataclass(frozen=True)
class Question:
    """A question with its answers, each leading to another question or to advice."""

    text: str
    answers: dict[str, Question | Advice]


_GRADED = Question(
    "Are the judgments graded (more than relevant or not)?",
    {
        "Yes": Advice(
            "nDCG@{k}",
            "P@{k}",
            "Grades and positions both count, and 1 means the best possible order.",
        ),
        "No, relevant or not": Question(
            "Does one good answer settle the matter?",
            {
                "Yes": Advice(
                    "RR@{k}",
                    "Success@1",
                    "Only the first relevant document counts; what follows it is not seen.",
                ),
                "No, several are wanted": Advice(
                    "AP@{k}",
                    "P@{k}",
                    "Each relevant document counts, the more the higher it stands.",
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
            "P@{k}",
            "Recall counts what is missing. Where more than k documents are relevant it cannot "
            "reach 1; RCap@{k} divides by what fits.",
        ),
        "No": Question(
            "Does the order inside the top k matter?",
            {
                "Yes": _GRADED,
                "No, the top k are used as a set": Question(
                    "Is one relevant document among them enough?",
                    {
                        "Yes": Advice(
                            "Success@{k}",
                            "P@{k}",
                            "A hit is a hit; neither its place nor a second one adds anything.",
                        ),
                        "No": Advice(
                            "P@{k}",
                            "R@{k}",
                            "The share of the shown documents that is relevant; noise costs.",
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
"""How many documents are looked at, by who looks."""

USES: dict[str, tuple[str, str, str]] = {
    "Question answering": ("RR@10", "Success@1", "one right passage ends the search"),
    "Web or site search": ("nDCG@10", "P@10", "a page of graded results"),
    "Legal discovery": ("R@100", "P@100", "a missed document is a risk"),
    "Recommendation": ("nDCG@5", "P@5", "few places, all of them seen"),
    "Fact checking": ("Success@3", "RR", "one piece of evidence is enough"),
    "Retrieval for generation": ("R@5", "P@5", "what is missing cannot be used, noise misleads"),
}
"""What people build, and a measure to report, one beside it, and why."""
