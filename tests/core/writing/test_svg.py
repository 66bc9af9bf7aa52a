"""Charts as static SVG: every mark of the figure, every text as text, nothing outside."""

from xml.etree import ElementTree

import pytest

from metrics import Pairing, Qrels, Run
from metrics.dataset import Dataset
from metrics.rendering import comparison_files, query_charts
from metrics.teaching.samples import catalogue
from metrics.writing.svg.axes import ticks
from metrics.writing.svg.chart import svg
from tests.cases import cases

MEASURE = "nDCG@10"
HOSTILE = "<script>alert(1)</script>&\u202e'\"" + "x" * 40


def drawn(dataset, query):
    """Return the root of each chart of a report, by its heading, with its figure."""
    pairing = Pairing.of(dataset.qrels, dataset.runs[:2], MEASURE)
    charts, _ = comparison_files.charts(pairing, dataset, query)
    return {
        heading: (ElementTree.fromstring(svg(chart.figure, chart.alt)), chart)
        for heading, chart in charts.items()
    }


def many(queries):
    """Return two runs of this many queries, a third of them with each sign of the delta."""
    order = [{"x": 2.0, "y": 1.0}, {"y": 2.0, "x": 1.0}]
    names = [f"{HOSTILE}{at}" for at in range(queries)]
    qrels = Qrels.from_dict({name: {"x": 1} for name in names})
    a = {name: order[at % 3 == 0] for at, name in enumerate(names)}
    b = {name: order[at % 3 == 1] for at, name in enumerate(names)}
    return Dataset("many", qrels, (Run.from_dict(a, "a"), Run.from_dict(b, "b"))), names[0]


def tags(root):
    return [element.tag.rpartition("}")[2] for element in root.iter()]


@cases("queries", [30, 200, 2_000])
def test_every_chart_of_a_report_is_drawn_with_all_its_marks(queries):
    dataset, query = many(queries)
    found = drawn(dataset, query)
    assert len(found) == 5
    for root, chart in found.values():
        assert {"script", "image", "foreignObject", "a"}.isdisjoint(tags(root))
        assert root[0].text == chart.alt
        text = "".join(root.itertext())
        assert "nan" not in ElementTree.tostring(root, "unicode")
        for axis in (chart.figure.layout.xaxis, chart.figure.layout.yaxis):
            assert all(line in text for line in (axis.title.text or "").split("<br>"))
    (deltas, _), (scatter, _), *_ = found.values()
    if queries <= query_charts.BARS:
        assert tags(deltas).count("rect") == queries
        assert tags(scatter).count("circle") + tags(scatter).count("rect") == queries
        titles = [title.text for title in deltas.iter("{http://www.w3.org/2000/svg}title")]
        assert sum("+" in title for title in titles) == -(-queries // 3)
    else:
        assert tags(deltas).count("polygon") == 2
        # Each of the three pairs of scores fills one square; the others are the scale of colours.
        assert tags(scatter).count("rect") == 3 + 24


def test_ids_are_text_and_visible():
    dataset, query = many(5)
    for root, _ in drawn(dataset, query).values():
        shown = "".join(root.itertext())
        assert "\u202e" not in shown
        assert "&lt;" not in shown
    names = "".join(drawn(dataset, query)[f"Delta of each query, {MEASURE}"][0].itertext())
    assert "<script>" in names


def test_the_waterfall_s_bars_join_and_end_at_the_delta():
    dataset = catalogue()["shop"].load()
    root, chart = drawn(dataset, "q12")["Query q12: what each document changed"]
    bars = [element for element in root.iter() if element.tag.endswith("rect")]
    starts, widths = ([float(bar.get(name)) for bar in bars] for name in ("x", "width"))
    (trace,) = chart.figure.data
    scale = widths[-1] / abs(trace.x[-1])
    for width, value in zip(widths, trace.x, strict=True):
        assert width == pytest.approx(abs(value) * scale, abs=0.2)
    for at, (before, after) in enumerate(zip(trace.x[:-2], trace.x[1:-1], strict=True)):
        end = starts[at] + (widths[at] if before > 0 else 0)
        start = starts[at + 1] + (widths[at + 1] if after < 0 else 0)
        assert start == pytest.approx(end, abs=0.2)


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
