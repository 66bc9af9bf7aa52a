"""The tally of exercises: it reads what it writes, and counts each exercise once."""

import pytest

from metrics import RankscopeError
from metrics.teaching.exercises import KINDS
from metrics.teaching.exercises.tally import MOST, RIGHT, SHOWN, TRIED, Tally
from tests.cases import cases


def test_a_tally_is_read_back_as_it_was_written():
    keys = [("table", "1", 3), ("table", "1", 4), ("sets", "3", 1), ("table", "1", 1_000_000)]
    tally = Tally(dict(zip(keys, (RIGHT, TRIED, SHOWN, RIGHT), strict=True)))
    assert str(tally) == "table1.3.4x~sets3.1s~table1.1000000"
    assert Tally.read(str(tally), KINDS) == tally
    assert Tally.read("", KINDS) == Tally()


@cases(
    "text",
    ["table1", "essay1.2", "table9.2", "table1.0", "table1.2y", "table1.2~", "~", "table1.x"],
)
def test_a_text_that_is_not_a_tally_is_refused(text):
    with pytest.raises(RankscopeError, match="Practice writes it"):
        Tally.read(text, KINDS)


def test_an_exercise_is_counted_once():
    key = ("sets", "1", 7)
    tried = Tally().then(key, right=False, shown=False)
    assert tried.then(key, right=False, shown=False).counted() == {("sets", "1"): (0, 1)}
    assert tried.then(key, right=True, shown=False) == tried
    solved = Tally().then(key, right=True, shown=False)
    assert solved.then(key, right=False, shown=True).counted() == {("sets", "1"): (1, 1)}
    seen = tried.then(key, right=False, shown=True)
    assert seen.then(key, right=True, shown=True).counted() == {("sets", "1"): (0, 1)}


def test_the_oldest_exercises_are_dropped_so_that_the_link_stays_short():
    tally = Tally()
    for number in range(1, MOST + 11):
        tally = tally.then(("average", "1", number), right=True, shown=False)
    assert tally.counted() == {("average", "1"): (MOST, MOST)}
    assert ("average", "1", 10) not in tally.marks
    assert len(str(tally)) < 1000
