"""Every setting is what a comparison under its convention and cutoff gives."""

import math
import re
from dataclasses import replace

from metrics import Convention, Qrels, Run, compare, parse
from metrics.comparing.robustness import CUTOFFS, settings
from metrics.comparing.significance import randomisation
from metrics.conventions.choices import CHOICES
from metrics.teaching.samples import catalogue
from tests.cases import cases

SHOP = catalogue()["shop"].load()


def convention_of(choice):
    """The convention that a setting's words name."""
    if not choice:
        return Convention()
    if level := re.fullmatch(r"relevant: grade (\S+) or higher", choice):
        return Convention(level=float(level[1]))
    (found,) = [
        replace(Convention(), **{name: value})
        for name, each in CHOICES.items()
        for value in each.values
        if replace(Convention(), **{name: value}).sentences()[name] == choice
    ]
    return found


@cases("name", ["nDCG@10", "AP", "P@5", "RR", "RBP(p=0.5)", "Bpref"])
def test_each_setting_is_a_comparison(name):
    measure = parse(name)
    found = settings(SHOP.qrels, *SHOP.runs, measure)
    assert {s.cutoff for s in found} == set(CUTOFFS if measure.suffix == "cutoff" else (None,))
    for setting in found:
        asked = str(replace(measure, cutoff=setting.cutoff))
        convention = convention_of(setting.choice)
        compared = compare(SHOP.qrels, *SHOP.runs, asked, convention)
        assert setting.delta == compared.summary(asked).delta, setting
        assert setting.p == randomisation(compared.per_query(asked)["delta"].to_numpy())
        assert setting.doubtful == (setting.p >= 0.05)


def test_every_choice_that_matters_is_tried_once():
    found = [s.choice for s in settings(SHOP.qrels, *SHOP.runs, parse("nDCG")) if s.cutoff == 1]
    assert len(found) == len(set(found))
    tried = {choice.split(":")[0] for choice in found if choice}
    expected = {"gain", "discount", "ideal ranking", "cutoff of the ideal"}
    assert expected | {"ties", "unjudged documents"} == tried
    linear = [s.choice for s in settings(SHOP.qrels, *SHOP.runs, parse("AP"))]
    assert not any("mean over all orders" in choice for choice in linear)
    assert {"relevant: grade 2 or higher", "relevant: grade 3 or higher"} <= set(linear)


def test_grades_below_0_are_a_choice_where_there_are_any():
    qrels = Qrels.from_dict({"q": {"a": -1, "b": 2}, "p": {"a": 1, "b": 0}})
    a = Run.from_dict({"q": {"a": 2, "b": 1}, "p": {"a": 2, "b": 1}})
    b = Run.from_dict({"q": {"a": 1, "b": 2}, "p": {"a": 1, "b": 2}})
    tried = {setting.choice for setting in settings(qrels, a, b, parse("nDCG@2"))}
    assert "negative grades: judged not relevant, gain 0" in tried
    # With negative gains there is no share of an ideal: the measure refuses it.
    assert "negative grades: judged not relevant, negative gain" not in tried


def test_with_one_query_every_difference_is_doubtful():
    qrels = Qrels.from_dict({"q": {"a": 1}})
    a, b = Run.from_dict({"q": {"b": 2, "a": 1}}), Run.from_dict({"q": {"b": 1, "a": 2}})
    found = settings(qrels, a, b, parse("RR"))
    assert all(math.isnan(setting.p) and setting.doubtful for setting in found)
