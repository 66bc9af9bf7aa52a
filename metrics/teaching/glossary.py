"""Glossary: the words that Learn lists and the tooltips of table columns show."""

import re
from collections.abc import Mapping

from ..measures import REGISTRY
from ..scoring.naming import of_name

GLOSSARY: dict[str, str] = {
    "run": "The output of a ranker: for each query, documents with scores, highest first.",
    "qrels": "The judgments: for each query, documents with grades. Most documents have none.",
    "grade": "How relevant a judge found a document: 0 is not relevant, higher is better.",
    "relevant": "Has a grade of at least the convention's level, by default 1.",
    "unjudged": "Has no grade. It keeps its rank and earns nothing, unless it is removed.",
    "gain": "The worth of a grade: the grade itself, or 2^grade − 1.",
    "discount": "The number a gain is divided by, larger at lower ranks: log₂(rank + 1).",
    "k": "The cutoff: P@5 is precision with k = 5.",
    "cutoff": "The k of nDCG@k: only the top k ranks count.",
    "ideal": "The best possible ranking of the judged documents; nDCG divides by its DCG.",
    "ledger": "One line per rank with its contribution; the lines sum to the score.",
    "R": "The number of relevant documents of the query, retrieved or not. R@k is recall.",
    "rank": "The position in the ranking, 1 at the top.",
    "contribution": "The part of the score that a rank adds; the contributions sum to the score.",
    "total": "The sum of the contributions down to this rank: the measure with this cutoff.",
    "is at": "The rank that this document of the ideal has in the actual ranking.",
    "precision": "The share of the documents down to a rank that are relevant.",
    "recall": "The share of the relevant documents that are retrieved down to a rank.",
    "hit": "A relevant document in the ranking.",
    "tie": "Two documents with the same score. Tools go by id or by input order, or average.",
    "convention": "How a tool counts: what a grade is worth, which order is best, who is first "
    "in a tie. Tools differ in it, so a number is complete only with its convention.",
    "DCG": "Discounted cumulative gain: each gain divided by its discount, summed.",
    "IDCG": "Ideal DCG: the DCG of the best possible ranking. nDCG is DCG divided by IDCG.",
    "query": "What a user asks. Each query has its own ranking and its own grades.",
    "document": "What is ranked: a page, a passage, a product. It has an id.",
    "ranking": "The documents of one query in order, the highest score first.",
    "ranker": "A system that orders documents; its output is a run.",
    "score": "The number by which a run orders documents; also the value of a measure.",
    "judgment": "One grade that a judge gave one document for one query.",
    "judged": "Has a grade, even 0.",
    "retrieved": "Is in the ranking, at any rank.",
    "level": "The lowest grade that counts as relevant.",
    "preset": "The convention of a tool, by the tool’s name.",
    "trec_eval": "The usual tool of TREC; its convention is the default here.",
    "TREC": "Text Retrieval Conference, whose file formats and measures are widely used.",
    "MS MARCO": "A large collection of questions and passages, with its own scoring script.",
    "BEIR": "A benchmark of many collections; it scores with trec_eval.",
    "BM25": "A ranker that counts words; a usual baseline.",
    "baseline": "The run to which another is compared.",
    "delta": "The difference of two scores, run B minus run A.",
    "mean delta": "The mean over the queries of their deltas.",
    "win": "A query on which run B scores higher than run A; a loss is the opposite.",
    "interval": "A 95 % interval of the mean delta: values that the data do not rule out. "
    "None if fewer than 6 queries differ: too few to rule out any value.",
    "p-value": "How often chance alone gives a delta at least this large. Small: hardly chance.",
    "effect size": "The mean delta in standard deviations of the deltas.",
    "Holm": "A correction of p-values for testing several measures or runs at once.",
    "Wilcoxon": "A paired test on the ranks of the deltas.",
    "randomisation": "A paired test that swaps the signs of the deltas at random.",
    "RBO": "Rank-biased overlap: how alike two rankings are, mostly at the top.",
    "ROC": "Receiver operating characteristic: hits against false alarms, rank by rank.",
    "aspect": "One of the meanings or parts of a query, judged on its own; also called subtopic.",
    "label": "Another name of a grade.",
    "binary relevance": "Grades of 0 and 1 only: a document is relevant or not.",
    "graded relevance": "Grades of several levels, such as 0 to 3.",
    "top k": "The first k documents of a ranking.",
    "pool": "The documents that were given to the judges: the top ranks of several runs.",
    "normalised": "Divided by the best possible value, so that 1 is perfect.",
    "reranking": "Giving the first documents of a ranking a new order, with a better ranker.",
    "log₂": "The logarithm to base 2: log₂(8) = 3, because 2 · 2 · 2 = 8.",
    "t-test": "A paired test on the mean of the deltas.",
    "kappa": "How far two judges agree: 1 is always, 0 is as often as by chance.",
    "alpha": "Krippendorff's alpha: kappa for several judges, not all of whom judged everything.",
    "mean score": "The mean over the queries; each counts the same, however many documents it has.",
}
"""The meaning of each word, in one or two sentences."""

THEMES = {
    "A ranking": "query document ranking ranker run rank score retrieved hit top_k k cutoff tie "
    "reranking BM25",
    "What a list earns": "gain discount log₂ contribution total DCG ideal IDCG is_at normalised "
    "ledger R precision recall RBO ROC",
    "Grades": "qrels grade label relevant level unjudged judgment judged pool aspect "
    "binary_relevance graded_relevance kappa alpha",
    "Two runs": "baseline delta mean_delta mean_score win interval p-value effect_size t-test "
    "Wilcoxon randomisation Holm",
    "Tools and collections": "convention preset trec_eval TREC MS_MARCO BEIR",
}
"""The words by what they are about, with an underscore for a space."""
MEASURES = "Measures, by all their names"


def themes() -> dict[str, dict[str, str]]:
    """Return the words by theme; the last one has the measures, under all their names.

    Examples
    --------
    >>> list(themes()["Grades"])[:2], list(themes())[-1]
    (['qrels', 'grade'], 'Measures, by all their names')
    """
    every = entries()
    found: dict[str, dict[str, str]] = {}
    for theme, words in THEMES.items():
        names = (each if each in every else each.replace("_", " ") for each in words.split())
        found[theme] = {name: every.pop(name) for name in names}
    return found | {MEASURES: dict(sorted(every.items(), key=lambda each: each[0].casefold()))}


def entries() -> dict[str, str]:
    """Return the glossary with every measure, under its symbol and its one-word other names.

    Examples
    --------
    >>> entries()["RR"][:44]
    'Reciprocal rank. One over the rank of the fi'
    >>> entries()["MAP"]
    'The mean of AP, average precision, over the queries.'
    """
    found = dict(GLOSSARY)
    for symbol, measure in REGISTRY.items():
        name = measure.full_name[0].upper() + measure.full_name[1:]
        if symbol not in GLOSSARY:
            found[symbol] = f"{name}. {measure.meaning}"
        for other in measure.also:
            if " " not in other:
                found.setdefault(other, f"Another name of {symbol}, {measure.full_name}.")
        for mean in measure.mean_names:
            # Its name stands before it.
            said = of_name(mean).removeprefix(f"{mean} is ")
            found.setdefault(mean, said[0].upper() + said[1:])
        if measure.full_name != symbol.lower():
            found.setdefault(measure.full_name, f"{symbol}. {measure.meaning}")
    return found


def matching(words: Mapping[str, str], wanted: str) -> dict[str, str]:
    """Return the words that match a text in themselves or in their meaning, the best match first.

    Without a text, all words are returned in alphabetical order.

    Examples
    --------
    >>> list(matching({"nDCG": "A ratio.", "ideal": "The best DCG.", "DCG": "A sum."}, "dcg"))
    ['DCG', 'nDCG', 'ideal']
    """
    text = wanted.strip().casefold()

    def mismatch(word: str) -> int:
        name = word.casefold()
        return [name == text, name.startswith(text), text in name, True].index(True)

    found = [word for word in words if text in f"{word}\n{words[word]}".casefold()]
    found.sort(key=lambda word: (word != wanted, mismatch(word), word.casefold()))
    return {word: words[word] for word in found}


def words_in(text: str) -> list[str]:
    """Return the words of the glossary that a text uses, in the order of the glossary.

    Examples
    --------
    >>> words_in("Gains, each divided by a discount; R is not in this.")
    ['gain', 'discount', 'R']
    """
    return [word for word in GLOSSARY if _pattern(word).search(text)]


def _pattern(word: str) -> re.Pattern[str]:
    """Return a pattern for the word or its plural; words in capitals, such as R, match exactly."""
    return re.compile(rf"\b{re.escape(word)}s?\b", 0 if word.isupper() else re.IGNORECASE)
