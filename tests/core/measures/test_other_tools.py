"""The scores of other tools on 31 small cases: reproduced under their preset, or explained."""

import json
from dataclasses import dataclass, field, replace

import pytest

from metrics import PRESETS, DataError, MeasureError, Qrels, ReadError, Run, evaluate, read_run
from metrics.teaching.samples import FOLDER
from tests.cases import cases

RECORDED = json.loads((FOLDER / "engine_divergences.json").read_text())
CASES = {case["id"]: case for case in RECORDED["cases"]}


@dataclass(frozen=True)
class Ours:
    """Our measure for each recorded number, under a preset and what differs from it.

    A number's key is its path in the recorded value; a value that is a single number has "".
    Keys that are left out are read as measure names themselves. A text that begins with "not: "
    is the reason why a number is not imitated; "as MS MARCO: RR@10" has a preset of its own.
    """

    preset: str
    names: dict[str, str] = field(default_factory=dict)
    digits: int = 6
    only: str | None = None
    run: dict[str, float] | None = None
    change: dict[str, object] = field(default_factory=dict)


def numbered(*names):
    return {str(i): name for i, name in enumerate(names)}


ERROR = "it fails with an error"
NOT_RUN = "not: read from its source, never run; "
LRAP = "not: label_ranking_average_precision is another measure"
TAIL = "not: its residual leaves out what is below the last document"
NUM_Q = "not: the number of queries is no measure"
SCRIPT = "as MS MARCO: RR@10"
TREC, TREC9, IR, RANX = "trec_eval", "trec_eval 9", "ir_measures", "ranx"
SKLEARN, LIGHTGBM, XGBOOST = "scikit-learn", "LightGBM", "XGBoost"
MSMARCO, BEIR = "MS MARCO", "BEIR"

OURS = {
    "gain_linear_vs_exponential": [
        Ours(TREC9),
        Ours(TREC, digits=4),
        Ours(TREC, digits=4),
        Ours(TREC9, {"q1.ndcg_1=1,2=3,3=7": "nDCG(gain={1:1,2:3,3:7})"}, 4),
        Ours(
            RANX, {"ndcg_burges": "nDCG(gain=exponential)", "dcg_burges": "DCG(gain=exponential)"}
        ),
        Ours(IR),
        ERROR,
        Ours(IR, {"nDCG(dcg='exp-log2')@6": "nDCG(gain=exponential)@6"}, 5),
        Ours(SKLEARN),
        Ours(LIGHTGBM),
        Ours(XGBOOST),
        Ours(XGBOOST, {"ndcg@6": "nDCG(gain=linear)@6"}),
        Ours(TREC, {"lin": "nDCG", "exp": "nDCG(gain=exponential)"}),
        "the discount of 2002, 1/log2(rank) from rank 2 on, makes another measure",
    ],
    "idcg_scope": [
        Ours(TREC9, {"ndcg_cut_3": "nDCG@3"}),
        Ours(RANX),
        Ours(IR),
        Ours(TREC),
        Ours(SKLEARN, {"": "nDCG"}),
        Ours(SKLEARN, run={"a": 3, "b": 2, "c": 1, "x": 0, "y": -1}),
        Ours(LIGHTGBM),
        Ours(SKLEARN, {"": "nDCG"}),
    ],
    "ties_order": [
        Ours(TREC9),
        Ours(IR, {"RR@10": SCRIPT}),
        Ours(TREC, change={"ties": "input"}),
        Ours(IR, change={"ties": "ascending"}),
        Ours(TREC, {"nDCG(dcg='exp-log2')@3": "nDCG(gain=exponential)@3"}),
        Ours(RANX, {"mrr": "RR", "precision@1": "P@1"}),
        Ours(RANX, {"mrr": "RR", "precision@1": "P@1"}, run={"a": 1, "b": 1, "c": 1}),
        Ours(SKLEARN, {"": "nDCG"}),
        "ignore_ties=True reverses the order in which a vector happens to stand",
        LRAP,
        Ours(BEIR, {"MRR@10": "RR@10"}),
        Ours(TREC, {"rr": "RR", "map": "AP", "ndcg": "not: RR and NDCG order ties in two ways"}),
        Ours(
            TREC,
            {
                "rbp(0.5).0": "RBP(p=0.5,worth=relevant)",
                "rbp(0.5).1": TAIL,
                "rbp(0.5) no avg.0": "not: without averages it orders ties ascending",
                "rbp(0.5) no avg.1": TAIL,
            },
            change={"ties": "mean"},
        ),
        Ours(LIGHTGBM),
        Ours(XGBOOST),
    ],
    "ties_docid_is_a_string": [
        Ours(TREC9),
        Ours(IR, {"RR@10": SCRIPT}),
        Ours(RANX, {"": "RR"}),
    ],
    "score_float32": [
        Ours(TREC9),
        Ours(TREC9, digits=4),
        Ours(TREC, digits=4),
        Ours(RANX, {"": "RR", "mrr": "RR"}),
        Ours(IR, {"RR@10": SCRIPT}),
    ],
    "precision_short_list": [
        Ours(TREC9),
        Ours(RANX, {"f1@5": "F1@5"}),
        Ours(IR, {"SetP": "P"}),
        Ours(TREC, digits=4),
        Ours(TREC),
        Ours(XGBOOST, {"pre@5": "P@5"}),
        Ours(TREC, {"0": "P@5", "1": NOT_RUN + "it is our precision='returned'"}),
    ],
    "ap_denominator": [
        Ours(TREC9),
        Ours(RANX),
        Ours(IR),
        Ours(TREC, change={"ap": "retrieved"}),
        Ours(TREC),
        Ours(SKLEARN, numbered("AP", "AP")),
        Ours(LIGHTGBM),
        Ours(XGBOOST),
        NOT_RUN + "AP over the relevant in the top k falls when a hit is added",
        Ours(TREC, {"": "AP@2"}, change={"ap": "capped"}),
    ],
    "rr_cutoff": [
        Ours(TREC9),
        Ours(IR),
        Ours(RANX),
        Ours(BEIR, digits=5),
    ],
    "f_measure": [
        Ours(TREC9, {"set_F.2": "F(beta=1.4142135623730951)"}),
        Ours(IR, {"SetF": "F1", "SetF(beta=2.0)": "F(beta=1.4142135623730951)"}),
        Ours(RANX),
        Ours(TREC, numbered("F1", "F(beta=2)")),
        Ours(TREC, {"": "F(beta=1.4142135623730951)"}),
    ],
    "no_relevant_docs": [
        Ours(TREC9),
        Ours(TREC, {"num_q": NUM_Q}, digits=4),
        Ours(IR),
        Ours(RANX),
        Ours(SKLEARN, {"0": "nDCG", "1": LRAP}, only="q2"),
        Ours(LIGHTGBM, only="q2"),
        Ours(
            XGBOOST,
            {"ndcg@2-": "not: the minus stands for undefined='zero'", "pre@2": "P@2"},
            only="q2",
        ),
        Ours(TREC),
        Ours(TREC, {"0": "nDCG", "1": NOT_RUN + "'one'", "2": NOT_RUN + "'skip'"}),
    ],
    "query_mismatch": [
        Ours(TREC9),
        Ours(TREC9, {"all.num_q": NUM_Q}, 4),
        Ours(TREC9, {"all.num_q": NUM_Q}, 4, change={"queries": "qrels"}),
        "version 10 stops where a query of the run was not judged; we leave it out and say so",
        Ours(TREC, {"all.num_q": NUM_Q}, 4, change={"queries": "qrels"}),
        Ours(IR, {"NumQ": NUM_Q}),
        Ours(IR),
        ERROR,
        Ours(RANX),
        Ours(RANX),
        ERROR,
        Ours(BEIR, {"MRR@10": "RR@10"}),
        "its mean is over the run's queries, judged or not",
    ],
    "relevance_threshold": [
        Ours(TREC9),
        Ours(TREC9, change={"level": 2}),
        Ours(
            RANX,
            {
                "map-l2": "AP(rel=2)",
                "ndcg-l2": "nDCG(gain={1:0})",
                "precision@2-l2": "P(rel=2)@2",
            },
        ),
        Ours(IR),
        Ours(IR, {"nDCG(gains={1:0})": "nDCG(gain={1:0})"}),
        Ours(IR),
        ERROR,
        Ours(RANX, {"": "nDCG(gain={1:0,2:1,3:2})"}),
    ],
    "negative_judgments": [
        Ours(TREC9),
        Ours(TREC9, change={"unjudged": "removed"}),
        Ours(TREC, {"q1.relstring": "not: a picture of the ranking is no measure"}),
        Ours(
            IR,
            {
                "Judged@5": "not: it counts as judged what its Bpref and infAP treat as unjudged",
                "nDCG(judged_only=True)": "not: it is unjudged='removed', tested above",
            },
        ),
        Ours(RANX),
        "it refuses nDCG with grades below 0; so do we, see below",
        Ours(SKLEARN, {"": "DCG"}),
        "it refuses grades below 0",
    ],
    "unjudged_docs": [
        Ours(TREC9),
        Ours(TREC9, change={"unjudged": "removed"}),
        Ours(
            IR,
            {
                "nDCG(judged_only=True)@3": "not: it is unjudged='removed', tested above",
                "AP(judged_only=True)": "not: it is unjudged='removed', tested above",
            },
        ),
        Ours(TREC, digits=4),
        Ours(RANX),
        Ours(BEIR, digits=5),
        Ours(
            TREC,
            {
                "ndcg cond.": "not: it is unjudged='removed', tested above",
                "unj@3": "Unjudged@3",
                "rbp.0": "RBP(p=0.5)",
                "rbp.1": TAIL,
            },
        ),
    ],
    "rbp_gain": [
        Ours(TREC, digits=4),
        Ours(RANX, {"rbp.90": "RBP(p=0.9)"}),
        Ours(RANX, {"rbp.50": "RBP(p=0.5)"}),
        Ours(IR),
        ERROR,
        Ours(
            TREC,
            {
                "binary.0": "RBP(worth=relevant)",
                "binary.1": TAIL,
                "graded.0": "RBP(worth=grade)",
                "graded.1": TAIL,
            },
        ),
    ],
    "iprec_rounding": [
        Ours(TREC9, digits=4),
        Ours(TREC, digits=4),
        Ours(TREC9),
        Ours(RANX, numbered(*(f"IPrec@{i / 10}" for i in range(11)))),
        Ours(IR),
    ],
    "float_grades": [
        ERROR,
        "it cuts the fractions off the grades in silence",
        "it cuts the fractions off the grades in silence",
        ERROR,
        Ours(SKLEARN, {"": "nDCG"}),
        Ours(TREC, {"": "nDCG"}),
        ERROR,
        Ours(XGBOOST, {"": "nDCG(gain=linear)@2", "ndcg@2": "nDCG(gain=linear)@2"}),
    ],
    "fractional_custom_gains_bug": [
        "a bug: it compares gains as whole numbers",
        "a bug: it compares gains as whole numbers",
        Ours(TREC, {"q1.ndcg_1=5,2=9": "nDCG(gain={1:5,2:9})"}, 4),
        Ours(TREC, {"": "nDCG(gain={1:0.5,2:0.9})"}),
        Ours(IR, {"nDCG(gains={1:5,2:9})": "nDCG(gain={1:5,2:9})"}),
    ],
    "duplicate_docs": ["a document twice is refused, see below"] * 6,
    "nan_scores": ["a score that is no number is refused, see below"] * 6,
    "empty_ranking": [
        Ours(
            TREC9,
            {
                "iprec_at_recall_0.00": "not: it divides 0 by 0; no document earns 0",
                "11pt_avg": "not: it divides 0 by 0; no document earns 0",
            },
        ),
        ERROR,
        Ours(IR),
        ERROR,
    ],
    "geometric_mean": [
        Ours(TREC9),
        Ours(TREC9, {"": "gm_map"}),
        Ours(TREC, {"": "gm_map"}),
        Ours(TREC9, digits=4),
    ],
    "recall_cap": [
        Ours(TREC9),
        Ours(BEIR, {"Accuracy@3": "Success@3"}, 5),
        Ours(RANX, {"r-precision": "Rprec", "hits@3": "NumRelRet@3"}),
        ERROR,
        Ours(IR),
    ],
    "err_max_grade": [
        Ours(IR, digits=5),
        Ours(TREC, {"": "ERR"}),
        Ours(TREC, {"": "ERR(max=3)"}),
        Ours(IR, {"nDCG(dcg='exp-log2')@4": "nDCG(gain=exponential)@4"}, 5),
    ],
    "rank_column_ignored": [Ours(IR), Ours(RANX, {"": "RR"}), Ours(TREC, {"": "RR"})],
    "significance": ["a test of significance is no measure"] * 7,
    "bpref": [Ours(TREC9), Ours(RANX), Ours(IR), Ours(TREC)],
    "negative_scores": [
        Ours(TREC9),
        Ours(RANX),
        Ours(IR),
        Ours(SKLEARN, {"": "nDCG"}),
        NOT_RUN + "a score below 0 is a score",
    ],
    "extra_queries": [
        Ours(TREC9),
        Ours(IR, {"NumQ": NUM_Q}),
        Ours(RANX),
        "its mean is over the run's queries, judged or not",
    ],
    "mean_of_f1": [
        Ours(TREC9),
        Ours(IR, {"SetF": "F1"}),
        Ours(RANX),
        "F1 of mean precision and mean recall is no mean of F1",
    ],
    "readers": ["a reader that fails"] * 9,
}

OUTPUTS = [
    pytest.param(case, output, ours, id=f"{case}-{number}")
    for case, entries in OURS.items()
    for number, (output, ours) in enumerate(zip(CASES[case]["outputs"], entries, strict=True))
    if isinstance(ours, Ours)
]


def leaves(value, path=()):
    """Every recorded number with its path."""
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in items:
            yield from leaves(inner, (*path, str(key)))
    else:
        yield path, value


def run_of(case, ours):
    if ours.run is not None:
        return Run.from_dict({"q1": ours.run})
    if "raw" in case["run"]:
        return read_run(case["run"]["raw"].encode(), "raw.run")
    return Run.from_dict(case["run"])


def test_every_recorded_output_is_accounted_for():
    assert {name: len(case["outputs"]) for name, case in CASES.items()} == {
        name: len(entries) for name, entries in OURS.items()
    }
    assert sum(len(entries) for entries in OURS.values()) == 205
    used = {ours.preset for entries in OURS.values() for ours in entries if isinstance(ours, Ours)}
    # The other tools' presets equal recorded runs: tests/core/scoring/test_recorded_tools.py.
    tools = "LlamaIndex", "ragas", "MLflow", "AutoRAG", "torchmetrics", "Spark MLlib", "OpenSearch"
    assert set(PRESETS) - used == {
        "MS MARCO",
        "“NDCG and MRR From Scratch” (batch code)",
        "“How to Evaluate Reranking Quality with NDCG”",
        *tools,
    }


@cases(("case", "output", "ours"), OUTPUTS)
def test_the_preset_gives_the_recorded_number(case, output, ours):
    case = CASES[case]
    convention = replace(PRESETS[ours.preset], **ours.change)
    qrels, run = Qrels.from_dict(case["qrels"]), run_of(case, ours)
    compared = 0
    for path, recorded in leaves(output["value"]):
        name = ours.names.get(".".join(path), path[-1] if path else "")
        if name.startswith("not: "):
            continue
        under = convention
        if name.startswith("as "):
            preset, name = name.removeprefix("as ").split(": ")
            under = PRESETS[preset]
        scores = evaluate(qrels, run, name, under)
        query = ours.only or (path[0] if len(path) > 1 and path[0] in case["qrels"] else None)
        value = scores.value(name, query) if query else scores.summary(name)
        assert value == pytest.approx(recorded, abs=0.51 * 10**-ours.digits), (path, name)
        compared += 1
    assert compared


def test_refused_cases_have_a_reason():
    duplicate, nan = CASES["duplicate_docs"]["run"]["raw"], CASES["nan_scores"]["run"]["q1"]
    with pytest.raises(ReadError, match=r"line 3, column 3.*'a'.*again"):
        read_run(duplicate.encode(), "raw.run")
    with pytest.raises(DataError, match="finite"):
        Run.from_dict({"q1": {name: float(score) for name, score in nan.items()}})
    case = CASES["negative_judgments"]
    qrels, run = Qrels.from_dict(case["qrels"]), Run.from_dict(case["run"])
    with pytest.raises(MeasureError, match="below 0"):
        evaluate(qrels, run, "nDCG", PRESETS["scikit-learn"])


def test_the_articles_own_presets():
    qrels = Qrels.from_dict({"q1": {"a": 3, "b": 1}, "q2": {"c": 0}})
    run = Run.from_dict({"q1": {"a": 2, "x": 1}, "q2": {"c": 1}})
    assert (
        evaluate(
            qrels, run, "nDCG", PRESETS["“How to Evaluate Reranking Quality with NDCG”"]
        ).value("nDCG", "q2")
        == 1.0
    )
    # Article 2's batch code sorts the ranking's [3, 0] and the judgments' [3, 1] into [3, 3].
    batch = evaluate(qrels, run, "nDCG@2", PRESETS["“NDCG and MRR From Scratch” (batch code)"])
    assert batch.value("nDCG@2", "q1") == pytest.approx(3 / (3 + 3 / 1.584962500721156))


@cases(
    ("name", "theirs"),
    {
        "PFound": 0.7304499060624846,
        "PFound:top=3": 0.5468000154688955,
        "PFound:decay=0.5": 0.35656000417381534,
        "PFound:top=4;decay=0.5": 0.3560000040680171,
        "NDCG:top=4": 0.5672734629583446,
        "NDCG:top=4;type=Exp": 0.5508252968157283,
    }.items(),
)
def test_catboost_computes_the_same_by_its_own_names(name, theirs):
    """By `catboost.utils.eval_metric` of CatBoost 1.2.10, whose grades have single precision."""
    grades = dict(zip("abcdef", [0.2, 0, 0.6, 0.9, 0.1, 0.4], strict=True))
    run = dict(zip("abcdef", [6, 5, 4, 3, 2, 1], strict=True))
    assert evaluate({"q": grades}, {"q": run}, name).mean[name] == pytest.approx(theirs, abs=1e-7)
