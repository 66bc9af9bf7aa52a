"""Glossary and index: every measure and every abbreviation has its entry."""

import re

from metrics import REGISTRY
from metrics.conventions.choices import CHOICES
from metrics.teaching.glossary import GLOSSARY, entries, words_in
from metrics.teaching.measure_index import TASKS

_ABBREVIATION = re.compile(r"\b[a-z]{0,2}[A-Z][A-Za-z]*[A-Z][A-Za-z]*\b")


def test_every_measure_has_an_entry_under_each_of_its_names():
    found = entries()
    for symbol, measure in REGISTRY.items():
        assert symbol in found
        assert measure.full_name in found or measure.full_name == symbol.lower()
        assert {name for name in measure.also if " " not in name} <= found.keys()
        for mean in measure.mean_names:
            # The page shows the name before it.
            assert found[mean].startswith((f"The mean of {symbol},", f"E to the mean of {symbol},"))
    for name in ("MRR", "MAP", "nDCG", "AP", "RR", "F1", "hit rate", "k", "qrels", "run"):
        assert name in found


def test_every_abbreviation_in_the_words_of_a_measure_has_an_entry():
    found = entries()
    texts = [*GLOSSARY.values(), *(choice.label for choice in CHOICES.values())]
    for measure in REGISTRY.values():
        texts += [measure.meaning, measure.use, measure.avoid, measure.value_range]
    used = {word for text in texts for word in _ABBREVIATION.findall(text)}
    assert {"DCG", "ERR", "RBP"} <= used
    assert used - found.keys() - {"BM"} == set()


def test_every_measure_is_in_the_index_once():
    symbols = [symbol for of_task in TASKS.values() for symbol in of_task]
    assert set(REGISTRY) - {*symbols} == set(), "give them a place in TASKS of measure_index.py"
    assert sorted(symbols) == sorted(REGISTRY)


def test_words_are_found_in_a_text():
    assert words_in("A p-value and an interval of the mean delta.") == [
        "delta",
        "mean delta",
        "interval",
        "p-value",
    ]
