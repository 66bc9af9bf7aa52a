"""The findings on Data: one line and one button for each cause, many remarks as a table."""

import pytest

from tests.pages.conftest import drawn, drop, opened

QRELS = "".join(f"q{n} 0 d{n} 1\nq{n} 0 e{n} 0\n" for n in range(1, 4)).encode()


def run(name, score, ending=".txt"):
    rows = (f"q{n} Q0 {d}{n}{ending} 1 {score + 1 / n} {name}" for n in (1, 2, 3) for d in "de")
    return f"{name}.run", "\n".join(rows).encode()


@pytest.fixture
def at():
    return opened("data")


def texts(at):
    return [each.value for each in at.text]


def test_runs_that_differ_by_the_same_reason_have_one_button(at):
    drop(at, ("q.txt", QRELS), *(run(f"r{n}", n / 8) for n in range(10)))
    assert not at.exception
    buttons = [each for each in at.button if "ids of the qrels" in each.label]
    assert [each.label for each in buttons] == ["Rewrite the 10 runs with the ids of the qrels"]
    (line,) = [each for each in texts(at) if "a file name's ending" in each]
    assert line.endswith("So do 9 other runs.")
    buttons[0].click().run()
    data = at.session_state["_upload"]
    known = set(data.qrels.document.to_pylist())
    assert all(set(each.document.to_pylist()) <= known for each in data.runs)
    assert not [each for each in at.button if "ids of the qrels" in each.label]


def test_the_same_finding_of_ten_runs_is_one_line(at):
    drop(at, ("q.txt", QRELS), *(run(f"r{n}", n / 8, "x") for n in range(10)))
    lines = [each for each in texts(at) if each.startswith("• r0, r1, r2 and 7 more: ")]
    assert any("all scores are equal" in each for each in lines)
    assert len([each for each in texts(at) if each.startswith("•")]) <= 6


def test_many_different_findings_are_one_table(at):
    runs = []
    for n in range(1, 9):
        rows = [f"q1 Q0 d1 1 {n + 1}.5 r{n}", *(f"q1 Q0 z{i} 2 1.{i} r{n}" for i in range(n))]
        runs.append((f"r{n}.run", "\n".join(rows).encode()))
    drop(at, ("q.txt", QRELS), *runs)
    tables = [drawn(at, f"wrapped_{number}") for number in range(20)]
    (table,) = [each for each in tables if each]
    assert table["columns"] == ["file", "finding"]
    assert len(table["rows"]) > 6
    # Runs that differ in their share alone have one row; r1 has one unjudged document of two.
    ((files, finding),) = [row for row in table["rows"] if "were not judged" in row[1]]
    assert files == "r1, r2, r3 and 5 more"
    assert finding.startswith("50 to 88.9 % of the top 10 documents were not judged")


def test_few_queries_have_no_chart_and_a_missing_tag_misleads_nobody(at):
    drop(at, ("q.txt", QRELS), ("s.run", b"q1 Q0 d1 1 2\nq2 Q0 d2 1 2\nq3 Q0 z 1 2\nq3 Q0 d3 2 1"))
    assert "**May mislead**" not in [each.value for each in at.markdown]
    (knowing,) = [each for each in at.expander if each.label == "Worth knowing"]
    lines = [each.value for each in knowing.text]
    assert "• s: 25 % of the top 10 documents were not judged" in " ".join(lines)
    assert any("the run tag is missing" in line for line in lines)
    assert len(at.get("plotly_chart")) == 1
    many = "".join(f"q{n} Q0 d{n} 1 2 t\n" for n in range(1, 12)).encode()
    drop(at, ("q.txt", many.replace(b"Q0", b"0").replace(b" 1 2 t", b" 1")), ("t.run", many))
    assert len(at.get("plotly_chart")) == 2


def test_fractions_as_grades_offer_a_level_of_relevance(at):
    judged = b"query,docid,rating\nq1,d1,0.75\nq1,e1,0.25\nq2,d2,1\n"
    drop(at, ("ratings.csv", judged), run("r", 1, ""), run("s", 2, ""))
    (button,) = [each for each in at.button if each.label == "Count as relevant from 0.5"]
    assert any("2 of 3 grades above 0 do not count" in each for each in texts(at))
    button.click().run()
    assert "Every page now counts as relevant from 0.5." in [each.value for each in at.caption]
    at.switch_page("pages/compare_runs.py").run()
    assert not at.exception
    assert next(b for b in at.number_input if b.label == "Relevant from grade").value == 0.5


@pytest.mark.parametrize("rating", ["2.5", "-0.5", "1"])
def test_whole_grades_and_wider_scales_offer_no_level(at, rating):
    judged = f"query,docid,rating\nq1,d1,{rating}\nq1,e1,0\nq2,d2,1\n".encode()
    drop(at, ("ratings.csv", judged), run("r", 1, ""))
    assert at.session_state["_upload"]
    assert not [each for each in at.button if each.label.startswith("Count as relevant")]


@pytest.mark.parametrize(("page", "key"), [("inspect_query", "example"), ("compare_runs", "data")])
def test_the_sample_that_is_shown_is_marked(page, key):
    at = opened(page, **{key: "ambiguous"})
    cards = drawn(at.switch_page("pages/data.py").run(), "samples")
    assert cards["current"] == "ambiguous"
    assert "ambiguous" in [card["id"] for card in cards["groups"][0]["lists"]]


def test_no_sample_is_marked_before_one_is_shown(at):
    assert drawn(at, "samples")["current"] == ""


def test_what_no_run_has_is_no_column(at):
    drop(at, ("q.txt", QRELS), ("a.run", b"q1 Q0 d1 1 2 a\nq1 Q0 e1 2 2 a\n"), run("b", 1, ""))
    (columns,) = [[*each.value] for each in at.dataframe if each.value.index.name == "what"]
    # Nothing is beyond rank 10, and each query has judgments.
    assert columns[-2:] == ["judged % of top 10", "tied rows"]
