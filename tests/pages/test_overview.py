"""Compare's overview: the sentence, the numbers and the table say the same, as the link asks."""

from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from metrics import compare
from metrics.evidence import evidence
from metrics.samples import catalogue
from metrics.significance import TESTS
from pages.ui import text

ROOT = Path(__file__).parents[2]


def overview(**parameters):
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    for key, value in parameters.items():
        at.query_params[key] = str(value)
    at.run()
    return at.switch_page("pages/compare_runs.py").run()


def table(at):
    return next(f.value for f in at.dataframe if f.value.index.name == "measure")


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("key", ["shop", "reranking", "two-retrievers"])
def test_the_table_holds_the_evidence(key, test):
    at = overview(data=key, test=test, tie=0.05, seed=3)
    assert not at.exception
    dataset = catalogue()[key].load()
    shown = table(at)
    compared = compare(dataset.qrels, *dataset.runs, list(shown.index))
    found = evidence(compared, test=test, tie=0.05, seed=3)
    for measure, each in found.items():
        row = shown.loc[measure]
        assert row["delta B − A"] == each.delta
        assert (row["interval from"], row["to"]) == (each.low, each.high)
        assert row["p"] == text.p_value(each.p)
        assert row["p (Holm)"] == text.p_value(each.corrected)
        assert (row["B better"], row["ties"], row["A better"]) == (
            each.wins,
            each.ties,
            each.losses,
        )
    said = " ".join(element.value for element in at.markdown)
    first = found[shown.index[0]]
    assert f"B ranks better on {first.wins} of {first.queries} queries" in said or first.delta < 0
    assert ("is unlikely to be chance" in said) == first.sure
    assert "Ties: up to ±0.05. Seed 3." in " ".join(each.value for each in at.caption)


def test_a_test_that_is_not_here_is_told():
    at = overview(data="shop", test="sign", seed=-1, tie="x")
    assert not at.exception
    asked = " ".join(warning.value for warning in at.warning)
    assert all(part in asked for part in ("test = `sign`", "seed = `-1`", "tie = `x`"))


def test_the_sentence_says_what_the_numbers_say():
    dataset = catalogue()["shop"].load()
    found = evidence(compare(dataset.qrels, *dataset.runs, "AP"))["AP"]
    said = text.verdict(found, "AP", "paired t")
    assert said.startswith(f"B ranks better on {found.wins} of 29 queries; mean AP +")
    assert "is unlikely to be chance" in said
    assert "could well be chance" in text.verdict(replace(found, corrected=0.2), "AP", "paired t")
    other = replace(found, delta=-found.delta, wins=found.losses, losses=found.wins)
    assert text.verdict(other, "AP", "t").startswith(f"A ranks better on {found.wins} of 29")
    one = replace(found, queries=1)
    assert text.verdict(one, "AP", "t").endswith("Of one query no test can say anything.")
    level = replace(found, delta=1e-9)
    assert "better on some and worse on others" in text.verdict(level, "AP", "t")


@pytest.mark.parametrize(
    ("p", "said"), [(float("nan"), "–"), (0.0001, "< 0.001"), (0.0494, "0.049"), (1.0, "1.000")]
)
def test_no_p_value_is_0(p, said):
    assert text.p_value(p) == said
