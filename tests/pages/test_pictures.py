"""Pictures to save: they say what the page says, and ids are text in them."""

from itertools import pairwise
from xml.etree import ElementTree

import pytest

from metrics import Dataset, Pairing, Qrels, Run
from metrics.rendering import comparison_tables, joined_lists, pictures
from metrics.teaching.samples import catalogue
from metrics.writing.svg import Bar, bars

SVG = "{http://www.w3.org/2000/svg}"
MEASURE = "nDCG@10"
HOSTILE = "<script>alert(1)</script>&\u202e'\"" + "x" * 40


def many(queries):
    """Return two runs of this many queries, a third of them with each sign of the delta."""
    order = [{"x": 2.0, "y": 1.0}, {"y": 2.0, "x": 1.0}]
    names = [f"{HOSTILE}{at}" for at in range(queries)]
    qrels = Qrels.from_dict({name: {"x": 1} for name in names})
    a = {name: order[at % 3 == 0] for at, name in enumerate(names)}
    b = {name: order[at % 3 == 1] for at, name in enumerate(names)}
    return Dataset("many", qrels, (Run.from_dict(a, "a"), Run.from_dict(b, "b"))), names[0]


def saved(dataset, query):
    """Return the root of each picture that the pages save, by what it shows."""
    pairing = Pairing.of(dataset.qrels, dataset.runs[:2], MEASURE)
    one, frame = pairing.one(query), comparison_tables.queries(pairing.comparison, MEASURE, {})
    bands = pictures.bands(frame["delta"], dataset.query_texts, 0.0, 100)
    made = {
        "queries": pictures.every_query(bands, "Every query", "about", "described"),
        "lists": pictures.one_query(joined_lists.shown(one, dataset, 10, ""), "about"),
        "ledgers": pictures.ledgers(one.a.ledger, query, query, "about"),
    }
    return {name: ElementTree.fromstring(written) for name, written in made.items()}


def words(root):
    return [each.text for each in root.iter(f"{SVG}text")]


def test_ids_are_text_and_visible():
    dataset, query = many(5)
    for root in saved(dataset, query).values():
        shown = "".join(root.itertext())
        assert "\u202e" not in shown
        assert "&lt;" not in shown
        assert "<script>" in shown
        assert {"script", "image", "foreignObject", "a"}.isdisjoint(
            each.tag.rpartition("}")[2] for each in root.iter()
        )


def test_a_saved_picture_says_what_the_page_says():
    dataset, query = catalogue()["shop"].load(), "q21"
    found = saved(dataset, query)
    pairing = Pairing.of(dataset.qrels, dataset.runs[:2], MEASURE)
    one, wins = pairing.one(query), pairing.found.wins
    ledger = one.a.ledger
    assert f"B better on {wins}" in words(found["queries"])
    assert len(list(found["queries"].iter(f"{SVG}rect"))) - 1 == wins + pairing.found.losses
    for side, run in zip("AB", dataset.runs, strict=False):
        assert f"{side} {run.name}" in words(found["lists"])
    documents = [name for side in one.sides for name in side.documents[:10]]
    assert {*documents} <= {*words(found["lists"])}
    for part in ledger.parts:
        assert f"{part.measure} = {part.score(query):.4f}" in words(found["ledgers"])
        for value in part.table(query)["contribution"]:
            assert f"{value:.4f}" in words(found["ledgers"])
    for root in found.values():
        assert root.find(f"{SVG}title").text
        assert root.find(f"{SVG}desc").text
        assert words(root)[-1] == "about"
        assert root.find(f"{SVG}rect").get("fill") == "#fff"


def test_what_is_not_drawn_is_counted():
    dataset, query = many(90)
    assert words(saved(dataset, query)["queries"]).count("… 5 more") == 2


def test_the_waterfall_s_bars_join_and_end_at_the_delta():
    dataset = catalogue()["shop"].load()
    one = Pairing.of(dataset.qrels, dataset.runs[:2], MEASURE).one("q12")
    # One document alone is no other: it has its name.
    names = [step["name"] for step in pictures.steps(one.waterfall, 2)]
    assert names == ["coffee-07", "coffee-08", "coffee-12", "together"]
    steps = pictures.steps(one.waterfall, 1)
    assert [step["name"] for step in steps] == ["coffee-07", "2 others", "together"]
    for before, after in pairwise(steps[:-1]):
        assert before["to"] == after["from"]
    assert steps[-2]["to"] == pytest.approx(steps[-1]["to"])
    rows = [Bar(each["name"], each["from"], each["to"], each["value"]) for each in steps]
    root = ElementTree.fromstring(f"<svg>{bars(rows).drawn}</svg>")
    drawn = [[float(bar.get(name)) for name in ("x", "width")] for bar in root.iter("rect")]
    unit = drawn[-1][1] / steps[-1]["to"]
    for (x, width), step in zip(drawn, steps, strict=True):
        assert width == pytest.approx(abs(step["to"] - step["from"]) * unit, abs=0.2)
        assert x - drawn[-1][0] == pytest.approx(min(step["from"], step["to"]) * unit, abs=0.2)
