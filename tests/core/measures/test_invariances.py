"""An invariance table: the properties that each measure has or breaks."""

import itertools
from functools import cache
from random import Random

import numpy as np
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from metrics import REGISTRY, Qrels, Run, judge, parse
from tests.cases import cases

COLUMNS = ("upward", "append", "below", "ideal", "bounded", "monotone_in_k")
# upward: swapping a document with the worse one directly above it never lowers the score.
# append: a document that nobody judged, added at the end, changes nothing.
# below: the order below the cutoff changes nothing.
# ideal: the ideal order of all judged documents scores 1, if there is something to find.
# bounded: the score is from 0 to 1, but for the rounding of the sum.
# monotone_in_k: a deeper cutoff never lowers the score.
# Yes, no, or . where there is no cutoff to speak of.
# fmt: off
TABLE = {
    #                upward   append   below    ideal    bounded  monotone_in_k
    "P":          "yes      no       .        no       yes      .",
    "P@k":        "yes      yes      yes      no       yes      no",
    "R":          "yes      yes      .        yes      yes      .",
    "R@k":        "yes      yes      yes      no       yes      yes",
    "RCap":       "yes      no       .        yes      yes      .",
    "RCap@k":     "yes      yes      yes      yes      yes      no",
    "F":          "yes      no       .        no       yes      .",
    "F@k":        "yes      yes      yes      no       yes      no",
    "F1":         "yes      no       .        no       yes      .",
    "F1@k":       "yes      yes      yes      no       yes      no",
    "SetAP":      "yes      no       .        no       yes      .",
    "AP":         "yes      yes      .        yes      yes      .",
    "AP@k":       "yes      yes      yes      no       yes      yes",
    "DCG":        "yes      yes      .        no       no       .",
    "DCG@k":      "yes      yes      yes      no       no       yes",
    "IDCG":       "yes      yes      .        no       no       .",
    "IDCG@k":     "yes      yes      yes      no       no       yes",
    "nDCG":       "yes      yes      .        yes      yes      .",
    "nDCG@k":     "yes      yes      yes      yes      yes      no",
    "RnDCG":      "yes      no       .        yes      yes      .",
    "nDCGrel":    "yes      yes      .        yes      yes      .",
    "Compat":     "yes      no       .        yes      yes      .",
    "NumRet":     "yes      no       .        no       no       .",
    "NumRel":     "yes      yes      .        no       no       .",
    "NumRelRet":  "yes      yes      .        no       no       .",
    "NumRelRet@k":"yes      yes      yes      no       no       yes",
    "NumNonrelRet":"yes      yes      .        no       no       .",
    "Judged":     "yes      no       .        yes      yes      .",
    "Judged@k":   "yes      no       yes      yes      yes      no",
    "Unjudged":   "yes      no       .        no       yes      .",
    "Unjudged@k": "no       no       yes      no       yes      no",
    "Utility":    "yes      no       .        no       no       .",
    "ERR":        "yes      yes      .        no       yes      .",
    "ERR@k":      "yes      yes      yes      no       yes      yes",
    "IERR":       "yes      yes      .        no       yes      .",
    "IERR@k":     "yes      yes      yes      no       yes      yes",
    "nERR":       "yes      yes      .        yes      yes      .",
    "nERR@k":     "yes      yes      yes      yes      yes      no",
    "RR":         "yes      yes      .        yes      yes      .",
    "RR@k":       "yes      yes      yes      yes      yes      yes",
    "Success":    "yes      yes      .        yes      yes      .",
    "Success@k":  "yes      yes      yes      yes      yes      yes",
    "Bpref":      "yes      yes      .        yes      yes      .",
    "infAP":      "yes      yes      .        no       yes      .",
    "LogAP":      "yes      yes      .        no       no       .",
    "LogBpref":   "yes      yes      .        no       no       .",
    "G":          "no       yes      .        yes      yes      .",
    "binG":       "yes      yes      .        yes      yes      .",
    "Accuracy":   "yes      no       .        yes      yes      .",
    "RBP":        "yes      yes      .        no       yes      .",
    "RBP@k":      "yes      yes      yes      no       yes      yes",
    "RBPres":     "no       yes      .        no       yes      .",
    "RBPres@k":   "no       yes      yes      no       yes      no",
    "Rprec":      "yes      yes      .        yes      yes      .",
    "IPrec@0.3":  "yes      yes      .        yes      yes      .",
    "AvgIPrec":   "yes      yes      .        yes      yes      .",
    "AllRel":     "yes      yes      .        yes      yes      .",
    "AllRel@k":   "yes      yes      yes      no       yes      yes",
    "StRecall":   "yes      yes      .        yes      yes      .",
    "StRecall@k": "yes      yes      yes      yes      yes      yes",
    "AllAspects": "yes      yes      .        yes      yes      .",
    "AllAspects@k":"yes      yes      yes      yes      yes      yes",
    "P_IA":       "yes      no       .        no       yes      .",
    "P_IA@k":     "yes      yes      yes      no       yes      no",
    "AP_IA":      "yes      yes      .        yes      yes      .",
    "AP_IA@k":    "yes      yes      yes      no       yes      yes",
    "alpha_DCG":  "yes      yes      .        yes      yes      .",
    "alpha_DCG@k":"yes      yes      yes      no       yes      no",
    "alpha_IDCG": "yes      yes      .        yes      yes      .",
    "alpha_IDCG@k":"yes      yes      yes      no       yes      no",
    "alpha_nDCG": "yes      yes      .        yes      yes      .",
    "alpha_nDCG@k":"yes      yes      yes      yes      yes      no",
    "ERR_IA":     "yes      yes      .        yes      yes      .",
    "ERR_IA@k":   "yes      yes      yes      no       yes      no",
    "IERR_IA":    "yes      yes      .        yes      yes      .",
    "IERR_IA@k":  "yes      yes      yes      no       yes      no",
    "nERR_IA":    "yes      yes      .        yes      yes      .",
    "nERR_IA@k":  "yes      yes      yes      yes      yes      no",
    "NRBP":       "yes      yes      .        no       yes      .",
    "INRBP":      "yes      yes      .        no       yes      .",
    "nNRBP":      "yes      yes      .        yes      yes      .",
}
# fmt: on
ROWS = [
    (name, column, mark)
    for name in TABLE
    for column, mark in zip(COLUMNS, TABLE[name].split(), strict=True)
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
    judged = judge(Qrels.from_dict(qrels), Run.from_dict(runs))

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


def test_the_table_declares_every_measure():
    rows = {"cutoff": ("", "@k"), "recall": ("@0.3",), "": ("",)}
    wanted = {symbol + at for symbol, kind in REGISTRY.items() for at in rows[kind.suffix]}
    for name in sorted(wanted):
        assert name in TABLE, f"`{name}` has no row in test_invariances.py's TABLE"
    assert set(TABLE) == wanted
    for name, column, mark in ROWS:
        _, _, at = name.partition("@")
        free = column in ("below", "monotone_in_k") and at != "k"
        assert mark in (["."] if free else ["yes", "no"]), (name, column)


@cases("column", COLUMNS)
def test_what_is_promised_holds(column):
    names = [name for name, of, mark in ROWS if (of, mark) == (column, "yes")]

    @given(SEVERAL)
    def holds(several):
        assert broken(column, names, *several) == []

    holds()
    for k, number in itertools.product(
        (1, 2, 3), (1, 2) if column in ("upward", "below") else (0,)
    ):
        assert broken(column, names, SHORT, k, number) == []


@cases(("name", "column"), [(name, column) for name, column, mark in ROWS if mark == "no"])
def test_what_is_not_promised_is_broken_by_some_case(name, column):
    # find raises NoSuchExample; the first counter-example is enough, it need not be the smallest.
    search = settings(max_examples=3000, phases=[Phase.generate], database=None)
    assert find(
        SEVERAL, lambda case: broken(column, [name], *case), settings=search, random=Random(1)
    )
