"""Grades in a link: what is packed is unpacked, for the same data only, and the rest is refused."""

import base64
import json
import zlib
from random import Random

import pytest

from metrics.editing.grades_link import MOST, pack, unpack
from metrics.errors import EditError
from metrics.link_text import LONGEST_LINK
from tests.cases import cases

KEY = "0123456789abcdef"
GRADES = {"q1": {"d1": 2.0, "d2": None, "ü &?": 0.5}, "q 2": {"d1": 0.0}}


def packed(value, version="1."):
    text = value if isinstance(value, str) else json.dumps(value)
    return version + base64.urlsafe_b64encode(zlib.compress(text.encode())).decode().rstrip("=")


def test_grades_come_back():
    assert unpack(pack(KEY, GRADES), KEY) == GRADES
    assert unpack(pack(KEY, {}), KEY) == {}


def test_grades_of_other_data_are_refused():
    with pytest.raises(EditError, match="in other data than these"):
        unpack(pack(KEY, GRADES), "f" * 64)


def test_more_grades_than_are_packed_would_not_fit():
    draw = Random(1)
    grades = {f"d{number}": float(draw.randrange(4)) for number in range(MOST)}
    assert len(pack(KEY, {"q": grades})) > LONGEST_LINK


def of(grades):
    return {"of": KEY[:12], "grades": grades}


@cases(
    "text",
    [
        "",
        "1.",
        "1.!!!!",
        pack(KEY, GRADES)[:-4],
        "2" + pack(KEY, GRADES)[1:],
        packed("[]"),
        packed("[" * 100_000),
        packed("no JSON"),
        packed({"of": KEY[:12]}),
        packed(of([])),
        packed(of({"q": 1})),
        packed(of({"q": {"d": "2"}})),
        packed(of({"q": {"d": True}})),
        packed(of({"q": {"d": 1001}})),
        packed('{"of": "0123456789ab", "grades": {"q": {"d": NaN}}}'),
        packed(of({"q": {"d": 10**400}})),
        packed(of({"q": {"": 1}})),
        packed(of({"q": {"\ud800x": 1}})),
        packed(of({"\ud800x": {"d": 1}})),
        packed(" " * 2_000_000),
        packed(of({"q": dict.fromkeys(map(str, range(MOST + 1)), 1)})),
        packed(of({str(number): {} for number in range(MOST + 1)})),
        "1." + "A" * 9_000,
    ],
)
def test_a_damaged_link_is_refused_without_its_text(text):
    with pytest.raises(EditError) as caught:
        unpack(text, KEY)
    assert "list of grades" in str(caught.value)
    assert not text or text[:20] not in str(caught.value)
