"""What goes wrong when rankings are measured, each with rankings that show it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..conventions.convention import TREC_EVAL, Convention
from ..editing.hand_ranking import Entry, HandRanking
from ..editing.pasted import read_ranking
from ..exploring.what_if import score_all
from ..scoring.naming import parse


@dataclass(frozen=True)
class Pitfall:
    """A way to be misled.

    Attributes
    ----------
    mistake, instead
        What misleads, and what to do, each in a sentence or two.
    rankings
        The rankings that show it, by name.
    readings
        What is shown of each: measures, of whose values the mean is taken, and a convention.
    """

    mistake: str
    instead: str
    rankings: Mapping[str, HandRanking]
    readings: Mapping[str, tuple[tuple[str, ...], Convention]]

    def values(self) -> dict[str, list[float]]:
        """Each reading of each ranking, in the order of `rankings`.

        Examples
        --------
        >>> PITFALLS["Reciprocal rank sees one document"].values()["RR"]
        [0.3333333333333333, 0.3333333333333333]
        """
        found = {}
        for name, (measures, convention) in self.readings.items():
            under = [ranking.evaluated(convention) for ranking in self.rankings.values()]
            scores = [score_all(under, parse(measure), convention) for measure in measures]
            found[name] = [math.fsum(column) / len(column) for column in zip(*scores, strict=True)]
        return found


def _of(*measures: str) -> dict[str, tuple[tuple[str, ...], Convention]]:
    return {measure: ((measure,), TREC_EVAL) for measure in measures}


def _lists(**grades: str) -> dict[str, HandRanking]:
    return {name: read_ranking(text, name) for name, text in grades.items()}


def _ties() -> dict[str, tuple[tuple[str, ...], Convention]]:
    rules = {
        "descending": "ids descending (trec_eval)",
        "ascending": "ids ascending (MS MARCO)",
        "mean": "mean of both orders (scikit-learn)",
    }
    return {f"nDCG@2, {said}": (("nDCG@2",), Convention(ties=rule)) for rule, said in rules.items()}


def _misspelt(ranking: HandRanking) -> HandRanking:
    """The same documents under ids that the qrels do not know."""
    strangers = [Entry(f"{e.document}.html", None) for e in ranking.retrieved]
    unfound = [replace(entry, tied=False) for entry in ranking.retrieved]
    return replace(ranking, retrieved=tuple(strangers), unretrieved=tuple(unfound))


_JUDGES = {
    "judge 1": {"a": 3.0, "b": 2.0, "c": 0.0, "d": 1.0},
    "judge 2": {"a": 1.0, "b": 0.0, "c": 1.0, "d": 3.0},
}
_FOUND = read_ranking("3,2,2,1,0", "query")

PITFALLS: dict[str, Pitfall] = {
    "Only one measure": Pitfall(
        "Each measure looks at one thing. A finds the first relevant document sooner, B finds "
        "more of them: one number hides that.",
        "Report at least one measure of the first hit and one of all of them.",
        _lists(A="1,0,0,0,0 | 1,1", B="0,1,1,1,0"),
        _of("RR", "P@5", "AP", "nDCG@5"),
    ),
    "The wrong k": Pitfall(
        "A is ahead in the top 3 and behind in the top 10. Which ranker is better depends on how "
        "far users look.",
        "Take k from the page: 1 to 3 for an answer, 10 for a page of results, 100 for a "
        "first stage. Show several.",
        _lists(A="3,2,0,0,0,0,0,0,0,1 | 2,2,2", B="2,0,1,2,2,2,3,0,0,0"),
        _of("nDCG@1", "nDCG@3", "nDCG@5", "nDCG@10"),
    ),
    "Different k side by side": Pitfall(
        "This is one ranking. Its values at different k differ more than most rankers do, so a "
        "value at 3 says nothing beside a value at 10.",
        "The same k for every system of a table, and k in every label.",
        _lists(ranking="1,1,0,1,0,0,1,0,0,0 | 1"),
        _of("P@1", "P@3", "P@10", "R@3", "R@10", "nDCG@3", "nDCG@10"),
    ),
    "Equal scores": Pitfall(
        "The first two documents have the same score. The tool decides which one stands first, "
        "and with it the value; the ranker said nothing.",
        "Say how ties are ordered, or give the range over all orders.",
        {
            "ranking": HandRanking(
                "query", (Entry("a", 0.0), Entry("b", 3.0, tied=True), Entry("c", 1.0))
            )
        },
        _ties(),
    ),
    "Missing labels": Pitfall(
        "The judgments were made for the old ranker. What only the new one finds (?) has no label "
        "and counts as not relevant, however good it is.",
        "Show Judged@k beside every value, and the range over the missing grades; judge what is "
        "new.",
        _lists(old="2,1,2,0,1", new="2,?,?,2,? | 1,1,0"),
        _of("nDCG@5", "Judged@5")
        | {"nDCG@5, unjudged removed": (("nDCG@5",), Convention(unjudged="removed"))},
    ),
    "Ids that do not match": Pitfall(
        "The same documents, but the run writes d1.html where the qrels have d1. Nothing fails: "
        "every document is unjudged and the score is 0.",
        "Look at Judged@k and at the unmatched ids before you believe a low score.",
        {"ids as in the qrels": _FOUND, "ids written otherwise": _misspelt(_FOUND)},
        _of("nDCG@5", "AP", "Judged@5"),
    ),
    "Grades made yes or no": Pitfall(
        "A puts the best document first, B third. As soon as every grade above 0 counts the same, "
        "they are equal.",
        "Keep the grades where there are any, and say from which grade a document is relevant.",
        _lists(A="3,1,1,0", B="1,1,3,0"),
        _of("nDCG@4")
        | {"nDCG@4, grades as yes or no": (("nDCG@4",), Convention(gain="binary"))}
        | _of("P@2", "P(rel=2)@2"),
    ),
    "Judges who disagree": Pitfall(
        "Two judges graded the same documents and disagree about what answers the question. The "
        "better ranker changes with the judge.",
        "Write down what each grade means, have some queries judged twice, and see whether the "
        "order of the rankers holds.",
        {
            f"{ranker}, {judge}": HandRanking.of(judge, grades, documents)
            for judge, grades in _JUDGES.items()
            for ranker, documents in {"A": ["a", "b", "c", "d"], "B": ["d", "c", "b", "a"]}.items()
        },
        _of("nDCG@4", "P(rel=2)@1"),
    ),
    "Reciprocal rank sees one document": Pitfall(
        "Article 5's two rankings: the first relevant document stands at rank 3 in both. What "
        "follows it makes no difference to RR, and all the difference to a reader.",
        "RR where one answer is enough; AP or nDCG where more than one is wanted.",
        _lists(A="0,0,1,1,1", B="0,0,1,0,0 | 1,1"),
        _of("RR", "P@5", "AP", "nDCG@5"),
    ),
    "Recall where very many are relevant": Pitfall(
        "All ten documents of the first page are relevant, and so are 190 others. Recall cannot "
        "rise above k/R, whatever the ranker does.",
        "Precision or nDCG at small k, or RCap, which divides by what fits into k.",
        _lists(perfect=f"{','.join(['1'] * 10)} | {','.join(['1'] * 190)}"),
        _of("R@10", "RCap@10", "P@10"),
    ),
    "Average precision in words": Pitfall(
        "Article 5 says that AP averages the precision at each position. Its formula, and every "
        "tool, takes the precision at the relevant ranks only and divides by R.",
        "Read the formula: a rank without a relevant document adds nothing.",
        _lists(ranking="1,0,0,1,0 | 1"),
        _of("AP") | {"mean of P@1 to P@5": (tuple(f"P@{k}" for k in range(1, 6)), TREC_EVAL)},
    ),
}

PRACTICES: dict[str, str] = {
    "Several k": "A ranker may win at 3 and lose at 10; one k hides it.",
    "Several measures": "Each one sees one side of a ranking.",
    "k from use": "Ranks that nobody looks at should not decide.",
    "Written rules for grades": "Two judges then mean the same by a 2.",
    "The same queries over time": "A fall is seen when it happens, and on which queries.",
    "The convention beside the number": "Tools differ; a number without its rules is not one.",
}
"""What to do as a rule, and why."""
