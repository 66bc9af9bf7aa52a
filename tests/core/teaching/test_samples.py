"""Samples: their printed numbers recomputed, and the scripts that made them run again."""

import importlib.util
import json
from pathlib import Path

import pytest

from metrics import (
    cohen_kappa,
    compare,
    disagreements,
    evaluate,
    explain,
    krippendorff_alpha,
)
from metrics.scoring.expressions import verdict
from metrics.teaching.samples import FOLDER, SCRATCH, catalogue
from tests.cases import cases

EXAMPLES = json.loads((FOLDER / "worked_examples.json").read_text("utf-8"))

# Printed results that the document's own data do not give. Any other difference is our bug.
WRONG = {
    ("four-items", "nDCG@4", "A"),
    ("recall-seven", "R@3", "A"),
    ("graded-five", "nDCG@5", "A"),
    *(("report", m, "A") for m in ("R@1", "nDCG@1", "R@3", "nDCG@3", "R@5", "P@5", "nDCG@5")),
    ("report", "nDCG@10", "A"),
    *(("two-retrievers", m, "A") for m in ("RR", "R@1", "R@3", "P@3", "nDCG@3", "nDCG@5")),
    *(("two-retrievers", m, "B") for m in ("R@1", "P@1", "nDCG@1", "R@3", "nDCG@3", "nDCG@5")),
}


def recomputed(sample, printed):
    dataset = sample.load()
    run = next(run for run in dataset.runs if run.name == printed.run)
    if not printed.column:
        scores = evaluate(dataset.qrels, run, [printed.measure])
        return scores.value(printed.measure, printed.query)
    lines = explain(dataset.qrels, run, printed.measure, printed.query)
    return float(lines.at[printed.rank, printed.column])


def printed_numbers():
    return [
        pytest.param(sample, printed, id=f"{sample.key}-{i}-{printed.measure}")
        for sample in catalogue().values()
        for i, printed in enumerate(sample.printed)
    ]


@cases(("sample", "printed"), printed_numbers)
def test_every_printed_number_is_recomputed(sample, printed):
    differs = verdict(printed.value, recomputed(sample, printed)) == "differs"
    assert differs == ((sample.key, printed.measure, printed.run) in WRONG)


@cases(
    ("key", "measure", "value"),
    [
        ("laptop", "DCG@5", 5.4662),
        ("laptop", "IDCG@5", 5.6925),
        ("laptop", "nDCG@5", 0.9602),
        ("four-items", "DCG@4", 4.4923),
        ("four-items", "nDCG@4", 0.9434),
        ("graded-five", "nDCG@5", 0.7975),
    ],
)
def test_the_values_that_the_articles_should_print(key, measure, value):
    dataset = catalogue()[key].load()
    mean = evaluate(dataset.qrels, dataset.runs[0], [measure]).mean[measure]
    assert round(mean, 4) == value


def test_the_reranking_sample_gives_the_printed_improvement():
    dataset = catalogue()["reranking"].load()
    summary = compare(dataset.qrels, *dataset.runs, ["nDCG"]).summary("nDCG")
    assert f"{summary.mean_a:.3f} {summary.mean_b:.3f}" == "0.712 0.847"
    assert f"{summary.delta:+.3f} {100 * summary.relative:.0f} %" == "+0.135 19 %"
    assert len(dataset.qrels.queries) == 30


@cases(
    "script",
    [
        "ambiguous/make_runs.py",
        "reranking/make.py",
        "shop_search/make_runs.py",
        "two_judges/make_runs.py",
    ],
)
def test_a_sample_is_reproduced_by_its_script(script):
    path = Path(FOLDER / script)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, content in module.build().items():
        assert (path.parent / name).read_text("utf-8") == content, name


def test_the_two_judges_have_the_figures_that_their_readme_names():
    dataset = catalogue()["two-judges"].load()
    person, (model,) = dataset.qrels, dataset.judges
    text = " ".join((FOLDER / "two_judges" / "README.md").read_text("utf-8").split())
    kappas = [cohen_kappa(person, model, weights) for weights in ("none", "linear", "quadratic")]
    shared = kappas[0].pairs
    none, linear, quadratic = (f"{kappa.coefficient:.2f}" for kappa in kappas)
    alpha = f"{krippendorff_alpha([person, model]).coefficient:.2f}"
    same = shared - len(disagreements(person, model))
    assert f"{len(person)} judgments of each judge" in text
    assert len(person) == len(model)
    assert f"{shared} were judged by both. They agree on {same} of these" in text
    assert f"Cohen's kappa {none}, linear {linear}, quadratic {quadratic}," in text
    assert f"Krippendorff's alpha (ordinal) {alpha}." in text
    means = {
        judge.name: [
            f"{evaluate(judge, run, ['nDCG@10']).value('nDCG@10'):.3f}" for run in dataset.runs
        ]
        for judge in (person, model)
    }
    words, rewritten = means["person"]
    assert f"under the person {words} for `words` and {rewritten} for `rewritten`" in text
    assert words < rewritten
    words, rewritten = means["model"]
    assert f"under the model {words} and {rewritten}." in text
    assert words > rewritten


def test_both_made_up_judges_give_a_reason_for_every_grade():
    dataset = catalogue()["two-judges"].load()
    for judge in (dataset.qrels, *dataset.judges):
        assert {query: {*of} for query, of in judge.reasons.items()} == {
            query: {*of} for query, of in judge.to_dict().items()
        }
        for query, documents in judge.to_dict().items():
            assert {*documents} <= {*dataset.document_texts}
            assert query in dataset.query_texts


def test_every_sample_file_is_in_the_catalogue():
    collections = {"shop", "ambiguous", "two-judges", "reranking", SCRATCH}
    keys = {*collections, *(example["id"] for example in EXAMPLES)}
    assert set(catalogue()) == keys
    labels = [sample.label for sample in catalogue().values()]
    assert len(set(labels)) == len(labels)
    sources = {sample.label.partition(" · ")[2] for sample in catalogue().values()} - {""}
    assert len(sources) == 6
    # A title, or what the source is where it has none.
    assert all("“" in source or "untitled" in source for source in sources)
    for sample in catalogue().values():
        dataset = sample.load()
        assert dataset.runs
        assert set(dataset.query_texts) >= set(dataset.qrels.queries)
