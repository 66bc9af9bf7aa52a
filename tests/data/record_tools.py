"""Record what other tools compute on seeded cases, for the tests of their presets.

python tests/data/record_tools.py ranx     # or another of TOOLS; "MS MARCO" and "OpenSearch" take
                                           # the path of their ms_marco_eval.py and Evaluation.java

It needs the tool itself, and writes recorded_TOOL.json.gz beside this file: ``{version, cases}``, a
case being ``{qrels, run, values: {name: {query: double}}}``. The query ``all`` is the tool's own
mean. Names are those that the tool's users write; @k of a tool that takes lists is a list cut at k.
Cases have ties, missing queries, negative and fractional grades, where the tool takes them.
"""

import asyncio
import gzip
import importlib.util
import json
import subprocess
import sys
import tempfile
import types
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from random import Random

HERE = Path(__file__).parent
CASES, SEED = 300, 20261123


def case(random, grades, missing=True, fractions=True):
    """A case: up to 4 queries, rankings of 2 to 30 documents, a third with many ties."""
    qrels, run = {}, {}
    grades = [*grades, 0.5, 1.5] if fractions and random.random() < 0.15 else grades
    for query in (f"q{number}" for number in range(random.randint(1, 4))):
        pool = [f"d{number}" for number in range(random.randint(4, 40))]
        judged = random.sample(pool, random.randint(1, len(pool)))
        qrels[query] = {document: random.choice(grades) for document in judged}
        retrieved = random.sample(pool, random.randint(2, min(30, len(pool))))
        levels = random.choice([3, 10_000, 10_000])
        run[query] = {document: random.randint(1, levels) / 8 for document in retrieved}
    if missing and len(run) > 1 and random.random() < 0.3:
        run.pop(random.choice(list(run)))
    return {"qrels": qrels, "run": run}


def in_order(case, query):
    """The documents of a query as a list, best first, equal scores as they come."""
    run = case["run"][query]
    return sorted(run, key=run.get, reverse=True)


def relevant(case, query):
    """The documents of a query with a grade above 0."""
    return [document for document, grade in case["qrels"][query].items() if grade > 0]


def lists(missing=False, needed=True):
    """Cases of a tool that takes lists of ids: for each query those retrieved and the relevant."""
    random = Random(SEED)
    for _ in range(CASES):
        each = case(random, random.choice([[0, 1], [0, 0, 1]]), missing, fractions=False)
        queries = [query for query in each["run"] if relevant(each, query) or not needed]
        found = {query: (in_order(each, query), relevant(each, query)) for query in queries}
        yield each | {"run": {query: each["run"][query] for query in queries}}, found


def ranx():
    from ranx import Qrels, Run, evaluate

    names = [
        "hits",
        "hits@5",
        "hit_rate@5",
        "precision",
        "precision@5",
        "recall",
        "recall@5",
        "f1",
        "f1@5",
        "r-precision",
        "mrr",
        "mrr@3",
        "map",
        "map@5",
        "dcg",
        "dcg@5",
        "dcg_burges@5",
        "ndcg",
        "ndcg@5",
        "ndcg_burges",
        "ndcg_burges@5",
        "bpref",
        "rbp.95",
        "map-l2",
        "precision@5-l2",
    ]
    random = Random(SEED)
    for _ in range(CASES):
        each = case(random, random.choice([[0, 1], [0, 0, 1, 2, 3], [-1, 0, 1, 2]]))
        qrels, run = Qrels(each["qrels"]), Run(each["run"])
        evaluate(qrels, run, names, make_comparable=True)
        each["values"] = {name: dict(run.scores[name]) for name in names}
        yield each


def ir_measures():
    import ir_measures as ir

    names = [
        "nDCG",
        "nDCG@5",
        "AP",
        "AP@5",
        "AP(rel=2)",
        "P@5",
        "P(rel=2)@5",
        "R@5",
        "R(rel=2)@5",
        "RR",
        "RR@3",
        "Success@5",
        "Rprec",
        "Bpref",
        "infAP",
        "Judged@5",
        "RBP(rel=1)",
        "RBP(p=0.5,rel=1)",
        "IPrec@0.3",
        "SetP",
        "SetR",
        "SetF",
        "SetF(beta=2.0)",
        "SetAP",
        "NumRet",
        "NumRel",
        "Compat",
        "Compat(p=0.8)",
        "Accuracy",
    ]
    measures = {name: ir.parse_measure(name) for name in names}
    random = Random(SEED)
    for _ in range(CASES):
        grades = random.choice([[0, 1], [0, 0, 1, 2, 3], [-1, 0, 1, 2]])
        each = case(random, grades, fractions=False)
        # trec_eval, and so pytrec_eval, crashes where every grade of a query is below 0.
        while any(max(graded.values()) < 0 for graded in each["qrels"].values()):
            each = case(random, grades, fractions=False)
        values = {}
        # Its Accuracy divides by 0 where all that was retrieved is relevant.
        for asked in (names[:-1], names[-1:]):
            with suppress(ZeroDivisionError):
                for one in ir.iter_calc([measures[name] for name in asked], *each.values()):
                    values.setdefault(str(one.measure), {})[one.query_id] = float(one.value)
        yield {**each, "values": values}


def scikit_learn():
    from sklearn.metrics import dcg_score, ndcg_score

    random = Random(SEED)
    for _ in range(CASES):
        each = case(random, random.choice([[0, 1], [0, 0, 1, 2, 3]]), missing=False)
        values = {}
        for query, run in each["run"].items():
            # Documents that nobody judged are given the label 0.
            labels = [[each["qrels"][query].get(document, 0) for document in run]]
            scores = [list(run.values())]
            for k in (None, 3, 10):
                at = "" if k is None else f"@{k}"
                for name, function in (("dcg", dcg_score), ("ndcg", ndcg_score)):
                    found = float(function(labels, scores, k=k))
                    values.setdefault(f"{name}{at}", {})[query] = found
        yield {**each, "values": values}


def lightgbm():
    import lightgbm
    import numpy as np

    random = Random(SEED)
    for _ in range(CASES):
        each = case(random, random.choice([[0, 1], [0, 0, 1, 2, 3]]), False, False)
        values = {}
        for query, run in each["run"].items():
            labels = [each["qrels"][query].get(document, 0) for document in run]
            data = lightgbm.Dataset(
                np.zeros((len(run), 1)), labels, group=[len(run)], init_score=list(run.values())
            )
            found = {}
            asked = {"objective": "lambdarank", "metric": ["ndcg", "map"], "eval_at": [1, 3, 10]}
            lightgbm.train(
                asked | {"verbose": -1},
                data,
                1,
                valid_sets=[data],
                valid_names=["all"],
                callbacks=[lightgbm.record_evaluation(found)],
            )
            for name, (value,) in found["all"].items():
                values.setdefault(name, {})[query] = float(value)
        yield {**each, "values": values}


def xgboost():
    import numpy as np
    import xgboost

    names = [f"{name}@{k}" for name in ("ndcg", "map", "pre") for k in (1, 3, 10)]
    random = Random(SEED)
    for _ in range(CASES):
        each = case(random, random.choice([[0, 1], [0, 0, 1, 2, 3]]), False, False)
        values = {}
        for query, run in each["run"].items():
            labels = [each["qrels"][query].get(document, 0) for document in run]
            data = xgboost.DMatrix(
                np.zeros((len(run), 1)), labels, base_margin=list(run.values()), qid=[0] * len(run)
            )
            binary = [name for name in names if max(labels) <= 1 or name.startswith("ndcg")]
            booster = xgboost.train({"eval_metric": binary, "objective": "rank:ndcg"}, data, 0)
            for part in booster.eval(data, "all").split("\t")[1:]:
                name, value = part.removeprefix("all-").rsplit(":", 1)
                values.setdefault(name, {})[query] = float(value)
        yield {**each, "values": values}


def beir():
    from beir.retrieval.evaluation import EvaluateRetrieval as Beir

    random, cutoffs = Random(SEED), [1, 3, 5, 10]
    for _ in range(CASES):
        grades = random.choice([[0, 1], [0, 0, 1, 2, 3], [-1, 0, 1, 2]])
        each = case(random, grades, fractions=False)
        while any(max(graded.values()) < 0 for graded in each["qrels"].values()):
            each = case(random, grades, fractions=False)
        if random.random() < 0.3:
            # ignore_identical_ids, its default, leaves out the document of the query's own id.
            for query, run in each["run"].items():
                run[query] = max(run.values())
                if random.random() < 0.3:
                    each["qrels"][query][query] = 1
                if random.random() < 0.1:
                    each["run"][query] = {query: 1.0}
        # As in its examples: evaluate leaves documents out of the very run that the others see.
        copied = {query: dict(run) for query, run in each["run"].items()}
        found = {}
        for part in Beir.evaluate(each["qrels"], copied, cutoffs):
            found |= part
        for metric in ("mrr", "hole", "top_k_accuracy", "recall_cap"):
            # Its R_cap divides by 0 where a query has no relevant document.
            with suppress(ZeroDivisionError):
                found |= Beir.evaluate_custom(each["qrels"], copied, cutoffs, metric)
        yield {**each, "values": {name: {"all": value} for name, value in found.items()}}


def ms_marco(path):
    spec = importlib.util.spec_from_file_location("ms_marco_eval", path)
    official = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(official)
    random = Random(SEED)
    for _ in range(CASES):
        each = case(random, [1], fractions=False)
        number = {
            text: int(text[1:]) + 1 for part in each.values() for q in part for text in part[q]
        }
        reference = {
            place: [number[document] for document in graded]
            for place, graded in enumerate(each["qrels"].values())
        }
        places = {query: place for place, query in enumerate(each["qrels"])}
        candidates = {
            # Its runs have ranks and no scores.
            places[query]: ([number[document] for document in in_order(each, query)] + [0] * 1000)
            for query in each["run"]
        }
        found = official.compute_metrics(reference, candidates)
        yield {**each, "values": {"MRR @10": {"all": found["MRR @10"]}}}


def llama_index():
    from llama_index.core.evaluation.retrieval import metrics

    kinds = {
        "hit_rate": metrics.HitRate(),
        "mrr": metrics.MRR(),
        "precision": metrics.Precision(),
        "recall": metrics.Recall(),
        "ap": metrics.AveragePrecision(),
        "ndcg": metrics.NDCG(),
    }
    for each, found in lists():
        values = {
            f"{name}@{k}": {
                query: metric.compute(expected_ids=expected, retrieved_ids=retrieved[:k]).score
                for query, (retrieved, expected) in found.items()
            }
            for name, metric in kinds.items()
            for k in (3, 10, 100)
        }
        yield {**each, "values": values}


def ragas():
    from ragas import SingleTurnSample
    from ragas.metrics import (
        ExactMatch,
        IDBasedContextPrecision,
        IDBasedContextRecall,
        NonLLMContextPrecisionWithReference,
        NonLLMContextRecall,
    )

    kinds = {
        "context_precision": NonLLMContextPrecisionWithReference(distance_measure=ExactMatch()),
        "context_recall": NonLLMContextRecall(),
        "id_based_context_precision": IDBasedContextPrecision(),
        "id_based_context_recall": IDBasedContextRecall(),
    }
    # Its setter takes the name of a string distance only; texts are the same or not, here.
    kinds["context_recall"]._distance_measure = ExactMatch()
    loop = asyncio.new_event_loop()

    def score(metric, retrieved, expected):
        sample = SingleTurnSample(
            retrieved_contexts=retrieved,
            reference_contexts=expected,
            retrieved_context_ids=retrieved,
            reference_context_ids=expected,
        )
        return float(loop.run_until_complete(metric.single_turn_ascore(sample)))

    for each, found in lists():
        values = {
            f"{name}@{k}": {
                query: score(metric, retrieved[:k], expected)
                for query, (retrieved, expected) in found.items()
            }
            for name, metric in kinds.items()
            for k in (3, 10)
        }
        yield {**each, "values": values}


def mlflow():
    import pandas as pd
    from mlflow.metrics import ndcg_at_k, precision_at_k, recall_at_k

    for each, found in lists(missing=True, needed=False):
        for query in each["qrels"]:
            found.setdefault(query, ([], relevant(each, query)))
        retrieved, expected = (
            pd.Series([list(part[side]) for part in found.values()]) for side in (0, 1)
        )
        values = {
            f"{name}/v1".replace("_at_k", f"_at_{k}"): dict(
                zip(found, map(float, kind(k).eval_fn(retrieved, expected).scores), strict=True)
            )
            for name, kind in (
                ("precision_at_k", precision_at_k),
                ("recall_at_k", recall_at_k),
                ("ndcg_at_k", ndcg_at_k),
            )
            for k in (1, 3, 10)
        }
        yield {**each, "values": values}


def autorag():
    bare("autorag", "evaluation", "evaluation.metric", "schema", "utils")
    from autorag.evaluation.metric import retrieval
    from autorag.schema.metricinput import MetricInput

    names = ["recall", "precision", "f1", "ndcg", "mrr", "map"]
    for each, found in lists():
        values = {
            f"retrieval_{name}@{k}": {
                query: float(
                    getattr(retrieval, f"retrieval_{name}")(
                        [
                            MetricInput(
                                retrieved_ids=retrieved[:k],
                                # As its own data have them: every gold passage is wanted.
                                retrieval_gt=[[document] for document in expected],
                            )
                        ]
                    )[0]
                )
                for query, (retrieved, expected) in found.items()
            }
            for name in names
            for k in (3, 10)
        }
        yield {**each, "values": values}


def bare(package, *parts):
    """Make a package known without running it: it imports far more than its measures need."""
    root = Path(importlib.util.find_spec(package).origin).parent
    for part in ("", *parts):
        name = ".".join(filter(None, (package, part)))
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__path__ = [str(root.joinpath(*part.split(".")))]


def torchmetrics():
    import torch
    from torchmetrics.functional import retrieval

    names = [
        "average_precision",
        "normalized_dcg",
        "precision",
        "recall",
        "reciprocal_rank",
        "hit_rate",
    ]
    random = Random(SEED)
    for _ in range(CASES):
        grades = random.choice([[0, 1], [0, 0, 1, 2, 3]])
        each = case(random, grades, missing=False, fractions=False)
        values = {}
        for query, run in each["run"].items():
            # Documents that nobody judged are given the label 0.
            labels = [each["qrels"][query].get(document, 0) for document in run]
            scores = torch.tensor(list(run.values()))
            binary = torch.tensor([int(label > 0) for label in labels])
            for name in names:
                target = torch.tensor(labels) if name == "normalized_dcg" else binary
                for k in (None, 3, 10):
                    at = "" if k is None else f"@{k}"
                    found = getattr(retrieval, f"retrieval_{name}")(scores, target, top_k=k)
                    values.setdefault(f"retrieval_{name}{at}", {})[query] = float(found)
            found = retrieval.retrieval_r_precision(scores, binary)
            values.setdefault("retrieval_r_precision", {})[query] = float(found)
        yield {**each, "values": values}


def spark_mllib():
    from pyspark.mllib.evaluation import RankingMetrics
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    context = spark.getOrCreate().sparkContext
    for each, found in lists():
        values = {}
        if found:
            metrics = RankingMetrics(context.parallelize(list(found.values()), 1))
            values["meanAveragePrecision"] = metrics.meanAveragePrecision
            for k in (3, 10):
                values[f"precisionAt({k})"] = metrics.precisionAt(k)
                values[f"recallAt({k})"] = metrics.recallAt(k)
                values[f"ndcgAt({k})"] = metrics.ndcgAt(k)
                values[f"meanAveragePrecisionAt({k})"] = metrics.meanAveragePrecisionAt(k)
        # Its mean is over the rows that it is given.
        each["qrels"] = {query: each["qrels"][query] for query in found}
        yield {**each, "values": {name: {"all": value} for name, value in values.items()}}


JAVA = """
import java.util.*;
import org.opensearch.searchrelevance.metrics.calculator.Evaluation;
public class Main {
  public static void main(String[] args) {
    Scanner in = new Scanner(System.in);
    while (in.hasNextLine()) {
      String[] parts = in.nextLine().split(" ");
      int k = Integer.parseInt(parts[0]);
      List<String> documents = Arrays.asList(parts[1].split(","));
      Map<String, String> judgments = new HashMap<>();
      for (String each : parts[2].split(","))
        judgments.put(each.split(":")[0], each.split(":")[1]);
      System.out.println(Evaluation.calculatePrecisionAtK(documents, judgments, k)
        + " " + Evaluation.calculateMAPAtK(documents, judgments, k)
        + " " + Evaluation.calculateNDCGAtK(documents, judgments, k));
    }
  }
}
"""


def opensearch(path):
    random, cutoffs = Random(SEED), (1, 3, 10)
    cases, asked = [], []
    for _ in range(CASES):
        # Its judgments by language models are fractions from 0 to 1.
        grades = random.choice([[0, 1], [0, 0, 1, 2, 3], [0, 0.2, 0.5, 1]])
        cases.append(case(random, grades, missing=False))
        for query in cases[-1]["run"]:
            graded = cases[-1]["qrels"][query].items()
            judged = ",".join(f"{document}:{grade}" for document, grade in graded)
            retrieved = ",".join(in_order(cases[-1], query))
            asked += [f"{k} {retrieved} {judged}" for k in cutoffs]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "Main.java").write_text(JAVA)
        subprocess.run(["javac", "-d", folder, path, f"{folder}/Main.java"], check=True)
        command = ["java", "-cp", folder, "Main"]
        answered = iter(
            subprocess.run(
                command, input="\n".join(asked), capture_output=True, text=True, check=True
            ).stdout.split("\n")
        )
    for each in cases:
        values = {}
        for query in each["run"]:
            for k in cutoffs:
                for name, value in zip(
                    ("Precision", "MAP", "NDCG"), next(answered).split(), strict=True
                ):
                    values.setdefault(f"{name}@{k}", {})[query] = float(value)
        yield {**each, "values": values}


TOOLS = {
    "ranx": ranx,
    "ir_measures": ir_measures,
    "scikit-learn": scikit_learn,
    "LightGBM": lightgbm,
    "XGBoost": xgboost,
    "BEIR": beir,
    "MS MARCO": ms_marco,
    "LlamaIndex": llama_index,
    "ragas": ragas,
    "MLflow": mlflow,
    "AutoRAG": autorag,
    "torchmetrics": torchmetrics,
    "Spark MLlib": spark_mllib,
    "OpenSearch": opensearch,
}
VERSIONS = {
    "LlamaIndex": "llama-index-core",
    "Spark MLlib": "pyspark",
    "MS MARCO": "commit 2ec0d6f",
    "OpenSearch": "commit d17ddf6",
}
"""The package of a tool that has another name, or the commit of a script."""


def main(tool, *path):
    of = VERSIONS.get(tool, tool.lower())
    found = {"version": of if path else version(of), "cases": list(TOOLS[tool](*path))}
    text = json.dumps(found, separators=(",", ":"))
    name = f"recorded_{tool.replace(' ', '_')}.json.gz"
    (HERE / name).write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main(*sys.argv[1:])
