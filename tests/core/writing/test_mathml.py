"""Formulas as MathML: every sign of a formula is set, and nothing of LaTeX is left."""

import re
from xml.etree import ElementTree

import pytest

from metrics import Convention, parse
from metrics.scoring.formula import symbols
from metrics.scoring.plain_formula import as_text
from metrics.writing.mathml import mathml
from tests.cases import cases
from tests.core.measures.test_reference import FIELDS, NAMES

CONVENTIONS = [Convention(**{name: each}) for name, of in FIELDS.items() for each in of]


def parsed(latex):
    return ElementTree.fromstring(f"<p>{mathml(latex).replace('<wbr>', '')}</p>")


def signs(words):
    """Return the letters and digits of a formula in any order: scripts have one in each format."""
    return sorted(re.findall(r"\w", words.replace("_", "")))


@cases("name", NAMES)
def test_every_sign_of_a_formula_is_set(name):
    for latex in {symbols(parse(name), each) for each in CONVENTIONS}:
        root = parsed(latex)
        words = "".join(root.itertext()).replace("∑", "Σ").replace("∏", "Π")
        assert signs(words) == signs(as_text(latex)), latex
        assert not {"\\", "^"} & set(words)
        assert len(list(root.iter("mfrac"))) == latex.count(r"\frac")


@cases(
    ("latex", "element", "children"),
    [
        (r"gain^{ideal}_i", "msubsup", ["gain", "i", "ideal"]),
        (r"p^{\,i-1}", "msup", ["p", "i−1"]),
        (r"\sum_{i=1}^{k} x_i", "munderover", ["∑", "i=1", "k"]),
        (r"\max_{i \le k}", "munder", ["max", "i≤k"]),
        (r"\log_2(i+1)", "msub", ["log", "2"]),
        (r"\frac{1}{1 < 2}", "mfrac", ["1", "1<2"]),
        (r"\text{a & b}", "mtext", []),
    ],
)
def test_scripts_belong_to_what_they_follow(latex, element, children):
    (found,) = parsed(latex).iter(element)
    assert ["".join(each.itertext()) for each in found] == children


@pytest.mark.parametrize("sign", ["+", "=", r"\approx"])
def test_a_line_may_begin_with_a_sign_between_terms(sign):
    assert mathml(rf"1 {sign} 2").count("<math") == 2
    assert mathml(rf"\frac{{1 {sign} 2}}{{3}}").count("<math") == 1
