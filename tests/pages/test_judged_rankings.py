"""Judged rankings on the pages: every number is that of the whole runs, and no list is made up."""

import io
import zipfile
from dataclasses import replace

import pandas as pd

from metrics import Convention, Dataset, Pairing, Qrels, Run, match, read_judged
from metrics.comparing.one_query import one_query
from metrics.comparing.robustness import settings
from metrics.matching.judged import Matcher, judged_by
from metrics.matching.judged_file import packed_file
from metrics.rendering import joined_lists
from metrics.rendering import report as comparison_files
from metrics.scoring.naming import parse
from metrics.teaching.samples import catalogue
from pages.ui.compare import panels, results
from tests.pages.conftest import (
    convention_line,
    drawn,
    drop,
    faulty_tabs,
    opened,
    removed,
    signs,
    tables_of,
    texts,
)

SHOP = catalogue()["shop"].load()
DEPTH = 3


def kept(run, qrels=SHOP.qrels, depth=DEPTH, **choices):
    """What a file keeps of a run: hits, and unjudged documents near the top."""
    return judged_by(Matcher(qrels, Convention(**choices), depth=depth), run)


JUDGED = SHOP.of(*map(kept, SHOP.runs))


def compared(data, **parameters):
    at = opened("data", **parameters)
    at.session_state["_upload"], at.session_state["data"] = data, "yours"
    return at.switch_page("pages/compare_runs.py").run()


def tables_above_tabs(at):
    in_tabs = [each for tab in at.tabs for each in tables_of(tab)]
    return [each for each in tables_of(at) if not any(map(each.equals, in_tabs))]


def equal(tables, others):
    return len(tables) == len(others) and all(map(pd.DataFrame.equals, tables, others))


def test_every_tab_shows_the_numbers_of_the_whole_runs(all_tabs_open):
    whole, judged = (compared(data) for data in (SHOP, JUDGED))
    assert faulty_tabs(judged) == {}
    assert not judged.exception
    assert not judged.error
    titles = [tab.label for tab in judged.tabs]
    assert titles == [tab.label for tab in whole.tabs]
    assert {*panels.TABS} < {*titles}
    said = [text for text in texts(judged) if text not in texts(whole)]
    assert any("unjudged documents are not kept" in text for text in said)
    heading = [each.value for each in whole.header]
    assert heading
    assert set(heading) <= set(texts(judged))
    assert equal(tables_above_tabs(whole), tables_above_tabs(judged))
    # The lists of a query have the unjudged documents that were kept, what both tops have in common
    # is not known, Robustness leaves out what would rank the runs anew; the others show the same.
    assert [
        tab.label
        for tab, other in zip(whole.tabs, judged.tabs, strict=True)
        if not equal(tables_of(tab), tables_of(other))
    ] == ["Query tables", "Queries", "Robustness"]


def test_nothing_is_offered_that_needs_whole_runs():
    whole, judged = (compared(data) for data in (SHOP, JUDGED))
    options = {box.label: box.options for box in judged.selectbox}
    assert options["Run A"] == ["bm25", "char_ngrams", "Ideal"]
    gone = signs(whole) - signs(judged)
    assert {label for label in gone if "Inspect" in label} == {
        "Open A in Inspect",
        "Open B in Inspect",
    }
    columns = [{*tables_of(compared(data, look="Queries"))[0]} for data in (SHOP, JUDGED)]
    assert ["in common" in each for each in columns] == [True, False]


def test_a_whole_run_beside_a_judged_one():
    both = SHOP.of(SHOP.runs[0], replace(kept(SHOP.runs[1]), name="nightly"))
    at = compared(both, look="Take away")
    assert not at.exception
    labels = {each.label for each in at.button}
    assert "Open A in Inspect" in labels
    assert "Open B in Inspect" not in labels
    assert "a.json b.judged.parquet" in " ".join(each.value for each in at.code)


def test_a_convention_that_ranks_anew_is_refused_in_words():
    at = compared(JUDGED, ties="input")
    assert not at.exception
    (error,) = at.error
    assert "Choose ties=descending, or match the run again." in error.value
    assert "Run A" in {box.label for box in at.selectbox}


def test_files_open_under_the_convention_that_they_were_judged_with():
    at = opened("data")
    choices = {"ties": "input", "gain": "exponential", "level": 2.0}
    content = packed_file(kept(SHOP.runs[0], **choices))
    drop(at, ("a.judged.parquet", content))
    at.switch_page("pages/compare_runs.py").run()
    assert not at.exception
    assert not at.error
    assert "gain = 2^grade − 1" in convention_line(at)
    found = next(box for box in at.number_input if box.label == "Relevant from grade")
    assert found.value == 2.0
    assert at.session_state["ties"] == "input"


def test_a_single_file_stands_beside_the_ideal():
    at = compared(SHOP.of(kept(SHOP.runs[0])))
    assert not at.exception
    assert "Ideal" in at.header[0].value
    # A run of that name takes its place; then there is only the run itself.
    at = compared(SHOP.of(replace(kept(SHOP.runs[0]), name="Ideal")))
    assert not at.exception
    assert "A and B are identical." in " ".join(texts(at))
    data = opened("data")
    data.session_state["_upload"] = SHOP.of(kept(SHOP.runs[0]))
    data.run()
    labels = {each.label for each in data.button}
    assert "Compare it with the ideal ranking" in labels
    assert "Inspect a query" not in labels


def test_files_are_uploaded_dropped_and_saved_with_the_session():
    at = opened("data")
    files = [(f"{run.name}.judged.parquet", packed_file(kept(run))) for run in SHOP.runs]
    drop(at, *files)
    assert not at.exception
    assert [each.name for each in at.session_state["_upload"].judged] == ["bm25", "char_ngrams"]
    assert [card["name"] for card in drawn(at, "files_read")["cards"]] == [
        SHOP.qrels.name,
        "bm25",
        "char_ngrams",
    ]
    # The judgments belong to rankings that are judged already.
    assert drawn(at, "files_read")["removable"] == [False, True, True]
    removed(at, 1)
    assert not at.exception
    assert [each.name for each in at.session_state["_upload"].rankings] == ["char_ngrams"]


def test_inspect_says_that_it_shows_no_judged_rankings():
    at = opened("inspect_query", example="yours")
    at.session_state["_upload"] = JUDGED
    at.run()
    assert not at.exception
    assert any("needs a whole run; Compare opens judged" in each.value for each in at.warning)


def test_without_a_verdict_nothing_is_said_of_it():
    apart = Run.from_dict({"q01": {"nowhere": 1.0}}, "apart")
    at = compared(SHOP.of(apart, kept(SHOP.runs[0])))
    assert not at.exception
    assert any("No verdict" in each.value for each in at.error)
    assert "the verdict does not say" not in " ".join(texts(at))


def test_choices_that_rank_anew_are_not_tried():
    arguments = parse("nDCG@5"), Convention()
    whole = settings(SHOP.qrels, *SHOP.runs, *arguments)
    judged = settings(SHOP.qrels, *JUDGED.judged, *arguments)
    numbers = {(each.choice, each.cutoff): (each.delta, each.p) for each in whole}
    assert {(each.choice, each.cutoff): (each.delta, each.p) for each in judged}.items() <= (
        numbers.items()
    )
    gone = {each.choice for each in whole} - {each.choice for each in judged}
    assert {each.split(":")[0] for each in gone} == {"ties", "unjudged documents"}


def test_cards_do_not_say_that_a_document_is_missing_where_it_may_not_be_kept():
    qrels = Qrels.from_dict({"q": {"a": 1, "z": 1}})
    a = Run.from_dict({"q": {"x": 9.0, "a": 8.0, "y": 7.0, "z": 6.0}}, "a")
    b = Run.from_dict({"q": {"y": 9.0, "z": 8.0, "x": 7.0, "v": 6.0, "a": 5.0}}, "b")
    data = Dataset("", qrels, (), judged=(kept(a, qrels, 1), kept(b, qrels, 1)))
    one = one_query(qrels, *data.judged, "nDCG@5", "q")
    assert [side.whole for side in one.sides] == [False, False]
    assert [one.a.is_listed(depth) for depth in (1, 2, 3, 4)] == [True, True, False, False]
    view = {"page": 1, "picked": "a", "opened": None}
    shown = results.shown(one, data, view)
    assert shown["range"] == "Listed documents 1–3 of 3"
    cards = {card["id"]: (card["rank"], card["move"]) for card in shown["sides"][0]["cards"]}
    assert cards == {"x": (1, "B: ?"), "a": (2, "B: 5"), "z": (4, "B: 2")}
    lists = joined_lists.shown(one, data, 5, "")["lists"]
    assert [row["id"] for row in lists["sides"][0]] == ["x", "a", "z"]
    assert one.condensed() == one_query(qrels, a, b, "nDCG@5", "q").condensed()


def test_the_inputs_of_a_report_read_back():
    two = JUDGED.judged[0], SHOP.runs[1]
    pairing = Pairing.of(JUDGED.qrels, two, "nDCG@5")
    recipe = comparison_files.recipe(pairing)
    assert recipe.files == ("qrels.json", "a.judged.parquet", "b.json")
    assert "read_judged, read_run\n" in recipe.python(pairing.measures)
    with zipfile.ZipFile(io.BytesIO(comparison_files.inputs(pairing))) as packed:
        found = read_judged(packed.read("a.judged.parquet")).judged
    assert found.content == match(JUDGED.qrels, two[0]).content


def test_a_pressed_label_of_judged_rankings_leaves_the_lists_as_they_are_judged():
    at = compared(JUDGED, look="Labels")
    label = next(each for each in tables_of(at) if "mean change" in each).iloc[0]
    at = compared(JUDGED, look="Labels", q=label.name, document=label["document"])
    assert not at.exception
    shown = drawn(at, "two_lists")
    assert (shown["query"], shown["picked"], shown["was"]) == (label.name, label["document"], None)
