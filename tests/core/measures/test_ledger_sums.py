"""Every score is the sum of its ledger, divided once: all measures, several conventions."""

import json
import math
import os
import subprocess
import sys
from dataclasses import replace
from random import Random

import numpy as np

import metrics
from metrics import PRESETS, Convention, Qrels, Run, evaluate, match, parse, trace
from metrics.scoring.formula import symbols
from tests.cases import cases, every_measure

MEASURES = every_measure(("", "@2"), ("@0.3",))
MEASURES += ["nDCG(gain=exponential)@3", "P(rel=2)@3"]
CONVENTIONS = {
    "trec_eval": Convention(),
    "removed": Convention(gain="exponential", unjudged="removed", ideal="retrieved"),
    "retrieved": Convention(gain="exponential", ideal="retrieved"),
    "skip": Convention(level=2, undefined="skip", ap="capped", recall_points="up"),
    "qrels, one": Convention(queries="qrels", undefined="one", rbp="grade", precision="returned"),
    "gains": Convention(gain="{0:0.25,1:0,2:5}", ideal="doubled", ap="retrieved"),
    "doubled": Convention(
        ties="input", negative="nonrelevant", ideal="doubled", ideal_cut="whole", scores="single"
    ),
    # Under scikit-learn's own choice, "subtract", no measure is a share of an ideal.
    "ascending": Convention(ties="ascending", unjudged="removed"),
    "input": Convention(ties="input", level=2, queries="qrels"),
    "mean": replace(PRESETS["scikit-learn"], negative="nonrelevant"),
}
DOCUMENTS = [f"d{i}" for i in range(8)]
QUERIES = [f"q{number}" for number in range(16)]


def drawn(random, queries, values):
    """Some documents of each query, with a value each."""
    return {
        q: {d: random.choice(values) for d in random.sample(DOCUMENTS, random.randint(1, 8))}
        for q in queries
    }


# Some queries are only in one of the two.
GRADES = Qrels.from_dict(drawn(Random(7), QUERIES[1:], [-1, 0, 1, 2, 3]))
RUN = Run.from_dict(drawn(Random(8), QUERIES[:-1], range(6)))


def applicable(convention):
    """The measures that the convention can be asked for: where ties are averaged, linear ones."""
    return [m for m in MEASURES if convention.ties != "mean" or parse(m).linear]


def same(a, b):
    """Whether two floats have the same bits; one NaN is as good as another."""
    return float(a).hex() == float(b).hex()


@cases("convention", CONVENTIONS.values(), ids=CONVENTIONS)
def test_the_lines_added_one_by_one_are_the_score(convention):
    judged = match(GRADES, RUN, convention)
    for place, name in enumerate(applicable(convention)):
        ledger = parse(name).ledger(judged)
        # Rank order is the order of the lines.
        assert (np.diff(ledger.hits.query) >= 0).all()
        assert (np.diff(ledger.hits.rank)[np.diff(ledger.hits.query) == 0] > 0).all()
        for number, query in enumerate(judged.queries):
            lines, total = ledger.hits.query == number, float(ledger.at_start[number])
            for earned in ledger.earned[lines].tolist():
                total += earned
            score = total / float(ledger.divisor[number])
            assert same(score, ledger.scores[number]), name
            # Tables are slow to make: each measure has one in every fifth query.
            if (place + number) % 5:
                continue
            table = ledger.table(query)
            running = table["running"]
            assert same(running.iloc[-1] if len(running) else score, score), name
            # The contributions are divided one by one: half a unit in the last place for each.
            off = len(table) * sys.float_info.epsilon * float(table["contribution"].abs().sum())
            if not math.isnan(score):
                start = 0.0 if 0 in table.index else float(ledger.start[number])
                assert abs(start + table["contribution"].sum() - score) <= 2 * off, name


@cases("cut", ["k", "whole"])
@cases("convention", CONVENTIONS.values(), ids=CONVENTIONS)
def test_the_shown_numerator_and_denominator_are_the_ones_divided(convention, cut):
    judged = match(GRADES, RUN, replace(convention, ideal_cut=cut))
    for name in applicable(convention):
        if parts := parse(name).parts:
            score = parse(name).ledger(judged).scores
            above, below = (part.ledger(judged).scores for part in parts)
            some = below > 0
            divided = zip(score[some], above[some] / below[some], strict=True)
            assert all(same(*pair) for pair in divided), name


def test_the_formula_of_an_uncut_ideal_names_no_k():
    uncut = Convention(ideal_cut="whole")
    assert r"\sum_{i=1}^{\text{end}}" in symbols(parse("IDCG@2"), uncut)
    assert symbols(parse("IERR@2"), uncut).endswith(r"\mathrm{ERR} \text{ of the ideal ranking}")
    assert symbols(parse("DCG@2"), uncut) == symbols(parse("DCG@2"), Convention())


@cases("convention", CONVENTIONS.values(), ids=CONVENTIONS)
def test_a_query_alone_or_with_all_its_lines_scores_the_same(convention):
    names = applicable(convention)
    among = evaluate(GRADES, RUN, names, convention)
    for number, query in enumerate(among.judged.queries[::2]):
        alone = evaluate(GRADES.only(query), RUN.only(query), names, convention)
        for name in names:
            assert same(alone.value(name, query), among.value(name, query)), name
        # A trace judges anew: each measure has one in some queries.
        for name in names[number % 5 :: 5]:
            traced, score = trace(GRADES, RUN, name, query, convention), among.value(name, query)
            assert same(traced.scores[0], score), name
            running = traced.table(query)["running"]
            assert same(running.iloc[-1] if len(running) else score, score), name


# Prints the bits of all scores; the rows come in another order for every seed but 0.
SCRIPT = """
import json, sys
from random import Random
from metrics import Qrels, Run, evaluate
seed, measures, qrels, run = json.loads(sys.stdin.read())
for rows in (qrels, run) if seed else ():
    Random(seed).shuffle(rows)
scores = evaluate(Qrels.from_columns(*zip(*qrels)), Run.from_columns(*zip(*run)), measures)
queries = scores.judged.queries
bits = {name: {q: scores.value(name, q).hex() for q in queries} for name in measures}
mean = {name: value.hex() for name, value in scores.mean.items()}
print(json.dumps([bits, mean], sort_keys=True))
"""


def test_neither_the_hash_seed_nor_the_order_of_the_rows_changes_a_bit():
    random = Random(0)
    pairs = [(f"q{q}", f"d{d}") for q in range(12) for d in range(30)]
    qrels = [(*pair, random.choice([-1, 0, 0, 1, 2, 3])) for pair in pairs if random.random() < 0.6]
    run = [(*pair, random.randint(0, 20)) for pair in pairs if random.random() < 0.8]
    root = os.path.dirname(os.path.dirname(metrics.__file__))
    started = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT],
            cwd=root,
            env=os.environ | {"PYTHONHASHSEED": str(seed)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in range(5)
    ]
    printed = [
        process.communicate(json.dumps([seed, MEASURES, qrels, run]))[0]
        for seed, process in enumerate(started)
    ]
    assert len(set(printed)) == 1
    per_query, mean = json.loads(printed[0])
    # What was compared is all there, and is what this process makes of it.
    assert set(mean) == set(per_query) == set(MEASURES)
    here = evaluate(
        Qrels.from_columns(*zip(*qrels, strict=True)),
        Run.from_columns(*zip(*run, strict=True)),
        MEASURES,
    )
    assert mean == {name: value.hex() for name, value in here.mean.items()}
    assert len(per_query["AP"]) == 12


def test_no_sum_starts_from_a_negative_zero():
    judged = match(
        Qrels.from_dict({"q": {"a": 1}}),
        Run.from_dict({"x": {"a": 1}}),
        Convention(queries="qrels"),
    )
    for name in MEASURES:
        start = parse(name).ledger(judged).start[0]
        assert start != 0 or not np.signbit(start), name
