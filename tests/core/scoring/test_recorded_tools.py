"""Every preset of a tool equals what that tool computed, or says where it does not."""

import gzip
import json
import math
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from metrics import PRESETS, Qrels, Run, match
from metrics.conventions.convention import PRESET_MEASURES, PRESET_NOTES
from metrics.scoring.known_differences import KNOWN, exceptions
from metrics.scoring.naming import parse
from tests.cases import cases

DATA = Path(__file__).parents[2] / "data"


@cache
def recorded(tool):
    with gzip.open(DATA / f"recorded_{tool.replace(' ', '_')}.json.gz") as file:
        return json.load(file)


@cache
def recorded_cases(tool):
    """All recorded cases of a tool; ir_measures has others of queries with aspects."""
    found = recorded(tool)["cases"]
    if tool == "ir_measures":
        with gzip.open(DATA / "aspects_ir_measures.json.gz") as file:
            found = [*found, *json.load(file)["cases"]]
    return found


def at(name, *pairs):
    """Our name of a tool's: the first that fits is exchanged, @k stays."""
    own, _, k = name.partition("@")
    return dict(pairs)[own] + (f"@{k}" if k else "")


LISTS = (
    *(("hit_rate", "Success"), ("mrr", "RR"), ("precision", "P"), ("recall", "R")),
    *(("ap", "AP"), ("map", "AP"), ("ndcg", "nDCG"), ("f1", "F")),
)
RAGAS = (
    *(("context_precision", "AP"), ("context_recall", "R")),
    *(("id_based_context_precision", "P"), ("id_based_context_recall", "R")),
)
TORCH = (
    *(("average_precision", "AP"), ("normalized_dcg", "nDCG"), ("precision", "P")),
    *(
        ("recall", "R"),
        ("reciprocal_rank", "RR"),
        ("hit_rate", "Success"),
        ("r_precision", "Rprec"),
    ),
)
SPARK = (
    *(("meanAveragePrecision", "AP"), ("meanAveragePrecisionAt", "AP")),
    *(("precisionAt", "P"), ("recallAt", "R"), ("ndcgAt", "nDCG")),
)
NAMES = {
    "BEIR": lambda name: name.replace("Accuracy", "Success"),
    "MS MARCO": lambda name: name.replace(" @", "@"),
    "LlamaIndex": lambda name: at(name, *LISTS),
    "ragas": lambda name: at(name, *RAGAS),
    "AutoRAG": lambda name: at(name.removeprefix("retrieval_"), *LISTS),
    "MLflow": lambda name: name.removesuffix("/v1"),
    "torchmetrics": lambda name: at(name.removeprefix("retrieval_"), *TORCH),
    "Spark MLlib": lambda name: at(re.sub(r"\((\d+)\)", r"@\1", name), *SPARK),
    "XGBoost": lambda name: name.replace("pre@", "P@"),
    # Others call the share of queries with a hit so.
    "ranx": lambda name: re.sub("^hits", "NumRelRet", name),
}
"""How a tool's names are read, where our parser does not read them as they are."""
DIGITS = {"BEIR": 5e-6, "OpenSearch": 5e-3, "XGBoost": 1e-5, "torchmetrics": 1e-6, "ragas": 1e-9}
"""Half of the last digit that a tool prints, or the precision of its floats."""
ROUNDING = 1e-12
TOOLS = [
    *("ranx", "ir_measures", "scikit-learn", "LightGBM", "XGBoost", "BEIR", "MS MARCO"),
    *("LlamaIndex", "ragas", "MLflow", "AutoRAG", "torchmetrics", "Spark MLlib", "OpenSearch"),
]
IN_WORDS = {
    # What no judgment shows is done to the run here, or does not occur in the recorded cases; a
    # query that is left out has no recorded value.
    "gives the score 0 to documents that are not in the run",
    "takes documents scored 0 or less as not relevant",
    "leaves out queries without a relevant document retrieved",
    "rounds the score of each query to 2 digits",
    # Tools stop without a value, or take fractions, close scores and long lists that no case has.
    *(each.says for each in KNOWN if each.says.startswith("stops at ")),
    *("compares scores in 64 bits", "takes every grade above 0.5 as relevant", "cuts at rank 32"),
    "takes every judged document as relevant, whatever its grade",
}


ALONE = {"ranx": {"Bpref"}, "BEIR": {"Unjudged"}}
"""Measures in which a tool's score of one query depends on the other queries of its run."""


def named(number, part):
    """Queries and documents under ids that no other case has, in the same order among them."""
    return {
        f"{number} {query}": {f"{number} {document}": value for document, value in of.items()}
        for query, of in part.items()
    }


def compared_at_once(tool, found, asked):
    """Yield the place, what it is, whether it is equal, and which differences apply.

    The cases, by their numbers, are the queries of one run: a call costs the same for hundreds.
    """
    qrels, run = {}, {}
    for number, case in found.items():
        qrels |= named(number, case.get("aspects") or case["qrels"])
        run |= named(number, case["run"])
    build = (
        Qrels.from_aspects if any("aspects" in case for case in found.values()) else Qrels.from_dict
    )
    judged = match(build(qrels), Run.from_dict(run), PRESETS[tool])
    rows = {number: [] for number in found}
    for row, query in enumerate(judged.queries):
        rows[int(query.split()[0])].append(row)
    place = {query: [row] for row, query in enumerate(judged.queries)}
    for theirs in dict.fromkeys(name for case in found.values() for name in case["values"]):
        measure = parse(NAMES.get(tool, str)(theirs))
        if not asked(measure):
            continue
        scores = measure.ledger(judged).scores
        applying = {
            each: each.queries(judged, [measure])
            for each in KNOWN
            if each.preset == tool and each.says not in IN_WORDS
        }
        for number, case in found.items():
            for query, value in case["values"].get(theirs, {}).items():
                at = rows[number] if query == "all" else place[f"{number} {query}"]
                ours = float(np.mean(scores[at]))
                close = DIGITS.get(tool, 0) + ROUNDING * max(1, abs(value))
                equal = math.isclose(ours, value, rel_tol=0, abs_tol=close)
                known = [each for each, where in applying.items() if where[at].any()]
                yield (number, theirs, query, value, ours), equal, known


def compared(tool, found):
    """Yield what `compared_at_once` does, with each case alone where that matters."""
    alone = ALONE.get(tool, set())
    numbered = {number: case for number, case in enumerate(found) if case["run"]}
    for by_aspect in (False, True):
        many = {n: case for n, case in numbered.items() if ("aspects" in case) == by_aspect}
        yield from compared_at_once(tool, many, lambda measure: measure.symbol not in alone)
    if alone:
        for number, case in numbered.items():
            yield from compared_at_once(tool, {number: case}, lambda m: m.symbol in alone)


def test_at_least_300_cases_of_each_tool_are_recorded():
    assert {tool: len(recorded(tool)["cases"]) for tool in TOOLS} == dict.fromkeys(TOOLS, 300)
    files = {path.name for path in DATA.glob("recorded_*.json.gz")}
    assert files == {f"recorded_{tool.replace(' ', '_')}.json.gz" for tool in TOOLS}


def test_every_preset_of_a_tool_has_recorded_runs():
    # trec_eval's, which pytrec_eval and so "trec_eval 9" share, are compared in other tests.
    others = {
        "trec_eval",
        "trec_eval 9",
        "“NDCG and MRR From Scratch” (batch code)",
        "“How to Evaluate Reranking Quality with NDCG”",
    }
    assert set(PRESETS) - set(TOOLS) == others
    assert len(set(PRESETS.values())) == len(PRESETS)


def test_the_measures_of_a_preset_are_those_that_were_recorded():
    for tool, symbols in PRESET_MEASURES.items():
        if tool not in TOOLS:
            continue
        names = {name for case in recorded(tool)["cases"] for name in case["values"]}
        found = {parse(NAMES.get(tool, str)(name)).symbol for name in names}
        # F1 is F; BEIR's nDCG, AP, R and P are pytrec_eval's.
        others = {"BEIR": {"nDCG", "AP", "R", "P"}}.get(tool, set())
        assert found - others == set(symbols) - {"F1"}, tool
    assert set(PRESET_NOTES) == set(PRESETS) >= set(PRESET_MEASURES)


def test_evaluate_of_beir_is_trec_eval_9_without_the_own_documents():
    convention = replace(PRESETS["trec_eval 9"], own_document="removed")
    compared = removed = 0
    for case in recorded("BEIR")["cases"]:
        judged = match(case["qrels"], case["run"], convention)
        removed += bool(judged.removed)
        for theirs, values in case["values"].items():
            if not theirs.startswith(("NDCG", "MAP", "Recall", "P@")):
                continue
            ours = float(np.mean(parse(theirs).ledger(judged).scores))
            assert math.isclose(ours, values["all"], rel_tol=0, abs_tol=5.1e-6), theirs
            compared += 1
    assert compared == 300 * 16
    assert removed > 50


@cases("tool", TOOLS)
def test_the_preset_equals_the_tool_or_says_where_not(tool):
    found = list(compared(tool, recorded_cases(tool)))
    assert [what for what, equal, known in found if not equal and not known] == []
    assert sum(equal and not known for what, equal, known in found) >= 150
    # Each known difference is the only reason somewhere.
    alone = {known[0] for what, equal, known in found if not equal and len(known) == 1}
    known = {each for each in KNOWN if each.preset == tool and each.says not in IN_WORDS}
    # BEIR's cases have no fractions.
    assert {each for each in known - alone if (tool, each.says) != ("BEIR", ABOVE_0)} == set()


WHOLE = {"a": 2, "b": 1, "c": 0}
HALVES = {"a": 0.9, "b": 0.5, "c": 0}
CLOSE = {"a": 1.00000001, "b": 1.0, "c": 0.5}
LONG = {f"d{number:02}": 99 - number for number in range(40)}
ABOVE_0 = "takes every grade above 0 as relevant"
_64 = "compares scores in 64 bits"
STOPS = "stops at fractional grades"


@cases(
    ("preset", "measure", "grades", "run", "says"),
    [
        # LightGBM 4.7: "label should be int type (met 0.900000) for ranking task".
        ("LightGBM", "nDCG", HALVES, CLOSE, "that are not whole numbers from 0 to 30"),
        ("LightGBM", "nDCG", {"a": 31}, CLOSE, "that are not whole numbers from 0 to 30"),
        ("LightGBM", "nDCG", {"a": -1}, CLOSE, "that are not whole numbers from 0 to 30"),
        ("LightGBM", "nDCG", {"a": 30, "x": 0.5}, CLOSE, ""),
        ("LightGBM", "AP", HALVES, CLOSE, "takes every grade above 0.5 as relevant"),
        ("LightGBM", "AP(rel=0.6)", HALVES, CLOSE, ""),
        # XGBoost 3.2: "label must be either 0 or positive integer", "only be used with binary".
        ("XGBoost", "nDCG", HALVES, CLOSE, "that are not whole numbers from 0 to 31"),
        ("XGBoost", "nDCG@2", WHOLE, CLOSE, ""),
        ("XGBoost", "AP@2", WHOLE, CLOSE, "other than the whole numbers 0 and 1"),
        ("XGBoost", "P@2", {"a": 1, "b": 0}, CLOSE, ""),
        # Its metrics end at rank 32 where no cutoff is given: nDCG of d34 alone is 0, not 0.195.
        ("XGBoost", "nDCG", {"d34": 1}, LONG, "cuts at rank 32"),
        ("XGBoost", "nDCG@40", {"d34": 1}, LONG, ""),
        # pytrec_eval: "Expected relevance to be integer."
        ("ir_measures", "nDCG@5", HALVES, CLOSE, STOPS),
        ("ir_measures", "RR", HALVES, CLOSE, STOPS),
        ("ir_measures", "RR@2", HALVES, {"a": 2, "b": 1}, ""),
        ("ir_measures", "Judged@2", HALVES, {"a": 2, "b": 1}, ""),
        ("BEIR", "nDCG@2", HALVES, CLOSE, STOPS),
        ("BEIR", "RR@2", HALVES, CLOSE, ABOVE_0),
        ("OpenSearch", "P@2", HALVES, CLOSE, ABOVE_0),
        # trec_eval reads grades with atol.
        ("trec_eval", "nDCG", HALVES, CLOSE, "cuts fractional grades to whole numbers"),
        ("trec_eval 9", "P@2", HALVES, CLOSE, "cuts fractional grades to whole numbers"),
        ("trec_eval", "nDCG", WHOLE, CLOSE, ""),
        # gdeval: ERR@5 of a alone is 0.0625; here, with equal scores, b is first.
        ("ir_measures", "ERR@5", {"a": 1}, CLOSE, _64),
        ("ir_measures", "nDCG(gain=exponential)@5", {"a": 1}, CLOSE, _64),
        ("ir_measures", "nDCG@5", {"a": 1}, CLOSE, ""),
        ("ir_measures", "RR@5", {"a": 1}, CLOSE, _64),
        ("ir_measures", "RR", {"a": 1}, CLOSE, ""),
        ("ir_measures", "Judged@1", {"a": 1}, CLOSE, _64),
        ("ir_measures", "ERR@5", {"a": 1}, {"a": 2, "b": 1}, ""),
        # The level is the measure's own.
        (
            "ir_measures",
            "Accuracy(rel=2)",
            {"b": 2, "c": 1},
            {"a": 2, "c": 1},
            "leaves out queries",
        ),
        ("ir_measures", "Accuracy", {"b": 2, "c": 1}, {"a": 2, "c": 1}, ""),
        ("OpenSearch", "P(rel=2)@2", WHOLE, CLOSE, ABOVE_0),
        # Its script does not look at the grade.
        ("MS MARCO", "RR@10", {"a": 0, "b": 1}, {"a": 2, "b": 1}, "whatever its grade"),
        ("MS MARCO", "RR@10", {"a": 1, "b": 1}, {"a": 2, "b": 1}, ""),
    ],
)
def test_a_difference_is_reported_where_it_applies(preset, measure, grades, run, says):
    judged = match({"q": grades}, {"q": run}, PRESETS[preset])
    found = exceptions([judged], [parse(measure)])
    rounds = [each for each in found if "rounds the score" not in each]
    assert [each for each in rounds if says in each] == rounds
    assert bool(rounds) == bool(says)
