"""Text for a terminal: formulas that can be computed as they read, tables within a width."""

import math
import re
import warnings

import pytest

from metrics import REGISTRY, Convention, Qrels, Run, parse, trace
from metrics.scoring.formula import substituted, symbols
from metrics.scoring.plain_formula import as_text
from metrics.writing import FORMATS, Table
from metrics.writing.html import html
from metrics.writing.terminal import measured, text
from tests.cases import cases, scaled

QRELS = Qrels.from_dict({"q": {"a": 3, "b": 0, "c": 2, "d": 1, "e": 1}})
RUN = Run.from_dict({"q": {"x": 9, "a": 8, "b": 8, "c": 6, "y": 5, "d": 4}})
CONVENTIONS = [Convention(), Convention(ties="mean"), Convention(gain="exponential", discount="ln")]
SPECIAL = {"IPrec": "IPrec@0.3"}


@cases("symbol", REGISTRY)
def test_a_formula_as_text_computes_the_score(symbol):
    for convention in CONVENTIONS:
        if convention.ties == "mean" and not REGISTRY[symbol].linear:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ledger = trace(QRELS, RUN, SPECIAL.get(symbol) or scaled(symbol), "q", convention)
        written = as_text(substituted(ledger, "q"))
        name, score, sums = re.split(" [=≈] ", written)
        assert name == ledger.measure.short
        computed = sums.replace("·", "*").replace("^", "**")
        computed = re.sub("log2 ([0-9]+)", r"log2(\1)", computed)
        names = {"log2": math.log2, "ln": math.log, "max": max, "min": min}
        # The text itself is computed; no name but these is known.
        value = eval(computed, {"__builtins__": {}}, names)
        assert value == pytest.approx(float(score), abs=5e-3), written


@cases("symbol", REGISTRY)
def test_no_command_of_latex_is_left_in_a_formula(symbol):
    for convention in CONVENTIONS:
        written = as_text(symbols(parse(SPECIAL.get(symbol, symbol)), convention))
        assert not re.search(r"\\|frac|left|mathrm|text|\{[a-z]", written)


LONG = Table.of(
    ["run", "query", "score of the run", "note", "other"],
    [
        ["bm25", "q1", 0.5, "two words", 1],
        ["bm25", "q2", 0.25, "a sentence of several words that is long", 22],
        ["bm25", "q3", 0.25, "検索" * 60, 3],
    ],
).saying(heading={"measure": "AP"}, labels={"test": "a label of many words, " * 6})


@cases("width", [24, 30, 50, 80])
def test_a_table_keeps_within_the_width_and_loses_no_word(width):
    narrow = text(LONG, width)
    assert max(map(measured, narrow.splitlines())) <= width
    words = {word for word in text(LONG).split() if word[0] not in "-検"}
    assert set(narrow.split()) >= words
    assert narrow.count("検") == narrow.count("索") == 60


def test_blocks_repeat_the_columns_that_tell_rows_apart():
    lines = text(
        Table.of(["run", "query", *"abcd"], [["r", "q1", *[0.5] * 4], ["r", "q2", *[1] * 4]]), 28
    )
    assert [line.split() for line in lines.splitlines() if line.startswith("run")] == [
        ["run", "query", "a", "b"],
        ["run", "query", "c", "d"],
    ]


def test_a_table_that_is_wide_enough_is_one_block():
    assert text(LONG, 500) == text(LONG)


@cases("write", [*map(FORMATS.get, ("table", "latex", "markdown")), html])
def test_texts_are_on_one_line_and_an_id_shows_its_line_end(write):
    written = write(Table.of(["query", "text"], [["q\n1", "one\r\ntwo\u200b"]]))
    assert "one two" in written
    assert written.count("U+000A") == 1
