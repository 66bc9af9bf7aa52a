"""The findings on Data: one line and one button for each cause, many remarks as a table."""

import pytest

from tests.pages.conftest import drawn, drop, opened, tables_of

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


def read(at):
    """Return what the cards of the files are drawn with."""
    assert not at.exception
    return drawn(at, "files_read")


def found(at):
    """Return the lines of what was found, by title."""
    return {
        each["title"]: [(files, " ".join(filter(None, said))) for files, *said in each["lines"]]
        for each in read(at)["found"]
    }


def test_the_same_finding_of_ten_runs_is_one_line(at):
    drop(at, ("q.txt", QRELS), *(run(f"r{n}", n / 8, "x") for n in range(10)))
    lines = [said for listed in found(at).values() for files, said in listed if "r0" in files]
    assert any("all scores are equal" in each for each in lines)
    assert len(lines) <= 6


def test_many_different_findings_are_behind_their_heading(at):
    runs = []
    for n in range(1, 9):
        rows = [f"q1 Q0 d1 1 {n + 1}.5 r{n}", *(f"q1 Q0 z{i} 2 1.{i} r{n}" for i in range(n))]
        runs.append((f"r{n}.run", "\n".join(rows).encode()))
    drop(at, ("q.txt", QRELS), *runs)
    assert [each["open"] for each in read(at)["found"] if len(each["lines"]) > 6] == [False]
    # Runs that differ in their share alone have one row; r1 has one unjudged document of two.
    ((files, said),) = [row for rows in found(at).values() for row in rows if "were not" in row[1]]
    assert files == "r1, r2, r3 and 5 more"
    assert said.startswith(
        "50.0 to 88.9 % of each run's top 9 documents were not judged, for example 'z0' of query "
        "'q1'. Judge them, or trust only a clear lead. From 5 % on"
    )


def test_a_missing_tag_misleads_nobody(at):
    drop(at, ("q.txt", QRELS), ("s.run", b"q1 Q0 d1 1 2\nq2 Q0 d2 1 2\nq3 Q0 z 1 2\nq3 Q0 d3 2 1"))
    assert "**May mislead**" not in [each.value for each in at.markdown]
    ((title, lines),) = found(at).items()
    assert title == f"No errors. {len(lines)} things to know:"
    assert any(
        said.startswith(
            "25 % of the top 2 documents were not judged, for example 'z' of query 'q3'."
        )
        for files, said in lines
        if files == "s"
    )
    assert any("the run tag is missing" in said for _, said in lines)
    drop(at, ("t.run", b"q9 Q0 d1 1 2 t\nq1 Q0 d1 1 2 t\n"))
    assert any("q9" in said for _, said in found(at)["May mislead"])


def test_a_refusal_gives_the_advice_once_and_the_notes_say_that_they_are_on_the_loaded_data(at):
    drop(at, ("q.txt", b"q1 0 d1 2\nq1 0 d2 0"), ("s.run", b"q1 Q0 d1 1 2 s\nq1 Q0 z 2 1 s"))
    drop(at, ("t.run", b"q1 Q0 d1 1 2 t\nq1 Q0 d2 2\nq1 Q0 d3 3"))
    advice, *lines = [each for each in at.error[0].value.split("\n") if "- " in each]
    assert advice.startswith("- Expected")
    assert "must not contain spaces" in advice
    assert len(lines) == 2
    assert not any("xpected" in each for each in lines)
    (title,) = found(at)
    assert title.startswith("In the loaded data: no errors. ")


def test_the_cards_show_grades_and_judged_shares(at):
    drop(
        at,
        ("q.txt", QRELS + b"q1 0 f 3\n"),
        run("a", 1, ""),
        ("b.run", b"q1 Q0 d1 1 2 b\nq1 Q0 x 2 1 b"),
    )
    data = at.session_state["_upload"]
    of_qrels, a, b = read(at)["cards"]
    assert (of_qrels["name"], of_qrels["dots"]) == ("q", 3)
    assert [(grade, many) for grade, _, many, _ in of_qrels["grades"]] == [
        ("3", "1"),
        ("1", "3"),
        ("0", "3"),
    ]
    assert of_qrels["size"] == f"{len(data.qrels)} grades for 3 queries"
    assert (a["judged"], b["judged"], b["of"]) == (100, 50, "the 2 results")
    assert (a["size"], b["size"]) == ("6 documents for 3 queries", "2 documents for 1 query")
    assert read(at)["sides"] == {"a": "A", "b": "B"}
    (table,) = [each for each in tables_of(at) if each.index.name == "query"]
    assert table["b, judged % of top 10"].dropna().tolist() == [50]


def test_what_compares_other_runs_marks_those(at):
    drop(at, ("q.txt", QRELS), *(run(name, 1 + n, "") for n, name in enumerate("abc")))
    at.switch_page("pages/compare_runs.py").run()
    next(box for box in at.selectbox if box.label == "Run A").set_value("c").run()
    assert read(at.switch_page("pages/data.py").run())["sides"] == {"c": "A", "b": "B"}


def test_a_sample_that_is_open_has_the_same_ways_on(at):
    at = opened("compare_runs", data="ambiguous").switch_page("pages/data.py").run()
    # First what opens other data.
    assert [each.value for each in at.header] == ["Open a sample", "Ambiguous queries"]
    labels = [each.label for each in at.button]
    assert {"Compare the runs", "Inspect a query", "Judge documents"} <= {*labels}
    assert "Remove all data" not in labels
    assert [each["what"] for each in read(at)["cards"]] == ["judgments", "run", "run"]
    next(each for each in at.button if each.label == "Compare the runs").click().run()
    assert at.query_params["data"] == "ambiguous"


def test_fractions_as_grades_offer_a_level_of_relevance(at):
    judged = b"query,docid,rating\nq1,d1,0.75\nq1,e1,0.25\nq2,d2,1\n"
    drop(at, ("ratings.csv", judged), run("r", 1, ""), run("s", 2, ""))
    (button,) = [each for each in at.button if each.label == "Count as relevant from 0.5"]
    assert any("2 of 3 grades above 0 do not count" in each for each in texts(at))
    button.click().run()
    assert "All pages now use “relevant from grade 0.5”." in [each.value for each in at.caption]
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
    assert "ambiguous" in [card["id"] for card in cards["lists"]]


def test_no_sample_is_marked_before_one_is_shown(at):
    assert drawn(at, "samples")["current"] == ""
