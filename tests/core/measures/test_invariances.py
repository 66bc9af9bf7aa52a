"""An invariance table: the properties that each measure has or breaks."""

import itertools
from functools import cache
from random import Random

import numpy as np
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from metrics import REGISTRY, Qrels, Run, match, parse
from tests.cases import cases, scaled
from tests.core.measures.reference import MEASURES, PROMISES

ENDS = {"cutoff": ("", "@k"), "recall": ("@0.3",), "": ("",)}
TABLE = {
    scaled(symbol) + end: marks
    for symbol, row in MEASURES.items()
    for end, marks in zip(ENDS[REGISTRY[symbol].suffix], row.promises.split(), strict=True)
}
ROWS = [
    (name, column, mark)
    for name, marks in TABLE.items()
    for column, mark in zip(PROMISES, marks, strict=True)
]

# A case: the grades from the top of the ranking (None: unjudged), those of what is not retrieved;
# the cutoff, and a number that picks the place of a swap or the order below the cutoff.
GRADES = [None, 0, 1, 2, 3]
CASES = st.tuples(
    st.lists(st.sampled_from(GRADES), min_size=1, max_size=7),
    st.lists(st.integers(0, 3), max_size=3),
)
SEVERAL = st.tuples(st.lists(CASES, min_size=1, max_size=6), st.integers(1, 5), st.integers(0, 60))
# Rare counter-examples hide among the short rankings, so all of those are tried too.
SHORT = [
    (list(grades), hidden)
    for size in (1, 2, 3)
    for grades in itertools.product(GRADES, repeat=size)
    for hidden in ([], [0], [1], [3], [1, 2])
]


@cache
def measure(name, k):
    return parse(name.replace("@k", f"@{k}"))


def rankings(column, ranked, missing, k, number):
    """The two rankings that a column compares, as documents from the top."""
    documents = list(ranked)
    if column == "upward":
        place = number % len(documents)
        above = max(place - 1, 0)
        swapped = dict(zip((place, above), (above, place), strict=True))
        return documents, [documents[swapped.get(i, i)] for i in range(len(documents))]
    if column == "append":
        return documents, [*documents, "new"]
    if column == "below":
        below = documents[k:]
        Random(number).shuffle(below)
        return documents, documents[:k] + below
    if column == "ideal":
        judged = {d: g for d, g in (ranked | missing).items() if g is not None}
        documents = sorted(judged, key=judged.get, reverse=True)
    return documents, documents


def broken(column, names, cases, k, number):
    """Those of the measures for which some case breaks what the column promises."""
    qrels, runs, worths = {}, {}, []
    for case, (grades, hidden) in enumerate(cases):
        ranked = {f"d{i}": grade for i, grade in enumerate(grades)}
        missing = {f"h{i}": grade for i, grade in enumerate(hidden)}
        judgments = {d: g for d, g in (ranked | missing).items() if g is not None}
        if judgments:
            for side, documents in enumerate(rankings(column, ranked, missing, k, number)):
                qrels[f"{case} {side}"] = judgments
                runs[f"{case} {side}"] = {d: -i for i, d in enumerate(documents)}
            place = number % len(grades)
            worths.append([grades[place] or 0, grades[max(place - 1, 0)] or 0])
    if not qrels:
        return []
    judged = match(Qrels.from_dict(qrels), Run.from_dict(runs))

    def breaks(name):
        this = measure(name, k)
        before, after = this.ledger(judged).scores.reshape(-1, 2).T
        if column == "upward":
            worth = np.array(worths) if this.graded else np.array(worths) >= 1
            return (worth[:, 0] > worth[:, 1]) & (after < before - 1e-12)
        if column == "ideal":
            return (this.to_find(judged, judged.convention)[::2] > 0) & (abs(before - 1) > 1e-12)
        if column == "bounded":
            return (before < -1e-12) | (before > 1 + 1e-12)
        if column == "monotone_in_k":
            return measure(name, k + 1).ledger(judged).scores[::2] < before - 1e-12
        return before != after

    return [name for name in names if breaks(name).any()]


def test_every_row_of_promises_is_complete():
    for name, column, mark in ROWS:
        _, _, at = name.partition("@")
        free = column in ("below", "monotone_in_k") and at != "k"
        assert mark in ("." if free else "yn"), (name, column)


@cases("column", PROMISES)
def test_what_is_promised_holds(column):
    names = [name for name, of, mark in ROWS if (of, mark) == (column, "y")]

    @given(SEVERAL)
    def holds(several):
        assert broken(column, names, *several) == []

    holds()
    for k, number in itertools.product(
        (1, 2, 3), (1, 2) if column in ("upward", "below") else (0,)
    ):
        assert broken(column, names, SHORT, k, number) == []


@cases(("name", "column"), [(name, column) for name, column, mark in ROWS if mark == "n"])
def test_what_is_not_promised_is_broken_by_some_case(name, column):
    # find raises NoSuchExample; the first counter-example is enough, it need not be the smallest.
    search = settings(max_examples=3000, phases=[Phase.generate], database=None)
    assert find(
        SEVERAL, lambda case: broken(column, [name], *case), settings=search, random=Random(1)
    )
