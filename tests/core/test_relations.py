"""What every measure promises, or breaks: an invariance table, and relations between measures."""

from random import Random

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from metrics import REGISTRY, Qrels, Run, judge, parse

COLUMNS = ("upward", "append", "below", "ideal", "bounded", "monotone_in_k")
# upward: swapping a document with the worse one directly above it never lowers the score.
# append: a document that nobody judged, added at the end, changes nothing.
# below: the order below the cutoff changes nothing.
# ideal: the ideal order of all judged documents scores 1, if there is something to find.
# bounded: the score is from 0 to 1.
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
    "Unjudged@k": "no       no       yes      no       no       no",
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
    "G":          "yes      yes      .        yes      yes      .",
    "binG":       "yes      yes      .        yes      yes      .",
    "Accuracy":   "yes      no       .        yes      yes      .",
    "RBP":        "yes      yes      .        no       yes      .",
    "RBP@k":      "yes      yes      yes      no       yes      yes",
    "RBPres":     "no       yes      .        no       yes      .",
    "RBPres@k":   "no       yes      yes      no       yes      no",
    "Rprec":      "yes      yes      .        yes      yes      .",
    "IPrec@0.3":  "yes      yes      .        yes      yes      .",
    "AvgIPrec":   "yes      yes      .        yes      yes      .",
}
# fmt: on
ROWS = [
    (name, column, mark)
    for name in TABLE
    for column, mark in zip(COLUMNS, TABLE[name].split(), strict=True)
]

# A case: the grades from the top of the ranking (None: unjudged), those of the documents not
# retrieved, the cutoff, and a number that picks the place of a swap or the order below the cutoff.
CASES = st.tuples(
    st.lists(st.sampled_from([None, 0, 1, 2, 3]), min_size=1, max_size=7),
    st.lists(st.integers(0, 3), max_size=3),
    st.integers(1, 5),
    st.integers(0, 60),
)


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


def broken(column, names, case):
    """Those of the measures for which the case breaks what the column promises."""
    grades, hidden, k, number = case
    ranked = {f"d{i}": grade for i, grade in enumerate(grades)}
    missing = {f"h{i}": grade for i, grade in enumerate(hidden)}
    qrels = {d: g for d, g in (ranked | missing).items() if g is not None}
    pair = rankings(column, ranked, missing, k, number)
    if not qrels:
        return []
    runs = {q: {d: -i for i, d in enumerate(ds)} for q, ds in zip("ab", pair, strict=True)}
    judged = judge(Qrels.from_dict(dict.fromkeys("ab", qrels)), Run.from_dict(runs))

    def breaks(name):
        this = measure(name, k)
        before, after = this.ledger(judged).scores
        if column == "upward":
            place = number % len(grades)
            worth = [(g or 0) if this.graded else (g or 0) >= 1 for g in grades]
            return place > 0 and worth[place] > worth[place - 1] and after < before - 1e-12
        if column == "ideal":
            return this.whole(judged, judged.convention)[0] > 0 and abs(before - 1) > 1e-12
        if column == "bounded":
            return not 0 <= before <= 1 + 1e-12
        if column == "monotone_in_k":
            return measure(name, k + 1).ledger(judged).scores[0] < before - 1e-12
        return before != after

    return [name for name in names if breaks(name)]


def test_the_table_declares_every_measure():
    assert {name.split("@")[0] for name in TABLE} == set(REGISTRY)
    for name, column, mark in ROWS:
        symbol, _, at = name.partition("@")
        if REGISTRY[symbol].at == "cutoff":
            assert {symbol, f"{symbol}@k"} <= set(TABLE)
        free = column in ("below", "monotone_in_k") and at != "k"
        assert mark in (["."] if free else ["yes", "no"]), (name, column)


@pytest.mark.parametrize("column", COLUMNS)
def test_what_is_promised_holds(column):
    names = [name for name, of, mark in ROWS if (of, mark) == (column, "yes")]

    @given(CASES)
    def holds(case):
        assert broken(column, names, case) == []

    holds()


@pytest.mark.parametrize(
    ("name", "column"), [(name, column) for name, column, mark in ROWS if mark == "no"]
)
def test_what_is_not_promised_is_broken_by_some_case(name, column):
    # find raises NoSuchExample; the first counter-example is enough, it need not be the smallest.
    search = settings(max_examples=3000, phases=[Phase.generate], database=None)
    assert find(CASES, lambda case: broken(column, [name], case), settings=search, random=Random(1))
