"""The measure-name language."""

import pytest

from metrics import REGISTRY, MeasureError, parse


@pytest.mark.parametrize("symbol", sorted(REGISTRY))
@pytest.mark.parametrize("cutoff", ["", "@7"])
def test_names_parse_back(symbol, cutoff):
    measure = parse(symbol + cutoff)
    assert str(measure) == symbol + cutoff
    assert parse(str(measure)) == measure
    assert measure.meaning
    assert measure.formula
    assert measure.source


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
    ],
)
def test_readable_variants(given, meant):
    assert str(parse(given)) == meant


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        ("nDGC@10", "Did you mean nDCG"),
        ("P@0", "whole number from 1"),
        ("P@-1", "not a measure"),
        ("P@1.5", "not a measure"),
        ("P(k=3)", "takes rel"),
        ("P(rel=high)", "must be a number"),
        ("P(rel=1_0)", "must be a number"),
        ("P(rel=٣)", "must be a number"),
        ("P(rel=2,rel=3)", "given twice"),
        ("P(rel=0)", "above 0"),
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
