"""Every measure is found by each name that people use for it."""

import re
from collections import Counter

from metrics import REGISTRY, parse
from metrics.scoring.naming import normalised_name, of_name, title
from tests.cases import cases

USUAL = {
    "nDCG": "NDCG; normalised discounted cumulative gain; normalized discounted cumulative gain",
    "DCG": "discounted cumulative gain",
    "AP": "MAP; average precision; mean average precision",
    "RR": "MRR; reciprocal rank; mean reciprocal rank; recip_rank",
    "P": "precision",
    "R": "recall",
    "F1": "F1 score",
    "Success": "hit rate; HitRate; success; top-k accuracy",
    "ERR": "expected reciprocal rank",
    "RBP": "rank-biased precision",
    "Rprec": "R-precision; r-prec",
    "Bpref": "binary preference; bpref",
    "LogAP": "GMAP",
    "NumRelRet": "num_rel_ret",
}


def names(kind):
    return [kind.symbol, kind.full_name, *kind.also, *kind.mean_names]


def numbered(kind, name):
    return f"{name}@0.5" if kind.needs else name


@cases("kind", REGISTRY.values())
def test_every_measure_has_a_full_name_and_a_meaning_of_one_sentence(kind):
    assert "full_name" in vars(kind)
    assert kind.full_name.lower() != kind.symbol.lower()
    assert re.fullmatch(r"[A-Z0-9].*\.", kind.meaning)
    assert not re.search(r"[.!?] [A-Z]", kind.meaning)


@cases("kind", REGISTRY.values())
def test_every_name_finds_its_measure_in_the_language_and_in_the_picker(kind):
    usual = [name for name in USUAL.get(kind.symbol, "").split("; ") if name]
    for name in [*names(kind), *usual]:
        assert type(parse(numbered(kind, name))) is kind
        # The picker compares without capitals.
        assert name.lower() in title(kind).lower()
    for name in names(kind):
        for spelled in (name.upper(), name.replace(" ", "_"), name.replace("-", " ")):
            assert type(parse(numbered(kind, spelled))) is kind
    stems = [re.sub(r"[_=]?\{.*\}", "", template) for template in kind.trec]
    assert all(stem.lower() in title(kind).lower() for stem in stems)


def test_the_picker_shows_the_symbol_first():
    assert all(title(kind).startswith(f"{symbol} · ") for symbol, kind in REGISTRY.items())


def test_no_name_belongs_to_two_measures():
    every = [
        normalised_name(name)
        for kind in REGISTRY.values()
        for name in {*map(normalised_name, names(kind))}
    ]
    assert [name for name, times in Counter(every).items() if times > 1] == []
    # set_F of trec_eval is F1, and SetF of ir_measures is F.
    fixed = {name: kind for kind in REGISTRY.values() for name in kind.trec if "{" not in name}
    assert all(type(parse(name)) is kind for name, kind in fixed.items())


def test_a_cutoff_and_parameters_follow_any_name():
    assert str(parse("MAP@10")) == "AP@10"
    assert str(parse("precision@3")) == "P@3"
    assert str(parse("Hit rate (rel=2) @ 5")) == "Success(rel=2)@5"


def test_the_name_of_a_mean_is_explained():
    assert of_name("mrr@10") == "mrr@10 is the mean of RR@10, reciprocal rank, over the queries."
    assert of_name("mean average precision").startswith("mean average precision is the mean of AP")
    assert of_name("GMAP").startswith("GMAP is e to the mean of LogAP, logarithm of average")
    assert [of_name(name) for name in ("RR", "ndcg_cut_10", "binG", "Hit rate@5")] == [""] * 4


def test_the_name_of_another_tool_is_explained():
    assert of_name("auc").startswith("auc is Accuracy, pairwise accuracy. How often a relevant")
    assert of_name("HR@5").startswith("HR@5 is Success@5, hit rate. 1 if the top k")
    assert of_name("rbp.95").startswith("rbp.95 is RBP(p=0.95), rank-biased precision.")
