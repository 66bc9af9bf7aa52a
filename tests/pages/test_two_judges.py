"""The tab Two judges: agreement, disagreements with both reasons, and whether a verdict holds."""

import json

import pandas as pd
import pytest
import streamlit as st

from metrics import (
    cohen_kappa,
    compare,
    confusion,
    corrected,
    disagreements,
    krippendorff_alpha,
    majority,
    read_judges,
    read_qrels,
)
from metrics.agreement.judge_noise import under_noise
from metrics.colours import A, B
from metrics.comparing.significance import DIFFERING
from metrics.editing.changed_grades import with_grades
from metrics.rendering import judge_charts, text
from metrics.sessions.session_file import Session, load, save
from metrics.teaching.samples import FOLDER, catalogue
from pages.ui.judge.two_judges import PURPOSE
from tests.cases import cases
from tests.pages.conftest import drop, list_of, opened, reopened, scores, sent, tables_of, texts

SAMPLE = catalogue()["two-judges"].load()
PERSON, (MODEL,) = SAMPLE.qrels, SAMPLE.judges
SHOP = catalogue()["shop"].load()
OWN = (
    ("mine.qrels", b"q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 1\n"),
    ("mine.run", b"q1 Q0 d1 1 2 a\nq1 Q0 d2 2 1 a\n"),
)
DRAWS = 50
HOSTILE = "<b>x</b> [a](http://example.org) ![b](http://example.org/b.png) `$c$`"


@pytest.fixture(scope="module", autouse=True)
def few_draws():
    """Draw judgments 50 times instead of 500, which would take most of the time of these tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("metrics.agreement.judge_noise.DRAWS", DRAWS)
        # Sessions of other tests have drawn more.
        st.cache_data.clear()
        yield
    st.cache_data.clear()


def tab(example="two-judges", **parameters):
    at = opened("judge", example=example, judging="Two judges", **parameters)
    assert not at.exception
    return at


def said(at):
    return " ".join(texts(at))


def headings(at):
    return [each.value for each in at.subheader]


def frame(at, column):
    return next(each for each in tables_of(at) if column in each)


def add(at, *files):
    (box,) = at.file_uploader
    return box.set_value([(name, data, "text/plain") for name, data in files]).run()


def second(qrels, change=1, name="second"):
    """Another judge of the first query, who grades higher, and one of another query."""
    query, other, *_ = qrels.queries
    grades = qrels.only(query, other).to_dict()
    rows = [
        f"{name}\t{q}\t{document}\t{min(3, grade + change):g}\tbecause {document}"
        for q, of in grades.items()
        for document, grade in of.items()
    ]
    return "\n".join(["judge\tquery\tdocument\tgrade\treason", *rows]).encode()


def test_the_sample_has_both_judges_without_an_upload():
    at = tab()
    kappa = cohen_kappa(PERSON, MODEL)
    same = kappa.pairs - len(disagreements(PERSON, MODEL))
    agreed = f"The judges agree on {same} of {kappa.pairs} documents: kappa {kappa.coefficient:.2f}"
    assert agreed in headings(at)
    assert "Cohen's kappa, unweighted: at 0 they agree as often as by chance" in said(at)
    alone = len(PERSON) - kappa.pairs, len(MODEL) - kappa.pairs
    assert f"{alone[0]} documents were judged by `person` alone, {alone[1]} by `model`" in said(at)
    assert "8 queries left out one by one (jackknife), Student's t on Fisher's z" in said(at)
    (more,) = [each for each in at.expander if each.label.startswith("All coefficients")]
    table = frame(more, "value")
    expected = [cohen_kappa(PERSON, MODEL, w) for w in ("none", "linear", "quadratic")]
    expected.append(krippendorff_alpha([PERSON, MODEL]))
    for each in expected:
        row = (each.coefficient, each.low, each.high, each.pairs)
        assert any(row == tuple(found) for found in table.to_numpy().tolist())


def test_the_grades_of_one_are_counted_against_those_of_the_other():
    met = confusion(PERSON, MODEL)
    shown = frame(tab(), "model: 0")
    assert shown.to_numpy().tolist() == met.to_numpy().tolist()
    assert shown.index.tolist() == [f"person: {grade:g}" for grade in met.index]
    chart = judge_charts.met(met, "person", "model")
    (squares,) = chart.figure.data
    drawn = zip(squares.x, squares.y, squares.text, strict=True)
    counts = met.to_numpy()
    assert {(a, b): int(times) for b, a, times in drawn} == {
        (a, b): counts[a, b] for a, b in zip(*counts.nonzero(), strict=True)
    }
    assert f"{counts.trace()} of {counts.sum()} documents on the diagonal" in chart.alt


def listed(at):
    return [each for each in at.expander if "→" in each.label]


def test_disagreements_are_listed_as_dots_and_open_with_both_reasons():
    at = tab()
    unlike = disagreements(PERSON, MODEL)
    assert f"5 of {len(unlike)}, largest difference first, `person` → `model`." in said(at)
    assert len(listed(at)) == 5
    first = unlike.iloc[0]
    dots = [f"{'●' * int(first[side])}{'○' * (3 - int(first[side]))}" for side in "AB"]
    assert listed(at)[0].label.startswith(" → ".join(dots))
    assert f"person`: `{first['reason A']}`" in listed(at)[0].label
    shown = [each.value for each in at.text]
    assert first["reason A"] in shown
    assert first["reason B"] in shown
    # The row has the query, so what is opened says it again only where the row has cut it.
    assert f" *`{SAMPLE.query_texts[first['query']]}`* **" in listed(at)[0].label
    assert SAMPLE.query_texts[first["query"]] not in shown
    # So is a title: this one has room in the row.
    assert f"**`{SAMPLE.document_texts[first['document']]}`**" in listed(at)[0].label
    assert f"**`person`: grade {first['A']:g}**" in said(at)
    assert f"**`model`: grade {first['B']:g}**" in said(at)
    every = next(each for each in at.button if each.label == f"Show all {len(unlike)}")
    at = every.click().run()
    assert [each.caption[0].value for each in listed(at)] == [
        f"Query `{query}`, document `{document}`"
        for query, document in unlike[["query", "document"]].itertuples(index=False)
    ]


def test_the_page_says_what_its_open_tab_is_for():
    at, other = tab(), opened("judge", example="two-judges")
    assert PURPOSE in said(at)
    assert PURPOSE not in said(other)
    assert "Grade documents by hand, and see what it changes." in said(other)
    assert "Grade documents by hand" not in said(at)


def test_a_disagreement_can_be_judged_by_oneself_and_the_own_grade_is_seen_beside_the_others():
    at = tab()
    second = disagreements(PERSON, MODEL).iloc[1]
    yourself = [each for each in at.button if each.label == "Judge it yourself"]
    assert len(yourself) == len(listed(at))
    yourself[1].click().run()
    assert not at.exception
    assert at.session_state["query"] == second["query"]
    shown = json.loads(list_of(at, "desk").json)
    assert shown["at"] == second["document"]
    assert all(each["grade"] is None for each in shown["papers"])
    # Nobody's grade is lit, and a grade of one's own changes nobody's.
    before = tables_of(tab())[0].to_numpy().tolist()
    say = {"do": "judge", "id": second["document"], "grade": 3, "note": "names the model"}
    assert at.button(key="to_judges").proto.type == "secondary"
    at = sent(at, say, by="desk")
    back = at.button(key="to_judges")
    assert (back.label, back.proto.type) == ("Back to the disagreement", "primary")
    back.click().run()
    assert tables_of(at)[0].to_numpy().tolist()[: len(before)] == before
    first, row, *_ = listed(at)
    assert "`you`: ●●●" in row.label
    assert "`you`" not in first.label
    assert (first.proto.expanded, row.proto.expanded) == (False, True)
    inside = [each.value for each in (*row.markdown, *row.text)]
    for name, grade in (("person", second["A"]), ("model", second["B"]), ("you", 3)):
        assert f"**`{name}`: grade {grade:g}**" in inside
    assert "names the model" in inside
    # One grade of a third judge makes no majority of three.
    assert "majority of" not in said(at)
    assert frame(at, "p").index[2] == "most frequent grade"
    # What else counts in that row is said with it.
    notes = [each.value for each in at.columns[0].text]
    assert any("no most frequent grade: the lower median counts" in each for each in notes)
    # They are adopted beside the grade, where the judge comes back to.
    uncounted = "Your grades count here, and in no score of another page."
    assert uncounted in [each.value for each in row.caption]
    _, row, *_ = listed(row.button[0].click().run())
    assert "Your grades count on all pages." in [each.value for each in row.caption]
    of_you = said(at.selectbox(key="judge_b").set_value("you").run())
    assert "; by yours, " in of_you
    assert "higher grades than `person`" in of_you


def test_the_verdict_is_that_of_compare_under_each_judge():
    at = tab()
    person = "By the grades of `person`, :orange[`rewritten`] leads"
    assert f"{person}; by those of `model`, :blue[`words`] leads (may be chance)" in [
        each.value for each in at.header
    ]
    assert f"One judge is not enough: the lead is not confirmed. In {DRAWS} " in said(at)
    table = frame(at, "difference")
    assert table.columns.tolist()[:2] == ["mean, A words", "mean, B rewritten"]
    for row, judge in zip(
        table.to_numpy()[:3], (PERSON, MODEL, majority([PERSON, MODEL])), strict=True
    ):
        summary = compare(judge, *SAMPLE.runs, "nDCG@10").summary("nDCG@10")
        assert tuple(row[:3]) == (summary.mean_a, summary.mean_b, summary.delta)
        assert row[3] <= row[2] <= row[4]
    noise = under_noise(MODEL, PERSON, *SAMPLE.runs, "nDCG@10")
    assert tuple(table.to_numpy()[3][2:5]) == (noise.mean, *noise.interval())
    percent = 100 * int((noise.deltas > 0).sum()) // DRAWS
    found = (
        f"In {DRAWS} simulations with as many errors as here, the grades of `model` name "
        f":orange[`rewritten`] in {percent} %; 95 % would be enough."
    )
    assert found in said(at).replace("&nbsp;", " ")
    assert "lower of both grades" in table.index
    chart = judge_charts.deltas_by_judge(table, ["<b>", "rewritten"], "nDCG@10").figure
    (marks,) = chart.data
    assert marks.x == tuple(table["difference"])
    assert marks.marker.color == tuple(B if delta > 0 else A for delta in table["difference"])
    assert chart.layout.xaxis.title.text.startswith("← &lt;b&gt; leads · rewritten leads →")


def test_the_measure_and_the_runs_can_be_chosen():
    at = tab(measure="RR", k=0)
    (verdict,) = (each.value for each in at.header)
    noise = under_noise(MODEL, PERSON, *SAMPLE.runs, "RR")
    enough = "are enough" if noise.ahead >= 0.95 else "are not enough"
    assert verdict == f"The grades of `model` alone {enough} to name the winner"
    at = tab(a="words", b="words")
    assert "Neither run leads under either judge" in [each.value for each in at.header]
    assert "There is no winner that the grades of `model` could miss." in said(at)


def test_a_second_judge_of_a_part_is_compared_over_that_part_and_its_errors_over_all():
    some = PERSON.queries[:DIFFERING]
    part = PERSON.only(*some).renamed("part")
    rows = [f"part\t{q}\t{d}\t{g:g}" for q, of in part.to_dict().items() for d, g in of.items()]
    data = "judge\tquery\tdocument\tgrade\n" + "\n".join(rows)
    at = add(tab(), ("part.tsv", data.encode()))
    for key, judge in {"judge_a": "part", "judge_b": "model"}.items():
        at.selectbox(key=key).set_value(judge).run()
    assert f"Over the {DIFFERING} queries that both judged, the corrected row over all 8." in said(
        at
    )
    table = frame(at, "difference")
    assert table["queries"].tolist() == [DIFFERING] * 3 + [8] * 2
    found = corrected(MODEL, part, *SAMPLE.runs, "nDCG@10").measures["nDCG@10"].delta
    assert table.loc["model corrected by part", "difference"] == found.value
    assert table.loc["model corrected by part", ["low", "high"]].tolist() == [*found.interval]
    assert f") = {text.signed(found.value)}: unbiased where these were drawn" in said(at)
    summary = compare(MODEL.only(*some), *SAMPLE.runs, "nDCG@10").summary("nDCG@10")
    assert table["difference"].tolist()[1] == summary.delta
    noise = under_noise(MODEL, part, *SAMPLE.runs, "nDCG@10")
    assert table["difference"].tolist()[4] == noise.mean
    # One query names no winner, and simulates none.
    others = [f"\t{query}\t" for query in some[1:]]
    one = "\n".join(row for row in data.split("\n") if not any(map(row.__contains__, others)))
    at = add(tab(), ("one.tsv", one.encode()))
    at.selectbox(key="judge_a").set_value("part").run()
    assert "is one query; it says nothing about others" in said(at)
    assert "Too few to tell: both judged 1 query" in [each.value for each in at.header]
    assert "simulations" not in said(at)
    assert "`model` is not corrected by `part`." in said(at)
    assert len(frame(at, "difference")) == 3


def test_who_graded_here_and_added_the_same_grades_as_a_file_is_one_judge():
    at = opened("judge", example="shop", query="q01", judge="Ada")
    at = sent(
        at, *[{"do": "judge", "id": d, "grade": 2, "note": ""} for d in ("a", "b")], by="desk"
    )
    other = reopened(at, "judge", example="shop", judging="Two judges")
    same = b"judge,query,document,grade\nAda,q01,a,2\nAda,q01,b,2\n"
    for more, names in ((b"Ada,q01,c,1\n", ["qrels", "Ada"]), (b"", ["qrels", "Ada"])):
        found = add(other, ("ada.csv", same + more))
        options = found.selectbox(key="judge_a").options
        assert [name.removesuffix(" (the qrels)") for name in options] == names
        assert found.selectbox(key="judge_b").value == "Ada"
    # One who said something else is somebody else.
    found = add(other, ("other.csv", b"judge,query,document,grade\nAda,q01,a,0\n"))
    assert len(found.selectbox(key="judge_a").options) == 3


def test_a_majority_without_the_grades_for_aspects_says_so():
    ambiguous = catalogue()["ambiguous"].load()
    at = add(tab("ambiguous", measure="alpha_nDCG", k=5), ("x.tsv", second(ambiguous.qrels)))
    assert not at.exception
    assert any("the grades for aspects were left out" in each.value for each in at.text)


def test_the_judges_of_own_data_are_kept_with_them():
    at = drop(opened("data"), *OWN)
    at = at.switch_page("pages/judge.py")
    at.query_params["judging"] = "Two judges"
    at = add(at.run(), ("second.tsv", second(read_qrels(OWN[0][1]))))
    assert [judge.name for judge in at.session_state["_upload"].judges] == ["second"]
    (judge,) = load(save(Session(at.session_state["_upload"])), "s.zip").dataset.judges
    assert len(judge) == 3
    # More files are added to the data, and the judges stay.
    at = drop(at.switch_page("pages/data.py").run(), ("more.run", b"q1 Q0 d1 1 2 more"))
    assert [judge.name for judge in at.session_state["_upload"].judges] == ["second"]
    at = at.switch_page("pages/judge.py")
    at.query_params["judging"] = "Two judges"
    at = next(each for each in at.run().button if each.label.startswith("Remove 1")).click().run()
    assert at.session_state["_upload"].judges == ()


def test_one_judge_alone_has_a_field_for_others_and_a_way_to_the_sample():
    at = tab("shop")
    assert "**One judge so far.**" in said(at)
    assert not tables_of(at)
    # No list is below the preview, so a press of a square lists nothing.
    assert not any("Press a square" in each.value for each in at.caption)
    assert "One judge is not enough: the lead is not confirmed" in said(at)
    next(each for each in at.button if each.label == "Open a sample with two").click().run()
    assert not at.exception
    assert at.selectbox(key="example").value == "two-judges"


def test_an_uploaded_judge_is_compared_and_kept_for_these_data_only():
    at = add(tab("shop"), ("second.tsv", second(SHOP.qrels)))
    assert not at.exception
    assert not at.error
    assert "The judges agree on" in " ".join(headings(at))
    assert at.selectbox(key="judge_b").value == "second"
    assert any(each.value.startswith("because ") for each in at.text)
    # Other data have judges of their own.
    at.selectbox(key="example").set_value("two-judges").run()
    assert at.selectbox(key="judge_b").value == "model"
    at.selectbox(key="example").set_value("shop").run()
    assert at.selectbox(key="judge_b").value == "second"
    next(each for each in at.button if each.label == "Remove 1 uploaded judge").click().run()
    assert "**One judge so far.**" in said(at)


def test_several_judges_can_be_chosen_and_have_one_alpha():
    at = add(tab(), ("second.tsv", second(PERSON)), ("third.tsv", second(PERSON, 0, "third")))
    assert not at.exception
    table = frame(at, "value")
    assert "alpha, all 4 judges" in table.index
    # The new judge is shown at once, with what was noted while the file was read.
    assert at.selectbox(key="judge_b").value == "second"
    assert any(each.value.startswith("second: ") for each in at.text)
    at.selectbox(key="judge_b").set_value("third").run()
    assert not at.exception
    assert "`third` gave 0 higher grades than `person`, and 0 lower ones." in said(at)
    assert "Disagreements" not in headings(at)
    at.selectbox(key="judge_a").set_value("model").run()
    assert not at.exception
    assert at.selectbox(key="judge_a").value == "model"


@cases(
    ("data", "why"),
    [
        (b"judge,query,document,grade\nann,q1,wine-1,good\n", "bad.csv, line 2, column 4"),
        (b"\x00\x01", "bad.csv"),
        (b"judge,query,document,grade\na,q1,wine-2,1\n,q1,wine-1,1\n", "a row without a judge"),
    ],
)
def test_a_bad_file_is_refused_and_nothing_is_lost(data, why):
    at = add(tab(), ("second.tsv", second(PERSON)))
    at = add(at, ("third.tsv", second(PERSON, 0, "third")), ("bad.csv", data))
    assert not at.exception
    (error,) = at.error
    assert why in error.value
    assert at.selectbox(key="judge_b").options == ["model", "second"]
    # The next good file takes the message away.
    at = add(at, ("third.tsv", second(PERSON, 0, "third")))
    assert not at.error
    assert at.selectbox(key="judge_b").options == ["model", "second", "third"]


def test_a_judge_of_other_documents_says_so():
    at = add(tab("shop"), ("other.csv", b"judge,query,document,grade\nann,q9,d9,1\n"))
    assert not at.exception
    assert "judged no query in common. Check that the query ids match." in at.info[0].value
    at = add(tab("shop"), ("other.csv", b"judge,query,document,grade\nann,q01,d9,1\n"))
    assert "judged no document in common, but the same queries." in at.info[0].value


def test_all_grades_alike_have_no_kappa_and_say_why():
    rows = b"judge,query,document,grade\nann,q1,wine-1,3\nann,q4,kettle-1,3\n"
    at = add(tab(), ("ann.csv", rows))
    at.selectbox(key="judge_b").set_value("ann").run()
    assert not at.exception
    assert "Kappa is undefined" in said(at)


def test_two_scales_are_named_where_the_highest_grades_differ():
    rows = b"judge,query,document,grade\nann,q1,wine-1,1\nann,q1,wine-2,1\nann,q1,wine-3,0\n"
    at = add(tab(), ("ann.csv", rows))
    assert not at.exception
    assert [each.value for each in at.warning] == [
        "The highest grades of the two are 3 and 1. If these are two scales, agreement says "
        "little: bring both to one scale first."
    ]
    assert not tab().warning


def test_one_query_has_no_interval_and_says_why():
    rows = b"judge,query,document,grade\nann,q1,wine-1,3\nann,q1,wine-2,1\nann,q1,wine-3,0\n"
    at = add(tab(), ("ann.csv", rows))
    assert not at.exception
    assert at.selectbox(key="judge_b").value == "ann"
    assert "An interval needs 6 queries; the shared documents are of 1 query." in said(at)
    kappa = cohen_kappa(PERSON, read_judges(rows, "ann.csv")["ann"])
    assert any(each.endswith(f": kappa {kappa.coefficient:.2f}") for each in headings(at))


def test_very_many_grades_are_not_drawn_as_a_table():
    rows = [
        f"ann,{query},{document},{number / 10}"
        for number, (query, document) in enumerate(
            (query, document) for query, of in PERSON.to_dict().items() for document in of
        )
    ]
    data = "\n".join(["judge,query,document,grade", *rows]).encode()
    at = add(tab(), ("ann.csv", data))
    assert not at.exception
    assert any("different grades are too many" in each.value for each in at.info)


def test_hostile_names_and_reasons_stay_literal():
    rows = [
        {"judge": HOSTILE, "query": query, "document": document, "grade": 1, "reason": HOSTILE}
        for query, of in PERSON.to_dict().items()
        for document in of
    ]
    at = add(tab(), ("x.json", json.dumps(rows).encode()))
    at.selectbox(key="judge_b").set_value(HOSTILE).run()
    assert not at.exception
    sinks = [*at.header, *at.markdown, *at.caption, *at.info, *at.error, *at.subheader]
    for each in sinks:
        assert HOSTILE not in each.value.replace(f"`` {HOSTILE} ``", "")
    assert HOSTILE in [each.value for each in at.text]


def test_a_reason_of_several_lines_is_shown_as_lines_and_in_the_list_on_one():
    rows = [
        {"judge": "ann", "query": query, "document": document, "grade": 7, "reason": "a\r\nb\u200b"}
        for query, of in PERSON.to_dict().items()
        for document in of
    ]
    at = add(tab(), ("x.json", json.dumps(rows).encode()))
    at.selectbox(key="judge_b").set_value("ann").run()
    assert "a\nb⟨U+200B⟩" in [each.value for each in at.text]
    assert all("`ann`: `a b⟨U+200B⟩`" in each.label for each in listed(at))


def test_the_majority_is_saved_as_qrels():
    at = tab()
    labels = [each.proto.label for each in at.get("download_button")]
    assert labels[-1] == "Download the lower grades"
    assert at.caption[-1].value == (
        "Qrels: every document that anybody judged, with the lower of both grades, as in the third "
        "row above."
    )
    assert "one grade" not in said(at)
    found = majority([PERSON, MODEL])
    assert read_qrels(found.to_trec().encode(), "majority.txt").to_dict() == found.to_dict()


def test_the_judges_of_the_sample_are_its_file():
    table = pd.read_csv(FOLDER / "two_judges" / "judges.tsv", sep="\t")
    assert table.groupby("judge").size().to_dict() == {"model": len(MODEL), "person": len(PERSON)}


def test_a_file_of_two_judges_says_whose_grades_are_the_qrels_and_leads_to_both():
    rows = b"query,document,grade_ann,grade_bob\nq1,d1,2,1\nq1,d2,0,0\n"
    at = drop(opened("data"), ("labels.csv", rows), OWN[1])
    assert "The qrels are the grades of 'grade_ann'" in " ".join(each.value for each in at.info)
    button = next(each for each in at.button if each.label == "Compare the judges")
    at = button.click().run().switch_page("pages/judge.py").run()
    chosen = [at.selectbox(key=key).value for key in ("judge_a", "judge_b")]
    assert chosen == ["grade_ann", "grade_bob"]
    assert any(each.startswith("The judges agree on 1 of 2 documents") for each in headings(at))


def test_two_scales_are_brought_to_one_for_agreement_and_for_what_counts():
    rows = b"judge,query,document,grade\nann,q1,wine-1,1\nann,q1,wine-2,1\nann,q1,wine-3,0\n"
    at = add(tab(), ("ann.csv", rows))
    next(each for each in at.button if each.label.startswith("Count 1 of")).click().run()
    assert not at.exception
    assert not at.warning
    assert at.query_params["scale"] == "ann"
    assert at.selectbox(key="judge_b").value == "ann"
    assert "Grades of **`ann`** are stretched to the scale of the others." in said(at)
    at.query_params["data"] = "two-judges"
    at.switch_page("pages/compare_runs.py").run()
    at.selectbox(key="counts").set_value("first ann").run()
    ann = {"wine-1": 3, "wine-2": 3, "wine-3": 0}
    others = majority([PERSON, MODEL])
    now = with_grades(others, {"q1": ann})
    found = compare(now, *SAMPLE.runs, ["nDCG@10"]).summary("nDCG@10")
    shown = {each.label: each.value for each in scores(at)}
    assert shown["mean nDCG@10, A"] == f"{found.mean_a:.4f}"
    at.switch_page("pages/judge.py").run()
    next(each for each in at.button if each.label == "As given").click().run()
    assert "scale" not in at.query_params
    assert at.warning
