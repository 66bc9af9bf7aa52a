"""Pictures as SVG: round numbers on a scale, texts as text, and curves through their values."""

from xml.etree import ElementTree

import pytest

from metrics.writing.svg import bars, curves, picture, ticks
from tests.cases import cases

HOSTILE = "<script>alert(1)</script>&'\"" + "x" * 90


def test_curves_pass_through_their_values_inside_their_bands():
    points = [(0.1, 0.2, 0.4), (0.3, 0.5, 0.6), (0.5, 0.5, 0.5)]
    part = curves(["1", "5", "all"], {"A <a>": points, "B": points[::-1]})
    root = ElementTree.fromstring(f"<svg>{part.drawn}</svg>")
    lines = [
        [tuple(map(float, each.split(","))) for each in line.get("points").split()]
        for line in root.iter("polyline")
    ]
    bands = [len(band.get("points").split()) for band in root.iter("polygon")]
    assert bands == [6, 6]
    (one, other) = lines
    assert [y for _, y in one] == [y for _, y in other][::-1]
    unit = (one[0][1] - one[1][1]) / (points[1][1] - points[0][1])
    assert unit == pytest.approx((one[0][1] - one[2][1]) / (points[2][1] - points[0][1]), abs=1)
    texts = [each.text for each in root.iter("text")]
    # The upper line has its name above its end, the lower one below.
    named = [float(each.get("y")) for each in root.iter("text") if each.text in ("A <a>", "B")]
    assert 4 < one[-1][1] - named[0] < 14 < named[1] - other[-1][1] < 20
    assert texts[:3] == ["1", "5", "all"]
    assert "A <a>" in texts


def test_a_picture_stands_on_its_own_and_its_texts_have_room():
    root = ElementTree.fromstring(picture(HOSTILE, [bars([HOSTILE])], HOSTILE, HOSTILE))
    shown = "".join(root.itertext())
    assert shown.count("<script>") >= 3
    assert {each.tag.rpartition("}")[2] for each in root.iter()} == {
        *("svg", "title", "desc", "rect", "g", "text")
    }
    lines = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert all("…" in line or len(line) <= 103 for line in lines)


@cases(
    ("low", "high", "labels"),
    [
        (0.0, 1.0, ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (-0.011, 0.011, ["−0.010", "−0.005", "0", "0.005", "0.010"]),
        (0, 6_979, ["0", "1,000", "2,000", "3,000", "4,000", "5,000", "6,000"]),
    ],
)
def test_ticks_are_round_numbers_inside_the_range(low, high, labels):
    assert [label for _, label in ticks(low, high, 7)] == labels
