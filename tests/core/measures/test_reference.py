"""Every measure against a second, plain implementation, on random cases and conventions."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from metrics import REGISTRY, Convention, MeasureError, Qrels, Run, evaluate, match, parse
from metrics.conventions.choices import CHOICES
from metrics.scoring.evaluate import score
from tests.cases import cases
from tests.core.measures.batch import close
from tests.core.measures.reference import MEASURES, reference

NAMES = [name for row in MEASURES.values() for name in row.names.split()]
GAINS = [*CHOICES["gain"].values, "{1:0.5,2:0.9}", "{1:2,2:2}", "{0:1,3:0}", "{-1:0.5,0:0.25}"]
GRADES = [-1, 0, 0, 1, 1, 2, 3, 0.5]
SCORES = [0, 1, 2, 3, 1 + 1e-9]
FIELDS = {name: list(choice.values) for name, choice in CHOICES.items()} | {
    "gain": GAINS,
    "level": [1, 1, 2, 0.5, 1.5],
}

documents = st.sampled_from("abcdeé")
conventions = st.builds(
    Convention, **{name: st.sampled_from(values) for name, values in FIELDS.items()}
)
queries = st.sampled_from(["q1", "q2"])
qrels_of = st.dictionaries(
    queries, st.dictionaries(documents, st.sampled_from(GRADES), min_size=1), min_size=1
)
runs = st.dictionaries(queries, st.dictionaries(documents, st.sampled_from(SCORES)), min_size=1)


def options(measure):
    """The parameters in a measure's name, as plain values."""
    named = {"k" if name == "cutoff" else name: value for name, value in vars(measure).items()}
    return {name: value for name, value in named.items() if value is not None}


MEASURED = [(name, parse(name).symbol, options(parse(name))) for name in NAMES]


def asked(symbol, chosen, grades, convention):
    """Whether the measure accepts this case: it refuses choices without a meaning."""
    negative = any(grade < 0 for each in grades.values() for grade in each.values())
    if symbol == "nDCG" and convention.negative == "subtract" and negative:
        return False
    if convention.ties == "mean":
        doubled = convention.ideal == "doubled" and "k" in chosen and symbol in {"IDCG", "nDCG"}
        return REGISTRY[symbol].linear and not doubled
    return True


def disagreements(grades, scores, convention):
    wanted = [each for each in MEASURED if asked(*each[1:], grades, convention)]
    rankings = match(Qrels.from_dict(grades), Run.from_dict(scores), convention)
    found = score(rankings, [name for name, *_ in wanted])
    both = [query for query in grades if query in scores or convention.queries == "qrels"]
    assert sorted(found.judged.queries) == sorted(both)
    for name, symbol, chosen in wanted:
        values = found.ledgers[name].scores.tolist()
        for query, ours in zip(found.judged.queries, values, strict=True):
            theirs = reference(symbol, grades[query], scores.get(query, {}), convention, chosen)
            same = math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-11)
            if math.isnan(ours) != math.isnan(theirs):
                yield f"`{symbol}`: its to_find and that of reference.py differ", name, query
            elif not same and not math.isnan(ours):
                yield name, query, ours, theirs


def test_every_measure_has_a_reference():
    for symbol in REGISTRY:
        assert symbol in MEASURES, f"`{symbol}` has no row in reference.py's MEASURES"
    assert set(MEASURES) == set(REGISTRY)
    for symbol, row in MEASURES.items():
        named = [parse(name) for name in row.names.split()]
        assert {measure.symbol for measure in named} == {symbol}
        cut = {measure.cutoff is not None for measure in named}
        wanted = {False, True} if REGISTRY[symbol].suffix == "cutoff" else {False}
        assert cut == wanted, f"`{symbol}`: reference.py needs names with and without a cutoff"


@settings(max_examples=150)
@given(qrels_of, runs, conventions)
def test_equals_the_reference(grades, scores, convention):
    assert list(disagreements(grades, scores, convention)) == []


@cases("seed", range(200))
def test_equals_the_reference_on_fixed_cases(seed):
    draw = random.Random(seed)

    def values(choices):
        names = draw.sample("abcdeé", draw.randint(1, 6))
        return {name: draw.choice(choices) for name in names}

    grades = {query: values(GRADES) for query in ("q1", "q2")}
    scores = {query: values(SCORES) for query in ("q1", "q2")[: draw.randint(1, 2)]}
    convention = Convention(**{name: draw.choice(values) for name, values in FIELDS.items()})
    assert list(disagreements(grades, scores, convention)) == []


def test_many_queries_give_the_bits_of_each_alone():
    draw = random.Random(3)
    grades, scores = (
        {
            f"q{i}": {d: draw.choice(values) for d in draw.sample("abcdeé", draw.randint(1, 6))}
            for i in range(40)
            # Some queries are only in one of the two.
            if draw.random() < 0.9
        }
        for values in (GRADES, SCORES)
    )
    for choices in ({}, {"queries": "qrels", "unjudged": "removed", "gain": "exponential"}):
        convention = Convention(**choices)
        together = evaluate(Qrels.from_dict(grades), Run.from_dict(scores), NAMES, convention)
        for number, query in enumerate(together.per_query.index):
            alone = evaluate(
                Qrels.from_dict({query: grades[query]}),
                Run.from_dict({query: scores.get(query, {})}),
                NAMES,
                convention,
            )
            assert together.per_query.loc[[query]].equals(alone.per_query), query
            # Tables are slow to make: each measure's are compared in every sixth query.
            for name in NAMES[number % 6 :: 6]:
                lines = together.ledgers[name].table(query)
                assert_frame_equal(
                    lines, alone.ledgers[name].table(query), check_dtype=False, check_exact=True
                )


@cases("cut", ["k", "whole"])
@cases("ideal", ["retrieved", "doubled", "judged"])
def test_an_ideal_with_gains_below_0_on_fixed_cases(ideal, cut):
    draw = random.Random(f"{ideal} {cut}")
    grades, scores = (
        {f"q{n}": {d: draw.choice(of) for d in draw.sample("abcdeé", 5)} for n in range(100)}
        for of in ([-3, -2, -1, 0, 1], SCORES)
    )
    convention = Convention(negative="subtract", ideal=ideal, ideal_cut=cut)
    judged = match(Qrels.from_dict(grades), Run.from_dict(scores), convention)
    for k in (None, 1, 2, 3):
        chosen = {"k": k} if k else {}
        found = parse(f"IDCG@{k}" if k else "IDCG").ledger(judged).scores
        theirs = [reference("IDCG", grades[q], scores[q], convention, chosen) for q in grades]
        assert judged.queries == tuple(grades)
        assert close(found, theirs, 1e-9, 1e-11).all(), k


@cases(
    ("grades", "choices"),
    [
        ({"a": 2, "b": 1}, {"ties": "mean", "ideal": "doubled"}),
        ({"a": 1, "missing": -1}, {"negative": "subtract"}),
        ({"a": 1, "b": -1}, {"negative": "subtract", "ideal": "retrieved"}),
    ],
)
def test_a_share_of_an_ideal_with_negative_gains_is_refused(grades, choices):
    qrels, run = Qrels.from_dict({"q": grades}), Run.from_dict({"q": {"a": 1, "b": 1}})
    with pytest.raises(MeasureError):
        evaluate(qrels, run, "nDCG@1", Convention(**choices))


def test_only_the_top_k_count_twice_in_an_uncut_ideal():
    qrels, run = Qrels.from_dict({"q": {"a": 1, "b": 1}}), Run.from_dict({"q": {"a": 2, "b": 1}})
    convention = Convention(ideal="doubled", ideal_cut="whole")
    ideal = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    assert evaluate(qrels, run, "nDCG@1", convention).mean.iloc[0] == pytest.approx(1 / ideal)
