"""Chapters: readable in a few minutes, and every number in them computed from their lists."""

import re
from pathlib import Path

import pytest

from metrics.teaching import chapters as module
from metrics.teaching.chapters import chapters, scored
from tests.cases import cases

CHAPTERS = chapters()
NUMBER = re.compile(r"\d\.\d\d")


@cases("title", CHAPTERS)
def test_a_chapter_has_250_to_400_words_and_fills_in_its_numbers(title):
    chapter = CHAPTERS[title]
    prose = f"{chapter.opening} {chapter.rest}"
    assert 250 <= len(re.findall(r"\w[\w’@-]*", prose)) <= 400
    assert not set("{}") & set(prose)
    assert NUMBER.search(prose)
    # The score under each measure is a number of the prose, or else is shown beside the list alone.
    values = [
        f"{scored(chapter.ranking, each).scores[0]:.2f}" for each in chapter.readings.values()
    ]
    assert values[0] in prose


def test_no_result_is_typed_into_the_prose():
    written = Path(module.__file__).with_suffix(".md").read_text("utf-8")
    assert NUMBER.findall(re.sub(r"\{[^}]*\}", "", written)) == []
    assert "{" in written


def test_what_a_chapter_says_of_a_moved_row_holds():
    """The sentences that compare two orders name values that differ, or that stay, as they say."""
    from metrics.editing.edits import move, swap

    def values(ranking, *measures):
        return [float(ranking.ledger(measure).scores[0]) for measure in measures]

    one = CHAPTERS["One answer, or all"].ranking
    up = move(one, one.retrieved[4].document, 4)
    assert values(up, "RR") == values(one, "RR")
    assert values(up, "AP") > values(one, "AP")
    others = (one.retrieved[2].document, one.retrieved[4].document)
    alone = one.with_grades(dict.fromkeys(others, 0))
    assert values(alone, "AP") == values(alone, "RR") == values(one, "RR")
    order = CHAPTERS["Order and grades"].ranking
    better, blind = swap(order, 2, 4), swap(order, 3, 4)
    assert values(better, "P@5") == values(order, "P@5")
    assert values(blind, "AP") == values(order, "AP")
    assert all(
        now > was
        for now, was in zip(
            values(better, "AP", "nDCG@5"), values(order, "AP", "nDCG@5"), strict=True
        )
    )
    stop = CHAPTERS["Where to stop"].ranking
    hit = stop.retrieved[4].document
    assert values(move(stop, hit, 4), "P@3") == values(stop, "P@3")
    assert values(move(stop, hit, 3), "P@3") == [1.0]
    tools = CHAPTERS["One list, four numbers"]
    found = move(tools.ranking, tools.ranking.unretrieved[0].document, 6)
    trec, sklearn = (
        scored(found, tools.readings[tool]).scores[0] for tool in ("trec_eval", "scikit-learn")
    )
    assert trec == pytest.approx(sklearn)
    lies = CHAPTERS["When numbers lie"].ranking
    first = move(lies, lies.retrieved[5].document, 1)
    assert values(first, "P@5", "nDCG@5") == [*values(lies, "P@5")[:1], 1.0]
