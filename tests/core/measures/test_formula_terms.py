"""The arithmetic shown for a line is right: its formula evaluates to its contribution."""

import math
import random
import re
from functools import cache

import pytest

from metrics import Convention, Qrels, Run, match, parse
from metrics.conventions.choices import CHOICES
from metrics.measures import MEASURES
from metrics.scoring.formula import nothing_to_find, symbols, term
from tests.cases import cases
from tests.core.measures.test_reference import FIELDS, NAMES, asked, options

SHOWN = [name for name in NAMES if parse(name).symbol not in {"LogAP", "LogBpref", "Utility"}]


class Exact(float):
    """A number that a formula shows with all digits instead of those that fit on a page."""

    def __format__(self, spec):
        return repr(float(self))


def worked_out(latex):
    """The value of a formula as terms write it."""
    fraction = re.compile(r"\\frac\{([^{}]*)\}\{([^{}]*)\}")
    text = latex.replace(r"\left", "").replace(r"\right", "").replace(r"\cdot", "*")
    text = re.sub(r"\^\{(-?\d+)\}", r"**(\1)", text)
    text = re.sub(r"\\log_2 ([0-9.]+)", r"log2(\1)", text)
    text = text.replace(r"\log_2", "log2").replace(r"\ln", "ln").replace(r"\max", "max")
    while r"\frac" in text:
        text, count = fraction.subn(r"((\1)/(\2))", text)
        assert count, text
    return eval(text.replace(")(", ")*("), {"log2": math.log2, "ln": math.log})


def test_formulas_are_evaluated():
    assert worked_out(r"\frac{2\cdot3.0}{\log_2(1.0+1)}\left(1-0.5\right)") == 3


@cache
def drawn():
    """The grades and the judged ranking of 60 queries, each under a convention of its own."""
    draw, made = random.Random(11), []
    documents = [f"d{i}" for i in range(9)]
    for _ in range(60):
        grades = {d: draw.choice([-1, 0, 1, 2, 3, 0.5]) for d in draw.sample(documents, 6)}
        scores = {d: float(draw.choice([1, 2, 3, 4])) for d in draw.sample(documents, 7)}
        convention = Convention(**{k: draw.choice(v) for k, v in FIELDS.items()})
        qrels, run = Qrels.from_dict({"q": grades}), Run.from_dict({"q": scores})
        made.append((grades, match(qrels, run, convention)))
    return made


@cases("name", SHOWN)
def test_a_line_s_formula_is_its_contribution(name):
    measure, shown = parse(name), 0
    for grades, judged in drawn():
        if not asked(measure.symbol, options(measure), {"q": grades}, judged.convention):
            continue
        ledger = measure.ledger(judged)
        if nothing_to_find(ledger, "q"):
            continue
        table = ledger.table("q")
        # Faster than `to_dict`, for 5,000 tables.
        for rank, *values in table.itertuples(name=None):
            if rank == 0:
                continue
            line = {"rank": rank, **dict(zip(table.columns, values, strict=True))}
            numbers = {column: Exact(line[column]) for column in line if column != "document"}
            latex = term(measure, ledger.convention, numbers)
            assert worked_out(latex) == pytest.approx(line["contribution"], abs=1e-12), latex
            shown += line["contribution"] != 0
            if {"gain", "discount"} <= set(line) and "per_gain" not in line:
                divided_by = [line.get(each, 1.0) for each in ("idcg", "most", "ideal")]
                whole = line["contribution"] * math.prod(divided_by)
                assert line["gain"] * line["discount"] == pytest.approx(whole, abs=1e-12)
    assert shown > 10


@cases("measure", MEASURES.values(), ids=str)
@cases("discount", CHOICES["discount"].values)
@cases("cut", CHOICES["ideal_cut"].values)
def test_a_formula_in_symbols_has_no_empty_slot(measure, discount, cut):
    shown = symbols(measure, Convention(discount=discount, ideal_cut=cut))
    assert "<" not in shown.replace("j<i", "")
