"""trec_eval 10's doubles, bit for bit: 95 measures by its own names, on 400 cases."""

import gzip
import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from metrics import PRESETS, Qrels, Run, evaluate, parse
from tests.cases import cases
from tests.core.measures.batch import close, judged_together, together

ROUNDED = {
    "11pt_avg": "it adds the eleven precisions from the last; we add from the first rank",
    "set_F": "it rounds P and R first; 2·hits/(n + R) is rounded once",
    "Rndcg": "it adds point after point; we add rank after rank",
    "ndcg_rel": "it adds point after point; we add rank after rank",
    "rbp": "it multiplies by 1 - p at the end",
    "rbp_resid": "it multiplies by 1 - p at the end; and prints 0 when all retrieved is judged",
}
"""The measures whose last bits differ, and why: their sums are taken in another order."""


@cache
def recorded():
    with gzip.open(Path(__file__).parents[2] / "data" / "trec_eval_10_doubles.json.gz") as file:
        return json.load(file)


def names():
    return sorted(recorded()[0]["values"])


def every_options():
    return sorted({" ".join(case["options"]) for case in recorded()})


@cache
def compared(options):
    """The queries of the cases with these options; by measure, our scores and trec_eval's."""
    found = {n: case for n, case in enumerate(recorded()) if " ".join(case["options"]) == options}
    convention = replace(
        PRESETS["trec_eval"],
        level=2 if "-l" in options else 1,
        unjudged="removed" if "-J" in options else "zero",
    )
    judged = judged_together(found, convention)
    scores = {}
    for name in names():
        theirs = together({number: case["values"][name] for number, case in found.items()})
        assert set(theirs) == set(judged.queries), name
        in_order = np.array([theirs[query] for query in judged.queries])
        scores[name] = parse(name).ledger(judged).scores, in_order
    return judged.queries, scores


def test_the_recorded_doubles_are_whole():
    assert len(recorded()) == 400
    assert len(names()) == 95
    assert all(sorted(case["values"]) == names() for case in recorded())


@cases("options", every_options)
def test_equals_trec_eval_10_bit_for_bit(options):
    queries, scores = compared(options)
    for name, (ours, theirs) in scores.items():
        if name in ROUNDED:
            same = close(ours, theirs, 1e-14, 1e-15)
            if name == "rbp_resid":
                same |= theirs == 0
        else:
            same = ours == theirs
        assert same.all(), (name, [queries[wrong] for wrong in np.flatnonzero(~same)])


def test_each_exception_is_one():
    """A measure leaves the list when its bits agree everywhere."""
    every = [compared(options)[1] for options in every_options()]
    differ = {name for name in ROUNDED for scores in every if np.any(np.not_equal(*scores[name]))}
    assert differ == set(ROUNDED)


def test_nine_hits_in_ten_are_nine_tenths():
    qrels = Qrels.from_dict({"q": dict.fromkeys("abcdefghi", 1)})
    run = Run.from_dict({"q": {each: 10 - at for at, each in enumerate("abcdefghix")}})
    assert evaluate(qrels, run, "P@10").value("P@10") == 0.9
