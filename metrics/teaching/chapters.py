"""Six chapters to read: each has prose, a list to move, and the readings shown beside the list."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from inspect import cleandoc

import numpy as np

from ..conventions.convention import PRESETS, TREC_EVAL, Convention
from ..conventions.gains import gain_function
from ..editing.edits import move, swap, toggle_tie
from ..editing.hand_ranking import HandRanking
from ..measures.ledger import Ledger
from ..scoring.naming import parse
from .pitfalls import PITFALLS
from .which_measure import DEPTHS

Reading = tuple[str, Convention]
"""A measure, and the convention under which it scores a list."""


@dataclass(frozen=True)
class Chapter:
    """A chapter: paragraphs around one list.

    Attributes
    ----------
    title
        The heading, which is also the chapter's name in links.
    opening, rest
        The paragraphs above the list and those below it, as Markdown.
    ranking
        The list. The ids of its documents are their titles.
    readings
        What is shown beside the list, by name. Its rows show what they earn under the first one.
    """

    title: str
    opening: str
    rest: str
    ranking: HandRanking
    readings: Mapping[str, Reading]

    def __post_init__(self) -> None:
        for name in ("opening", "rest"):
            object.__setattr__(self, name, cleandoc(getattr(self, name)))


def scored(ranking: HandRanking, reading: Reading) -> Ledger:
    """Return the ledger of a list under a reading."""
    measure, convention = reading
    return ranking.ledger(parse(measure), convention)


@cache
def chapters() -> dict[str, Chapter]:
    """Return the chapters by title, in their order.

    Examples
    --------
    >>> list(chapters())[:2]
    ['What a grade is', 'One answer, or all']
    """
    made = (_grade(), _one_or_all(), _order(), _stop(), _tools(), _lies())
    return {chapter.title: chapter for chapter in made}


def _list(query: str, grades: Mapping[str, float], missing: int = 0) -> HandRanking:
    """Return a list of these documents in their order; the last ``missing`` are not retrieved."""
    documents = list(grades)
    return HandRanking.of(query, dict(grades), documents[: len(documents) - missing])


def _of(readings: Mapping[str, str]) -> dict[str, Reading]:
    return {name: (measure, TREC_EVAL) for name, measure in readings.items()}


def _value(ranking: HandRanking, measure: str, convention: Convention = TREC_EVAL) -> str:
    return _digits(float(scored(ranking, (measure, convention)).scores[0]))


def _earned(ranking: HandRanking, measure: str) -> list[float]:
    """Return what each rank adds to a score."""
    return list(map(float, scored(ranking, (measure, TREC_EVAL)).contribution))


def _moved(ranking: HandRanking, start: int, end: int) -> HandRanking:
    """Return the list with the document at one rank moved to another."""
    return move(ranking, ranking.retrieved[start - 1].document, end)


def _digits(value: float) -> str:
    return f"{value:.2f}"


def _grade() -> Chapter:
    ranking = _list(
        "how to descale a kettle",
        {
            "Descale a kettle with vinegar in half an hour": 3,
            "Limescale: where it comes from": 1,
            "The ten best kettles this year": 0,
            "Vinegar or citric acid? We tried both": 2,
            "Descaling a coffee machine": 1,
        },
    )
    size = len(ranking.retrieved)
    useful = sum(bool(entry.grade) for entry in ranking.retrieved)
    any_use, helpful = f"P@{size}", f"P(rel=2)@{size}"
    return Chapter(
        "What a grade is",
        f"""
        Somewhere a person sat down with a question and a page, and wrote a number between them.
        That number is a **grade**. Everything else on these pages is arithmetic done on it.

        Say the question is *{ranking.query}*. The person, called a judge, opens each result and
        decides: **3** if it does the job, **2** if it helps, **1** if it only touches the matter,
        **0** if it is about something else. The dots in the list below are those decisions.
        """,
        f"""
        Drag a title to another place. Its dots travel with it. A grade belongs to a question and a
        page; it knows nothing of ranks, of search engines, or of the page above. That makes it
        worth its price: judge once, and you can score every engine that will ever rank these pages.

        The simplest thing to do with grades is to count them. **Precision** is the share of the
        results that are relevant, and here the judge’s careful scale meets its first blunt
        question: relevant from which grade on? If any use counts, {useful} of the {size} results
        are relevant, and precision is {_value(ranking, any_use)}. If a page has to help, it is
        {_value(ranking, helpful)}. Nobody moved a document or changed a mind. Somebody drew a line.
        Choose the other line beside the list, and see which rows still earn.

        Keep two things. A page without a grade is not a bad page: nobody has opened it. Most
        measures count it like a 0, which is convenient, and now and then a scandal, as the last
        chapter shows. And a grade is an opinion. Two judges of the same kettle agree on the 3 and
        quarrel about the 1. Careful projects write down what each grade means before the first
        page is opened, and let two people judge some questions to see how often they agree.

        You may have noticed that the number stayed the same, wherever you dragged. Precision
        counts; it does not look at the order. For a search engine, whose only talent is order,
        that is a strange exam. So let us watch somebody who reads from the top.
        """,
        ranking,
        _of({"of any use": any_use, "helpful": helpful}),
    )


def _one_or_all() -> Chapter:
    ranking = _list(
        "ibuprofen on an empty stomach",
        {
            "Ten herbs for a headache": 0,
            "Ibuprofen: the leaflet in plain words": 1,
            "Painkillers and food: a doctor answers": 1,
            "A short history of aspirin": 0,
            "Ibuprofen and the stomach: fourteen trials": 1,
            "Hangover cures, ranked": 0,
        },
    )
    ranks = [rank for rank, e in enumerate(ranking.retrieved, 1) if e.grade]
    first, last = ranks[0], ranks[-1]
    stops = "; ".join(
        f"at rank {rank}, {n} of {rank} pages ({_digits(n / rank)})"
        for n, rank in enumerate(ranks, 1)
    )
    up, top = _moved(ranking, last, last - 1), _moved(ranking, first, 1)
    return Chapter(
        "One answer, or all",
        f"""
        At two in the morning somebody with a headache types *{ranking.query}*. They read down to
        the first page that answers, eat a biscuit with the tablet, and sleep. At nine a pharmacist
        types the same words, to write a leaflet, and reads everything.

        The list is the same. Whether it is a good list depends on who is reading, so there are two
        measures.
        """,
        f"""
        **Reciprocal rank** is the sleeper. It looks for the first relevant page, the first *hit*,
        and divides 1 by its rank. Here that is rank {first}, so RR is 1 ÷ {first} =
        {_value(ranking, "RR")}. What comes below is none of its business.

        **Average precision** is the pharmacist. She stops at every hit and asks how clean the list
        was so far: {stops}. The mean of these is AP = {_value(ranking, "AP")}. She divides by the
        hits that exist, not by those she was shown, so a page that the list withholds counts as a
        nought in her mean.

        Now move a row. Lift the last hit from rank {last} to rank {last - 1}: RR does not blink,
        and AP rises to {_value(up, "AP")}. Then lift the first hit to the top: RR leaps from
        {_value(ranking, "RR")} to {_value(top, "RR")}. That is its temperament. Between the first
        two ranks it is all nerves; between ranks 9 and 10 it is asleep, with a difference of
        {_digits(1 / 9 - 1 / 10)}.

        Over many questions you take the mean. The mean of RR is called **MRR**, and the mean of AP
        **MAP**. They are not other names for RR and AP: one speaks of a list, the other of an
        engine.

        Choose by your reader. RR, where one answer ends the search: a fact, a phone number, a page
        that is known to exist. AP, where every relevant page matters: a leaflet, a patent, a court
        case. If you cannot say which reader you have, report both, and be curious when an engine
        gains on only one of them.

        Both, though, know only yes and no. A judge who wrote a careful 3 has been cut down to a
        tick. The next reader looks at the dots.
        """,
        ranking,
        _of({"RR": "RR", "AP": "AP"}),
    )


def _order() -> Chapter:
    ranking = _list(
        "quick dinner with chickpeas",
        {
            "Chickpea curry in twenty minutes": 3,
            "What is a chickpea?": 0,
            "Hummus, the long way": 1,
            "Pan-fried chickpeas with lemon": 3,
            "Chickpea salad from five ingredients": 2,
        },
    )
    size = len(ranking.retrieved)
    dcg, ndcg, p = f"DCG@{size}", f"nDCG@{size}", f"P@{size}"
    terms = " + ".join(_digits(each) for each in _earned(ranking, dcg) if each)
    names = [entry.document for entry in ranking.retrieved]
    better, blind = swap(ranking, 2, 4), swap(ranking, 3, 4)
    return Chapter(
        "Order and grades",
        f"""
        *{ranking.query.capitalize()}*: it is half past six, and somebody is hungry. A perfect
        recipe at rank 4 is not lost, because most people get as far as rank 4. But it is worth less
        there than at the top, and it is worth more than a decent one. Precision knows neither of
        these things, average precision only the first. **Discounted cumulative gain** knows both.
        """,
        f"""
        Read a row from left to right. The pale bar is the **gain**: what the recipe is worth, which
        is simply its grade. The full bar is what is left of it at this rank, after a division by
        the **discount**, log₂(rank + 1). At rank 1 all of it is left, at rank 3 a half, at rank 7 a
        third. The logarithm is no law of nature. It is a guess about patience: it falls fast at
        first and slowly after, as readers do.

        Add the full bars up and you have DCG: {terms} ≈ {_value(ranking, dcg)}. Is that good?
        Nobody can say. A question with ten fine recipes allows a larger sum than a question with
        one. So divide by the DCG of the best order of the same pages, which is
        {_value(ranking, f"IDCG@{size}")}, and you have **nDCG**: {_value(ranking, ndcg)}. The bar
        beside the list is that division. The outline is the best order; the hatched end is what
        this order lost.

        Look where it was lost. *{names[1]}* holds rank 2, while *{names[3]}* waits at rank 4. Swap
        the two, and nDCG rises from {_value(ranking, ndcg)} to {_value(better, ndcg)}. AP rises as
        well, from {_value(ranking, "AP")} to {_value(better, "AP")}, because a hit has moved up.
        Precision stays at {_value(better, p)}. Now reset the list and swap ranks 3 and 4, the long
        hummus and the lemon: nDCG rises to {_value(blind, ndcg)}, and AP stays at
        {_value(blind, "AP")}. To AP both are hits. Only the dots tell them apart.

        Three readers, then. One counts, one counts from the top, one counts from the top and
        minds what she gets. Report the simplest that your reader would accept: a finer measure
        needs finer grades, and grades are the expensive part.

        None of the three has said how far down they read.
        """,
        ranking,
        _of({name: name for name in (ndcg, "AP", p)}),
    )


def _stop() -> Chapter:
    ranking = _list(
        "ferry to the islands on sunday",
        {
            "Sunday timetable, harbour to the islands": 1,
            "Ferries in winter: what runs and what does not": 1,
            "Island hotels with a sea view": 0,
            "Weekday timetable": 0,
            "Last boats on Sundays and holidays": 1,
            "Weather on the islands": 0,
            "Timetable changes this weekend": 1,
        },
        missing=1,
    )
    near, far = 3, len(ranking.retrieved)
    relevant = sum(bool(entry.grade) for entry in ranking.entries)
    late = next(rank for rank, e in enumerate(ranking.retrieved, 1) if e.grade and rank > near)
    outside, inside = _moved(ranking, late, near + 1), _moved(ranking, late, near)
    voice, model, page, _, rerank = DEPTHS.values()
    return Chapter(
        "Where to stop",
        f"""
        A phone shows three results; the fourth costs a thumb. A lawyer goes on to page nine. The
        **cutoff**, written k, is the last rank that counts, and it is the smallest part of a
        measure’s name with the largest effect. Whoever writes P@{near} has made a claim about a
        reader.
        """,
        f"""
        Choose a reading, and watch the dashed line. At k = {near}, precision is
        {_value(ranking, f"P@{near}")}. But {relevant} good pages exist, and **recall**, the share
        of them that the list has shown by then, is {_value(ranking, f"R@{near}")}. At k = {far}
        precision falls to {_value(ranking, f"P@{far}")} and recall climbs to
        {_value(ranking, f"R@{far}")}. It is always like this. The more you show, the more you find,
        and the more rubbish comes with it. The two sit on one seesaw, and k is where you stand.

        Each end has its trap. Recall at {near} cannot exceed {near} ÷ {relevant} =
        {_digits(near / relevant)} here, even for a perfect list, because there are {near}
        seats and {relevant} good pages. Precision at {far} cannot exceed {relevant} ÷ {far} =
        {_digits(relevant / far)}, because there are not enough good pages to fill it. Before you
        call a number low, ask how high it could have been. That is what the *n* in nDCG does for
        you: it divides by the best that was possible at the same k.

        Below the line nothing exists. Move the hit from rank {late} up to rank {near + 1}:
        P@{near} stays at {_value(outside, f"P@{near}")}. One step more, and it is
        {_value(inside, f"P@{near}")}. A team can work for a month on ranks that its own number
        never looks at. The page under the list, *{ranking.unretrieved[0].document}*, was not found
        at all. Of the two, only recall misses it.

        Take k from the use: {voice} where answers are read aloud, {model} for the passages that a
        language model gets, {page} for a page of results, {rerank} for candidates that a better
        ranker sorts again. Then keep it. A number at {near} and a number at {page} are answers to
        different questions, whatever the rest of their names.

        So you know the measure and you know k. Surely now the number is settled?
        """,
        ranking,
        _of({name: name for k in (near, far) for name in (f"P@{k}", f"R@{k}")}),
    )


def _tools() -> Chapter:
    ranking = _list(
        "boots that stay dry",
        {
            "Winter boots, worn for a month": 3,
            "How to waterproof old boots": 2,
            "Umbrellas of the year": 0,
            "Boots for wet trails, compared": 2,
            "Knots that hold": 1,
            "Eleven boots in a peat bog": 3,
        },
        missing=1,
    )
    measure = f"nDCG@{len(ranking.retrieved)}"
    tools = ("trec_eval", "scikit-learn", "LightGBM", "MLflow")
    trec, sklearn, light, _ = (_value(ranking, measure, PRESETS[tool]) for tool in tools)
    tied = toggle_tie(ranking, ranking.retrieved[2].document)
    low, high = sorted(
        _value(tied.evaluated(rule), measure, rule)
        for rule in (Convention(ties="input"), Convention(ties="descending"))
    )
    binary = [_value(ranking, f"P(rel={level})@{len(ranking.retrieved)}") for level in (1, 2)]
    missing = ranking.unretrieved[0]
    best = int(missing.grade or 0)
    gains = (gain_function(PRESETS[tool].gain)(np.array([float(best)])) for tool in tools)
    worth = [f"{gain[0]:g}" for gain in gains]
    return Chapter(
        "Why tools disagree",
        f"""
        Two programs score one list by one measure, and print {trec} and {sklearn}. Neither has a
        bug. Between a grade and a score there are small choices, which a manual mentions once, if
        at all. Each is a reasonable answer to a question that you did not know you had asked.
        """,
        f"""
        **What is a {best} worth?** trec_eval says {worth[0]}. LightGBM says {worth[2]}, which is 2
        to the power of {best}, less 1: a perfect page is then worth {worth[2]} passable ones
        instead of {worth[0]}. MLflow says {worth[3]}, the same as for any other relevant page.

        **What is the best order made of?** A judge gave {best} dots to *{missing.document}*, and
        the list does not have it. trec_eval puts it into the ideal, since the engine should have
        found it. scikit-learn is only told about pages that were retrieved, so its ideal is easier
        and its number kinder. Move the page into the list, and the two agree.

        **From which grade on is a page relevant?** You met this line in the first chapter: here it
        makes precision {binary[0]} or {binary[1]}.

        **Who goes first in a tie?** If the engine gave ranks 2 and 3 the same score, one tool sorts
        the two by their names and another keeps the order of the file. The same engine then gets
        {low} or {high}, by the alphabet.

        A set of such choices is called a **convention**. None is the right one. But if you compare
        a number made under one with a number made under another, you have compared the
        conventions. The difference between {trec} and {light} above is larger than what most papers
        celebrate, and no page has moved.

        Three habits help. Write the tool and its version beside the number. Score both systems with
        the same program, on the same day, from the same file. And when a published number refuses
        to come out, suspect the convention before the arithmetic: the page *Why tools differ* shows
        every tool on your own list, and finds the choices behind a printed number.

        What is left is the case where every number is right, and the conclusion is wrong.
        """,
        ranking,
        {tool: (measure, PRESETS[tool]) for tool in tools},
    )


def _lies() -> Chapter:
    ranking = _list(
        "cancel my subscription",
        {
            "Choose the plan that suits you": 1,
            "Questions about your subscription": 1,
            "Prices and plans": 1,
            "What our subscribers say": 1,
            "Pause instead of cancelling?": 1,
            "Cancel your subscription: the form": 3,
        },
    )
    size = len(ranking.retrieved) - 1
    p, ndcg, best = f"P@{size}", f"nDCG@{size}", "RR(rel=3)"
    top = _moved(ranking, size + 1, 1)
    return Chapter(
        "When numbers lie",
        f"""
        A measure cannot lie. It answers the same question every time. We do the lying, mostly to
        ourselves: we ask it one question and hear the answer to another. Somebody has typed
        *{ranking.query}*. Here is what they got, and its precision is perfect.
        """,
        f"""
        Each of the first {size} pages mentions subscriptions, so a judge gave it one dot, and one
        dot is relevant. P@{size} is {_value(ranking, p)}. RR is {_value(ranking, "RR")}: the first
        relevant page is right at the top. Both are true, and both are about a reader who only wants
        to read the word. The reader who wants to leave needs the form with three dots, at rank
        {size + 1}. Count that page alone, and RR is {_value(ranking, best)}. Move it to the top:
        nDCG climbs from {_value(ranking, ndcg)} to {_value(top, ndcg)}, and precision, perfect
        before, has nothing to add.

        Notice what did not go wrong. The grades are fair, the arithmetic is exact, the tool is
        well known. The number was simply made for somebody else. That is how most numbers mislead:
        too small a k for a reader who scrolls, pages that nobody judged counted as bad ones, ids
        that were written in two ways, a mean that hides ten ruined searches behind a hundred
        slightly better ones.

        So here are {len(PITFALLS)} mistakes, as they happen in good teams. Each is shown on lists
        of a few rows, so that you can see the number being right and the conclusion being wrong,
        and each comes with what to do instead. Open one before you publish a table; open all of
        them before you believe one.

        And if you keep one sentence from these six chapters, keep this. **A score is a short story
        about a reader.** Before you believe it, ask who the reader is, where they stop, what they
        count as an answer, and who kept the books.
        """,
        ranking,
        _of({p: p, "RR": "RR", "RR of 3 dots": best, ndcg: ndcg}),
    )
