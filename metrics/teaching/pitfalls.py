"""Common mistakes in measuring rankings, each with rankings that show it."""

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
    """A common mistake, and what to do instead.

    Attributes
    ----------
    mistake, shown, instead
        The mistake in one sentence, what the rankings show of it, and the advice.
    rankings
        The rankings that show the mistake, by name.
    readings
        The values to show for each ranking: the measures, averaged if there are several, and the
        convention.
    """

    mistake: str
    shown: str
    instead: str
    rankings: Mapping[str, HandRanking]
    readings: Mapping[str, tuple[tuple[str, ...], Convention]]

    def values(self) -> dict[str, list[float]]:
        """Return the value of each reading, one per ranking in the order of `rankings`.

        Examples
        --------
        >>> PITFALLS["Reciprocal rank sees one document"].values()["RR"]
        [0.3333333333333333, 0.3333333333333333]
        """
        values = {}
        for name, (measures, convention) in self.readings.items():
            under = [ranking.evaluated(convention) for ranking in self.rankings.values()]
            scores = [score_all(under, parse(measure), convention) for measure in measures]
            values[name] = [math.fsum(column) / len(column) for column in zip(*scores, strict=True)]
        return values


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
    return {f"nDCG@2, {name}": (("nDCG@2",), Convention(ties=rule)) for rule, name in rules.items()}


def _misspelt(ranking: HandRanking) -> HandRanking:
    """Return the same documents under ids that are not in the qrels."""
    unknown = [Entry(f"{e.document}.html", None) for e in ranking.retrieved]
    missing = [replace(entry, tied=False) for entry in ranking.retrieved]
    return replace(ranking, retrieved=tuple(unknown), unretrieved=tuple(missing))


_JUDGES = {
    "judge 1": {"a": 3.0, "b": 2.0, "c": 0.0, "d": 1.0},
    "judge 2": {"a": 1.0, "b": 0.0, "c": 1.0, "d": 3.0},
}
_FOUND = read_ranking("3,2,2,1,0", "query")

PITFALLS: dict[str, Pitfall] = {
    "Only one measure": Pitfall(
        "Each measure captures one aspect.",
        "A finds the first relevant document sooner, B finds more of them; a single number hides "
        "that.",
        "Report at least one measure of the first hit and one of all hits.",
        _lists(A="1,0,0,0,0 | 1,1", B="0,1,1,1,0"),
        _of("RR", "P@5", "AP", "nDCG@5"),
    ),
    "The wrong k": Pitfall(
        "A is ahead in the top 3 and behind in the top 10.",
        "Which ranker is better depends on how far users look.",
        "Choose k by how the results are used: 1 to 3 for an answer, 10 for a page of results, "
        "100 for a first stage. Show several.",
        _lists(A="3,2,0,0,0,0,0,0,0,1 | 2,2,2", B="2,0,1,2,2,2,3,0,0,0"),
        _of("nDCG@1", "nDCG@3", "nDCG@5", "nDCG@10"),
    ),
    "Different k side by side": Pitfall(
        "These values all belong to one ranking.",
        "They differ more between cutoffs than most rankers do, so a value at 3 cannot be "
        "compared with a value at 10.",
        "Use the same k for every system in a table, and put k in every label.",
        _lists(ranking="1,1,0,1,0,0,1,0,0,0 | 1"),
        _of("P@1", "P@3", "P@10", "R@3", "R@10", "nDCG@3", "nDCG@10"),
    ),
    "Equal scores": Pitfall(
        "The first two documents have the same score.",
        "The tool, not the ranker, decides which one comes first, and that decides the value.",
        "Say how ties are ordered, or give the range over all orders. Inspect shows it under "
        "“Equal scores”.",
        {
            "ranking": HandRanking(
                "query", (Entry("a", 0.0), Entry("b", 3.0, tied=True), Entry("c", 1.0))
            )
        },
        _ties(),
    ),
    "Missing labels": Pitfall(
        "The judgments were made for the old ranker.",
        "Documents that only the new one finds (?) have no label and count as not relevant, "
        "however good they are.",
        "Show Judged@k beside every value, and the range over the missing grades; judge what is "
        "new. Inspect shows the range under “Unjudged”.",
        _lists(old="2,1,2,0,1", new="2,?,?,2,? | 1,1,0"),
        _of("nDCG@5", "Judged@5")
        | {"nDCG@5, unjudged removed": (("nDCG@5",), Convention(unjudged="removed"))},
    ),
    "Ids that do not match": Pitfall(
        "The documents are the same, but the run writes d1.html where the qrels have d1.",
        "There is no error: every document is unjudged and the score is 0.",
        "Look at Judged@k and at the unmatched ids before you believe a low score. Data lists the "
        "ids that do not match.",
        {"ids as in the qrels": _FOUND, "ids written differently": _misspelt(_FOUND)},
        _of("nDCG@5", "AP", "Judged@5"),
    ),
    "Grades made yes or no": Pitfall(
        "A puts the best document first, B third.",
        "If every grade above 0 counts the same, the two are equal.",
        "Keep the grades if there are any, and state from which grade a document is relevant.",
        _lists(A="3,1,1,0", B="1,1,3,0"),
        _of("nDCG@4")
        | {"nDCG@4, grades as yes or no": (("nDCG@4",), Convention(gain="binary"))}
        | _of("P@2", "P(rel=2)@2"),
    ),
    "Judges who disagree": Pitfall(
        "Two judges graded the same documents and disagree about what answers the question.",
        "The better ranker changes with the judge.",
        "Write down what each grade means, have some queries judged twice, and check whether the "
        "order of the rankers stays the same.",
        {
            f"{ranker}, {judge}": HandRanking.of(judge, grades, documents)
            for judge, grades in _JUDGES.items()
            for ranker, documents in {"A": ["a", "b", "c", "d"], "B": ["d", "c", "b", "a"]}.items()
        },
        _of("nDCG@4", "P(rel=2)@1"),
    ),
    "Reciprocal rank sees one document": Pitfall(
        "In both rankings the first relevant document is at rank 3.",
        "The documents after it make no difference to RR, but a large one to a reader.",
        "Use RR if one answer is enough, AP or nDCG if more than one is wanted.",
        _lists(A="0,0,1,1,1", B="0,0,1,0,0 | 1,1"),
        _of("RR", "P@5", "AP", "nDCG@5"),
    ),
    "Recall where very many are relevant": Pitfall(
        "All ten documents on the first page are relevant, and so are 190 others.",
        "Recall at k cannot exceed k/R, however good the ranker is.",
        "Use precision or nDCG at small k, or RCap, which divides by the smaller of k and R.",
        _lists(perfect=f"{','.join(['1'] * 10)} | {','.join(['1'] * 190)}"),
        _of("R@10", "RCap@10", "P@10"),
    ),
    "Average precision in words": Pitfall(
        "An article says that AP averages the precision at each position.",
        "Its formula, like every tool, uses only the precision at the relevant ranks and divides "
        "by R.",
        "Follow the formula: a rank without a relevant document adds nothing.",
        _lists(ranking="1,0,0,1,0 | 1"),
        _of("AP") | {"mean of P@1 to P@5": (tuple(f"P@{k}" for k in range(1, 6)), TREC_EVAL)},
    ),
}

CHAPTERS: dict[str, tuple[str, ...]] = {
    "What you report": (
        "Only one measure",
        "The wrong k",
        "Different k side by side",
        "Reciprocal rank sees one document",
        "Recall where very many are relevant",
    ),
    "What the judges saw": (
        "Missing labels",
        "Ids that do not match",
        "Grades made yes or no",
        "Judges who disagree",
    ),
    "How the tool computes": ("Equal scores", "Average precision in words"),
}
"""The pitfalls in the order to read them, by chapter."""


def link_name(title: str) -> str:
    """Return a pitfall's name in links.

    Examples
    --------
    >>> link_name("Reciprocal rank sees one document")
    'reciprocal-rank-sees'
    """
    return "-".join(title.lower().split()[:3])
