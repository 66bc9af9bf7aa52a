"""The measure-name language."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

import metrics.measures
from metrics import (
    REGISTRY,
    Convention,
    MeasureError,
    Qrels,
    RankscopeError,
    Run,
    bounds,
    compare,
    evaluate,
    explain,
    parse,
    trace,
)
from metrics.measures import AP, MEASURES, RBP, Accuracy, Bpref, F, IPrec, P, Success, nDCG
from tests.cases import cases


@cases("symbol", sorted(REGISTRY))
@cases("at", ["", "@7", "@0.3"])
def test_names_parse_back(symbol, at):
    kind = REGISTRY[symbol]
    fits = {"": symbol != "IPrec", "@7": kind.suffix == "cutoff", "@0.3": kind.suffix == "recall"}
    # Tools that name a cutoff mean top-k accuracy, and the number behind rbp is p.
    if theirs := {"Accuracy@7": Success @ 7, "RBP@0.3": RBP(p=0.3)}.get(symbol + at):
        assert parse(symbol + at) == theirs
        return
    if not fits[at]:
        with pytest.raises(MeasureError):
            parse(symbol + at)
        return
    measure = parse(symbol + at)
    assert str(measure) == symbol + at
    assert parse(str(measure)) == measure


@cases("symbol", REGISTRY)
def test_a_measure_is_the_same_by_text_and_by_value(symbol):
    value = getattr(metrics.measures, symbol)
    assert value is MEASURES[symbol]
    assert type(value) is REGISTRY[symbol]
    assert str(value) == repr(value) == symbol
    at = {"cutoff": [7], "recall": [0.3], "": []}[value.suffix]
    alone = [] if value.needs else [""]
    given = {"rel": 2, "p": 0.8, "beta": 0.5, "times": 2, "max": 3, "gain": "binary"}
    taken = {name: x for name, x in given.items() if name in REGISTRY[symbol].__dataclass_fields__}
    changed = {f"{symbol}({name}={x})": value(**{name: x}) for name, x in taken.items()}
    pairs = [
        (of @ number if number else of, f"{text}@{number}" if number else text)
        for text, of in {symbol: value, **changed}.items()
        for number in [*alone, *at]
    ]
    for by_value, by_text in pairs:
        parsed = parse(by_text)
        assert (by_value, hash(by_value)) == (parsed, hash(parsed))
        assert parse(by_value) is by_value
        assert str(by_value) == repr(by_value) == by_text
        assert parse(repr(by_value)) == by_value


def test_values_are_taken_wherever_texts_are():
    qrels, run = Qrels.from_dict({"q": {"a": 2, "b": 0}}), Run.from_dict({"q": {"b": 2, "a": 1}})
    measures = [nDCG @ 10, P(rel=2) @ 5, AP @ 100, IPrec @ 0.3]
    names = ["nDCG@10", "P(rel=2)@5", "AP@100", "IPrec@0.3"]
    by_value, by_text = evaluate(qrels, run, measures), evaluate(qrels, run, names)
    assert by_value.per_query.equals(by_text.per_query)
    compared = compare(qrels, run, run, measures)
    assert list(compared.a.ledgers) == names
    for measure, name in zip(measures, names, strict=True):
        assert evaluate(qrels, run, measure).value(measure) == by_text.value(name)
        assert explain(qrels, run, measure, "q").equals(explain(qrels, run, name, "q"))
        assert trace(qrels, run, measure, "q").scores == trace(qrels, run, name, "q").scores
        assert bounds(qrels, run, measure).equals(bounds(qrels, run, name))


def test_numbers_of_other_types_are_written_as_python_s():
    assert str(RBP(p=1e-7)) == "RBP(p=0.0000001)"
    assert parse(str(RBP(p=1e-7))) == RBP(p=1e-7)
    assert str(IPrec @ np.float64(0.3)) == "IPrec@0.3"


@cases(
    ("wrong", "hint"),
    [
        (lambda: Bpref @ 5, "Bpref, binary preference, takes no cutoff."),
        (lambda: Accuracy @ 5, "Accuracy, pairwise accuracy, takes no cutoff."),
        (lambda: nDCG @ 0, "a whole number, 1 or more"),
        (lambda: nDCG @ 2.5, "a whole number, 1 or more"),
        (lambda: nDCG @ "10", "a whole number, 1 or more"),
        (lambda: nDCG @ 10**12, "of at most 12 digits"),
        (lambda: IPrec @ 1.5, "a number from 0 to 1"),
        (lambda: IPrec @ "x", "a number from 0 to 1"),
        (lambda: P(k=3), "P has no parameter 'k'; it takes rel, written like P(rel=…)."),
        (lambda: P(cutoff=3), "P has no parameter 'cutoff'"),
        (lambda: P(rel=True), "rel must be a number"),
        (lambda: P(rel="high"), "rel must be a number"),
        (lambda: F(beta=0), "from 0.001 to 1000"),
        (lambda: nDCG(gain="cubic"), "choose one of 'linear', 'exponential'"),
        (lambda: parse(IPrec), "IPrec needs a recall point from 0 to 1, as in IPrec@0.3."),
        (lambda: parse(10), "10 is not a measure"),
    ],
)
def test_wrong_values_are_explained(wrong, hint):
    with pytest.raises(MeasureError) as caught:
        wrong()
    assert hint in str(caught.value)


def test_an_unknown_measure_is_not_an_attribute():
    with pytest.raises(ImportError, match="nDGC"):
        from metrics.measures import nDGC  # noqa: F401


@cases("measure", REGISTRY.values())
def test_every_measure_has_a_description(measure):
    told = (measure.meaning, measure.formula, measure.source, measure.use, measure.avoid)
    assert all(told)
    assert measure.__doc__
    assert measure.value_range
    # They are read after "Use it for" and "Not for".
    assert not {text.split()[0] for text in (measure.use, measure.avoid)} & {"To", "As", "With"}


@cases(
    ("given", "meant"),
    [
        ("ndcg@10", "nDCG@10"),
        ("MAP", "AP"),
        ("mrr@5", "RR@5"),
        ("HitRate@3", "Success@3"),
        (" P ( rel = 2 ) @ 5 ", "P(rel=2)@5"),
        ("nDCG(gain=exponential)", "nDCG(gain=exponential)"),
        ("AP(rel=0.5)", "AP(rel=0.5)"),
        ("P.5", "P@5"),
        ("ndcg_cut.10", "nDCG@10"),
        ("iprec_at_recall_0.30", "IPrec@0.3"),
        ("Rprec_mult_0.20", "Rprec(times=0.2)"),
        ("rbp_p=0.5", "RBP(p=0.5)"),
        ("11pt_avg", "AvgIPrec"),
        ("nDCG(gain={1:0.5, 2:0.9})@3", "nDCG(gain={1:0.5,2:0.9})@3"),
        ("RBP(p=0.8,worth=relevant)", "RBP(p=0.8,worth=relevant)"),
        ("F(beta=2)@5", "F(beta=2)@5"),
    ],
)
def test_readable_variants(given, meant):
    assert str(parse(given)) == meant


@cases(
    ("theirs", "ours"),
    [
        ("ndcg_at_10", "nDCG@10"),  # MTEB
        ("precision_at_5", "P@5"),
        ("mrr_at_1000", "RR@1000"),
        ("r-precision", "Rprec"),  # ranx
        ("rbp.95", "RBP(p=0.95)"),
        ("map-l2", "AP(rel=2)"),
        ("precision@10-l2", "P(rel=2)@10"),
        ("ndcg_burges@10", "nDCG(gain=exponential)@10"),
        ("dcg_burges", "DCG(gain=exponential)"),
        ("nDCG(dcg='exp-log2')@10", "nDCG(gain=exponential)@10"),  # ir_measures
        ("nDCG(dcg='log2')@10", "nDCG(gain=linear)@10"),
        ("nDCG(gains={1:5,2:9})@10", "nDCG(gain={1:5,2:9})@10"),
        ("SetRelP", "RCap"),
        ("SetF(beta=2.0)", "F(beta=2)"),
        ("set_F", "F1"),  # trec_eval
        ("cosine-accuracy@1", "Success@1"),  # sentence-transformers
        ("dot_mrr@10", "RR@10"),
        ("RetrievalPrecision", "P"),  # torchmetrics
        ("recall@k=10", "R@10"),
        ("rbp@0.5", "RBP(p=0.5)"),
    ],
)
def test_names_of_other_tools(theirs, ours):
    assert str(parse(theirs)) == ours


NAMES = json.loads((Path(__file__).parents[2] / "data/tool_names.json").read_text("utf-8"))["names"]
READ = {
    # What may be read, with its words: GMAP is one number in the library and on the command line.
    "gmap": "LogAP",
    "GMAP": "LogAP",
    "auc": "Accuracy",
    "hole@10": "Unjudged@10",
    # F is F1 where no beta is given.
    "F@10": "F@10",
    "F-score@10": "F@10",
}


@cases("name", NAMES)
def test_a_name_of_another_tool_is_its_measure_or_refused_without_advice_to_another(name):
    wanted = READ.get(name) or NAMES[name].get("measure")
    # Hits are a share of the queries or, in ranx, a number: nobody knows which is meant.
    if wanted and name != "hits@10":
        assert str(parse(name)) == wanted
        return
    with pytest.raises(MeasureError) as caught:
        parse(name)
    assert not any(advice in str(caught.value) for advice in ("Did you mean", "remove @"))
    assert wanted is None or "it is Success@k, whether" in str(caught.value)


def test_f_without_a_beta_is_f1():
    of = evaluate({"q": {"a": 1, "b": 2, "c": 0}}, {"q": {"a": 2, "c": 1}}, ["F@10", "F1@10"])
    assert of.value("F@10") == of.value("F1@10")


@cases("name", ["NRR", "RBO", "MHR", "mR", "RDC@10", "kendall", "exact_match", "fbeta", "hits"])
def test_no_other_measure_is_advised(name):
    with pytest.raises(MeasureError) as caught:
        parse(name)
    assert "Did you mean" not in str(caught.value)


@cases(
    ("name", "why"),
    [
        ("context_precision", "under the preset ragas it is AP@k"),
        ("context_recall@5", "under the preset ragas it is R@k"),
        ("fbeta@10", "write F(beta=2)@10"),
        ("RBO", "rankscope compare and the page Compare do"),
        ("infndcg_cut_10", "infndcg_cut_10 is not offered: it needs qrels with the strata"),
        ("item coverage@10", "it is computed without judgments"),
    ],
)
def test_a_measure_that_is_not_here_is_refused_by_name(name, why):
    with pytest.raises(MeasureError) as caught:
        parse(name)
    assert why in str(caught.value)


def test_a_geometric_mean_is_one_number_by_every_way():
    qrels = {"1": {"a": 1, "b": 0}, "2": {"a": 1}}
    of = evaluate(qrels, {"1": {"b": 3, "a": 2}, "2": {"a": 2}}, ["gm_map", "GMAP", "LogAP"])
    for name in of.ledgers:
        values = [of.mean[name], of.value(name), of.average(name), of.summary(name)]
        assert values == [pytest.approx(math.sqrt(0.5))] * 4
        assert of.value(name, "1") == pytest.approx(math.log(0.5))
    assert "<td>0.7071</td>" in of._repr_html_()


@cases(
    ("name", "parameters", "ours"),
    [
        ("nDCG", {"dcg": "exp-log2", "cutoff": 20}, "nDCG(gain=exponential)@20"),
        ("nDCG", {"gains": {0: 0, 1: 3}}, "nDCG(gain={0:0,1:3})"),
        ("P", {"rel": 2, "cutoff": 5}, "P(rel=2)@5"),
        # Its defaults are not all ours.
        ("RBP", {"rel": 1}, "RBP(p=0.8,rel=1)"),
        ("RBP", {"p": 0.5}, "RBP(p=0.5)"),
        ("SetF", {"beta": 4.0}, "F(beta=2)"),
        ("SetF", {}, "F"),
    ],
)
def test_a_measure_of_ir_measures_is_read(name, parameters, ours):
    """Its objects have these three attributes in version 0.4.3."""
    held = {"NAME": name, "AT_PARAM": "cutoff", "params": parameters}
    theirs = type("_Measure", (), {"__module__": "ir_measures.measures.base", **held})()
    assert parse(theirs) == parse(ours)
    another = type("_Measure", (), held)()
    with pytest.raises(MeasureError, match="is not a measure"):
        parse(another)


@cases(
    ("short", "whole"),
    [
        ("F@5", "F(beta=1)@5"),
        ("RBP", "RBP(p=0.9)"),  # trec_eval 10
        ("RBPres", "RBPres(p=0.9)"),
        ("Compat", "Compat(p=0.95)"),  # ir_measures
        ("ERR", "ERR(max=4)"),  # gdeval
        ("IERR", "IERR(max=4)"),
        ("nERR", "nERR(max=4)"),
        ("Rprec", "Rprec(times=1)"),
    ],
)
def test_omitted_parameters_have_the_defaults_of_the_tools(short, whole):
    assert parse(short) == parse(whole)


@cases(
    ("wrong", "hint"),
    [
        ("nDGC@10", "Did you mean nDCG@10?"),
        ("nDCG10", "Did you mean nDCG@10?"),
        ("ndgc_at_10", "Did you mean nDCG@10?"),
        ("nonsense_at_10", "There is no measure 'nonsense_at_10'"),
        ("rbp.x", "not a measure"),
        ("ndcg-l2", "nDCG has no parameter 'rel'"),
        (
            "P(judged_only=True)@5",
            "choice of the convention here, so that every measure has the same ranking: --set unj",
        ),
        ("nDCG(dcg='ln')", "nDCG has no parameter 'dcg'"),
        ("MAP10", "Did you mean AP@10?"),
        ("mrr.10", "Did you mean RR@10?"),
        ("iprec0.1", "Did you mean IPrec@0.1?"),
        ("ndcg_cut", "Did you mean nDCG?"),
        ("P@0", "whole number, 1 or more"),
        ("P@-1", "not a measure"),
        ("P@1.5", "whole number, 1 or more"),
        ("Bpref@5", "takes no cutoff"),
        ("ndcg@-1", "1 or more, of at most 12 digits. nDCG without @ is of whole rankings."),
        ("MRR@k", "RR@k is not a measure; the cutoff k is a whole number"),
        ("NumQ", "NumQ is not offered: it is the number of queries"),
        ("IPrec", "needs a recall point"),
        ("IPrec@1.5", "from 0 to 1"),
        ("RBP(p=1)", "from 0 to 0.999"),
        ("Judged(rel=1)", "takes none"),
        ("nDCG(gain={1:0.5,1:2})", "appears twice"),
        ("nDCG(gain={1:x})", "map grades to gains"),
        ("nDCG(gain={1:1e999})", "finite number, 0 or more"),
        ("nDCG(gain={1:-1})", "finite number, 0 or more"),
        ("P(k=3)", "takes rel"),
        ("P(rel=high)", "must be a number"),
        ("P(rel=1_0)", "must be a number"),
        ("P(rel=٣)", "must be a number"),
        ("P(rel=2,rel=3)", "appears twice"),
        ("P(rel=0)", "from 0.001 to 1000"),
        ("F(beta=1001)", "from 0.001 to 1000"),
        ("F(beta=0.0001)", "from 0.001 to 1000"),
        ("Rprec(times=1001)", "from 0.001 to 1000"),
        ("ERR(max=1001)", "from 0.001 to 1000"),
        ("P@99999999999999999999", "not a measure"),
        ("a" + " " * 50_000 + "!", "not a measure"),
        ("nDCG(gain=cubic)", "choose one of 'linear', 'exponential'"),
        ("", "not a measure"),
    ],
)
def test_wrong_names_are_explained(wrong, hint):
    with pytest.raises(MeasureError, match=None) as caught:
        parse(wrong)
    assert hint in str(caught.value)


@cases("parameter", ["F(beta={})", "Rprec(times={})", "ERR(max={})", "P(rel={})"])
@cases("value", [0.001, 1000])
def test_both_ends_of_a_range_are_in_it(parameter, value):
    name = parameter.format(value)
    assert str(parse(name)) == name


@cases("level", [0, -1, float("nan"), float("inf"), "1", None])
def test_a_level_that_is_no_number_above_0_is_refused(level):
    with pytest.raises(RankscopeError, match="must be a number above 0"):
        Convention(level=level)
