"""The measure-name language."""

from pathlib import Path

import pytest

from metrics import REGISTRY, MeasureError, parse


@pytest.mark.parametrize("symbol", sorted(REGISTRY))
@pytest.mark.parametrize("at", ["", "@7", "@0.3"])
def test_names_parse_back(symbol, at):
    kind = REGISTRY[symbol]
    fits = {"": symbol != "IPrec", "@7": kind.at == "cutoff", "@0.3": kind.at == "recall"}
    if not fits[at]:
        with pytest.raises(MeasureError):
            parse(symbol + at)
        return
    measure = parse(symbol + at)
    assert str(measure) == symbol + at
    assert parse(str(measure)) == measure


def test_the_readme_names_every_measure():
    readme = (Path(__file__).parents[3] / "README.md").read_text("utf-8")
    assert [symbol for symbol in REGISTRY if f"`{symbol}`" not in readme] == []


@pytest.mark.parametrize("measure", REGISTRY.values())
def test_every_measure_says_what_it_is(measure):
    told = (measure.meaning, measure.formula, measure.source, measure.use, measure.avoid)
    assert all(told)
    assert measure.__doc__
    assert measure.span


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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
def test_what_is_left_out_is_what_the_tools_take(short, whole):
    assert parse(short) == parse(whole)


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        ("nDGC@10", "Did you mean nDCG"),
        ("P@0", "whole number from 1"),
        ("P@-1", "not a measure"),
        ("P@1.5", "whole number from 1"),
        ("Bpref@5", "takes no cutoff"),
        ("IPrec", "needs a recall point"),
        ("IPrec@1.5", "from 0 to 1"),
        ("RBP(p=1)", "from 0 to 0.999"),
        ("Judged(rel=1)", "takes none"),
        ("nDCG(gain={1:0.5,1:2})", "named twice"),
        ("nDCG(gain={1:x})", "map grades to gains"),
        ("nDCG(gain={1:1e999})", "finite number from 0"),
        ("nDCG(gain={1:-1})", "finite number from 0"),
        ("P(k=3)", "takes rel"),
        ("P(rel=high)", "must be a number"),
        ("P(rel=1_0)", "must be a number"),
        ("P(rel=٣)", "must be a number"),
        ("P(rel=2,rel=3)", "given twice"),
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


@pytest.mark.parametrize("parameter", ["F(beta={})", "Rprec(times={})", "ERR(max={})", "P(rel={})"])
@pytest.mark.parametrize("value", [0.001, 1000])
def test_both_ends_of_a_range_are_in_it(parameter, value):
    name = parameter.format(value)
    assert str(parse(name)) == name
