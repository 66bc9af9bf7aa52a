"""A lesson goes through its link unchanged, and a link that others wrote is refused or harmless."""

import base64
import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import RankscopeError
from metrics.teaching.lesson import (
    ALLOWED,
    LONGEST,
    LONGEST_READ,
    SHOWN,
    Lesson,
    hiding,
    how_far,
    one_line,
    pack,
    unpack,
)
from tests.cases import cases

LINES = {
    name: st.text(st.characters(codec="utf-8"), max_size=longest).map(one_line)
    for name, longest in LONGEST.items()
}


def packed(value, version=1):
    plain = value if isinstance(value, bytes) else json.dumps(value).encode()
    return f"{version}." + base64.urlsafe_b64encode(plain).decode().rstrip("=")


@given(st.builds(Lesson, **LINES, steps=st.booleans()))
def test_a_lesson_is_read_as_it_was_written(lesson):
    assert unpack(pack(lesson)) == lesson


def test_a_link_of_version_1_still_opens():
    link = "1.eyJ0aXRsZSI6Ik9yZGVyIiwicXVlc3Rpb24iOiJXaGljaCBuRENHQDU_Iiwic3RlcHMiOjF9"
    assert unpack(link) == Lesson("Order", question="Which nDCG@5?", steps=True)
    assert pack(unpack(link)) == link


def test_the_longest_lesson_is_short_enough_to_be_read():
    longest = Lesson(**{name: "🎓" * most for name, most in LONGEST.items()}, steps=True)
    assert len(pack(longest)) <= LONGEST_READ
    assert unpack(pack(longest)) == longest


@cases(
    ("text", "why"),
    [
        ("", "no lesson from Rankscope"),
        ("0.e30", "no lesson from Rankscope"),
        ("1.e30!", "no lesson from Rankscope"),
        ("١.e30", "no lesson from Rankscope"),
        ("2.e30", "newer version"),
        ("1." + "A" * LONGEST_READ, "too long"),
        ("1.A", "damaged"),
        ("1." + "_" * 8, "damaged"),
        (packed(b"[" * 2000), "damaged"),
        (packed(["title"]), "damaged"),
        (packed({"title": 1}), "damaged"),
        (packed({"title": ["a"]}), "damaged"),
        (packed({"hidden": "score"}), "damaged"),
        (packed({"steps": 2}), "damaged"),
        (packed({"steps": [1]}), "damaged"),
        (packed({"title": "x" * 81}), "at most 80"),
        (packed({"prompt": "two\nlines"}), "one line"),
        (packed({"question": "\ud800"}), "one line"),
    ],
)
def test_what_is_not_a_lesson_is_refused(text, why):
    with pytest.raises(RankscopeError, match=why):
        unpack(text)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text):
    for link in (text, f"1.{text}", packed(text.encode("utf-8", "replace"))):
        with suppress(RankscopeError):
            assert not unpack(link).hidden


def test_a_part_that_gives_a_hidden_number_away_is_hidden_too():
    assert not Lesson().hidden
    assert hiding(Lesson(), ["score"]).hidden == {"score", "lines", "chart", "strip", "more"}
    assert hiding(Lesson(), ["lines"]).hidden == {"lines", "chart", "more"}
    assert hiding(Lesson(), ["measure"]).hidden == {"measure", "strip"}
    every = SHOWN.keys() | ALLOWED.keys()
    for name in every:
        hidden = hiding(Lesson(), [name]).hidden
        # Nothing more follows from what is hidden already.
        assert hiding(Lesson(), hidden).hidden == hidden
    assert hiding(Lesson(), every).revealed().hidden == ALLOWED.keys() | {"strip"}


def test_a_part_that_does_not_exist_is_refused():
    with pytest.raises(RankscopeError, match="no part 'walls'"):
        hiding(Lesson(), ["score", "walls"])
    with pytest.raises(RankscopeError, match="no part 'editing'"):
        Lesson(shown=frozenset({"editing"}))
    with pytest.raises(RankscopeError, match="no part 'score'"):
        Lesson(allowed=frozenset({"score"}))


@cases(
    ("said", "score", "far"),
    [
        ("0.9", 0.9602, "0.06 too low"),
        ("1", 0.9602, "0.04 too high"),
        (".9602", 0.96023, "right, to 4 decimals"),
        ("0.961", 0.9602, "0.001 too high"),
        ("−0.5", 0.25, "0.75 too low"),
        ("0.95999999", 0.9602, "0.0002 too low"),
        ("96 %", 0.9602, "right, to 2 decimals"),
        ("96.1%", 0.9602, "0.001 too high"),
        ("%", 0.9602, ""),
        ("1e3", 0.9602, ""),
        ("inf", 0.9602, ""),
        ("٣", 0.9602, ""),
        ("0.9", float("nan"), ""),
    ],
)
def test_a_prediction_is_compared_with_the_score(said, score, far):
    assert how_far(said, score) == far
